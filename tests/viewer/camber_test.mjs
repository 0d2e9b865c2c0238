// The page against the real camber: live drives, recordings, exported files, golden pictures.
// usage: node camber_test.mjs CAMBER DIST CHROMIUM FOLDER [--update]; --update writes the golden pictures anew.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { data, launch, open, overflow, PORTRAIT, rms, root, spread, thumbnail, until } from './browser.mjs';

const [camber, dist, chromium, folder, update] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const scenario = (name) => join(root, 'scenarios', `${name}.toml`);
const browser = await launch(chromium);
const children = new Set();

/** Starts `camber drive` or `camber view` and waits for its link. */
async function start(...args) {
  const child = spawn(camber, [...args, '--no-open', '--port', '0', '--page-folder', dist], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let text = '';
  child.stdout.on('data', (chunk) => { text += chunk; });
  child.stderr.on('data', (chunk) => { text += chunk; });
  child.on('exit', () => children.delete(child));
  await until(() => /http:\/\/\S+#token=\w+/.test(text) || child.exitCode !== null, `link of camber ${args.join(' ')}`);
  const link = /http:\/\/\S+#token=(\w+)/.exec(text);
  assert.ok(link, text);
  return { url: link[0], origin: new URL(link[0]).origin, token: link[1], text: () => text, stop: async () => { child.kill('SIGINT'); await until(() => child.exitCode !== null || child.signalCode !== null, 'end of camber'); return child.exitCode; } };
}

function run(name, out, ...more) {
  const path = join(folder, out);
  rmSync(path, { recursive: true, force: true });
  const result = spawnSync(camber, ['run', scenario(name), '-o', path, ...more], { encoding: 'utf8', cwd: folder });
  assert.ok(existsSync(join(path, 'log.h5')), result.stdout + result.stderr);
  return path;
}

const seconds = async (page) => Number((await data(page)).time);
const settled = (page) => page.waitForFunction(() => document.documentElement.dataset.complete === 'true', null, { timeout: 60_000 });

test('live: first frame, keys move the vehicle, pause, step, back, reset; a spectator watches', async () => {
  rmSync(join(folder, 'live'), { recursive: true, force: true });  // of an earlier test run
  const drive = await start('drive', scenario('off-road-hills'), '-o', join(folder, 'live'), '--for', '600');
  const tab = await open(browser, drive.url);
  const { page } = tab;
  assert.equal((await data(page)).kind, 'live');
  await page.waitForFunction(() => Number(document.documentElement.dataset.tiles) > 3);
  await page.keyboard.down('KeyW');
  await page.waitForFunction(() => document.documentElement.dataset.driving === 'true');
  await page.waitForFunction(() => Number(document.querySelector('.hud .speed').textContent) > 8, null, { timeout: 60_000 });
  assert.ok(Number((await data(page)).echo) > 0);
  await page.keyboard.up('KeyW');

  const other = await open(browser, drive.url);
  await other.page.waitForFunction(() => /from viewer/.test(document.querySelector('.take').textContent));
  assert.equal((await data(other.page)).driving, 'false');
  assert.deepEqual(other.problems, []);
  await other.close();

  await page.keyboard.press('KeyP');
  await page.waitForFunction(() => document.documentElement.dataset.paused === 'true');
  const before = await data(page);
  await page.keyboard.press('Period');
  await page.waitForFunction((steps) => Number(document.documentElement.dataset.steps) === steps + 1, Number(before.steps));
  await page.keyboard.press('Backspace');
  await page.waitForFunction((time) => Number(document.documentElement.dataset.time) < time - 0.5 || Number(document.documentElement.dataset.time) < 0.2, Number(before.time));
  await page.screenshot({ path: join(folder, 'live.png') });
  await page.keyboard.press('KeyR');
  await page.waitForFunction(() => Number(document.documentElement.dataset.time) < 0.05);
  assert.deepEqual(tab.problems, []);
  await tab.close();
  await drive.stop();
  assert.ok(existsSync(join(folder, 'live', 'log.h5')), drive.text());
});

let lane, other;

test('replay: scrubbing both ways, plots, key figures; curves and clip agree', async () => {
  lane = run('double-lane-change', 'lane', '--for', '6');
  other = run('double-lane-change', 'other', '--for', '6', '--set', 'driver.speed.target=12');
  const view = await start('view', lane, other);
  const tab = await open(browser, view.url);
  const { page } = tab;
  assert.equal((await data(page)).kind, 'replay');
  await page.keyboard.press('End');
  await page.waitForFunction(() => Math.abs(Number(document.documentElement.dataset.time) - 6) < 0.02);
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => Math.abs(Number(document.documentElement.dataset.time) - 5) < 0.02);
  await page.keyboard.press('Home');
  await page.waitForFunction(() => Number(document.documentElement.dataset.time) < 0.02);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => Number(document.documentElement.dataset.time) > 0.3);
  await page.keyboard.press('Space');
  await page.locator('.timeline input[type=range]').fill('3');
  await until(async () => Math.abs(await seconds(page) - 3) < 0.02, 'slider');
  await page.waitForFunction(() => document.querySelector('.plot .legend').textContent.includes('forward B'));
  await page.getByLabel('difference').check();
  await page.waitForFunction(() => document.querySelector('.plot .legend').textContent.includes('B − A'));
  assert.ok(await page.locator('.figures tr').count() > 0);
  await page.screenshot({ path: join(folder, 'compare.png') });
  assert.deepEqual(tab.problems, []);
  await tab.close();

  // The same column by two ways: the clip's codec, and exact values.
  const require = createRequire(join(root, 'viewer', 'package.json'));
  await require('esbuild').build({ entryPoints: [join(root, 'viewer', 'src', 'protocol.ts')], outfile: join(folder, 'protocol.mjs'), bundle: true, format: 'esm', platform: 'node' });
  const { readClip, readSlices } = await import(pathToFileURL(join(folder, 'protocol.mjs')).href);
  const get = async (path) => { const answer = await fetch(`${view.origin}${path}`, { headers: { 'X-Camber-Token': view.token } }); assert.equal(answer.status, 200, path); return answer.arrayBuffer(); };
  const hello = JSON.parse(new TextDecoder().decode(await get('/api/hello')));
  const first = hello.runs[0];
  const clip = await readClip(await get('/api/clip?run=0&from=0&to=6&rate=60'));
  assert.equal(clip.columns.length, 1 + 7 * first.vehicles.reduce((sum, v) => sum + (first.has_poses ? Math.max(1, v.bodies.length) : 1), 0) + 4 * first.things.length + first.sample_size);
  for (const name of ['chassis/position', 'wheels/load']) {
    const channel = first.channels.find((c) => c.name === name);
    const [slice] = readSlices(await get(`/api/slice?run=0&column=${channel.first}&from=0&to=6&points=10000`), 1);
    assert.equal(slice.low, undefined);
    const column = clip.columns[clip.columns.length - first.sample_size + channel.first];
    const most = Math.max(...slice.values.map(Math.abs));
    let compared = 0;
    clip.columns[0].forEach((time, i) => {
      const k = slice.times.findIndex((t) => Math.abs(t - time) < 1e-6);
      if (k < 0) return;
      ++compared;
      assert.ok(Math.abs(column[i] - slice.values[k]) < 3e-4 * most + 1e-3, `${name} at ${time}: ${column[i]} and ${slice.values[k]}`);
    });
    assert.ok(compared > 50, `${compared} common times`);
  }
  await view.stop();
});

