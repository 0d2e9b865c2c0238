"""Models of all kinds: the tree, analyses, mechanisms, terrain, sensors, batches, plots."""

import glob
import json
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


def program(*arguments: str) -> str:
    done = subprocess.run([os.environ["CAMBER_PROGRAM"], *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


class Tree(unittest.TestCase):
    def test_keys_are_read_set_and_listed(self):
        lane = camber.load("scenarios/double-lane-change.toml")
        self.assertEqual(lane["driver.speed.target"], 20)
        self.assertEqual(lane["driver.path.change[1].offset"], -3.5)
        self.assertIn("run.duration", list(lane))
        lane["driver.speed.target"] = 18
        self.assertEqual(lane["driver.speed.target"], 18)
        self.assertEqual(lane.settings, ["driver.speed.target=18"])
        other = lane.with_({"run.duration": 65})
        self.assertEqual((lane["run.duration"], other["run.duration"]), (70, 65))
        with self.assertRaises(TypeError):
            lane[3]
        with self.assertRaises(KeyError) as caught:
            lane["driver.sped.target"]
        self.assertIn("driver.speed.target", str(caught.exception))

    def test_keys_of_the_files_that_a_scenario_names(self):
        lane = camber.load("scenarios/double-lane-change.toml")
        self.assertEqual(lane["vehicle:chassis.mass"], 2076.915)
        self.assertEqual(lane["equipment:steering.ratio"], 26)
        lane["vehicle:chassis.mass"] = 2200.0
        self.assertEqual(lane["vehicle:chassis.mass"], 2200)
        with self.assertRaises(camber.Error) as caught:
            lane["vehicle:axles.front.sprin.stiffness"] = 1
        self.assertEqual(caught.exception.suggestion, "spring")
        with self.assertRaises(camber.Error):
            lane["vehicl:chassis.mass"] = 1.0

    def test_a_dictionary_is_read_like_a_file(self):
        hmmwv = camber.load("models/hmmwv.toml")
        tree = hmmwv.tree
        again = camber.model(tree, "models/copy.toml")
        self.assertEqual(again.tree, tree)
        a, b = hmmwv.dynamics(), again.dynamics()
        np.testing.assert_array_equal(a.accelerations(a.initial_q, a.initial_v),
                                      b.accelerations(b.initial_q, b.initial_v))
        tree["chassis"]["mass"] = -1.0
        with self.assertRaises(camber.Error) as caught:
            camber.model(tree, "models/copy.toml")
        self.assertEqual((caught.exception.file, caught.exception.key), ("models/copy.toml", "chassis.mass"))
        for bad in ({"kind": "vehicle", "x": float("nan")}, {"kind": "wheelbarrow"}, {"name": "x"}, {"kind": {1: 2}}):
            with self.assertRaises(camber.Error):
                camber.model(bad)

    def test_a_vehicle_from_python_drives(self):
        tree = camber.load("models/hmmwv.toml").tree
        tree["chassis"]["mass"] = 2200.0
        mine = camber.load("scenarios/step-steer.toml", {"run.duration": 3})
        mine.use("vehicle", camber.model(tree, "models/heavy.toml"))
        file = camber.load("scenarios/step-steer.toml", {"run.duration": 3, "vehicle:chassis.mass": 2200.0})
        self.assertEqual(mine.run().state_hash, file.run().state_hash)

    # Copies share a folder for models in memory; their files once had the same name.
    def test_copies_keep_models_of_their_own(self):
        scenario = camber.load("scenarios/step-steer.toml", {"run.duration": 3})
        tree = camber.load("models/hmmwv.toml").tree
        scenario.use("vehicle", camber.model(tree, "models/light.toml"))
        heavy, heavier = scenario.copy(), scenario.copy()
        for one, mass in ((heavy, 2200.0), (heavier, 2300.0)):
            tree["chassis"]["mass"] = mass
            one.use("vehicle", camber.model(tree, "models/heavy.toml"))
        self.assertEqual([one["vehicle:chassis.mass"] for one in (scenario, heavy, heavier)], [2076.915, 2200, 2300])

    # What was read to check a scenario serves its runs, until one of its files changes.
    def test_changed_files_are_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("scenarios", "models", "terrains"):
                shutil.copytree(name, os.path.join(folder, name))
            path = os.path.join(folder, "models", "hmmwv.toml")
            for file in glob.glob(folder + "/*/*"):
                os.utime(file, (1e9, 1e9))
            scenario = camber.load(os.path.join(folder, "scenarios", "step-steer.toml"), {"run.duration": 3})
            before, again = scenario.run().state_hash, scenario.run().state_hash
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("2076.915", "2200.000"))
            changed = scenario.run().state_hash
            stepped = camber.Drive(scenario)
            stepped.run()
            fresh = camber.load("scenarios/step-steer.toml", {"run.duration": 3, "vehicle:chassis.mass": 2200.0}).run().state_hash
            self.assertEqual(before, again)
            self.assertNotEqual(before, changed)
            self.assertEqual({changed, stepped.state_hash}, {fresh})

    def test_texts_with_every_character_survive(self):
        from camber import _toml
        import tomllib

        tree = {"a b": {'q"': 'x"\\\n\t\x01ü'}, "list": [{"n": 1}, {"n": 2.5, "t": {"deep": [True, [1, 2]]}}], "e": 1e-300,
                "big": 10**15}
        self.assertEqual(tomllib.loads(_toml.write_toml(tree)), tree)

    def test_check_says_what_the_program_says(self):
        for file in ("models/hmmwv.toml", "scenarios/step-steer.toml", "models/motorcycle.toml", "models/robot-arm.urdf",
                     "terrains/hills.toml", "plans/u-trap.toml"):
            with self.subTest(file):
                self.assertEqual(camber.load(file).check(), json.loads(program("check", file, "--json")))


class Analyses(unittest.TestCase):
    def test_the_rig_has_the_numbers_of_the_program(self):
        rig = camber.load("models/hmmwv.toml").rig(travel=(-0.08, 0.08))
        self.assertEqual(rig.data, json.loads(program("rig", "models/hmmwv.toml", "--travel", "-0.08:0.08", "--json")))
        front = rig["front"]
        at_rest = np.interp([-0.0412, 0], front["travel_m"], front.camber_deg)  # [deg] at rest, and where the drawing has them
        np.testing.assert_allclose(at_rest, [0, -1.344], atol=0.01)
        with self.assertRaises(camber.Error):
            rig["front"]["cambr_deg"]
        with self.assertRaises(camber.Error):
            camber.load("models/hmmwv.toml").rig(travel=(0.1,))
        # Two vehicles in one chart.
        ax = rig.plot("toe_deg", label="before")
        rig.plot("toe_deg", ax=ax, label="after")
        self.assertEqual([line.get_label() for line in ax.get_lines()],
                         ["before front", "before rear", "after front", "after rear"])

    def test_linear_model_modes_and_program_agree_on_the_motorcycle(self):
        bike = camber.load("models/motorcycle.toml")
        model = bike.linearize(V=20)
        modes = bike.modes(V=20)
        theirs = json.loads(program("modes", "models/motorcycle.toml", "--set", "parameters.V=20", "--json"))
        self.assertEqual(modes.data, theirs)
        np.testing.assert_allclose(model.eigenvalues(), modes.eigenvalues, rtol=1e-8, atol=1e-8)
        self.assertEqual(model.A.shape, (8, 8))
        self.assertEqual((model.B.shape, model.C.shape, model.D.shape), ((8, 1), (2, 8), (2, 1)))
        # The frequency response two ways: C (jw - A)^-1 B + D, and modes().
        frequencies, found = bike.modes(response=("tau", ["delta"]), frequencies=[0.5, 1.0, 3.0], V=20).responses
        for f, value in zip(frequencies, found["delta"]):
            direct = model.C @ np.linalg.solve(2j * np.pi * f * np.eye(8) - model.A, model.B) + model.D
            np.testing.assert_allclose(direct[model.outputs.index("delta"), 0], value, rtol=1e-8)

    def test_a_sweep_finds_where_the_motorcycle_becomes_stable(self):
        found = camber.load("models/motorcycle.toml").modes(sweep={"V": (4, 8, 0.5)})
        values, roots = found.sweep
        self.assertEqual(roots.shape, (9, 8))
        self.assertAlmostEqual(found.limits[0]["V"], 5.8948, places=3)

    def test_the_linear_model_of_a_vehicle_that_drives(self):
        car = camber.load("scenarios/small-car-step-steer.toml")
        wishes = {"speed": 25, "lateral_acceleration": 2}
        frequencies = [0.3, 1.0, 2.5]
        modes = car.modes(**wishes, response=("steering_wheel_angle", ["yaw_rate"]), frequencies=frequencies)
        theirs = json.loads(program("modes", car.path, "--speed", "25", "--lateral-acceleration", "2", "--frf",
                                    "steering_wheel_angle:yaw_rate", "--freq", "0.3", "--json"))
        for part in ("eigenvalues", "modes", "states", "steady_state"):
            self.assertEqual(modes.data[part], theirs[part])
        # Two ways: matrices as the program prints them, and the response as C (jw - A)^-1 B + D.
        linear = car.linearize(**wishes)
        np.testing.assert_allclose(linear.A, np.linalg.solve(theirs["state_space"].get("E", np.eye(len(linear.A))),
                                                             theirs["state_space"]["A"]), rtol=1e-9, atol=1e-9)
        self.assertEqual((linear.states, linear.inputs), (theirs["states"], theirs["state_space"]["inputs"]))
        wheel, yaw = linear.inputs.index("steering_wheel_angle"), linear.outputs.index("yaw_rate")
        for f, value in zip(frequencies, modes.responses[1]["yaw_rate"]):
            direct = linear.C @ np.linalg.solve(2j * np.pi * f * np.eye(len(linear.A)) - linear.A, linear.B) + linear.D
            np.testing.assert_allclose(direct[yaw, wheel], value, rtol=1e-7)
        self.assertAlmostEqual(modes.steady_state["gear"], theirs["steady_state"]["gear"])
        values, roots = car.modes(sweep={"speed": (15, 25, 5)}).sweep
        self.assertEqual((list(values), roots.shape[0]), ([15, 20, 25], 3))
        with self.assertRaisesRegex(camber.Error, "give one of the two"):
            car.linearize(lateral_acceleration=2, radius=100)

    def test_modes_of_a_standing_vehicle_have_the_names_of_the_program(self):
        theirs = json.loads(program("modes", "models/hmmwv.toml", "--standing", "--equilibrium", "--json"))
        self.assertEqual(camber.load("models/hmmwv.toml").modes(standing=True, equilibrium=True).data, theirs)

    def test_modes_of_a_vehicle(self):
        modes = camber.load("models/hmmwv.toml").modes(standing=True, equilibrium=True)
        self.assertEqual(modes.A.shape[0], len(modes.states))
        roots = np.sort_complex(np.linalg.eigvals(modes.A))
        np.testing.assert_allclose(np.sort(roots.real), np.sort(modes.eigenvalues.real), rtol=1e-5, atol=1e-4)

    def test_derive_and_generate(self):
        found = camber.load("models/quarter-car.toml").derive(code="c")
        self.assertIn("quarter_car", found.code)
        self.assertIn("zs''", found.text)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hmmwv.h")
            program("generate", "models/hmmwv.toml", "-o", path)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(camber.load("models/hmmwv.toml").generate("c++"), file.read())


class Mechanisms(unittest.TestCase):
    def test_mass_matrix_bias_and_accelerations_fit_together(self):
        chain = camber.load("models/pendulum-chain.toml")
        dynamics = chain.dynamics()
        rng = np.random.default_rng(3)
        q, v = rng.normal(size=(20, dynamics.nq)), rng.normal(size=(20, dynamics.nv))
        M, h, a = chain.mass_matrix(q), chain.bias(q, v), chain.accelerations(q, v)
        np.testing.assert_allclose(np.einsum("nij,nj->ni", M, a), -h, atol=1e-11 * np.abs(h).max())
        np.testing.assert_array_equal(M, np.swapaxes(M, 1, 2))
        self.assertTrue((np.linalg.eigvalsh(M) > 0).all())
        np.testing.assert_array_equal(a[4], chain.accelerations(q[4], v[4]))

    def test_jacobians_match_differences(self):
        bar = camber.load("models/pendulum-chain.toml")
        d = bar.dynamics()
        rng = np.random.default_rng(5)
        q, v, step = rng.normal(size=d.nq), rng.normal(size=d.nv), 1e-6
        J = bar.jacobian(q, v)
        for k in range(d.nq + d.nv):
            x = np.zeros(d.nq + d.nv)
            x[k] = step
            up = bar.accelerations(q + x[:d.nq], v + x[d.nq:])
            down = bar.accelerations(q - x[:d.nq], v - x[d.nq:])
            np.testing.assert_allclose(J[:, k], (up - down) / (2 * step), rtol=1e-5, atol=1e-5)

    def test_formulations_agree_on_a_closed_loop(self):
        bar = camber.load("models/four-bar.toml")
        found = []
        for method in ("ce", "ta", "uk"):
            d = bar.dynamics(method)
            found.append(d.accelerations(d.initial_q, d.initial_v))
        np.testing.assert_allclose(found[1], found[0], atol=1e-9 * np.abs(found[0]).max())
        np.testing.assert_allclose(found[2], found[0], atol=1e-9 * np.abs(found[0]).max())
        d = bar.dynamics("ta")
        q, v = d.project(d.initial_q + 1e-3, d.initial_v)
        self.assertLess(d.observe(q, v)["position_error"], 1e-10)

    def test_generated_code_agrees_with_constraint_embedding(self):
        hmmwv = camber.load("models/hmmwv.toml")
        ce, generated = hmmwv.dynamics("ce"), hmmwv.dynamics("generated")
        self.assertEqual((generated.nq, generated.nv), (16, 15))
        a = ce.accelerations(ce.initial_q, ce.initial_v)
        b = generated.accelerations(generated.initial_q, generated.initial_v)
        np.testing.assert_allclose([a[ce.v_names.index(n)] for n in generated.v_names], b, atol=1e-8 * np.abs(a).max())

    def test_bad_states_are_refused(self):
        bar = camber.load("models/pendulum-chain.toml")
        d = bar.dynamics()
        good = np.zeros(d.nv)
        for q, v in ((np.zeros(d.nq + 1), good), (np.zeros((2, d.nq)), good), (np.full(d.nq, np.nan), good),
                     (np.zeros((1, 1, d.nq)), good), (3.0, good)):
            with self.assertRaises(camber.Error):
                d.accelerations(q, v)
        with self.assertRaises((camber.Error, TypeError, ValueError)):
            d.accelerations(["a"] * d.nq, good)
        np.testing.assert_array_equal(d.accelerations([0] * d.nq, good), d.accelerations(np.zeros(d.nq, np.float32), good))
        with self.assertRaisesRegex(camber.Error, "one of ce"):
            bar.dynamics("cc")
        with self.assertRaises(camber.Error):
            bar.dynamics("generated")
        with self.assertRaisesRegex(camber.Error, "t: must be finite"):
            d.accelerations(d.initial_q, good, t=float("nan"))
        for complex_or_text in (d.initial_q.astype(complex), d.initial_q.astype(str), None):
            with self.assertRaises(TypeError):
                d.accelerations(complex_or_text, good)

    # Batches once held Python from their first state to their last.
    def test_other_threads_go_on_during_a_batch(self):
        d = camber.load("models/hmmwv.toml").dynamics("ce")
        q, v = np.tile(d.initial_q, (4000, 1)), np.tile(d.initial_v, (4000, 1))
        one = d.accelerations(q[0], v[0])
        found = []
        threads = [threading.Thread(target=lambda: found.append(d.accelerations(q, v))) for _ in range(2)]
        for thread in threads:
            thread.start()
        rounds = 0
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.001)
            rounds += 1
        self.assertGreater(rounds, 10)
        for a in found:  # the two took turns with one workspace
            np.testing.assert_array_equal(a, np.tile(one, (4000, 1)))

    def test_control_c_ends_a_batch(self):
        code = ("import camber, numpy as np\n"
                "d = camber.load('models/hmmwv.toml').dynamics('ce')\n"
                "q, v = np.tile(d.initial_q, (4_000_000, 1)), np.tile(d.initial_v, (4_000_000, 1))\n"
                "print('ready', flush=True)\n"
                "try:\n    d.accelerations(q, v)\n"
                "except KeyboardInterrupt:\n    print(d.accelerations(q[0], v[0]).shape == v[0].shape)\n")
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(0.2)
        start = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        self.assertEqual(out, "True\n")
        self.assertLess(time.monotonic() - start, 20)  # all of them take a minute


