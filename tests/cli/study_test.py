"""Runs `camber study` as a user does: the same bytes whatever happens to workers, and plain words about mistakes.

usage: study_test.py PATH_OF_CAMBER [unittest arguments]
"""

import csv
import glob
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

CAMBER = ""
OUTPUTS = ["samples.csv", "samples.parquet", "summary.json", "report.html"]

# A single track for 2 s: a few milliseconds a sample.
STUDY = """kind = "study"
name = "quick"
scenario = "SCENARIO"
seed = 4
set = ["vehicle.level=single_track", "run.duration=4", "driver.steering.start=0.5"]
[[input]]
name = "speed"
keys = ["vehicle.start.speed", "driver.speed.target"]
distribution = { kind = "uniform", low = 18, high = 24 }
[[input]]
name = "steer"
key = "driver.steering.angle_deg"
distribution = { kind = "normal", mean = 2.5, sigma = 0.3 }
"""


def run(*arguments, check=None, **options):
    result = subprocess.run([CAMBER, "study", *arguments], capture_output=True, text=True, timeout=300, **options)
    if check is not None:
        assert result.returncode == check, (result.returncode, result.stdout, result.stderr)
    return result


def read_outputs(folder):
    return {name: pathlib.Path(folder, name).read_bytes() for name in OUTPUTS}


