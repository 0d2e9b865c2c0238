"""Runs `camber run`, `camber check` and `camber modes` on mechanisms as a user does, and reads the log with h5py.

usage: run_command_test.py PATH_OF_CAMBER [unittest arguments]
"""

import json
import math
import os
import re
import signal
import time

import h5py
import numpy

from run_folder import Folder, main, run, start

# 0.4 kg on a spring that wants steps below 0.4 ms.
ENDING = """kind = "mechanism"
name = "ending"
[bodies]
a = { mass = 1.3, inertia = [0.1, 0.12, 0.13] }
b = { mass = 0.7, inertia = [0.1, 0.12, 0.13] }
[joints]
slide = { type = "prismatic", child = "a", axis = "z", motion = "sqrt(0.5 - t)" }
arm = { type = "revolute", child = "b", at = [0, 0.1, 0], axis = "x", position = 0.7 }
"""

STIFF = """kind = "mechanism"
name = "stiff"
[bodies.mass]
mass = 0.4
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[joints]
rail = { type = "prismatic", child = "mass", at = [0, 0, 0], axis = "x", position = 0.3, stiffness = 1e7 }
"""

# A loop that opens: the crank is driven around, but the coupler is too short to let it pass.
BLOCKED = """kind = "mechanism"
name = "blocked"
[points]
A = [0, 0, 0]
B = [0, 0, 0.5]
C = [0.8, 0, 0.5]
D = [0.8, 0, 0]
[bodies]
crank = { mass = 1.1, rod = { from = "A", to = "B", radius = 0.02 } }
coupler = { mass = 1.2, rod = { from = "B", to = "C", radius = 0.02 } }
rocker = { mass = 0.3, rod = { from = "D", to = { between = ["D", "C"], part = 0.5 }, radius = 0.02 } }
[joints]
crank = { type = "revolute", child = "crank", at = "A", axis = "y", motion = "t" }
knee = { type = "revolute", parent = "crank", child = "coupler", at = "B", axis = "y" }
rocker = { type = "revolute", child = "rocker", at = "D", axis = "y" }
[rods]
last = { a = "coupler", b = "rocker", points = ["C", { between = ["D", "C"], part = 0.5 }] }
"""

SPRING = """kind = "mechanism"
name = "mass_on_spring"
[bodies.mass]
mass = 3.7
inertia = [0.2, 0.3, 0.4, 0, 0, 0]
[joints]
rail = { type = "prismatic", child = "mass", at = [0, 0, 0], axis = "x", stiffness = 812, damping = 21 }
"""


