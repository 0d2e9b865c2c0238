"""Runs `camber run` on scenarios as a user does: to their end, into walls, and with things that are wrong.

usage: drive_command_test.py PATH_OF_CAMBER [unittest arguments]
"""

import glob
import json
import os
import re
import resource
import shutil
import signal
import struct
import time
import zlib

import h5py
import numpy

from run_folder import Folder, main, run, start

STEP_STEER = "scenarios/step-steer.toml"
# A tread that follows its slip within a hundredth of a millimeter: even a 64th of a step is too long for it.
TOO_STIFF = ["--set", "tire:tire.relaxation_along=1e-5"]
LEVELS = ("full", "single_track", "point_mass")

# A short drive on a circle; the file lies elsewhere, so it names the vehicle by its full path.
CIRCLE = f"""kind = "scenario"
name = "circle"
[vehicle]
model = "{os.path.abspath("models/hmmwv.toml")}"
[vehicle.start]
speed = 7.3
gear = 2
[driver.steering]
kind = "preview"
[driver.path]
kind = "circle"
radius = 31
[driver.speed]
kind = "hold"
target = 8.1
[run]
duration = 2
"""


def is_scenario(path):
    with open(path, encoding="utf-8") as file:
        return 'kind = "scenario"' in file.read()


def shipped_scenarios():
    return [path for path in sorted(glob.glob("scenarios/*.toml")) if is_scenario(path)]


class Drive(Folder):
    def picture(self, name, rows):
        """A gray PNG of 8 bits, as its specification has it [ISO/IEC 15948]."""
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        pixels = b"".join(b"\0" + bytes(row) for row in rows)
        with open(self.path(name), "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))
        return self.path(name)

    def change(self, name, source, *changes):
        """A copy of a file with some text in the place of other. Files that it names stay where they are."""
        with open(source, encoding="utf-8") as file:
            text = file.read()
        folder = os.path.dirname(os.path.abspath(source))
        for part in ("equipment", "shapes", "tires"):
            text = text.replace(f'"{part}/', f'"{folder}/{part}/')
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write(name, text)

    def start(self, *arguments):
        """A drive that is under way: its log has samples."""
        folder = self.path("run")
        process = start("run", *arguments, "-o", folder)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        log, deadline = os.path.join(folder, "log.h5"), time.monotonic() + 60
        while not os.path.exists(log) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.7)
        self.assertIsNone(process.poll(), "the drive is over already")
        return process, folder


