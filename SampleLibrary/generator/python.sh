# Sets PYTHON to a python3 that has numpy and Pillow: the first python3 of the
# PATH may be one without the distribution's packages.
PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE
for PYTHON in ${PYTHON:-python3} /usr/bin/python3; do
    "$PYTHON" -c 'import numpy, PIL' 2>/dev/null && break
    PYTHON=
done
[ -n "$PYTHON" ] || { echo "needs python3 with numpy and Pillow" >&2; exit 1; }
