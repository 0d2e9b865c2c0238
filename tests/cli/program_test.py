"""Runs the program as a user does: exit status, stdout, stderr.

usage: program_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

CAMBER = ""
FLAT = b'kind = "terrain"\nname = "plane"\n[terrain]\nkind = "flat"\n'


def run(*arguments, **options):
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=60, **options)


class Usage(unittest.TestCase):
    def test_version_is_printed(self):
        result = run("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^camber \d+\.\d+\.\d+\n$")
        self.assertEqual(result.stderr, "")

    def test_help_names_commands_and_exit_status(self):
        result = run("--help")
        self.assertEqual(result.returncode, 0)
        for word in ("check", "Examples:", "Exit status:", "--version"):
            self.assertIn(word, result.stdout)

    def test_help_of_every_command_has_an_example_of_it(self):
        listing = run("--help").stdout.split("Subcommands:\n")[1].split("\n\n")[0]
        commands = [line.split()[0] for line in listing.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertIn("check", commands)
        for command in commands:
            with self.subTest(command=command):
                result = run(command, "--help")
                self.assertEqual(result.returncode, 0)
                self.assertRegex(result.stdout, rf"Examples?:\n  camber {command}\b")

    def assert_usage_error(self, arguments, message):
        result = run(*arguments)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "")
        self.assertIn(message, result.stderr)

    def test_no_command(self):
        self.assert_usage_error([], "camber: no command given\nTry `camber --help`.\n")

    def test_unknown_command_gets_a_suggestion(self):
        self.assert_usage_error(
            ["chekc", "a.toml"], 'camber: unknown command "chekc"; did you mean "check"?\nTry `camber --help`.\n')
        self.assert_usage_error(["fly"], 'camber: unknown command "fly"\n')

    def test_unknown_option_gets_a_suggestion(self):
        self.assert_usage_error(["--verson"], 'camber: unknown option "--verson"; did you mean "--version"?\n')
        self.assert_usage_error(
            ["check", "--jsn", "a.toml"],
            'camber: unknown option "--jsn"; did you mean "--json"?\nTry `camber check --help`.\n')

    def test_missing_argument(self):
        self.assert_usage_error(["check"], "FILE is required")

    def test_zero_is_not_taken_for_an_option_that_was_left_out(self):
        self.assert_usage_error(["run", "scenarios/step-steer.toml", "--checkpoint", "0"], "--checkpoint: must be > 0 s, got 0")
        self.assert_usage_error(["rig", "models/hmmwv.toml", "--radius", "0"], "--radius: must be > 0 m, got 0")

    # The C library's functions with fused multiply-add differ in last digits: after 60 s on hills the hash did.
    def test_reproducible_drives_have_the_same_bits_with_other_functions_of_the_c_library(self):
        hashes = set()
        for tunables in ("", "glibc.cpu.hwcaps=-FMA,-AVX2"):
            with tempfile.TemporaryDirectory() as parent:
                folder = os.path.join(parent, "run")
                result = subprocess.run([CAMBER, "--reproducible", "run", "scenarios/off-road-hills.toml", "-o", folder],
                                        capture_output=True, text=True, timeout=100, env={**os.environ, "GLIBC_TUNABLES": tunables})
                self.assertEqual(result.returncode, 0, result.stderr)
                with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
                    summary = json.load(file)
                self.assertIn("-FMA", summary["versions"]["instructions"])
                hashes.add(summary["final_state_hash"])
        self.assertEqual(len(hashes), 1)

    # It would be found after hours: figures and report take the log into memory.
    def test_a_log_that_fits_into_no_memory_is_refused_before_the_run(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = os.path.join(parent, "run")
            self.assert_usage_error(["run", "scenarios/step-steer.toml", "--for", "1e6", "-o", folder], "GB, expected at most 8 GB")
            self.assertFalse(os.path.exists(folder))

    def test_output_that_cannot_be_written_is_a_failed_run(self):
        model = "models/quarter-car.toml"
        for arguments in (["--version"], ["--help"], ["check", model], ["check", "--json", model], ["demo"],
                          ["derive", model], ["expr", "x^2"], ["modes", model]):
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="utf-8") as full:
                result = subprocess.run(
                    [CAMBER, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr, "camber: cannot write to standard output\n")


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def test_good_file_says_its_kind(self):
        path = self.write("flat.toml", FLAT)
        result = run("check", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, f'{path}: ok, kind "terrain"\n')

    def test_lagrangian_models_are_checked_in_full(self):
        text = b"""kind = "lagrangian"