test('an exported file opens from disk, offline, and replays', async () => {
  const file = join(folder, 'lane.html');
  const result = spawnSync(camber, ['view', lane, '--html', file], { encoding: 'utf8', cwd: folder });
  assert.equal(result.status, 0, result.stdout + result.stderr);
  assert.ok(statSync(file).size < 0.6e6 + 1e6 * 6 / 60, `${statSync(file).size} bytes`);
  const tab = await open(browser, `${pathToFileURL(file).href}#t=2`, { offline: true });
  await until(async () => Math.abs(await seconds(tab.page) - 2) < 0.02, 'time of the address');
  await tab.page.keyboard.press('End');
  await until(async () => Math.abs(await seconds(tab.page) - 6) < 0.05, 'the end');
  await tab.page.waitForFunction(() => document.querySelector('.plot .legend output').textContent !== '–');
  assert.deepEqual(tab.problems, []);
  await tab.close();
});

test('recorded scans: as a picture and as points', async () => {
  const view = await start('view', run('posts-with-sensors', 'posts', '--for', '2.5'));
  const tab = await open(browser, `${view.url}&t=1.6`);
  const { page } = tab;
  await page.waitForFunction(() => / returns at 1\.\d\d s/.test(document.querySelector('#panel-lidar .caption')?.textContent ?? ''));
  await page.keyboard.press('Home');
  await page.waitForFunction(() => / returns at 0\.\d\d s/.test(document.querySelector('#panel-lidar .caption').textContent));
  assert.deepEqual(tab.problems, []);
  await tab.close();
  await view.stop();
});

