"""Reads with h5py, as a user does, what LogWriter wrote, also after kill -9 and on a full disk.

usage: log_by_h5py.py PATH_OF_WRITE_SAMPLE_LOG [unittest arguments]
"""

import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy

WRITER = ""
STEP = 0.0078125
CHANNELS = {"coordinates/q": (5,), "bodies/poses": (3, 7), "energy": (), "contact/front/force": (3,)}
KILLS = int(os.environ.get("CAMBER_KILLS", "25"))


def expected(channel, samples):
    index = list(CHANNELS).index(channel)
    shape = CHANNELS[channel]
    entries = numpy.arange(int(numpy.prod(shape)), dtype=float).reshape(shape) / 256
    time = numpy.arange(samples, dtype=float).reshape((samples,) + (1,) * len(shape))
    return time + index / 8 + entries


class Log(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "log.h5")

    def tearDown(self):
        self.folder.cleanup()

    def arguments(self, samples, flush_every=0, chunk=64, compression=0, *more):
        return [WRITER, self.path, *map(str, (samples, flush_every, chunk, compression, *more))]

    def write(self, *arguments):
        return subprocess.run(self.arguments(*arguments), capture_output=True, text=True, timeout=120)

    def check(self, at_least):
        """Opens the file plainly and compares every number; gives the number of samples."""
        with h5py.File(self.path, "r") as log:
            times = log["time"][...]
            samples = len(times)
            self.assertGreaterEqual(samples, at_least)
            numpy.testing.assert_array_equal(times, STEP * numpy.arange(samples))
            for name in CHANNELS:
                self.assertGreaterEqual(len(log[name]), samples)
                numpy.testing.assert_array_equal(log[name][:samples], expected(name, samples))
            self.assertEqual(log.attrs["model_file"], "models/mule.toml")
            return samples


class Written(Log):
    def test_has_names_units_and_attributes(self):
        self.assertEqual(self.write(100).returncode, 0)
        self.assertEqual(self.check(100), 100)
        with h5py.File(self.path, "r") as log:
            q = log["coordinates/q"]
            self.assertEqual(q.dtype.str, "<f8")
            self.assertEqual(list(q.attrs["names"]), ["x", "y", "psi", "δ", "z_1"])
            self.assertEqual(list(q.attrs["units"]), ["m", "m", "rad", "rad", "m"])
            self.assertEqual(q.attrs["description"], "generalized positions")
            poses = log["bodies/poses"]
            self.assertEqual(list(poses.attrs["row_names"]), ["chassis", "axle", "wheel"])
            self.assertEqual(list(poses.attrs["names"]), ["x", "y", "z", "qw", "qx", "qy", "qz"])
            self.assertEqual(log["energy"].attrs["units"], "J")
            self.assertEqual(log["contact/front/force"].attrs["units"], "N")
            self.assertEqual(log["time"].attrs["units"], "s")
            self.assertEqual(log["complete"][()], 1)
            self.assertEqual(log.attrs["format"], "camber log")
            self.assertEqual(log.attrs["model_text"], 'kind = "mechanism"\n# ü\n')
            self.assertEqual(log.attrs["program"], "camber 0.1.0")
            self.assertEqual(log.attrs["formulation"], "ce")
            self.assertEqual(log.attrs["integrator.method"], "dopri5")
            self.assertEqual(log.attrs["integrator.rtol"], 1e-6)
            self.assertEqual(log.attrs["start.q.psi"], 0.25)

    def test_is_whole_whatever_the_chunks(self):
        for samples, flush_every, chunk, compression in [(0, 0, 64, 0), (1, 0, 64, 0), (64, 0, 64, 0), (65, 1, 64, 0),
                                                         (1000, 7, 64, 0), (1000, 7, 64, 6), (300, 1, 1, 0),
                                                         (20000, 0, 16, 0), (5000, 0, 512, 9)]:
            with self.subTest(samples=samples, flush_every=flush_every, chunk=chunk, compression=compression):
                if samples == 0:
                    continue
                self.assertEqual(self.write(samples, flush_every, chunk, compression).returncode, 0)
                self.assertEqual(self.check(samples), samples)
                os.remove(self.path)

    def test_is_the_same_each_time(self):
        hashes = set()
        for _ in range(2):
            self.assertEqual(self.write(777, 100).returncode, 0)
            with open(self.path, "rb") as file:
                hashes.add(hashlib.sha256(file.read()).hexdigest())
            os.remove(self.path)
            time.sleep(1.1)  # times of creation have seconds
        self.assertEqual(len(hashes), 1)


