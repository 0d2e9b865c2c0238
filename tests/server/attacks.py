"""Attacks on the server of the page, each with the answer that it must get.

usage: attacks.py CAMBER [--weak]
  CAMBER   the program, whose `camber drive` is attacked
  --weak   attack a server that checks nothing instead: most attacks must then succeed, or they show nothing

An attack is a name, octets, and the statuses or close codes that are right. Ends with 1 if one got another answer.
"""

import base64
import http.server
import os
import socket
import struct
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from camber_client import (Drive, Viewer, encode, request, status, TAKE, GO_ON, PAUSE, RESET, SPEED, END, STEP, BACK)  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIO = os.path.join(HERE, "..", "..", "scenarios", "step-steer.toml")
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def get(target, host, *headers, method="GET", version="HTTP/1.1"):
    return "".join([f"{method} {target} {version}\r\n", f"Host: {host}\r\n", *(h + "\r\n" for h in headers), "\r\n"])


def list_requests(port, token):
    """(name, octets, right statuses); 0: closed without an answer."""
    own = f"127.0.0.1:{port}"
    good = f"X-Camber-Token: {token}"
    api = "/api/hello"
    attacks = []

    def add(name, text, *right):
        attacks.append((name, text, right))

    # --- names of this server: DNS rebinding ---
    for name in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.2:{port}",
                 f"localhost.evil.example:{port}", f"127.0.0.1.nip.io:{port}", f"2130706433:{port}", f"0x7f.1:{port}",
                 f"127.1:{port}", f"0.0.0.0:{port}", f"[::1]:{port}", f"[::ffff:127.0.0.1]:{port}", f"localhost:{port}.",
                 f"localhost.:{port}", f"user@127.0.0.1:{port}", f"127.0.0.1:{port}@evil.example", f"127.0.0.1:0{port}",
                 f"127.0.0.1:{port},evil.example", f"127.0.0.1:{port} evil.example", ""):
        add(f"Host {name!r}", get(api, name, good), 400, 403)
        add(f"page for Host {name!r}", get("/", name), 400, 403)
    add("no Host", f"GET {api} HTTP/1.1\r\n{good}\r\n\r\n", 400)
    add("two Hosts", f"GET {api} HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\n{good}\r\n\r\n", 400)
    add("two equal Hosts", f"GET {api} HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n{good}\r\n\r\n", 400)
    add("Host as absolute address", get(f"http://evil.example{api}", own, good), 400)
    add("own absolute address", get(f"http://{own}{api}", own, good), 400)

    # --- origins of others, with the token (it might leak) ---
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"http://localhost:{port}",
                   f"https://{own}", f"http://{own}.evil.example", f"http://{own}/", "file://", "", f"HTTP://{own} ,x",
                   "http://127.0.0.1", f"ws://{own}"):
        add(f"Origin {origin!r}", get(api, own, good, f"Origin: {origin}"), 400, 403)
    add("two Origins", get(api, own, good, f"Origin: http://{own}", "Origin: http://evil.example"), 400, 403)
    for site in ("cross-site", "same-site", "none", "Same-Origin", "same-origin, cross-site"):
        add(f"Sec-Fetch-Site {site}", get(api, own, good, f"Sec-Fetch-Site: {site}"), 403)
    add("a navigation to data", get(api, own, good, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: navigate"), 403)
    for target in ("/app.js", "/style.css", "/"):
        for site in ("cross-site", "same-site"):
            add(f"{target} as a script of {site}",
                get(target, own, f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"), 403)
    add("page in a frame", get("/", own, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                               "Sec-Fetch-Dest: iframe"), 403)
    add("script by a navigation", get("/app.js", own, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                                      "Sec-Fetch-Dest: document"), 403)

    # --- tokens ---
    wrong = "0" * 32
    for name, header in (("none", "X-Other: 1"), ("wrong", f"X-Camber-Token: {wrong}"), ("empty", "X-Camber-Token:"),
                         ("short", f"X-Camber-Token: {token[:-1]}"), ("long", f"X-Camber-Token: {token}0"),
                         ("prefix", f"X-Camber-Token: {token[:16]}"), ("upper case", f"X-Camber-Token: {token.upper()}"),
                         ("reversed", f"X-Camber-Token: {token[::-1]}"), ("quoted", f'X-Camber-Token: "{token}"'),
                         ("list", f"X-Camber-Token: {token}, {token}"), ("cookie", f"Cookie: token={token}"),
                         ("cookie by name", f"Cookie: X-Camber-Token={token}"), ("bearer", f"Authorization: Bearer {token}"),
                         ("basic", "Authorization: Basic " + base64.b64encode(f":{token}".encode()).decode()),
                         ("referer", f"Referer: http://{own}/#token={token}"), ("twice", f"{good}\r\n{good}"),
                         ("in another header", f"X_Camber_Token: {token}"), ("spaces", f"X-Camber-Token: {token} {token}")):
        # Tokens may have digits only: then the upper case is the token itself.
        right = (200,) if name == "upper case" and token.upper() == token else (401,)
        if name == "reversed" and token[::-1] == token:
            right = (200,)
        add(f"token {name}", get(api, own, header), *right)
    for target in (f"{api}?token={token}", f"{api}?X-Camber-Token={token}", f"/api/{token}/hello", f"/{token}/api/hello",
                   f"{api};token={token}"):
        add(f"token in address {target[:16]}", get(target, own), 401, 404)
    for target in ("/api/tile/0/0/0", "/api/mesh/0", "/api/slice?run=0&column=0&from=0&to=1&points=9", "/api/clip?run=0",
                   "/api/scan/lidar", "/api/image/camera", "/api/goal", "/api/soil", "/api/none", "/api/"):
        add(f"{target} without token", get(target, own), 401)

    # --- paths: nothing is opened by a name ---
    for path in ("/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/app.js/../../etc/passwd", "//etc/passwd",
                 "/etc/passwd", "/.git/config", "/app.js%00.png", "/app.js%20", "/app.js/", "//app.js", "/APP.JS", "/index.html",
                 "/app.js?x=1", "/favicon.ico", "/api", "/api/../app.js", "/%61pp.js", "/..", "/./", "/runs/", "/log.h5"):
        add(f"path {path}", get(path, own), 404, 401)
    for path in ("/api/tile/../../../etc/passwd", "/api/mesh/..%2f..%2fetc", "/api/mesh/-1", "/api/mesh/99999999999999999999",
                 "/api/tile/a/b/c", "/api/tile/0/0", "/api/tile/0/0/0/0", "/api/tile/99/0/0", "/api/tile/0/9e9/0",
                 "/api/slice?run=-1&column=0", "/api/slice?run=0&column=999999", "/api/slice?column=%zz",
                 "/api/slice?run=0&run=1", "/api/clip?run=0&from=nan&to=inf", "/api/clip?run=0&from=0&to=1e308&rate=1e9",
                 "/api/clip?rate=0", "/api/scan/..%2f..%2fetc%2fpasswd", "/api/image/%00", "/api/none", "/api/hello/"):
        add(f"token and path {path}", get(path, own, good), 204, 400, 404)
    for path in ("/a b", "/a#b", "/a\\b", "/a\"b", "/<script>", "/a\x7f", "/\xff\xfe", "a", "*", "", "/a\tb"):
        add(f"no address {path!r}", get(path, own), 400)

    # --- methods, versions, bodies, smuggling ---
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "GETT"):
        add(f"method {method}", get("/", own, method=method), 405)
        add(f"method {method} on data", get(api, own, good, method=method), 405)
    add("HEAD of data", get(api, own, good, method="HEAD"), 405)
    add("preflight", get(api, own, "Origin: http://evil.example", "Access-Control-Request-Method: GET",
                         "Access-Control-Request-Headers: x-camber-token", "Access-Control-Request-Private-Network: true",
                         method="OPTIONS"), 403, 405)
    for version in ("HTTP/1.0", "HTTP/2.0", "HTTP/1.2", "http/1.1", "HTTP/1.1 ", "HTTP/11", ""):
        add(f"version {version!r}", get("/", own, version=version), 400)
    for name, headers, right in (
            ("length", ["Content-Length: 5"], 413), ("negative length", ["Content-Length: -1"], 400),
            ("signed length", ["Content-Length: +0"], 400), ("two lengths", ["Content-Length: 0", "Content-Length: 5"], 400),
            ("list of lengths", ["Content-Length: 0, 5"], 400), ("huge length", ["Content-Length: 99999999999999999999"], 400),
            ("hex length", ["Content-Length: 0x10"], 400), ("chunked", ["Transfer-Encoding: chunked"], 400),
            ("chunked and length", ["Content-Length: 4", "Transfer-Encoding: chunked"], 400),
            ("chunked, odd", ["Transfer-Encoding: xchunked"], 400), ("chunked with a tab", ["Transfer-Encoding:\tchunked"], 400),
            ("space before the colon", ["Transfer-Encoding : chunked"], 400), ("folded line", ["X: a", " Transfer-Encoding: chunked"], 400),
            ("control character", ["X: a\x01b"], 400), ("NUL", ["X: a\x00b"], 400), ("bare CR", ["X: a\rY: b"], 400),
            ("bare LF", ["X: a\nY: b"], 400), ("no colon", ["nothing"], 400), ("no name", [": a"], 400),
            ("name with a blank", ["X Y: a"], 400), ("name with a bracket", ["X(Y): a"], 400)):
        add(name, get("/", own, *headers), right)
    add("lines with LF alone", f"GET / HTTP/1.1\nHost: {own}\n\n", 0, 400, 408)
    add("an empty line first", "\r\n" + get("/", own), 400)
    add("blank before the method", " " + get("/", own), 400)
    add("HTTP/0.9", "GET /\r\n\r\n", 400)
    add("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64 + b"\r\n\r\n", 400)
    add("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400)
    add("SSH", "SSH-2.0-OpenSSH_9.2\r\n\r\n", 400)
    add("a second request hidden in a body", get("/", own, "Content-Length: 40") + get(api, own, good), 413)

    # --- too much ---
    add("address of 3 kB", get("/" + "a" * 3000, own), 414)
    add("address without an end", "GET /" + "a" * 5000, 414)
    add("query of 3 kB", get(api + "?" + "a" * 3000, own, good), 414)
    add("header of 80 kB", get("/", own, "X: " + "a" * 80000), 431)
    add("cookies of 50 kB are taken", get("/", own, "Cookie: " + "a" * 50000), 200)
    add("cookies of 80 kB", get("/", own, "Cookie: " + "a" * 80000), 431)
    add("headers without an end", "GET / HTTP/1.1\r\n" + "X: a\r\n" * 20000, 431)
    add("200 headers", get("/", own, *(f"X{i}: a" for i in range(200))), 431)
    add("method of 1 kB", get("/", own, method="G" * 1000), 400)
    add("binary noise", bytes(range(256)) * 20, 400, 414, 431)

    # --- upgrades ---
    base = [f"Origin: http://{own}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {KEY}", f"Sec-WebSocket-Protocol: camber.v1, camber.token.{token}"]

    def upgrade(name, right, *changes, target="/api/socket", host=own):
        headers = list(base)
        for old, new in changes:
            headers = [h for h in headers if not h.startswith(old + ":")]
            if new is not None:
                headers += [new] if isinstance(new, str) else new
        add(f"socket: {name}", get(target, host, *headers), *right)

    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"http://localhost:{port}", f"https://{own}", "",
                   f"http://{own}.evil.example"):
        upgrade(f"origin {origin!r}", (403,), ("Origin", f"Origin: {origin}"))
    upgrade("no origin", (403,), ("Origin", None))
    upgrade("two origins", (400, 403), ("Origin", [f"Origin: http://{own}", "Origin: http://evil.example"]))
    upgrade("foreign host", (403,), host="evil.example")
    upgrade("same-site", (403,), ("Sec-Fetch-Site", "Sec-Fetch-Site: same-site"))
    upgrade("cross-site", (403,), ("Sec-Fetch-Site", "Sec-Fetch-Site: cross-site"))
    protocol = "Sec-WebSocket-Protocol"
    for name, value in (("no token", "camber.v1"), ("wrong token", f"camber.v1, camber.token.{wrong}"), ("token alone", f"camber.token.{token}"),
                        ("short token", f"camber.v1, camber.token.{token[:-1]}"), ("empty token", "camber.v1, camber.token."),
                        ("token first", f"camber.token.{token}, camber.v1"), ("three", f"camber.v1, camber.token.{token}, x"),
                        ("other version", f"camber.v2, camber.token.{token}"), ("bare token", f"camber.v1, {token}")):
        upgrade(name, (401,), (protocol, f"{protocol}: {value}"))
    upgrade("no protocol", (401,), (protocol, None))
    upgrade("two protocol headers", (401,), (protocol, [f"{protocol}: camber.v1", f"{protocol}: camber.token.{token}"]))
    upgrade("token in the address", (400, 401), (protocol, f"{protocol}: camber.v1"), target=f"/api/socket?token={token}")
    upgrade("token in a cookie", (401,), (protocol, f"{protocol}: camber.v1"), ("Cookie", f"Cookie: token={token}"))
    upgrade("token in the API's header", (401,), (protocol, f"{protocol}: camber.v1"), ("X", good))
    for key in ("", "YWJj", "A" * 24, KEY[:-1], KEY + KEY, "dGhlIHNhbXBsZSBub25jZR==", "!" * 24):
        upgrade(f"key {key!r}", (400,), ("Sec-WebSocket-Key", f"Sec-WebSocket-Key: {key}"))
    upgrade("no key", (400,), ("Sec-WebSocket-Key", None))
    upgrade("two keys", (400,), ("Sec-WebSocket-Key", [f"Sec-WebSocket-Key: {KEY}"] * 2))
    for version in ("12", "8", "", "13, 8", "113"):
        upgrade(f"version {version!r}", (426,), ("Sec-WebSocket-Version", f"Sec-WebSocket-Version: {version}"))
    upgrade("no upgrade", (426,), ("Upgrade", None))
    upgrade("upgrade to h2c", (426,), ("Upgrade", "Upgrade: h2c"))
    upgrade("no connection", (426,), ("Connection", None))
    upgrade("connection close", (426,), ("Connection", "Connection: close"))
    upgrade("other address", (401, 404), target="/api/socket/")
    upgrade("the page's address", (200,), target="/")  # the page itself: no socket
    add("socket: POST", get("/api/socket", own, *base, method="POST"), 405)
    add("socket: with a body", get("/api/socket", own, *base, "Content-Length: 3"), 413)
    return attacks


def list_frames():
    """(name, octets of a good socket's client, right close codes)."""
    big = struct.pack(">Q", 1 << 62)
    return [
        ("not masked", encode(2, b"\0" * 8, masked=False), (1002,)),
        ("reserved bit", bytes([0xc2]) + encode(2, b"a")[1:], (1002,)),
        ("reserved bits on a ping", bytes([0xf9]) + encode(9, b"")[1:], (1002,)),
        ("opcode 3", encode(3, b"a"), (1002,)),
        ("opcode 11", encode(11, b""), (1002,)),
        ("continues nothing", encode(0, b"a"), (1002,)),
        ("message in a message", encode(2, b"a", final=False) + encode(2, b"b"), (1002,)),
        ("ping in pieces", encode(9, b"a", final=False), (1002,)),
        ("ping of 126 bytes", encode(9, b"a" * 126), (1002,)),
        ("close of one byte", encode(8, b"\x03"), (1002,)),
        ("close with 1005", encode(8, b"\x03\xed"), (1002,)),
        ("close with 5000", encode(8, b"\x13\x88"), (1002,)),
        ("close with bad text", encode(8, b"\x03\xe8\xff\xfe"), (1007,)),
        ("length not the shortest", bytes([0x82, 0xfe, 0, 5]) + b"abcd" + b"hello", (1002,)),
        ("length not the shortest, 64 bits", bytes([0x82, 0xff]) + struct.pack(">Q", 5) + b"abcd" + b"hello", (1002,)),
        ("length of 4 EB", bytes([0x82, 0xff]) + big + b"abcd", (1009,)),
        ("length with the highest bit", bytes([0x82, 0xff]) + b"\xff" * 8 + b"abcd", (1002,)),
        ("message of 64 kB", encode(2, b"a" * 65000), (1009,)),
        ("message of many pieces", encode(2, b"a" * 400, final=False) + encode(0, b"a" * 400, final=False) * 3, (1009,)),
        ("text", encode(1, b"{}"), (1003,)),
        ("bad text", encode(1, b"\xff\xfe"), (1007,)),
        ("empty message", encode(2, b""), (1008,)),
        ("message of one byte", encode(2, b"\x01"), (1008,)),
        ("unknown message", encode(2, b"\x09\x01" + b"\0" * 6), (1008,)),
        ("other version", encode(2, b"\x02\x02" + b"\0" * 6), (1008,)),
        ("short input", encode(2, b"\x01\x01" + b"\0" * 29), (1008,)),
        ("long input", encode(2, b"\x01\x01" + b"\0" * 31), (1008,)),
        ("input of device 9", encode(2, struct.pack("<BBHIdfffI", 1, 1, 9, 1, 0, 0, 0, 0, 0)), (1008,)),
        ("input that is NaN", encode(2, struct.pack("<BBHIdfffI", 1, 1, 0, 1, 0, float("nan"), 0, 0, 0)), (1008,)),
        ("brake that is NaN", encode(2, struct.pack("<BBHIdfffI", 1, 1, 0, 1, 0, 0, 0, float("nan"), 0)), (1008,)),
        ("control 0", encode(2, struct.pack("<BBHId", 3, 1, 0, 0, 0)), (1008,)),
        ("control 99", encode(2, struct.pack("<BBHId", 3, 1, 99, 0, 0)), (1008,)),
        ("speed that is NaN", encode(2, struct.pack("<BBHId", 3, 1, SPEED, 0, float("nan"))), (1008,)),
        ("back by infinity", encode(2, struct.pack("<BBHId", 3, 1, BACK, 0, float("inf"))), (1008,)),
        ("frame that was never sent", encode(2, struct.pack("<BBHI", 2, 1, 0, 0x7ffffff0)), (1008,)),
        ("1000 pings", encode(9, b"") * 1000, (1008,)),
        ("1000 messages", encode(2, struct.pack("<BBHId", 3, 1, STEP, 0, 1)) * 1000, (1008,)),
    ]


class Weak(http.server.BaseHTTPRequestHandler):
    """What a server looks like that trusts whoever reaches its port."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b'{"kind": "live"}'
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_OPTIONS = do_DELETE = do_GET

    def log_message(self, *_):
        pass


def run_requests(port, attacks, timeout=20):
    wrong = []
    for name, text, right in attacks:
        got = status(request(port, text, timeout))
        if got not in right:
            wrong.append(f"{name}: got {got}, right is {' or '.join(map(str, right))}")
    return wrong


def close_code(viewer):
    """The code that the socket closes with; 0 if it just goes."""
    viewer.socket.settimeout(15)
    try:
        while True:
            message = viewer.read()
            if isinstance(message, int):
                return message
    except (ConnectionError, socket.timeout):
        return 0


def run_frames(port, token):
    wrong = []
    for name, octets, right in list_frames():
        viewer = Viewer(port, token)
        try:
            viewer.socket.sendall(octets)
        except (BrokenPipeError, ConnectionResetError):
            pass
        code = close_code(viewer)
        viewer.close()
        if code not in right:
            wrong.append(f"frame: {name}: closed with {code}, right is {right}")
    return wrong


HEADERS = {
    "Content-Security-Policy": "default-src 'none'", "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer"}


def run_headers(port, token):
    """Every answer, also a refusal, keeps browsers from sharing it."""
    own = f"127.0.0.1:{port}"
    wrong = []
    for text in (get("/", own), get("/api/hello", own, f"X-Camber-Token: {token}"), get("/api/hello", own), get("/none", own)):
        head = request(port, text).split(b"\r\n\r\n")[0].decode()
        for name, value in HEADERS.items():
            if f"\r\n{name}: {value}" not in head:
                wrong.append(f"{text.split()[1]}: {name} is missing")
        policy = head.partition("Content-Security-Policy: ")[2].partition("\r\n")[0]
        for rule in ("frame-ancestors 'none'", "trusted-types 'none'", "require-trusted-types-for 'script'", "base-uri 'none'",
                     "form-action 'none'"):
            if rule not in policy:
                wrong.append(f"{text.split()[1]}: the policy has no {rule}")
        if "unsafe" in policy or "*" in policy or "Access-Control" in head or "Set-Cookie" in head:
            wrong.append(f"{text.split()[1]}: {head}")
    return wrong


def run_rights(port, token):
    """Who does not drive changes nothing."""
    wrong = []
    driver, other = Viewer(port, token), Viewer(port, token)
    driver.control(TAKE)
    driver.wait_event("lease", driver=driver.id)
    driver.control(GO_ON)  # attacks before may have paused it: nobody drove
    for name, command in (("takes the wheel", TAKE), ("pauses", PAUSE), ("resets", RESET), ("ends", END), ("sets the speed", SPEED),
                          ("steps", STEP), ("goes back", BACK)):
        driver.input()  # who is silent for long does not drive
        other.control(command, 0.0 if command == TAKE else 1.0)
        if other.wait_event("refused")["kind"] != "refused":
            wrong.append(f"a spectator {name}")
    driver.control(GO_ON)
    for _ in range(20):
        other.input(steer=1, throttle=1)
        driver.input()
    frame = driver.read_until(lambda m: getattr(m, "input", 0) == driver.number)
    if frame.client != driver.id or frame.steer != 0 or frame.throttle != 0:
        wrong.append("a spectator's input drives")
    driver.input(steer=1e30, throttle=float("inf"), brake=-5)
    frame = driver.read_until(lambda m: getattr(m, "input", 0) == driver.number)
    if (frame.steer, frame.throttle, frame.brake) != (1, 1, 0):
        wrong.append(f"an input is not clamped: {frame.steer}, {frame.throttle}, {frame.brake}")
    other.control(TAKE, 1.0)  # by force: the protocol allows it, and tells
    driver.wait_event("lease", driver=other.id)
    driver.close()
    other.close()
    return wrong


def run_floods(drive):
    """Floods that end, and a server that still answers its owner."""
    wrong = []
    port, token = drive.port, drive.token
    own = f"127.0.0.1:{port}"
    good = get("/api/hello", own, f"X-Camber-Token: {token}")

    def still_answers(name):
        for _ in range(50):  # it may be busy with the flood for a moment
            if status(request(port, good)) == 200:
                return
            time.sleep(0.1)
        wrong.append(f"after {name} the owner is not answered")

    held = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(300)]
    still_answers("300 idle connections")
    for connection in held:
        connection.close()
    for _ in range(2000):
        socket.create_connection(("127.0.0.1", port), timeout=20).close()
    still_answers("2000 connections")
    slow = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(100)]
    for connection in slow:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
    still_answers("100 requests without an end")
    for connection in slow:
        connection.close()
    greedy = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(5)]
    for connection in greedy:  # asks for the page a thousand times and reads nothing
        connection.setblocking(False)
        try:
            connection.send((get("/", own) * 1000).encode())
        except BlockingIOError:
            pass
    still_answers("5000 requests whose answers are not read")
    with open(f"/proc/{drive.process.pid}/statm", encoding="ascii") as file:
        megabytes = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    if megabytes > 400:
        wrong.append(f"5000 requests took {megabytes} MB")
    for connection in greedy:
        connection.close()
    dripping = socket.create_connection(("127.0.0.1", port), timeout=20)
    for octet in get("/", own):
        dripping.send(octet.encode())
    if not dripping.recv(100).startswith(b"HTTP/1.1 200"):
        wrong.append("a request octet by octet is not answered")
    dripping.close()
    viewers = []
    try:
        for _ in range(40):
            viewers.append(Viewer(port, token))
        wrong.append("40 sockets at once")
    except AssertionError as refusal:  # 503
        if b"503" not in refusal.args[0]:
            wrong.append(f"too many sockets: {refusal}")
    for viewer in viewers:
        viewer.close()
    still_answers("sockets")
    if drive.process.poll() is not None:
        wrong.append("camber has ended")
    return wrong


def attack_weak():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weak)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    # Octets without an end are left out: it would wait for the rest.
    attacks = [a for a in list_requests(port, "0123456789abcdef" * 2)
               if (a[1] if isinstance(a[1], bytes) else a[1].encode("latin-1")).endswith(b"\r\n\r\n")]
    wrong = run_requests(port, attacks, timeout=1)
    print(f"{len(wrong)} of {len(attacks)} attacks succeed on a server that checks nothing")
    server.shutdown()
    return 0 if len(wrong) >= 150 else 1


def main():
    if "--weak" in sys.argv:
        return attack_weak()
    with Drive(sys.argv[1], SCENARIO, "--for", "600") as drive:
        attacks = list_requests(drive.port, drive.token)
        wrong = run_requests(drive.port, attacks)
        wrong += run_headers(drive.port, drive.token)
        wrong += run_frames(drive.port, drive.token)
        wrong += run_rights(drive.port, drive.token)
        wrong += run_floods(drive)
        count = len(attacks) + len(list_frames()) + 4 * (len(HEADERS) + 6) + 9 + 6
        print(f"{count} attacks, {len(wrong)} got an answer that they must not get")
        for line in wrong:
            print("  " + line)
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
