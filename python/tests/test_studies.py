"""Studies, batches in lanes, searches: the same numbers as the program, and what they promise."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import camber
from camber import _core

STEP_STEER = "scenarios/step-steer.toml"
SHORT = {"run.duration": 4}
SPEED = {"keys": ["vehicle.start.speed", "driver.speed.target"], "unit": "m/s", "distribution": camber.Uniform(19, 25)}
INPUTS = {"speed": SPEED, "ground.friction": camber.Beta(4, 2, 0.5, 1.0), "vehicle:chassis.mass": camber.Normal(2077, 60)}


def program(*arguments: str) -> subprocess.CompletedProcess:
    """Runs the program that was built with the package."""
    return subprocess.run([os.environ["CAMBER_PROGRAM"], *arguments], capture_output=True, text=True, check=False)


def read(*path: str) -> str:
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)


class Studies(WithFolder):
    def test_a_file_gives_the_bytes_of_the_program(self):
        study = camber.load("studies/step-steer.toml", {"plan.samples": 16, "set": ["run.duration=4"]})
        self.assertIsInstance(study, camber.Study)
        self.assertEqual(study["plan.samples"], 16)
        ours = study.run(self.path("ours"))
        # The same text as a file, run by the program.
        shutil.copytree("scenarios", self.path("scenarios"))
        shutil.copytree("models", self.path("models"))
        os.mkdir(self.path("studies"))
        with open(self.path("studies/step-steer.toml"), "w", encoding="utf-8") as file:
            file.write(str(study))
        done = program("study", "run", self.path("studies/step-steer.toml"), "-o", self.path("theirs"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read(self.path("ours"), "samples.csv"), read(self.path("theirs"), "samples.csv"))
        theirs = camber.open_study(self.path("theirs"))
        self.assertEqual(ours.summary["figures"], theirs.summary["figures"])
        for name in ours.figures:
            np.testing.assert_array_equal(ours[name], theirs[name])
        # keep.runs of the file: the two worst were driven again, and the report has links to them.
        kept = sorted(os.listdir(os.path.join(ours.folder, "runs")))
        self.assertEqual(kept, sorted(os.listdir(os.path.join(theirs.folder, "runs"))))
        self.assertEqual(len(kept), 2)
        # The program takes the folder for one of its own.
        self.assertIn("complete", program("study", "status", self.path("ours")).stdout)

    def test_a_study_in_memory(self):
        study = camber.Study(camber.load(STEP_STEER, SHORT), INPUTS, outputs=["yaw_gain", "steady_roll_deg"],
                             plan=camber.Sobol(16), seed=7, keep={"curves": ["chassis/rates.yaw"], "curve_points": 50})
        seen = []
        result = study.run(self.path("study"), workers=2, progress=lambda done, total, note: seen.append((done, total)))
        self.assertEqual(result.status, "complete")
        self.assertEqual(len(result), 16)
        self.assertEqual(seen[-1], (16, 16))
        self.assertEqual(list(result.figures), ["yaw_gain", "steady_roll_deg"])
        self.assertEqual(result.inputs, ["speed", "ground.friction", "vehicle:chassis.mass"])
        self.assertTrue(((result["speed"] >= 19) & (result["speed"] <= 25)).all())
        self.assertEqual(result.table.shape[0], 16)
        times, curves = result.curve("chassis/rates.yaw")
        self.assertEqual(curves.shape, (16, 50))
        self.assertEqual(times[-1], 4)
        # A sample is a drive with its values: to the bit.
        sample = result.samples[5]
        again = sample.run()
        self.assertEqual(again.state_hash, result["final_state_hash"][5])
        self.assertEqual(again.figures["yaw_gain"].value, sample.figures["yaw_gain"])
        self.assertEqual(sample.scenario["ground.friction"], sample.inputs["ground.friction"])
        worst = result.worst("steady_roll_deg", 3)
        self.assertEqual(worst[0].figures["steady_roll_deg"], np.nanmax(result["steady_roll_deg"]))
        # The same study goes on in its folder, also in another process; another one does not.
        again = camber.Study(camber.load(STEP_STEER, SHORT), INPUTS, outputs=["yaw_gain", "steady_roll_deg"],
                             plan=camber.Sobol(16), seed=7, keep={"curves": ["chassis/rates.yaw"], "curve_points": 50})
        np.testing.assert_array_equal(again.run(self.path("study"))["yaw_gain"], result["yaw_gain"])
        with self.assertRaisesRegex(camber.Error, "another study"):
            camber.Study(STEP_STEER, INPUTS, plan=camber.Sobol(16)).run(self.path("study"))
        with self.assertRaises(ValueError):
            result["yaw_gain"][0] = 1  # read-only

    def test_settings_of_the_scenario_are_shared_by_all_samples(self):
        study = camber.Study(STEP_STEER, INPUTS, plan=camber.Sobol(2), set=SHORT)
        self.assertEqual(study.scenario.settings, camber.load(STEP_STEER, SHORT).settings)
        self.assertEqual(study.run(workers=1).samples[1].scenario["run.duration"], SHORT["run.duration"])
        with self.assertRaisesRegex(camber.Error, "duration"):
            camber.Study(STEP_STEER, INPUTS, set={"run.duraton": 3})

    def test_the_folder_is_complete_without_what_python_kept(self):
        car = camber.load("models/hmmwv.toml")
        tree = car.tree
        tree["chassis"]["mass"] += 77.0
        scenario = camber.model(camber.load(STEP_STEER, SHORT).tree, "scenarios/mine.toml")
        scenario.use("vehicle", camber.model(tree, "models/mine.toml"))
        study = camber.Study(scenario, {"ground.friction": (0.7, 1.0)}, plan=camber.Random(3))
        first = study.run(self.path("study"))
        values = first["yaw_gain"]
        del study, scenario, first
        moved = shutil.move(self.path("study"), self.path("moved"))
        shutil.rmtree(os.path.join(moved, "journal"))
        os.mkdir(os.path.join(moved, "journal"))
        done = program("study", "resume", moved)
        self.assertEqual(done.returncode, 0, done.stderr)
        np.testing.assert_array_equal(camber.open_study(moved)["yaw_gain"], values)

    def test_statistics(self):
        result = camber.Study(camber.load(STEP_STEER, SHORT), {"speed": SPEED}, plan=camber.Random(40), kernel="lanes").run()
        values = np.sort(result["yaw_gain"])
        mean = result.mean("yaw_gain", ci=0.9)
        self.assertAlmostEqual(mean.value, values.mean(), places=12)
        from scipy import stats  # an independent route
        low, high = stats.t.interval(0.9, 39, loc=values.mean(), scale=stats.sem(values))
        self.assertAlmostEqual(mean.low, low, places=9)
        self.assertAlmostEqual(mean.high, high, places=9)
        middle = result.quantile("yaw_gain", 0.5, ci=0.9)
        self.assertTrue(values[0] <= middle.low <= middle.value <= middle.high <= values[-1])
        rate = result.pass_rate()
        self.assertTrue(0 <= rate.low <= rate.value <= rate.high <= 1)
        sensitivity = result.sensitivity("yaw_gain")
        self.assertAlmostEqual(sensitivity.rank_correlation[0],
                               stats.spearmanr(result["speed"], result["yaw_gain"]).statistic, places=12)
        with self.assertRaisesRegex(camber.Error, "Saltelli"):
            sensitivity.total
        for bad in (lambda: result.quantile("yaw_gain", 1.5), lambda: result.quantile("yaw_gain", 0.5, ci=1),
                    lambda: result.mean("yaw_gan"), lambda: result.worst("yaw"), lambda: result["sped"],
                    lambda: result.found, lambda: result.curve("a")):
            with self.assertRaises(camber.Error):
                bad()
        with self.assertRaises(IndexError):
            result.samples[40]

    def test_all_plans_and_searches(self):
        scenario = camber.load(STEP_STEER, {"run.duration": 3})
        two = {"speed": SPEED, "ground.friction": camber.Uniform(0.7, 1.0)}
        sizes = {"latin": (camber.Latin(5), 5), "grid": (camber.Grid(2), 4), "rows": (camber.Rows([[20, 0.9], [21, 0.8]]), 2),
                 "one": (camber.OneAtATime(), 5), "morris": (camber.Morris(2), 6), "saltelli": (camber.Saltelli(8), 32),
                 "factorial": (camber.Factorial(), 4), "composite": (camber.CentralComposite(), 9)}
        for name, (plan, size) in sizes.items():
            with self.subTest(name):
                result = camber.Study(scenario, two, plan=plan, kernel="lanes").run()
                self.assertEqual(len(result), size)
                sensitivity = result.sensitivity("yaw_gain")
                if name == "saltelli":
                    self.assertEqual(sensitivity.total.shape, (2,))
                    self.assertEqual(set(sensitivity.intervals), set(two))
                if name == "morris":
                    self.assertIn("mean_size", sensitivity.morris["speed"])
                if name in ("factorial", "composite"):
                    self.assertIn("speed", sensitivity.effects)
                if name == "one":
                    self.assertEqual(len(sensitivity.tornado), 2)
        limit = camber.Study(scenario, {"speed": {**SPEED, "distribution": (10.0, 30.0)}},
                             plan=camber.Limit("speed", 2.0)).run()
        self.assertEqual((limit.found["input"], len(limit.found["tried"])), ("speed", len(limit)))

    def test_mistakes_are_told_before_the_first_drive(self):
        with self.assertRaises(camber.Error) as caught:
            camber.Study(STEP_STEER, {"ground.fricton": camber.Uniform(0.5, 1)}, plan=camber.Sobol(8))
        self.assertEqual(caught.exception.suggestion, "friction")
        for bad in (lambda: camber.Study(STEP_STEER, {}), lambda: camber.Study("models/hmmwv.toml", INPUTS),
                    lambda: camber.Study(STEP_STEER), lambda: camber.Study(STEP_STEER, {"ground.friction": 3}),
                    lambda: camber.Study(STEP_STEER, INPUTS, outputs=["yaw_gan"]),
                    lambda: camber.Study(STEP_STEER, INPUTS, plan={"kind": "sobl"}),
                    lambda: camber.Study(STEP_STEER, INPUTS, plan="sobol"),
                    lambda: camber.Study(STEP_STEER, {"ground.friction": camber.Sobol(8)}),
                    lambda: camber.Study(STEP_STEER, INPUTS, keeep={}),
                    lambda: camber.Study(STEP_STEER, INPUTS).run(self.path("x"), workers=0),
                    lambda: camber.open_study("scenarios"), lambda: camber.Uniform(2, 1), lambda: camber.Normal(0, -1),
                    lambda: camber.Normal(float("nan"), 1), lambda: camber.Uniform(0, float("inf")),
                    lambda: camber.load("studies/step-steer.toml", {"plan.sample": 3})):
            with self.assertRaises(camber.Error):
                bad()

    def test_control_c_keeps_what_was_driven_and_the_study_goes_on(self):
        code = ("import camber, sys\n"
                "s = camber.Study('scenarios/step-steer.toml', {'ground.friction': (0.6, 1.0)}, plan=camber.Random(300))\n"
                "try:\n    s.run(sys.argv[1], workers=2, progress=lambda d, t, n: print(d, flush=True))\n"
                "except KeyboardInterrupt:\n    print('interrupted')\n")
        child = subprocess.Popen([sys.executable, "-c", code, self.path("study")], stdout=subprocess.PIPE, text=True)
        while int(child.stdout.readline()) < 3:
            pass
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        self.assertTrue(out.endswith("interrupted\n"), out)
        result = camber.open_study(self.path("study"))
        self.assertEqual(result.status, "stopped")
        self.assertTrue(3 <= len(result) < 300)
        self.assertTrue(os.path.exists(os.path.join(result.folder, "report.html")))

    def test_an_exception_of_the_progress_arrives_unchanged(self):
        error = KeyError("mine")

        def progress(done, total, note):
            if done >= 2:
                raise error

        study = camber.Study(camber.load(STEP_STEER, SHORT), {"ground.friction": (0.6, 1.0)}, plan=camber.Random(6))
        with self.assertRaises(KeyError) as caught:
            study.run(self.path("study"), progress=progress)
        self.assertIs(caught.exception, error)
        self.assertEqual(study.run(self.path("study")).status, "complete")

    def test_slurm_scripts_start_this_package(self):
        bin_folder = self.path("bin")
        os.mkdir(bin_folder)
        with open(os.path.join(bin_folder, "sbatch"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho 42\n")
        os.chmod(os.path.join(bin_folder, "sbatch"), 0o755)
        before = os.environ["PATH"]
        os.environ["PATH"] = bin_folder + ":" + before
        self.addCleanup(os.environ.__setitem__, "PATH", before)
        study = camber.Study(camber.load(STEP_STEER, SHORT), {"ground.friction": (0.6, 1.0)}, plan=camber.Random(4))
        jobs = study.submit(self.path("study"), slurm={"partition": "short", "chunks": 2})
        self.assertIn("42", jobs)
        with self.assertRaises(camber.Error):
            study.submit(self.path("study"), slurm={"partitoin": "short"})
        script = read(self.path("study"), "slurm", "array.sh")
        self.assertIn("--partition=short", script)
        # What a task of the array runs, with Slurm's variables and nothing of Python's.
        for task in range(2):
            done = subprocess.run(["bash", self.path("study/slurm/array.sh")], capture_output=True, text=True, check=False,
                                  env={"PATH": "/usr/bin:/bin", "SLURM_ARRAY_TASK_ID": str(task)})
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(camber.open_study(self.path("study")).status, "complete")


class Distributions(unittest.TestCase):
    def test_they_are_those_of_scipy(self):
        from scipy import stats

        u = np.linspace(0.001, 0.999, 97)
        pairs = [(camber.Uniform(2, 5), stats.uniform(2, 3)), (camber.Normal(3, 0.7), stats.norm(3, 0.7)),
                 (camber.Lognormal(2, 0.3), stats.lognorm(0.3, scale=2)),
                 (camber.Triangular(1, 2, 5), stats.triang(0.25, 1, 4)),
                 (camber.Beta(4, 2, 0.5, 1.0), stats.beta(4, 2, 0.5, 0.5)),
                 (camber.Weibull(1.7, 3), stats.weibull_min(1.7, scale=3)),
                 (camber.Exponential(2.5), stats.expon(scale=2.5)),
                 (camber.Normal(0, 1, low=-0.5, high=2), stats.truncnorm(-0.5, 2))]
        for ours, theirs in pairs:
            with self.subTest(repr(ours)):
                np.testing.assert_allclose(ours.quantile(u), theirs.ppf(u), rtol=2e-9, atol=1e-12)
        self.assertEqual(camber.Uniform(1, 6, integer=True).quantile([0.01, 0.99]).tolist(), [1, 6])
        words = camber.Choice(["a", "b"], [1, 3]).sample(np.random.default_rng(1), 1000)
        self.assertAlmostEqual(words.count("b") / 1000, 0.75, delta=0.05)
        self.assertEqual(camber.Uniform(1, 2), camber.Uniform(1, 2))
        for u in (-0.1, 1.1, float("nan")):
            with self.assertRaises(camber.Error):
                camber.Uniform(0, 1).quantile(u)


class Batches(unittest.TestCase):
    def settings(self, n: int) -> dict:
        return {**SHORT, "ground.friction": list(np.linspace(0.6, 1.0, n)), "vehicle:chassis.mass": camber.Uniform(1950, 2250)}

    def test_scalar_members_are_drives(self):
        batch = camber.Batch(STEP_STEER, n=3, seed=4, set=self.settings(3), kernel="scalar", record=True)
        self.assertEqual(batch.kernel, "scalar")
        batch.run()
        for i in range(3):
            drive = camber.Drive(STEP_STEER, {key: values[i] for key, values in batch.settings.items()}, record=True)
            drive.run()
            self.assertEqual(batch.state_hash(i), drive.state_hash)
            self.assertEqual(batch.result(i).figures, drive.result().figures)
            self.assertEqual(batch.figures["yaw_gain"][i], drive.result().figures["yaw_gain"].value)

    def test_lanes_have_the_bits_of_the_library_and_do_not_depend_on_company(self):
        n = 11
        batch = camber.Batch(STEP_STEER, n=n, seed=4, set=self.settings(n), threads=2)
        self.assertEqual((batch.kernel, batch.kernel_note), ("lanes", ""))
        rng = np.random.default_rng(1)
        while not batch.done.all():
            batch.step(float(rng.uniform(0.0005, 0.3)))
        settings = [[f"{key}={values[i]!r}" for key, values in batch.settings.items()] for i in range(n)]
        self.assertEqual([batch.state_hash(i) for i in range(n)], _core.drive_batch(STEP_STEER, settings))
        alone = camber.Batch(STEP_STEER, n=1, set={key: values[7] for key, values in batch.settings.items()}, threads=1)
        alone.run()
        self.assertEqual(alone.state_hash(0), batch.state_hash(7))
        doubles = camber.Batch(STEP_STEER, n=n, set=batch.settings, kernel="scalar")
        doubles.run()
        np.testing.assert_allclose(batch.view.y, doubles.view.y, rtol=1e-9)
        self.assertEqual(doubles.kernel_note, "doubles were asked for")

    def test_states_restore_exactly_inside_of_control_intervals(self):
        batch = camber.Batch(STEP_STEER, n=5, set=self.settings(5))
        batch.step(1.0034, steer=0.02, throttle=np.linspace(0.1, 0.5, 5))
        states = [batch.state(i) for i in range(5)]
        batch.run()
        ends = [batch.state_hash(i) for i in range(5)]
        for i in (1, 4):
            batch.restore(i, states[i])
        self.assertEqual(batch.done.tolist(), [True, False, True, True, False])
        batch.run()
        self.assertEqual([batch.state_hash(i) for i in range(5)], ends)

    def test_what_lanes_cannot_drive_is_driven_in_doubles(self):
        batch = camber.Batch(STEP_STEER, n=2, set={**SHORT, "vehicle.formulation": ["generated", "ce"]})
        self.assertEqual(batch.kernel, "mixed")
        self.assertIn("formulation", batch.kernel_note)
        batch.step(0.5)
        np.testing.assert_allclose(batch.view.x[0], batch.view.x[1], rtol=1e-6)

    def test_bad_input(self):
        batch = camber.Batch(STEP_STEER, n=3, set=SHORT)
        before = [batch.state_hash(i) for i in range(3)]
        for bad in ({"steer": [0, 0]}, {"steer": np.zeros((3, 1))}, {"steer": float("nan")}, {"steer": [0, np.inf, 0]},
                    {"throttle": [0, 2, 0]}, {"brake": -1}):
            with self.assertRaises(camber.Error, msg=str(bad)):
                batch.step(0.01, **bad)
        for dt in (-1, float("nan")):
            with self.assertRaises(camber.Error):
                batch.step(dt)
        for bad in ({"steer": "left"}, {"steer": [1j, 0, 0]}, {"steer": object()}):
            with self.assertRaises((TypeError, ValueError), msg=str(bad)):
                batch.step(0.01, **bad)
        for bad in (lambda: batch.state(3), lambda: batch.result(0), lambda: batch.figures,
                    lambda: batch.restore(0, camber.Drive("scenarios/double-lane-change.toml").state()),
                    lambda: camber.Batch(STEP_STEER, n=0), lambda: camber.Batch(STEP_STEER, n=2, kernel="lane"),
                    lambda: camber.Batch(STEP_STEER, n=2, threads=-1), lambda: camber.Batch("models/hmmwv.toml", n=2),
                    lambda: camber.Batch(STEP_STEER, n=2, set={"ground.friction": [1.0]}),
                    lambda: camber.Batch(STEP_STEER, n=2, set={"ground.friction": [1.0, -3.0]})):
            with self.assertRaises(camber.Error):
                bad()
        self.assertEqual([batch.state_hash(i) for i in range(3)], before)

    def test_control_c_ends_a_step_and_the_batch_stays_usable(self):
        code = ("import camber, sys\n"
                "b = camber.Batch('scenarios/step-steer.toml', n=40, set={'run.duration': 3000})\n"
                "print('ready', flush=True)\n"
                "try:\n    b.step(2000)\nexcept KeyboardInterrupt:\n"
                "    behind = b.view.time.max()\n"
                "    for i in range(40): b.restore(i, b.state(0))\n"
                "    b.step(0.01); print('interrupted', behind < 2000, b.done.any())\n")
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        start = time.perf_counter()
        out, _ = child.communicate(timeout=60)
        self.assertEqual(out, "interrupted True False\n")
        self.assertLess(time.perf_counter() - start, 20)

    def test_one_thread_at_a_time(self):
        batch = camber.Batch(STEP_STEER, n=16, set={"run.duration": 60})
        thread = threading.Thread(target=batch.step, args=(20,))
        thread.start()
        refused = 0
        while thread.is_alive() and not refused:
            try:
                batch.step(0.001)
            except camber.Error as error:
                self.assertIn("another thread", str(error))
                refused += 1
        thread.join()
        self.assertTrue(refused or batch.view.time.min() >= 20)

    def test_a_forked_process_has_a_batch_of_its_own(self):
        batch = camber.Batch(STEP_STEER, n=4, set=SHORT)
        batch.step(0.5)
        readable, writable = os.pipe()
        child = os.fork()
        if child == 0:
            batch.run()
            os.write(writable, batch.state_hash(2).encode())
            os._exit(0)
        os.waitpid(child, 0)
        theirs = os.read(readable, 100).decode()
        os.close(readable)
        os.close(writable)
        batch.run()
        self.assertEqual(batch.state_hash(2), theirs)


class Searches(WithFolder):
    def test_functions(self):
        def rosenbrock(x):
            return 100 * (x["b"] - x["a"] ** 2) ** 2 + (1 - x["a"]) ** 2

        for method in ("cma_es", "nelder_mead"):
            with self.subTest(method):
                best = camber.minimize(rosenbrock, {"a": (-2, 2), "b": (-1, 3)}, method=method, evaluations=3000, workers=1)
                self.assertAlmostEqual(best.values["a"], 1, places=3)
                self.assertAlmostEqual(best.values["b"], 1, places=3)
                self.assertTrue((np.diff(best.history) <= 0).all())
        again = camber.minimize(rosenbrock, {"a": (-2, 2), "b": (-1, 3)}, evaluations=200, workers=2)
        self.assertEqual(again.values, camber.minimize(rosenbrock, {"a": (-2, 2), "b": (-1, 3)}, evaluations=200).values)
        nan = camber.minimize(lambda x: x["a"] if x["a"] > 0.25 else float("nan"), {"a": (0, 1)}, evaluations=300)
        self.assertAlmostEqual(nan.values["a"], 0.25, places=3)

    def test_figures_are_those_of_a_study(self):
        step = camber.load(STEP_STEER, SHORT)
        best = camber.minimize(step, {"driver.steering.angle_deg": (1.0, 4.0)},
                               {"steady_lateral_acceleration": {"target": 3.0}}, evaluations=40, restarts=0,
                               folder=self.path("study"))
        self.assertEqual(best.run().figures["steady_lateral_acceleration"].value,
                         best.result.samples[best.result.found["sample"]].figures["steady_lateral_acceleration"])
        self.assertAlmostEqual(best.run().figures["steady_lateral_acceleration"].value, 3.0, delta=0.1)
        self.assertLessEqual(best.evaluations, 45)
        self.assertEqual(camber.open_study(self.path("study")).found["best"], best.result.found["best"])
        # The same by a function of the run.
        mine = camber.minimize(step, {"driver.steering.angle_deg": (1.0, 4.0)},
                               lambda run: abs(run.figures["steady_lateral_acceleration"].value - 3.0), evaluations=40,
                               method="nelder_mead")
        self.assertAlmostEqual(mine.values["driver.steering.angle_deg"], best.values["driver.steering.angle_deg"], delta=0.1)

    def test_constraints_noise_and_figures_that_the_scenario_does_not_ask_for(self):
        step = camber.load(STEP_STEER, SHORT)
        best = camber.minimize(step, {"driver.steering.angle_deg": (1.0, 4.0)}, {"peak_roll_deg": {"goal": "max"}},
                               constraints={"steady_lateral_acceleration": (None, 3.0)},
                               noise={"vehicle:chassis.mass": camber.Normal(2077, 40)}, noise_samples=2, evaluations=120,
                               restarts=0)
        self.assertTrue(best.feasible)
        self.assertAlmostEqual(best.run().figures["steady_lateral_acceleration"].value, 3.0, delta=0.1)

    def test_bad_input(self):
        class Mine(Exception):
            pass

        def raises(x):
            raise Mine

        with self.assertRaises(Mine):
            camber.minimize(raises, {"a": (0, 1)})
        for bad in (lambda: camber.minimize(STEP_STEER, {}), lambda: camber.minimize(STEP_STEER, {"ground.friction": 3}, "yaw_gain"),
                    lambda: camber.minimize(STEP_STEER, {"ground.friction": (1, 0)}, "yaw_gain"),
                    lambda: camber.minimize(STEP_STEER, {"ground.friction": (0, float("inf"))}, "yaw_gain"),
                    lambda: camber.minimize(STEP_STEER, {"ground.friction": (0.5, 1)}),
                    lambda: camber.minimize(STEP_STEER, {"ground.friction": (0.5, 1)}, "yaw_gan"),
                    lambda: camber.minimize(STEP_STEER, {"ground.fricton": (0.5, 1)}, "yaw_gain"),
                    lambda: camber.minimize(STEP_STEER, {"ground.friction": (0.5, 1)}, "yaw_gain", method="simplex"),
                    lambda: camber.minimize(lambda x: float("nan"), {"a": (0, 1)}, evaluations=20),
                    lambda: camber.minimize(lambda x: 1.0, {"a": (0, 1)}, "yaw_gain"),
                    lambda: camber.minimize("models/hmmwv.toml", {"a": (0, 1)}, "yaw_gain")):
            with self.assertRaises(camber.Error):
                bad()


if __name__ == "__main__":
    unittest.main()
