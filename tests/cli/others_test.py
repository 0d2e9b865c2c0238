"""Drives with several vehicles and moving things, as a user runs them; reads the log with h5py.

usage: others_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import h5py

CAMBER = ""
SCENARIO = "scenarios/overtaking.toml"


def run(*arguments):
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=300)


def read_pcd(path):
    """Rows of a binary PCD file by what its header says."""
    head, body = pathlib.Path(path).read_bytes().split(b"DATA binary\n", 1)
    header = dict(line.split(" ", 1) for line in head.decode().splitlines() if not line.startswith("#"))
    letters = {"F4": "f", "U2": "H", "I4": "i"}
    kinds = "".join(letters[t + s] for t, s in zip(header["TYPE"].split(), header["SIZE"].split()))
    return header, [dict(zip(header["FIELDS"].split(), row)) for row in struct.iter_unpack("<" + kinds, body)]


class OthersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.made = os.path.join(cls.folder.name, "run")
        cls.result = run("run", SCENARIO, "-o", cls.made, "--checkpoint", "12")
        cls.summary = json.loads(pathlib.Path(cls.made, "summary.json").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def output(self, name):
        return os.path.join(self.folder.name, name)

    def test_passes_the_slow_car_and_is_back_in_its_lane(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        self.assertEqual([other["name"] for other in self.summary["others"]], ["slow", "oncoming"])
        with h5py.File(os.path.join(self.made, "log.h5")) as log:
            time = log["time"][:]
            own = log["chassis/position"][:]
            slow = log["vehicles/slow/chassis/position"][:]
            oncoming = log["vehicles/oncoming/chassis/position"][:]
            clearance = log["obstacles/clearance"][:]
            self.assertIn("vehicles/oncoming/obstacles/clearance", log)
        self.assertLess(own[0, 0], slow[0, 0])
        self.assertGreater(own[-1, 0], slow[-1, 0])
        # Side by side at 20 m/s past 10 m/s from 60 m ahead: after 6 s, a lane apart.
        side_by_side = abs(own[:, 0] - slow[:, 0]).argmin()
        self.assertAlmostEqual(time[side_by_side], 6, delta=0.3)
        self.assertAlmostEqual(own[side_by_side, 1] - slow[side_by_side, 1], 3.5, delta=0.3)
        # The truck comes from 520 m with 15 m/s: they meet after 520/35 s, each in its lane.
        meeting = abs(own[:, 0] - oncoming[:, 0]).argmin()
        self.assertAlmostEqual(time[meeting], 520 / 35, delta=0.3)
        self.assertAlmostEqual(oncoming[meeting, 1] - own[meeting, 1], 3.5, delta=0.3)
        self.assertGreater(clearance.min(), 0.5)

    def test_the_report_names_all(self):
        page = pathlib.Path(self.made, "report.html").read_text()
        for text in ("slow: models/mcpherson-car.toml, single_track", "oncoming: models/truck-6x6.toml", "the cyclist", "Clearance"):
            self.assertIn(text, page)

    def test_the_lidar_sees_the_slow_car(self):
        # At 5 s the slow car is 10 m ahead, the HMMWV is beside its lane, and the truck is 345 m away: what is above the
        # ground between 5 and 15 m ahead is the slow car.
        scan = sorted(pathlib.Path(self.made, "sensors", "lidar").glob("*.pcd"))[1]
        header, points = read_pcd(scan)
        car = [p for p in points if 5 < p["x"] < 15 and -6 < p["y"] < -1 and p["z"] > -1.6]
        self.assertGreater(len(car), 50, header)

    def test_check_describes_all(self):
        lines = run("check", SCENARIO).stdout
        self.assertIn("  other: slow: models/mcpherson-car.toml, single_track; from 10 m/s at (60, 0) m; steering none; speed hold 10 m/s\n", lines)
        self.assertIn("  thing: the cyclist: 1.8 x 0.6 x 1.7 m, 2 points\n", lines)
        scenario = json.loads(run("check", SCENARIO, "--json").stdout)["scenario"]
        self.assertEqual((len(scenario["others"]), len(scenario["things"]), len(scenario["sensors"])), (2, 1, 1))

    def test_continues_from_a_checkpoint(self):
        result = run("run", SCENARIO, "--restart", self.made, "-o", self.output("rest"))
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(pathlib.Path(self.output("rest"), "summary.json").read_text())
        self.assertEqual(summary["final_state_hash"], self.summary["final_state_hash"])

    def test_a_checkpoint_knows_the_files_of_all(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("models", "scenarios", "terrains"):
                subprocess.run(["cp", "-r", name, folder], check=True)
            copy = os.path.join(folder, SCENARIO)
            result = run("run", copy, "--checkpoint", "1", "--for", "2", "-o", self.output("first"))
            self.assertEqual(result.returncode, 0, result.stderr)
            truck = pathlib.Path(folder, "models/truck-6x6.toml")
            truck.write_text(truck.read_text() + "\n")
            refused = run("run", copy, "--restart", self.output("first"), "-o", self.output("second"))
            self.assertEqual(refused.returncode, 2)
            self.assertIn("models/truck-6x6.toml", refused.stderr)

    def test_a_hit_names_both(self):
        result = run("run", SCENARIO, "-o", self.output("hit"), "--set", "driver.path={ kind = \"straight\" }")
        self.assertEqual(result.returncode, 1)
        self.assertIn('hits vehicle "slow" with 20', result.stderr)

    def test_a_hit_of_a_thing_names_it(self):
        result = run("run", SCENARIO, "-o", self.output("cyclist"), "--set", "thing[0].track=[[0, 60, 3.5, 0], [9, 120, 3.5, 0]]",
                     "--set", "other[0].vehicle.start.y=30")
        self.assertEqual(result.returncode, 1)
        self.assertIn("hits the cyclist with", result.stderr)

    def test_overrides_reach_the_files_of_each(self):
        result = run("check", SCENARIO, "--set", "slow.vehicle:chassis.mas=3")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr,
                         '--set slow.vehicle:chassis.mas=3: chassis.mas: unknown key; did you mean "mass"?\n')
        result = run("check", SCENARIO, "--set", "slwo.vehicle:chassis.mass=3")
        self.assertIn('there is no part "slwo.vehicle"; did you mean "slow.vehicle"?', result.stderr)

    def test_mistakes_have_their_places(self):
        for assignment, message in (
                ('other[0].name="the slow"', 'other[0].name: expected a word of letters, digits, _ and -, got "the slow"'),
                ('other[0].name="oncoming"', 'other[1].name: there is another "oncoming"'),
                ("other[0].vehicle.start.gear=9", "other[0].vehicle.start.gear: the gearbox has"),
                ("other[0].vehicle.start.x=2", "other[0].vehicle.start: the vehicle does not stand at x = 2 m, y = 0 m: there is vehicle"),
                ('other[0].set=["vehicle:chassis.mas=3"]', 'set vehicle:chassis.mas=3: chassis.mas: unknown key; did you mean "mass"?'),
                ('other[0].set=["chassis.mass=3"]', "expected PART:KEY=VALUE with the part vehicle, equipment or tire"),
                ("other[0].driver.sped=3", 'other[0].driver.sped: unknown key; did you mean "speed"?'),
                ("thing[0].size=[1, 2]", "thing[0].size: expected [length, width, height] in m"),
                ("thing[0].track=[[0, 1, 2, 3], [0, 1, 2, 3]]", "times must increase, got 0 after 0"),
                ("thing[0].track=[]", "needs at least one [time, x, y, heading_deg]")):
            with self.subTest(assignment=assignment):
                result = run("check", SCENARIO, "--set", assignment)
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertIn(message, result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
