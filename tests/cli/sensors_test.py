"""Runs a drive with sensors and `camber sensors` as a user does; reads its files with readers of its own.

usage: sensors_test.py PATH_OF_CAMBER [unittest arguments]
"""

import csv
import glob
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""
SCENARIO = "scenarios/posts-with-sensors.toml"


def run(*arguments):
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=300)


def read_pcd(path):
    """Rows of a binary PCD file by what its header says."""
    data = pathlib.Path(path).read_bytes()
    head, body = data.split(b"DATA binary\n", 1)
    header = dict(line.split(" ", 1) for line in head.decode().splitlines() if not line.startswith("#"))
    letters = {"F4": "f", "U2": "H", "I4": "i"}
    kinds = "".join(letters[t + s] for t, s in zip(header["TYPE"].split(), header["SIZE"].split()))
    rows = list(struct.iter_unpack("<" + kinds, body))
    assert len(rows) == int(header["POINTS"]) == int(header["WIDTH"])
    return header, [dict(zip(header["FIELDS"].split(), row)) for row in rows]


def read_las(path):
    """Points of a LAS 1.4 file with records of format 6."""
    data = pathlib.Path(path).read_bytes()
    assert data[:4] == b"LASF" and data[24:26] == b"\x01\x04" and data[104] == 6
    (start,) = struct.unpack_from("<I", data, 96)
    (size,) = struct.unpack_from("<H", data, 105)
    scale, offset = struct.unpack_from("<3d", data, 131), struct.unpack_from("<3d", data, 155)
    (count,) = struct.unpack_from("<Q", data, 247)
    points = []
    for i in range(count):
        at = start + size * i
        xyz = struct.unpack_from("<3i", data, at)
        points.append(([o + s * x for o, s, x in zip(offset, scale, xyz)], data[at + 16],
                       struct.unpack_from("<d", data, at + 22)[0]))
    return points


class SensorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.made = os.path.join(cls.folder.name, "run")
        cls.result = run("run", SCENARIO, "-o", cls.made, "--set", "run.duration=3")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def output(self, name):
        return os.path.join(self.folder.name, name)

    def test_the_drive_is_done_and_counts_samples(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        summary = json.loads(pathlib.Path(self.made, "summary.json").read_text())
        self.assertEqual(summary["sensors"], {"bus": 151, "gnss": 31, "imu": 301, "lidar": 30, "odometry": 301})

    def test_lists_sensors(self):
        result = run("sensors", self.made, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        sensors = {s["name"]: s for s in json.loads(result.stdout)}
        self.assertAlmostEqual(sensors["imu"]["rate"], 100)
        self.assertAlmostEqual(sensors["lidar"]["rate"], 10)
        self.assertEqual(sensors["lidar"]["files"], 6)
        self.assertGreater(sensors["gnss"]["mean_delay"], 0.1)
        self.assertIn("imu", run("sensors", self.made).stdout)

    def test_prints_tables(self):
        result = run("sensors", self.made, "imu", "--csv")
        rows = list(csv.DictReader(result.stdout.splitlines()))
        self.assertEqual(len(rows), 301)
        mean = sum(float(row["specific_force_z"]) for row in rows) / len(rows)
        self.assertAlmostEqual(mean, 9.81, delta=0.1)

    def test_scans_are_read_by_others(self):
        scans = sorted(glob.glob(os.path.join(self.made, "sensors/lidar/*.pcd")))
        index = list(csv.DictReader(pathlib.Path(self.made, "sensors/lidar/index.csv").read_text().splitlines()))
        self.assertEqual([os.path.basename(path) for path in scans], [row["file"] for row in index])
        header, raw = read_pcd(scans[1])
        placed = read_las(scans[1].replace(".pcd", ".las"))
        self.assertEqual(len(raw), len(placed))
        self.assertEqual(len(raw), int(index[1]["points"]))
        begin = float(index[1]["measured"])
        for point, (xyz, label, time) in zip(raw[::50], placed[::50]):
            self.assertAlmostEqual(time, begin + point["time"], places=6)
            self.assertEqual(label, point["label"])
            if label == 1:  # road
                self.assertAlmostEqual(xyz[2], 0, delta=0.1)
            # Each laser keeps its elevation.
            reach = math.hypot(point["x"], point["y"])
            elevation = math.degrees(math.atan2(point["z"], reach))
            self.assertAlmostEqual(elevation, -15 + 2 * point["ring"], delta=1)
        self.assertEqual(len(header["VIEWPOINT"].split()), 7)

    def test_draws_a_scan(self):
        path = self.output("scan.png")
        result = run("sensors", self.made, "lidar", "--picture", "--time", "2", "-o", path, "--pixels", "64")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("000020.pcd", result.stdout)
        self.assertEqual(pathlib.Path(path).read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_what_was_seen_is_ground_to_drive_on(self):
        grid = self.output("seen.asc")
        result = run("sensors", self.made, "lidar", "--elevation", "--spacing", "0.5", "-o", grid)
        self.assertEqual(result.returncode, 0, result.stderr)
        terrain = self.output("seen.toml")
        pathlib.Path(terrain).write_text(
            'kind = "terrain"\nname = "seen"\n[terrain]\nkind = "map"\nfile = "seen.asc"\n')
        scenario = self.output("again.toml")
        model = os.path.abspath("models/hmmwv.toml")
        pathlib.Path(scenario).write_text(
            f'kind = "scenario"\nname = "again"\n[vehicle]\nmodel = "{model}"\nstart = {{ speed = 5 }}\n'
            '[ground]\nterrain = "seen.toml"\n[driver.steering]\nkind = "none"\n[driver.speed]\nkind = "hold"\n'
            'target = 5\n[run]\nduration = 1\n')
        result = run("run", scenario, "-o", self.output("again"))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_mistakes(self):
        for arguments, part in ((("sensors", self.made, "imo", "--csv"), 'did you mean "imu"'),
                                (("sensors", self.made, "imu", "--picture"), "no scans"),
                                (("sensors", self.made, "--csv"), "name of a sensor"),
                                (("sensors", self.folder.name), "log.h5")):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(part, result.stderr)


if __name__ == "__main__":
    CAMBER = sys.argv.pop(1)
    unittest.main()
