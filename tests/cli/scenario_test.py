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
        result = run("check", "--json", LANE_CHANGE, "--set", "driver.speed.target=17.5", "--set", "tire.model=fiala")
        self.assertEqual(result.returncode, 0, result.stderr)
        scenario = json.loads(result.stdout)["scenario"]
        self.assertIn("hold 17.5 m/s", scenario["driver"])
        self.assertIn("fiala", scenario["tire"])
        self.assertEqual(scenario["stops"], ["fails at roll_above_deg 60"])
        self.assertEqual(scenario["figures"][0]["figure"], "peak_lateral_acceleration")
        self.assertEqual((scenario["figures"][0]["least"], scenario["figures"][0]["most"]), (2.0, 2.6))

    def test_figures_are_listed(self):
        self.assertIn("cone_margin [m]: ISO 3888-1", run("check", "--figures").stdout)
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

    def test_bad_overrides(self):
        for assignment, message in (("run.duration=-1", "run.duration: must be from"),
                                    ("stop[4].value=1", "there is no entry 4: the array has 1"),
                                    ("run.duration", "expected key=value"),
                                    ("vehicle.model=../models/hmmvw.toml", 'did you mean "hmmwv.toml"?')):
            result = run("check", LANE_CHANGE, "--set", assignment)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"--set {assignment}: ", result.stderr)
            self.assertIn(message, result.stderr)
            finding = json.loads(run("check", "--json", LANE_CHANGE, "--set", assignment).stdout)["diagnostics"][0]
            self.assertEqual((finding["option"], finding["line"], finding["column"]), (f"--set {assignment}", None, None))
        self.assertIn("--set is for scenarios", run("check", "models/four-bar.toml", "--set", "a=1").stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