def read_rows(folder):
    with open(os.path.join(folder, "samples.csv"), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_parquet(path):
    """A reader of its own for plain, required columns: schema and values from the footer of the format."""
    data = pathlib.Path(path).read_bytes()
    assert data[:4] == b"PAR1" and data[-4:] == b"PAR1"
    (length,) = struct.unpack("<I", data[-8:-4])

    class Reader:
        def __init__(self, at):
            self.at = at

        def byte(self):
            self.at += 1
            return data[self.at - 1]

        def varint(self):
            value = shift = 0
            while True:
                b = self.byte()
                value |= (b & 0x7F) << shift
                shift += 7
                if not b & 0x80:
                    return value

        def value(self, kind):
            if kind in (5, 6):
                n = self.varint()
                return (n >> 1) ^ -(n & 1)
            if kind == 8:
                n = self.varint()
                self.at += n
                return data[self.at - n:self.at]
            if kind == 9:
                head = self.byte()
                size = head >> 4 if head >> 4 < 15 else self.varint()
                return [self.value(head & 15) for _ in range(size)]
            assert kind == 12, kind
            fields, last = {}, 0
            while True:
                head = self.byte()
                if head == 0:
                    return fields
                last += head >> 4
                fields[last] = self.value(head & 15)

    footer = Reader(len(data) - 8 - length).value(12)
    names = [element[4].decode() for element in footer[2][1:]]
    columns = {}
    for name, chunk in zip(names, footer[4][0][1]):
        meta = chunk[3]
        reader = Reader(meta[9])
        page = reader.value(12)
        body = data[reader.at:reader.at + page[3]]
        n, kind = meta[5], meta[1]
        if kind == 5:
            columns[name] = list(struct.unpack(f"<{n}d", body))
        elif kind == 2:
            columns[name] = list(struct.unpack(f"<{n}q", body))
        elif kind == 0:
            columns[name] = [bool(body[i // 8] >> (i % 8) & 1) for i in range(n)]
        else:
            texts, at = [], 0
            for _ in range(n):
                (size,) = struct.unpack_from("<I", body, at)
                texts.append(body[at + 4:at + 4 + size].decode())
                at += 4 + size
            columns[name] = texts
    return columns


class StudyTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="camber-study-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, plan, text=STUDY, name="study.toml"):
        path = os.path.join(self.folder, name)
        scenario = os.path.abspath("scenarios/step-steer.toml")
        pathlib.Path(path).write_text(text.replace("SCENARIO", scenario) + plan)
        return path

    def out(self, name="out"):
        return os.path.join(self.folder, name)

    def test_one_and_two_workers_give_the_same_bytes(self):
        study = self.write('[plan]\nkind = "sobol"\nsamples = 64\n[keep]\ncurves = ["chassis/rates.yaw"]\n')
        run("run", study, "-o", self.out("a"), "-j", "1", check=0)
        run("run", study, "-o", self.out("b"), "-j", "2", check=0)
        a, b = read_outputs(self.out("a")), read_outputs(self.out("b"))
        for name in OUTPUTS:
            self.assertEqual(a[name], b[name], name)
        rows = read_rows(self.out("a"))
        self.assertEqual([int(row["sample"]) for row in rows], list(range(64)))
        columns = read_parquet(self.out("a") + "/samples.parquet")
        self.assertEqual(columns["sample"], list(range(64)))
        self.assertEqual([float(row["steer"]) for row in rows], columns["steer"])
        self.assertEqual([row["final_state_hash"] for row in rows], columns["final_state_hash"])
        self.assertEqual([row["passed"] == "true" for row in rows], columns["passed"])
        # Chunks in any order, one of them twice, then a merge: the same again.
        run("run", study, "-o", self.out("c"), "-j", "1", check=0)
        for journal in glob.glob(self.out("c") + "/journal/*"):
            os.remove(journal)
        for chunk in (2, 0, 1, 2):
            run("work", self.out("c"), "--chunk", str(chunk), "--chunks", "3", check=0)
        run("merge", self.out("c"), check=0)
        self.assertEqual(read_outputs(self.out("c")), a)

    def test_the_report_has_numbers_and_units_as_people_write_them(self):
        study = self.write("""[[input]]
key = "vehicle:chassis.mass"
unit = "kg"
distribution = { kind = "uniform", low = 1920, high = 2260 }
[plan]
samples = 16
""")
        run("run", study, "-o", self.out(), check=0)
        page = pathlib.Path(self.out(), "report.html").read_text()
        self.assertRegex(page, r"<small>19\d0 to 2[12]\d0 kg</small>")
        self.assertIn("steady_lateral_acceleration [m/s²]", page)
        self.assertNotIn("[m/s^2]", page)

    def test_a_sample_driven_again_is_the_same(self):
        study = self.write('[plan]\nkind = "random"\nsamples = 3\n')
        run("run", study, "-o", self.out(), check=0)
        run("drive", self.out(), "1", check=0)
        summary = json.loads(pathlib.Path(self.out(), "runs/sample-1/summary.json").read_text())
        row = read_rows(self.out())[1]
        self.assertEqual(summary["final_state_hash"], row["final_state_hash"])
        figures = {f["name"]: f["value"] for f in summary["key_figures"]}
        self.assertEqual(figures["steady_lateral_acceleration"], float(row["steady_lateral_acceleration"]))

    def test_killed_workers_and_a_killed_coordinator_lose_nothing(self):
        study = self.write('[plan]\nkind = "sobol"\nsamples = 512\n')
        run("run", study, "-o", self.out("calm"), "-j", "2", check=0)
        path = self.out("storm")
        kills = 0
        for attempt in range(60):
            # A coordinator may be killed before the folder is complete: then the study is started again.
            command = ["resume", path] if os.path.exists(path + "/study.json") else ["run", study, "-o", path]
            process = subprocess.Popen([CAMBER, "study", *command, "-j", "2"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True)
            for step in range(4):
                time.sleep(0.15)
                if process.poll() is not None:
                    break
                children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True,
                                          text=True).stdout.split()
                for child in children[:1]:
                    try:
                        os.kill(int(child), signal.SIGKILL)
                        kills += 1
                    except ProcessLookupError:
                        pass
            if process.poll() is None and attempt % 3 != 2:
                process.kill()
            code = process.wait()
            if code == 0:
                break
        run("resume", path, check=0)
        self.assertGreater(kills, 2)
        calm, storm = read_outputs(self.out("calm")), read_outputs(path)
        for name in OUTPUTS:
            self.assertEqual(calm[name], storm[name], name)

    def test_a_sample_that_ends_its_worker_twice_is_left_out(self):
        study = self.write('[plan]\nkind = "random"\nsamples = 3\n',
                           text=STUDY.replace('"vehicle.level=single_track", "run.duration=4"', '"run.duration=300"'))
        process = subprocess.Popen([CAMBER, "study", "run", study, "-o", self.out(), "-j", "1"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        hit = set()
        end = time.monotonic() + 120
        while len(hit) < 2 and time.monotonic() < end:
            time.sleep(0.02)
            for journal in glob.glob(self.out() + "/journal/local-*.jsonl"):
                if journal in hit or '{"begin":0}' not in pathlib.Path(journal).read_text():
                    continue
                children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True,
                                          text=True).stdout.split()
                os.kill(int(children[0]), signal.SIGSEGV)
                hit.add(journal)
        error = process.communicate(timeout=120)[1]
        self.assertEqual(len(hit), 2)
        self.assertEqual(process.returncode, 1, error)  # one of three is more than 1 %
        self.assertIn("camber study drive", error)
        rows = read_rows(self.out())
        self.assertEqual([row["status"] for row in rows], ["crashed", "done", "done"])
        self.assertIn("ended its worker 2 times", rows[0]["reason"])

    # Full vehicles, as a single track has no lanes: 40 drives of 3 s.
    LANES = STUDY.replace("vehicle.level=single_track", "vehicle.formulation=generated").replace(
        "run.duration=4", "run.duration=3").replace('seed = 4', 'seed = 4\nkernel = "lanes"')

    def test_drives_in_lanes_as_in_doubles_and_the_same_bytes_for_any_number_of_workers_and_lanes(self):
        plan = '[plan]\nkind = "sobol"\nsamples = 32\n'
        lanes = self.write(plan, text=self.LANES)
        for workers, count in [("1", "8"), ("2", "4")]:
            run("run", lanes, "-o", self.out("lanes" + workers), "-j", workers, "--lanes", count, check=0)
        self.assertIn("--lanes", run("run", lanes, "--lanes", "5", check=2).stderr)
        one, two = read_outputs(self.out("lanes1")), read_outputs(self.out("lanes2"))
        for name in OUTPUTS:
            self.assertEqual(one[name], two[name], name)
        self.assertEqual(json.loads(one["summary.json"])["kernel"], "lanes")
        doubles = self.write(plan, text=self.LANES.replace('kernel = "lanes"', ""))
        run("run", doubles, "-o", self.out("doubles"), "-j", "2", check=0)
        differ = 0
        for a, b in zip(read_rows(self.out("lanes1")), read_rows(self.out("doubles"))):
            differ += a["final_state_hash"] != b["final_state_hash"]
            for column in ["steady_lateral_acceleration", "yaw_gain"]:
                self.assertAlmostEqual(float(a[column]) / float(b[column]), 1, delta=1e-7)
        self.assertGreater(differ, 0)  # else lanes were not used

    def test_workers_killed_in_lanes_lose_nothing(self):
        study = self.write('[plan]\nkind = "sobol"\nsamples = 32\n', text=self.LANES)
        run("run", study, "-o", self.out("calm"), "-j", "1", check=0)
        process = subprocess.Popen([CAMBER, "study", "run", study, "-o", self.out("storm"), "-j", "1"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        killed = set()
        end = time.monotonic() + 60
        while len(killed) < 2 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
            for journal in set(glob.glob(self.out("storm") + "/journal/local-*.jsonl")) - killed:
                if pathlib.Path(journal).read_text().count('"begin"') < 3:
                    continue
                children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True,
                                          text=True).stdout.split()
                for child in children:
                    os.kill(int(child), signal.SIGSEGV)
                killed.add(journal)
        self.assertEqual(process.wait(timeout=120), 0)
        self.assertTrue(killed)
        calm, storm = read_outputs(self.out("calm")), read_outputs(self.out("storm"))
        for name in OUTPUTS:
            self.assertEqual(calm[name], storm[name], name)

    def test_says_why_there_are_no_lanes(self):
        study = self.write('[plan]\nkind = "sobol"\nsamples = 4\n', text=STUDY.replace("seed = 4", 'seed = 4\nkernel = "lanes"'))
        run("run", study, "-o", self.out("none"), "-j", "1", check=0)
        summary = json.loads(pathlib.Path(self.out("none"), "summary.json").read_text())
        self.assertEqual((summary["kernel"], summary["kernel_note"]), ("scalar", 'vehicle.level = "single_track"'))

    def test_samples_that_take_too_long_are_left_out(self):
        study = self.write('[plan]\nkind = "random"\nsamples = 2\n[failure]\ntime_limit = 0.05\n',
                           text=STUDY.replace('"vehicle.level=single_track", "run.duration=4"', '"run.duration=300"'))
        result = run("run", study, "-o", self.out(), check=1)
        self.assertIn("more than 0.05 s of processor time", result.stderr)
        self.assertEqual([row["status"] for row in read_rows(self.out())], ["timed_out", "timed_out"])

    def test_stop_and_resume(self):
        study = self.write('[plan]\nkind = "random"\nsamples = 100000\n')
        process = subprocess.Popen([CAMBER, "study", "run", study, "-o", self.out()], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        while not glob.glob(self.out() + "/journal/*.jsonl"):
            time.sleep(0.05)
        time.sleep(0.5)
        run("stop", self.out(), check=0)
        error = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn("resume", error)
        self.assertIn("of 100000 samples", run("status", self.out(), check=0).stdout)
        self.assertIn("So far", pathlib.Path(self.out(), "report.html").read_text())

    def test_a_folder_of_another_study_is_refused(self):
        first = self.write('[plan]\nkind = "random"\nsamples = 2\n')
        run("run", first, "-o", self.out(), check=0)
        run("run", first, "-o", self.out(), check=0)  # the same: nothing to do
        second = self.write('[plan]\nkind = "random"\nsamples = 3\n', name="other.toml")
        self.assertIn("holds another study", run("run", second, "-o", self.out(), check=2).stderr)

    def test_mistakes_are_told_before_the_first_drive(self):
        study = self.write('[[input]]\nkey = "vehicle:chassis.mas"\n'
                           'distribution = { kind = "uniform", low = 3, high = 2 }\n[plan]\nkind = "random"\n')
        error = run("run", study, "-o", self.out(), check=2).stderr
        for part in ("did you mean", "must be > low = 3, got 2", "study.toml:15"):
            self.assertIn(part, error)
        self.assertFalse(os.path.exists(self.out()))

    def test_a_rule_ends_a_study_early(self):
        study = self.write('[plan]\nkind = "random"\nsamples = 4096\n[stop]\n'
                           'when = "mean(steady_lateral_acceleration) within 5 %"\nfirst_look = 32\n')
        summary = json.loads(run("run", study, "-o", self.out(), "--json", check=0).stdout)
        self.assertTrue(summary["stop"]["met"])
        self.assertIn(summary["samples"], (32, 64, 128, 256))
        before = read_outputs(self.out())
        run("resume", self.out(), check=0)
        self.assertEqual(read_outputs(self.out()), before)

    def test_every_choice_is_checked_before_the_first_drive(self):
        study = self.write('[[input]]\nname = "gear"\nkey = "vehicle.start.gear"\n'
                           'distribution = { kind = "choice", values = [3, 99] }\n[plan]\nkind = "random"\nsamples = 4\n')
        self.assertIn("gear", run("run", study, "-o", self.out(), check=2).stderr)

    def test_searches_find_limits_and_resume(self):
        study = self.write('[plan]\nkind = "limit"\ninput = "speed"\ntolerance = 0.05\n')
        summary = json.loads(run("run", study, "-o", self.out("limit"), "--json", check=0).stdout)
        self.assertIn("tried", summary["result"])
        optimum = self.write('[plan]\nkind = "optimize"\nevaluations = 400\nrestarts = 0\n[[objective]]\n'
                             'figure = "steady_lateral_acceleration"\ntarget = 4.0\n',
                             text=STUDY.replace("normal\", mean = 2.5, sigma = 0.3", 'uniform", low = 2, high = 3'),
                             name="optimum.toml")
        summary = json.loads(run("run", optimum, "-o", self.out("best"), "--json", check=0).stdout)
        self.assertLess(summary["result"]["objective"], 1e-4)
        # The same from its journals alone, and from half of them.
        before = read_outputs(self.out("best"))
        run("report", self.out("best"), check=0)
        self.assertEqual(read_outputs(self.out("best")), before)
        for journal in glob.glob(self.out("best") + "/journal/*"):
            lines = pathlib.Path(journal).read_text()
            pathlib.Path(journal).write_text(lines[:len(lines) // 2])
        run("resume", self.out("best"), check=0)
        self.assertEqual(read_outputs(self.out("best")), before)

    def test_a_rare_event(self):
        study = self.write('[plan]\nkind = "subset"\nsamples = 100\n[event]\nfigure = "steady_lateral_acceleration"\n'
                           'above = 6.0\n')
        summary = json.loads(run("run", study, "-o", self.out(), "--json", check=0).stdout)
        self.assertTrue(summary["result"]["reached"])
        self.assertLess(summary["result"]["probability"], 0.01)

    def test_shipped_studies_are_sound(self):
        for path in sorted(glob.glob("studies/*.toml")):
            with self.subTest(path):
                self.assertIn(": ok", run("check", path, check=0).stdout)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
