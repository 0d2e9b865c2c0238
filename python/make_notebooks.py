#!/usr/bin/env python3
"""Makes Jupyter notebooks (.ipynb) of Python files with cells.

usage: python/make_notebooks.py [-o FOLDER] [FILE ...]      all files of python/notebooks, into build/notebooks

A line "# %%" starts a cell of code, "# %% [markdown]" one of text, whose lines are comments. Outputs are not stored.
"""

import argparse
import json
import pathlib
import sys


def read_cells(text: str) -> list[dict[str, object]]:
    """The cells of a file."""
    cells: list[dict[str, object]] = []
    for part in ("\n" + text).split("\n# %%")[1:]:
        head, _, body = part.partition("\n")
        body = body.strip("\n")
        identity = {"id": f"cell-{len(cells)}", "metadata": {}}
        if "[markdown]" in head:
            lines = [line[2:] if line.startswith("# ") else line.lstrip("#") for line in body.split("\n")]
            cells.append({"cell_type": "markdown", **identity, "source": "\n".join(lines)})
        elif body:
            cells.append({"cell_type": "code", **identity, "source": body, "execution_count": None, "outputs": []})
    return cells


def make_notebook(path: pathlib.Path) -> str:
    """The text of an .ipynb file."""
    notebook = {"cells": read_cells(path.read_text(encoding="utf-8")), "nbformat": 4, "nbformat_minor": 5,
                "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                             "language_info": {"name": "python"}}}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description="Makes Jupyter notebooks of Python files with cells.")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=here.parent / "build" / "notebooks", metavar="FOLDER")
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for path in options.files or sorted((here / "notebooks").glob("*.py")):
        target = options.output / (path.stem + ".ipynb")
        target.write_text(make_notebook(path), encoding="utf-8")
        print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
