import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { frameOfClip, readClip, readMesh, readScan, readSlices, readState, readTile, TILE_NODES, writeAcknowledgement, writeControl, writeInput } from '../src/protocol';
import { makeClip, makeRun, makeState, TestColumn } from './make';

test('a state frame is read field by field', () => {
  const run = makeRun();
  const { live, frame } = readState(makeState(run, 2.5), run);
  assert.equal(live.number, 7);
  assert.equal(live.flags, 257);
  assert.equal(live.steps, 12345678901);
  assert.equal(live.input, 42);
  assert.equal(live.inputFrom, 3);
  assert.equal(live.stepTime, 17.5);
  assert.equal(live.actualFactor, 0.5);
  assert.equal(frame.time, 2.5);
  assert.deepEqual([...frame.vehicles[0].position], [1e6 + 0.25, -2e6, 3.5]);
  assert.deepEqual([...frame.vehicles[0].bodies.subarray(14, 21)], [20, 21, 22, 23, 24, 25, 26]);
  assert.deepEqual([...frame.things], [0, 1, 2, 3]);
  assert.deepEqual([...frame.sample], [100, 101, 102, 103]);
});

test('a state frame of another length, type or version is refused', () => {
  const run = makeRun(), good = makeState(run, 1);
  assert.throws(() => readState(good.slice(0, -4), run), /bytes/);
  assert.throws(() => readState(good.slice(0, 40), run), /not a state frame/);
  const other = good.slice(0);
  new DataView(other).setUint8(1, 2);
  assert.throws(() => readState(other, run), /not a state frame/);
  assert.throws(() => readState(good, makeRun(4)), /bytes/);
});

test('messages of the page have the lengths and places of the protocol', () => {
  const input = new DataView(writeInput({ device: 1, steer: 0.5, throttle: 1, brake: 0.25, buttons: 0x15 }, 9, 1234.5));
  assert.equal(input.byteLength, 32);
  assert.deepEqual([input.getUint8(0), input.getUint8(1), input.getUint16(2, true), input.getUint32(4, true), input.getFloat64(8, true), input.getFloat32(16, true), input.getFloat32(20, true), input.getFloat32(24, true), input.getUint32(28, true)],
    [1, 1, 1, 9, 1234.5, 0.5, 1, 0.25, 0x15]);
  const control = new DataView(writeControl(8, 3));
  assert.deepEqual([control.byteLength, control.getUint8(0), control.getUint16(2, true), control.getFloat64(8, true)], [16, 3, 8, 3]);
  const acknowledgement = new DataView(writeAcknowledgement(77));
  assert.deepEqual([acknowledgement.byteLength, acknowledgement.getUint8(0), acknowledgement.getUint32(4, true)], [8, 2, 77]);
});

function clipColumns(count: number): TestColumn[] {
  const n = Array.from({ length: count }, (_, i) => i);
  const columns: TestColumn[] = [{ name: 'time', scale: 1e-6, offset: 0, values: n.map((i) => i / 60) }];
  for (let b = 0; b < 3; ++b) {
    for (const [k, axis] of ['x', 'y', 'z'].entries()) columns.push({ name: `vehicles/0/bodies/${b}/${axis}`, scale: 2e-4, offset: 12.5 * k, values: n.map((i) => 12.5 * k + 3 * Math.sin(0.1 * i + b)) });
    // The sign of the quaternion changes between samples, as numerical methods like to do.
    for (const axis of ['qx', 'qy', 'qz', 'qw']) columns.push({ name: `vehicles/0/bodies/${b}/${axis}`, scale: 6e-5, offset: 0, values: n.map((i) => (i % 2 ? -1 : 1) * (axis === 'qz' ? Math.sin(0.01 * i) : axis === 'qw' ? Math.cos(0.01 * i) : 0)) });
  }
  for (const part of ['x', 'y', 'z', 'yaw']) columns.push({ name: `things/0/${part}`, scale: 0, offset: 5, values: n.map(() => 5) });
  columns.push({ name: 'sample/0', scale: 0.5, offset: -100, values: n.map((i) => -100 + 0.5 * ((i * 7919) % 4096)) });
  columns.push({ name: 'sample/1', scale: 1e-3, offset: 0, gaps: true, values: n.map((i) => (i % 5 === 0 ? NaN : i * 1e-3)) });
  columns.push({ name: 'sample/2', scale: 1, offset: 0, values: n.map((i) => (i % 2 ? 2147483647 : -2147483647)) });
  columns.push({ name: 'sample/3', scale: 0, offset: -7, values: n.map(() => -7) });
  return columns;
}

test('a clip comes back as it was written, within half a step, with gaps and extreme numbers', async () => {
  const columns = clipColumns(257);
  const clip = await readClip(makeClip(columns));
  assert.equal(clip.count, 257);
  columns.forEach((column, c) => column.values.forEach((value, i) => {
    const got = clip.columns[c][i];
    if (Number.isNaN(value)) assert.ok(Number.isNaN(got), `${column.name} ${i}`);
    else assert.ok(Math.abs(got - value) <= 0.5 * column.scale + 1e-6 * Math.abs(value) + 1e-12, `${column.name} ${i}: ${got} for ${value}`);
  }));
});

