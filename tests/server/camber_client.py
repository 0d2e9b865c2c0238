"""A client of `camber drive` with plain sockets: starts it, opens WebSockets, reads frames, sends inputs.

Nothing but Python's standard library; the words are those of docs/theory/page-protocol.md.
"""

import base64
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

TIMEOUT = 60  # [s] for anything that should come at once; machines may be busy


class Drive:
    """A running `camber drive` with its folder, port and token."""

    def __init__(self, camber, scenario, *options):
        self.root = tempfile.mkdtemp(prefix="camber-live-")
        self.folder = os.path.join(self.root, "run")
        self.process = subprocess.Popen(
            [camber, "drive", scenario, "--no-open", "-o", self.folder, *options], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.text = ""
        self.error = ""
        self.reader = threading.Thread(target=self._read_error, daemon=True)
        self.reader.start()
        line = self.process.stdout.readline()
        match = re.match(r"Drive at http://([^/]+):(\d+)/#token=([0-9a-f]{32})$", line.strip())
        if not match:
            self.process.kill()
            raise AssertionError(f"camber drive printed {line!r}\n{self.error}")
        self.host, self.port, self.token = match.group(1), int(match.group(2)), match.group(3)

    def _read_error(self):
        for line in self.process.stderr:
            self.error += line

    def end(self, how=signal.SIGINT):
        """Ends it as Ctrl-C does; returns the summary."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.wait()

    def wait(self):
        self.text += self.process.communicate(timeout=TIMEOUT)[0] or ""
        with open(os.path.join(self.folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def encode(opcode, payload, final=True, masked=True, key=b"\x11\x22\x33\x44"):
    """A frame of a client."""
    head = bytes([(0x80 if final else 0) | opcode])
    size, bit = len(payload), 0x80 if masked else 0
    if size < 126:
        head += bytes([bit | size])
    elif size < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", size)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", size)
    if not masked:
        return head + payload
    return head + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


class Viewer:
    """A WebSocket that acknowledges what it reads, unless told otherwise."""

    def __init__(self, port, token, acknowledges=True):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.buffer = b""
        self.acknowledges = acknowledges
        self.number = 0
        self.events = []
        self.frame = None
        host = f"127.0.0.1:{port}"
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET /api/socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Protocol: camber.v1, camber.token.{token}\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101 "), head
        self.hello = json.loads(self._read_frame()[1])
        self.id = self.hello["you"]["id"]

    def _receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("closed")
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._receive()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def _read_frame(self):
        first, size = self._take(2)
        if size == 126:
            size = struct.unpack(">H", self._take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self._take(8))[0]
        return first & 15, self._take(size)

    def send(self, payload, opcode=2):
        self.socket.sendall(encode(opcode, payload))

    def read(self):
        """One message: a dict for an event, a Frame for a state, an int for the code that it closes with."""
        opcode, payload = self._read_frame()
        if opcode == 1:
            event = json.loads(payload)
            self.events.append(event)
            return event
        if opcode == 8:
            return struct.unpack(">H", payload[:2])[0] if payload else 1005
        if opcode == 2:
            self.frame = Frame(payload)
            if self.acknowledges:
                self.acknowledge(self.frame.number)
            return self.frame
        return None

    def read_until(self, holds, seconds=TIMEOUT):
        """Reads until holds(message) is true; returns that message."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.read()
            if isinstance(message, int):
                raise ConnectionError(f"closed with {message}")
            if holds(message):
                return message
        raise AssertionError(f"waited {seconds} s in vain; last frame {self.frame}")

    def wait_time(self, seconds):
        """Until the drive is at this simulated time."""
        return self.read_until(lambda m: isinstance(m, Frame) and m.time >= seconds)

    def wait_event(self, kind, **fields):
        return self.read_until(lambda m: isinstance(m, dict) and m.get("kind") == kind and
                               all(m.get(k) == v for k, v in fields.items()))

    def acknowledge(self, number):
        self.send(struct.pack("<BBHI", 2, 1, 0, number))

    def control(self, command, argument=0.0):
        self.send(struct.pack("<BBHId", 3, 1, command, 0, argument))

    def input(self, steer=0.0, throttle=0.0, brake=0.0, buttons=0x10, device=0):
        self.number += 1
        self.send(struct.pack("<BBHIdfffI", 1, 1, device, self.number, 0.0, steer, throttle, brake, buttons))
        return self.number

    def close(self):
        self.socket.close()


TAKE, RELEASE, PAUSE, GO_ON, STEP, SPEED, RESET, BACK, FROM_HERE, END = range(1, 11)


class Frame:
    """The head of a state frame."""

    def __init__(self, data):
        (self.kind, self.version, self.flags, self.number, self.time, self.clock, self.steps, self.input, self.client,
         self.longest, self.longest_ever, self.long_steps, self.late, self.wanted, self.actual, self.steer,
         self.throttle, self.brake, self.buttons, self.sample_size, _) = struct.unpack_from("<BBHIddQIIffIIffffffII", data)
        self.data = data

    def position(self):
        return struct.unpack_from("<ddd", self.data, 88)

    def __repr__(self):
        return f"frame {self.number} at {self.time} s, flags {self.flags}"


PAUSED, ENDED, FAILED, BY_HAND, BRAKING, HOLDING, LATE, REVERSE, PARKED = (1 << k for k in range(9))


def request(port, text, timeout=TIMEOUT):
    """The whole answer to the octets of a request: until the server closes, or a body is complete."""
    if isinstance(text, str):
        text = text.encode("latin-1")
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        try:
            connection.sendall(text)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        try:
            while True:
                head, mark, body = answer.partition(b"\r\n\r\n")
                length = re.search(rb"\r\nContent-Length: (\d+)", head)
                if mark and (head.startswith(b"HTTP/1.1 101") or b" 204 " in head[:16] or
                             (length and len(body) >= int(length.group(1)))):
                    return answer
                data = connection.recv(65536)
                if not data:
                    return answer
                answer += data
        except (ConnectionResetError, socket.timeout):
            return answer


def status(answer):
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0
