"""Runs `camber check` on the scenarios, with and without --set, as a user does.

usage: scenario_test.py PATH_OF_CAMBER [unittest arguments]
"""

import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""
LANE_CHANGE = "scenarios/double-lane-change.toml"


def run(*arguments):
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=120)


class ScenarioTest(unittest.TestCase):
    def test_all_files_are_good(self):
        result = run("check", *sorted(glob.glob("scenarios/*.toml")))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_manual_shows_what_is_printed(self):
        with open("docs/manual/scenarios.md", encoding="utf-8") as file:
            manual = file.read()
        for arguments in (["check", LANE_CHANGE], ["check", "scenarios/iso3888-1.toml", "--set", "driver.sped.target=15"]):
            result = run(*arguments)
            self.assertIn(f"$ camber {' '.join(arguments)}\n{result.stdout}{result.stderr}", manual)

    def test_json_has_parts_and_figures(self):
        result = run("check", "--json", LANE_CHANGE, "--set", "driver.speed.target=17.5", "--set", "tire.file=../models/tires/hmmwv-fiala.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        scenario = json.loads(result.stdout)["scenario"]
        self.assertIn("hold 17.5 m/s", scenario["driver"])
        self.assertIn("fiala", scenario["tire"])
        self.assertEqual(scenario["stops"], ["fails at roll_above_deg 60"])
        self.assertEqual(scenario["figures"][0]["figure"], "peak_lateral_acceleration")
        self.assertEqual((scenario["figures"][0]["min"], scenario["figures"][0]["max"]), (2.0, 2.6))

    def test_figures_are_listed(self):
        self.assertIn("cone_margin [m]: ISO 3888", run("check", "--figures").stdout)
        figures = json.loads(run("check", "--figures", "--json").stdout)["figures"]
        self.assertIn("yaw_response_time", [figure["figure"] for figure in figures])

    def test_mistakes_of_a_named_file_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ground.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write('kind = "terrain"\nname = "bad"\n[terrain]\nkind = "flat"\nsoil = "LETE_snad"\n')
            result = run("check", "scenarios/off-road-hills.toml", "--set", f"ground.terrain={path}")
            self.assertEqual(result.returncode, 2)
            self.assertIn(f'{path}:5:8: terrain.soil: no soil "LETE_snad"; did you mean "LETE_sand"?', result.stderr)

    # It read the files and built nothing of them: a drive that it called good was refused by `camber run`.
    def test_finds_what_run_finds_before_its_first_step(self):
        steer = "scenarios/step-steer.toml"
        for assignment, message in (
                ("driver.steering.rise=0", "--set driver.steering.rise=0: driver.steering.rise: must be from 0.001 to 10 s"),
                ("vehicle.start.gear=9", "--set vehicle.start.gear=9: vehicle.start.gear: the gearbox has 3 gears forward, got 9"),
                ("ground.soil=snow_US", '--set ground.soil=snow_US: ground.soil: "snow_US" does not carry'),
                ("ground.slope=3", f"{steer}:10:1: vehicle.start: the vehicle does not stand at x = 0 m, y = 0 m: ground.slope"),
                ("vehicle.payload=[{mass=9000,at=[-5,0,0.5]}]", f"{steer}:10:1: vehicle.start: the vehicle does not stand on any")):
            with self.subTest(assignment=assignment), tempfile.TemporaryDirectory() as folder:
                found = run("check", steer, "--set", assignment)
                self.assertEqual((found.returncode, found.stdout), (2, ""))
                self.assertTrue(found.stderr.startswith(message), found.stderr)
                refused = run("run", steer, "--set", assignment, "-o", os.path.join(folder, "out"))
                self.assertEqual((refused.returncode, refused.stderr), (2, found.stderr))
        for level in ("single_track", "point_mass"):
            result = run("check", steer, "--set", f"vehicle.level={level}", "--set", "vehicle.payload=[{mass=9000,at=[-5,0,0.5]}]")
            self.assertIn("its center of mass is at x = -3.87 m", result.stderr)

    def test_a_bad_gear_is_one_mistake(self):
        result = run("check", "scenarios/step-steer.toml", "--set", "vehicle.start.gear=2.5")
        self.assertEqual(result.stderr,
                         "--set vehicle.start.gear=2.5: vehicle.start.gear: expected an integer, found number 2.5\n")

    def test_tires_of_both_kinds(self):
        result = run("check", "models/tires/hmmwv.tir", "models/tires/hmmwv-fiala.toml")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn('models/tires/hmmwv.tir: ok, kind "tire"', result.stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.tir")
            with open("models/tires/hmmwv.tir", encoding="utf-8") as file, open(path, "w", encoding="utf-8") as bad:
                bad.write(file.read().replace("'newton'", "'newtonn'"))
            result = run("check", path)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"{path}:6", result.stderr)

    def test_bad_overrides(self):
        for assignment, message in (("run.duration=-1", "run.duration: must be from"),
                                    ("stop[4].value=1", "there is no entry 4: the array has 1"),
                                    ("vehicle.model=../models/hmmvw.toml", 'did you mean "hmmwv.toml"?')):
            result = run("check", LANE_CHANGE, "--set", assignment)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"--set {assignment}: ", result.stderr)
            self.assertIn(message, result.stderr)
            finding = json.loads(run("check", "--json", LANE_CHANGE, "--set", assignment).stdout)["diagnostics"][0]
            self.assertEqual((finding["option"], finding["line"], finding["column"]), (f"--set {assignment}", None, None))
        result = run("check", LANE_CHANGE, "--set", "run.duration")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, "camber: --set run.duration: expected KEY=VALUE or PART:KEY=VALUE\n")


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
