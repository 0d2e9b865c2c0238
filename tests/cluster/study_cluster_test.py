"""Studies on a real Slurm and a real mpirun, with lost nodes, a lost controller, time limits, killed workers and a full
disk: the same bytes as a calm run on one machine. `make study-tests` runs it.

usage: study_cluster_test.py PATH_OF_CAMBER [unittest arguments]
"""

import glob
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import slurm  # noqa: E402

CAMBER = ""
OUTPUTS = ["samples.csv", "samples.parquet", "summary.json", "report.html"]

STUDY = """kind = "study"
name = "cluster"
scenario = "SCENARIO"
seed = 4
set = ["run.duration=DURATION"]
[[input]]
name = "speed"
keys = ["vehicle.start.speed", "driver.speed.target"]
distribution = { kind = "uniform", low = 18, high = 24 }
[[input]]
name = "mass"
key = "vehicle:chassis.mass"
distribution = { kind = "normal", mean = 2077, sigma = 50 }
[plan]
kind = "sobol"
samples = SAMPLES
"""


def run(*arguments, check=0, env=None):
    result = subprocess.run([CAMBER, "study", *arguments], capture_output=True, text=True, timeout=600, env=env)
    assert check is None or result.returncode == check, (result.returncode, result.stdout, result.stderr)
    return result


def read_outputs(folder):
    return {name: pathlib.Path(folder, name).read_bytes() for name in OUTPUTS}