test('samples of a study open by a click, and the way back', async () => {
  const path = join(folder, 'study');
  rmSync(path, { recursive: true, force: true });
  const file = join(folder, 'study.toml');
  writeFileSync(file, `kind = "study"\nname = "steer <b>"\nscenario = "${scenario('step-steer')}"\nseed = 3\n\n[[input]]\nname = "speed"\nkeys = ["vehicle.start.speed", "driver.speed.target"]\nunit = "m/s"\ndistribution = { kind = "uniform", low = 15, high = 20 }\n\n[plan]\nkind = "random"\nsamples = 3\n`);
  const made = spawnSync(camber, ['study', 'run', file, '-j', '1', '-o', path], { encoding: 'utf8', cwd: folder });
  assert.ok(existsSync(join(path, 'report.html')), made.stdout + made.stderr);
  const view = await start('view', path);
  const tab = await open(browser, view.url, { waits: false });
  const { page } = tab;
  await page.waitForFunction(() => document.querySelectorAll('tr[data-sample]').length === 3);
  assert.equal(await page.locator('.study h2').textContent(), 'steer <b>');
  await page.screenshot({ path: join(folder, 'study.png') });
  await page.locator('tr[data-sample="1"] td').nth(1).click();
  await page.waitForFunction(() => document.documentElement.dataset.kind === 'replay' && Number(document.documentElement.dataset.frames ?? 0) > 2, null, { timeout: 60_000 });
  assert.equal(await page.locator('.toolbar .name').textContent(), 'steer <b>, sample 1');
  assert.ok(existsSync(join(path, 'runs', 'sample-1', 'log.h5')));
  await page.locator('.toolbar .back').click();
  await page.waitForFunction(() => document.querySelectorAll('tr[data-sample]').length === 3);
  const phone = await open(browser, view.url, { waits: false, viewport: PORTRAIT, phone: true, colorScheme: 'dark' });
  await phone.page.waitForFunction(() => document.querySelectorAll('tr[data-sample]').length === 3);
  assert.equal(await phone.page.evaluate(() => document.elementFromPoint(200, 200).closest('.study') !== null), true);
  assert.ok(await overflow(phone.page) <= 0);
  await phone.page.screenshot({ path: join(folder, 'study-phone.png') });
  await phone.close();
  // The figure of the sample is that of its drive.
  const get = async (address) => { const answer = await fetch(`${view.origin}${address}`, { headers: { 'X-Camber-Token': view.token } }); return { status: answer.status, body: await answer.text() }; };
  const list = JSON.parse((await get('/api/hello')).body), hello = JSON.parse((await get('/api/sample/1/hello')).body);
  const figure = hello.runs[0].figures.find((f) => f.name === list.figures[0].name);
  assert.ok(Math.abs(figure.value - list.samples[1][4][0]) <= 1e-9 * Math.abs(figure.value), `${figure.value} and ${list.samples[1][4][0]}`);
  for (const bad of ['/api/sample/3/hello', '/api/sample/-1/hello', '/api/sample/x/hello', '/api/sample/1', '/api/sample/1/../../study.json']) assert.ok([400, 404].includes((await get(bad)).status), bad);
  assert.deepEqual(tab.problems, []);
  await tab.close();
  await view.stop();
});

test('golden pictures of a frozen moment', async () => {
  const view = await start('view', lane);
  for (const [name, keys, colorScheme] of [['behind', [], 'light'], ['around', ['Digit6'], 'light'], ['x-ray', ['Digit6', 'KeyX', 'KeyV'], 'dark'], ['above', ['Digit5'], 'light'], ['driver', ['Digit2'], 'light']]) {
    const tab = await open(browser, `${view.url}&t=3`, { colorScheme, reducedMotion: 'reduce' });
    for (const key of keys) await tab.page.keyboard.press(key);
    // Words go, the picture stays.
    await tab.page.evaluate(() => { document.querySelector('.words').style.display = 'none'; });
    await settled(tab.page);
    const png = await tab.page.locator('.view').screenshot({ path: join(folder, `golden-${name}.png`) });
    const found = await thumbnail(tab.page, png);
    assert.ok(spread(found) >= 20, `${name}: spread of gray ${spread(found)}`);
    const golden = join(here, 'golden', `${name}.json`);
    if (update) {
      mkdirSync(dirname(golden), { recursive: true });
      writeFileSync(golden, `${JSON.stringify(found)}\n`);
    } else {
      const away = rms(found, JSON.parse(readFileSync(golden, 'utf8')));
      assert.ok(away <= 3, `${name}: RMS ${away} from the golden picture; look at ${join(folder, `golden-${name}.png`)}`);
    }
    assert.deepEqual(tab.problems, []);
    await tab.close();
  }
  await view.stop();
});

test.after(async () => {
  await browser.close();
  for (const child of children) child.kill('SIGKILL');
});
