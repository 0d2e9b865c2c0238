"""Runs `camber generate` as a user does.

usage: generate_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""


def run(*arguments, **variables):
    return subprocess.run([CAMBER, "generate", *arguments], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **variables})


class Generate(unittest.TestCase):
    def test_prints_kernels_and_operations(self):
        result = json.loads(run("models/hmmwv.toml", "--json").stdout)
        self.assertEqual(result["degrees_of_freedom"], 15)
        self.assertLess(result["operations"], 9000)
        self.assertEqual([kernel["used_for"] for kernel in result["kernels"]],
                         [["front_left_lower_arm", "front_right_lower_arm"],
                          ["rear_left_lower_arm", "rear_right_lower_arm"]])

    def test_writes_the_code_that_is_in_the_library(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hmmwv.h")
            result = run("models/hmmwv.toml", "-o", path)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(path, encoding="utf-8") as new, open("generated/hmmwv.h", encoding="utf-8") as committed:
                # Up to the parameters, whose last digits depend on the processor.
                self.assertEqual(*(file.read().split("_parameters[] = {")[0] for file in (new, committed)))

    def test_compiles_once(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = (json.loads(run("models/mcpherson-car.toml", "--compile", "--json", XDG_CACHE_HOME=folder).stdout)
                             for _ in range(2))
            self.assertTrue(first["was_compiled"])
            self.assertFalse(second["was_compiled"])
            self.assertEqual(os.path.dirname(first["library"]), os.path.join(folder, "camber", "generated"))
            self.assertGreater(first["code_bytes"], 0)

    def test_a_missing_compiler_is_a_failed_run(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run("models/mcpherson-car.toml", "--compile", "--compiler", "no-such-compiler", XDG_CACHE_HOME=folder)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("cannot run the compiler \"no-such-compiler\"", result.stderr)

    def test_a_cache_that_cannot_be_written_is_named(self):
        result = run("models/mcpherson-car.toml", "--compile", XDG_CACHE_HOME="/proc")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/proc/camber", result.stderr)

    def test_what_cannot_be_generated_is_named(self):
        for model, reason in (("models/rolling-coin.toml", "cannot be generated"),
                              ("models/motorcycle.toml", "camber derive")):
            result = run(model)
            self.assertEqual((result.returncode, result.stdout), (2, ""), model)
            self.assertIn(reason, result.stderr)

    def edited(self, folder, model, old, new):
        with open(model, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        for kind in ("equipment", "shapes", "tires"):  # files that it names lie beside the original
            text = text.replace(f'"{kind}/', f'"{os.path.abspath(os.path.dirname(model))}/{kind}/')
        path = os.path.join(folder, "car.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
        return path

    def test_steering_by_a_given_motion(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.edited(folder, "models/hmmwv.toml", "damping = 12 ", "motion = \"0.2*sin(t)\"\ndamping = 12 ")
            result = json.loads(run(path, "--json").stdout)
            self.assertEqual((result["degrees_of_freedom"], result["given_motions"]), (14, ["pitman"]))
            header = os.path.join(folder, "car.h")
            self.assertEqual(run(path, "-o", header).returncode, 0)
            with open(header, encoding="utf-8") as file:
                self.assertIn("int hmmwv_give(const T& t, T* q, T* v)", file.read())

    def test_bushings_are_compiled_and_run(self):
        soft = ("[axles.front.soft_lower_hinge]\nstiffness = [7e6, 7e6, 1e6]\ndamping = [3500, 3500, 500]\n"
                "turning_stiffness = [7e4, 7e4, 300]\nturning_damping = [35, 35, 1]\n\n")
        with tempfile.TemporaryDirectory() as folder:
            path = self.edited(folder, "models/mcpherson-car.toml", "[axles.front.wheel]", soft + "[axles.front.wheel]")
            result = run(path, "--compile", "--json", XDG_CACHE_HOME=folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(result.stdout)["degrees_of_freedom"], 16 + 10)

    def test_a_tire_that_relaxes_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.edited(folder, "models/hmmwv.toml", "[axles.front.wheel]",
                               "[axles.front.wheel]\ntire = { law = \"relaxed_rolling\", friction = 0.8 }\n#")
            with open(path, encoding="utf-8") as file:
                line = file.read().split("tire = {")[0].count("\n") + 1
            for result in (run(path), subprocess.run([CAMBER, "run", path, "--formulation", "generated"], cwd=folder,
                                                     capture_output=True, text=True, timeout=60)):
                self.assertEqual(result.returncode, 2)
                self.assertIn(f"car.toml:{line}:", result.stderr)
                self.assertIn("axles.front.wheel.tire: generated code does not support wheel.tire", result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
