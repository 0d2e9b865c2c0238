// Opens the sample pages and those of real drives in Chromium as a reader does, without a network.
// usage: node page_test.mjs FOLDER CHROMIUM; screenshots go to FOLDER.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const folder = resolve(process.argv[2]);
const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const SECTIONS = ['key-figures', 'speed', 'attitude', 'lateral-acceleration', 'yaw-rate',
  'longitudinal-acceleration', 'wheel-loads', 'slip-angles', 'longitudinal-forces', 'lateral-forces', 'path',
  'path-enlarged', 'g-g', 'heading', 'path-deviation', 'steering', 'pedals',
  'engine-speed', 'gear', 'suspension-travel', 'energy', 'energy-error', 'settings'];

// Chromium's sandbox does not work for root, and the pages are our own.
const browser = await chromium.launch({ executablePath: process.argv[3], args: ['--no-sandbox'] });

async function open(name, { viewport = LAPTOP, ...more } = {}) {
  const context = await browser.newContext({ viewport, offline: true, ...more });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => problems.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== url) problems.push(`request: ${request.url()}`);
  });
  const url = pathToFileURL(join(folder, name)).href;
  await page.goto(url);
  return { page, problems, close: () => context.close() };
}

const screenshot = (page, name) => page.screenshot({ path: join(folder, name), fullPage: true });

// Pairs of texts of one chart whose boxes overlap, and texts that leave the chart's card.
const findBadTexts = (page) => page.evaluate(() => {
  const bad = [];
  for (const card of document.querySelectorAll('.card')) {
    const outer = card.getBoundingClientRect();
    const texts = [...card.querySelectorAll('.tx, .ty, .place > span, .axis, h2, .key, .note')]
      .filter((text) => text.textContent.trim() !== '')
      .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    texts.forEach((a, i) => {
      if (a.box.left < outer.left || a.box.right > outer.right || a.box.bottom > outer.bottom) {
        bad.push(`${card.id}: "${a.text}" leaves its card`);
      }
      for (const b of texts.slice(i + 1)) {
        const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (across > 0.5 && down > 0.5) bad.push(`${card.id}: "${a.text}" overlaps "${b.text}"`);
      }
    });
  }
  return bad;
});

const overflow = (page) => page.evaluate(
  () => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function areaOf(page, id) {
  const area = page.locator(`#${id} .area`);
  await area.scrollIntoViewIfNeeded();
  return area.boundingBox();
}

const nextFrame = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
}));

async function pointAt(page, id, part) {
  const box = await areaOf(page, id);
  await page.mouse.move(box.x + part * box.width, box.y + box.height / 2);
  await nextFrame(page);
  return box;
}

const labels = (page, id, kind) => page.locator(`#${id} .${kind}`).allTextContents();

for (const name of ['drive.html', 'rough.html', 'compare.html', 'step-steer.html', 'soft-soil-ruts.html',
  'compared.html', 'rig.html']) {
  for (const [screen, viewport] of [['laptop', LAPTOP], ['phone', PHONE]]) {
    for (const colorScheme of ['light', 'dark']) {
      test(`${name} on a ${screen}, ${colorScheme}: opens alone, fits, texts apart`, async () => {
        const { page, problems, close } = await open(name, { viewport, colorScheme });
        await screenshot(page, `${name.replace('.html', '')}-${screen}-${colorScheme}.png`);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(await findBadTexts(page), []);
        assert.deepEqual(problems, []);
        await close();
      });
    }
  }
}

test('a drive of 70 s at 100 Hz stays below 1.5 MB on the roughest ground', () => {
  for (const name of ['drive.html', 'rough.html']) assert.ok(statSync(join(folder, name)).size < 1.5e6);
});

test('all sections are there, in order', async () => {
  const { page, close } = await open('drive.html');
  assert.deepEqual(await page.$$eval('section', (list) => list.map((section) => section.id)), SECTIONS);
  const tops = await page.$$eval('section', (list) => list.map((s) => s.getBoundingClientRect().top));
  assert.deepEqual(tops, [...tops].sort((a, b) => a - b));
  await close();
});

test('two columns on a laptop, one on a phone', async () => {
  for (const [viewport, columns] of [[LAPTOP, 2], [PHONE, 1]]) {
    for (const name of ['drive.html', 'rig.html']) {
      const { page, close } = await open(name, { viewport });
      const lefts = await page.$$eval('.card', (list) => list.map((card) => card.getBoundingClientRect().left));
      assert.equal(new Set(lefts).size, columns, name);
      await close();
    }
  }
});

