#!/usr/bin/env python3
"""Draws docs/pictures/lane-change.png: the top of the report of scenarios/double-lane-change.toml.

The picture carries the key figures and chart titles that it shows, so that --check needs no browser.

usage: draw_lane_change.py CAMBER          runs the scenario and writes the picture (needs chromium)
       draw_lane_change.py CAMBER --check  exits with 1 if the picture shows another report than today's
"""

import argparse
import json
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCENARIO = "scenarios/double-lane-change.toml"
PICTURE = ROOT / "docs/pictures/lane-change.png"
WIDTH, HEIGHT = 1280, 1225  # [px]: verdict, figures and two rows of charts
CHARTS = 4
KEYWORD = b"camber-report"
TOLERANCE = 1e-3  # of figures; rounding errors among them may be anything below 1e-6


def run_scenario(camber, folder):
    """What the report shows: figures by name, and the titles of the charts."""
    subprocess.run([camber, "run", SCENARIO, "-o", folder], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    page = (folder / "report.html").read_text(encoding="utf-8")
    return {
        "figures": {figure["name"]: figure["value"] for figure in summary["key_figures"]},
        "charts": [title.strip() for title in re.findall(r"<h2>([^<]*)", page)[:CHARTS]],
    }


def chunks(png):
    """(type, data) of each chunk of a PNG file."""
    at = 8
    while at < len(png):
        size = struct.unpack(">I", png[at:at + 4])[0]
        yield png[at + 4:at + 8], png[at + 8:at + 8 + size]
        at += 12 + size


def with_text(png, text):
    """The picture with a text chunk before its end."""
    result = png[:8]
    for kind, data in chunks(png):
        if kind == b"IEND":
            result += make_chunk(b"tEXt", KEYWORD + b"\0" + text.encode("latin-1"))
        result += make_chunk(kind, data)
    return result


def make_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def read_text(png):
    for kind, data in chunks(png):
        if kind == b"tEXt" and data.startswith(KEYWORD + b"\0"):
            return json.loads(data[len(KEYWORD) + 1:].decode("latin-1"))
    sys.exit(f"{PICTURE.name} does not say what it shows")


def is_same(shown, today):
    if shown["charts"] != today["charts"] or list(shown["figures"]) != list(today["figures"]):
        return False
    return all(math.isclose(shown["figures"][name], value, rel_tol=TOLERANCE, abs_tol=1e-6) for name, value in today["figures"].items())


def draw(folder, shown):
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        sys.exit("draw_lane_change.py needs chromium")
    shot = folder / "shot.png"
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}",
                    f"--screenshot={shot}", (folder / "report.html").as_uri()], check=True, capture_output=True)
    PICTURE.write_bytes(with_text(shot.read_bytes(), json.dumps(shown)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("camber", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "run"
        today = run_scenario(arguments.camber.resolve(), folder)
        if not arguments.check:
            draw(folder, today)
        elif not is_same(shown := read_text(PICTURE.read_bytes()), today):
            sys.exit(f"docs/pictures/lane-change.png is not today's; run tools/draw_lane_change.py CAMBER\nit shows {shown}\ntoday {today}")


if __name__ == "__main__":
    main()
