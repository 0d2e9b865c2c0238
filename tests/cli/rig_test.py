"""Runs `camber rig` as a user does, on the vehicles of models/.

usage: rig_test.py PATH_OF_CAMBER [unittest arguments]
"""

import math
import os
import re
import shutil
import tempfile
import unittest

from command import Command, main, read_table

MODEL = "models/hmmwv-3d.toml"
DATA = "camber/vehicle/test/data"
COMMAND = Command("rig")
run, run_json = COMMAND.run, COMMAND.run_json


# The HMMWV as it is drawn, without the alignment at rest: published tables are of this one.
DRAWN = os.path.join(tempfile.mkdtemp(), "hmmwv-drawn.toml")


def setUpModule():
    with open(MODEL, encoding="utf-8") as file:
        text = re.sub(r"(?s)\n\[axles\.\w+\.at_rest\].*?(?=\n\[)", "", file.read())
    for folder in ("equipment/", "tires/"):
        text = text.replace('"' + folder, '"' + os.path.abspath("models/" + folder) + "/")
    with open(DRAWN, "w", encoding="utf-8") as file:
        file.write(text)


def tearDownModule():
    shutil.rmtree(os.path.dirname(DRAWN))


class Results(unittest.TestCase):
    def test_the_hmmwv_has_its_published_figures(self):
        result = run_json(DRAWN, "--radius", "0.44", "--travel", "-0.09:0.14")
        self.assertLess(result["closure_error_m"], 1e-13)
        front, rear = (result["axles"][axle]["design"] for axle in ("front", "rear"))
        for key, digits, in_front, behind in (
                ("kingpin_inclination_deg", 1, 12.0, 12.0), ("caster_deg", 1, 3.0, 0.0),
                ("scrub_radius_m", 3, 0.049, 0.049), ("trail_m", 3, 0.023, 0.0),
                ("spring_ratio", 4, 0.4517, 0.4391), ("camber_gain_deg_per_m", 1, -23.7, -34.8),
                ("toe_gain_deg_per_m", 1, -5.1, 1.2), ("roll_center_height_m", 3, 0.344, 0.400)):
            with self.subTest(key=key):
                self.assertEqual((abs(round(front[key], digits)), abs(round(rear[key], digits))),
                                 (abs(in_front), abs(behind)))
        steering = result["steering"]
        self.assertAlmostEqual(steering["steering_deg"][0], -30)
        self.assertEqual(round(steering["ackermann"][0], 2), 0.52)
        self.assertEqual(round(steering["outer_radius_m"][0], 2), 8.26)
        self.assertIsNone(steering["ackermann"][30])  # straight ahead

    def test_every_vehicle_is_moved(self):
        for model, kinds in (("hmmwv", ["planar_double_wishbone"] * 2), ("hmmwv-3d", ["double_wishbone"] * 2),
                             ("mcpherson-car", ["mcpherson", "trailing_arm"])):
            with self.subTest(model=model):
                result = run_json(f"models/{model}.toml")
                self.assertEqual([axle["suspension"] for axle in result["axles"].values()], kinds)
                self.assertLess(result["closure_error_m"], 1e-13)
                for axle in result["axles"].values():
                    travel = axle["parallel"]["travel_m"]
                    self.assertEqual(travel, sorted(travel))
                    self.assertIn("standing", axle)

    def test_text_has_a_table_per_axle_and_the_steering(self):
        result = run("models/mcpherson-car.toml", "--travel", "-0.05:0.05:0.01", "--steer", "-40:40")
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in ("front axle, mcpherson: both wheels alike", "rear axle, trailing_arm: both wheels alike",
                     "front axle: left wheel up, right one down",
                     "steering of the front axle, arms held in the design position"):
            self.assertIn(line, result.stdout)
        self.assertEqual(result.stdout.count("scrub radius [mm]"), 3)  # front, left, right; no kingpin behind


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_tables_and_report_are_in_the_folder(self):
        result = run(MODEL, "--travel", "-0.09:0.12:0.03", "-o", self.path("out"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["front_opposed.csv", "front_parallel.csv", "rear_opposed.csv", "rear_parallel.csv",
                          "report.html", "steering.csv"])
        rows = read_table(self.path("out/front_parallel.csv"))
        self.assertEqual([round(float(row["travel_m"]), 9) for row in rows],
                         [-0.09, -0.06, -0.03, 0, 0.03, 0.06, 0.09, 0.12])
        with open(self.path("out/report.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page.count('class="card"'), 24)
        self.assertEqual(page.count('class="tile"'), 10)
        for cursor in ("wheel travel|mm", "roll|deg", "pitman|deg"):
            self.assertIn(f'data-cursor="{cursor}"', page)
        ids = re.findall(r'<section class="card" id="([^"]*)"', page)
        self.assertEqual(len(set(ids)), 24, ids)
        self.assertEqual((ids[0], ids[-1]), ("travel-camber", "steering-turning-circle"))
        self.assertNotIn("nan", page.split("<script>")[0])

    # The reference tables in the rig's own layout: what it writes it can be held against.
    def test_differs_from_the_reference_tables_by_their_last_digit(self):
        reference = self.path("arms.csv")
        with open(reference, "w", encoding="utf-8") as file:
            file.write("# a comment\naxle,travel_m,arm_deg,recession_m,camber_deg,toe_deg,spring_length_m,shock_length_m\n")
            for row in read_table(f"{DATA}/hmmwv_double_wishbone.csv"):
                file.write(",".join([row["axle"], row["dz"], repr(math.degrees(float(row["arm"]))),
                                     repr(-float(row["dx"])), row["camber_deg"], row["toe_deg"],
                                     row["spring_length"], row["shock_length"]]) + "\n")
        result = run_json(DRAWN, "--reference", reference)
        self.assertEqual(len(result["comparison"]), 12)
        for comparison in result["comparison"]:
            self.assertEqual(comparison["points"], 11)
            self.assertLess(abs(comparison["largest_difference"]), 2e-7, comparison)
        steering = self.path("steering.csv")
        with open(steering, "w", encoding="utf-8") as file:
            file.write("steering_deg,left_steer_deg,right_steer_deg\n")
            for row in read_table(f"{DATA}/hmmwv_steering.csv"):
                file.write(",".join(repr(math.degrees(float(row[key]))) for key in ("pitman", "left", "right")) + "\n")
        result = run(DRAWN, "--reference", steering, "-o", self.path("out"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("largest difference", result.stdout)
        for comparison in run_json(DRAWN, "--reference", steering)["comparison"]:
            self.assertLess(abs(comparison["largest_difference"]), math.degrees(1e-8), comparison)


    # As they are, under their own names and in radians.
    def test_takes_tables_of_other_programs(self):
        result = run_json(DRAWN, "--reference", f"{DATA}/hmmwv_double_wishbone.csv")
        self.assertEqual(len(result["comparison"]), 20)
        for comparison in result["comparison"]:
            self.assertLess(abs(comparison["largest_difference"]), 2e-7, comparison)
        self.assertIn('hmmwv_double_wishbone.csv: "upper_arm" is not compared', " ".join(result["notes"]))
        result = run_json(DRAWN, "--reference", f"{DATA}/hmmwv_steering.csv")
        # Its wheelbase is 16 um longer.
        bounds = {"left_steer_deg": 1e-6, "right_steer_deg": 1e-6, "rear_radius_m": 1e-3, "outer_radius_m": 1e-3,
                  "ackermann": 1e-4}
        self.assertEqual({comparison["column"] for comparison in result["comparison"]}, set(bounds))
        for comparison in result["comparison"]:
            self.assertLess(abs(comparison["largest_difference"]), bounds[comparison["column"]], comparison)

    # Names with units, wheels instead of axles, an arm that turns the other way, and straight ahead.
    def test_takes_other_names_for_columns(self):
        table = self.path("table.csv")
        with open(table, "w", encoding="utf-8") as file:
            file.write("suspension,theta_rad,dx_m,dy_m,dz_m,axis_x,camber_deg,toe_rad,phi_rad\n")
            for row in read_table(f"{DATA}/hmmwv_double_wishbone.csv"):
                file.write(",".join([row["axle"] + "_left", repr(-float(row["arm"])), row["dx"], row["dy"], row["dz"],
                                     row["axis_x"], row["camber_deg"], repr(math.radians(float(row["toe_deg"]))),
                                     row["upper_arm"]]) + "\n")
        result = run_json(DRAWN, "--reference", table)
        self.assertEqual(len(result["comparison"]), 12)
        for comparison in result["comparison"]:
            self.assertLess(abs(comparison["largest_difference"]), 2e-7, comparison)
        with open(table, "w", encoding="utf-8") as file:
            file.write("psi_rad,left_rad,right_rad,R_rear_m,R_outer_front_m,ackermann_fraction\n"
                       "-0.523598776,0.49032516,0.433574841,6.65910672,8.25772603,0.520322694\n"
                       "0,0,0,inf,inf,nan\n")
        result = run_json(DRAWN, "--reference", table)
        self.assertEqual({c["column"]: c["points"] for c in result["comparison"]},
                         {"left_steer_deg": 2, "right_steer_deg": 2, "rear_radius_m": 1, "outer_radius_m": 1,
                          "ackermann": 1})


class Mistakes(unittest.TestCase):
    def assert_error(self, arguments, message):
        result = run(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertIn(message, result.stderr)

    def test_say_what_is_wrong(self):
        self.assert_error(["models/none.toml"], "models/none.toml")
        self.assert_error(["models/four-bar.toml"],
                          'models/four-bar.toml: is of kind "mechanism"; camber rig moves the wheels of files of kind "vehicle"')
        self.assert_error([MODEL, "--travel", "0.1"], '--travel: "0.1" is not FIRST:LAST or FIRST:LAST:STEP')
        self.assert_error([MODEL, "--travel", "0.1:-0.1"], "--travel: needs first < last and a step > 0, got 0.1:-0.1")
        self.assert_error([MODEL, "--travel", "a:b"], '--travel: "a" is not a number')
        self.assert_error([MODEL, "--travel=-0.3:0.1"],
                          "a travel of -0.185 m is out of reach: front_left ends at -0.1844 m")
        self.assert_error([MODEL, "--steer=-30:80"], "a steering of 61 deg is out of reach: the linkage ends at 60.6026 deg")
        self.assert_error([MODEL, "--radius=-1"], "--radius: must be > 0 m, got -1")
        self.assert_error([MODEL, "--travle", "0:1"], 'unknown option "--travle"; did you mean "--travel"?')

    def test_a_reference_that_cannot_be_used(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.csv")
            for text, message in (
                    ("", "must have a line of column names and one of values"),
                    ("axle,travel_m,cambr_deg\nfront,0,0\n",
                     ':1: "cambr_deg" is not a column of the rig; did you mean "camber_deg"?'),
                    ("axle,camber_deg\nfront,0\n", ':1: needs a column "travel_m" or "dz_m" or "dz"'),
                    ("travel_m,camber_deg\n0,0\n", ':1: needs a column "axle" or "suspension"'),
                    ("axle,travel_m,camber_deg\nfront,nan,0\n", ':2: travel_m: "nan" is not a number'),
                    ("axle,travel_m,camber_deg\nfornt,0,0\n", ':2: there is no axle "fornt"; did you mean "front"?'),
                    ("axle,travel_m,camber_deg\nfront,0\n", ":2: has 2 values for 3 columns"),
                    ("axle,travel_m,camber_deg\nfront,x,0\n", ':2: travel_m: "x" is not a number'),
                    ("axle,travel_m,camber_deg\nrear,-0.5,0\n", ":2: a travel of -0.5 m is out of reach: rear_left ends")):
                with self.subTest(text=text):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
                    self.assert_error([MODEL, "--reference", path], message)

    def test_a_stop_that_is_passed_is_a_note(self):
        result = run(MODEL, "--travel", "-0.12:0.1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: front_left: a travel of -0.12 m is beyond the rebound stop, which begins at -0.1137 m",
                      result.stdout)


if __name__ == "__main__":
    main()
