// Bundles the unit tests and runs them: node test/run.mjs
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'camber-viewer-'));
try {
  const entryPoints = readdirSync(here).filter((name) => name.endsWith('.test.ts')).map((name) => join(here, name));
  await build({ entryPoints, outdir: folder, outExtension: { '.js': '.mjs' }, bundle: true, format: 'esm', platform: 'node', target: 'node18', logLevel: 'warning' });
  const files = readdirSync(folder).map((name) => join(folder, name));
  process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit', cwd: join(here, '..', '..') }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
