"""The include check passes a tree that keeps the order, and names the place of each way to break it.

usage: check_includes_test.py PATH_OF_CHECK_INCLUDES [unittest arguments]
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = ""

GOOD = {
    "CMakeLists.txt": "set(CAMBER_PARTS\n  camber/core\n  camber/math\n  camber/symbolic\n  camber/codegen)\n",
    "camber/core/CMakeLists.txt": "add_library(camber_core STATIC)\n",
    "camber/core/index.h": "#pragma once\n#include <vector>\n",
    "camber/math/CMakeLists.txt": "target_link_libraries(camber_math PUBLIC camber::core)\n",
    "camber/math/types.h": '#include "camber/core/index.h"\n',
    "camber/symbolic/CMakeLists.txt": "target_link_libraries(camber_symbolic\n  PUBLIC camber::core)  # all\n",
    "camber/symbolic/expr.h": '#include "camber/core/index.h"\n',
    "camber/codegen/CMakeLists.txt": "target_link_libraries(camber_codegen PUBLIC camber::symbolic)\n",
    "camber/codegen/program.cc":
        '#include "camber/codegen/program.h"\n#include <cmath>\n'
        '#include "camber/core/index.h"\n#include "camber/symbolic/expr.h"\n'
        'const char* kHeader = R"(\n#include "math.h"\n)";\n/*\n#include "old.h"\n*/\n',
}


class CheckIncludes(unittest.TestCase):
    def check(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **changes}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            stamp = pathlib.Path(folder, "stamp")
            result = subprocess.run(
                [sys.executable, CHECK, folder, "--stamp", str(stamp)], capture_output=True, text=True, timeout=60)
            self.assertEqual(stamp.exists(), result.returncode == 0)
            return result

    def assert_violation(self, changes, message):
        result = self.check(changes)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, message + "\n")

    def test_passes_neighbors_and_their_neighbors(self):
        result = self.check({})
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_passes_the_header_that_includes_every_module(self):
        result = self.check({"camber/camber.h": '#include "camber/math/types.h"\n#include "camber/codegen/program.h"\n'})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assert_violation({"camber/camber.h": '#include "camber/sensors/lidar.h"\n'},
                              "camber/camber.h:1: no module camber/sensors in the root CMakeLists.txt")

    def test_finds_a_source_that_does_not_start_with_its_header(self):
        self.assert_violation(
            {"camber/math/types.cc": '#include <cmath>\n#include "camber/math/types.h"\n'},
            'camber/math/types.cc:1: must include its own header first, "camber/math/types.h"')

    def test_finds_a_standard_header_that_is_not_included(self):
        result = self.check({"camber/math/types.h": '#include "camber/core/index.h"\nstd::vector<int> x;  // std::string\n'})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assert_violation(
            {"camber/math/types.h": '#include "camber/core/index.h"\n\nstd::string name;\n'},
            "camber/math/types.h:3: uses std::string without #include <string>")

    def test_finds_an_include_against_the_order(self):
        self.assert_violation(
            {"camber/core/index.h": '#pragma once\n\n#include "camber/symbolic/expr.h"\n'},
            "camber/core/index.h:3: core includes symbolic, which comes later in the order")

    def test_finds_an_include_of_a_module_that_is_no_neighbor(self):
        self.assert_violation(
            {"camber/codegen/test/program_test.cc": '#  include <camber/math/types.h>\n'},
            "camber/codegen/test/program_test.cc:1: codegen includes math, which it does not name as a neighbor")

    def test_finds_a_neighbor_against_the_order(self):
        self.assert_violation(
            {"camber/math/CMakeLists.txt": "\ntarget_link_libraries(camber_math PUBLIC\n camber::core\n camber::codegen)\n"},
            "camber/math/CMakeLists.txt:4: math must not need codegen, which comes later in the order")

    def test_finds_an_include_that_is_no_address(self):
        self.assert_violation(
            {"camber/math/types.h": '#include "index.h"\n'},
            'camber/math/types.h:1: include by address, "camber/<module>/...", not "index.h"')
        self.assert_violation(
            {"camber/math/types.h": '#include "apps/camber/commands.h"\n'},
            'camber/math/types.h:1: include by address, "camber/<module>/...", not "apps/camber/commands.h"')

    def test_finds_modules_that_the_root_does_not_list(self):
        self.assert_violation(
            {"camber/math/types.h": '#include "camber/physics/units.h"\n'},
            "camber/math/types.h:1: no module camber/physics in the root CMakeLists.txt")
        self.assert_violation(
            {"camber/physics/units.h": "#pragma once\n"},
            "camber/physics/units.h:1: no module camber/physics in the root CMakeLists.txt")


if __name__ == "__main__":
    CHECK = os.path.abspath(sys.argv.pop(1))
    unittest.main()
