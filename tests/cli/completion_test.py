"""Completion for bash offers the commands and options that the program has, and files elsewhere.

usage: completion_test.py CAMBER COMPLETION [unittest arguments]
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

CAMBER, COMPLETION = (os.path.abspath(path) for path in sys.argv[1:3])


def complete(*words):
    """What bash offers for the last of the words after `camber`."""
    script = (f"source '{COMPLETION}'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _camber; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    result = subprocess.run(["bash", "-c", script, "bash", CAMBER, *words], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    return set(result.stdout.split())


def help_of(*command):
    return subprocess.run([CAMBER, *command, "--help"], capture_output=True, text=True, check=True).stdout


def options_of(*command):
    """By the help text's own layout: names are in the first column of the part "Options"."""
    options = help_of(*command).split("\nOptions:\n")[1].split("\n\n")[0]
    return {name for line in options.splitlines() if re.match(r"  -", line)
            for name in re.split(r"[ =]", line.strip())[0].split(",")}


def commands_of(*command):
    text = help_of(*command)
    if "\nSubcommands:\n" not in text:
        return set()
    return {line.split()[0] for line in text.split("\nSubcommands:\n")[1].split("\n\n")[0].splitlines()
            if re.match(r"  \S", line)}


class Completion(unittest.TestCase):
    def test_offers_every_command(self):
        self.assertIn("run", commands_of())
        self.assertEqual(complete(""), commands_of())
        self.assertEqual(complete("der"), {"derive"})

    def test_offers_every_option_of_every_command(self):
        self.assertIn("--set", options_of("run"))
        self.assertEqual(complete("-"), options_of())
        for command in sorted(commands_of()):
            with self.subTest(command=command):
                self.assertEqual(complete(command, "-"), options_of(command))
                for inner in sorted(commands_of(command)):
                    self.assertEqual(complete(command, inner, "-"), options_of(command, inner))

    def test_offers_files_where_one_is_due(self):
        root = pathlib.Path(__file__).parent.parent.parent
        os.chdir(root)
        self.assertEqual(complete("run", "scenarios/double-l"), {"scenarios/double-lane-change.toml"})
        self.assertEqual(complete("run", "scenarios/step-steer.toml", "-o", "packages.t"), {"packages.txt"})

    def test_completes_options_by_their_start(self):
        self.assertEqual(complete("run", "x.toml", "--out"), {"--output"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
