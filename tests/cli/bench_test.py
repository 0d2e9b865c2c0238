"""`camber bench` hands over to the suite's program beside it; here a stand-in, beside a copy of camber.

usage: bench_test.py PATH_OF_CAMBER [unittest arguments]
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.camber = shutil.copy(CAMBER, folder.name)
        self.suite = os.path.join(folder.name, "camber-bench-symbolic")

    def write_suite(self, text):
        with open(self.suite, "w") as file:
            file.write(text)
        os.chmod(self.suite, 0o755)

    def run_bench(self, *arguments):
        return subprocess.run([self.camber, "bench", *arguments], capture_output=True, text=True, timeout=60)

    def test_options_output_and_status_pass_through(self):
        self.write_suite('#!/bin/sh\necho "figures for $*"; echo progress >&2; exit 7\n')
        result = self.run_bench("symbolic", "--quick", "--json")
        self.assertEqual(result.returncode, 7)
        self.assertEqual(result.stdout, "figures for --json --quick\n")
        self.assertEqual(result.stderr, "progress\n")

    # `make run` builds camber alone.
    def test_a_suite_that_was_not_built_is_named_with_what_builds_it(self):
        result = self.run_bench("symbolic")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("camber-bench-symbolic is not there beside camber: `make build` builds it", result.stderr)

    def test_a_suite_that_cannot_be_started_is_named_with_the_reason(self):
        self.write_suite("")
        os.chmod(self.suite, 0o644)
        result = self.run_bench("symbolic")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "camber-bench-symbolic: Permission denied")

    def test_an_unknown_suite_is_bad_usage(self):
        result = self.run_bench("symbolik")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("symbolik", result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
