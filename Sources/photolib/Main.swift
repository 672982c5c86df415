import Dispatch
import Glibc
import PhotoLibrary

@main
struct Main {
  static func main() async {
    holdStandardDescriptors()
    // A closed pipe is an error of `write`, which `Terminal` ends quietly.
    _ = signal(SIGPIPE, SIG_IGN)
    let interruption = Interruption()

    var arguments = ParsedArguments()
    var terminal = Terminal(style: Terminal.Style())
    var status: ExitStatus
    do throws(Failure) {
      let command = try chooseCommand(&arguments)
      terminal = Terminal(style: try GlobalOptions.style(arguments))
      if let command {
        status = try await run(command, arguments, terminal, interruption)
      } else {
        status = .success
      }
    } catch {
      terminal.report(error)
      status = error.status
    }
    exit((interruption.status ?? status).rawValue)
  }

  /// Reads the whole command line.
  ///
  /// Returns nil where it asked for help or for the version, which then is printed.
  private static func chooseCommand(
    _ arguments: inout ParsedArguments
  ) throws(Failure) -> (any Command.Type)? {
    let hint = "photolib --help lists commands and options"
    var before = ParsedArguments()
    var asked: OptionName?
    var found: (name: [UInt8], index: Int)?
    switch try before.read(from: 0, known: Option.global, stopsAtOperand: true, hint: hint) {
    case .asksFor(let name): asked = name
    case .command(let name, let index): found = (name, index)
    case .complete: break
    }
    if let asked {
      try printText(asked == .help ? Help.overview() : Help.version + "\n")
      return nil
    }
    guard let found else { throw .usage("command", "none is given", hint: hint) }
    guard let command = Invocation.commands.first(where: { Array($0.name.utf8) == found.name })
    else { throw .usage(printable(found.name), "no such command", hint: hint) }

    let commandHint = "photolib \(command.name) --help lists its options"
    let outcome = try arguments.read(
      from: found.index, known: Option.global + command.options, stopsAtOperand: false,
      hint: commandHint)
    if case .asksFor(let name) = outcome {
      try printText(name == .help ? Help.text(of: command) : Help.version + "\n")
      return nil
    }
    // What stands behind the command is the nearer, and wins.
    before.add(optionsOf: arguments)
    for operand in arguments.operands { before.add(operand: operand) }
    arguments = before
    let taken = Help.globalOptions(of: command).map(\.name)
    for name in [OptionName.client, .owner] where arguments.has(name) && !taken.contains(name) {
      let why = name == .owner ? "only reading commands take it" : "it is the owner who does this"
      throw .usage(name.text, "\(command.name): \(why)", hint: commandHint)
    }
    return command
  }

  private static func printText(_ text: String) throws(Failure) {
    let terminal = Terminal(style: Terminal.Style())
    try terminal.write(text)
    try terminal.flush()
  }

  /// Runs a command until it is done or interrupted.
  private static func run(
    _ command: any Command.Type, _ arguments: ParsedArguments, _ terminal: Terminal,
    _ interruption: Interruption
  ) async throws(Failure) -> ExitStatus {
    let invocation = Invocation(
      arguments: arguments, globals: try GlobalOptions(arguments), terminal: terminal)
    let task = Task { () -> Result<ExitStatus, Failure> in
      do throws(Failure) {
        let status = try await command.run(invocation)
        try terminal.flush()
        return .success(status)
      } catch {
        // What was found before the failure is still a result.
        do throws(Failure) { try terminal.flush() } catch { return .failure(error) }
        return .failure(error)
      }
    }
    let sources = interruption.watch {
      task.cancel()
      if command.endsAtOnce {
        terminal.eraseProgress()
        interruption.end()
      }
    }
    let result = await task.value
    terminal.eraseProgress()
    withExtendedLifetime(sources) {}
    return try result.get()
  }
}
