// Bytes to frames and back: docs/theory/page-protocol.md, sections 4, 6 and 7.
import { Frame, LiveState, Run, VehiclePose } from './model';

const VERSION = 1;

/** State frame of a live drive. Throws if its length does not fit the run. */
export function readState(buffer: ArrayBuffer, run: Run): { live: LiveState; frame: Frame } {
  const view = new DataView(buffer);
  if (buffer.byteLength < 88 || view.getUint8(0) !== 1 || view.getUint8(1) !== VERSION) throw new Error('not a state frame');
  const live: LiveState = {
    flags: view.getUint16(2, true), number: view.getUint32(4, true), clock: view.getFloat64(16, true),
    steps: Number(view.getBigUint64(24, true)), input: view.getUint32(32, true), inputFrom: view.getUint32(36, true),
    stepTime: view.getFloat32(40, true), longestStep: view.getFloat32(44, true), slowSteps: view.getUint32(48, true),
    lateWakes: view.getUint32(52, true), wantedFactor: view.getFloat32(56, true), actualFactor: view.getFloat32(60, true),
    raw: [view.getFloat32(64, true), view.getFloat32(68, true), view.getFloat32(72, true), view.getFloat32(76, true)],
  };
  const size = view.getUint32(80, true);
  let at = 88;
  const floats = (n: number): Float32Array => {
    const out = new Float32Array(n);
    for (let i = 0; i < n; ++i, at += 4) out[i] = view.getFloat32(at, true);
    return out;
  };
  let expected = 88 + 4 * size + 16 * run.things.length;
  for (const vehicle of run.vehicles) expected += 40 + 28 * (bodyCount(run, vehicle) - 1);
  if (size !== run.sample_size || buffer.byteLength !== expected) {
    throw new Error(`state frame of ${buffer.byteLength} bytes, ${expected} expected`);
  }
  const vehicles: VehiclePose[] = [];
  for (const vehicle of run.vehicles) {
    const count = bodyCount(run, vehicle);
    const position = new Float64Array([view.getFloat64(at, true), view.getFloat64(at + 8, true), view.getFloat64(at + 16, true)]);
    at += 24;
    const bodies = new Float32Array(7 * count);
    bodies.set(floats(4), 3);
    bodies.set(floats(7 * (count - 1)), 7);
    vehicles.push({ position, bodies });
  }
  const things = floats(4 * run.things.length);
  return { live, frame: { time: view.getFloat64(8, true), vehicles, things, sample: floats(size) } };
}

/** Vehicles without bodies of their own move as one. */
export const bodyCount = (run: Run, vehicle: { bodies: unknown[] }): number =>
  run.has_poses ? Math.max(1, vehicle.bodies.length) : 1;

export const Command = { take: 1, release: 2, pause: 3, goOn: 4, step: 5, speed: 6, reset: 7, back: 8, driveOn: 9, end: 10 } as const;

export function writeControl(command: number, argument = 0): ArrayBuffer {
  const view = header(16, 3, command);
  view.setFloat64(8, argument, true);
  return view.buffer as ArrayBuffer;
}

export function writeAcknowledgement(number: number): ArrayBuffer {
  const view = header(8, 2, 0);
  view.setUint32(4, number, true);
  return view.buffer as ArrayBuffer;
}

export interface Input { device: number; steer: number; throttle: number; brake: number; buttons: number }

export function writeInput(input: Input, number: number, clock: number): ArrayBuffer {
  const view = header(32, 1, input.device);
  view.setUint32(4, number, true);
  view.setFloat64(8, clock, true);
  view.setFloat32(16, input.steer, true);
  view.setFloat32(20, input.throttle, true);
  view.setFloat32(24, input.brake, true);
  view.setUint32(28, input.buttons, true);
  return view.buffer as ArrayBuffer;
}

function header(size: number, type: number, word: number): DataView {
  const view = new DataView(new ArrayBuffer(size));
  view.setUint8(0, type);
  view.setUint8(1, VERSION);
  view.setUint16(2, word, true);
  return view;
}

export interface Tile { z0: number; scale: number; heights: Uint16Array; surface?: Uint8Array }
export const TILE_CELLS = 32;
export const TILE_NODES = TILE_CELLS + 3;  // with a rim for normals

export function readTile(buffer: ArrayBuffer): Tile {
  const view = new DataView(buffer);
  const count = TILE_NODES * TILE_NODES;
  const heights = new Uint16Array(count);
  for (let i = 0; i < count; ++i) heights[i] = view.getUint16(8 + 2 * i, true);
  const kinds = (TILE_CELLS + 1) ** 2;
  const surface = buffer.byteLength >= 8 + 2 * count + kinds ? new Uint8Array(buffer, 8 + 2 * count, kinds) : undefined;
  return { z0: view.getFloat32(0, true), scale: view.getFloat32(4, true), heights, surface };
}

export interface MeshData {
  origin: [number, number, number];
  groups: { first: number; count: number; material: number }[];
  positions: Float32Array;
  indices: Uint32Array;
}

export function readMesh(buffer: ArrayBuffer): MeshData {
  const view = new DataView(buffer);
  const vertices = view.getUint32(0, true), triangles = view.getUint32(4, true), groups = view.getUint32(8, true);
  let at = 40;
  const result: MeshData = {
    origin: [view.getFloat64(16, true), view.getFloat64(24, true), view.getFloat64(32, true)], groups: [],
    positions: new Float32Array(3 * vertices), indices: new Uint32Array(3 * triangles),
  };
  for (let g = 0; g < groups; ++g, at += 12) {
    result.groups.push({ first: view.getUint32(at, true), count: view.getUint32(at + 4, true), material: view.getUint32(at + 8, true) });
  }
  for (let i = 0; i < 3 * vertices; ++i, at += 4) result.positions[i] = view.getFloat32(at, true);
  for (let i = 0; i < 3 * triangles; ++i, at += 4) result.indices[i] = view.getUint32(at, true);
  return result;
}

