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
import zlib

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


def unfilter(data, width, height):
    """Pixels of an 8-bit RGB picture from the rows of a PNG."""
    rows, stride, before = bytearray(), 3 * width, bytearray(3 * width)
    for j in range(height):
        kind, row = data[j * (stride + 1)], bytearray(data[j * (stride + 1) + 1:(j + 1) * (stride + 1)])
        for i in range(stride):
            a, b, c = row[i - 3] if i >= 3 else 0, before[i], before[i - 3] if i >= 3 else 0
            if kind == 1:
                row[i] = (row[i] + a) & 255
            elif kind == 2:
                row[i] = (row[i] + b) & 255
            elif kind == 3:
                row[i] = (row[i] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                row[i] = (row[i] + nearest) & 255
        rows += row
        before = row
    return bytes(rows)


def read_png(path):
    data, at, body = pathlib.Path(path).read_bytes(), 8, b""
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        if data[at + 4:at + 8] == b"IHDR":
            width, height = struct.unpack_from(">II", data, at + 8)
        if data[at + 4:at + 8] == b"IDAT":
            body += data[at + 8:at + 8 + length]
        at += 12 + length
    return unfilter(zlib.decompress(body), width, height)


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

    def read_apng(self, path):
        """Width, height, delay [s] and pixels of each picture of an animated PNG, by its specification."""
        data = pathlib.Path(path).read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        at, frames, delays, count, order = 8, [], [], 0, []
        while at < len(data):
            (length,) = struct.unpack_from(">I", data, at)
            kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
            self.assertEqual(struct.unpack_from(">I", data, at + 8 + length)[0], zlib.crc32(kind + body))
            if kind == b"IHDR":
                width, height, depth, color = struct.unpack_from(">IIBB", body)
            elif kind == b"acTL":
                count, _ = struct.unpack(">II", body)
            elif kind == b"fcTL":
                order.append(struct.unpack_from(">I", body)[0])
                num, den = struct.unpack_from(">HH", body, 20)
                delays.append(num / den)
                frames.append(b"")
            elif kind == b"IDAT":
                frames[-1] += body
            elif kind == b"fdAT":
                order.append(struct.unpack_from(">I", body)[0])
                frames[-1] += body[4:]
            at += 12 + length
        self.assertEqual((depth, color), (8, 2))
        self.assertEqual(count, len(frames))
        self.assertEqual(order, list(range(len(order))))
        return width, height, delays, [unfilter(zlib.decompress(f), width, height) for f in frames]

    def test_animates_scans(self):
        path = self.output("scans.png")
        result = run("sensors", self.made, "lidar", "--animation", "-o", path, "--pixels", "120", "--reach", "40")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("3 pictures from t = 0 to 2 s", result.stdout)
        width, height, delays, frames = self.read_apng(path)
        self.assertEqual((width, height, len(frames)), (120, 120, 3))
        self.assertEqual(delays, [1, 1, 1])
        # Each is what --picture draws of the same scan; the first has the colors of its own heights.
        single = self.output("first.png")
        run("sensors", self.made, "lidar", "--picture", "-o", single, "--pixels", "120", "--reach", "40")
        self.assertEqual(read_png(single), frames[0])
        self.assertEqual(len({bytes(f) for f in frames}), 3)

    def test_camera(self):
        made = self.output("camera")
        scenario = self.output("camera.toml")
        text = pathlib.Path(SCENARIO).read_text()
        text = text[:text.index("[[sensor]]")].replace('"../', f'"{os.getcwd()}/')
        pathlib.Path(scenario).write_text(text + f"""
[[sensor]]
name = "front"
model = "{os.getcwd()}/models/sensors/camera-rgb.toml"
width = 96
height = 54
rate = 4
flow = true
exposure_time = 0.01
blur_samples = 2
date_utc = "2026-06-21T18:00:00"
mount = {{ position = [2.4, 0, 0.5], pitch_deg = 4 }}
""")
        result = run("run", scenario, "-o", made, "--set", "run.duration=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        for layer in ("color", "depth", "class", "instance", "flow"):
            path = self.output(layer + ".png")
            result = run("sensors", made, "front", "--animation", "--layer", layer, "--fps", "5", "-o", path)
            self.assertEqual(result.returncode, 0, result.stderr)
            width, height, delays, frames = self.read_apng(path)
            self.assertEqual((width, height, len(frames)), (96, 54, 4))
            self.assertEqual(delays[0], 0.2)
            self.assertGreater(len({bytes(f) for f in frames}), 1, layer)
            # A picture that was looked at: but for noise and the last bits, it is the same.
            known = read_png(os.path.join("tests/cli/pictures", f"camera-{layer}.png"))
            mean = sum(abs(a - b) for a, b in zip(known, frames[2])) / len(known)
            self.assertLess(mean, 1.5, layer)
        # Optical flow at 8 m/s: below the horizon, straight ahead, it goes down.
        flow = pathlib.Path(made, "sensors/front/000002-flow.flo").read_bytes()
        self.assertEqual(flow[:4], b"PIEH")
        self.assertEqual(struct.unpack_from("<2i", flow, 4), (96, 54))
        u, v = struct.unpack_from("<2f", flow, 12 + 8 * (45 * 96 + 48))
        self.assertGreater(v, 5)
        self.assertLess(abs(u), 0.3 * v)
        result = run("sensors", made, "front", "--picture", "--layer", "right")
        self.assertEqual(result.returncode, 2)
        self.assertIn("000000-right.png", result.stderr)

    def test_what_was_seen_is_ground_to_drive_on(self):
        """Posts are not ground, and the drive on the seen ground is the drive on the ground itself."""
        grid = self.output("seen.asc")
        result = run("sensors", self.made, "lidar", "--elevation", "-o", grid)
        self.assertEqual(result.returncode, 0, result.stderr)
        heights = [float(word) for line in pathlib.Path(grid).read_text().splitlines()[6:] for word in line.split()]
        self.assertGreater(len(heights), 10000)
        self.assertLess(max(heights), 0.1)
        self.assertGreater(min(heights), -0.1)
        terrain = self.output("seen.toml")
        pathlib.Path(terrain).write_text(
            'kind = "terrain"\nname = "seen"\n[terrain]\nkind = "map"\nfile = "seen.asc"\n')
        truth = '[[sensor]]\nname = "truth"\nsensor = "gnss"\nfidelity = "ideal"\n'
        text = pathlib.Path(SCENARIO).read_text()
        text = text[:text.index("[[sensor]]")].replace('"../', f'"{os.getcwd()}/') + truth
        ends = []
        for name, ground in (("first", f"{os.getcwd()}/terrains/posts.toml"), ("again", "seen.toml")):
            scenario = self.output(name + ".toml")
            pathlib.Path(scenario).write_text(text.replace(f"{os.getcwd()}/terrains/posts.toml", ground))
            result = run("run", scenario, "-o", self.output(name), "--set", "run.duration=2")
            self.assertEqual(result.returncode, 0, result.stderr)
            rows = list(csv.DictReader(run("sensors", self.output(name), "truth", "--csv").stdout.splitlines()))
            ends.append([float(rows[-1]["local_position_" + axis]) for axis in "xyz"])
        # 16 m in two seconds. The map has the ranges' noise, 15 mm, less what the points of a cell average out.
        self.assertGreater(ends[0][0], 15)
        for first, again, within in zip(*ends, (0.05, 0.05, 0.03)):
            self.assertAlmostEqual(first, again, delta=within)

    def run_with(self, sensor, *more):
        scenario = self.output("mistake.toml")
        text = pathlib.Path(SCENARIO).read_text()
        text = text[:text.index("[[sensor]]")].replace('"../', f'"{os.getcwd()}/')
        self.lines = text.count("\n")
        pathlib.Path(scenario).write_text(text + sensor)
        return run("run", scenario, "-o", self.output("mistake"), "--set", "run.duration=0.2", *more)

    def test_a_rate_that_no_step_serves(self):
        result = self.run_with('[[sensor]]\nname = "imu"\nsensor = "imu"\nrate = 5000\n')
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"mistake.toml:{self.lines + 4}:8: sensor[0].rate: no step can serve a rate of 5000 Hz",
                      result.stderr)

    def test_a_sensor_inside_the_hood(self):
        result = self.run_with(f'[[sensor]]\nname = "lidar"\nmodel = "{os.getcwd()}/models/sensors/lidar-16-beam.toml"\n'
                               'mount = { position = [1.5, 0, 0.3] }\n')
        self.assertEqual(result.returncode, 0)
        self.assertIn("100 % of its rays end at its own vehicle, the nearest after 0.", result.stderr)

    def test_a_mesh_that_is_no_shape(self):
        model = pathlib.Path("models/mcpherson-car.toml").read_text()
        for name, text, part in (("nan", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
                                 ("none", "v 0 0 0\n", "no triangle"),
                                 ("far", "v 0 0 0\nv 900 0 0\nv 0 1 0\nf 1 2 3\n", "what is its unit?")):
            pathlib.Path(self.output(name + ".obj")).write_text(text)
            path = self.output(name + ".toml")
            pathlib.Path(path).write_text(
                model.replace('"shapes/small-car.obj"', f'"{self.output(name)}.obj"')
                .replace('"equipment/', f'"{os.getcwd()}/models/equipment/').replace('"tires/', f'"{os.getcwd()}/models/tires/'))
            result = run("check", path)
            self.assertEqual(result.returncode, 2, name)
            self.assertIn("shape.mesh.file", result.stderr)
            self.assertIn(part, result.stderr)
        # A header that claims 1e9 vertices is refused before memory is reserved.
        pathlib.Path(self.output("big.ply")).write_text(
            "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nproperty float y\n"
            "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n")
        pathlib.Path(self.output("big.toml")).write_text(
            'kind = "scene"\nname = "big"\n[[mesh]]\nname = "a"\nfile = "big.ply"\n')
        result = run("check", self.output("big.toml"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("1000000000 vertex", result.stderr)

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
