"""`python3 -m camber ARGUMENTS` is the program `camber`."""

import sys

from camber import _core

if __name__ == "__main__":
    sys.exit(_core.run_command(sys.argv[1:], False)[0])
