// Runs, frames and clips for the unit tests, written independently of the page's reader.
import { deflateSync } from 'node:zlib';
import { Run } from '../src/model';

export function makeRun(bodies = 3, things = 1, size = 4): Run {
  return {
    name: 'test', about: '', file: 'test.toml', begin: 0, end: 10, step: 0.001, sample_interval: 0.01, status: 'done', reason: '', has_poses: true,
    channels: [{ name: 'chassis/position', unit: 'm', description: '', columns: ['x', 'y', 'z'], first: 0 }, { name: 'drivetrain/gear', unit: '1', description: '', columns: [''], first: 3 }],
    sample_size: size,
    vehicles: [{ name: 'v', model: 'm', level: 'full', mass: 1, outline: { rear: -1, front: 1, right: -1, left: 1 }, height: 0, wheelbase: 2, track: 1, shell: { kind: 'boxes' }, bodies: Array.from({ length: bodies }, (_, k) => ({ name: `b${k}`, mass: 1, center: [0, 0, 0] as [number, number, number] })), corners: [], shapes: [] }],
    things: Array.from({ length: things }, () => ({ name: 'car', length: 4, width: 2, height: 1.5, center: [0, 0] as [number, number] })),
    sensors: [], path: [], events: [], figures: [],
  };
}

export function makeState(run: Run, time: number): ArrayBuffer {
  const bodies = run.vehicles[0].bodies.length;
  const view = new DataView(new ArrayBuffer(88 + 40 + 28 * (bodies - 1) + 16 * run.things.length + 4 * run.sample_size));
  view.setUint8(0, 1);
  view.setUint8(1, 1);
  view.setUint16(2, 1 | 256, true);
  view.setUint32(4, 7, true);
  view.setFloat64(8, time, true);
  view.setBigUint64(24, 12345678901n, true);
  view.setUint32(32, 42, true);
  view.setUint32(36, 3, true);
  view.setFloat32(40, 17.5, true);
  view.setFloat32(60, 0.5, true);
  view.setUint32(80, run.sample_size, true);
  let at = 88;
  for (const x of [1e6 + 0.25, -2e6, 3.5]) { view.setFloat64(at, x, true); at += 8; }
  for (const x of [0, 0, 0, 1]) { view.setFloat32(at, x, true); at += 4; }
  for (let b = 1; b < bodies; ++b) for (let i = 0; i < 7; ++i, at += 4) view.setFloat32(at, 10 * b + i, true);
  for (let i = 0; i < 4 * run.things.length; ++i, at += 4) view.setFloat32(at, i, true);
  for (let i = 0; i < run.sample_size; ++i, at += 4) view.setFloat32(at, 100 + i, true);
  return view.buffer as ArrayBuffer;
}

export interface TestColumn { name: string; scale: number; offset: number; gaps?: boolean; values: number[] }

/** Clip as the protocol describes it: second differences, zigzag, planes of bytes. */
export function makeClip(columns: TestColumn[]): ArrayBuffer {
  const count = columns[0].values.length;
  const header = Buffer.from(JSON.stringify({ run: 0, count, columns: columns.map(({ values: _, ...rest }) => rest) }));
  const planes: number[] = [];
  for (const column of columns) {
    if (column.scale === 0) continue;
    const k = column.values.map((v) => (Number.isNaN(v) ? -2147483648 : Math.round((v - column.offset) / column.scale)) | 0);
    const z = k.map((value, i) => {
      const d = (value - 2 * (k[i - 1] ?? 0) + (k[i - 2] ?? 0)) | 0;
      return ((d << 1) ^ (d >> 31)) >>> 0;
    });
    for (let plane = 0; plane < 4; ++plane) for (const value of z) planes.push((value >>> (8 * plane)) & 255);
  }
  const bytes = Buffer.concat([Buffer.from('CAMCLIP1'), Buffer.from(Uint32Array.of(header.length).buffer), header, deflateSync(Uint8Array.from(planes))]);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
}
