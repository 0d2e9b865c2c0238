"""A page of somebody else on this machine, in a real browser: what it can read, drive and stop.

usage: browser_attack.py CAMBER
The page is served on another loopback port. It attacks `camber drive`, where nothing may succeed, and a server that
checks nothing, where it must succeed (otherwise it would show nothing). Ends with 77 where chromium is missing.
"""

import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from attacks import SCENARIO, Weak  # noqa: E402
from camber_client import BY_HAND, PAUSED, Drive, Frame, Viewer  # noqa: E402

SKIPPED = 77

# Each attempt resolves to true if it got something. It knows the token, as if that had leaked.
PAGE = """<!doctype html><title>evil</title><body><script>
const base = 'http://HOST:PORT', token = 'TOKEN', results = {};
const within = (promise) => Promise.race([promise, new Promise((r) => setTimeout(() => r(false), 4000))]);
const read = async (path, options) => {
  try { const r = await fetch(base + path, options); return r.ok && (await r.text()).length > 0; } catch { return false; }
};
const element = (tag, attribute, path) => new Promise((resolve) => {
  const e = document.createElement(tag);
  e.onload = () => resolve(true); e.onerror = () => resolve(false);
  e[attribute] = base + path; document.body.append(e);
});
const socket = (protocols) => new Promise((resolve) => {
  try {
    const s = new WebSocket(base.replace('http', 'ws') + '/api/socket', protocols);
    s.onopen = () => { s.send(new Uint8Array([3, 1, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])); };
    s.onmessage = () => resolve(true); s.onerror = () => resolve(false); s.onclose = () => resolve(false);
  } catch { resolve(false); }
});
const attempts = {
  'reads the page': () => read('/'),
  'reads the script': () => read('/app.js'),
  'reads hello': () => read('/api/hello'),
  'reads hello with the token': () => read('/api/hello', { headers: { 'X-Camber-Token': token } }),
  'reads hello with credentials': () => read('/api/hello', { credentials: 'include' }),
  'reads a tile': () => read('/api/tile/0/0/0', { headers: { 'X-Camber-Token': token } }),
  'posts': () => read('/api/hello', { method: 'POST', body: 'x' }),
  'deletes': () => read('/api/hello', { method: 'DELETE' }),
  'runs the script': () => element('script', 'src', '/app.js'),
  'runs hello as a script': () => element('script', 'src', '/api/hello'),
  'styles itself': () => { const l = element('link', 'href', '/style.css'); document.querySelector('link').rel = 'stylesheet'; return l; },
  'shows an image': () => element('img', 'src', '/api/image/camera'),
  'opens a socket': () => socket([]),
  'opens a socket by version': () => socket(['camber.v1']),
  'opens a socket with the token': () => socket(['camber.v1', 'camber.token.' + token]),
  'reads events': () => new Promise((r) => { const e = new EventSource(base + '/api/hello'); e.onopen = () => r(true); e.onerror = () => r(false); }),
  'fetches without CORS': async () => {
    try { const r = await fetch(base + '/api/hello', { mode: 'no-cors' }); return r.type !== 'opaque'; } catch { return false; }
  },
};
(async () => {
  await Promise.all(Object.entries(attempts).map(async ([name, go]) => { results[name] = await within(go()); }));
  const pre = document.createElement('pre');
  pre.id = 'results';
  pre.textContent = Object.entries(results).map(([name, ok]) => (ok ? 'YES ' : 'no ') + name).join('\\n') + '\\nDONE';
  document.body.append(pre);
})();
</script>"""


def serve(text):
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def attack(chromium, host, port, token):
    """Names of the attempts that succeeded, of all."""
    page = serve(PAGE.replace("HOST", host).replace("PORT", str(port)).replace("TOKEN", token))
    folder = tempfile.mkdtemp(prefix="camber-browser-")
    try:
        result = subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--no-first-run", f"--user-data-dir={folder}",
             "--virtual-time-budget=8000", "--dump-dom", f"http://127.0.0.1:{page.server_address[1]}/"],
            capture_output=True, text=True, timeout=120, check=False)
    finally:
        page.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
    lines = re.findall(r"^(?:<pre id=\"results\">)?(YES|no) (.*)$", result.stdout, re.MULTILINE)
    if "DONE" not in result.stdout or len(lines) < 15:
        sys.exit(f"the page did not come to its end:\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
    return [name for answer, name in lines if answer == "YES"], len(lines)


def main():
    chromium = shutil.which("chromium")
    if chromium is None:
        return SKIPPED
    weak = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weak)
    threading.Thread(target=weak.serve_forever, daemon=True).start()
    succeeded, count = attack(chromium, "127.0.0.1", weak.server_address[1], "0" * 32)
    weak.shutdown()
    print(f"a server that checks nothing: {len(succeeded)} of {count} succeed: {', '.join(succeeded)}")
    if len(succeeded) < 6:
        sys.exit("the attacks show too little")
    wrong = []
    with Drive(sys.argv[1], SCENARIO, "--for", "600") as drive:
        viewer = Viewer(drive.port, drive.token)
        for host in ("127.0.0.1", "localhost"):
            succeeded, count = attack(chromium, host, drive.port, drive.token)
            print(f"camber as {host}: {len(succeeded)} of {count} succeed")
            wrong += succeeded
        frame = viewer.read_until(lambda m: isinstance(m, Frame))
        if frame.flags & (BY_HAND | PAUSED) or drive.process.poll() is not None:
            wrong.append("it drives, pauses or ends")
        viewer.close()
    for name in wrong:
        print(f"  it {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
