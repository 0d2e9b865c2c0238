"""The parts of a run together, as a user meets them: terminal, Ctrl-C, files.

usage: run_parts_test.py PATH_OF_RUN_SAMPLE [unittest arguments]
"""

import errno
import fcntl
import json
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

SAMPLE = ""


class Run(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = os.path.join(self.temporary.name, "run")

    def tearDown(self):
        self.temporary.cleanup()

    def arguments(self, duration, step, microseconds):
        return [SAMPLE, self.folder, str(duration), str(step), str(microseconds)]

    def summary(self):
        with open(os.path.join(self.folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file)

    def run_on_terminal(self, duration, step, microseconds, columns=80, term="xterm", interrupt_after=None):
        """stdout, what the terminal (stderr) got, and the exit status."""
        terminal, child_side = pty.openpty()
        fcntl.ioctl(child_side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen(self.arguments(duration, step, microseconds), stdout=subprocess.PIPE,
                                   stderr=child_side, env={**os.environ, "TERM": term})
        os.close(child_side)
        if interrupt_after is not None:
            time.sleep(interrupt_after)
            process.send_signal(signal.SIGINT)
        shown = b""
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError as error:  # what Linux says at the end of a terminal
                if error.errno != errno.EIO:
                    raise
                break
            if not piece:
                break
            shown += piece
        os.close(terminal)
        stdout = process.stdout.read().decode()
        process.stdout.close()
        return stdout, shown.decode(), process.wait()


class Progress(Run):
    def test_is_shown_on_a_terminal_and_taken_away(self):
        start = time.monotonic()
        stdout, shown, status = self.run_on_terminal(4, 0.01, 2000)
        wall = time.monotonic() - start
        self.assertEqual(status, 0)
        self.assertEqual(stdout, self.folder + "\n")
        lines = shown.split("\r")
        self.assertEqual(lines[-1], "\x1b[K")
        bars = [line for line in lines if line.startswith("[")]
        self.assertGreater(len(bars), 2)
        self.assertLessEqual(len(bars), 10 * wall + 2)
        for bar in bars[1:]:
            self.assertRegex(bar, r"^\[#* *\] +\d+ %  t = [\d.]+ s  [\d.e+]+ x real time  \d+:\d\d left\x1b\[K$")
            self.assertLess(len(bar) - len("\x1b[K"), 80)
        percents = [int(re.search(r"(\d+) %", bar)[1]) for bar in bars]
        self.assertEqual(percents, sorted(percents))

    def test_fits_a_narrow_terminal(self):
        for columns in (1, 10, 40, 60):
            with self.subTest(columns=columns):
                self.folder = os.path.join(self.temporary.name, f"run{columns}")
                _, shown, status = self.run_on_terminal(1, 0.01, 3000, columns=columns)
                self.assertEqual(status, 0)
                for line in shown.split("\r"):
                    self.assertLess(len(line.replace("\x1b[K", "")), columns)
                self.assertNotIn("\n", shown)

    def test_is_not_shown_elsewhere(self):
        result = subprocess.run(self.arguments(1, 0.01, 3000), capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, self.folder + "\n", ""))
        self.folder += "2"
        self.assertEqual(self.run_on_terminal(1, 0.01, 3000, term="dumb"), (self.folder + "\n", "", 0))


class Interrupt(Run):
    def test_closes_the_log_and_says_how_far_it_came(self):
        for number, name in [(signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM"), (signal.SIGHUP, "SIGHUP")]:
            with self.subTest(signal=name):
                self.folder = os.path.join(self.temporary.name, name)
                process = subprocess.Popen(self.arguments(1000, 0.01, 1000), stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True)
                time.sleep(0.5)
                process.send_signal(number)
                stdout, stderr = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 1)
                self.assertEqual(stdout, "")
                message = re.fullmatch(r"run_sample: interrupted \((\w+)\) at t = ([\d.]+) s of 1000 s \(\d+ %\); "
                                       r"the log holds what there is\n", stderr)
                self.assertIsNotNone(message, stderr)
                self.assertEqual(message[1], name)
                summary = self.summary()
                self.assertAlmostEqual(summary["time"], float(message[2]), 5)
                self.assertEqual(summary["samples"], round(summary["time"] / 0.01) + 1)
                self.assertTrue(os.path.exists(os.path.join(self.folder, "report.html")))

    def test_leaves_a_clean_line_on_a_terminal(self):
        stdout, shown, status = self.run_on_terminal(1000, 0.01, 1000, interrupt_after=0.6)
        self.assertEqual((stdout, status), ("", 1))
        self.assertIn("\r\x1b[Krun_sample: interrupted (SIGINT) at t = ", shown)

    def test_stays_ignored_under_nohup(self):
        process = subprocess.Popen(self.arguments(1, 0.01, 5000), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.2)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)


class FullDisk(Run):
    def test_fails_with_file_and_reason(self):
        limit = 200_000
        result = subprocess.run(self.arguments(1000, 0.01, 0), capture_output=True, text=True, timeout=60,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, f"run_sample: {self.folder}/log.h5: cannot write: File too large\n")


if __name__ == "__main__":
    SAMPLE = sys.argv.pop(1)
    unittest.main()
