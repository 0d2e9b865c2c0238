"""What the tests of `camber run` share: a folder that goes away, and the command as a user calls it."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

_camber = ""


def run(*arguments, **more):
    return subprocess.run([_camber, *arguments], capture_output=True, text=True, timeout=120, **more)


def start(*arguments, **more):
    return subprocess.Popen([_camber, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def summary(self, folder):
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file)


def main():
    """usage: TEST.py PATH_OF_CAMBER [unittest arguments]"""
    global _camber
    _camber = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
