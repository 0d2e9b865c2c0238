"""Loading, running and stepping: the same bits as the program."""

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import camber

STEP_STEER = "scenarios/step-steer.toml"
SHORT = {"run.duration": 3}


def program(*arguments: str) -> subprocess.CompletedProcess:
    """Runs the program that was built with the package."""
    return subprocess.run([os.environ["CAMBER_PROGRAM"], *arguments], capture_output=True, text=True, check=False)


class SameBits(unittest.TestCase):
    def test_a_run_in_memory_has_the_numbers_that_the_program_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run")
            done = program("run", STEP_STEER, "--set", "run.duration=3", "-o", path)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            theirs = camber.open(path)
            ours = camber.load(STEP_STEER, SHORT).run()
            self.assertEqual(sorted(ours.channels), sorted(theirs.channels))
            np.testing.assert_array_equal(ours.time, theirs.time)
            for name in theirs.channels:
                np.testing.assert_array_equal(ours[name], theirs[name], err_msg=name)
            self.assertEqual(ours.state_hash, theirs.state_hash)
            self.assertEqual(ours.figures, theirs.figures)
            drop = {"wall_time", "real_time_factor", "overrides", "page", "versions"}
            self.assertEqual({k: v for k, v in ours.summary.items() if k not in drop},
                             {k: v for k, v in theirs.summary.items() if k not in drop})

    def test_a_run_with_a_log_writes_the_same_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            logged = camber.load(STEP_STEER, SHORT).run(log=os.path.join(folder, "logged"))
            self.assertEqual(sorted(os.listdir(logged.folder)), ["log.h5", "report.html", "summary.json"])
            memory = camber.load(STEP_STEER, SHORT).run()
            memory.save(os.path.join(folder, "saved"))
            self.assertTrue(camber.compare([logged, os.path.join(folder, "saved")]).same)
            with self.assertRaisesRegex(camber.Error, "logged"):  # never over something
                camber.load(STEP_STEER, SHORT).run(log=os.path.join(folder, "logged"))

    def test_steps_of_any_length_end_in_the_state_of_a_run(self):
        whole = camber.Drive(STEP_STEER, SHORT)
        whole.run()
        pieces = camber.Drive(STEP_STEER, SHORT)
        rng = np.random.default_rng(7)
        while not pieces.done:
            pieces.step(float(rng.uniform(0.0003, 0.2)))
        self.assertEqual(whole.state_hash, pieces.state_hash)
        self.assertEqual(whole.state_hash, camber.load(STEP_STEER, SHORT).run().state_hash)

    def test_models_run_as_the_program_runs_them(self):
        for file, options in (("models/four-bar.toml", ["--for", "1"]), ("models/motorcycle.toml", ["--for", "0.5"]),
                              ("scenarios/rolling-wheel-fig4.toml", [])):
            with self.subTest(file), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "run")
                done = program("run", file, *options, "-o", path)
                self.assertEqual(done.returncode, 0, done.stderr)
                theirs = camber.open(path)
                ours = camber.load(file).run(float(options[1]) if options else None)
                for name in theirs.channels:
                    np.testing.assert_array_equal(ours[name], theirs[name], err_msg=name)