test('a moment of a clip lies between its samples, and quaternions stay of length 1', async () => {
  const run = makeRun();
  const clip = await readClip(makeClip(clipColumns(60)));
  const frame = frameOfClip(clip, run, 10.5 / 60);
  assert.ok(Math.abs(frame.vehicles[0].position[0] - 1.5 * (Math.sin(1) + Math.sin(1.1))) < 4e-4);
  for (let b = 0; b < 3; ++b) {
    const q = frame.vehicles[0].bodies.subarray(7 * b + 3, 7 * b + 7);
    assert.ok(Math.abs(Math.hypot(...q) - 1) < 1e-6);
    assert.ok(Math.abs(Math.abs(q[2]) - Math.sin(0.105)) < 1e-4);
  }
  assert.equal(frameOfClip(clip, run, -5).time, 0);
  assert.ok(Math.abs(frameOfClip(clip, run, 99).time - 59 / 60) < 1e-6);
});

test('a clip that the engine wrote', async () => {
  const bytes = readFileSync('tests/data/page/clip.bin');
  const clip = await readClip(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
  assert.equal(clip.count, 1000);
  const length = bytes.readUInt32LE(8);
  const { columns } = JSON.parse(bytes.subarray(12, 12 + length).toString()) as { columns: { name: string }[] };
  const column = (name: string) => clip.columns[columns.findIndex((c) => c.name === name)];
  for (let k = 0; k < clip.count; ++k) {
    const t = 0.01 * k;
    assert.ok(Math.abs(column('time')[k] - t) < 1e-6);
    assert.ok(Math.abs(column('smooth')[k] - 17.3 - 40 * Math.sin(0.9 * t)) <= 1.0e-4 + 4e-6, `smooth ${k}`);
    assert.equal(column('constant')[k], -3.75);
    assert.equal(Number.isNaN(column('gaps')[k]), k % 7 === 3);
  }
});

test('what is not a clip is refused', async () => {
  await assert.rejects(readClip(new TextEncoder().encode('CAMCLIP2xxxxxxxx').buffer as ArrayBuffer), /not a clip/);
});

test('tiles, meshes, slices and scans are read', () => {
  const tile = new ArrayBuffer(8 + 2 * TILE_NODES ** 2), view = new DataView(tile);
  view.setFloat32(0, -3, true);
  view.setFloat32(4, 0.5, true);
  view.setUint16(8 + 2 * (2 * TILE_NODES + 1), 9, true);
  const read = readTile(tile);
  assert.equal(read.z0, -3);
  assert.equal(read.heights[2 * TILE_NODES + 1], 9);
  assert.equal(read.surface, undefined);
  assert.equal(readTile(new ArrayBuffer(2458 + 33 * 33)).surface?.length, 33 * 33);

  const mesh = new DataView(new ArrayBuffer(40 + 12 + 36 + 12));
  mesh.setUint32(0, 3, true);
  mesh.setUint32(4, 1, true);
  mesh.setUint32(8, 1, true);
  mesh.setFloat64(16, 5, true);
  mesh.setUint32(44, 1, true);
  mesh.setUint32(48, 2, true);
  mesh.setFloat32(52 + 4 * 4, 1.5, true);
  mesh.setUint32(88 + 8, 2, true);
  const data = readMesh(mesh.buffer as ArrayBuffer);
  assert.deepEqual(data.origin, [5, 0, 0]);
  assert.deepEqual(data.groups, [{ first: 0, count: 1, material: 2 }]);
  assert.equal(data.positions[4], 1.5);
  assert.equal(data.indices[2], 2);

  const slice = new DataView(new ArrayBuffer(8 + 2 * 12 + 8 + 16));
  slice.setUint32(0, 2, true);
  slice.setFloat64(8, 1, true);
  slice.setFloat64(16, 2, true);
  slice.setFloat32(24, 10, true);
  slice.setFloat32(28, 20, true);
  slice.setUint32(32, 1, true);
  slice.setUint32(36, 1, true);
  slice.setFloat64(40, 3, true);
  slice.setFloat32(48, -1, true);
  slice.setFloat32(52, 1, true);
  const [exact, extreme] = readSlices(slice.buffer as ArrayBuffer, 2);
  assert.deepEqual([...exact.times, ...exact.values], [1, 2, 10, 20]);
  assert.deepEqual([extreme.times[0], extreme.low![0], extreme.values[0]], [3, -1, 1]);

  const scan = new DataView(new ArrayBuffer(44 + 2 * 6));
  scan.setFloat64(0, 4.5, true);
  scan.setUint32(8, 3, true);
  scan.setUint32(12, 2, true);
  scan.setUint16(44 + 2 * 4, 200, true);
  const shot = readScan(scan.buffer as ArrayBuffer);
  assert.deepEqual([shot.time, shot.columns, shot.rows, shot.ranges[4]], [4.5, 3, 2, 200]);
});