class Ground(unittest.TestCase):
    def test_queries_over_arrays_are_those_of_the_program(self):
        hills = camber.load("terrains/hills.toml")
        theirs = json.loads(program("terrain", "terrains/hills.toml", "--at", "30", "0", "--at", "12.5", "-7", "--json"))
        found = hills.query([30, 12.5], [0, -7])
        for i, point in enumerate(theirs["points"]):
            self.assertEqual(found.height[i], point["height"])
            np.testing.assert_array_equal(found.normal[i], point["normal"])
            self.assertEqual(hills.soils[found.soil[i]], point["soil"])
            self.assertEqual(bool(found.inside[i]), point["inside"])
        grid = hills.height(np.linspace(0, 10, 7)[None, :], np.linspace(0, 5, 3)[:, None])
        self.assertEqual(grid.shape, (3, 7))
        with self.assertRaises(camber.Error):
            hills.height(np.nan, 0)
        with self.assertRaisesRegex(camber.Error, r"x \(3,\), y \(2,\)"):
            hills.height(np.zeros(3), np.zeros(2))
        for not_numbers in (np.zeros(3, complex), "here", None, [None]):
            with self.assertRaises(TypeError):
                hills.height(not_numbers, 0)


class Sensors(unittest.TestCase):
    def test_samples_are_arrays_that_stay(self):
        drive = camber.Drive("scenarios/posts-with-sensors.toml")
        with self.assertRaises(camber.Error):
            drive.sensors["lidar"].points  # none has arrived
        drive.step(0.6)
        self.assertEqual(set(drive.sensors), {"lidar", "imu", "gnss", "odometry", "bus"})
        lidar = drive.sensors["lidar"].sample
        points, cloud = lidar.points, lidar.cloud
        self.assertEqual(points.shape, (len(cloud["range"]), 4))
        self.assertEqual(points.dtype, np.float32)
        self.assertFalse(points.flags.writeable)
        np.testing.assert_allclose(points[:, :3], cloud["position"], rtol=1e-6, atol=1e-5)
        before = points.copy()
        force = drive.sensors["imu"].values["specific_force"]
        self.assertAlmostEqual(float(np.linalg.norm(force)), 9.81, delta=1.5)
        number = lidar.number
        drive.step(0.6)
        np.testing.assert_array_equal(points, before)
        self.assertGreater(drive.sensors["lidar"].sample.number, number)
        with self.assertRaises(KeyError):
            drive.sensors["ladar"]
        with self.assertRaisesRegex(camber.Error, "camera"):
            drive.sensors["imu"].image

    def test_a_recorded_drive_has_its_sensors_as_series(self):
        run = camber.Drive("scenarios/posts-with-sensors.toml", record=True)
        run.step(1)
        series = run.result().series
        imu = series["sensors/imu"]
        self.assertEqual(len(imu.time), len(imu["specific_force"]))
        self.assertGreater(len(imu.time), 50)


