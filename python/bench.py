#!/usr/bin/python3
"""What Python costs: `camber bench python [--json] [--quick]`.

One run; every bar is a ratio of two things that are timed in turns, or a time that hardly depends on the machine. Times are
processor times, which other work on the machine hardly changes, but for two threads at once. Ends with status 1 if a bar is
missed. --quick takes short drives, and times decide nothing.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

BUILD = pathlib.Path(__file__).absolute().parent.parent  # of build/<preset>/bin/camber-bench-python
sys.path.insert(0, str(BUILD / "python"))

import camber  # noqa: E402
from camber import _core  # noqa: E402

LANE = camber.example("scenarios/double-lane-change.toml")
STEP = camber.example("scenarios/step-steer.toml")


def seconds(work) -> float:
    """Processor time of this thread."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def wall_seconds(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(rounds: int, *works) -> list[list[float]]:
    """Times of each work, taken in turns, so that a slow moment of the machine meets all alike."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for taken, work in zip(times, works):
            taken.append(seconds(work))
    return times


def time_import(rounds: int) -> float:
    """Seconds that `import camber` and its core take in a new process, without the interpreter's own start."""
    code = "import time; t = time.process_time(); import camber; camber.load; print(time.process_time() - t)"
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    return statistics.median(
        float(subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True,
                             check=True).stdout) for _ in range(rounds))


def child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare_run(rounds: int, duration: float | None) -> float:
    """run(log=...) from the file to the arrays over `camber run`, a process from its start to its end."""
    sets = [] if duration is None else ["--set", f"run.duration={duration}"]
    ours, theirs = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            ours.append(seconds(lambda: camber.load(LANE, sets[1:]).run(log=os.path.join(folder, "ours"))))
            before = child_seconds()
            subprocess.run([str(BUILD / "bin" / "camber"), "run", LANE, *sets, "-o", os.path.join(folder, "theirs"), "--json"],
                           capture_output=True, check=False)
            theirs.append(child_seconds() - before)
    return min(ours) / min(theirs)


def compare_controller(rounds: int, duration: float) -> float:
    """A controller in Python at 100 Hz over bare steps of the same commands."""
    def bare() -> None:
        drive = drives.pop()
        drive.command(camber.Command(steer=0.01, throttle=0.3))
        drive.advance_to(duration)

    def controlled() -> None:
        drive = drives.pop()
        while drive.time < duration - 1e-9:
            v = drive.view
            drive.step(0.01, steer=0.01 + 0 * v.y, throttle=0.3 + 0 * v.speed, brake=0)

    drives = [camber.Drive(STEP) for _ in range(2 * rounds)]
    with_bare, with_controller = in_turns(rounds, bare, controlled)
    return min(with_controller) / min(with_bare)


def time_view(count: int) -> float:
    """Seconds of one drive.view."""
    drive = camber.Drive(STEP)
    drive.step(0.1)

    def views() -> None:
        for _ in range(count):
            drive.view

    def empty() -> None:
        for _ in range(count):
            pass

    taken, nothing = in_turns(7, views, empty)
    return (min(taken) - min(nothing)) / count


def compare_threads(duration: float) -> float:
    """Two drives in two threads over the same two one after the other; 0.5 is best."""
    def one_after_the_other(drives) -> None:
        for drive in drives:
            drive.advance_to(duration)

    def at_once(drives) -> None:
        threads = [threading.Thread(target=d.advance_to, args=(duration,)) for d in drives]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    ratios = []
    for _ in range(3):
        serial = wall_seconds(lambda: one_after_the_other([camber.Drive(LANE) for _ in range(2)]))
        parallel = wall_seconds(lambda: at_once([camber.Drive(LANE) for _ in range(2)]))
        ratios.append(parallel / serial)
    return min(ratios)


def compare_batch(members: int, duration: float) -> float:
    """Vehicle-seconds per second of a Batch of step steers, from its making to its end, over those of run::drive_batch()
    in C++, which keeps eight drives in memory at a time; one core each."""
    friction = [0.6 + 0.4 * i / members for i in range(members)]
    settings = [[f"run.duration={duration}", f"ground.friction={f}"] for f in friction]

    def ours() -> None:
        batch = camber.Batch(STEP, n=members, set={"run.duration": duration, "ground.friction": friction}, threads=1)
        batch.run()
        assert batch.done.all() and batch.kernel == "lanes"

    theirs = seconds(lambda: _core.drive_batch(STEP, settings))
    return theirs / seconds(ours)


def main() -> int:
    parser = argparse.ArgumentParser(description="What Python costs.")
    parser.add_argument("--json", action="store_true", help="print every figure as JSON")
    parser.add_argument("--quick", action="store_true", help="short drives; times decide nothing")
    options = parser.parse_args()
    quick = options.quick
    cores = len(os.sched_getaffinity(0))
    # Name, what it is, value, unit, bar, whether the bar is the least value instead of the largest.
    rows = [
        ("import", "time of `import camber`", time_import(3 if quick else 9), "s", 0.05, False),
        ("run", "run() over the program", compare_run(1 if quick else 7, 61 if quick else None), "1", 1.02,
         False),
        ("controller", "100 Hz controller over bare steps", compare_controller(1 if quick else 9, 1 if quick else 9), "1",
         1.05, False),
        ("view", "time of a view", time_view(1000 if quick else 200_000), "s", 0.3e-6, False),
        ("batch", "rate of 4,096 step steers over that of C++", compare_batch(16 if quick else 4096, 1 if quick else 4), "1", 0.9,
         True),
        ("threads", "two drives in two threads over one after the other", compare_threads(5 if quick else 60), "1",
         0.75 if cores > 1 else None, False),
    ]

    def holds(value: float, bar: float | None, is_least: bool) -> bool:
        return bar is None or (value >= bar if is_least else value <= bar)

    is_met = all(holds(value, bar, is_least) for _, _, value, _, bar, is_least in rows)
    if options.json:
        print(json.dumps({"suite": "python", "cores": cores, "quick": quick, "passed": quick or is_met, "figures": [
            {"name": name, "about": about, "value": value, "unit": unit, "bar": bar,
             "passed": holds(value, bar, is_least)} for name, about, value, unit, bar, is_least in rows]}, indent=2))
    else:
        for _, about, value, unit, bar, is_least in rows:
            verdict = "ok" if holds(value, bar, is_least) else "MISSED"
            word = "" if bar is None else f", at {'least' if is_least else 'most'} {bar:g}: {verdict}"
            print(f"  {about:52s} {value:10.3g} {unit if unit != '1' else ''}{word}")
    return 0 if quick or is_met else 1


if __name__ == "__main__":
    sys.exit(main())
