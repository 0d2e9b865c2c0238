"""Runs the commands of docs/manual/first-car.md in order, in a copy of its files, and compares what they print with the page.

usage: first_car_test.py PATH_OF_CAMBER [unittest arguments]
"""

import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import console

CAMBER = ""
PAGE = pathlib.Path("docs/manual/first-car.md")
FILES = pathlib.Path("docs/manual/first-car")


class FirstCar(unittest.TestCase):
    def test_commands_print_what_the_page_shows(self):
        with tempfile.TemporaryDirectory() as folder:
            for file in FILES.glob("*.toml"):
                shutil.copy(file, folder)
            console.run_page(self, PAGE, {"camber": CAMBER}, folder)

    def test_files_are_shown_as_they_are(self):
        files = [file.read_text(encoding="utf-8") for file in FILES.glob("*.toml")]
        blocks = console.read_blocks(PAGE, "toml")
        self.assertGreater(len(blocks), 2)
        for block in blocks:
            self.assertTrue(any(block in file for file in files), f"in no file:\n{block}")

    def test_a_difference_is_found(self):
        self.assertTrue(console.is_like("a  1.234 s", "a 1.2341 s"))
        self.assertFalse(console.is_like("a  1.234 s", "a 1.26 s"))
        self.assertFalse(console.is_like("a  1.234 s", "a 1.234 m"))
        self.assertIsNotNone(console.find_difference(["a 1.000", "c"], ["a 1.000", "b", "c"]))
        self.assertIsNotNone(console.find_difference(["a 1.000"], ["a 1.000", "b"]))
        self.assertIsNone(console.find_difference(["a 1.000", "...", "c"], ["a 1.000", "b", "c"]))


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
