"""Runs `camber modes` as a user does, on the motorcycle of 001.

usage: modes_test.py PATH_OF_CAMBER [unittest arguments]
"""

import csv
import os
import tempfile
import unittest
import xml.etree.ElementTree

from command import Command, main

MODEL = "models/motorcycle.toml"
COMMAND = Command("modes")
run, run_json = COMMAND.run, COMMAND.run_json


class Results(unittest.TestCase):
    def test_eigenvalues_and_responses_are_the_papers(self):
        # 001 section 4.4, printed digits.
        result = run_json(MODEL, "--set", "parameters.V=20", "--frf", "tau:delta,phi,psidot", "--freq", "2")
        expected = [(-79.59720348, 0), (-59.95186627, 0), (-20.4335086, 0), (-5.825609713, -54.18205262),
                    (-5.825609713, 54.18205262), (-4.042301331, -15.80136627), (-4.042301331, 15.80136627),
                    (.09266159593, 0)]
        self.assertEqual(len(result["eigenvalues"]), 8)
        for (re, im), (expected_re, expected_im) in zip(result["eigenvalues"], expected):
            self.assertLess(abs(complex(re - expected_re, im - expected_im)), 1e-8 * abs(complex(re, im)))
        self.assertEqual(result["frf"]["frequency_hz"], [2])
        for name, value in {"delta": .000807194812 + .00110608391j, "phi": .001878696559 + .0008710549705j,
                            "psidot": .01382901938 + .008641966714j}.items():
            self.assertLess(abs(complex(*result["frf"]["outputs"][name][0]) - value), 1e-8 * abs(value))

    # --set used to take every word up to the next option.
    def test_the_model_may_stand_behind_its_options(self):
        self.assertEqual(run_json("--set", "parameters.V=23", MODEL)["parameters"]["V"], 23)

    def test_sweep_finds_the_speeds_of_weave_and_capsize(self):
        result = run_json(MODEL, "--sweep", "V=1:60:0.5")
        limits = result["sweep"]["stability_limits"]
        found = [(round(limit["V"], 4), limit["becomes"]) for limit in limits]
        self.assertEqual(found, [(5.8948, "stable"), (10.2989, "unstable"), (52.4776, "unstable")])
        self.assertEqual(len(result["sweep"]["values"]), 119)

    def test_text_names_states_and_limits(self):
        result = run(MODEL, "--set", "parameters.V=20", "--sweep", "V=8:12:1")
        self.assertEqual(result.returncode, 0)
        self.assertIn("8 states (y1dot, delta, phi, Yr, Yf, psidot, deltadot, phidot)", result.stdout)
        self.assertIn("V = 10.2988", result.stdout)
        self.assertIn("becomes unstable without oscillation", result.stdout)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_what_cannot_be_written_is_a_failed_run(self):
        missing = self.path("none/modes.html")
        for arguments, message in (
                (["--csv", "/dev/full"], "/dev/full: cannot write: No space left on device"),
                (["--csv", self.folder], f"{self.folder}: cannot write: Is a directory"),
                (["--report", missing], f"{missing}: cannot write: No such file or directory"),
                (["--figures", "/dev/null"], "/dev/null: cannot make this folder: Not a directory")):
            with self.subTest(arguments=arguments):
                result = run(MODEL, *arguments)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertEqual(result.stderr, f"camber: {message}\n")
        self.assertEqual(os.listdir(self.folder), [])

    def test_csv_has_one_row_per_value(self):
        result = run(MODEL, "--sweep", "V=5:9:2", "--frf", "tau:delta", "--freq", "1:3:0.5",
                     "--csv", self.path("modes.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("modes.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][:3], ["V", "re1", "im1"])
        self.assertEqual([row[0] for row in rows[1:]], ["5", "7", "9"])
        with open(self.path("modes_frf.csv"), encoding="utf-8") as file:
            self.assertEqual(len(list(csv.reader(file))), 6)

    def test_report_and_figures_are_well_formed(self):
        result = run(MODEL, "--sweep", "V=2:40:2", "--frf", "tau:delta,phi", "--report",
                     self.path("modes.html"), "--figures", self.path("figures"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("modes.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page.count('class="plot"'), 6)
        self.assertNotIn("<script", page)
        figures = sorted(os.listdir(self.path("figures")))
        self.assertEqual(figures, ["frequencies.svg", "magnitude.svg", "nyquist.svg", "phase.svg",
                                   "real_parts.svg", "root_locus.svg"])
        for figure in figures:
            xml.etree.ElementTree.parse(os.path.join(self.path("figures"), figure))


class Vehicles(unittest.TestCase):
    def test_ride_on_their_springs_and_hop_on_their_tires(self):
        result = run_json("models/hmmwv.toml", "--standing", "--equilibrium")
        self.assertFalse([note for note in result["notes"] if "nothing to stand on" in note])
        # By what the chassis does most, up, about y or about x; a hop leaves it at rest.
        modes = {}
        for mode in result["modes"]:
            # One of each pair; the steering's swing and what turns or slides freely are slower.
            if mode["frequency_hz"] < 0.9 or mode["eigenvalue"][1] < 0:
                continue
            size = {name: abs(complex(*value)) for name, value in mode["shape"].items()}
            arms = size["front_left_lower_arm'"] + size["rear_left_lower_arm'"]
            speeds = ["chassis.vz'", "chassis.wy'", "chassis.wx'"]
            name = max(speeds, key=lambda speed: size[speed])
            modes.setdefault("hop" if arms > 10 * size[name] else name, []).append(mode["frequency_hz"])
        self.assertEqual({name: len(found) for name, found in modes.items()},
                         {"chassis.vz'": 1, "chassis.wy'": 1, "chassis.wx'": 1, "hop": 4})
        self.assertAlmostEqual(modes["chassis.vz'"][0], 1.185, 3)
        self.assertAlmostEqual(modes["chassis.wx'"][0], 1.770, 3)
        self.assertAlmostEqual(modes["chassis.wy'"][0], 2.004, 3)
        for frequency in modes["hop"]:
            self.assertAlmostEqual(frequency, 8.2, delta=0.3)

    def test_without_ground_say_so(self):
        notes = run_json("models/hmmwv.toml")["notes"]
        self.assertTrue([note for note in notes if "nothing to stand on: --standing puts" in note], notes)


class Mistakes(unittest.TestCase):
    def assert_error(self, arguments, message):
        result = run(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertIn(message, result.stderr)

    def test_say_what_is_wrong(self):
        self.assert_error(["models/none.toml"], "models/none.toml")
        self.assert_error([MODEL, "--set", "V"], "--set V: expected KEY=VALUE")
        self.assert_error([MODEL, "--set", "parameters.V=fast"], "--set parameters.V=fast: parameters.V: ")
        self.assert_error([MODEL, "--set", "parameters.Crzx=1"], 'the file has no parameter "Crzx"; did you mean "Crxz"?')
        self.assert_error([MODEL, "--sweep", "V=1:40"], '"V=1:40" is not NAME=FIRST:LAST:STEP')
        self.assert_error([MODEL, "--sweep", "V=40:1:0.5"], "--sweep: needs first <= last and a step > 0")
        self.assert_error([MODEL, "--frf", "tau"], '--frf: "tau" is not INPUT:OUTPUT,...')
        self.assert_error([MODEL, "--frf", "tua:delta"], 'no input "tua"; did you mean "tau"?')
        self.assert_error([MODEL, "--frf", "tau:detla"], 'no output or state "detla"; did you mean "delta"?')
        self.assert_error([MODEL, "--frf", "tau:phi", "--freq", "0:20"], "logarithmic and needs 0 < FIRST < LAST")
        self.assert_error([MODEL, "--freq", "1:20"], "--freq requires --frf")
        self.assert_error([MODEL, "--standing"], "--standing is for vehicles, not for " + MODEL)

    def test_a_speed_of_zero_is_a_failed_run(self):
        result = run(MODEL, "--set", "parameters.V=0")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("no finite value at E(5, 4)", result.stderr)


if __name__ == "__main__":
    main()
