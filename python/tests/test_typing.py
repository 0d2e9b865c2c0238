"""Stubs, types and docstrings."""

import inspect
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import camber
import camber.gym
import camber.lagrange
import camber.plot
import camber.symbolic
from camber import _core

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False)


class Types(unittest.TestCase):
    def test_the_stubs_are_those_of_the_module(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(sys.executable, ROOT / "make_stubs.py", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("__init__.pyi", "symbolic.pyi", "lagrange.pyi"):
                made = pathlib.Path(folder, name).read_text(encoding="utf-8")
                kept = (ROOT / "camber" / "_core" / name).read_text(encoding="utf-8")
                self.assertEqual(made, kept, f"{name} is out of date: run python/make_stubs.py")

    def test_package_and_examples_pass_mypy_strict(self):
        with tempfile.TemporaryDirectory() as folder:
            for files in (["-p", "camber"], sorted((ROOT / "notebooks").glob("*.py"))):
                done = subprocess.run(["/usr/bin/mypy", "--config-file", str(ROOT / "mypy.ini"), "--cache-dir", folder,
                                       "--python-executable", sys.executable, *[str(f) for f in files]],
                                      capture_output=True, text=True, check=False, cwd=ROOT)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


PLAIN = re.compile(r"\[|SI units|Hash|Name|names|Length|Number|Whether|1|Status", re.IGNORECASE)


def public_members(owner):
    for name, value in vars(owner).items():
        if name.startswith("_"):
            continue
        yield name, value


class Docstrings(unittest.TestCase):
    def check(self, path: str, value: object) -> None:
        text = inspect.getdoc(value) or ""
        text = re.sub(r"\A\w+\(.*\) -> .*\n+", "", text)  # pybind11's signature
        self.assertTrue(text.strip(), f"{path} has no docstring")

    def test_everything_public_is_described(self):
        seen = 0
        for module in (camber, camber.gym, camber.lagrange, camber.plot, camber.symbolic):
            self.check(module.__name__, module)
            for name in module.__all__:
                value = getattr(module, name)
                if name.startswith("__") or inspect.ismodule(value) or not callable(value):
                    continue
                self.check(f"{module.__name__}.{name}", value)
                if not inspect.isclass(value):
                    continue
                for member, thing in public_members(value):
                    if callable(thing) or isinstance(thing, property):
                        seen += 1
                        self.check(f"{name}.{member}", thing.fget if isinstance(thing, property) and thing.fget else thing)
        self.assertGreater(seen, 200)

    def test_plain_numbers_have_units(self):
        for kind in (_core.View, _core.Wheel, _core.Snapshot, _core.Command):
            for member, thing in public_members(kind):
                text = thing.__doc__ or ""
                self.assertTrue(PLAIN.search(text) or "driver asks" in text or "neutral" in text
                                or "order of" in text, f"{kind.__name__}.{member}: {text}")


if __name__ == "__main__":
    unittest.main()
