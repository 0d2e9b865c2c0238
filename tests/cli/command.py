"""What the tests of single commands share: running one as a user does."""

import csv
import json
import os
import subprocess
import sys
import unittest


class Command:
    """`camber NAME`; main() fills in where the program is."""

    camber = ""

    def __init__(self, name):
        self.name = name

    def run(self, *arguments):
        return subprocess.run([Command.camber, self.name, *arguments], capture_output=True, text=True, timeout=60)

    def run_json(self, *arguments):
        result = self.run(*arguments, "--json")
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)


def read_table(path):
    """Rows of a CSV file as dictionaries; lines that begin with # are comments."""
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def main():
    """usage: TEST.py PATH_OF_CAMBER [unittest arguments]"""
    Command.camber = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
