"""The library as others use it: installed into an empty folder, found by CMake and pkg-config, examples built and run.

Files compiled with flags that do not fit the library must be refused, never break silently.

usage: install_test.py CMAKE BUILD SOURCE [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE = sys.argv[1]
BUILD, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[2:4])
COMPILER = os.environ.get("CXX", "c++")
OWN = SOURCE / "tests/docs/my_simulator"  # a program as docs/manual/embedding.md shows it
EXAMPLES = ["double_pendulum", "four_bar", "swing", "hello_drive", "own_controller", "own_abs", "fixed_rate_loop"]  # and what each has to print, below


def run(*command, cwd=None, env=None):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd, timeout=300,
                            env=env)
    return result


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="camber_install_")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name).resolve()
        cls.prefix = cls.folder / "prefix"
        result = run(CMAKE, "--install", BUILD, "--prefix", cls.prefix)
        assert result.returncode == 0, result.stdout + result.stderr
        cls.lib = next(cls.prefix.glob("lib*/**/libcamber_core.a")).parent
        cls.include = cls.prefix / "include"
        cls.environment = dict(os.environ, PKG_CONFIG_PATH=str(cls.lib / "pkgconfig"))

    def assert_ran(self, result):
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def flags(self, *options):
        result = run("pkg-config", *options, "camber", env=self.environment)
        self.assert_ran(result)
        return result.stdout.split()

    def compile(self, text, *flags):
        source = self.folder / "program.cc"
        source.write_text(text, encoding="utf-8")
        return run(COMPILER, "-O1", source, "-o", self.folder / "program", *flags)

    def test_installs_the_program_with_its_files(self):
        camber = self.prefix / "bin/camber"
        share = self.prefix / "share"
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        checked = run(camber, "check", share / "camber/scenarios/double-lane-change.toml", cwd=elsewhere)
        self.assert_ran(checked)
        self.assertTrue((share / "camber/terrains").is_dir())
        self.assertTrue((share / "bash-completion/completions/camber").is_file())

    def test_installs_the_python_package(self):
        packages = list(self.prefix.glob("lib/python3*/dist-packages/camber"))
        if not packages and not (BUILD / "python/camber/__init__.py").exists():
            self.skipTest("the Python package is left out of this build")
        code = "import camber; print(camber.Drive(camber.example('scenarios/step-steer.toml')).wheel_names)"
        environment = dict(os.environ, PYTHONPATH=str(packages[0].parent))
        result = run("/usr/bin/python3", "-B", "-c", code, cwd=self.folder, env=environment)
        self.assert_ran(result)
        self.assertIn("front_left", result.stdout)
        self.assertTrue((packages[0] / "_core/__init__.pyi").is_file() and (packages[0] / "py.typed").is_file())

    def test_installs_every_header_that_a_header_needs(self):
        headers = list(self.include.rglob("*.h"))
        self.assertIn(self.include / "camber/camber.h", headers)
        self.assertIn(self.include / "camber/core/build_flags.h", headers)
        self.assertEqual([h for h in headers if "test" in h.parts], [])
        for header in headers:
            for name in re.findall(r'^#include "([^"]+)"', header.read_text(encoding="utf-8"), re.MULTILINE):
                self.assertTrue((self.include / name).is_file(), f"{header} includes {name}")

    def test_knows_nothing_of_the_folder_it_was_built_in(self):
        for file in [*self.lib.glob("cmake/camber/*.cmake"), self.lib / "pkgconfig/camber.pc"]:
            text = file.read_text(encoding="utf-8")
            for folder in (BUILD, SOURCE):
                self.assertNotRegex(text, re.escape(str(folder)) + r"\b", file)

    def test_leaks_no_warnings_to_its_users(self):
        text = "".join(file.read_text(encoding="utf-8") for file in self.lib.glob("cmake/camber/*.cmake"))
        options = set(re.findall(r"[ \";:](-W[^ \";>]+)", text)) | {f for f in self.flags("--cflags") if f[:2] == "-W"}
        self.assertLessEqual(options, {"-Wno-psabi"})

    def test_builds_and_runs_the_examples(self):
        source, build = self.folder / "examples", self.folder / "examples_build"
        shutil.copytree(SOURCE / "examples", source)  # nothing else of the source tree is near
        self.assert_ran(run(CMAKE, "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                            "-DCMAKE_CXX_FLAGS=-O1 -Wall -Werror"))
        self.assert_ran(run(CMAKE, "--build", build))
        said = {}
        for name in EXAMPLES:
            result = run(build / name, cwd=self.prefix / "share/camber")
            self.assert_ran(result)
            said[name] = result.stdout
        self.assertIn("int double_pendulum(", said["double_pendulum"])
        drift = float(re.search(r"energy stays within (\S+) J", said["four_bar"]).group(1))
        self.assertLess(drift, 1e-6)
        self.assertIn("in ten seconds", said["swing"])
        loads = [float(x) for x in re.findall(r"(\S+) N$", said["hello_drive"], re.MULTILINE)]
        self.assertEqual(len(loads), 6)
        self.assertTrue(all(3000 < load < 9000 for load in loads), loads)
        self.assertIn("back at 2 s with", said["own_controller"])
        locked, own = [float(x) for x in re.findall(r": (\S+) m$", said["own_abs"], re.MULTILINE)]
        self.assertLess(own, locked)
        self.assertIn("100 frames", said["fixed_rate_loop"])
        listed = re.findall(r"^add_(?:example|executable)\((\w+)", (source / "CMakeLists.txt").read_text(), re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(EXAMPLES), "every example is run here")

    def test_builds_a_project_of_its_own(self):
        build = self.folder / "my_simulator"
        self.assert_ran(run(CMAKE, "-S", OWN, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}"))
        self.assert_ran(run(CMAKE, "--build", build))
        result = run(build / "my_simulator")
        self.assert_ran(result)
        self.assertIn("3*x^2", result.stdout)

    def test_links_by_pkg_config(self):
        self.assert_ran(self.compile((OWN / "my_simulator.cc").read_text(encoding="utf-8"), *self.flags("--cflags"), *self.flags("--libs")))
        result = run(self.folder / "program")
        self.assert_ran(result)
        self.assertIn("3*x^2", result.stdout)
        self.assertIn("0.2 0.4", result.stdout)

    def test_refuses_another_instruction_set(self):
        macros = run(COMPILER, *self.flags("--cflags"), "-dM", "-E", "-x", "c++", "/dev/null").stdout
        if "__x86_64__" not in macros:
            self.skipTest("x86-64 only")
        other = "-mno-avx512f" if "__AVX512F__" in macros else "-mavx512f"
        fits = self.flags("--cflags")
        cases = [[*fits, other], [f for f in fits if not f.startswith("-march")]]
        if "__AVX2__" in macros:
            cases.append([*fits, "-march=x86-64"])
        for flags in cases if any(f.startswith("-march") for f in fits) else cases[:1]:
            with self.subTest(flags=flags):
                result = self.compile((OWN / "my_simulator.cc").read_text(encoding="utf-8"), *flags, "-fsyntax-only")
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("This file is compiled for another instruction set than the camber library", result.stderr)

    def test_refuses_another_alignment(self):
        for define in ("-DEIGEN_MAX_ALIGN_BYTES=16", "-DEIGEN_DONT_ALIGN", "-D_GLIBCXX_DEBUG"):
            with self.subTest(define=define):
                result = self.compile((OWN / "my_simulator.cc").read_text(encoding="utf-8"), *self.flags("--cflags"), define, "-fsyntax-only")
                self.assertNotEqual(result.returncode, 0)
                self.assertRegex(result.stderr, "Eigen aligns memory differently|changes the layout of containers")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
