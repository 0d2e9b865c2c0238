"""`python3 -m camber ARGUMENTS` is the program `camber`; so is this file, started by its path."""

import os
import sys

if __name__ == "__main__":
    if not __package__:  # by its path: Python would search the package's own folder
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from camber import _core
    from camber._commands import program_words

    sys.exit(_core.run_command(sys.argv[1:], False, program_words())[0])
