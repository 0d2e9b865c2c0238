// The page against a toy server that remembers every message: what keys, pads, wheels and fingers send, and what the page
// does when things fail. usage: node toy_test.mjs DIST CHROMIUM FOLDER
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { axe, data, frames, LANDSCAPE, launch, open, overflow, PORTRAIT, root, until } from './browser.mjs';

const { startToy } = await import(pathToFileURL(join(root, 'viewer', 'test', 'toy_server.mjs')).href);
const [dist, chromium, folder] = process.argv.slice(2);
const browser = await launch(chromium);

async function withToy(options, body) {
  const toy = await startToy({ dist });
  const tab = await open(browser, toy.url, options);
  try {
    await body(toy, tab.page, tab);
    assert.deepEqual(tab.problems, options.expected ?? []);
  } finally {
    await tab.close();
    await toy.close();
  }
}

const pressed = (page, name) => page.getByRole('button', { name, exact: true });

test('software GL is there, the page draws, and names are text', () => withToy({}, async (toy, page) => {
  const found = await data(page);
  assert.equal(found.view, 'soft');
  assert.equal(found.status, 'open');
  assert.ok(Number(found.received) > 0);
  await page.waitForFunction(() => Number(document.documentElement.dataset.tiles) > 3);
  assert.equal(await page.title(), 'toy <b>hills</b> – camber');
  assert.equal(await page.locator('.toolbar b').count(), 0);
  assert.equal(await page.locator('.toolbar .name').textContent(), 'toy <b>hills</b>');
  assert.equal(await page.evaluate(() => location.hash), '');
  assert.ok(toy.received.acknowledgements > 0);
}));

test('keys take the wheel, drive, and let go', () => withToy({}, async (toy, page) => {
  await page.keyboard.down('KeyW');
  await page.waitForFunction(() => document.documentElement.dataset.driving === 'true');
  await until(() => toy.received.inputs.some((i) => i.throttle === 1 && i.device === 0), 'throttle');
  const speed = Number(await page.locator('.hud .speed').textContent());
  await page.keyboard.down('ArrowLeft');
  await until(() => toy.received.inputs.some((i) => i.steer === 1), 'left');
  await page.waitForFunction((v) => Number(document.querySelector('.hud .speed').textContent) > v + 3, speed);
  await page.keyboard.up('ArrowLeft');
  await page.keyboard.down('Shift');
  await page.keyboard.down('KeyD');
  await until(() => toy.received.inputs.some((i) => i.steer === -1 && (i.buttons & 2) !== 0), 'full lock to the right');
  for (const key of ['Shift', 'KeyD', 'KeyW']) await page.keyboard.up(key);
  await until(() => { const last = toy.received.inputs.at(-1); return last.steer === 0 && last.throttle === 0; }, 'release');
  // At rest the page goes on saying so, with ascending numbers.
  const count = toy.received.inputs.length;
  await until(() => toy.received.inputs.length > count + 5, 'inputs at 20 Hz');
  assert.ok(toy.received.inputs.every((input, i, all) => i === 0 || input.number > all[i - 1].number));
  await page.keyboard.press('KeyQ');
  await page.keyboard.press('KeyB');
  await until(() => { const b = toy.received.inputs.at(-1).buttons; return (b & 1) === 1 && ((b >> 2) & 3) === 2; }, 'reverse and parking brake');
  assert.equal((toy.received.inputs.at(-1).buttons >> 4) & 3, 1);
  await page.keyboard.press('KeyY');
  await until(() => ((toy.received.inputs.at(-1).buttons >> 6) & 3) === 2, 'low range');
  await page.keyboard.press('KeyT');
  await page.waitForFunction(() => document.documentElement.dataset.driving === 'false');
  assert.equal(toy.received.controls.at(-1).command, 2);
}));

test('keys with Ctrl, Alt or Meta are the browser\u2019s; a lost focus releases all', () => withToy({}, async (toy, page) => {
  await page.keyboard.press('Control+KeyP');
  await page.keyboard.press('Alt+KeyR');
  await page.keyboard.down('KeyW');
  await until(() => toy.received.inputs.some((i) => i.throttle === 1), 'throttle');
  await page.evaluate(() => dispatchEvent(new Event('blur')));
  await until(() => toy.received.inputs.at(-1).throttle === 0, 'release');
  assert.deepEqual(toy.received.controls.map((c) => c.command), [1]);
}));

