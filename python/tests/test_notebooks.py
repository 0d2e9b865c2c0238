"""Runs notebooks: those that are named, or all.

usage: test_notebooks.py [NAME ...]
Each runs in a process and a folder of its own; an error, or a plot without labels, is a failure.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import camber

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = [a for a in sys.argv[1:] if not a.startswith("-")] or sorted(p.stem for p in (ROOT / "notebooks").glob("*.py"))

# Runs a notebook, then looks at every figure that it drew.
RUNNER = """
import runpy, sys, matplotlib
matplotlib.use("agg")
runpy.run_path(sys.argv[1], run_name="__main__")
import matplotlib.pyplot as plt
figures = [plt.figure(n) for n in plt.get_fignums()]
for i, figure in enumerate(figures):
    for ax in figure.axes:
        assert ax.get_xlabel() or ax.get_ylabel(), f"figure {i} has no labels"
    figure.savefig(f"{sys.argv[2]}-{i}.png")
assert figures, "there is no plot"
"""


class Notebooks(unittest.TestCase):
    def test_they_run(self):
        kept = os.environ.get("CAMBER_NOTEBOOK_PICTURES")
        for name in NAMES:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                picture = os.path.join(kept or folder, name)
                done = subprocess.run([sys.executable, "-B", "-c", RUNNER, str(ROOT / "notebooks" / f"{name}.py"), picture],
                                      capture_output=True, text=True, check=False, cwd=folder,
                                      env={**os.environ, "PYTHONPATH": str(pathlib.Path(camber.__file__).parent.parent)})
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_they_become_notebooks(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, str(ROOT / "make_notebooks.py"), "-o", folder], check=True, capture_output=True)
            for path in (ROOT / "notebooks").glob("*.py"):
                made = json.loads(pathlib.Path(folder, path.stem + ".ipynb").read_text(encoding="utf-8"))
                self.assertEqual(made["cells"][0]["cell_type"], "markdown", path.name)
                self.assertTrue(made["cells"][0]["source"].startswith("# "), path.name)
                code = [c for c in made["cells"] if c["cell_type"] == "code"]
                self.assertTrue(all(not c["outputs"] for c in code))
                # Nothing of the file is lost.
                lines = "\n".join(c["source"] for c in code).split("\n")
                kept = [line for line in path.read_text(encoding="utf-8").split("\n")
                        if line and not line.startswith("#")]
                self.assertEqual([line for line in lines if line and not line.startswith("#")], kept)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
