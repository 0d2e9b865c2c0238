"""Runs the examples that docs/manual/stepping.md shows, and compares what they print with the page.

usage: stepping_test.py FOLDER_OF_EXAMPLES [unittest arguments]
"""

import os
import pathlib
import sys
import unittest

import console

EXAMPLES = ""
PAGE = pathlib.Path("docs/manual/stepping.md")


class Stepping(unittest.TestCase):
    def test_examples_print_what_the_page_shows(self):
        names = ["hello_drive", "own_controller", "fixed_rate_loop"]
        console.run_page(self, PAGE, {name: os.path.join(EXAMPLES, name) for name in names}, ".")


if __name__ == "__main__":
    EXAMPLES = os.path.abspath(sys.argv.pop(1))
    unittest.main()
