"""Runs `camber plan` as a user does: on grids, among polygons, between poses.

usage: plan_test.py PATH_OF_CAMBER [unittest arguments]
"""

import glob
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""


def run(*arguments):
    return subprocess.run([CAMBER, "plan", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def drive(pose, pieces):
    """Where a path of arcs ends."""
    x, y, heading = pose
    for piece in pieces:
        k, s = piece["curvature"], piece["length"]
        if k == 0:
            x, y = x + s * math.cos(heading), y + s * math.sin(heading)
        else:
            x += (math.sin(heading + k * s) - math.sin(heading)) / k
            y -= (math.cos(heading + k * s) - math.cos(heading)) / k
            heading += k * s
    return x, y, heading


class PlanTest(unittest.TestCase):
    # The lengths in courtyard.scen come from another program.
    def test_all_planners_find_the_lengths_of_the_file(self):
        for planner in ("a_star", "d_star_lite", "dijkstra"):
            result = run("plans/courtyard.map", "--scen", "plans/courtyard.scen", "--planner", planner, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            values = json.loads(result.stdout)
            self.assertEqual((values["count"], values["solved"], values["equal"]), (40, 40, 40))
            self.assertEqual((values["planner"], values["width"], values["height"]), (planner, 64, 40))
            for problem in values["problems"]:
                self.assertAlmostEqual(problem["length"], problem["optimal_length"], delta=1e-8)
                self.assertGreaterEqual(problem["time_s"], 0)
                self.assertGreater(problem["expansions"], 0)

    def test_a_wrong_length_is_reported_and_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.scen")
            with open(path, "w", encoding="utf-8") as file:
                file.write("version 1\n0\ta.map\t64\t40\t1\t1\t4\t1\t3.41421\n")
            result = run("plans/courtyard.map", "--scen", path)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"{path}:2: length 3, the file says 3.41421", result.stdout)

    def test_an_unreachable_goal_is_a_result(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.map")
            with open(path, "w", encoding="utf-8") as file:
                file.write("type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@..\n")
            result = run(path, "--from", 0, 0, "--to", 4, 2, "--json")
            self.assertEqual(result.returncode, 1)
            self.assertEqual(json.loads(result.stdout)["solved"], 0)

    def test_shipped_problems_are_solved_and_end_at_the_goal(self):
        files = sorted(glob.glob("plans/*.toml"))
        self.assertGreaterEqual(len(files), 5)
        for file in files:
            result = run(file, "--json")
            self.assertEqual(result.returncode, 0, file + result.stderr)
            values = json.loads(result.stdout)
            self.assertEqual(values["status"], "found")
            start, goal = values["start"], values["goal"]
            end = drive((*start["position"], math.radians(start["heading_deg"])), values["pieces"])
            self.assertAlmostEqual(end[0], goal["position"][0], delta=1e-6)
            self.assertAlmostEqual(end[1], goal["position"][1], delta=1e-6)
            self.assertAlmostEqual(math.cos(end[2] - math.radians(goal["heading_deg"])), 1, delta=1e-9)
            for piece in values["pieces"]:
                self.assertLessEqual(abs(piece["curvature"]), 1 / values["min_radius"] + 1e-12)

    def test_curves_between_poses(self):
        poses = ("--from", 0, 0, 0, "--to", 4, 3, 90, "--radius", 5)
        lengths = {}
        for planner in ("reeds_shepp", "dubins"):
            result = run(*poses, "--planner", planner, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            values = json.loads(result.stdout)
            end = drive((0, 0, 0), values["pieces"])
            self.assertAlmostEqual(end[0], 4, delta=1e-9)
            self.assertAlmostEqual(end[1], 3, delta=1e-9)
            lengths[planner] = values["length"]
        self.assertLess(5, lengths["reeds_shepp"])
        self.assertLess(lengths["reeds_shepp"], lengths["dubins"])

    def test_writes_pictures(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, arguments in {
                "grid": ("plans/courtyard.map", "--scen", "plans/courtyard.scen"),
                "poses": ("plans/dead-end.toml",),
                "curve": ("--from", 0, 0, 0, "--to", 4, 3, 90, "--radius", 5),
            }.items():
                path = os.path.join(folder, name + ".png")
                result = run(*arguments, "--picture", path, "--pixels", 640)
                self.assertEqual(result.returncode, 0, result.stderr)
                with open(path, "rb") as picture:
                    data = picture.read()
                self.assertEqual(data[:16], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
                self.assertEqual(max(int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")), 640)

    def test_mistakes_have_a_reason(self):
        for arguments, message in {
            ("plans/courtyard.map",): "a map alone does not say what to plan",
            ("plans/courtyard.map", "--scen", "plans/courtyard.scen", "--planner", "dubins"):
                '--planner: "dubins" is not one of a_star, d_star_lite, dijkstra',
            ("plans/courtyard.map", "--from", 1, 1, "--to", 64, 1): "--to: 64, 1 is not a cell of the map of 64 x 40",
            ("plans/none.map", "--from", 1, 1, "--to", 2, 1): "plans/none.map: ",
            ("plans/courtyard.scen",): "plans/courtyard.scen:",
            (): "a MAP, or --from X Y DEG",
        }.items():
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn(message, result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
