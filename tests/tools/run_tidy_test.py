"""clang-tidy reads a source once, and again when the source, a header of it or the settings change.

usage: run_tidy_test.py PATH_OF_RUN_TIDY [unittest arguments]
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = ""

SETTINGS = "Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: '*'\nHeaderFilterRegex: '/camber/'\n"
FILES = {
    "camber/wheel.h": "#pragma once\n#include \"camber/hub.h\"\ninline int wheel() { return hub(); }\n",
    "camber/hub.h": "#pragma once\ninline int hub() { return 4; }\n",
    "camber/wheel.cc": "#include \"camber/wheel.h\"\nint turn() { return wheel(); }\n",
    "camber/axle.cc": "int axle() { return 2; }\n",
    "generated/car.cc": "int* car = 0;\n",
}


@unittest.skipUnless(shutil.which("clang-tidy"), "needs clang-tidy")
class RunTidy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.build = self.root / "build"
        self.build.mkdir()
        (self.root / "tools").mkdir()
        shutil.copy(SCRIPT, self.root / "tools/run_tidy.py")
        self.write(".clang-tidy", SETTINGS)
        for name, text in FILES.items():
            self.write(name, text)
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.build), "file": str(self.root / name),
             "command": f"c++ -I{self.root} -c {self.root / name}"} for name in FILES if name.endswith(".cc")]))

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def tidy(self, *files):
        run = subprocess.run([sys.executable, self.root / "tools/run_tidy.py", self.build, *files],
                             capture_output=True, text=True, timeout=100, check=False)
        return run.returncode, run.stdout, run.stderr

    def test_reads_again_only_what_changed(self):
        self.assertEqual(self.tidy(), (0, "clang-tidy: 2 sources, 2 read now, 0 with findings\n", ""))
        self.assertEqual(self.tidy(), (0, "clang-tidy: 2 sources, 0 read now, 0 with findings\n", ""))
        self.write("camber/hub.h", "#pragma once\ninline int hub() { return 5; }\n")
        self.assertEqual(self.tidy(), (0, "clang-tidy: 2 sources, 1 read now, 0 with findings\n", ""))
        self.write(".clang-tidy", SETTINGS.replace("nullptr", "override"))
        self.assertEqual(self.tidy(), (0, "clang-tidy: 2 sources, 2 read now, 0 with findings\n", ""))

    def test_tells_a_finding_in_a_header_until_it_is_mended(self):
        self.write("camber/hub.h", "#pragma once\ninline int* hub() { return 0; }\n")
        self.write("camber/wheel.h", FILES["camber/wheel.h"].replace("hub()", "*hub()"))
        for _ in range(2):
            status, out, _ = self.tidy()
            self.assertEqual(status, 1)
            self.assertIn("camber/hub.h:2:28: error: use nullptr", out)
            self.assertIn("1 with findings", out)
        self.write("camber/hub.h", "#pragma once\ninline int* hub() { return nullptr; }\n")
        self.assertEqual(self.tidy()[0], 0)

    def test_reads_together_what_has_a_command_and_a_folder_in_common(self):
        # Both have a name of their own that the other has too, so that one text of both does not compile; a
        # finding is told at its place in its own file, once.
        self.write("camber/wheel.cc", "namespace { int spin() { return 3; } }\nint turn() { return spin(); }\n")
        self.write("camber/axle.cc", "namespace { int* spin() { return 0; } }\nint axle() { return *spin(); }\n")
        status, out, _ = self.tidy()
        self.assertEqual(status, 1)
        self.assertEqual(out.count("error:"), 1, out)
        self.assertIn("camber/axle.cc:1:34: error: use nullptr", out)
        self.assertIn("2 read now, 1 with findings", out)
        status, out, _ = self.tidy()
        self.assertIn("1 read now, 1 with findings", out)

    def test_tells_an_include_that_two_sources_share_from_one_that_is_twice_in_a_source(self):
        self.write(".clang-tidy", SETTINGS.replace("-*,", "-*,readability-duplicate-include,"))
        self.write("camber/axle.cc", '#include "camber/wheel.h"\nint axle() { return wheel(); }\n')
        self.assertEqual(self.tidy(), (0, "clang-tidy: 2 sources, 2 read now, 0 with findings\n", ""))
        self.write("camber/axle.cc", '#include "camber/hub.h"\nint axle() { return hub(); }\n')
        self.write("camber/wheel.cc", '#include "camber/hub.h"\n#include "camber/hub.h"\nint turn() { return hub(); }\n')
        status, out, _ = self.tidy()
        self.assertEqual(status, 1)
        self.assertIn("camber/wheel.cc:2:1: error: duplicate include", out)
        self.assertIn("2 read now, 1 with findings", out)

    def test_checks_named_files_alone(self):
        status, out, _ = self.tidy(self.root / "camber/axle.cc")
        self.assertEqual((status, out), (0, "clang-tidy: 1 sources, 1 read now, 0 with findings\n"))
        status, _, err = self.tidy(self.root / "camber/hub.h")
        self.assertEqual(status, 1)
        self.assertIn("is not compiled by", err)


if __name__ == "__main__":
    SCRIPT = sys.argv.pop(1)
    unittest.main()
