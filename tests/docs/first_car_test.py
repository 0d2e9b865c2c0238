"""Runs the commands of docs/manual/first-car.md in order, in a copy of its files, and compares what they print with the page.

usage: first_car_test.py PATH_OF_CAMBER [unittest arguments]
"""

import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""
PAGE = pathlib.Path("docs/manual/first-car.md")
FILES = pathlib.Path("docs/manual/first-car")
NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
TOLERANCE = 5e-3  # other processors round differently; a change of the model changes more
ROUNDING = 1e-12  # numbers below are rounding errors: how well loops close
CLOCK = re.compile(r", \S+ s on the clock, \S+ x real time$")


def read_blocks(language):
    """The code blocks of this language on the page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def read_commands():
    """(command, lines that it is said to print) in the order of the page."""
    commands = []
    for block in read_blocks("console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
    return commands


def is_like(shown, printed):
    """Whether two lines have the same words and, up to rounding, the same numbers."""
    shown, printed = CLOCK.sub("", shown), CLOCK.sub("", printed)
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    for a, b in zip(NUMBER.findall(shown), NUMBER.findall(printed)):
        last_digit = 10.0 ** -len(a.partition("e")[0].partition(".")[2])
        is_small = max(abs(float(a)), abs(float(b))) < ROUNDING
        is_close = math.isclose(float(a), float(b), rel_tol=TOLERANCE, abs_tol=1.5 * last_digit if "e" not in a else 0)
        if not is_small and not is_close:
            return False
    return True


class FirstCar(unittest.TestCase):
    def expect_lines(self, command, shown, printed):
        """The shown lines are among the printed ones, in order; without a "..." between them one after the other."""
        at, may_skip = 0, False
        for line in shown:
            if line == "...":
                may_skip = True
                continue
            start = at
            while may_skip and at < len(printed) and not is_like(line, printed[at]):
                at += 1
            if at >= len(printed) or not is_like(line, printed[at]):
                self.fail(f"{command}\nthe page shows\n  {line}\nthe program printed\n  " + "\n  ".join(printed[start:start + 40]))
            at, may_skip = at + 1, False
        if not may_skip:
            self.assertEqual(printed[at:], [], f"{command}: the page leaves out the end")

    def test_commands_print_what_the_page_shows(self):
        commands = read_commands()
        self.assertGreater(len(commands), 5)
        with tempfile.TemporaryDirectory() as folder:
            for file in FILES.glob("*.toml"):
                shutil.copy(file, folder)
            for command, shown in commands:
                words = shlex.split(command)
                self.assertEqual(words[0], "camber", command)
                result = subprocess.run([CAMBER, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=120)
                is_error = shown[0].startswith("--set")
                self.assertEqual(result.returncode, 2 if is_error else 0, command + "\n" + result.stderr)
                self.expect_lines(command, shown, (result.stderr if is_error else result.stdout).splitlines())

    def test_files_are_shown_as_they_are(self):
        files = [file.read_text(encoding="utf-8") for file in FILES.glob("*.toml")]
        blocks = read_blocks("toml")
        self.assertGreater(len(blocks), 2)
        for block in blocks:
            self.assertTrue(any(block in file for file in files), f"in no file:\n{block}")

    def test_a_wrong_number_is_found(self):
        self.assertTrue(is_like("a  1.234 s", "a 1.2341 s"))
        self.assertFalse(is_like("a  1.234 s", "a 1.26 s"))
        self.assertFalse(is_like("a  1.234 s", "a 1.234 m"))
        with self.assertRaises(AssertionError):
            self.expect_lines("", ["a 1.000", "c"], ["a 1.000", "b", "c"])
        self.expect_lines("", ["a 1.000", "...", "c"], ["a 1.000", "b", "c"])


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