class Batches(unittest.TestCase):
    SET = {"ground.friction": camber.Uniform(0.5, 1.0), "run.duration": 3}

    def test_a_member_has_the_bits_of_a_drive_on_any_number_of_threads(self):
        hashes = []
        for threads in (1, 3):
            batch = camber.Batch("scenarios/step-steer.toml", 4, seed=5, set=self.SET, threads=threads, kernel="scalar")
            steer = np.linspace(-0.02, 0.02, 4)
            batch.step(0.5)
            batch.step(0.5, steer=steer, throttle=0.3)
            hashes.append([batch.state_hash(i) for i in range(4)])
            drive = camber.Drive("scenarios/step-steer.toml", {k: v[2] for k, v in batch.settings.items()})
            drive.step(0.5)
            drive.step(0.5, steer=steer[2], throttle=0.3)
            self.assertEqual(drive.state_hash, batch.state_hash(2))
        self.assertEqual(*hashes)

    def test_seeds_members_and_bad_input(self):
        batch = camber.Batch("scenarios/step-steer.toml", 3, seed=5, set=self.SET)
        again = camber.Batch("scenarios/step-steer.toml", 3, seed=5, set=self.SET)
        self.assertEqual(batch.settings, again.settings)
        state = batch.state(1)
        batch.run()
        self.assertTrue(batch.done.all())
        self.assertEqual(batch.status(0)[0], "done")
        batch.restore(1, state)
        self.assertEqual(batch.done.tolist(), [True, False, True])
        self.assertEqual(batch.view.yaw_rate.shape, (3,))
        for bad in ({"steer": [1, 2]}, {"throttle": 2}, {"steer": np.nan}, {"brake": [0, 0, -1]}):
            with self.assertRaises(camber.Error):
                batch.step(0.1, **bad)
        with self.assertRaises(camber.Error):
            batch.state(3)
        with self.assertRaises(camber.Error):
            camber.Batch("scenarios/step-steer.toml", 3, set={"ground.friction": [1.0, 0.5]})
        with self.assertRaises(camber.Error):
            camber.Batch("scenarios/step-steer.toml", 2, set={"ground.frction": 1.0})
        normal = camber.Normal(1, 0.5, low=0.8).sample(np.random.default_rng(2), 500)
        self.assertGreaterEqual(min(normal), 0.8)


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = camber.load("scenarios/step-steer.toml", {"run.duration": 3}).run()

    def test_files_of_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("run.csv", "run.npz", "run.h5"):
                self.run_.save(os.path.join(folder, name))
            table = np.genfromtxt(os.path.join(folder, "run.csv"), delimiter=",", names=True, deletechars="")
            np.testing.assert_array_equal(table["time"], self.run_.time)
            np.testing.assert_array_equal(table["chassis/rates.yaw"], self.run_["chassis/rates"]["yaw"])
            with self.assertRaisesRegex(camber.Error, "ending"):
                self.run_.save(os.path.join(folder, "run.xls"))
            self.run_.report(os.path.join(folder, "run.html"))
            with open(os.path.join(folder, "run.html"), encoding="utf-8") as file:
                self.assertIn("<svg", file.read())
        frame = self.run_.frame()
        self.assertEqual(len(frame), len(self.run_))
        np.testing.assert_array_equal(frame["wheels/load.front_left"], self.run_["wheels/load"]["front_left"])

    def test_comparison(self):
        other = camber.load("scenarios/step-steer.toml", {"run.duration": 3, "ground.friction": 0.5}).run()
        found = camber.compare([self.run_, other], names=["dry", "wet"])
        self.assertEqual(found.names, ["dry", "wet"])
        self.assertFalse(found.same)
        self.assertGreater(found.worst(1)[0].share, 0)
        with self.assertRaises(camber.Error):
            camber.compare([self.run_])

    def test_arithmetic_gives_plain_arrays(self):
        rates = self.run_["chassis/rates"]
        self.assertEqual(rates.unit, "rad/s")
        self.assertIs(type(2 * rates), np.ndarray)
        self.assertIs(type(rates[5:10]), np.ndarray)
        self.assertIs(type(rates.max()), np.float64)

    def test_plots(self):
        import matplotlib

        matplotlib.use("agg")
        import matplotlib.pyplot as plt

        _, ax = plt.subplots()
        self.assertIs(self.run_.plot(ax=ax), ax)
        for ax in (self.run_.plot("wheels/load"), self.run_.plot("chassis/rates.yaw"),
                   camber.load("models/motorcycle.toml").modes(V=20).plot(),
                   camber.load("models/hmmwv.toml").rig(travel=(-0.02, 0.02)).plot("toe_deg")):
            self.assertTrue(ax.get_xlabel() and ax.get_ylabel())
            ax.figure.canvas.draw()
        self.assertIn("<table>", self.run_._repr_html_())
        plt.close("all")


if __name__ == "__main__":
    unittest.main()