export interface Slice { times: Float64Array; values: Float32Array; low?: Float32Array }

/** Curves of several columns: concatenated answers, values or min and max. */
export function readSlices(buffer: ArrayBuffer, columns: number): Slice[] {
  const view = new DataView(buffer);
  const slices: Slice[] = [];
  let at = 0;
  for (let c = 0; c < columns; ++c) {
    const count = view.getUint32(at, true), kind = view.getUint32(at + 4, true);
    at += 8;
    const times = new Float64Array(count), values = new Float32Array(count);
    for (let i = 0; i < count; ++i, at += 8) times[i] = view.getFloat64(at, true);
    if (kind === 0) {
      for (let i = 0; i < count; ++i, at += 4) values[i] = view.getFloat32(at, true);
      slices.push({ times, values });
    } else {
      const low = new Float32Array(count);
      for (let i = 0; i < count; ++i, at += 8) { low[i] = view.getFloat32(at, true); values[i] = view.getFloat32(at + 4, true); }
      slices.push({ times, values, low });
    }
  }
  return slices;
}

export interface Scan {
  time: number; columns: number; rows: number;
  position: [number, number, number]; quaternion: [number, number, number, number];
  ranges: Uint16Array;  // in 5 mm, 0 none
}

export function readScan(buffer: ArrayBuffer): Scan {
  const view = new DataView(buffer);
  const columns = view.getUint32(8, true), rows = view.getUint32(12, true);
  const f = (i: number): number => view.getFloat32(16 + 4 * i, true);
  const ranges = new Uint16Array(columns * rows);
  for (let i = 0; i < ranges.length; ++i) ranges[i] = view.getUint16(44 + 2 * i, true);
  return { time: view.getFloat64(0, true), columns, rows, position: [f(0), f(1), f(2)], quaternion: [f(3), f(4), f(5), f(6)], ranges };
}

/** Columns of a clip, decoded: the time, poses, things and samples of many moments. */
export interface Clip { count: number; columns: (Float64Array | Float32Array)[] }

interface ClipHeader { run: number; count: number; columns: { name: string; scale: number; offset: number; gaps?: boolean }[] }

export async function readClip(buffer: ArrayBuffer): Promise<Clip> {
  const bytes = new Uint8Array(buffer);
  if (new TextDecoder().decode(bytes.subarray(0, 8)) !== 'CAMCLIP1') throw new Error('not a clip');
  const length = new DataView(buffer).getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length))) as ClipHeader;
  const stream = new Blob([bytes.subarray(12 + length)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return decodeClip(header, new Uint8Array(await new Response(stream).arrayBuffer()));
}

export function decodeClip(header: ClipHeader, data: Uint8Array): Clip {
  const n = header.count;
  let at = 0;
  const columns = header.columns.map((column) => {
    // Times and places need double precision; the rest has 12 bits or so.
    const values = column.name === 'time' || /bodies\/0\/[xyz]$/.test(column.name) ? new Float64Array(n) : new Float32Array(n);
    if (column.scale === 0) return values.fill(column.offset);
    let k1 = 0, k2 = 0;
    for (let i = 0; i < n; ++i) {
      const z = data[at + i] | data[at + n + i] << 8 | data[at + 2 * n + i] << 16 | data[at + 3 * n + i] << 24;
      const k = (((z >>> 1) ^ -(z & 1)) + 2 * k1 - k2) | 0;
      values[i] = column.gaps && k === -2147483648 ? NaN : column.offset + column.scale * k;
      k2 = k1;
      k1 = k;
    }
    at += 4 * n;
    return values;
  });
  return { count: n, columns };
}

/** Moment of a clip between its samples i and i + 1. */
export function frameOfClip(clip: Clip, run: Run, time: number): Frame {
  const times = clip.columns[0];
  let low = 0, high = clip.count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle; else high = middle;
  }
  const span = times[high] - times[low];
  const part = span > 0 ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0;
  let c = 1;
  const mix = (): number => {
    const column = clip.columns[c++];
    return column[low] + part * (column[high] - column[low]);
  };
  const vehicles = run.vehicles.map((vehicle) => {
    const count = bodyCount(run, vehicle);
    const position = new Float64Array(3), bodies = new Float32Array(7 * count);
    for (let b = 0; b < count; ++b) {
      if (b === 0) { for (let i = 0; i < 3; ++i) position[i] = mix(); } else { for (let i = 0; i < 3; ++i) bodies[7 * b + i] = mix(); }
      // Quaternions of neighbors may differ in sign, which turns the same way.
      let dot = 0;
      for (let i = 0; i < 4; ++i) dot += clip.columns[c + i][low] * clip.columns[c + i][high];
      let norm = 0;
      for (let i = 0; i < 4; ++i, ++c) {
        const q = (1 - part) * clip.columns[c][low] + part * (dot < 0 ? -1 : 1) * clip.columns[c][high];
        bodies[7 * b + 3 + i] = q;
        norm += q * q;
      }
      norm = Math.sqrt(norm) || 1;
      for (let i = 3; i < 7; ++i) bodies[7 * b + i] /= norm;
    }
    return { position, bodies };
  });
  const things = new Float32Array(4 * run.things.length);
  for (let i = 0; i < things.length; ++i) things[i] = mix();
  const sample = new Float32Array(run.sample_size);
  for (let i = 0; i < sample.length; ++i) sample[i] = mix();
  return { time: Math.min(times[clip.count - 1], Math.max(times[0], time)), vehicles, things, sample };
}
