"""The package installer asks apt for what is missing, once, and for nothing when all is there.

dpkg-query, apt-get, id and sudo are small scripts here that log how they were called.

usage: install_packages_test.py PATH_OF_INSTALL_PACKAGES [unittest arguments]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = ""

LIST = "# tools\ncmake\n\nninja-build  # builder\nlibgtest-dev\n"
DPKG_QUERY = """#!/bin/bash
echo "installed cmake"
echo "config-files ninja-build"
exit 1
"""
ALL_THERE = """#!/bin/bash
printf 'installed %s\\n' cmake ninja-build libgtest-dev
"""
PROVIDED = """#!/bin/bash
echo "installed cmake, "
echo "config-files libgtest-dev, ninja-build (= 3)"
echo "installed gtest-from-elsewhere, libgtest (= 1.2), libgtest-dev (= 1.2), gtest"
echo "installed ninja-build, "
"""
APT_GET = """#!/bin/bash
echo "$DEBIAN_FRONTEND apt-get $*" >> "$LOG"
"""
SUDO = """#!/bin/bash
echo "sudo" >> "$LOG"
exec "$@"
"""


class InstallPackages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "packages.txt").write_text(LIST, encoding="utf-8")
        for tool in ("bash", "env", "sed", "grep"):
            (self.folder / tool).symlink_to(shutil.which(tool))

    def run_with(self, user=0, sections=(), **tools):
        tools["id"] = f"#!/bin/bash\necho {user}\n"
        for name, text in tools.items():
            path = self.folder / name.replace("_", "-")
            path.write_text(text, encoding="utf-8")
            path.chmod(0o755)
        log = self.folder / "log"
        result = subprocess.run(
            [self.folder / "bash", SCRIPT, self.folder / "packages.txt", *sections], capture_output=True, text=True,
            timeout=60, env={"PATH": str(self.folder), "LOG": str(log)})
        return result, log.read_text(encoding="utf-8").splitlines() if log.exists() else []

    def test_installs_what_is_missing(self):
        result, log = self.run_with(dpkg_query=DPKG_QUERY, apt_get=APT_GET)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(log, [
            "noninteractive apt-get -q -o DPkg::Lock::Timeout=300 update",
            "noninteractive apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "
            "ninja-build libgtest-dev"])

    def test_installs_the_sections_that_are_asked_for(self):
        (self.folder / "packages.txt").write_text(
            "[run]\ncmake\nninja-build  # builder\n[test]\n# checks\nlibgtest-dev\npython3\n[bench]\npython3\nlibbenchmark-dev\n",
            encoding="utf-8")
        for sections, packages in ((["run"], "ninja-build"),
                                   (["run", "bench"], "ninja-build python3 libbenchmark-dev"),
                                   (["test", "bench"], "libgtest-dev python3 libbenchmark-dev"),
                                   ([], "ninja-build libgtest-dev python3 libbenchmark-dev")):
            with self.subTest(sections=sections):
                (self.folder / "log").unlink(missing_ok=True)
                result, log = self.run_with(sections=sections, dpkg_query=DPKG_QUERY, apt_get=APT_GET)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(log[1].split("--no-install-recommends ")[1], packages)

    def test_refuses_a_section_that_is_not_there(self):
        result, log = self.run_with(sections=["run"], dpkg_query=DPKG_QUERY, apt_get=APT_GET)
        self.assertEqual((result.returncode, log), (2, []))
        self.assertIn("packages.txt has no section [run]", result.stderr)

    def test_a_drive_needs_no_browser_and_no_peers(self):
        """What `make run` installs, by the list itself."""
        root = pathlib.Path(SCRIPT).parent.parent
        shutil.copy(root / "packages.txt", self.folder / "packages.txt")
        result, _ = self.run_with(sections=["run"])  # without dpkg: says what it would install
        needed = result.stderr.split("install these yourself: ")[1].split()
        self.assertIn("libeigen3-dev", needed)
        heavy = {"chromium", "clang", "gfortran", "libgtest-dev", "libbenchmark-dev", "libmujoco-dev", "libsimbody-dev",
                 "nodejs", "npm", "python3-sympy"}
        self.assertEqual(heavy & set(needed), set())
        result, _ = self.run_with()
        self.assertLessEqual(heavy, set(result.stderr.split()))

    def test_does_nothing_when_all_is_there(self):
        result, log = self.run_with(dpkg_query=ALL_THERE, apt_get=APT_GET)
        self.assertEqual((result.returncode, result.stderr, log), (0, "", []))

    def test_takes_what_another_package_provides(self):
        result, log = self.run_with(dpkg_query=PROVIDED, apt_get=APT_GET)
        self.assertEqual((result.returncode, result.stderr, log), (0, "", []))

    def test_goes_through_sudo_for_a_user(self):
        result, log = self.run_with(user=1000, dpkg_query=DPKG_QUERY, apt_get=APT_GET, sudo=SUDO)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(log[0::2], ["sudo", "sudo"])

    def test_tells_a_user_without_sudo_what_to_do(self):
        result, log = self.run_with(user=1000, dpkg_query=DPKG_QUERY, apt_get=APT_GET)
        self.assertEqual((result.returncode, log), (1, []))
        self.assertIn("as root run: apt-get install ninja-build libgtest-dev", result.stderr)

    def test_goes_on_where_there_is_no_apt(self):
        result, _ = self.run_with()
        self.assertEqual(result.returncode, 0)
        self.assertIn("install these yourself: cmake ninja-build libgtest-dev", result.stderr)
        result, _ = self.run_with(dpkg_query=DPKG_QUERY)
        self.assertEqual(result.returncode, 0)
        self.assertIn("install these yourself: ninja-build libgtest-dev", result.stderr)


if __name__ == "__main__":
    SCRIPT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
