"""Running processes and taking their time and memory; the machine and the versions; tables."""

import os
import platform
import shutil
import signal
import statistics
import subprocess
import time


class Failed(Exception):
    """A process ended with another status than 0."""


def run_together(commands, environment=None, log=None):
    """Runs the commands at once, and waits for all. Returns the seconds until the last ended, their
    processor seconds, and the sum of their peak memory in bytes.

    A command's peak is its own, or that of the largest process that it started and waited for.
    Linux counts what the parent had when it started the command, so this program stays small (no
    numpy).
    """
    environment = dict(os.environ, **(environment or {}))
    target = os.open(log or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    streams = [
        (os.POSIX_SPAWN_DUP2, nothing, 0),
        (os.POSIX_SPAWN_DUP2, target, 1),
        (os.POSIX_SPAWN_DUP2, target, 2),
    ]
    begun = time.perf_counter()
    started = [
        os.posix_spawnp(command[0], command, environment, file_actions=streams)
        for command in commands
    ]
    processor = memory = 0
    failed = None
    waiting = list(started)
    try:
        for command in commands:
            _, status, usage = os.wait4(waiting[0], 0)
            waiting.pop(0)
            processor += usage.ru_utime + usage.ru_stime
            memory += usage.ru_maxrss * 1024
            if status != 0:
                failed = f"{command[0]} ended with status {os.waitstatus_to_exitcode(status)}"
    finally:
        # Interrupted: what was started here does not outlive it.
        for process in waiting:
            os.kill(process, signal.SIGTERM)
    seconds = time.perf_counter() - begun
    os.close(target)
    os.close(nothing)
    if failed:
        if log:
            with open(log, encoding="utf-8", errors="replace") as file:
                failed += ": " + " / ".join(file.read().strip().splitlines()[-3:])
        raise Failed(failed)
    return {"seconds": seconds, "cpu": processor, "memory": memory}


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def warm(paths):
    """Reads every file once, so that it is in the page cache."""
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def files_below(folder):
    return [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]


def halves(items):
    """Every other one each, so that both halves are alike."""
    return [half for half in (items[0::2], items[1::2]) if half]


def median(rounds, key="seconds"):
    return statistics.median(one[key] for one in rounds)


def ratio(ours, others):
    """How many times as long the others take, the median over rounds.

    Each round compares neighbours, so a machine that grows slower on the way does not count.
    """
    return statistics.median(b["seconds"] / a["seconds"] for a, b in zip(ours, others))


def first_line(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout.strip().splitlines()[0]
    except (OSError, IndexError):
        return ""


def package_version(name):
    return first_line("dpkg-query", "-W", "-f", "${Version}\n", name) or "not from a package"


def machine():
    """The machine in one line."""
    model, memory = "unknown processor", 0
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(file.readline().split()[1]) // (1 << 20)
    system = first_line("sh", "-c", '. /etc/os-release && echo "$PRETTY_NAME"')
    load = os.getloadavg()[0]
    return (
        f"{model}, {len(os.sched_getaffinity(0))} cores, {memory} GiB, Linux {platform.release()}, "
        f"{system}; load average at the start {load:.1f}"
    )


def table(head, rows):
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
