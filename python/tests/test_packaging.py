"""`make python`: the package that pip installs from the build."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import camber

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["CAMBER_PROGRAM"]).parent.parent


class Packaging(unittest.TestCase):
    # pip builds in the package's own folder: a build named from the folder of `make` was not found.
    def test_pip_installs_what_was_built(self):
        with tempfile.TemporaryDirectory() as folder:
            root, target = pathlib.Path(folder, "root"), pathlib.Path(folder, "target")
            shutil.copytree(ROOT / "python", root / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
            (root / "build").mkdir()
            (root / "build" / "mine").symlink_to(BUILD)
            for name in ("CMakeLists.txt", "cities", "models", "plans", "scenarios", "scenes", "studies", "terrains"):
                (root / name).symlink_to(ROOT / name)
            done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                                   "--no-build-isolation", "--no-index", "--no-deps", "--target", str(target), "./python"],
                                  cwd=root, env={**os.environ, "CAMBER_BUILD": "build/mine"}, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            code = ("import camber; print(camber.__version__, camber.__file__); "
                    "print(camber.load(camber.example('scenarios/step-steer.toml')).check().ok)")
            done = subprocess.run([sys.executable, "-c", code], cwd=folder, env={**os.environ, "PYTHONPATH": str(target)},
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, f"{camber.__version__} {target}/camber/__init__.py\nTrue\n")


if __name__ == "__main__":
    unittest.main()
