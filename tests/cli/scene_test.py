"""Runs `camber scene` and `camber check` as a user does, on the files of scenes/.

usage: scene_test.py PATH_OF_CAMBER [unittest arguments]
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
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=120)


class SceneTest(unittest.TestCase):
    def test_all_files_are_good(self):
        result = run("check", *sorted(glob.glob("scenes/*.toml")))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_ray_meets_the_pedestrian(self):
        ground = json.loads(run("terrain", "terrains/hills.toml", "--at", "0", "-1", "--json").stdout)["points"][0]
        z = ground["height"] + 0.88
        result = run("scene", "scenes/yard.toml", "--ray", "-3", "-1", str(z), "1", "0", "0", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        ray = json.loads(result.stdout)["ray"]
        self.assertEqual((ray["name"], ray["class"], ray["material"]), ("pedestrian", "pedestrian", "coat"))
        self.assertTrue(math.isclose(ray["range"], 2.75, abs_tol=1e-6), ray)

    def test_writes_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "yard.png")
            result = run("scene", "scenes/yard.toml", "--size", "200", "100", "--samples", "1", "--picture", path, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            seen = json.loads(result.stdout)["picture"]["percent_of_pixels"]
            for what in ("sky", "ground", "building", "vegetation", "car"):
                self.assertGreater(seen.get(what, 0), 0.3, what)
            with open(path, "rb") as picture:
                self.assertEqual(picture.read(24), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\xc8\0\0\0\x64")

    def test_a_bad_mesh_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a.obj"), "w") as mesh:
                mesh.write("v 0 0 0\nv 1 nan 0\n")
            path = os.path.join(folder, "a.toml")
            with open(path, "w") as scene:
                scene.write('kind = "scene"\nname = "a"\n[[mesh]]\nname = "m"\nfile = "a.obj"\n')
            result = run("scene", path)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("a.obj: line 2: a vertex is not finite", result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