test('the verdict says what failed', async () => {
  for (const [name, words, className] of [['drive.html', /^Passed: all 5/, 'good'], ['rough.html', /^Failed: 1 of 5/, 'bad']]) {
    const { page, close } = await open(name);
    const verdict = page.locator('.verdict');
    assert.match(await verdict.textContent(), words);
    assert.match(await verdict.getAttribute('class'), new RegExp(className));
    await close();
  }
});

// scenarios/step-steer.toml: 80 km/h, the wheel turned at 2 s.
test('the page of a real drive shows what was driven', async () => {
  const { page, close } = await open('step-steer.html');
  await pointAt(page, 'speed', 0.2);
  const speed = Number(await page.locator('#speed .key b').first().textContent());
  assert.ok(Math.abs(speed - 22.2) < 0.3, `${speed}`);
  for (const id of ['attitude', 'heading', 'yaw-rate', 'lateral-acceleration', 'wheel-loads', 'lateral-forces', 'path', 'steering']) {
    const curves = await page.$$eval(`#${id} path`, (list) => list.filter((p) => (p.getAttribute('d') ?? '').length > 20).length);
    assert.ok(curves > 0, `${id} has no curve`);
  }
  await close();
});

test('wheels sink where soil yields, and only there', async () => {
  for (const [name, count] of [['soft-soil-ruts.html', 1], ['step-steer.html', 0]]) {
    const { page, close } = await open(name);
    assert.equal(await page.locator('#sinkage').count(), count);
    await close();
  }
});

// Formulas of lane_change.cc: v = 20 tanh(t / 9) m/s.
test('one cursor shows the values of all charts at its time', async () => {
  const { page, close } = await open('drive.html');
  await pointAt(page, 'speed', 0.25);
  const time = Number((await page.locator('.clock').textContent()).match(/[\d.]+/)[0]);
  assert.ok(Math.abs(time - 17.5) < 0.1, `${time}`);
  const speed = Number(await page.locator('#speed .key b').textContent());
  assert.ok(Math.abs(speed - 20 * Math.tanh(time / 9)) < 0.02, `${speed}`);
  const charts = page.locator('[data-over-time]');
  for (const chart of await charts.all()) {
    assert.ok(await chart.locator('.cursor').isVisible());
    for (const value of await chart.locator('.key b').allTextContents()) assert.match(value, /^-?\d/);
  }
  const gear = await page.locator('#gear .key b').textContent();
  assert.equal(Number(gear), 3);
  assert.ok(await page.locator('#path .vehicle').isVisible());
  await page.mouse.move(2, 2);
  await nextFrame(page);
  assert.ok(!await page.locator('#speed .cursor').isVisible());
  await close();
});

test('a drag zooms all charts over time, a double click shows the whole drive again', async () => {
  const { page, problems, close } = await open('drive.html');
  const whole = await labels(page, 'yaw-rate', 'tx');
  assert.deepEqual(whole, ['0', '10', '20', '30', '40', '50', '60', '70']);
  const heights = await labels(page, 'energy', 'ty');
  const box = await pointAt(page, 'yaw-rate', 29 / 70);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 36 / 70, box.y + 20, { steps: 4 });
  assert.ok(await page.locator('#yaw-rate .brush').isVisible());
  await page.mouse.up();
  for (const id of ['yaw-rate', 'speed', 'energy']) {
    const ticks = (await labels(page, id, 'tx')).map(Number);
    assert.ok(ticks.length >= 3 && ticks[0] >= 28.8 && ticks[ticks.length - 1] <= 36.2, `${id}: ${ticks}`);
  }
  assert.deepEqual(await findBadTexts(page), []);
  await screenshot(page, 'drive-zoomed.png');
  await pointAt(page, 'speed', 0.5);
  const time = Number((await page.locator('.clock').textContent()).match(/[\d.]+/)[0]);
  assert.ok(Math.abs(time - 32.5) < 0.1, `${time}`);
  await page.locator('#speed .area').dblclick();
  assert.deepEqual(await labels(page, 'yaw-rate', 'tx'), whole);
  assert.deepEqual(await labels(page, 'energy', 'ty'), heights);
  assert.ok(await page.locator('.reset').isHidden());
  assert.deepEqual(problems, []);
  await close();
});

