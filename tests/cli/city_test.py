"""Runs `camber city` and `camber check` as a user does, on the files of cities/.

usage: city_test.py PATH_OF_CAMBER [unittest arguments]
"""

import glob
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""


def run(*arguments):
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=300)


class CityTest(unittest.TestCase):
    def test_all_files_are_good(self):
        result = run("check", *sorted(glob.glob("cities/*.toml")))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_views_show_a_town(self):
        with tempfile.TemporaryDirectory() as folder:
            street, plan = os.path.join(folder, "street.png"), os.path.join(folder, "plan.png")
            result = run("city", "cities/downtown.toml", "--size", "200", "112", "--samples", "1", "--picture", street,
                         "--plan", plan, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(result.stdout)
            seen = report["picture"]["percent_of_pixels"]
            for what in ("sky", "road", "sidewalk", "building", "vegetation", "car"):
                self.assertGreater(seen.get(what, 0), 0.3, what)
            from_above = report["plan"]["percent_of_pixels"]
            self.assertGreater(from_above["building"], 15)
            self.assertGreater(from_above["road"], 10)
            for path in (street, plan):
                with open(path, "rb") as picture:
                    self.assertEqual(picture.read(8), b"\x89PNG\r\n\x1a\n")

    def test_seed_by_set_makes_another_town(self):
        one = json.loads(run("city", "cities/downtown.toml", "--json").stdout)
        same = json.loads(run("city", "cities/downtown.toml", "--set", "seed=7", "--json").stdout)
        other = json.loads(run("city", "cities/downtown.toml", "--set", "seed=8", "--json").stdout)
        self.assertEqual(one, same)
        self.assertNotEqual(one["buildings"], other["buildings"])

    def test_gltf_is_valid_and_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "village.glb")
            result = run("city", "cities/village.toml", "--gltf", path, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(path, "rb") as file:
                data = file.read()
            magic, version, length = struct.unpack("<4sII", data[:12])
            self.assertEqual((magic, version, length), (b"glTF", 2, len(data)))
            size, kind = struct.unpack("<I4s", data[12:20])
            self.assertEqual(kind, b"JSON")
            tree = json.loads(data[20:20 + size])
            self.assertEqual(tree["asset"]["copyright"], "map written for camber")
            for view in tree["bufferViews"]:
                self.assertLessEqual(view["byteOffset"] + view["byteLength"], tree["buffers"][0]["byteLength"])
            scene = os.path.join(folder, "a.toml")
            with open(scene, "w") as file:
                file.write('kind = "scene"\nname = "a"\n[[mesh]]\nname = "m"\nfile = "village.glb"\n'
                           '[[instance]]\nshape = "mesh"\nmesh = "m"\nposition = [0, 0, 0]\n')
            # A ray down on the street's end: its height is that of the city, in the same place.
            ray = json.loads(run("scene", scene, "--ray", "3", "1", "50", "0", "0", "-1", "--json").stdout)["ray"]
            self.assertTrue(ray["hit"])
            self.assertAlmostEqual(ray["range"], 50, delta=0.01)
            self.assertEqual(ray["material"], "city_asphalt")

    def test_lane_graph_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lanes.json")
            self.assertEqual(run("city", "cities/grid.toml", "--lanes", path).returncode, 0)
            with open(path) as file:
                graph = json.load(file)
            for lane in graph["lanes"]:
                for k in lane["successors"]:
                    self.assertEqual(graph["lanes"][k]["center"][0], lane["center"][-1])

    def test_attribution_is_shown(self):
        self.assertIn("map written for camber", run("city", "cities/village.toml").stdout)

    def test_drive_sees_and_feels_the_town(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "run")
            result = run("run", "scenarios/downtown.toml", "--set", "run.duration=1.5", "-o", out)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            with open(os.path.join(out, "summary.json")) as file:
                summary = json.load(file)
            self.assertTrue(summary["passed"])
            # Among many cylinders in the road.
            out = os.path.join(folder, "hit")
            result = run("run", "scenarios/downtown.toml", "--set", "city:things.cylinders=400", "-o", out)
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            self.assertIn("hits the cylinder", result.stdout + result.stderr)

    def test_start_in_a_house_is_refused(self):
        result = run("check", "scenarios/downtown.toml", "--set", "vehicle.start.x=-50", "--set", "vehicle.start.y=-22")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("building", result.stdout + result.stderr)

    def test_broken_maps_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            def make(name, text):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
                return os.path.join(folder, name)

            make("a.osm", "<osm>\n<node id='1' lat='nan' lon='2'/>\n</osm>")
            city = make("a.toml", 'kind = "city"\nname = "a"\n[source]\nfile = "a.osm"\n')
            result = run("check", city)
            self.assertEqual(result.returncode, 2)
            self.assertIn("a.toml:4:8: source.file", result.stdout + result.stderr)
            self.assertIn("a.osm:2: <node>: lat must be a number", result.stdout + result.stderr)
            tiny = make("b.toml", 'kind = "city"\nname = "b"\n[streets]\nsize = [120, 500]\n')
            result = run("city", tiny)
            self.assertEqual(result.returncode, 2)
            self.assertIn("needs at least 240 m", result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
