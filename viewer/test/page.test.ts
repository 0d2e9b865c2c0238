import assert from 'node:assert/strict';
import test from 'node:test';
import { Channels, displayUnit, shortWheel } from '../src/channels';
import { History, mixFrames, Tries } from '../src/history';
import { Frame } from '../src/model';
import { TILE_CELLS } from '../src/protocol';
import { makeIndex } from '../src/scene/ground';
import { beam, rangeColor } from '../src/scene/lidar';
import { chooseQuality, isSoftware, Watch } from '../src/scene/quality';
import { makeRun } from './make';

test('a tile: all cells are covered once, seen from above, and skirts hang on the rim', () => {
  const index = makeIndex().array, n = TILE_CELLS + 1;
  assert.equal(index.length, 6 * TILE_CELLS * TILE_CELLS + 4 * 6 * TILE_CELLS);
  let area = 0;
  for (let t = 0; t < 6 * TILE_CELLS * TILE_CELLS; t += 3) {
    const [a, b, c] = [index[t], index[t + 1], index[t + 2]].map((k) => [k % n, Math.floor(k / n)]);
    const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    assert.equal(twice, 1);  // counterclockwise
    area += twice / 2;
  }
  assert.equal(area, TILE_CELLS * TILE_CELLS);
  const used = new Set<number>();
  for (let t = 6 * TILE_CELLS * TILE_CELLS; t < index.length; ++t) {
    assert.ok(index[t] < n * n + 4 * n);
    if (index[t] < n * n) { const i = index[t] % n, j = Math.floor(index[t] / n); assert.ok(i === 0 || j === 0 || i === n - 1 || j === n - 1); } else used.add(index[t]);
  }
  assert.equal(used.size, 4 * n);
});

const frame = (time: number, x = time): Frame => ({
  time, vehicles: [{ position: Float64Array.of(x, 0, 0), bodies: Float32Array.of(0, 0, 0, 0, 0, 0, 1) }], things: new Float32Array(0), sample: Float32Array.of(x, 2 * x),
});

test('history keeps the newest rows, thins them, and forgets what did not happen', () => {
  const history = new History(2, 10, 0.1);
  for (let i = 0; i < 200; ++i) history.push(frame(i * 0.01));
  assert.equal(history.length, 10);
  const { times, values } = history.column(1, 1.5);
  assert.ok(times[0] >= 1.5 && Math.abs(values[0] - 2 * times[0]) < 1e-6);
  history.cut(1.6);
  assert.ok(history.column(0, 0).times.every((t) => t < 1.6));
  history.push(frame(0.5));
  assert.deepEqual(history.column(0, 0).times.map((t) => Math.round(t * 10)), [5]);
});

test('the ghost is the last try, at the same time', () => {
  const tries = new Tries();
  for (let i = 0; i <= 100; ++i) tries.push(frame(i * 0.05));
  assert.equal(tries.ghost(1), null);
  tries.restart(2);
  for (let i = 0; i <= 10; ++i) tries.push(frame(2 + i * 0.05, -1));
  assert.ok(Math.abs(tries.ghost(3.02)!.vehicles[0].position[0] - 3.02) < 1e-9);
  assert.equal(tries.ghost(7), null);
});

test('moments between frames and a little beyond the second', () => {
  assert.equal(mixFrames(frame(1), frame(2), 0.25).vehicles[0].position[0], 1.25);
  assert.equal(mixFrames(frame(1), frame(2), 1.5).vehicles[0].position[0], 2.5);
  const a = frame(0), b = frame(1);
  b.vehicles[0].bodies.set([0, 0, 0, -1], 3);  // the same attitude
  assert.ok(Math.abs(Math.abs(mixFrames(a, b, 0.5).vehicles[0].bodies[6]) - 1) < 1e-6);
});

test('channels by name, with the reader\u2019s units', () => {
  const channels = new Channels(makeRun());
  assert.equal(channels.index('chassis/position.y'), 1);
  assert.equal(channels.index('drivetrain/gear'), 3);
  assert.equal(channels.index('nothing'), -1);
  assert.deepEqual(channels.all('chassis/position'), [0, 1, 2]);
  assert.equal(shortWheel('front_left'), 'FL');
  assert.deepEqual(displayUnit('N', 'wheels/load'), { unit: 'kN', factor: 1e-3 });
  assert.ok(Math.abs(displayUnit('rad/s', 'drivetrain/engine.speed').factor * 2 * Math.PI - 60) < 1e-9);
});

test('software GL gets the fast preset; slow frames step down, hidden tabs do not count', () => {
  assert.ok(isSoftware('ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device), SwiftShader driver)'));
  assert.ok(!isSoftware('ANGLE (AMD, Radeon RX 6600)'));
  assert.equal(chooseQuality('auto', 'llvmpipe', false).name, 'soft');
  assert.equal(chooseQuality('auto', 'Apple GPU', true).name, 'medium');
  assert.equal(chooseQuality('high', 'llvmpipe', false).name, 'high');
  const watch = new Watch();
  let slow = 0;
  for (let i = 0; i < 120; ++i) if (watch.add(i < 60 ? 16 : 40)) ++slow;
  assert.equal(slow, 1);
  assert.ok(!watch.add(5000));
});

test('beams go from the first column to the last, and from the top row down', () => {
  const sensor = { name: 'l', kind: 'lidar', rate: 10, body: 0, mount: { position: [0, 0, 0] as [number, number, number], quaternion: [0, 0, 0, 1] as [number, number, number, number] }, azimuth: [1, -1] as [number, number], elevation: [0.2, 0, -0.2] };
  assert.deepEqual(beam(sensor, 0, 0, 5, 3), { azimuth: 1, elevation: 0.2 });
  assert.deepEqual(beam(sensor, 4, 2, 5, 3), { azimuth: -1, elevation: -0.2 });
  // A scanner that turns all the way says where it ends modulo a turn: 0.005 rad short of a clockwise one.
  const whole = { ...sensor, azimuth: [0, 0.005] as [number, number] };
  assert.ok(Math.abs(beam(whole, 1807, 0, 1808, 3).azimuth - (0.005 - 2 * Math.PI)) < 1e-12);
  assert.ok(Math.abs(beam(whole, 452, 0, 1808, 3).azimuth + Math.PI / 2) < 0.01);
  assert.notDeepEqual(rangeColor(0), rangeColor(1));
});