class Runs(Folder):
    def test_formulations_agree_and_h5py_reads_them(self):
        poses = {}
        sizes = {"ce": (1, 0), "ta": (3, 2), "fa": (18, 17)}
        for formulation, (coordinates, constraints) in sizes.items():
            with self.subTest(formulation=formulation):
                folder = self.path(formulation)
                result = run("run", "models/four-bar.toml", "--for", "1", "--formulation", formulation, "-o", folder)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertEqual(result.stdout.splitlines()[0], folder)
                summary = self.summary(folder)
                self.assertEqual((summary["status"], summary["degrees_of_freedom"], summary["formulation"]),
                                 ("done", 1, formulation))
                self.assertEqual((summary["coordinates"], summary["constraints"]), (coordinates, constraints))
                self.assertEqual((summary["steps"], summary["evaluations"], summary["samples"]), (1000, 4000, 101))
                self.assertEqual(len(summary["redundant"]), 3)
                self.assertLess(summary["largest_position_error"], 1e-10)
                self.assertLess(summary["largest_speed_error"], 1e-9)
                with h5py.File(os.path.join(folder, "log.h5")) as log:
                    self.assertEqual(log["complete"][()], 1)
                    self.assertEqual(log.attrs["formulation"], formulation)
                    with open("models/four-bar.toml", encoding="utf-8") as model:
                        self.assertEqual(log.attrs["model_text"], model.read())
                    numpy.testing.assert_allclose(log["time"], numpy.arange(101) * 0.01, atol=1e-12)
                    self.assertEqual(list(log["bodies/poses"].attrs["row_names"]), ["crank", "coupler", "rocker"])
                    poses[formulation] = log["bodies/poses"][...]
                    q, v, v_dot = (log["coordinates/" + name] for name in ("q", "v", "v_dot"))
                    self.assertEqual(len(q.attrs["names"]), q.shape[1])
                    self.assertEqual(len(v_dot.attrs["units"]), v_dot.shape[1])
                    if formulation != "fa":
                        self.assertEqual(list(q.attrs["names"]), ["crank", "rocker", "knee"])
                        self.assertEqual(set(v.attrs["units"]), {"rad/s"})
                        self.assertEqual(log["joints/reactions"].shape, (101, 4, 6))
                        self.assertTrue(numpy.isfinite(log["joints/reactions"]).all())
                        # The channels belong together: rates by differences.
                        numpy.testing.assert_allclose((q[2:] - q[:-2]) / 0.02, v[1:-1], atol=0.05)
                    energies = log["energies"][...]
                    numpy.testing.assert_allclose(energies[:, :3].sum(axis=1), energies[:, 3], atol=1e-12)
                self.assertTrue(os.path.getsize(os.path.join(folder, "report.html")) > 10000)
        for formulation in ("ta", "fa"):
            numpy.testing.assert_allclose(poses[formulation][:, :, :3], poses["ce"][:, :, :3], atol=1e-8)

    def test_runs_a_rolling_wheel_under_each_law(self):
        last_speeds = {"relaxed": 9.80121, "events": 9.80121, "regularized": 9.80121, "printed": -4.5911}
        for law, speed in last_speeds.items():
            with self.subTest(law=law):
                folder = self.path(law)
                result = run("run", "scenarios/rolling-wheel-fig4.toml", "--set", "law=" + law, "-o", folder)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                summary = self.summary(folder)
                self.assertEqual((summary["status"], summary["law"], summary["samples"]), ("done", law, 2001))
                self.assertAlmostEqual(summary["last_speed"], speed, places=3)
                self.assertLess(summary["energy_error"], 1e-8)
                with h5py.File(os.path.join(folder, "log.h5")) as log:
                    self.assertEqual(list(log["velocities"].attrs["names"]), ["wheel x'", "rim R theta'"])
                    self.assertEqual(log["forces"].shape, (2001, 4))
                with open(os.path.join(folder, "report.html"), encoding="utf-8") as report:
                    text = report.read()
                for words in ("T_m/R", "mu N", "contact force", "relaxation", "distance"):
                    self.assertIn(words, text)
        result = run("run", "scenarios/rolling-wheel-fig6.toml", "-o", self.path("braking"))
        self.assertRegex(result.stdout, r"stops 2\S* s and 6.692 m after t = 15 s")

    def test_relaxed_constraints_choose_their_formulation(self):
        result = run("run", "scenarios/clutch.toml", "--for", "2", "-o", self.path("clutch"), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["formulation"], "uk")
        result = run("run", "scenarios/clutch.toml", "--for", "2", "--formulation", "ce", "-o", self.path("no"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("relaxes: that needs the formulation uk, not ce", result.stderr)
        result = run("check", "scenarios/clutch.toml", "scenarios/rolling-wheel-fig4.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("uk: 2 coordinates, 1 constraint", result.stdout)

    def test_a_wheel_that_cannot_be_is_a_bad_file(self):
        with open("scenarios/rolling-wheel-fig4.toml", encoding="utf-8") as file:
            good = file.read()
        for wrong, message in ((good.replace("radius = 0.3", "radius = 0"), "wheel.radius: must be > 0 m, got 0"),
                               (good.replace("mass = 25", "mass = 0"), "wheel.mass: must be > 0 kg, got 0"),
                               (good.replace("mu_l = 0.3", "mu_l = -0.3"), "ground.mu: must be >= 0, got -0.")):
            path = self.write("wheel.toml", wrong)
            result = run("run", path, "-o", self.path("none"))
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, "wheel.toml:[0-9]+:[0-9]+: " + message.replace(">", "\\>"))
        result = run("run", "models/four-bar.toml")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--for", result.stderr)

    def test_keeps_the_energy_of_a_pendulum_chain_and_prints_json(self):
        result = run("run", "models/pendulum-chain.toml", "--for", "1", "--method", "dopri", "--tolerance", "1e-10",
                     "-o", self.path("chain"), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertEqual(summary.pop("folder"), self.path("chain"))
        self.assertEqual(summary, self.summary(self.path("chain")))
        if summary["energy"]["conservative"]:
            self.assertLess(summary["energy"]["relative_drift"], 1e-6)
        self.assertGreater(summary["real_time_factor"], 0)

    def test_robot_in_urdf(self):
        result = run("run", "models/robot-arm.urdf", "--for", "0.2", "-o", self.path("robot"), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["status"], "done")

    def test_log_of_a_model_from_a_pipe_holds_its_text(self):
        with open("models/four-bar.toml", encoding="utf-8") as file:
            model = file.read()
        folder = self.path("piped")
        result = run("run", "/dev/stdin", "--for", "0.1", "-o", folder, input=model)
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            self.assertEqual(log.attrs["model_text"], model)

    def test_vehicles_fall_unless_they_stand(self):
        result = run("run", "models/hmmwv.toml", "--for", "0.1", "-o", self.path("falls"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: the vehicle has nothing to stand on: --standing puts", result.stderr)
        result = run("run", "models/hmmwv.toml", "--standing", "--for", "4", "-o", self.path("stands"))
        self.assertEqual((result.returncode, "note" in result.stderr), (0, False), result.stderr)
        with h5py.File(os.path.join(self.path("stands"), "log.h5")) as log:
            at = list(log["coordinates/q"].attrs["names"]).index("chassis.z")
            height = log["coordinates/q"][-1, at]
        # From where it began, at rest on its tires: their curve gives way by 0.0307 m under 2597 kg 9.81 m/s^2 / 4, and
        # springs of 272 kN/m by 0.0234 m.
        self.assertAlmostEqual(height, 0.0073, delta=2e-4)

    def test_a_vehicle_runs_by_code_of_its_own(self):
        poses = []
        for formulation in ["ce", "generated"]:
            folder = self.path(formulation)
            result = run("run", "models/hmmwv.toml", "--standing", "--for", "0.5", "--formulation", formulation, "-o", folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"hmmwv, {formulation}: 15 degrees of freedom", result.stdout)
            self.assertEqual(self.summary(folder)["formulation"], formulation)
            with h5py.File(os.path.join(folder, "log.h5")) as log:
                self.assertEqual(log.attrs["formulation"], formulation)
                poses.append(log["bodies/poses"][:])
        self.assertGreater(numpy.abs(poses[0][-1] - poses[0][0]).max(), 1e-3)  # it settles
        numpy.testing.assert_allclose(poses[1], poses[0], atol=1e-9)
        for arguments, words in [
            (["models/four-bar.toml", "--formulation", "generated"], "generated is for vehicles"),
            (["models/hmmwv.toml", "--formulation", "generated", "--set", "run.stabilization=none"], "has no loops to keep"),
        ]:
            result = run("run", *arguments, "--for", "1")
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)

    def test_lagrangian_model(self):
        folder = self.path("pendulum")
        result = run("run", "models/double-pendulum.toml", "--for", "1", "--tolerance", "1e-10", "-o", folder, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertEqual((summary["status"], summary["samples"]), ("done", 101))
        self.assertLess(summary["energy"]["drift"], 1e-6)
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            self.assertEqual(list(log["coordinates/q"].attrs["names"]), ["a", "b"])
            q, v = log["coordinates/q"][...], log["coordinates/v"][...]
            numpy.testing.assert_allclose((q[2:] - q[:-2]) / 0.02, v[1:-1], rtol=0.05, atol=0.05)
        self.assertTrue(os.path.exists(os.path.join(folder, "report.html")))

    def test_every_kind_has_the_same_head_in_its_summary(self):
        for file, kind, name in (("models/four-bar.toml", "mechanism", "four_bar"),
                                 ("models/motorcycle.toml", "lagrangian", "motorcycle"),
                                 ("scenarios/rolling-wheel-fig4.toml", "rolling_wheel", "rolling-wheel-fig4"),
                                 ("scenarios/step-steer.toml", "drive", "step-steer")):
            with self.subTest(kind=kind):
                folder = self.path(kind)
                run("run", file, "--for", "0.1", "-o", folder)
                summary = self.summary(folder)
                self.assertEqual((summary["kind"], summary["status"], summary["file"]), (kind, "done", file))
                self.assertEqual((summary["name"], summary["time"], summary["overrides"]), (name, 0.1, []))
                for key in ("formulation", "method", "duration", "samples", "steps", "rejected_steps", "evaluations",
                            "wall_time", "real_time_factor", "program", "versions", "page"):
                    self.assertIn(key, summary)
                self.assertEqual("step" in summary, kind in ("mechanism", "drive"))
                self.assertEqual("tolerance" in summary, kind in ("lagrangian", "rolling_wheel"))

    def test_the_same_run_gives_the_same_log(self):
        logs = []
        for name in ("a", "b"):
            run("run", "models/four-bar.toml", "--for", "0.1", "-o", self.path(name))
            with open(os.path.join(self.path(name), "log.h5"), "rb") as file:
                logs.append(file.read())
        self.assertEqual(logs[0], logs[1])

    def test_folders_are_numbered_and_not_overwritten(self):
        model = os.path.abspath("models/four-bar.toml")
        for number in ("001", "002"):
            result = run("run", model, "--for", "0.05", cwd=self.folder)
            self.assertEqual(result.stdout.splitlines()[0], "runs/four-bar-" + number)
        result = run("run", model, "--for", "0.05", "-o", "runs/four-bar-001", cwd=self.folder)
        self.assertEqual(result.returncode, 2)


class Failures(Folder):
    def test_diverging_run_keeps_its_last_good_state(self):
        model = self.write("stiff.toml", STIFF)
        folder = self.path("run")
        result = run("run", model, "--for", "100", "--step", "0.01", "-o", folder)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("the run failed: ", result.stderr)
        self.assertIn(folder, result.stderr)
        summary = self.summary(folder)
        self.assertEqual(summary["status"], "failed")
        self.assertIn("at t = ", summary["reason"])
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            self.assertEqual(log["complete"][()], 1)
            self.assertAlmostEqual(log["time"][-1], summary["time"])
            self.assertTrue(numpy.isfinite(log["coordinates/q"][...]).all())
        self.assertTrue(os.path.exists(os.path.join(folder, "report.html")))

    # rk4 multiplies the energy of an oscillator by 1.4 per step where rate times step is 2.9.
    def test_energy_from_nowhere_is_warned_of(self):
        model = self.write("stiff.toml", STIFF.replace("1e7", "33640"))
        for arguments in ([], ["--json"]):
            folder = self.path("run" + "".join(arguments))
            result = run("run", model, "--for", "0.05", "--step", "0.01", "-o", folder, *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            warnings = self.summary(folder)["warnings"]
            self.assertEqual(len(warnings), 2)
            self.assertIn("the energy, which nothing feeds, rose by ", warnings[0])
            self.assertIn("steps of 0.01 s do not follow the motion: the errors of ", warnings[1])
            self.assertIn("take --method bdf", warnings[1])
            self.assertEqual(result.stderr, "".join(f"warning: {text}\n" for text in warnings))

    def test_singular_end_of_a_motion(self):
        model = self.write("ending.toml", ENDING)
        for method in ("rk4", "dopri", "adams", "bdf"):
            with self.subTest(method=method):
                folder = self.path(method)
                result = run("run", model, "--for", "1", "--method", method, "-o", folder)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn("at t = ", self.summary(folder)["reason"])
                with h5py.File(os.path.join(folder, "log.h5")) as log:
                    self.assertGreater(log["time"][-1], 0.48)
                    self.assertTrue(numpy.isfinite(log["bodies/poses"][...]).all())
                    self.assertTrue(numpy.isfinite(log["energies"][...]).all())

    def test_loop_that_cannot_go_on(self):
        model = self.write("blocked.toml", BLOCKED)
        for formulation in ("ce", "ta", "fa"):
            with self.subTest(formulation=formulation):
                folder = self.path(formulation)
                result = run("run", model, "--for", "10", "--formulation", formulation, "-o", folder, "--json")
                self.assertEqual(result.returncode, 1, result.stdout)
                summary = json.loads(result.stdout)
                self.assertEqual(summary["status"], "failed")
                self.assertLess(summary["time"], 10)
                with h5py.File(os.path.join(folder, "log.h5")) as log:
                    self.assertAlmostEqual(log["time"][-1], summary["time"])

    def test_interrupt_closes_the_log(self):
        folder = self.path("run")
        process = start("run", "models/four-bar.toml", "--for", "100000", "-o", folder)
        deadline = time.monotonic() + 30
        while not os.path.exists(os.path.join(folder, "log.h5")) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted (SIGINT) at t = ", stderr)
        summary = self.summary(folder)
        self.assertEqual(summary["status"], "stopped")
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            self.assertEqual(log["complete"][()], 1)
            self.assertAlmostEqual(log["time"][-1], summary["time"])

    def test_bad_files_and_options(self):
        bad = self.write("bad.toml", STIFF.replace("mass = 0.4", "mass = -0.4"))
        for arguments, message in [
                ([bad], f"{bad}:4:8: bodies.mass.mass: "),
                ([self.path("none.toml")], "cannot read: No such file"),
                ([self.write("study.toml", 'kind = "study"')], 'is of kind "study"; camber run simulates files of kind'),
                (["models/motorcycle.toml", "--formulation", "ta"], "--formulation and run.stabilization are for mechanisms"),
                (["models/motorcycle.toml", "--method", "rk4"], "a lagrangian model runs by dopri, adams or bdf, not rk4"),
                (["models/motorcycle.toml", "--step", "0.01"], "is a lagrangian model, whose steps follow --tolerance"),
                (["scenarios/rolling-wheel-fig4.toml", "--step", "0.01"], "is a rolling wheel, whose steps follow --tolerance"),
                (["scenarios/rolling-wheel-fig4.toml", "--method", "rk4"], "a rolling wheel runs by dopri, adams or bdf, not rk4"),
                (["scenarios/rolling-wheel-fig4.toml", "--law", "events"], "--set law=events"),
                (["scenarios/rolling-wheel-fig4.toml", "--set", "law=event"], '--set law=event: law: '),
                (["models/four-bar.toml", "--real-time"], "--checkpoint, --restart, --real-time and --inputs are for scenarios"),
                (["models/four-bar.toml", "--standing"], "--standing is for vehicles, not for"),
                (["models/four-bar.toml", "--set", "run.stabilization=none"], "run.stabilization: ce has no loops that could open"),
                (["models/four-bar.toml", "--formulation", "xy"], '"xy" is not one of ce, ta, fa'),
                (["models/four-bar.toml", "--method", "rk9"], '"rk9" is not one of rk4, euler'),
                (["models/four-bar.toml", "--step", "-1"], "--step: must be > 0 s, got -1"),
                (["models/four-bar.toml", "--sample", "nan"], "--sample: must be > 0 s"),
                (["models/four-bar.toml", "--stabilization", "none"], "--stabilization: now a key: --set run.stabilization=none"),
                (["models/four-bar.toml", "--set", "run.method=rk9"], 'run.method: must be one of "rk4", "euler"'),
                (["models/four-bar.toml", "--set", "run.stepp=1"], 'did you mean "step"?'),
                (["models/four-bar.toml", "--set", "run.stabilization_rate=5"], 'goes with run.stabilization = "baumgarte"'),
                (["models/four-bar.toml", "--method", "adams", "--formulation", "ta", "--set", "run.stabilization=projection"],
                 "adams steps cannot be projected")]:
            with self.subTest(arguments=arguments):
                result = run("run", *arguments, "--for", "1", "-o", self.path("out"))
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(message, result.stderr)
                self.assertFalse(os.path.exists(self.path("out")))
        self.assertEqual(run("run", "models/four-bar.toml").returncode, 2)


class Check(Folder):
    def test_mobility_of_mechanisms(self):
        result = run("check", "--json", "models/four-bar.toml", "models/stewart-platform.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        bar, platform = json.loads(result.stdout)["files"]
        self.assertEqual(bar["formulations"], {"fa": {"coordinates": 18, "constraints": 17},
                                               "ta": {"coordinates": 3, "constraints": 2},
                                               "ce": {"coordinates": 1, "constraints": 0}})
        self.assertEqual((bar["degrees_of_freedom"], bar["driven"], len(bar["redundant"])), (1, 0, 3))
        for name in bar["redundant"]:
            self.assertIn("pin", name)
        # 13 bodies. No joint has the platform as its child: it is free, beside six legs with three axes each.
        self.assertEqual(platform["formulations"], {"fa": {"coordinates": 78, "constraints": 72},
                                                    "ta": {"coordinates": 24, "constraints": 18},
                                                    "ce": {"coordinates": 6, "constraints": 0}})
        self.assertEqual(platform["redundant"], [])

    def test_text_names_what_is_redundant(self):
        text = run("check", "models/four-bar.toml").stdout
        self.assertIn('models/four-bar.toml: ok, kind "mechanism"\n  1 degree of freedom', text)
        self.assertIn("ta: 3 coordinates, 2 constraints\n", text)
        self.assertIn("redundant, and left out:\n    ", text)

    def test_mechanism_that_does_not_assemble(self):
        model = self.write("apart.toml", BLOCKED.replace("part = 0.5 }] }", "part = 0.5 }], length = 9 }"))
        result = run("check", model)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("cannot be assembled", result.stderr)
        self.assertEqual(run("run", model, "--for", "1", "-o", self.path("run")).returncode, 2)
        self.assertFalse(os.path.exists(self.path("run")))


class Modes(Folder):
    def test_mass_on_a_spring(self):
        result = run("modes", self.write("spring.toml", SPRING), "--json", "--report", self.path("modes.html"))
        self.assertEqual(result.returncode, 0, result.stderr)
        modes = json.loads(result.stdout)
        self.assertEqual(modes["states"], ["rail", "rail'"])
        real = -21 / (2 * 3.7)
        imaginary = math.sqrt(812 / 3.7 - real * real)
        for found, expected in zip(modes["eigenvalues"], [(real, -imaginary), (real, imaginary)]):
            self.assertAlmostEqual(found[0], expected[0], 10)
            self.assertAlmostEqual(found[1], expected[1], 10)
        self.assertEqual(modes["notes"], [])
        self.assertTrue(os.path.getsize(self.path("modes.html")) > 1000)

    def test_equilibrium_of_a_platform(self):
        modes = json.loads(run("modes", "models/stewart-platform.toml", "--equilibrium", "--json").stdout)
        self.assertEqual(len(modes["eigenvalues"]), 12)
        self.assertTrue(all(real < 0 for real, _ in modes["eigenvalues"]))
        self.assertIn("at the equilibrium", modes["notes"][0])

    # Front wheels without springs under them: it was in balance on its nose, 100 degrees down.
    def test_a_vehicle_stands_on_all_wheels(self):
        with open("models/hmmwv-3d.toml", encoding="utf-8") as file:
            text = re.sub(r"(?s)\n\[axles\.\w+\.at_rest\].*?(?=\n\[)", "", file.read())
        text = text.replace("vertical_stiffness = 272000", "vertical_stiffness = 0", 1)
        for folder in ("equipment/", "tires/"):
            text = text.replace('"' + folder, '"' + os.path.abspath("models/" + folder) + "/")
        result = run("modes", self.write("soft.toml", text), "--standing", "--equilibrium")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"soft.toml:\d+:\d+: axles.front.wheel.vertical_stiffness: must be > 0 N/m")

    def test_the_note_on_an_equilibrium_is_short(self):
        modes = json.loads(run("modes", "models/hmmwv-3d.toml", "--standing", "--equilibrium", "--json").stdout)
        self.assertRegex(modes["notes"][0], r"^at the equilibrium ([^=,]+ = [^=,]+, ){6}and \d+ more that moved less$")

    def test_says_what_nothing_holds(self):
        result = run("modes", self.write("free.toml", SPRING.replace("stiffness = 812", "force = 7")), "--equilibrium")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "no equilibrium found in 300 steps; .* rail went 60 from its start")

    def test_what_a_mechanism_has_not(self):
        result = run("modes", "models/four-bar.toml", "--sweep", "V=3:4:1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("is a mechanism: --sweep, --frf and --state-space need a lagrangian model or a scenario", result.stderr)
        self.assertEqual(run("modes", "models/motorcycle.toml", "--equilibrium").returncode, 2)


if __name__ == "__main__":
    main()
