// Chromium with software GL for page tests, and a page that collects everything it should not do.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(import.meta.url), '..', '..', '..');
const require = createRequire(join(root, 'viewer', 'package.json'));
const { chromium } = require('playwright-core');
export const axeSource = require.resolve('axe-core/axe.min.js');

export const LAPTOP = { width: 1280, height: 720 };
export const LANDSCAPE = { width: 844, height: 390 };
export const PORTRAIT = { width: 390, height: 844 };

// The sandbox does not work for root; the pages are our own. SwiftShader must be asked for.
export const launch = (executablePath) => chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });

/** Opens a page. `problems` collects console messages, errors, CSP violations and foreign requests. */
export async function open(browser, url, { viewport = LAPTOP, phone = false, settings = {}, script, waits = true, ...more } = {}) {
  const context = await browser.newContext({ viewport, hasTouch: phone, isMobile: phone, reducedMotion: 'no-preference', ...more });
  await context.addInitScript((stored) => {
    try { localStorage.setItem('camber-settings', JSON.stringify(stored)); } catch { /* a file has no storage */ }
    addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
  }, { quality: 'soft', ...settings });
  if (script) await context.addInitScript(script);
  const page = await context.newPage();
  const problems = [], requests = [];
  page.on('console', (message) => problems.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error.stack}`));
  page.on('request', (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(new URL(url).origin === 'null' ? 'file:' : new URL(url).origin) && !/^(data|blob):/.test(request.url())) problems.push(`foreign request: ${request.url()}`);
  });
  await page.goto(url);
  if (waits) await frames(page, 2);
  return { page, context, problems, requests, close: () => context.close() };
}

/** Waits until so many frames were drawn. */
export const frames = (page, count) => page.waitForFunction((n) => Number(document.documentElement.dataset.frames ?? 0) >= n, count, { timeout: 60_000 });

export const data = (page) => page.evaluate(() => ({ ...document.documentElement.dataset }));

/** Waits for a condition in this process. */
export async function until(condition, what, seconds = 30) {
  for (let i = 0; i < seconds * 50; ++i) {
    if (await condition()) return;
    await new Promise((later) => setTimeout(later, 20));
  }
  throw new Error(`waited in vain for: ${what}`);
}

export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Findings of axe. Its script needs a page whose CSP is bypassed. */
export async function axe(page) {
  await page.addScriptTag({ path: axeSource });
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return result.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join('; ')})`);
}

/** 16 x 16 gray and color averages of a picture, by the browser itself. */
export async function thumbnail(page, png) {
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(picture.width, picture.height), pen = canvas.getContext('2d');
    pen.drawImage(picture, 0, 0);
    const { data: pixels } = pen.getImageData(0, 0, picture.width, picture.height), out = [];
    for (let j = 0; j < 16; ++j) for (let i = 0; i < 16; ++i) {
      const sum = [0, 0, 0];
      let count = 0;
      for (let y = Math.floor(j * picture.height / 16); y < Math.floor((j + 1) * picture.height / 16); ++y) for (let x = Math.floor(i * picture.width / 16); x < Math.floor((i + 1) * picture.width / 16); ++x) {
        for (let c = 0; c < 3; ++c) sum[c] += pixels[4 * (y * picture.width + x) + c];
        ++count;
      }
      out.push(...sum.map((s) => Math.round(s / count)));
    }
    return out;
  }, png.toString('base64'));
}

export const rms = (a, b) => Math.sqrt(a.reduce((sum, v, i) => sum + (v - b[i]) ** 2, 0) / a.length);

export function spread(values) {
  const gray = [];
  for (let i = 0; i < values.length; i += 3) gray.push(0.3 * values[i] + 0.6 * values[i + 1] + 0.1 * values[i + 2]);
  const mean = gray.reduce((s, v) => s + v, 0) / gray.length;
  return Math.sqrt(gray.reduce((s, v) => s + (v - mean) ** 2, 0) / gray.length);
}