// Travel, roll and steering have a cursor and a zoom each.
test('a rig shows values under the pointer, in the charts over the same', async () => {
  const { page, problems, close } = await open('rig.html');
  await pointAt(page, 'travel-camber', 0.5);
  const clock = page.locator('.clock').first();
  const travel = Number((await clock.textContent()).match(/wheel travel = (-?[\d.]+) mm/)[1]);
  assert.ok(travel > 0 && travel < 20, `${travel}`);
  for (const id of ['travel-camber', 'travel-toe', 'travel-wheel-rate']) {
    const values = await page.locator(`#${id} .key:not([hidden]) b`).allTextContents();
    assert.equal(values.length, 2);
    for (const value of values) assert.match(value, /^-?\d/);
  }
  assert.ok(!await page.locator('#steering-ackermann .cursor').isVisible());
  const whole = await labels(page, 'steering-ackermann', 'tx');
  const box = await pointAt(page, 'travel-toe', 0.6);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 20, { steps: 4 });
  await page.mouse.up();
  assert.ok((await labels(page, 'travel-camber', 'tx')).map(Number).every((t) => t > 20 && t < 90));
  assert.deepEqual(await labels(page, 'steering-ackermann', 'tx'), whole);
  assert.deepEqual(problems, []);
  await close();
});

test('tables keep their first column on a phone', async () => {
  const { page, close } = await open('rig.html', { viewport: PHONE });
  const table = page.locator('.wide').filter({ hasText: 'both wheels alike' }).first();
  await table.evaluate((wide) => { wide.scrollLeft = 150; });
  const [first, wide] = [await table.locator('td').first().boundingBox(), await table.boundingBox()];
  assert.ok(Math.abs(first.x - wide.x) < 2 && first.width < 0.5 * wide.width, JSON.stringify([first, wide]));
  await close();
});

test('arrow keys move the cursor, Escape ends a zoom', async () => {
  const { page, close } = await open('drive.html');
  await page.locator('#speed .chart').focus();
  await page.keyboard.press('ArrowRight');
  await nextFrame(page);
  assert.match(await page.locator('.clock').textContent(), /35\.\d+ s/);
  const box = await pointAt(page, 'speed', 0.2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.mouse.up();
  assert.ok(await page.locator('.reset').isVisible());
  await page.locator('#speed .chart').focus();
  await page.keyboard.press('Escape');
  assert.ok(await page.locator('.reset').isHidden());
  await close();
});

test('two fingers zoom on a phone', async () => {
  const { page, close } = await open('drive.html', { viewport: PHONE, hasTouch: true, isMobile: true });
  const box = await areaOf(page, 'speed');
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...parts) => client.send('Input.dispatchTouchEvent', {
    type, touchPoints: parts.map((part, id) => ({ x: box.x + part * box.width, y: box.y + 40 + 30 * id, id })) });
  await touch('touchStart', 0.4);
  await touch('touchStart', 0.4, 0.6);
  await touch('touchMove', 0.2, 0.8);
  await touch('touchEnd');
  await nextFrame(page);
  const ticks = (await labels(page, 'speed', 'tx')).map(Number);
  assert.ok(ticks[0] > 15 && ticks[ticks.length - 1] < 55, `${ticks}`);
  await page.locator('.reset').tap();
  assert.equal((await labels(page, 'speed', 'tx')).length, 8);
  await close();
});

test('the dark scheme is dark, and print is light', async () => {
  const { page, close } = await open('drive.html', { colorScheme: 'dark' });
  const lightness = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g)
    .slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765);
  assert.ok(await lightness() < 0.2);
  await page.emulateMedia({ media: 'print' });
  assert.ok(await lightness() > 0.95);
  await page.pdf({ path: join(folder, 'drive.pdf'), format: 'A4' });
  await close();
});

test('without scripts the curves are there', async () => {
  const { page, close } = await open('drive.html', { javaScriptEnabled: false });
  for (const id of ['speed', 'path', 'energy']) {
    const box = await page.locator(`#${id} .curve`).last().boundingBox();
    assert.ok(box.width > 100 && box.height > 1, id);
    assert.ok((await labels(page, id, 'ty')).length >= 2);
  }
  await close();
});

test('a comparison names its runs in each chart, one color per run', async () => {
  const { page, close } = await open('compare.html');
  for (const chart of await page.locator('.chart').all()) {
    assert.deepEqual((await chart.locator('.key').allTextContents()).map((name) => name.trim()),
      ['lane-change-001', 'lane-change-002']);
    const colors = await chart.locator('.curve').evaluateAll((all) => all.map((one) => getComputedStyle(one).stroke));
    assert.notEqual(colors[0], colors[1]);
  }
  assert.match(await page.locator('ul').first().textContent(), /different lengths/);
  await close();
});

test('the browser closes', () => browser.close());  // tests run one after the other