class Stepping(unittest.TestCase):
    def test_a_controller_in_python_drives(self):
        drive = camber.Drive(STEP_STEER, {"vehicle.start.speed": 20, "run.duration": 3}, record=True)
        while not drive.done:
            v = drive.view
            drive.step(0.01, steer=0.02, throttle=min(1.0, max(0.0, 0.3 * (20 - v.speed))), brake=0)
        self.assertGreater(drive.view.yaw, 0.05)  # to the left
        run = drive.result()
        self.assertEqual(run.status, "done")
        self.assertAlmostEqual(run.time[-1], 3)
        np.testing.assert_allclose(run["driver/command"]["steer"][10:], 0.02)

    def test_a_callable_gives_the_same_as_steps_at_the_drivers_rate(self):
        def law(view, t):
            return 0.03 * np.sin(2 * t), 0.3, 0.0

        called = camber.Drive(STEP_STEER, SHORT)
        called.run(until=2.5, controller=law)
        stepped = camber.Drive(STEP_STEER, SHORT)
        while stepped.time < 2.5 - 1e-9:
            steer, throttle, brake = law(stepped.view, stepped.view.time)
            stepped.step(0.01, steer=steer, throttle=throttle, brake=brake)
        self.assertEqual(called.state_hash, stepped.state_hash)

    def test_snapshots_say_what_they_are(self):
        drive = camber.Drive(STEP_STEER, SHORT)
        drive.step(2.8)
        snapshot, wheel = drive.snapshot(), drive.wheel("front_left")
        self.assertTrue(repr(wheel).startswith("Wheel(load="), repr(wheel))
        self.assertTrue(repr(snapshot).startswith("Snapshot(time=2.8, position=("), repr(snapshot))
        # The mass center is less than a meter from the origin of the vehicle's frame.
        at_origin = np.arctan2(snapshot.velocity[1], snapshot.velocity[0])
        self.assertAlmostEqual(snapshot.sideslip, at_origin, delta=abs(snapshot.rates[2]) / snapshot.velocity[0])
        self.assertNotEqual(wheel.aligning_torque, 0)

    def test_what_is_left_out_of_a_command_stays(self):
        drive = camber.Drive(STEP_STEER, SHORT)
        drive.step(0.01, steer=0.01, throttle=0.4)
        drive.step(0.01, brake=0.1)
        drive.step(0.01)
        command = drive.snapshot().command
        self.assertEqual((command.steer, command.throttle, command.brake), (0.01, 0.4, 0.1))

    def test_brakes_single_wheels_and_holds_a_gear(self):
        drive = camber.Drive(STEP_STEER, SHORT)
        drive.actuate(brake_pressure=[0.1, 0, 0, 0.2])
        drive.step(0.3, steer=0, throttle=0, brake=0, gear=2)
        wheels = drive.snapshot().wheel_list
        self.assertEqual([round(wheel.brake_pressure, 9) for wheel in wheels], [0.1, 0, 0, 0.2])
        self.assertAlmostEqual(wheels[3].brake_torque, -0.2 * 4000, delta=2)
        self.assertEqual(drive.snapshot().command.gear, 2)
        drive.actuate()
        drive.step(0.1)
        self.assertEqual(drive.snapshot().wheel_list[3].brake_torque, 0)
        with self.assertRaisesRegex(camber.Error, "brake_pressure: the vehicle has 4 wheels, got 1"):
            drive.actuate(brake_pressure=[0.1])

    def test_state_restores_exactly_and_pickles(self):
        drive = camber.Drive(STEP_STEER, SHORT, record=True)
        drive.advance_to(1)
        state = pickle.loads(pickle.dumps(drive.state()))
        drive.run()
        first = drive.state_hash
        full = drive.result()
        drive.restore(state)
        self.assertAlmostEqual(drive.time, 1)
        drive.run()
        self.assertEqual(drive.state_hash, first)
        again = drive.result()  # what came after the state was recorded once
        np.testing.assert_array_equal(again["chassis/position"], full["chassis/position"])
        other = camber.Drive("models/../scenarios/step-steer.toml", SHORT)
        other.restore(state)
        other.run()
        self.assertEqual(other.state_hash, first)
        with self.assertRaises(camber.Error):
            camber.Drive("scenarios/double-lane-change.toml", {"vehicle.level": "single_track"}).restore(state)

    def test_results_and_models_pickle_after_use(self):
        def again(thing):
            return pickle.loads(pickle.dumps(thing))

        lane = camber.load(STEP_STEER, {**SHORT, "vehicle.start.speed": 20})
        run = lane.run()
        copy = again(run)
        self.assertEqual((copy.figures, copy.attributes, copy.status), (run.figures, run.attributes, run.status))
        for name in run:
            np.testing.assert_array_equal(copy[name], run[name])
            self.assertEqual((copy[name].unit, copy[name].names), (run[name].unit, run[name].names))
        sensed = camber.load("scenarios/posts-with-sensors.toml", {"run.duration": 0.5}).run()
        for group, series in again(sensed).series.items():
            np.testing.assert_array_equal(series.time, sensed.series[group].time)
        drive = camber.Drive(lane)
        drive.step(0.3, steer=0.01)
        view = again(drive.view)
        for name in ("time", "x", "y", "z", "yaw", "roll", "pitch", "speed", "lateral_speed", "yaw_rate", "acceleration",
                     "steer", "grade"):
            self.assertEqual(getattr(view, name), getattr(drive.view, name))
        command = again(camber.Command(steer=0.1, throttle=0.2, gear=3))
        self.assertEqual((command.steer, command.throttle, command.gear), (0.1, 0.2, 3))
        # Once these held what cannot be pickled as soon as they had been used.
        hmmwv, hills = camber.load("models/hmmwv.toml"), camber.load("terrains/hills.toml")
        d = hmmwv.dynamics()
        hmmwv.mass_matrix(d.initial_q)
        self.assertEqual(again(hmmwv), hmmwv)
        np.testing.assert_array_equal(again(d).initial_q, d.initial_q)
        self.assertEqual(again(hills).height(3, 4), hills.height(3, 4))
        with self.assertRaises(TypeError):
            pickle.dumps(drive)

    def test_a_scenario_with_a_vehicle_in_memory_is_pickled_whole(self):
        code = ("import camber, pickle, sys\n"
                "lane = camber.load('scenarios/step-steer.toml', {'run.duration': 3})\n"
                "tree = camber.load('models/hmmwv.toml').tree\n"
                "tree['chassis']['mass'] = 2200.0\n"
                "lane.use('vehicle', camber.model(tree, 'models/heavy.toml'))\n"
                "sys.stdout.buffer.write(pickle.dumps(lane))\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        lane = pickle.loads(done.stdout)  # whoever made the vehicle's file has ended and deleted it
        heavy = camber.load(STEP_STEER, {**SHORT, "vehicle:chassis.mass": 2200.0})
        self.assertEqual(lane.run().state_hash, heavy.run().state_hash)

    def test_views_and_arrays_stay_what_they_were(self):
        drive = camber.Drive(STEP_STEER, SHORT, record=True)
        drive.step(0.5)
        view, wheel, part = drive.view, drive.wheel("front_left"), drive.result()["wheels/load"]
        before = (view.x, wheel.load, part.copy())
        drive.run()
        self.assertEqual((view.x, wheel.load), before[:2])
        np.testing.assert_array_equal(part, before[2])
        drive.close()
        del drive
        np.testing.assert_array_equal(part, before[2])
        with self.assertRaises(ValueError):
            part[0, 0] = 1


class Errors(unittest.TestCase):
    def test_a_typo_has_place_key_and_suggestion(self):
        lane = camber.load("scenarios/double-lane-change.toml")
        with self.assertRaises(camber.Error) as caught:
            lane["driver.speed.taget"] = 3
        self.assertEqual(caught.exception.key, "driver.speed.taget")
        self.assertEqual(caught.exception.suggestion, "target")
        self.assertIn("--set", caught.exception.file)
        self.assertEqual(lane.settings, [])  # nothing was changed

    def test_a_file_has_line_and_column(self):
        text = camber.load(STEP_STEER).text.replace("speed =", "sped =", 1)
        with self.assertRaises(camber.Error) as caught:
            camber.model(text, "scenarios/mine.toml")
        error = caught.exception
        self.assertEqual(error.file, "scenarios/mine.toml")
        self.assertGreater(error.line, 1)
        self.assertGreater(error.column, 0)
        self.assertTrue(error.mistakes)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.line, again.key), (str(error), error.line, error.key))

    def test_missing_files_and_wrong_kinds(self):
        with self.assertRaises(camber.Error) as caught:
            camber.load("scenarios/nothing.toml")
        self.assertEqual(caught.exception.file, "scenarios/nothing.toml")
        with self.assertRaisesRegex(camber.Error, "scenario"):
            camber.Drive(camber.load("models/hmmwv.toml"))
        with self.assertRaises(camber.Error):
            camber.open("scenarios")

    def test_bad_numbers_are_refused_and_change_nothing(self):
        drive = camber.Drive(STEP_STEER, SHORT)
        hash_before = drive.state_hash
        for bad in ({"steer": float("nan")}, {"throttle": 1.5}, {"brake": -0.1}, {"steer": 4.0}):
            with self.assertRaises(camber.Error, msg=str(bad)):
                drive.step(0.01, **bad)
        for dt in (float("nan"), -1.0):
            with self.assertRaises(camber.Error):
                drive.step(dt)
        with self.assertRaises(TypeError):
            drive.step("long")
        with self.assertRaises(camber.Error):
            drive.advance_to(float("nan"))
        with self.assertRaises(camber.Error):
            drive.snapshot(3)
        with self.assertRaises(camber.Error):
            drive.wheel("fron_left")
        self.assertEqual(drive.state_hash, hash_before)

    def test_a_closed_drive_says_so(self):
        with camber.Drive(STEP_STEER, SHORT) as drive:
            drive.step(0.1)
        self.assertTrue(drive.closed)
        for use in (lambda: drive.step(0.1), lambda: drive.view, lambda: drive.time, drive.state, drive.close):
            with self.assertRaisesRegex(camber.Error, "closed"):
                use()

    def test_an_exception_of_a_controller_arrives_unchanged(self):
        class Mine(Exception):
            pass

        drive = camber.Drive(STEP_STEER, SHORT)
        error = Mine("at", 1)

        def law(view, t):
            if t > 0.5:
                raise error
            return 0.0, 0.2, 0.0

        with self.assertRaises(Mine) as caught:
            drive.run(controller=law)
        self.assertIs(caught.exception, error)
        self.assertLess(drive.time, 0.6)
        drive.step(0.5)  # it stays usable
        self.assertGreater(drive.time, 1)
        for answer in (3, "abc", (1,), (0, 0, 0, 0, 0, 0, 0)):
            with self.assertRaises((camber.Error, TypeError)):
                drive.run(until=drive.time + 0.1, controller=lambda v, t, a=answer: a)
        drive.run()
        self.assertEqual(drive.status, "done")

    def test_unknown_channels_and_columns_suggest(self):
        run = camber.load(STEP_STEER, SHORT).run()
        with self.assertRaises(KeyError) as caught:
            run["wheel/load"]
        self.assertIn("wheels/load", str(caught.exception))
        with self.assertRaises(camber.Error):
            run["chassis/rates"]["yw"]