name = "pendulum"
coordinates = ["q"]
[parameters]
l = 0.7
[frames]
rod = { motion = [{ rotate = "q", about = "w" }] }
[points]
tip = { frame = "rod", at = [0, "-L", 0] }
[bodies]
bob = { center = "tip", mass = 2.5 }
"""
        path = self.write("bad.toml", text)
        result = run("check", path)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f'{path}:7:43: frames.rod.motion[0].about: ', result.stderr)
        self.assertIn(f'{path}:9:35: points.tip.at[1]: unknown name "L"', result.stderr)
        good = self.write("good.toml", text.replace(b'"w"', b'"z"').replace(b"-L", b"-l"))
        self.assertEqual(run("check", good).stdout, f'{good}: ok, kind "lagrangian"\n')

    def test_mechanisms_are_checked_in_full(self):
        text = b"""kind = "mechanism"
name = "pendulum"
[bodies]
bob = { mass = -2.5, center = [0.1, 0.3, 0.2] }
[joints]
pivot = { type = "revolute", child = "bbo", at = [0, 0, 0], axis = "x", damping = "2*c" }
"""
        path = self.write("bad.toml", text)
        result = run("check", path)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr,
                         f'{path}:4:16: bodies.bob.mass: must be >= 0 kg, got -2.5\n'
                         f'{path}:6:38: joints.pivot.child: no body "bbo"; did you mean "bob"?\n'
                         f'{path}:6:86: joints.pivot.damping: unknown name "c"\n')
        good = self.write("good.toml", text.replace(b"bbo", b"bob").replace(b"-", b"").replace(b"*c", b"*3"))
        self.assertEqual(run("check", good).stdout, f"""{good}: ok, kind "mechanism"
  1 degree of freedom
  fa: cannot be used: body "bob" needs mass and inertia about every axis, since all its motions are coordinates
  ta: 1 coordinate, 0 constraints
  ce: 1 coordinate, 0 constraints
""")

    def test_mistakes_of_a_mechanism_as_a_whole_have_their_places(self):
        head = b"""kind = "mechanism"
name = "m"
[bodies]
a = { mass = 1.2, inertia = [1, 1.1, 1.3] }
b = { mass = 1.1, inertia = [1, 1.1, 1.4] }
[joints]
"""
        driven = head + b"""j1 = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z", motion = "t" }
j2 = { type = "revolute", child = "b", at = [1, 0, 0], axis = "z", motion = "2*t" }
"""
        one = b'j1 = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }\n'
        for name, text, place, words in [
                ("gear", driven + b'[couplers]\nc = { gear = ["j1", "j2"], ratio = 1 }\n', "10:5: couplers.c",
                 ["contradicts the given motion of", '"j1", "j2"']),
                ("rod", driven + b'[rods]\nr = { b = "a", points = [[3, 0, 0], [1, 0, 0]] }\n', "10:5: rods.r",
                 ["contradicts the given motion of", '"j1"']),
                ("circle", head + b'j1 = { type = "revolute", parent = "a", child = "b", at = [0, 0, 0], axis = "z" }\n'
                 b'j2 = { type = "revolute", parent = "b", child = "a", at = [1, 0, 0], axis = "z" }\n', "4:5: bodies.a",
                 ["circle"]),
                ("open", head + one + b'[rods]\nr = { a = "a", b = "b", points = [[1, 0, 0], [1, 0, 0]], length = 5 }\n'
                 b'r2 = { a = "a", b = "b", points = [[1, 0, 0], [1, 0, 0]], length = 4 }\n', "rods.r", ["cannot be assembled"]),
                ("point", head.replace(b", inertia = [1, 1.1, 1.3]", b"") + one, "7:6: joints.j1",
                 ["moves no inertia"]),
                ("heavy", head.replace(b"1.2,", b"1e308,") + one, "4:14: bodies.a.mass", ["<= 1e60 kg"]),
        ]:
            with self.subTest(name):
                path = self.write(name + ".toml", text)
                result = run("check", path)
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertIn(f"{path}:", result.stderr)
                self.assertIn(place, result.stderr)
                for word in words:
                    self.assertIn(word, result.stderr)

    def test_robots_take_what_urdf_leaves_open(self):
        robot = "models/robot-arm.urdf"
        fixed = run("check", robot)
        self.assertIn("--set robot.stop_stiffness", fixed.stdout)
        self.assertIn("5 degrees of freedom", fixed.stdout)
        # Its base has no mass, and so cannot float.
        result = run("check", robot, "--set", "robot.floating_base=true")
        self.assertEqual(result.returncode, 2)
        self.assertIn("moves no inertia", result.stderr)
        with open(robot, encoding="utf-8") as file:
            text = file.read()
        inertial = ('<inertial><origin xyz="0.02 0.01 0.03"/><mass value="9.5"/><inertia ixx="0.11" ixy="0" ixz="0" '
                    'iyy="0.12" iyz="0" izz="0.15"/></inertial>')
        heavy = self.write("heavy.urdf", text.replace(
            '<link name="base_link"/>', f'<link name="base_link">{inertial}</link>').encode())
        free = run("check", heavy, "--set", "robot.floating_base=true", "--set", "robot.stop_stiffness=2000",
                   "--set", "robot.stop_damping=5")
        self.assertIn("11 degrees of freedom", free.stdout)
        self.assertNotIn("stop_stiffness", free.stdout)
        for arguments, words in [
                (["models/four-bar.toml", "--set", "robot.floating_base=true"], "unknown key"),
                ([robot, "--set", "robot.stop_stiffness=-3"], "robot.stop_stiffness: must be > 0 N m/rad or N/m, got -3"),
                ([robot, "--set", "robot.stop_damping=3"], "goes with robot.stop_stiffness"),
                ([robot, "--set", "robot.stop_stifness=3"], 'did you mean "stop_stiffness"?'),
                ([robot, "--set", "run.step=-3"], "run.step: must be > 0 s, got -3"),
                ([robot, "--floating-base"], "--floating-base: now a key: --set robot.floating_base=true"),
                ([robot, "--stop-damping", "3"], "--stop-damping: now a key: --set robot.stop_damping=3")]:
            result = run("check", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)
        path = self.write("zero.urdf", b"""<robot name="r">
