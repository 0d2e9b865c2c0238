"""Runs `camber terrain` and `camber check` as a user does, on the files of terrains/.

usage: terrain_test.py PATH_OF_CAMBER [unittest arguments]
"""

import glob
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

CAMBER = ""


def run(*arguments):
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=120)


class TerrainTest(unittest.TestCase):
    def test_all_files_are_good(self):
        result = run("check", *sorted(glob.glob("terrains/*.toml")))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_values_at_points(self):
        result = run("terrain", "terrains/proving-ground.toml", "--at", "30", "0", "--at", "160", "0", "--json",
                     "--at", "10", "-2", "--box", "0", "-10", "200", "10", "--pixels", "50")
        self.assertEqual(result.returncode, 0, result.stderr)
        values = json.loads(result.stdout)
        bump, sand, ice = values["points"]
        self.assertAlmostEqual(bump["height"], 0.1)
        self.assertEqual((sand["soil"], sand["height"]), ("dry_sand_LLL", 0.3))
        self.assertEqual((ice["friction"], ice["soil"], ice["normal"]), (0.15, "rigid", [0.0, 0.0, 1.0]))
        self.assertEqual(values["soils"], ["rigid", "dry_sand_LLL"])

    def test_writes_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hills.png")
            result = run("terrain", "terrains/hills.toml", "--box", "0", "0", "40", "20", "--pixels", "200",
                         "--picture", path)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(path, "rb") as picture:
                self.assertEqual(picture.read(24), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\xc8\0\0\0\x64")

    def test_bad_files_are_named_with_line_and_key(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write('kind = "terrain"\nname = "bad"\n[terrain]\nkind = "map"\nfile = "gone.png"\n'
                           'spacing = 1\nmin_height = 0\nmax_height = 5\nsoil = "LETE_snad"\n')
            for command in ("check", "terrain"):
                result = run(command, path)
                self.assertEqual(result.returncode, 2)
                self.assertIn(f"{path}:5:8: terrain.file: {folder}/gone.png: cannot read: No such file", result.stderr)
                self.assertIn(f'{path}:9:8: terrain.soil: no soil "LETE_snad"; did you mean "LETE_sand"?', result.stderr)

    # What stands behind `file` was not asked for any more, and called unknown.
    def test_a_bad_picture_is_one_mistake(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write('kind = "terrain"\nname = "bad"\n[terrain]\nkind = "map"\nfile = "bad.png"\n'
                           'spacing = 1\nmin_height = 0\nmax_height = 5\norigin = [-3, 2]\n')
            with open(os.path.join(folder, "bad.png"), "wb") as file:
                file.write(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
            result = run("check", path)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn(f"{path}:5:8: terrain.file: {folder}/bad.png: is not a readable PNG", result.stderr)

    # As the manual has it: a picture is instead of `everywhere`, which is 1, or rigid ground, beside it.
    def test_a_picture_of_friction_and_soil_needs_no_more(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "map.png"), "wb") as file:
                file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0))
                           + chunk(b"IDAT", zlib.compress(b"\0\0\1")) + chunk(b"IEND", b""))
            picture = 'file = "map.png"\nspacing = 10\norigin = [-10, -5]\n'
            path = os.path.join(folder, "ground.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write('kind = "terrain"\nname = "g"\n[terrain]\nkind = "flat"\n'
                           f'[terrain.friction]\n{picture}values = [0.7, 0.3]\n'
                           f'[terrain.soil]\n{picture}values = ["LETE_sand", "snow_US"]\n')
            result = run("terrain", path, "--at", "-4", "1", "--at", "6", "-2", "--at", "40", "0", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            points = [(point["friction"], point["soil"]) for point in json.loads(result.stdout)["points"]]
            self.assertEqual(points, [(0.7, "LETE_sand"), (0.3, "snow_US"), (1.0, "rigid")])
            with open(path, "w", encoding="utf-8") as file:
                file.write('kind = "terrain"\nname = "g"\n[terrain]\nkind = "flat"\n[terrain.friction]\n')
            self.assertIn("terrain.friction.everywhere: missing", run("terrain", path).stderr)

    def test_every_height_of_a_raw_map_is_looked_at(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "raw.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write('kind = "terrain"\nname = "hole"\n[terrain]\nkind = "map"\nfile = "map.raw"\n'
                           'nx = 7\nny = 5\nspacing = 1\ntype = "float32"\n')
            heights = [0.25] * 35
            for hole, status in ((1.5, 0), (math.nan, 2)):
                heights[2 * 7 + 4] = hole
                with open(os.path.join(folder, "map.raw"), "wb") as file:
                    file.write(struct.pack("<35f", *heights))
                result = run("check", path)
                self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(f"{path}:5:8: terrain.file: {folder}/map.raw: the height of node (4, 2) is not finite", result.stderr)

    def test_bad_usage(self):
        for option in (["--at", "nan", "0"], ["--at", "0", "inf"], ["--box", "0", "0", "inf", "1"]):
            result = run("terrain", "terrains/hills.toml", *option)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(f"{option[0]}: must be finite", result.stderr)
        self.assertEqual(run("terrain", "terrains/hills.toml", "--box", "5", "5", "1", "1").returncode, 2)
        self.assertEqual(run("terrain", "terrains/hills.toml", "--at", "5").returncode, 2)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