class Processes(unittest.TestCase):
    def test_two_threads_run_two_drives_and_one_drive_takes_one_thread(self):
        drives = [camber.Drive(STEP_STEER, SHORT) for _ in range(2)]
        threads = [threading.Thread(target=d.run) for d in drives]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(drives[0].state_hash, drives[1].state_hash)

        shared = camber.Drive("scenarios/double-lane-change.toml")
        thread = threading.Thread(target=shared.run)
        thread.start()
        refused = 0
        while thread.is_alive() and not refused:
            try:
                shared.step(0.001)
            except camber.Error as error:
                self.assertIn("another thread", str(error))
                refused += 1
        thread.join()
        self.assertTrue(refused or shared.done)

    def test_control_c_ends_a_long_call(self):
        code = ("import camber, sys\n"
                "d = camber.Drive('scenarios/double-lane-change.toml', {'run.duration': 100000})\n"
                "print('ready', flush=True)\n"
                "try:\n    d.run()\nexcept KeyboardInterrupt:\n    d.step(0.1); print('interrupted', d.status)\n")
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        self.assertEqual(out, "interrupted running\n")

    # Commands of the program catch the signal themselves, and once it got lost there; analyses never asked.
    def test_control_c_ends_commands_and_analyses(self):
        with tempfile.TemporaryDirectory() as folder:
            for call in (f"camber.command('run', '{STEP_STEER}', set={{'run.duration': 10000}}, output='{folder}/run')",
                         "camber.load('models/hmmwv.toml').rig(travel=(-0.08, 0.08, 2e-5))",
                         "camber.load('models/motorcycle.toml').modes(sweep={'V': (1, 60, 0.0006)})",
                         "camber.load('scenarios/small-car-step-steer.toml').modes(sweep={'speed': (10, 40, 0.001)})"):
                code = ("import camber, time\nprint('ready', flush=True)\n"
                        f"try:\n    {call}\nexcept KeyboardInterrupt:\n    print('interrupted')\n")
                child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
                self.assertEqual(child.stdout.readline(), "ready\n")
                time.sleep(0.7)
                child.send_signal(signal.SIGINT)
                out, _ = child.communicate(timeout=20)
                self.assertEqual(out, "interrupted\n", call)
            self.assertEqual(camber.open(folder + "/run").status, "stopped")

    def test_a_forked_process_has_a_drive_of_its_own(self):
        drive = camber.Drive(STEP_STEER, SHORT)
        drive.advance_to(0.5)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            drive.run()
            os.write(write, drive.state_hash.encode())
            os._exit(0)
        os.waitpid(child, 0)
        theirs = os.read(read, 100).decode()
        os.close(read)
        os.close(write)
        self.assertAlmostEqual(drive.time, 0.5)
        drive.run()
        self.assertEqual(drive.state_hash, theirs)

    def test_the_program_runs_inside_python(self):
        done = subprocess.run([sys.executable, "-m", "camber", "check", STEP_STEER, "--json"], capture_output=True,
                              text=True, check=True)
        self.assertEqual(json.loads(done.stdout), json.loads(program("check", STEP_STEER, "--json").stdout))
        self.assertTrue(camber.command("check", STEP_STEER)["ok"])
        with self.assertRaisesRegex(camber.Error, "did you mean"):
            camber.command("chek", STEP_STEER)
        plan = camber.command("plan", "plans/parallel-parking.toml")
        self.assertEqual(plan.status, 0)


if __name__ == "__main__":
    unittest.main()
