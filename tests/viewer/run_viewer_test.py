"""Checks, builds and tests the page of `camber drive` and `camber view` in Debian's Chromium.

usage: run_viewer_test.py PART CAMBER FOLDER [--update]
  PART    unit, toy (against a server that remembers every message) or camber (against the real program)
  CAMBER  the program
  FOLDER  in the build tree: the bundle, screenshots, runs
Ends with 77, which ctest takes for "skipped", where node, npm or chromium is missing.
"""

import filecmp
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VIEWER = os.path.join(HERE, "..", "..", "viewer")
SKIPPED = 77
FILES = ("index.html", "style.css", "app.js", "index.html.gz", "style.css.gz", "app.js.gz")


def install():
    """`npm ci`, unless the build or an earlier test did that with this lock file already."""
    lock = os.path.join(VIEWER, "package-lock.json")
    stamp = os.path.join(VIEWER, "node_modules", "installed-package-lock.json")
    if os.path.exists(stamp) and filecmp.cmp(lock, stamp, shallow=False):
        return
    result = None
    for _ in range(2):  # a connection may be lost in between
        result = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=VIEWER,
                                capture_output=True, text=True, timeout=300, check=False)
        if result.returncode == 0:
            shutil.copy(lock, stamp)
            return
    sys.exit(f"npm ci failed in viewer/; it needs the network once:\n{result.stdout}{result.stderr}")


def build(folder):
    subprocess.run(["node", os.path.join(VIEWER, "build.mjs"), "--out", folder], check=True, timeout=120)


def test_units(folder):
    """Types, the same bytes from two builds, unit tests."""
    tsc = os.path.join(VIEWER, "node_modules", "typescript", "bin", "tsc")
    subprocess.run(["node", tsc, "--noEmit"], cwd=VIEWER, check=True, timeout=120)
    again = os.path.join(folder, "again")
    build(os.path.join(folder, "dist"))
    build(again)
    _, different, missing = filecmp.cmpfiles(os.path.join(folder, "dist"), again, FILES, shallow=False)
    if different or missing:
        sys.exit(f"two builds differ: {different + missing}")
    return subprocess.run(["node", os.path.join(VIEWER, "test", "run.mjs")], timeout=120, check=False).returncode


def main():
    part, camber, folder = sys.argv[1:4]
    missing = [name for name in ("node", "npm", "chromium") if shutil.which(name) is None]
    if missing:
        print(f"skipped: no {', no '.join(missing)} on this machine; packages.txt lists what is needed")
        sys.exit(SKIPPED)
    os.makedirs(folder, exist_ok=True)
    install()
    if part == "unit":
        sys.exit(test_units(folder))
    dist = os.path.join(folder, "dist")
    build(dist)
    arguments = [dist, shutil.which("chromium"), folder]
    if part == "camber":
        arguments.insert(0, camber)
    command = ["node", os.path.join(HERE, f"{part}_test.mjs"), *arguments, *sys.argv[4:]]
    sys.exit(subprocess.run(command, timeout=550, check=False).returncode)


if __name__ == "__main__":
    main()
