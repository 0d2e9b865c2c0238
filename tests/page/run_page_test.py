"""Writes sample pages, drives real ones, gets Playwright, and looks at the pages in Debian's Chromium.

usage: run_page_test.py WRITE_PAGES CAMBER FOLDER
  WRITE_PAGES  the program that writes pages of known curves
  CAMBER       the program that drives
  FOLDER       in the build tree: pages, screenshots, Playwright
Ends with 77, which ctest takes for "skipped", where node, npm or chromium is missing.
"""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def install(folder):
    """`npm ci`, unless that was done with this lock file already."""
    for name in ("package.json", "page_test.mjs"):
        shutil.copy(os.path.join(HERE, name), folder)
    lock = os.path.join(HERE, "package-lock.json")
    stamp = os.path.join(folder, "node_modules", "installed-package-lock.json")
    if os.path.exists(stamp) and read(stamp) == read(lock):
        return
    shutil.copy(lock, folder)
    # Twice: a connection may be lost in between. The package downloads no browser.
    for last in (False, True):
        result = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder,
                                capture_output=True, text=True, timeout=240, check=False)
        if result.returncode == 0:
            shutil.copy(lock, stamp)
            return
        if last:
            sys.exit(f"npm ci failed in {folder}; it needs the network once:\n{result.stdout}{result.stderr}")


def drive(camber, folder):
    """Runs of two scenarios, both on one page, and a rig; exit status 1 is a drive that misses a bound."""
    runs = []
    for name, duration in (("step-steer", "6"), ("soft-soil-ruts", "2")):
        run = os.path.join(folder, name)
        shutil.rmtree(run, ignore_errors=True)
        scenario = os.path.join(HERE, "..", "..", "scenarios", f"{name}.toml")
        result = subprocess.run([camber, "run", scenario, "--for", duration, "-o", run], capture_output=True, text=True,
                                timeout=120, check=False)
        if not os.path.exists(os.path.join(run, "report.html")):
            sys.exit(f"camber run {name} wrote no report:\n{result.stdout}{result.stderr}")
        shutil.copy(os.path.join(run, "report.html"), os.path.join(folder, f"{name}.html"))
        runs.append(run)
    rig = os.path.join(folder, "rig")
    model = os.path.join(HERE, "..", "..", "models", "hmmwv-3d.toml")
    subprocess.run([camber, "rig", model, "-o", rig], check=True, timeout=60, stdout=subprocess.DEVNULL)
    shutil.copy(os.path.join(rig, "report.html"), os.path.join(folder, "rig.html"))
    page = os.path.join(folder, "compared.html")
    subprocess.run([camber, "compare", *runs, "-o", page], check=True, timeout=60, stdout=subprocess.DEVNULL)


def main():
    write_pages, camber, folder = sys.argv[1:4]
    missing = [name for name in ("node", "npm", "chromium") if shutil.which(name) is None]
    if missing:
        print(f"skipped: no {', no '.join(missing)} on this machine; packages.txt lists what is needed")
        sys.exit(SKIPPED)
    os.makedirs(folder, exist_ok=True)
    subprocess.run([write_pages, folder], check=True, timeout=60)
    drive(camber, folder)
    install(folder)
    command = ["node", "page_test.mjs", folder, shutil.which("chromium")]
    sys.exit(subprocess.run(command, cwd=folder, timeout=550, check=False).returncode)


if __name__ == "__main__":
    main()
