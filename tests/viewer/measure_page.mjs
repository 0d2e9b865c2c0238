// What the page costs in a browser with software GL: time to the first frame, processor time per frame of the soft preset.
// usage: node measure_page.mjs CAMBER CHROMIUM [DIST]; prints one line of JSON. DIST: a page other than the program's own.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { data, frames, launch, LAPTOP, open, root, until } from './browser.mjs';

const [camber, chromium, dist] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'camber-measure-'));

/** CPU time of all descendants of this process that are not camber [s]: the browser's processes. */
function browserTime(not) {
  const parents = new Map(), times = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
      parents.set(Number(pid), Number(fields[1]));
      times.set(Number(pid), (Number(fields[11]) + Number(fields[12])) / 100);
    } catch { /* it has ended */ }
  }
  let sum = 0;
  for (const pid of parents.keys()) {
    let at = pid;
    while (at !== undefined && at !== process.pid && at > 1) at = parents.get(at);
    if (at === process.pid && pid !== process.pid && pid !== not) sum += times.get(pid);
  }
  return sum;
}

const browser = await launch(chromium);
const blank = await (await browser.newContext()).newPage();  // the browser itself has started
await blank.goto('about:blank');
const begin = performance.now(), idle = browserTime();
const child = spawn(camber, ['drive', join(root, 'scenarios', 'off-road-hills.toml'), '-o', join(folder, 'run'), '--for', '600', '--no-open', '--port', '0', ...(dist ? ['--page-folder', dist] : [])], { stdio: ['ignore', 'pipe', 'ignore'] });
let text = '';
child.stdout.on('data', (chunk) => { text += chunk; });
try {
  await until(() => /http:\/\/\S+/.test(text), 'link');
  const tab = await open(browser, /http:\/\/\S+/.exec(text)[0], { viewport: LAPTOP, waits: false });
  await frames(tab.page, 1);
  const first = (performance.now() - begin) / 1000, firstCpu = browserTime() - idle;
  // In motion, driven by the scenario, with all panels that a new reader sees, after tiles and trees have come.
  await tab.page.waitForFunction(() => Number(document.querySelector('.hud .speed').textContent) > 10, null, { timeout: 60_000 });
  const before = await data(tab.page), used = browserTime(child.pid);
  await frames(tab.page, Number(before.frames) + 150);
  const after = await data(tab.page);
  const cpu = 1000 * (browserTime(child.pid) - used) / (Number(after.frames) - Number(before.frames));
  console.log(JSON.stringify({ first_frame_s: first, first_frame_cpu_s: firstCpu, cpu_ms_per_frame: cpu, drawn: after.drawn, problems: tab.problems.length }));
} finally {
  await browser.close();
  child.kill('SIGINT');
  await until(() => child.exitCode !== null || child.signalCode !== null, 'end of camber');
  rmSync(folder, { recursive: true, force: true });
}
