// Makes the pictures of the page in README and manual from a real drive, with all its shadows.
// usage: node make_pictures.mjs CAMBER DIST CHROMIUM OUT [NAME ...]; some minutes on software GL
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, LANDSCAPE, open, root, until } from './browser.mjs';

const [camber, dist, chromium, out, ...only] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'camber-pictures-'));
const child = spawn(camber, ['drive', join(root, 'scenarios', 'teleoperation.toml'), '-o', join(folder, 'run'), '--no-open', '--port', '0', '--page-folder', dist], { stdio: ['ignore', 'pipe', 'inherit'] });
let text = '';
child.stdout.on('data', (chunk) => { text += chunk; });
const browser = await launch(chromium);
try {
  await until(() => /http:\/\/\S+/.test(text), 'link');
  const [url] = /http:\/\/\S+/.exec(text);
  const drive = await open(browser, url, { settings: { quality: 'soft' } });
  await drive.page.keyboard.down('KeyW');
  await drive.page.waitForFunction(() => Number(document.querySelector('.hud .speed').textContent) > 22, null, { timeout: 60_000 });
  await drive.page.keyboard.down('KeyA');
  await drive.page.waitForTimeout(1500);
  await drive.page.keyboard.press('KeyP');
  await drive.page.waitForFunction(() => document.documentElement.dataset.paused === 'true');
  const shoot = async (name, options, keys, hidden = '.messages') => {
    if (only.length > 0 && !only.includes(name)) return;
    const tab = await open(browser, url, options);
    for (const key of keys) await tab.page.keyboard.press(key);
    await tab.page.evaluate((selector) => { document.querySelectorAll(selector).forEach((element) => { element.style.display = 'none'; }); }, `${hidden}, .banner`);
    await tab.page.waitForFunction(() => document.documentElement.dataset.complete === 'true', null, { timeout: 700_000 });
    await tab.page.screenshot({ path: join(out, name), type: 'jpeg', quality: 82, timeout: 120_000 });
    await tab.close();
  };
  await shoot('page.jpg', { settings: { quality: 'high', closed: ['driver-view'] } }, ['Digit6']);
  await shoot('page-x-ray.jpg', { settings: { quality: 'medium', closed: ['driver-view', 'gps', 'map'] }, colorScheme: 'dark' }, ['Digit6', 'KeyX', 'KeyV']);
  await shoot('page-phone.jpg', { viewport: LANDSCAPE, phone: true, settings: { quality: 'medium' }, deviceScaleFactor: 1.5 }, []);
} finally {
  await browser.close();
  child.kill('SIGINT');
  await until(() => child.exitCode !== null || child.signalCode !== null, 'end of camber');
  rmSync(folder, { recursive: true, force: true });
}
