"""Every `Suite.Name` that the pages of docs/validation name is a test of the sources.

usage: named_tests_test.py ROOT
"""

import glob
import os
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    root = sys.argv[1]
    tests = set()
    for path in glob.glob(os.path.join(root, "**", "*_test.cc"), recursive=True):
        for suite, name in re.findall(r"^TEST(?:_F)?\((\w+),\s*(\w+)\)", read(path), re.M):
            tests.add(f"{suite}.{name}")
    named = []
    for path in sorted(glob.glob(os.path.join(root, "docs", "validation", "*.md"))):
        named += [(path, name) for name in re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", read(path))]
    missing = [f"{os.path.relpath(path, root)}: {name} is not a test" for path, name in named if name not in tests]
    print("\n".join(missing) or f"{len(named)} names, all of them tests")
    # A change of notation must not make this test look at nothing.
    sys.exit(1 if missing or len(named) < 50 else 0)


if __name__ == "__main__":
    main()
