"""Runs `camber generate` as a user does.

usage: generate_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""


def run(*arguments, **variables):
    return subprocess.run([CAMBER, "generate", *arguments], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **variables})


class Generate(unittest.TestCase):
    def test_prints_kernels_and_operations(self):
        result = json.loads(run("models/hmmwv.toml", "--json").stdout)
        self.assertEqual(result["degrees_of_freedom"], 15)
        self.assertLess(result["operations"], 9000)
        self.assertEqual([kernel["used_for"] for kernel in result["kernels"]],
                         [["front_left_lower_arm", "front_right_lower_arm"],
                          ["rear_left_lower_arm", "rear_right_lower_arm"]])

    def test_writes_the_code_that_is_in_the_library(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hmmwv.h")
            result = run("models/hmmwv.toml", "-o", path)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(path, encoding="utf-8") as new, open("generated/hmmwv.h", encoding="utf-8") as committed:
                # Up to the parameters, whose last digits depend on the processor.
                self.assertEqual(*(file.read().split("_parameters[] = {")[0] for file in (new, committed)))

    def test_compiles_once(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = (json.loads(run("models/mcpherson-car.toml", "--compile", "--json", XDG_CACHE_HOME=folder).stdout)
                             for _ in range(2))
            self.assertTrue(first["was_compiled"])
            self.assertFalse(second["was_compiled"])
            self.assertEqual(os.path.dirname(first["library"]), os.path.join(folder, "camber", "generated"))
            self.assertGreater(first["code_bytes"], 0)

    def test_a_missing_compiler_is_a_failed_run(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run("models/mcpherson-car.toml", "--compile", "--compiler", "no-such-compiler", XDG_CACHE_HOME=folder)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("cannot run the compiler \"no-such-compiler\"", result.stderr)

    def test_a_cache_that_cannot_be_written_is_named(self):
        result = run("models/mcpherson-car.toml", "--compile", XDG_CACHE_HOME="/proc")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/proc/camber", result.stderr)

    def test_what_cannot_be_generated_is_named(self):
        for model, reason in (("models/rolling-coin.toml", "cannot be generated"),
                              ("models/motorcycle.toml", "camber derive")):
            result = run(model)
            self.assertEqual((result.returncode, result.stdout), (2, ""), model)
            self.assertIn(reason, result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
