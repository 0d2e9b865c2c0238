"""Runs `camber derive` as a user does.

usage: derive_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""


def derive(*arguments):
    return subprocess.run([CAMBER, "derive", *arguments], capture_output=True, text=True, timeout=60)


def lagrangian_models():
    """Those that come along; mechanisms are for camber run."""
    paths = []
    for name in sorted(os.listdir("models")):
        path = os.path.join("models", name)
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                if 'kind = "lagrangian"' in file.read():
                    paths.append(path)
    return paths


class Derive(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_prints_equations_a_person_reads(self):
        result = derive("models/quarter-car.toml")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("  zs':  c*(zs' - zu') + ks*(zs - zu) + ms*zs'' = 0\n", result.stdout)

    def test_every_model_that_comes_along_is_derived(self):
        models = lagrangian_models()
        self.assertGreaterEqual(len(models), 10)
        for path in models:
            with self.subTest(path):
                result = derive(path)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_linear_model_of_the_motorcycle(self):
        result = derive("models/motorcycle.toml", "--linear")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("States x: y1dot, delta, phi, Yr, Yf, psidot, deltadot, phidot\n", result.stdout)
        self.assertIn("  E(1,6) = k*mf\n", result.stdout)

    def test_latex(self):
        result = derive("models/knife-edge.toml", "--print", "latex")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("\\ddot{\\psi}", result.stdout)

    # An underscore outside of mathematics stops LaTeX.
    def test_latex_has_symbols_only_within_mathematics(self):
        for name in lagrangian_models():
            for more in ([], ["--linear"]):
                result = derive(name, "--print", "latex", *more)
                if more and result.returncode == 2:
                    continue  # no steady motion to linearize about
                with self.subTest(name, more=more):
                    self.assertEqual(result.returncode, 0, result.stderr)
                    for line in result.stdout.splitlines():
                        if not line.startswith("%"):
                            text = re.sub(r"\$[^$]*\$|\\\[ .* \\\]", "", line)
                            self.assertNotRegex(text.replace("\\subsection*{", ""), r"[_^&#$\\]")
                            self.assertNotRegex(line, r"_[^{]|\\mathrm\{[^}]*[_']")
        self.assertIn("(with multipliers $\\lambda_{\\mathrm{edge}}$)}",
                      derive("models/knife-edge.toml", "--print", "latex").stdout)

    def test_every_line_about_a_model_is_a_comment_of_latex(self):
        path = os.path.join(self.folder, "two-lines.toml")
        with open("models/quarter-car.toml", encoding="utf-8") as file:
            text = re.sub('(?m)^about = .*$', 'about = """One line\n50 % of a car_body\\n& one more"""', file.read())
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        result = derive(path, "--print", "latex")
        self.assertTrue(result.stdout.startswith(
            "% quarter_car: One line\n% 50 % of a car_body\n% & one more\n\\subsection*{"), result.stdout)

    def test_json_counts_operations(self):
        result = derive("models/motorcycle.toml", "--json")
        operations = json.loads(result.stdout)["operations"]
        self.assertLess(operations["shared"]["total"], operations["as_written"]["total"])
        # The paper's own form needs 531 additions + 4110 functions + 2983 multiplications.
        self.assertLess(operations["as_written"]["total"], 7624)

    # The source used to follow the JSON, which no parser takes.
    def test_json_holds_the_code(self):
        result = derive("models/quarter-car.toml", "--json", "--code", "c")
        self.assertIn("int quarter_car_residual(", json.loads(result.stdout)["code"])

    def test_json_in_latex(self):
        result = derive("models/quarter-car.toml", "--json", "--print", "latex")
        equation = json.loads(result.stdout)["sections"][0]["equations"][0]
        self.assertEqual(equation["name"], "zs'")
        self.assertIn("\\ddot{\\mathit{zs}}", equation["value"])

    def test_json_names_the_files_it_writes(self):
        result = derive("models/quarter-car.toml", "--json", "--code", "c", "-o", self.folder)
        files = json.loads(result.stdout)["files"]
        stem = os.path.join(self.folder, "quarter_car_residual")
        self.assertEqual(files, [stem + ".json", stem + ".c"])
        with open(files[0], encoding="utf-8") as file:
            self.assertEqual(json.load(file)["model"], "quarter_car")

    def test_writes_code_that_compiles(self):
        for language, ending, compiler in (("c", ".c", ["cc", "-std=c99"]), ("fortran", ".f90", ["gfortran", "-std=f2008"])):
            with self.subTest(language):
                result = derive("models/slider-crank.toml", "--code", language, "-o", self.folder)
                self.assertEqual(result.returncode, 0, result.stderr)
                source = os.path.join(self.folder, "slider_crank_residual" + ending)
                self.assertIn(source + "\n", result.stdout)
                subprocess.run([*compiler, "-Wall", "-Werror", "-c", source, "-o", source + ".o"], check=True, cwd=self.folder)

    def test_methods_differ_only_where_constraints_are_nonholonomic(self):
        def residual(method):
            result = derive("models/knife-edge.toml", "--method", method)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout
        self.assertNotIn("lambda_edge'", residual("lagrangian"))
        self.assertIn("lambda_edge'", residual("vakonomic"))

    def test_parts_of_a_derivation(self):
        for options, part in (
            (["models/slider-crank.toml", "--energy", "rod_body"], "Energy of rod_body\n  T = "),
            (["models/quarter-car.toml", "--force", "zs"], "  spring = "),
            (["models/slider-crank.toml", "--accelerations"], "  d_"),
            (["models/quarter-car.toml", "--stability"], "Asymptotically stable if all of these are > 0"),
            (["models/rolling-disc.toml", "--limits", "V"], "  V where p0 = 0 = "),
        ):
            with self.subTest(options):
                result = derive(*options)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(part, result.stdout)
        result = derive("models/quarter-car.toml", "--linear", "--stability")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("give one of them", result.stderr)

    def test_accelerations_are_code_that_compiles(self):
        result = derive("models/double-pendulum.toml", "--accelerations", "--code", "c", "-o", self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        source = [line for line in result.stdout.splitlines() if line.endswith(".c")][0]
        subprocess.run(["cc", "-std=c99", "-Wall", "-Werror", "-c", source, "-o", source + ".o"], check=True, cwd=self.folder)

    def test_mistakes_have_their_place_and_write_nothing(self):
        path = os.path.join(self.folder, "bad.toml")
        with open(path, "w") as file:
            file.write('kind = "lagrangian"\nname = "bad"\ncoordinates = ["q"]\n[outputs]\ny = "sin(q"\n')
        target = os.path.join(self.folder, "out")
        result = derive(path, "-o", target)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(f"{path}:5:11: outputs.y: ", result.stderr)
        self.assertFalse(os.path.exists(target))

    def test_a_system_without_steady_motion_says_so(self):
        result = derive("models/knife-edge.toml", "--linear")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("the motion is not a solution", result.stderr)

    def test_a_file_in_place_of_the_folder_is_refused_as_by_run(self):
        path = os.path.join(self.folder, "file")
        open(path, "w").close()
        result = derive("models/quarter-car.toml", "-o", path)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr, f"camber: {path} exists and is not a directory\n")

    def test_a_folder_that_cannot_be_made_is_a_failed_run(self):
        path = os.path.join(self.folder, "file")
        open(path, "w").close()
        result = derive("models/quarter-car.toml", "-o", os.path.join(path, "below"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot make this folder", result.stderr)

    # What a mechanism's points and bodies lack as a Lagrangian model's is of no use to anybody.
    def test_of_another_kind_only_the_kind_is_wrong(self):
        result = derive("models/four-bar.toml")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn('models/four-bar.toml: is of kind "mechanism"; camber derive takes', result.stderr)


if __name__ == "__main__":
    CAMBER = sys.argv.pop(1)
    unittest.main()
