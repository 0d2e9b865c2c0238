// Repeatable noise for everything that only has to look natural: clouds, ground, leaves.

export function hash2(x: number, y: number, seed = 0): number {
  let h = Math.imul(x | 0, 374761393) + Math.imul(y | 0, 668265263) + Math.imul(seed | 0, 2147483647);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Value noise in 0..1, smooth; period > 0 makes it tileable. */
export function noise2(x: number, y: number, seed = 0, period = 0): number {
  const i = Math.floor(x), j = Math.floor(y);
  const u = x - i, v = y - j;
  const su = u * u * (3 - 2 * u), sv = v * v * (3 - 2 * v);
  const wrap = (k: number): number => (period > 0 ? ((k % period) + period) % period : k);
  const a = hash2(wrap(i), wrap(j), seed), b = hash2(wrap(i + 1), wrap(j), seed);
  const c = hash2(wrap(i), wrap(j + 1), seed), d = hash2(wrap(i + 1), wrap(j + 1), seed);
  return a + su * (b - a) + sv * (c - a + su * (a - b - c + d));
}

/** Sum of octaves in 0..1. */
export function fbm(x: number, y: number, octaves: number, seed = 0, period = 0): number {
  let sum = 0, weight = 0.5, total = 0, scale = 1;
  for (let o = 0; o < octaves; ++o) {
    sum += weight * noise2(x * scale, y * scale, seed + o, period * scale);
    total += weight;
    weight *= 0.5;
    scale *= 2;
  }
  return sum / total;
}

/** Stream of numbers in 0..1 from a seed. */
export function random(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), s | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