class Killed(Log):
    def kill_at_random(self, kills, flush_every, chunk, compression, seed):
        numbers = random.Random(seed)
        total = 0
        for kill in range(kills):
            if os.path.exists(self.path):
                os.remove(self.path)
            with self.subTest(kill=kill, seed=seed):
                writer = subprocess.Popen(self.arguments(0, flush_every, chunk, compression), stdout=subprocess.PIPE,
                                          text=True)
                flushed = int(writer.stdout.readline())
                time.sleep(numbers.uniform(0.0, 0.03))
                writer.send_signal(signal.SIGKILL)
                for line in writer.stdout:
                    if line.endswith("\n"):
                        flushed = int(line)
                writer.stdout.close()
                writer.wait()
                total += self.check(flushed)
                with h5py.File(self.path, "r") as log:
                    self.assertEqual(log["complete"][()], 0)
        self.assertGreater(total, 0)

    def test_opens_plainly_with_all_that_was_flushed(self):
        self.kill_at_random(KILLS, flush_every=5, chunk=16, compression=0, seed=1)

    def test_opens_plainly_when_each_sample_is_flushed(self):
        self.kill_at_random(KILLS, flush_every=1, chunk=256, compression=0, seed=2)

    def test_opens_plainly_when_compressed(self):
        self.kill_at_random(KILLS, flush_every=16, chunk=16, compression=1, seed=3)
        self.kill_at_random(KILLS, flush_every=5, chunk=16, compression=1, seed=4)

    def open_now(self):
        """HDF5 asks how long the file is, then reads in it how long it should be: where the writer comes in
        between, the file looks too short. The next look does not."""
        for _ in range(20):
            try:
                return h5py.File(self.path, "r", swmr=True)
            except OSError as error:
                if "truncated file" not in str(error):
                    raise
                time.sleep(0.01)
        return h5py.File(self.path, "r", swmr=True)

    def test_opens_while_it_is_written(self):
        writer = subprocess.Popen(self.arguments(0, 16, 16), stdout=subprocess.PIPE, text=True)
        try:
            writer.stdout.readline()
            counts = []
            for _ in range(5):
                with self.open_now() as log:
                    samples = len(log["time"])
                    counts.append(samples)
                    for name in CHANNELS:
                        numpy.testing.assert_array_equal(log[name][:samples], expected(name, samples))
                for _ in range(50):
                    writer.stdout.readline()
            # Lines wait in the pipe, so two looks may see the same; none ever sees less.
            self.assertEqual(counts, sorted(counts))
            self.assertGreater(counts[-1], counts[0])
        finally:
            writer.kill()
            writer.stdout.close()
            writer.wait()


class FullDisk(Log):
    def test_is_an_error_that_names_file_and_reason(self):
        for compression in (0, 1):
            for size in list(range(66_000, 300_000, 7_777)) + [1_000_000]:
                with self.subTest(size=size, compression=compression):
                    result = self.write(0, 16, 16, compression, size)
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertEqual(result.stderr, f"{self.path}: cannot write: File too large\n")
                    flushed = [int(line) for line in result.stdout.split()]
                    self.check(flushed[-1] if flushed else 0)
                    os.remove(self.path)

    def test_from_the_start_leaves_no_file(self):
        for size in (0, 40, 100, 1000, 20_000, 60_000):
            with self.subTest(size=size):
                result = self.write(0, 16, 16, 0, size)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr, f"{self.path}: cannot write: File too large\n")
                self.assertFalse(os.path.exists(self.path))


if __name__ == "__main__":
    WRITER = sys.argv.pop(1)
    unittest.main()
