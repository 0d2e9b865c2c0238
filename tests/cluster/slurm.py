"""A real Slurm in one folder, on loopback, for one test: no root, no systemd, nothing in /etc."""

import os
import pathlib
import signal
import socket
import subprocess
import time

CONFIGURATION = """ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={root}/munge/sock,cred_expire=5
CredType=cred/munge
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool.%n
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd.%n.pid
SlurmctldLogFile={root}/slurmctld.log
SlurmdLogFile={root}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdTimeout=5
KillWait=2
JobRequeue=1
SlurmdParameters=config_overrides
"""


def free_ports(count):
    """The first of `count` ports in a row that nobody listens on."""
    for base in range(21000 + os.getpid() % 5000, 60000, count + 1):
        sockets = []
        try:
            for i in range(count):
                s = socket.socket()
                sockets.append(s)
                s.bind(("127.0.0.1", base + i))
            return base
        except OSError:
            continue
        finally:
            for s in sockets:
                s.close()
    raise RuntimeError("no free ports")


class Slurm:
    def __init__(self, root, nodes=2, cpus=1):
        self.root = os.path.abspath(root)
        self.names = [f"n{i + 1}" for i in range(nodes)]
        for part in ("munge", "state", *[f"spool.{n}" for n in self.names]):
            os.makedirs(f"{self.root}/{part}")
        os.chmod(self.root, 0o755)
        os.chmod(f"{self.root}/munge", 0o711)
        key = pathlib.Path(self.root, "munge/key")
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        m = f"{self.root}/munge"
        subprocess.run(["munged", "--force", "--num-threads=2", f"--key-file={m}/key", f"--socket={m}/sock",
                        f"--pid-file={m}/pid", f"--log-file={m}/log", f"--seed-file={m}/seed"], check=True)
        port = free_ports(nodes + 1)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip()
        host = subprocess.run(["hostname", "-s"], capture_output=True, text=True).stdout.strip()
        text = CONFIGURATION.format(root=self.root, user=user, port=port)
        for i, name in enumerate(self.names):
            text += f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port + 1 + i} CPUs={cpus} State=UNKNOWN\n"
        text += f"PartitionName=all Nodes={','.join(self.names)} Default=YES MaxTime=INFINITE State=UP\n"
        self.configuration = f"{self.root}/slurm.conf"
        pathlib.Path(self.configuration).write_text(text)
        self.environment = dict(os.environ, SLURM_CONF=self.configuration)
        self.start_controller(clear=True)
        for name in self.names:
            self.start_node(name)
        self.wait(lambda: set(self.run("sinfo", "-h", "-o", "%T").split()) == {"idle"}, 20, "idle nodes")

    def run(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def start_controller(self, clear=False):
        subprocess.run(["slurmctld", *(["-c"] if clear else []), "-f", self.configuration], env=self.environment, check=True)

    def start_node(self, name):
        subprocess.run(["slurmd", "-N", name, "-f", self.configuration], env=self.environment, check=True)

    def process(self, name):
        return int(pathlib.Path(self.root, name).read_text())

    def kill_controller(self):
        os.kill(self.process("slurmctld.pid"), signal.SIGKILL)

    def kill_node(self, name):
        """The machine is gone: its slurmd, its step daemons and all they run, each by its id."""
        children = {}
        daemons = []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
                children.setdefault(parent, []).append(int(path.name))
                if (path / "cmdline").read_bytes().startswith(b"slurmstepd: ["):
                    if any(os.readlink(fd) == f"{self.root}/slurmd.{name}.log" for fd in (path / "fd").iterdir()):
                        daemons.append(int(path.name))
            except (OSError, ValueError):
                continue
        doomed = [self.process(f"slurmd.{name}.pid")]
        while daemons:
            one = daemons.pop()
            doomed.append(one)
            daemons += children.get(one, [])
        for one in doomed:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def wait(self, condition, seconds, what):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.1)
        raise AssertionError(f"no {what} after {seconds} s\n" + self.run("squeue") + self.run("sinfo", "-N"))

    def wait_for_jobs(self, seconds):
        self.wait(lambda: self.run("squeue", "-h").strip() == "", seconds, "empty queue")

    def stop(self):
        ids = []
        for name in ("slurmctld.pid", *[f"slurmd.{n}.pid" for n in self.names], "munge/pid"):
            try:
                ids.append(self.process(name))
                os.kill(ids[-1], signal.SIGTERM)
            except (OSError, ValueError):
                pass
        end = time.monotonic() + 5

        def is_alive(one):
            try:
                return pathlib.Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
            except OSError:
                return False

        while time.monotonic() < end and any(is_alive(one) for one in ids):
            time.sleep(0.05)
        for one in ids:
            if is_alive(one):
                os.kill(one, signal.SIGKILL)