class Ends(Drive):
    def test_kill_leaves_a_log_that_reads(self):
        process, folder = self.start(STEP_STEER, "--for", "2000")
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            self.assertEqual(log["complete"][()], 0)
            times = log["time"][...]
            position = log["chassis/position"][: len(times)]
        # 0.7 s on the clock less what was not yet on disk; even a busy machine drives 5 samples in that.
        self.assertGreater(len(times), 5)
        self.assertTrue(numpy.allclose(numpy.diff(times), 0.01))
        self.assertTrue(numpy.isfinite(position).all())
        before = times < 2  # the step
        self.assertTrue(numpy.allclose(position[before, 0], 22.2 * times[before], atol=0.3))

    def test_loses_no_more_than_the_last_tenth_of_a_second(self):
        # The state of the disk when the process is stopped, against what it had driven until then.
        process, folder = self.start(STEP_STEER, "--for", "2000")
        process.send_signal(signal.SIGSTOP)
        with h5py.File(os.path.join(folder, "log.h5"), locking=False) as log:
            on_disk = log["time"][-1]
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=60)
        summary = self.summary(folder)
        per_second = summary["time"] / summary["wall_time"]
        self.assertGreater(on_disk, summary["time"] - 0.1 * per_second - 0.02)

    def test_interrupt_closes_the_log(self):
        process, folder = self.start(STEP_STEER, "--for", "2000")
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted (SIGINT) at t = ", stderr)
        summary = self.summary(folder)
        self.assertEqual(summary["status"], "stopped")
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            self.assertEqual(log["complete"][()], 1)
            self.assertAlmostEqual(log["time"][-1], summary["time"])
        self.assertTrue(os.path.exists(os.path.join(folder, "report.html")))

    def test_diverging_drive_keeps_its_last_good_state(self):
        folder = self.path("run")
        result = run("run", STEP_STEER, *TOO_STIFF, "-o", folder)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("the drive failed: ", result.stderr)
        summary = self.summary(folder)
        self.assertEqual(summary["status"], "failed")
        self.assertIn("at t = ", summary["reason"])
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            self.assertEqual(log["complete"][()], 1)
            self.assertAlmostEqual(log["time"][-1], summary["time"])
            for name in ("chassis/position", "chassis/acceleration", "wheels/load"):
                self.assertTrue(numpy.isfinite(log[name][...]).all(), name)

    def test_diverging_drive_says_what_went_first(self):
        # Nobody brakes: treads are what steps are too long for.
        folder = self.path("run")
        run("run", STEP_STEER, *TOO_STIFF, "-o", folder)
        reason = self.summary(folder)["reason"]
        self.assertNotIn("brake", reason)
        self.assertRegex(reason, "tire (front|rear)_(left|right) is [-+.0-9e]{1,10} m, beyond the plausibility limit of 10 m;")
        self.assertRegex(reason, "at t = [.0-9]{1,10} s ")
        self.assertEqual(reason.count(" t = "), 1, reason)
        self.assertIn("run.step may be too long with 0.001 s, even in parts of 1.56e-5 s", reason)
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            self.assertLess(numpy.abs(log["chassis/velocity"][...]).max(), 30)
            self.assertLess(numpy.abs(log["wheels/spin"][...]).max(), 100)
        # Steps that the brakes' springs were too stiff for.
        for step in ("0.005", "0.01"):
            result = run("run", STEP_STEER, "--set", f"run.step={step}", "-o", self.path(step))
            self.assertEqual(result.returncode, 0, result.stderr)

    # Its joints diverge when it lies, but that is not what happened.
    def test_a_vehicle_that_rolls_over(self):
        folder = self.path("run")
        result = run("run", STEP_STEER, "--set", "vehicle.center_of_mass_height=3", "--for", "5", "-o", folder)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(self.summary(folder)["reason"], r"^the vehicle has rolled over: at t = [.0-9]+ s its roll is -?[.0-9]+ deg; then ")

    def test_files_that_cannot_be_written(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

        result = run("run", STEP_STEER, "-o", self.path("log"), preexec_fn=limit)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, r"the drive failed: after t = [.0-9]+ s: .*log.h5: cannot write: File too large\n"
                         r"The log ends by t = [.0-9]+ s of 10 s: ")
        # What comes behind the log does not hide how far that goes.
        process, folder = self.start(STEP_STEER, "--for", "2000")
        os.mkdir(os.path.join(folder, "report.html"))
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(stderr, r"report.html: cannot write: Is a directory; the log ends at t = [.0-9]+ s of 2000 s\n")

    def test_ground_that_cannot_be_read_on_the_way(self):
        # 0.25 m of NaN 60 m ahead, in a tile that is not read at the start.
        heights = numpy.zeros((64, 400), dtype="<f4")
        heights[30, 280] = numpy.nan
        with open(self.path("map.raw"), "wb") as file:
            file.write(heights.tobytes())
        terrain = self.write("terrain.toml", 'kind = "terrain"\nname = "hole"\n[terrain]\nkind = "map"\nfile = "map.raw"\n'
                             'nx = 400\nny = 64\nspacing = 0.25\ntype = "float32"\norigin = [-10, -8]\n')
        for level in ("full", "single_track"):
            with self.subTest(level=level):
                folder = self.path(level)
                result = run("run", STEP_STEER, "--set", f'ground.terrain="{terrain}"', "--set", f"vehicle.level={level}",
                             "--set", "driver.steering.angle_deg=0", "-o", folder)
                self.assertEqual(result.returncode, 1, result.stderr)
                summary = self.summary(folder)
                self.assertEqual(summary["status"], "failed")
                self.assertIn("map.raw", summary["reason"])
                self.assertIn("is not finite", summary["reason"])
                self.assertIn(summary["reason"], result.stderr)
                self.assertTrue(os.path.exists(os.path.join(folder, "report.html")))
                with h5py.File(os.path.join(folder, "log.h5")) as log:
                    self.assertEqual(log["complete"][()], 0)
                    self.assertAlmostEqual(log["time"][-1], summary["time"])
                    self.assertGreater(log["chassis/position"][-1][0], 10)

    def test_stop_conditions_end_it(self):
        scenario = self.write("circle.toml", CIRCLE + '[[stop]]\nwhen = "time"\nvalue = 0.3\nthen = "ends"\n')
        result = run("run", scenario, "-o", self.path("good"), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["ended_by"], "time 0.3 at t = 0.3 s")
        result = run("run", scenario, "--set", "stop[0].then=fails", "-o", self.path("bad"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("the drive failed: time 0.3 at t = 0.3 s", result.stderr)

    def test_json_is_the_summary_and_the_folder(self):
        folder = self.path("run")
        result = run("run", self.write("circle.toml", CIRCLE), "--for", "0.2", "-o", folder, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout), {**self.summary(folder), "folder": folder})


class Checkpoints(Drive):
    def test_a_restart_goes_on_bit_by_bit(self):
        scenario = self.write("circle.toml", CIRCLE)
        for level in LEVELS:
            with self.subTest(level=level):
                options = ("--set", f"vehicle.level={level}", "--set", "run.duration=1.03")
                whole, rest = self.path(f"{level}-whole"), self.path(f"{level}-rest")
                self.assertEqual(run("run", scenario, *options, "--checkpoint", "0.41", "-o", whole).returncode, 0)
                result = run("run", scenario, *options, "--restart", whole, "-o", rest)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.summary(rest)["final_state_hash"], self.summary(whole)["final_state_hash"])
                self.assertAlmostEqual(self.summary(rest)["restarted_at"], 0.82)
                with h5py.File(os.path.join(whole, "log.h5")) as a, h5py.File(os.path.join(rest, "log.h5")) as b:
                    count = len(b["time"])
                    for name in ("time", "chassis/position", "chassis/velocity", "driver/command"):
                        self.assertTrue((a[name][-count:] == b[name][...]).all(), name)

    def test_what_is_no_checkpoint_of_this_drive(self):
        scenario = self.write("circle.toml", CIRCLE)
        folder = self.path("run")
        self.assertEqual(run("run", scenario, "--for", "0.3", "--checkpoint", "0.1", "-o", folder).returncode, 0)
        good = os.path.join(folder, "checkpoint.json")
        with open(good, encoding="utf-8") as file:
            text = file.read()
        checkpoint = json.loads(text)
        damaged = {
            "cut.json": (text[: len(text) // 2], "is not a checkpoint: "),
            "kind.json": (json.dumps({**checkpoint, "kind": "run"}), 'kind must be "checkpoint"'),
            "short.json": (json.dumps({**checkpoint, "state": checkpoint["state"][:-1]}), "the checksum of its time and state"),
            "late.json": (json.dumps({**checkpoint, "time": 77}), "the checksum of its time and state"),
            "moved.json": (json.dumps({**checkpoint, "state": checkpoint["state"][:-1] + [checkpoint["state"][-1] + 0.5]}), "it was changed or is damaged"),
            "older.json": (json.dumps({**checkpoint, "program": "camber 0.0"}), 'with "camber 0.0"; this is "camber '),
            "null.json": (json.dumps({**checkpoint, "time": None}), "is not a checkpoint: "),
        }
        cases = [(scenario, self.write(name, bad), message) for name, (bad, message) in damaged.items()]
        cases += [(self.write("other.toml", CIRCLE.replace("31", "32")), good, "is a checkpoint of "),
                  (scenario, self.path("none.json"), "cannot read: No such file")]
        for file, path, message in cases:
            with self.subTest(path=path):
                result = run("run", file, "--restart", path, "-o", self.path("out"))
                self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
                self.assertIn(f"{path}: ", result.stderr)
                self.assertIn(message, result.stderr)
                self.assertFalse(os.path.exists(self.path("out")))
        # With other values it is another drive.
        result = run("run", scenario, "--set", "run.duration=3", "--restart", good, "-o", self.path("out"))
        self.assertIn("with other contents or --set than", result.stderr)

    def test_other_files_make_another_drive(self):
        vehicle = self.change("hmmwv.toml", "models/hmmwv.toml")
        heights = numpy.zeros((64, 400), dtype="<f4")
        with open(self.path("map.raw"), "wb") as file:
            file.write(heights.tobytes())
        terrain = self.write("terrain.toml", 'kind = "terrain"\nname = "flat"\n[terrain]\nkind = "map"\nfile = "map.raw"\n'
                             'nx = 400\nny = 64\nspacing = 0.25\ntype = "float32"\norigin = [-10, -8]\n')
        options = ("--set", f'vehicle.model="{vehicle}"', "--set", f'ground.terrain="{terrain}"', "--for", "0.3")
        folder = self.path("run")
        run("run", STEP_STEER, *options, "--checkpoint", "0.1", "-o", folder)
        same = run("run", STEP_STEER, *options[:-1], "0.5", "--restart", folder, "-o", self.path("same"))
        self.assertEqual(self.summary(self.path("same"))["status"], "done", same.stderr)
        with open(vehicle, "a", encoding="utf-8") as file:
            file.write("# another day\n")
        result = run("run", STEP_STEER, *options[:-1], "0.5", "--restart", folder, "-o", self.path("out"))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(f"with another {vehicle} than there is now", result.stderr)
        self.change("hmmwv.toml", "models/hmmwv.toml")
        heights[3, 5] = 0.01
        with open(self.path("map.raw"), "wb") as file:
            file.write(heights.tobytes())
        result = run("run", STEP_STEER, *options[:-1], "0.5", "--restart", folder, "-o", self.path("out"))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("map.raw than there is now", result.stderr)

    # The files are the same, wherever one stands and whatever folder they are in; the checkpoint was refused by their names.
    def test_the_same_files_in_another_place(self):
        for name in ("hmmwv.toml", "tires/hmmwv-tmeasy.toml", "equipment/hmmwv.toml"):
            os.makedirs(os.path.dirname(self.path(f"a/models/{name}")), exist_ok=True)
            shutil.copy(f"models/{name}", self.path(f"a/models/{name}"))
        text = CIRCLE.replace(os.path.abspath("models/hmmwv.toml"), "models/hmmwv.toml")
        self.write("a/circle.toml", text)
        folder = self.path("run")
        made = run("run", "circle.toml", "--for", "0.3", "--checkpoint", "0.1", "-o", folder, cwd=self.path("a"))
        self.assertEqual(made.returncode, 0, made.stderr)
        os.rename(self.path("a"), self.path("b"))
        places = (("b/circle.toml", self.folder), (self.path("b/circle.toml"), "/"), ("./circle.toml", self.path("b")))
        for i, (name, where) in enumerate(places):
            with self.subTest(name=name):
                out = self.path(f"out-{i}")
                result = run("run", name, "--for", "0.4", "--restart", folder, "-o", out, cwd=where)
                self.assertEqual(result.returncode, 0, result.stderr)

    # Files that a named file names count as well: a picture of friction or soils, the .tir of a tire's file.
    def test_files_that_files_name(self):
        shutil.copy("models/tires/hmmwv.tir", self.path("hmmwv.tir"))
        tire = self.write("tire.toml", 'kind = "tire"\nname = "t"\n[tire]\nmodel = "magic_formula"\nfile = "hmmwv.tir"\n')
        grid = 'spacing = 50\norigin = [-100, -100]\n'
        terrain = self.write("terrain.toml", 'kind = "terrain"\nname = "flat"\n[terrain]\nkind = "flat"\n'
                             f'[terrain.friction]\neverywhere = 1\nfile = "ice.png"\n{grid}values = [1.0, 0.9]\n'
                             f'[terrain.soil]\neverywhere = "rigid"\nfile = "soil.png"\n{grid}values = ["rigid", "LETE_sand"]\n')
        self.picture("ice.png", [[0, 0], [0, 0]])
        self.picture("soil.png", [[0, 0], [0, 0]])
        options = ("--set", f"tire.file={tire}", "--set", f"ground.terrain={terrain}", "--set", "vehicle.level=single_track", "--for")
        folder, scenario = self.path("run"), self.write("circle.toml", CIRCLE)
        made = run("run", scenario, *options, "0.3", "--checkpoint", "0.1", "-o", folder)
        self.assertTrue(os.path.exists(os.path.join(folder, "checkpoint.json")), made.stderr)
        for name in ("ice.png", "soil.png", "hmmwv.tir"):
            with self.subTest(name=name):
                with open(self.path(name), "rb") as file:
                    before = file.read()
                if name.endswith(".png"):
                    self.picture(name, [[0, 0], [0, 1]])
                else:
                    with open(self.path(name), "ab") as file:
                        file.write(b"$ another day\n")
                result = run("run", scenario, *options, "0.4", "--restart", folder, "-o", self.path("out"))
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(f"with another {self.path(name)} than there is now", result.stderr)
                with open(self.path(name), "wb") as file:
                    file.write(before)
        result = run("run", scenario, *options, "0.4", "--restart", folder, "-o", self.path("out"))
        self.assertEqual(result.returncode, 0, result.stderr)

    # A map is hashed piece by piece: it was read whole.
    def test_a_large_map_takes_no_memory(self):
        side = 9001
        with open(self.path("map.raw"), "wb") as file:
            file.truncate(2 * side * side)
        terrain = self.write("terrain.toml", 'kind = "terrain"\nname = "flat"\n[terrain]\nkind = "map"\nfile = "map.raw"\n'
                             f'nx = {side}\nny = {side}\nspacing = 0.5\norigin = [-100, -100]\n')
        scenario = self.write("circle.toml", CIRCLE)
        process = start("run", scenario, "--set", f"ground.terrain={terrain}", "--for", "0.1", "--checkpoint", "0.05",
                        "-o", self.path("out"))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertLess(usage.ru_maxrss * 1024, 2 * side * side)

    def test_ruts_are_kept(self):
        scenario, whole, rest = "scenarios/soft-soil-ruts.toml", self.path("whole"), self.path("rest")
        run("run", scenario, "--for", "1.5", "--checkpoint", "1", "-o", whole)  # too short for its figures
        result = run("run", scenario, "--for", "1.5", "--restart", whole, "-o", rest)
        self.assertEqual(self.summary(rest)["status"], "done", result.stderr)
        self.assertEqual(self.summary(rest)["final_state_hash"], self.summary(whole)["final_state_hash"])


class BadInput(Drive):
    def expect(self, message, *arguments):
        """Exit status 2, this message, and nothing left behind."""
        with self.subTest(arguments=arguments):
            result = run("run", *arguments, "-o", self.path("out"))
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertIn(message, result.stderr)
            self.assertFalse(os.path.exists(self.path("out")))

    def set(self, message, *assignments, file=STEP_STEER):
        options = [part for assignment in assignments for part in ("--set", assignment)]
        self.expect(f"--set {assignments[-1]}: {message}", file, *options)

    def test_values(self):
        self.set("run.duration: must be from", "run.duration=-1")
        self.set("run.step: must be from", "run.step=-0.001")
        self.set("run.step: must be finite, got nan", "run.step=nan")
        self.set("run.step: must be <= driver.sample_time", "run.step=0.02")
        self.set("driver.sped: unknown key", "driver.sped.target=15")
        self.set('tire.model: ', "tire.model=tmeasi")
        self.set("vehicle.formulation: ", "vehicle.formulation=uk")
        self.set('tire.model: "rigid" does not drive on rigid ground', "tire.model=rigid")
        self.expect("--for: must be > 0 s, got -1", STEP_STEER, "--for", "-1")
        self.expect("--checkpoint: must be > 0 s", STEP_STEER, "--checkpoint", "-1")
        bad = self.write("bad.toml", CIRCLE.replace("duration = 2", "duration = -2"))
        self.expect(f"{bad}:17:12: run.duration: must be from", bad)

    def test_options_of_models(self):
        for option, key in ((("--tolerance", "1e-6"), "drives have fixed steps"), (("--standing",), "is on its tires")):
            with self.subTest(option=option):
                result = run("run", STEP_STEER, *option, "-o", self.path("out"))
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(f"{option[0]}: {STEP_STEER} is a scenario", result.stderr)
                self.assertIn(key, result.stderr)

    # --step and others mean the same for every kind: in a scenario they are keys.
    def test_options_that_are_keys(self):
        summaries = []
        for name, arguments in (
                ("options", ("--step", "0.002", "--sample", "0.02", "--method", "rk4", "--formulation", "ce")),
                ("keys", ("--set", "run.step=0.002", "--set", "run.sample_interval=0.02", "--set", "run.method=rk4",
                          "--set", "vehicle.formulation=ce"))):
            result = run("run", STEP_STEER, "--for", "0.2", *arguments, "-o", self.path(name))
            self.assertIn("report: ", result.stdout, result.stderr)
            summaries.append(self.summary(self.path(name)))
        for key in ("overrides", "step", "method", "formulation", "steps", "samples", "final_state_hash"):
            self.assertEqual(summaries[0][key], summaries[1][key], key)
        self.assertEqual((summaries[0]["step"], summaries[0]["method"], summaries[0]["samples"]), (0.002, "rk4", 11))
        self.expect("run.method: ", STEP_STEER, "--method", "adams")
        self.expect("--step: must be > 0 s, got -1", STEP_STEER, "--step", "-1")

    def test_a_soil_grid_that_is_too_coarse(self):
        self.expect("ground.soil_spacing: must be at most 0.079375 m", "scenarios/soft-soil-ruts.toml", "--set",
                    "ground.soil_spacing=0.3")

    def test_a_payload_beside_the_wheels(self):
        self.expect("vehicle.payload moves it there", STEP_STEER, "--set",
                    "vehicle.payload=[{ mass = 2000, at = [0, 3, 0.5] }]")

    def test_suggestions(self):
        for assignment, word in (("tire.model=tmeasi", "tmeasy"), ("vehicle.level=ful", "full"),
                                 ("driver.steering.kind=stepp", "step"), ("run.method=rk5", "rk4"),
                                 ("ground.soil=LETE_snad", "LETE_sand")):
            result = run("run", STEP_STEER, "--set", assignment, "-o", self.path("out"))
            self.assertEqual(result.returncode, 2, assignment)
            self.assertIn(f'did you mean "{word}"?', result.stderr)

    def test_files_that_are_missing(self):
        for key in ("ground.terrain", "vehicle.model", "tire.file", "vehicle.equipment"):
            self.set(f"{key}: ", f"{key}=../nowhere/none.toml")
        self.expect("cannot read: No such file", self.path("none.toml"))

    def test_nan_in_a_map(self):
        self.write("map.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 100\n0 0 0\n0 nan 0\n0 0 0\n")
        ground = self.write("ground.toml", 'kind = "terrain"\nname = "hole"\n[terrain]\nkind = "map"\nfile = "map.asc"\n')
        self.expect("map.asc", STEP_STEER, "--set", f"ground.terrain={ground}")

    def test_nan_in_a_raw_map_under_the_start(self):
        heights = numpy.zeros((64, 64), dtype="<f4")
        heights[33, 30] = numpy.nan
        heights.tofile(self.path("map.raw"))
        ground = self.write("ground.toml", """kind = "terrain"
name = "hole"
[terrain]
kind = "map"
file = "map.raw"
nx = 64
ny = 64
spacing = 1
type = "float32"
origin = [-32, -32]
""")
        for level in LEVELS:
            self.expect(f"{ground}:5:8: terrain.file: {self.path('map.raw')}: the height of node (30, 30) is not finite",
                        STEP_STEER, "--set", f"ground.terrain={ground}", "--set", f"vehicle.level={level}")

    def test_a_body_in_the_ground(self):
        self.expect("step-steer.toml:10:1: vehicle.start: the vehicle does not stand at x = 0 m, y = 0 m: below its body",
                    STEP_STEER, "--set", "vehicle.start.speed=0", "--set",
                    'ground.bump=[{shape="ramp",x=-0.9,height=0.9,rise=0.1,top=1.5,fall=0.1}]')

    def test_samples_within_a_step(self):
        self.set("run.sample_interval: must be >= run.step = 0.001 s, got 3e-04", "run.sample_interval=0.0003")

    def test_nowhere_to_stand(self):
        self.expect("step-steer.toml:10:1: vehicle.start: the vehicle does not stand at x = 0 m, y = 0 m: ",
                    STEP_STEER, "--set", "vehicle.payload=[{mass=90000,at=[0,0,1]}]")

    def test_tir_in_another_unit(self):
        tir = self.change("tire.tir", "models/tires/hmmwv.tir", ("'newton'", "'newtonn'"))
        self.expect(f"{tir}:6", STEP_STEER, "--set", "tire.model=magic_formula", "--set", f"tire.file={tir}")

    def test_vehicle_with_one_axle(self):
        with open("models/mcpherson-car.toml", encoding="utf-8") as file:
            text = file.read()
        begin = text.index("[axles.rear]")
        named = text[:begin].replace('"equipment/', f'"{os.path.abspath("models/equipment")}/').replace(
            '"tires/', f'"{os.path.abspath("models/tires")}/')
        bad = self.write("car.toml", named)
        self.expect(f"{bad}:", STEP_STEER, "--set", f"vehicle.model={bad}")
        self.expect("a drive needs at least 2 axles, got 1", STEP_STEER, "--set", f"vehicle.model={bad}")

    def test_equipment(self):
        bad = self.change("equipment.toml", "models/equipment/hmmwv.toml", ("axle_ratio = 2.73", "axle_ratio = -2.73"),
                          ("lock = 0.52", "lok = 0.52"))
        result = run("run", STEP_STEER, "--set", f"vehicle.equipment={bad}", "-o", self.path("out"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("driveline.axle_ratio: must be > 0", result.stderr)
        self.assertIn('steering.lok: unknown key; did you mean "lock"?', result.stderr)
        self.assertFalse(os.path.exists(self.path("out")))
        self.set("vehicle.start.gear: the gearbox has 3 gears forward, got 9", "vehicle.start.gear=9")


class Notes(Drive):
    def drive(self, name, *assignments, text):
        scenario, folder = self.write(f"{name}.toml", text), self.path(name)
        result = run("run", scenario, *(part for assignment in assignments for part in ("--set", assignment)), "-o", folder)
        return result.stderr, self.summary(folder)

    # A parked vehicle rolled away by meters where steps are too long for the treads of its tires.
    def test_steps_that_are_too_long_to_stand(self):
        parked = CIRCLE[: CIRCLE.index("[vehicle.start]")] + (
            "[ground]\nslope = 0.2\n[driver]\nparking_brake = true\n[run]\nduration = 10\n"
            '[[figures]]\nfigure = "standstill_drift"\n')
        text, summary = self.drive("long", "run.step=0.005", text=parked)
        self.assertGreater(summary["key_figures"][0]["value"], 0.01)
        self.assertIn("note: run.step: steps of 0.005 s are too long for tires at rest", text)
        self.assertIn("note: " + summary["warnings"][0], text)
        holds = float(re.search(r"up to ([.0-9]+) s hold it", text)[1])
        self.assertGreater(holds, 0.002)
        text, summary = self.drive("short", f"run.step={holds}", f"run.sample_interval={holds}",
                                   f"driver.sample_time={holds}", text=parked)
        self.assertEqual((text, summary["warnings"]), ("", []))
        self.assertLess(summary["key_figures"][0]["value"], 0.005)

    # It drove over a wall, hardly slowed, and said nothing.
    def test_energy_that_is_not_accounted_for(self):
        wall = ('ground.bump=[{shape="step",x=6,height=0.6}]', "driver.path.kind=straight")
        text = CIRCLE.replace("radius = 31\n", "") + '[[figures]]\nfigure = "energy_error"\n'
        stderr, summary = self.drive("wall", *wall, text=text)
        self.assertRegex(stderr, "note: the ground has a vertical edge of 0.6 m at x = 6 m: tire.contact = \"point\" does not see it")
        self.assertRegex(stderr, "note: the energy balance is off by [.0-9]+ %: the results are unreliable")
        self.assertRegex(stderr, "camber: the drive is unsound: the tire of [a-z_]+ is pressed in by")
        self.assertEqual((summary["sound"], summary["passed"]), (False, False))
        with open(self.path("wall/report.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("the energy balance is off by", page)
        self.assertIn("Unsound: the tire of", page)
        stderr, _ = self.drive("envelope", *wall, "tire.contact=envelope", "run.duration=0.2", text=text)
        self.assertIn("sees edges up to the tire's radius of 0.47 m", stderr)
        stderr, summary = self.drive("road", "driver.path.kind=straight", text=text)
        self.assertEqual((stderr, summary["warnings"]), ("", []))


class Settings(Drive):
    def test_are_in_summary_and_report(self):
        changes = ["tire.file=../models/tires/hmmwv-fiala.toml", "ground.friction=0.7"]
        folder = self.path("out")
        result = run("run", STEP_STEER, "--for", "0.1", *(part for change in changes for part in ("--set", change)), "-o", folder)
        self.assertEqual(result.stderr, "")
        summary = self.summary(folder)
        self.assertEqual(summary["overrides"], changes)
        self.assertEqual(summary["tire"], "fiala of models/tires/hmmwv-fiala.toml, contact point")
        self.assertEqual(summary["ground"], "flat, rigid, friction x 0.7")
        with open(f"{folder}/report.html", encoding="utf-8") as file:
            page = file.read()
        for text in (*changes, summary["tire"], summary["ground"]):
            self.assertIn(text, page)


class Equipment(Drive):
    def test_is_the_default_when_it_is_the_hmmwv(self):
        hashes = []
        for options in ((), ("--set", "vehicle.equipment=../models/equipment/hmmwv.toml")):
            folder = self.path(str(len(hashes)))
            result = run("run", STEP_STEER, "--for", "0.2", *options, "-o", folder)
            self.assertEqual(self.summary(folder)["status"], "done", result.stderr)
            hashes.append(self.summary(folder)["final_state_hash"])
        self.assertEqual(*hashes)

    def test_counts(self):
        heavy = self.change("equipment.toml", "models/equipment/hmmwv.toml", ("drag_area = 2.2", "drag_area = 22"))
        speeds = []
        for options in ((), ("--set", f"vehicle.equipment={heavy}")):
            folder = self.path(str(len(speeds)))
            run("run", "scenarios/coast-down.toml", "--for", "1", *options, "-o", folder)
            with h5py.File(os.path.join(folder, "log.h5")) as log:
                speeds.append(log["chassis/velocity"][-1, 0])
        self.assertLess(speeds[1], speeds[0] - 0.1)


class RollingConstraint(Drive):
    """tire.model = "relaxed_rolling": one key, in any formulation, on any tire's wheel and spring."""

    def drive(self, name, *assignments):
        options = [part for assignment in assignments for part in ("--set", assignment)]
        folder = self.path(name)
        result = run("run", self.write("circle.toml", CIRCLE), *options, "-o", folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(os.path.join(folder, "log.h5")) as log:
            angles = log["wheels/slip_angle"][...]
            return log["chassis/position"][-1], numpy.abs(angles[:, :2].mean(axis=1)).max()

    def test_one_key_takes_the_slip_angles_away(self):
        with_slip, angle = self.drive("tmeasy")
        self.assertGreater(angle, 0.01)
        places = {}
        for formulation in ("generated", "ce", "ta"):
            places[formulation], angle = self.drive(formulation, "tire.model=relaxed_rolling",
                                                    f"vehicle.formulation={formulation}")
            self.assertLess(angle, 0.004)
            numpy.testing.assert_allclose(places[formulation], places["generated"], atol=1e-6)
        self.assertGreater(numpy.abs(places["generated"] - with_slip).max(), 0.01)

    def test_takes_wheel_and_spring_of_a_file(self):
        brush = f"tire.file={os.path.abspath('models/tires/hmmwv-brush.toml')}"
        # A driver who does not know the tires' cornering stiffness, which is not used.
        pursuit = "driver.steering.kind=pure_pursuit"
        own, _ = self.drive("own", "tire.model=relaxed_rolling", pursuit)
        other, _ = self.drive("other", "tire.model=relaxed_rolling", pursuit, brush)
        numpy.testing.assert_allclose(other, own, atol=1e-9)

    def test_is_no_tire_of_a_single_track(self):
        result = run("run", STEP_STEER, "--set", "vehicle.level=single_track", "--set", "tire.model=relaxed_rolling",
                     "-o", self.path("out"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("is for the full vehicle on rigid ground", result.stderr)


class Shipped(Drive):
    def test_check_knows_them_all(self):
        files = sorted(glob.glob("scenarios/*.toml")) + sorted(glob.glob("models/tires/*.toml")) + sorted(
            glob.glob("models/equipment/*.toml"))
        result = run("check", "--json", *files)
        self.assertEqual(result.returncode, 0, result.stderr)
        kinds = {entry["file"]: entry["kind"] for entry in json.loads(result.stdout)["files"]}
        self.assertEqual(kinds["models/equipment/hmmwv.toml"], "equipment")
        self.assertEqual(kinds["models/tires/hmmwv-tmeasy.toml"], "tire")
        self.assertEqual(kinds[STEP_STEER], "scenario")

    def test_every_drive_begins(self):
        # Half a second is not the maneuver: its figures may miss their bounds, but nothing goes wrong.
        for file in shipped_scenarios():
            with self.subTest(file=file):
                folder = self.path(os.path.basename(file))
                result = run("run", file, "--for", "0.5", "-o", folder)
                self.assertEqual(result.stderr, "")
                summary = self.summary(folder)
                self.assertEqual((summary["status"], round(summary["time"], 9)), ("done", 0.5))

    def test_variations_that_their_headers_recommend(self):
        tried = 0
        for path in shipped_scenarios():
            with open(path, encoding="utf-8") as file:
                header = file.read().split("\nkind =")[0]
            # Those of other drivers than [driver] take minutes.
            assignments = re.findall(r"--set (driver\.\S+|vehicle\.start\.\S+)", header)
            if not assignments:
                continue
            tried += 1
            options = [word for assignment in assignments for word in ("--set", assignment.rstrip(".;,"))]
            with self.subTest(path=path, options=options):
                result = run("run", path, *options, "-o", self.path(f"variation-{tried}"))
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertGreaterEqual(tried, 7)

    def test_standard_maneuvers_meet_their_requirements(self):
        for name in ("braking-in-turn", "constant-speed-steer", "constant-steer", "iso3888-1", "iso3888-2",
                     "lift-off-in-turn", "sine-with-dwell", "slowly-increasing-steer", "small-car-step-steer"):
            with self.subTest(name=name):
                result = run("run", f"scenarios/{name}.toml", "-o", self.path(name))
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                for figure in self.summary(self.path(name))["key_figures"]:
                    self.assertIsNotNone(figure["value"], figure)

    def test_the_manual_lists_the_channels(self):
        with open("docs/manual/scenarios.md", encoding="utf-8") as file:
            manual = file.read()
        for level in LEVELS:
            folder = self.path(level)
            run("run", "scenarios/double-lane-change.toml", "--set", f"vehicle.level={level}", "--for", "0.1", "-o", folder)
            names = []
            with h5py.File(os.path.join(folder, "log.h5")) as log:
                log.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
            self.assertIn("chassis/position", names)
            for name in names:
                if "/" in name and not name.startswith("model"):
                    self.assertIn(f"`{name}`", manual)


if __name__ == "__main__":
    main()