class ClusterTest(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="camber-cluster-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, samples=96, duration=10):
        path = os.path.join(self.folder, "study.toml")
        text = STUDY.replace("SCENARIO", os.path.abspath("scenarios/step-steer.toml"))
        pathlib.Path(path).write_text(text.replace("SAMPLES", str(samples)).replace("DURATION", str(duration)))
        return path

    def out(self, name):
        return os.path.join(self.folder, name)

    def calm(self, study):
        run("run", study, "-o", self.out("calm"), "-j", "2")
        return read_outputs(self.out("calm"))

    def cluster(self, **options):
        if shutil.which("slurmctld") is None or shutil.which("munged") is None:
            self.skipTest("Slurm is not installed (packages slurm-wlm, munge)")
        cluster = slurm.Slurm(os.path.join(self.folder, "slurm"), **options)
        self.addCleanup(cluster.stop)
        return cluster

    def assert_same(self, expected, folder):
        found = read_outputs(folder)
        for name in OUTPUTS:
            self.assertEqual(expected[name], found[name], name)

    def journals(self, folder):
        return glob.glob(folder + "/journal/*.jsonl")

    def submit(self, cluster, study, *options):
        out = self.out("out")
        run("submit", study, "-o", out, "--slurm", *options, env=cluster.environment)
        return out

    def test_array_gives_the_bytes_of_a_local_run(self):
        cluster = self.cluster(nodes=2)
        study = self.write()
        out = self.submit(cluster, study, "--chunks", "6", "--partition", "all", "--sbatch=--comment=test")
        cluster.wait_for_jobs(120)
        found = read_outputs(out)  # written by the merge job
        self.assertEqual(len(self.journals(out)), 6)
        expected = self.calm(study)
        for name in OUTPUTS:
            self.assertEqual(expected[name], found[name], name)

    def test_node_set_down(self):
        cluster = self.cluster(nodes=3)
        study = self.write()
        out = self.submit(cluster, study, "--chunks", "6")
        cluster.wait(lambda: len(self.journals(out)) >= 2, 30, "journals")
        time.sleep(0.5)
        cluster.run("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=test")
        cluster.wait_for_jobs(180)
        run("resume", out)
        self.assert_same(self.calm(study), out)

    def test_node_killed(self):
        cluster = self.cluster(nodes=3)
        study = self.write()
        out = self.submit(cluster, study, "--chunks", "6")
        cluster.wait(lambda: len(self.journals(out)) >= 2, 30, "journals")
        time.sleep(0.5)
        cluster.kill_node("n2")
        cluster.wait_for_jobs(240)
        run("resume", out)
        self.assert_same(self.calm(study), out)

    def test_controller_killed_right_after_submit(self):
        cluster = self.cluster(nodes=2)
        study = self.write()
        out = self.submit(cluster, study, "--chunks", "4")
        cluster.kill_controller()
        time.sleep(1)
        cluster.start_controller()
        time.sleep(3)
        # Whatever Slurm remembers: what is missing is submitted once more.
        run("submit", out, "--slurm", "--chunks", "4", env=cluster.environment)
        cluster.wait_for_jobs(240)
        run("merge", out)
        self.assert_same(self.calm(study), out)

    def test_time_limit(self):
        cluster = self.cluster(nodes=2)
        study = self.write(samples=40, duration=700)  # seconds per sample, minutes in all
        out = self.submit(cluster, study, "--chunks", "1", "--time", "1")
        cluster.wait(lambda: len(self.journals(out)) >= 2, 200, "second attempt")  # queued again by its own script
        run("stop", out, env=cluster.environment)
        cluster.wait_for_jobs(60)
        merged = run("status", out).stdout
        self.assertIn("0 conflicts", merged)
        run("resume", out)
        self.assert_same(self.calm(study), out)

    def test_mpirun_with_a_killed_rank(self):
        if shutil.which("mpirun") is None:
            self.skipTest("Open MPI is not installed (package openmpi-bin)")
        study = self.write()
        run("run", study, "-o", self.out("calm"), "-j", "2")
        shutil.copytree(self.out("calm"), self.out("mpi"))
        for journal in self.journals(self.out("mpi")):
            os.remove(journal)
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        command = ["mpirun", "--enable-recovery", "--oversubscribe", "-n", "3", CAMBER, "study", "work", self.out("mpi")]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(self.journals(self.out("mpi"))) < 3 and process.poll() is None:
            time.sleep(0.05)
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True)
        os.kill(int(children.stdout.split()[0]), signal.SIGKILL)
        process.wait(timeout=120)
        subprocess.run(command, env=environment, capture_output=True, timeout=120)
        run("merge", self.out("mpi"))
        self.assert_same(read_outputs(self.out("calm")), self.out("mpi"))

    def test_4096_samples_on_one_and_two_workers(self):
        study = self.write(samples=4096, duration=4)
        text = pathlib.Path(study).read_text()
        pathlib.Path(study).write_text(text.replace('["run.', '["vehicle.level=single_track", "run.'))
        run("run", study, "-o", self.out("one"), "-j", "1")
        run("run", study, "-o", self.out("two"), "-j", "2")
        self.assert_same(read_outputs(self.out("one")), self.out("two"))

    def test_4096_samples_in_lanes_of_four_and_eight_and_after_kills(self):
        """Full vehicles, 0.4 s each. The third run is killed as a whole, ten times, and resumed."""
        study = self.write(samples=4096, duration=0.4)
        text = pathlib.Path(study).read_text().replace("seed = 4", 'seed = 4\nkernel = "lanes"')
        pathlib.Path(study).write_text(text.replace('["run.', '["figures=[{figure=\\"peak_roll_deg\\"}]", "run.'))
        run("run", study, "-o", self.out("eight"), "-j", "1", "--lanes", "8")
        expected = read_outputs(self.out("eight"))
        self.assertIn(b'"kernel": "lanes"', expected["summary.json"])
        run("run", study, "-o", self.out("four"), "-j", "2", "--lanes", "4")
        self.assert_same(expected, self.out("four"))
        chance = random.Random(4096)
        command = ["run", study, "-o", self.out("killed")]
        for _ in range(10):
            process = subprocess.Popen([CAMBER, "study", *command, "-j", "2", "--lanes", chance.choice(["4", "8"])],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            while not self.journals(self.out("killed")) and process.poll() is None:
                time.sleep(0.02)
            time.sleep(chance.uniform(0.1, 1.0))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            command = ["resume", self.out("killed")]
        run(*command, "-j", "2")
        self.assert_same(expected, self.out("killed"))

    def test_240_random_kills(self):
        """Workers are killed at random moments until 240 are dead, in as many runs of the study as that takes."""
        study = self.write(samples=800, duration=4)
        expected = self.calm(study)
        print("seed 240", end=" ", flush=True)
        chance = random.Random(240)
        kills = storms = 0
        while kills < 240:
            storms += 1
            out = self.out(f"storm-{storms}")
            process = subprocess.Popen([CAMBER, "study", "run", study, "-o", out, "-j", "2"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            while kills < 240 and process.poll() is None:
                time.sleep(chance.uniform(0.02, 0.4))
                children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True,
                                          text=True).stdout.split()
                try:
                    if children:
                        os.kill(int(chance.choice(children)), signal.SIGKILL)
                        kills += 1
                except ProcessLookupError:
                    pass
            self.assertEqual(process.wait(timeout=300), 0)
            run("resume", out)
            self.assert_same(expected, out)
        print(kills, "kills in", storms, "runs", end=" ", flush=True)

    def test_one_array_per_generation_of_an_optimization(self):
        cluster = self.cluster(nodes=2)
        study = self.write_optimization()
        out = self.submit(cluster, study, "--partition", "all")
        cluster.wait(lambda: os.path.exists(out + "/summary.json"), 240, "the last generation")
        cluster.wait_for_jobs(60)
        found = read_outputs(out)  # written by the last job
        generations = len(os.listdir(out + "/generations"))
        jobs = pathlib.Path(out, "slurm", "jobs").read_text().split()
        self.assertGreaterEqual(generations, 3)
        self.assertGreaterEqual(len(jobs), 2 * generations)  # an array, and the job after it
        self.assertGreater(len(self.journals(out)), generations)  # several tasks per generation
        expected = self.calm(study)
        for name in OUTPUTS:
            self.assertEqual(expected[name], found[name], name)

    def test_a_node_is_lost_during_an_optimization(self):
        cluster = self.cluster(nodes=3)
        study = self.write_optimization()
        out = self.submit(cluster, study)
        cluster.wait(lambda: len(self.journals(out)) >= 4, 60, "journals")
        cluster.kill_node("n2")
        cluster.wait(lambda: os.path.exists(out + "/summary.json"), 300, "the last generation")
        cluster.wait_for_jobs(60)
        self.assert_same(self.calm(study), out)

    def write_optimization(self):
        path = self.write(duration=4)
        text = pathlib.Path(path).read_text()
        text = text.replace('{ kind = "normal", mean = 2077, sigma = 50 }', '{ kind = "uniform", low = 1900, high = 2300 }')
        text = text[:text.index("[plan]")] + """[plan]
kind = "optimize"
evaluations = 60
population = 12
restarts = 0
[[objective]]
figure = "yaw_gain"
target = 0.2
"""
        pathlib.Path(path).write_text(text)
        return path

    def test_full_disk(self):
        study = self.write(samples=400, duration=4)
        expected = self.calm(study)
        disk = self.out("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=220k", "none", disk], capture_output=True).returncode != 0:
            self.skipTest("mounting a small disk needs root")
        try:
            result = run("run", study, "-o", disk + "/out", "-j", "2", check=1)
            self.assertIn("No space left on device", result.stderr)
            subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
            run("resume", disk + "/out")
            self.assert_same(expected, disk + "/out")
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_journals_cut_at_any_byte(self):
        study = self.write(samples=8, duration=4)
        expected = self.calm(study)
        out = self.out("cut")
        chance = random.Random(8)
        journal = max(self.journals(self.out("calm")), key=os.path.getsize)
        whole = pathlib.Path(journal).read_bytes()
        for size in sorted(chance.sample(range(len(whole)), 12)) + [0, len(whole)]:
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(self.out("calm"), out)
            pathlib.Path(out, "journal", os.path.basename(journal)).write_bytes(whole[:size])
            run("resume", out, "-j", "1")
            self.assert_same(expected, out)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
