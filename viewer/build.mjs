// Bundles the page: index.html, style.css and app.js, each also compressed for embedding. The same source gives the same
// bytes each time.
// usage: node build.mjs [--out FOLDER] [--watch]
import { build, context } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const outIndex = process.argv.indexOf('--out');
const out = outIndex > 0 ? process.argv[outIndex + 1] : join(here, 'dist');
const LIMIT = 220_000;  // [bytes] of all files, compressed

// three.js comes from its sources, so that parts that this page never uses stay out: headsets, filtered environment maps,
// shaders of other materials. Shaders lose their comments and indentation.
const XR = `import { EventDispatcher } from '../../core/EventDispatcher.js';
export class WebXRManager extends EventDispatcher {
  enabled = false; isPresenting = false; cameraAutoUpdate = false;
  dispose() {} setAnimationLoop() {} getEnvironmentBlendMode() {} hasDepthSensing() { return false; }
}`;
const STUBS = [
  [/webxr[\\/]WebXRManager\.js$/, XR],
  [/extras[\\/]PMREMGenerator\.js$/, 'export class PMREMGenerator {}'],
  [/ShaderLib[\\/](meshmatcap|meshnormal|meshtoon|meshphong|sprite|linedashed|shadow|distance|backgroundCube|cube|equirect)\.glsl\.js$/, "export const vertex = '', fragment = '';"],
];
const three = {
  name: 'three',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^three$/ }, () => ({ path: join(here, 'node_modules', 'three', 'src', 'Three.js'), sideEffects: false }));
    bundler.onLoad({ filter: /three[\\/]src[\\/].*\.js$/ }, ({ path }) => {
      for (const [pattern, contents] of STUBS) if (pattern.test(path)) return { contents };
      const text = readFileSync(path, 'utf8');
      if (!path.endsWith('.glsl.js')) return { contents: text };
      return { contents: text.replace(/\/\* glsl \*\/\s*`([^`]*)`/g, (_, glsl) => '`' + glsl.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '').replace(/^\s+/gm, '').replace(/[ \t]+$/gm, '')
        .replace(/^(?!#)(.*)$/gm, (line) => line.replace(/\s*([-+*/=<>(){},;?:&|])\s*/g, '$1')) + '`') };
    });
  },
};

const options = {
  entryPoints: [join(here, 'src', 'main.ts')],
  outfile: join(out, 'app.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [three],
};

// No time and no name in the archive.
function compress(bytes) {
  const packed = gzipSync(bytes, { level: 9 });
  packed.fill(0, 4, 8);
  packed[9] = 255;
  return packed;
}

const minifyCss = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ').replace(/ ?([{};,>]) ?/g, '$1');

function finish() {
  const uplot = readFileSync(join(here, 'node_modules', 'uplot', 'dist', 'uPlot.min.css'), 'utf8');
  const files = {
    'index.html': readFileSync(join(here, 'index.html')),
    'style.css': Buffer.from(minifyCss(`${uplot}\n${readFileSync(join(here, 'style.css'), 'utf8')}`)),
    'app.js': readFileSync(join(out, 'app.js')),
  };
  let total = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const packed = compress(bytes);
    total += packed.length;
    writeFileSync(join(out, name), bytes);
    writeFileSync(join(out, `${name}.gz`), packed);
  }
  if (total > LIMIT) throw new Error(`the page takes ${total} bytes compressed, limit ${LIMIT}`);
  return total;
}

mkdirSync(out, { recursive: true });
if (process.argv.includes('--watch')) {
  const plugin = { name: 'finish', setup: (b) => b.onEnd(() => console.log(`page: ${finish()} bytes compressed`)) };
  await (await context({ ...options, plugins: [three, plugin] })).watch();
} else {
  await build(options);
  console.log(`page: ${finish()} bytes compressed`);
}
