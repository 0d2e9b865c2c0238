"""Runs `camber report` as a user does.

usage: report_test.py PATH_OF_CAMBER [unittest arguments]
"""

import os
import tempfile
import unittest

import command
from command import Command

REPORT = Command("report")
RUN = Command("run")


class Report(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def test_makes_the_page_again_for_every_kind(self):
        for name, arguments in (("four-bar", ("models/four-bar.toml", "--for", "0.2")),
                                ("platform", ("models/stewart-platform.toml", "--for", "0.05", "--formulation", "fa")),
                                ("motorcycle", ("models/motorcycle.toml", "--for", "0.2")),
                                ("wheel", ("scenarios/rolling-wheel-fig6.toml",)),
                                ("drive", ("scenarios/step-steer.toml", "--for", "0.2"))):
            with self.subTest(name=name):
                RUN.run(*arguments, "-o", self.path(name))
                first = self.read(name, "report.html")
                os.remove(self.path(name, "report.html"))
                result = REPORT.run(self.path(name))
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertEqual(result.stdout, self.path(name, "report.html") + "\n")
                self.assertEqual(self.read(name, "report.html"), first)

    def test_writes_elsewhere(self):
        RUN.run("models/four-bar.toml", "--for", "0.1", "-o", self.path("run"))
        result = REPORT.run(self.path("run"), "-o", self.path("page.html"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.read("page.html"), self.read("run", "report.html"))

    def test_folders_that_are_not_of_a_run(self):
        result = REPORT.run(self.path("none"))
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(self.path("none", "summary.json"), result.stderr)
        os.mkdir(self.path("odd"))
        with open(self.path("odd", "summary.json"), "w", encoding="utf-8") as file:
            file.write("[1, 2")
        result = REPORT.run(self.path("odd"))
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("summary.json: not the summary of a run", result.stderr)


if __name__ == "__main__":
    command.main()
