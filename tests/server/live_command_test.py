"""`camber drive` with its pages as plain sockets: who watches changes nothing, who drives is repeated to the bit.

usage: live_command_test.py CAMBER [unittest arguments]
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from camber_client import (BRAKING, BY_HAND, ENDED, HOLDING, PAUSED, PARKED, BACK, FROM_HERE, GO_ON, PAUSE, RELEASE, RESET, SPEED,  # noqa: E402
                           STEP, TAKE, END, Drive, Frame, Viewer, request, status)

CAMBER = ""
SCENARIO = "scenarios/double-lane-change.toml"


def run(*arguments):
    return subprocess.run([CAMBER, *arguments], capture_output=True, text=True, timeout=300, check=False)


def read_summary(folder):
    with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
        return json.load(file)


def keep_reading(viewer, pause):
    """Reads until the end, with a pause after every frame."""
    try:
        while not isinstance(viewer.read(), int):
            time.sleep(pause)
    except OSError:
        pass


class LiveTest(unittest.TestCase):
    def test_ends_in_the_bits_of_a_plain_run_whoever_watches(self):
        with tempfile.TemporaryDirectory() as folder:
            run("run", SCENARIO, "--for", "2", "--set", "figures=[]", "-o", folder + "/plain")
            plain = read_summary(folder + "/plain")
        for viewers in (0, 1, 8):
            with self.subTest(viewers=viewers), Drive(CAMBER, SCENARIO, "--for", "2", "--set", "figures=[]", "--exit-at-end") as drive:
                opened, threads = [], []
                for k in range(viewers):
                    opened.append(Viewer(drive.port, drive.token))
                    if k == 1:
                        continue  # it never reads
                    threads.append(threading.Thread(target=keep_reading, args=(opened[-1], 0.1 if k == 2 else 0)))
                    threads[-1].start()
                summary = drive.wait()
                for thread in threads:
                    thread.join()
                for viewer in opened:
                    viewer.close()
                self.assertEqual(drive.process.returncode, 0, drive.error)
                self.assertEqual(summary["final_state_hash"], plain["final_state_hash"])
                self.assertEqual(summary["samples"], plain["samples"])
                self.assertEqual(summary["status"], "done")

    def test_a_drive_by_hand_with_pauses_and_rewinding_is_repeated_to_the_bit(self):
        with Drive(CAMBER, SCENARIO, "--set", "figures=[]") as drive:
            viewer = Viewer(drive.port, drive.token)
            viewer.wait_time(0.3)
            viewer.control(TAKE)
            viewer.wait_event("lease", driver=viewer.id)
            viewer.control(SPEED, 4.0)

            def steer_until(end):
                while viewer.frame is None or viewer.frame.time < end:
                    if isinstance(viewer.read(), Frame):
                        viewer.input(steer=0.8 if viewer.frame.time % 1 < 0.5 else -0.6, throttle=1, device=viewer.number % 2)

            steer_until(2)
            viewer.control(PAUSE)
            viewer.wait_event("paused")
            viewer.control(STEP, 7)
            viewer.control(BACK, 0.75)
            back = viewer.wait_event("back")
            self.assertLess(back["to"], 1.5)
            viewer.control(GO_ON)
            viewer.wait_event("running")
            viewer.frame = None
            steer_until(3)
            viewer.control(RELEASE)
            viewer.wait_event("lease", driver=0)
            frame = viewer.wait_time(3.5)
            self.assertFalse(frame.flags & BY_HAND)
            viewer.control(END)
            summary = drive.wait()
            self.assertEqual(drive.process.returncode, 0, drive.error)
            self.assertEqual(summary["status"], "stopped")
            self.assertEqual(summary["live"]["rewinds"], 1)
            again = os.path.join(drive.root, "again")
            result = run("run", SCENARIO, "--inputs", drive.folder, "-o", again)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("repeated to the bit", result.stderr)
            repeated = read_summary(again)
            for key in ("final_state_hash", "time", "samples", "duration", "overrides"):
                self.assertEqual(repeated[key], summary[key], key)
            # With another value it is another drive, which is said.
            other = run("run", SCENARIO, "--inputs", drive.folder, "-o", again + "-2", "--set", "figures=[]", "--set",
                        "vehicle:chassis.mass=2500")
            self.assertEqual(other.returncode, 1)
            self.assertIn("another state", other.stderr)
            viewer.close()

    def test_brakes_for_a_silent_driver(self):
        with Drive(CAMBER, SCENARIO) as drive:
            driver, other = Viewer(drive.port, drive.token), Viewer(drive.port, drive.token)
            driver.control(TAKE)
            driver.wait_event("lease", driver=driver.id)
            driver.input(throttle=1)
            driver.read_until(lambda m: getattr(m, "input", 0) == 1 and m.flags & BY_HAND)
            driver.read_until(lambda m: isinstance(m, Frame) and m.flags & HOLDING)
            frame = driver.read_until(lambda m: isinstance(m, Frame) and m.flags & BRAKING)
            self.assertTrue(frame.flags & BY_HAND)
            driver.wait_event("lease", driver=0)
            other.control(TAKE)
            other.wait_event("lease", driver=other.id)
            other.input(buttons=0x11)
            other.read_until(lambda m: isinstance(m, Frame) and m.client == other.id and m.flags & PARKED)
            driver.close()
            other.close()

    def test_ends_waits_resets_and_goes_on(self):
        with Drive(CAMBER, SCENARIO, "--for", "0.5", "--set", "figures=[]", "--paused") as drive:
            viewer = Viewer(drive.port, drive.token)
            frame = viewer.read_until(lambda m: isinstance(m, Frame))
            self.assertTrue(frame.flags & PAUSED)
            self.assertEqual(frame.time, 0)
            viewer.control(STEP, 10)
            viewer.read_until(lambda m: isinstance(m, Frame) and m.steps == 10)
            viewer.control(GO_ON)
            viewer.wait_event("ended")
            frame = viewer.read_until(lambda m: isinstance(m, Frame) and m.flags & ENDED)
            self.assertAlmostEqual(frame.time, 0.5)
            viewer.control(FROM_HERE, 0.2)
            viewer.wait_event("back", to=0.2)
            viewer.wait_event("ended")
            viewer.control(RESET)
            viewer.wait_event("reset", to=0)
            viewer.wait_event("ended")
            summary = drive.end()
            self.assertEqual((summary["status"], summary["time"]), ("done", 0.5))
            self.assertEqual(summary["live"]["rewinds"], 2)
            viewer.close()

    def test_a_slow_reader_is_not_left_behind(self):
        with Drive(CAMBER, SCENARIO) as drive:
            slow, fast = Viewer(drive.port, drive.token), Viewer(drive.port, drive.token)
            thread = threading.Thread(target=keep_reading, args=(fast, 0), daemon=True)
            thread.start()
            lags = []
            for _ in range(30):
                time.sleep(0.1)
                frame = slow.read_until(lambda m: isinstance(m, Frame))
                lags.append(fast.frame.number - frame.number)
            # Three frames under way at ten a second are 0.3 s, some 36 frames; without acknowledgements the thirtieth
            # would be 270 frames behind.
            self.assertLess(sorted(lags)[len(lags) // 2], 100, lags)
            fast.close()
            slow.close()

    def test_answers_clips_slices_and_tiles(self):
        with Drive(CAMBER, SCENARIO) as drive:
            viewer = Viewer(drive.port, drive.token)
            viewer.wait_time(0.5)

            def get(path):
                return request(drive.port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{drive.port}\r\nX-Camber-Token: {drive.token}\r\n\r\n")

            clip = get("/api/clip?run=0&from=0&to=1&rate=60")
            self.assertEqual(status(clip), 200)
            self.assertTrue(clip.split(b"\r\n\r\n", 1)[1].startswith(b"CAMCLIP1"))
            self.assertEqual(status(get("/api/slice?run=0&column=0,1&from=0&to=1&points=100")), 200)
            self.assertEqual(status(get("/api/slice?run=1&column=0")), 400)
            hello = json.loads(get("/api/hello").split(b"\r\n\r\n", 1)[1])
            self.assertEqual(hello["kind"], "live")
            self.assertEqual(hello["you"]["id"], 0)
            self.assertEqual(len(viewer.frame.data), len(viewer.read_until(lambda m: isinstance(m, Frame)).data))
            viewer.close()

    def test_shows_scans_and_ruts(self):
        def get(drive, path):
            answer = request(drive.port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{drive.port}\r\nX-Camber-Token: {drive.token}\r\n\r\n")
            return status(answer), answer.split(b"\r\n\r\n", 1)[1]

        with Drive(CAMBER, "scenarios/posts-with-sensors.toml") as drive:
            viewer = Viewer(drive.port, drive.token)
            lidar = next(s for s in viewer.hello["runs"][0]["sensors"] if s["kind"] == "lidar")
            viewer.wait_event("scan", sensor=lidar["name"])
            code, body = get(drive, "/api/scan/" + lidar["name"])
            self.assertEqual(code, 200)
            when, columns, rows = struct.unpack_from("<dII", body)
            self.assertEqual((columns, rows), (lidar["columns"], lidar["rows"]))
            ranges = struct.unpack_from(f"<{columns * rows}H", body, 16 + 28)
            self.assertEqual(len(body), 16 + 28 + 2 * columns * rows)
            self.assertGreater(sum(r > 0 for r in ranges), 100)
            self.assertLessEqual(max(ranges) * 0.005, lidar["max_range"] + 1)
            self.assertGreaterEqual(when, 0)
            self.assertEqual(get(drive, "/api/scan/none")[0], 404)
            self.assertEqual(get(drive, "/api/goal")[0], 204)
            viewer.close()
        with Drive(CAMBER, "scenarios/soft-soil-ruts.toml") as drive:
            viewer = Viewer(drive.port, drive.token)
            viewer.wait_time(1)
            code, body = get(drive, "/api/soil")
            self.assertEqual(code, 200)
            self.assertGreater(json.loads(body)["version"], 0)
            self.assertGreater(len(json.loads(body)["boxes"]), 3)
            viewer.close()

    def test_says_what_is_wrong(self):
        for arguments, text in ((["--listen", "127.0.0.1"], "--token-file"), (["--listen", "0.0.0.0", "--token-file", "TOKEN"], "all addresses"),
                                (["--port", "70000"], "--port"), (["--for", "-1"], "--for")):
            with self.subTest(arguments=arguments), tempfile.TemporaryDirectory() as folder:
                arguments = [folder + "/token" if a == "TOKEN" else a for a in arguments]
                result = run("drive", SCENARIO, "--no-open", "-o", folder + "/run", *arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(text, result.stderr)
        result = run("drive", "models/four-bar.toml", "--no-open")
        self.assertEqual(result.returncode, 2)
        self.assertIn("scenario", result.stderr)
        with tempfile.TemporaryDirectory() as folder:
            run("run", SCENARIO, "--for", "0.1", "--set", "figures=[]", "-o", folder + "/run")
            result = run("run", SCENARIO, "--inputs", folder + "/run", "-o", folder + "/again")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("no inputs", result.stderr)


if __name__ == "__main__":
    CAMBER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
