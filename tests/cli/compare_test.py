"""Runs `camber compare` as a user does.

usage: compare_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

import command
from command import Command

COMPARE = Command("compare")
RUN = Command("run")
FOUR_BAR = "models/four-bar.toml"


class Compare(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.page = self.path("compare.html")

    def path(self, name):
        return os.path.join(self.folder, name)

    def make_run(self, name, *options, seconds="1"):
        result = RUN.run(FOUR_BAR, "--for", seconds, "-o", self.path(name), *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.path(name)

    # What the system says of a folder came through as it was, without the folder's name in front.
    def test_a_folder_that_cannot_be_read(self):
        good = self.make_run("good")
        os.symlink("loop", self.path("loop"))
        result = COMPARE.run(good, self.path("loop"))
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, f"camber: {self.path('loop')}: cannot be read: Too many levels of symbolic links\n")

    def compare(self, *runs):
        result = COMPARE.run(*runs, "--out", self.page, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_finds_the_error_of_longer_steps(self):
        fine, coarse = self.make_run("fine"), self.make_run("coarse", "--method", "euler", "--step", "0.01")
        result = COMPARE.run(fine, coarse, "--out", self.page)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("difference of coarse", result.stdout)
        self.assertIn(self.page, result.stdout)
        compared = self.compare(fine, coarse)
        figures = {figure["name"]: figure for figure in compared["figures"]}
        self.assertEqual(figures["step"]["values"], [0.001, 0.01])
        columns = {(column["channel"], column["column"]): column for column in compared["columns"]}
        crank = columns[("coordinates/q", "crank")]
        self.assertEqual(crank["unit"], "rad")
        largest = crank["largest"][0]
        self.assertGreater(abs(largest["difference"]), 1e-4)
        self.assertLess(abs(largest["difference"]), 0.3)
        self.assertAlmostEqual(largest["value"] - largest["first_value"], largest["difference"], places=15)
        with open(self.page, encoding="utf-8") as file:
            self.assertIn("<title>Comparison of fine and coarse</title>", file.read())

    def test_finds_nothing_between_two_equal_runs(self):
        compared = self.compare(self.make_run("a"), self.make_run("b"), self.make_run("c"))
        self.assertEqual(compared["notes"], [])
        for column in compared["columns"]:
            self.assertEqual([run["run"] for run in column["largest"]], ["b", "c"])
            for run in column["largest"]:
                self.assertIn(run["difference"], (0, None), column)

    def test_compares_the_time_that_both_have(self):
        compared = self.compare(self.make_run("long", seconds="1.5"), self.make_run("short", seconds="0.8"))
        self.assertEqual((compared["first_time"], compared["last_time"]), (0, 0.8))
        self.assertIn("different lengths", compared["notes"][0])

    def test_reads_a_run_that_was_killed_as_far_as_it_goes(self):
        whole = self.make_run("whole", seconds="3")
        killed = self.path("killed")
        with subprocess.Popen([Command.camber, "run", FOUR_BAR, "--for", "1e5", "-o", killed],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(3)  # what is older than a second is on disk
            process.send_signal(signal.SIGKILL)
        compared = self.compare(whole, killed)
        self.assertFalse(compared["runs"][1]["complete"])
        self.assertGreater(compared["runs"][1]["samples"], 10)
        self.assertIn("The log of killed is incomplete", compared["notes"][0])

    # 300 kB that announce 2.4 GB, which HDF5 would fill in.
    def test_refuses_a_log_that_announces_more_than_it_has(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("Python's h5py is not installed")
        good, hostile = self.make_run("good"), self.make_run("hostile")
        with h5py.File(os.path.join(hostile, "log.h5"), "r+") as log:
            log["time"].resize((300_000_000,))
        result = COMPARE.run(good, hostile)
        self.assertEqual((result.returncode, result.stdout), (2, ""))  # a bad file
        self.assertIn("time announces 2.4e+09 bytes, but has only", result.stderr)

    def test_says_what_is_wrong(self):
        run = self.make_run("a")
        motorcycle = self.path("motorcycle")
        RUN.run("models/motorcycle.toml", "--for", "0.1", "-o", motorcycle)
        for arguments, words in [
                ([run], "two runs or more"), ([], "RUN is required"),
                ([run, self.path("none")], "no such folder"), ([run, self.folder], "no log.h5 in it"),
                ([run, os.path.join(run, "log.h5")], "is a file"),
                ([run, motorcycle], "no channel with the same name")]:
            result = COMPARE.run(*arguments, "--out", self.page)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertFalse(os.path.exists(self.page))
        result = COMPARE.run(run, run, "--out", self.path("none/compare.html"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("none/compare.html", result.stderr)


if __name__ == "__main__":
    command.main()