test('pause, single step, speed, back, reset, by keys and buttons', () => withToy({}, async (toy, page) => {
  await page.keyboard.press('KeyP');
  await page.waitForFunction(() => document.documentElement.dataset.paused === 'true');
  assert.equal(await page.locator('.banner').textContent(), 'PausedGo on');
  const before = toy.state.steps;
  await pressed(page, 'Step').click();
  await until(() => toy.state.steps === before + 1, 'one step');
  await page.keyboard.press('BracketLeft');
  await until(() => toy.state.factor === 0.5, 'half speed');
  await page.waitForFunction(() => document.querySelector('.factor').textContent.startsWith('1/2'));
  await page.keyboard.press('Backspace');
  await pressed(page, 'Reset').click();
  await until(() => toy.received.controls.length >= 5, 'controls');
  assert.deepEqual(toy.received.controls.map((c) => [c.command, c.argument]), [[3, 0], [5, 1], [6, 0.5], [8, 3], [7, 0]]);
  await page.keyboard.press('KeyP');
  await page.waitForFunction(() => document.documentElement.dataset.paused === 'false');
}));

test('a plot is saved as a table and as a picture; marks measure', () => withToy({}, async (toy, page) => {
  const begin = Number((await data(page)).time);
  await page.waitForFunction((time) => Number(document.documentElement.dataset.time) > time + 1, begin);
  await page.keyboard.press('KeyP');
  await page.waitForFunction(() => document.querySelector('.plot .legend output').textContent !== '–');
  const save = async (kind) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Save Speed as ${kind}` }).click()]);
    assert.equal(download.suggestedFilename(), `Speed.${kind.toLowerCase()}`);
    return readFileSync(await download.path());
  };
  const lines = (await save('CSV')).toString().trim().split('\n');
  assert.equal(lines[0], 'time [s],chassis/velocity.forward [m/s]');
  assert.ok(lines.length > 10 && lines.slice(1).every((line) => /^[-\d.e]+,[-\d.e]+$/.test(line)), lines[1]);
  const png = await save('PNG');
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const width = png.readUInt32BE(16), height = png.readUInt32BE(20);
  assert.ok(width >= 300 && height >= 150, `${width} x ${height}`);
  await pressed(page, 'Mark').click();
  await page.waitForFunction(() => /Δ/.test(document.querySelector('.plot .legend output').textContent));
}));

test('a gamepad drives with raw values', () => withToy({ script: () => {
  const pad = { id: 'pad', index: 0, connected: true, mapping: 'standard', axes: [0, 0, 0, 0], buttons: Array.from({ length: 16 }, () => ({ value: 0, pressed: false })) };
  globalThis.testPad = pad;
  navigator.getGamepads = () => [pad];
} }, async (toy, page) => {
  await page.evaluate(() => { globalThis.testPad.axes[0] = -0.25; globalThis.testPad.buttons[7].value = 0.5; });
  await until(() => toy.received.inputs.some((i) => i.device === 1 && i.steer === 0.25 && i.throttle === 0.5), 'pad');
}));

test('a steering wheel drives by its calibration, without assist', () => withToy({
  settings: { wheels: { wheel: { steer: { axis: 0, from: 1, to: -1 }, throttle: { axis: 2, from: 1, to: -1 }, brake: { axis: 1, from: 1, to: -1 } } } },
  script: () => {
    const pad = { id: 'wheel', index: 0, connected: true, mapping: '', axes: [0, 1, 1], buttons: [] };
    globalThis.testPad = pad;
    navigator.getGamepads = () => [pad];
  },
}, async (toy, page) => {
  await page.evaluate(() => { globalThis.testPad.axes = [-0.5, 1, 0]; });
  await until(() => toy.received.inputs.some((i) => i.device === 2 && i.steer === 0.5 && i.throttle === 0.5 && i.brake === 0 && (i.buttons >> 4) === 0), 'wheel');
}));

for (const [name, viewport] of [['landscape', LANDSCAPE], ['portrait', PORTRAIT]]) {
  test(`phone, ${name}: touch drives, nothing overflows, panels are a drawer`, () => withToy({ viewport, phone: true }, async (toy, page) => {
    assert.ok(await overflow(page) <= 0);
    const throttle = await page.locator('.touch.throttle').boundingBox(), steer = await page.locator('.touch.steer').boundingBox();
    for (const box of [throttle, steer]) {
      assert.ok(box.width >= 44 && box.height >= 96, JSON.stringify(box));
      assert.ok(box.x >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height, JSON.stringify(box));
    }
    const touch = (type, x, y, id) => page.evaluate(([kind, cx, cy, pointerId]) => {
      const target = kind === 'pointerdown' ? document.elementFromPoint(cx, cy).closest('.touch') : globalThis.touched[pointerId];
      (globalThis.touched ??= {})[pointerId] = target;
      target.setPointerCapture = () => {};
      target.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId, clientX: cx, clientY: cy, pointerType: 'touch' }));
    }, [type, x, y, id]);
    await touch('pointerdown', throttle.x + throttle.width / 2, throttle.y + 10, 11);
    await touch('pointerdown', steer.x + 8, steer.y + steer.height / 2, 12);
    await until(() => toy.received.inputs.some((i) => i.device === 3 && i.throttle > 0.9 && i.steer > 0.9), 'touch');
    await touch('pointerup', 0, 0, 11);
    await touch('pointerup', 0, 0, 12);
    await until(() => { const i = toy.received.inputs.at(-1); return i.throttle === 0 && i.steer === 0; }, 'release');
    assert.equal(await page.locator('.panels').isVisible(), false);
    await pressed(page, 'Panels').click();
    assert.equal(await page.locator('.panels').isVisible(), true);
    await page.waitForFunction(() => document.querySelectorAll('.plot').length >= 4);
    for (const button of await page.locator('.toolbar button:visible').all()) assert.ok((await button.boundingBox()).height >= 44);
    await page.screenshot({ path: join(folder, `phone-${name}.png`) });
  }));
}

test('tablet: no button is cut off, no number wraps', () => withToy({ viewport: { width: 1024, height: 768 }, phone: true }, async (toy, page) => {
  await page.waitForFunction(() => document.querySelector('.wheels td')?.textContent !== '–');
  const cut = await page.evaluate(() => [...document.querySelectorAll('.toolbar button')].filter((b) => b.offsetParent && b.scrollWidth > b.clientWidth + 1).map((b) => b.textContent));
  assert.deepEqual(cut, []);
  const take = await page.locator('.take').boundingBox();
  assert.ok(take.x >= 0 && take.x + take.width <= 1024, JSON.stringify(take));
  const heights = await page.evaluate(() => [...document.querySelectorAll('.wheels tbody tr')].map((row) => row.getBoundingClientRect().height));
  assert.ok(heights.length === 4 && heights.every((h) => h < 30), heights.join(' '));
  assert.ok(await overflow(page) <= 0);
}));

test('without WebGL the page drives, plots and maps', () => withToy({ script: () => {
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) { return /webgl/.test(kind) ? null : original.call(this, kind, ...rest); };
} }, async (toy, page) => {
  assert.equal((await data(page)).view, 'none');
  assert.match(await page.locator('.banner').textContent(), /no 3-D/);
  assert.ok(await page.locator('.view .map').isVisible());
  await page.keyboard.down('KeyW');
  await until(() => toy.received.inputs.some((i) => i.throttle === 1), 'throttle');
  const painted = () => page.evaluate(() => {
    const canvas = document.querySelector('.map'), pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.some((v) => v > 0);
  });
  await until(painted, 'a map');
  await page.waitForFunction(() => document.querySelector('.plot .legend output').textContent !== '–');
  await page.screenshot({ path: join(folder, 'no-webgl.png') });
}));

test('a lost 3-D context is told and comes back', () => withToy({ script: () => {
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) {
    const gl = original.call(this, kind, ...rest);
    if (kind === 'webgl2') globalThis.testGl = gl;
    return gl;
  };
} }, async (toy, page, tab) => {
  await page.evaluate(() => { globalThis.testLoss = globalThis.testGl.getExtension('WEBGL_lose_context'); globalThis.testLoss.loseContext(); });
  await page.waitForFunction(() => document.documentElement.dataset.view === 'lost');
  assert.match(await page.locator('.banner').textContent(), /3-D view was lost/);
  await page.keyboard.down('KeyS');
  await until(() => toy.received.inputs.some((i) => i.brake === 1), 'brake');
  await page.evaluate(() => globalThis.testLoss.restoreContext());
  await page.waitForFunction(() => document.documentElement.dataset.view === 'soft');
  const before = Number((await data(page)).frames);
  await frames(page, before + 3);
  // three.js says so on the console itself.
  tab.problems.splice(0, tab.problems.length, ...tab.problems.filter((text) => !/THREE.WebGLRenderer: Context (Lost|Restored)/.test(text)));
}));

test('a restarted camber is told in words, and a lost connection is tried again', () => withToy({}, async (toy, page, tab) => {
  toy.dropAll(1011);
  await page.waitForFunction(() => document.documentElement.dataset.status === 'lost');
  await page.waitForFunction(() => document.documentElement.dataset.status === 'open', null, { timeout: 20_000 });
  toy.changeToken('f'.repeat(32));
  toy.dropAll(1011);
  await page.waitForFunction(() => document.documentElement.dataset.status === 'refused');
  assert.match(await page.locator('.banner').textContent(), /restarted/);
  // The browser itself writes refused requests to the console.
  tab.problems.splice(0, tab.problems.length, ...tab.problems.filter((text) => !/401/.test(text)));
}));

test('an address without a token says what to do', async () => {
  const toy = await startToy({ dist });
  const tab = await open(browser, `${toy.origin}/`, { waits: false });
  await tab.page.waitForFunction(() => document.documentElement.dataset.status === 'refused');
  assert.match(await tab.page.locator('.view').textContent(), /Open the link that camber printed/);
  assert.deepEqual(tab.problems, []);
  await tab.close();
  await toy.close();
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing, ${colorScheme}; help shows every key`, () => withToy({ bypassCSP: true, colorScheme }, async (toy, page) => {
    await page.keyboard.press('KeyP');
    await page.waitForFunction(() => document.documentElement.dataset.paused === 'true');
    await page.waitForFunction(() => document.querySelector('.plot .legend output').textContent !== '–');
    assert.equal((await data(page)).theme, colorScheme);
    assert.deepEqual(await axe(page), []);
    await page.keyboard.press('Shift+Slash');
    assert.ok(await page.locator('dialog.help').first().isVisible());
    assert.ok(await page.locator('dialog.help kbd').count() > 35);
    assert.deepEqual(await axe(page), []);
    await page.screenshot({ path: join(folder, `help-${colorScheme}.png`) });
  }));
}

test('all cameras, x-ray with names, forces; a channel into a plot by keyboard', () => withToy({ reducedMotion: 'reduce' }, async (toy, page) => {
  await page.keyboard.press('KeyP');
  for (const [key, name] of [['Digit2', 'driver'], ['Digit3', 'hood'], ['Digit4', 'wheel'], ['Digit5', 'above'], ['Digit6', 'around'], ['KeyC', 'behind']]) {
    await page.keyboard.press(key);
    await page.waitForFunction((camera) => document.documentElement.dataset.camera === camera, name);
  }
  await page.keyboard.press('Digit6');
  await page.keyboard.press('KeyX');
  await page.keyboard.press('KeyV');
  await page.waitForFunction(() => [...document.querySelectorAll('.label')].some((label) => /kN/.test(label.textContent)));
  assert.match(await page.locator('.scale').textContent(), /1 m ≙ 5 kN/);
  // Somewhere over the wheels there is a part with a name.
  const box = await page.locator('canvas.scene').boundingBox();
  let text = '';
  for (let k = 0; k < 160 && text === ''; ++k) {
    await page.mouse.move(box.x + box.width * (0.3 + 0.4 * ((k * 0.618) % 1)), box.y + box.height * (0.45 + 0.3 * k / 160));
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    text = await page.evaluate(() => { const tip = document.querySelector('.tip'); return tip.hidden ? '' : tip.textContent; });
  }
  assert.match(text, /(front|rear) (left|right) [\w ]+: \d+ mm/);
  const plots = await page.locator('.plot').count();
  await page.locator('#panel-channels input').fill('engine speed');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await until(async () => await page.locator('.plot').count() === plots + 1, 'a new plot');
  assert.match(await page.locator('.plot').last().textContent(), /drivetrain\/engine\.speed \[1\/min\]/);
}));

test.after(() => browser.close());