<link name="a"/>
<link name="b"><inertial><mass value="1"/>
<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
</robot>
""")
        result = run("check", path)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"{path}:5:1: joint j: ", result.stderr)

    # They were "ok", since no reader had looked at them.
    def test_file_without_kind_or_of_an_unknown_one(self):
        kinds = "it is one of scenario, mechanism, vehicle, equipment, lagrangian, rolling_wheel, scene, terrain, tire, plan, city, study"
        for content, message in [(b"mass = 2345.5\n", f" kind: missing; {kinds}"), (b"", f" kind: missing; {kinds}"),
                                 (b'\nkind = "mechanis"\n',
                                  f'2:8: kind: there is no kind "mechanis"; did you mean "mechanism"?; {kinds}')]:
            path = self.write("plain.toml", content)
            result = run("check", path)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (2, "", f"{path}:{message}\n"))
        self.assertEqual(run("check", "/dev/null").returncode, 2)

    def test_bad_files_are_reported_with_their_places_and_good_ones_still_checked(self):
        bad = self.write("bad.toml", b"mass = 3\nmass = 4\n")
        wrong = self.write("wrong.toml", b"\n kind = 7\n")
        good = self.write("good.toml", FLAT.replace(b"\n", b"\r\n"))
        result = run("check", bad, wrong, good)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, f'{good}: ok, kind "terrain"\n')
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[0].startswith(f"{bad}:2:8: not valid TOML"), lines[0])
        self.assertEqual(lines[1], f"{wrong}:2:9: kind: expected a text, found integer 7")

    def test_what_is_no_file(self):
        missing = os.path.join(self.folder, "none.toml")
        result = run("check", missing)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, f"{missing}: cannot read: No such file or directory\n")
        self.assertEqual(run("check", self.folder).stderr, f"{self.folder}: cannot read: Is a directory\n")

    # The kind used to be read first and the model from a second opening of the file, where a pipe has
    # nothing left.
    def test_a_model_may_come_through_a_pipe(self):
        with open("models/quarter-car.toml", encoding="utf-8") as model:
            result = run("check", "/dev/stdin", input=model.read())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, '/dev/stdin: ok, kind "lagrangian"\n')

    def test_hostile_files_end_with_a_message(self):
        for name, content in {
            "dots": b"a." * 150_000 + b"a = 1",
            "brackets": b"a = " + b"[" * 300_000,
            "braces": b"a = " + b"{a=" * 300_000,
            "nul": b"a = 1\0",
            "latin1": b"a = '\xe9'",
            "big": b"#" * (9 << 20),
        }.items():
            with self.subTest(name=name):
                result = run("check", self.write(name, content))
                self.assertEqual(result.returncode, 2)
                self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_json_for_good_and_bad_files(self):
        good = self.write("good.toml", FLAT)
        bad = self.write("bad.toml", b"a = 1\nb = [1, \xc3\xa9]\n")
        result = run("check", "--json", good, bad)
        self.assertEqual((result.returncode, result.stderr), (2, ""))
        files = json.loads(result.stdout)["files"]
        self.assertEqual(files[0], {"file": good, "ok": True, "kind": "terrain", "diagnostics": []})
        self.assertFalse(files[1]["ok"])
        finding = files[1]["diagnostics"][0]
        self.assertEqual((finding["severity"], finding["line"], finding["column"]), ("error", 2, 9))
        result = run("check", "--json", good)
        self.assertEqual(json.loads(result.stdout), {"file": good, "ok": True, "kind": "terrain", "diagnostics": []})

    def test_json_has_the_sizes_of_each_formulation(self):
        result = run("check", "--json", "models/hmmwv.toml")
        self.assertEqual(json.loads(result.stdout)["formulations"], {
            "fa": {"coordinates": 216, "constraints": 201}, "ta": {"coordinates": 45, "constraints": 30},
            "ce": {"coordinates": 15, "constraints": 0}})


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
