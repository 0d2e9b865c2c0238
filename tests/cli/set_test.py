"""Runs every command that takes --set with a good, a misspelled and an ill-typed assignment.

usage: set_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""
CAR, BIKE, FOUR_BAR = "models/mcpherson-car.toml", "models/motorcycle.toml", "models/four-bar.toml"
WHEEL, HILLS, TIRE = "scenarios/rolling-wheel-fig4.toml", "terrains/hills.toml", "models/tires/hmmwv-fiala.toml"
EQUIPMENT = "models/equipment/hmmwv.toml"


def run(*arguments):
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=120)


class SetTest(unittest.TestCase):
    def json_of(self, *arguments):
        result = run(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def expect_error(self, command, assignment, message, *options):
        result = run(*command, "--set", assignment, *options)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertIn(f"--set {assignment}: {message}", result.stderr)

    def test_rig(self):
        rate = lambda *more: self.json_of("rig", CAR, *more)["axles"]["front"]["design"]["wheel_rate_N_per_m"]
        stiffer = rate("--set", "axles.front.spring.stiffness=60e3")
        self.assertGreater(stiffer, 1.5 * rate())
        self.expect_error(("rig", CAR), "axles.front.spring.stifness=6e4",
                          'axles.front.spring.stifness: unknown key; did you mean "stiffness"?')
        self.expect_error(("rig", CAR), "axles.front.spring.stiffness=soft",
                          'axles.front.spring.stiffness: unknown name "soft"')
        self.expect_error(("rig", CAR), "axles.frnt.spring.stiffness=6e4",
                          'axles.frnt.suspension: missing; the file itself has no "axles.frnt"; did you mean "front"?')

    def test_modes_of_a_lagrangian_model(self):
        fast = self.json_of("modes", BIKE, "--set", "parameters.V=35")
        self.assertEqual(fast["parameters"]["V"], 35)
        self.assertNotEqual(fast["eigenvalues"], self.json_of("modes", BIKE)["eigenvalues"])
        self.expect_error(("modes", BIKE), "V=35", 'V: unknown key; did you mean "parameters.V"?')
        self.expect_error(("modes", BIKE), "parameters.Crzx=1",
                          'parameters.Crzx: the file has no parameter "Crzx"; did you mean "Crxz"?')
        self.expect_error(("modes", BIKE), "parameters.V=true", "parameters.V: expected")

    def test_modes_of_a_mechanism(self):
        frequency = lambda *more: self.json_of("modes", "models/stewart-platform.toml", "--equilibrium", *more)["eigenvalues"]
        self.assertNotEqual(frequency("--set", "gravity=[0, 0, -5.0]"), frequency())
        self.expect_error(("modes", FOUR_BAR), "gravty=[0, 0, -5]", 'gravty: unknown key; did you mean "gravity"?')
        self.expect_error(("modes", FOUR_BAR), "gravity=5", "gravity: expected an array of numbers [m/s^2], found integer 5")

    def test_check(self):
        for file, good, misspelled, near, ill_typed in (
                (CAR, "axles.front.wheel.mass=17", "axles.front.wheel.mas=17", "mass", "axles.front.wheel.mass=heavy"),
                (BIKE, "parameters.V=12", "parameters.Crzx=3", "Crxz", "parameters.V=[1]"),
                (FOUR_BAR, "gravity=[0, 0, -3]", "gravityy=[0, 0, -3]", "gravity", "gravity=down"),
                (WHEEL, "wheel.radius=0.31", "parameters.T_mx=50", "T_max", "wheel.radius=[1]"),
                (HILLS, "terrain.seed=7", "terrain.sed=7", "seed", "terrain.seed=many"),
                (TIRE, "tire.radius=0.44", "tire.raduis=0.44", "radius", "tire.radius=-0.4"),
                (EQUIPMENT, "steering.damping=650", "steering.dampng=650", "damping", "steering.damping=slow")):
            with self.subTest(file=file):
                result = run("check", file, "--set", good)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.expect_error(("check", file), misspelled, misspelled.split("=")[0])
                self.assertIn(f'did you mean "{near}"?', run("check", file, "--set", misspelled).stderr)
                self.expect_error(("check", file), ill_typed, ill_typed.split("=")[0])
                finding = json.loads(run("check", file, "--set", ill_typed, "--json").stdout)["diagnostics"][0]
                self.assertEqual((finding["option"], finding["line"]), (f"--set {ill_typed}", None))

    def test_generate(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = []
            for mass in ("", "17.5"):
                path = os.path.join(folder, "car" + mass)
                more = ("--set", "axles.front.wheel.mass=" + mass) if mass else ()
                self.json_of("generate", CAR, "-o", path, *more)
                with open(path, encoding="utf-8") as file:
                    texts.append(file.read())
            self.assertNotEqual(*texts)
        self.expect_error(("generate", CAR), "axles.front.wheel.mas=17", 'axles.front.wheel.mas: unknown key; did you mean "mass"?')
        self.expect_error(("generate", CAR), "axles.front.wheel.mass=[1]", "axles.front.wheel.mass: expected a number")

    def test_derive(self):
        shorter = self.json_of("derive", "models/quarter-car.toml", "--set", "name=short_car")
        self.assertEqual(shorter["model"], "short_car")
        self.expect_error(("derive", BIKE), "parameters.Vv=1", 'parameters.Vv: the file has no parameter "Vv"; did you mean "V"?')
        self.expect_error(("derive", BIKE), "name=3", "name: expected a text, found integer 3")

    def test_run(self):
        with tempfile.TemporaryDirectory() as folder:
            for file, good, misspelled, ill_typed, options in (
                    (FOUR_BAR, "gravity=[0, 0, -3.7]", "gravit=[0, 0, -3.7]", "gravity=7", ("--for", "0.02")),
                    (BIKE, "parameters.V=12", "parameters.W=12", "parameters.V=true", ("--for", "0.02")),
                    (CAR, "gravity=[0, 0, -3.7]", "gravitty=3.7", "gravity=high", ("--for", "0.02", "--standing")),
                    (WHEEL, "wheel.radius=0.31", "wheel.raduis=0.31", "wheel.radius=[1]", ("--for", "0.02"))):
                with self.subTest(file=file):
                    name = os.path.join(folder, os.path.basename(file))
                    plain = run("run", file, *options, "-o", name)
                    self.assertEqual(plain.returncode, 0, plain.stderr)
                    changed = run("run", file, "--set", good, *options, "-o", name + "-set")
                    self.assertEqual(changed.returncode, 0, changed.stderr)
                    for bad in (misspelled, ill_typed):
                        self.expect_error(("run", file), bad, bad.split("=")[0], *options, "-o", name + "-bad")
                    self.assertFalse(os.path.exists(name + "-bad"))

    def test_terrain(self):
        height = lambda *more: self.json_of("terrain", HILLS, "--at", "13", "7", "--pixels", "20", *more)["points"][0]["height"]
        self.assertNotEqual(height("--set", "terrain.seed=77"), height())
        self.expect_error(("terrain", HILLS), "terrain.sed=7", 'terrain.sed: unknown key; did you mean "seed"?')
        self.expect_error(("terrain", HILLS), "terrain.seed=x", "terrain.seed: expected an integer")

    def test_files_that_take_none(self):
        self.expect_error(("check", "models/tires/hmmwv.tir"), "DIMENSION.WIDTH=0.3", "a .tir file takes no --set: only TOML files do")
        for command in (("check",), ("modes",), ("run", "--for", "1")):
            self.expect_error((*command, "models/robot-arm.urdf"), "name=arm", "name: unknown key")

    def test_parts(self):
        self.expect_error(("rig", CAR), "moon:mass=3", 'there is no part "moon"')

    def test_what_is_not_an_assignment(self):
        for command in (("rig", CAR), ("modes", BIKE), ("check", BIKE), ("generate", CAR), ("derive", BIKE),
                        ("run", FOUR_BAR, "--for", "1"), ("terrain", HILLS)):
            with self.subTest(command=command[0]):
                self.expect_error(command, "mass", "expected KEY=VALUE or PART:KEY=VALUE")
                self.expect_error(command, "mass=", "expected a value after the =")


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
