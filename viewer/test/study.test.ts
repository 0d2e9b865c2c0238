import assert from 'node:assert/strict';
import test from 'node:test';
import { History } from '../src/history';
import { columnsOf, sampleOf, sortRows, StudyHello, ticks } from '../src/study';

const HELLO: StudyHello = {
  type: 'hello', kind: 'study', name: 's', about: '', left_out: 0,
  inputs: [{ name: 'speed', unit: 'm/s' }, { name: 'tire', unit: '' }], figures: [{ name: 'peak_roll', unit: 'rad', lower: null, upper: 0.1 }],
  samples: [[0, 'done', true, ['20.5', 'soft'], [0.08], ''], [1, 'failed', false, ['24', 'hard'], [null], 'rolled over'], [2, 'done', false, ['19', 'soft'], [0.12], '']],
};

test('the address names a sample, and nothing else', () => {
  assert.equal(sampleOf('#sample=17'), 17);
  assert.equal(sampleOf('#t=3&sample=0'), 0);
  for (const bad of ['', '#', '#sample=', '#sample=-1', '#sample=1/../2', '#sample=x', '#sample=12345678901', '#asample=3']) assert.equal(sampleOf(bad), null, bad);
});

test('samples are sorted by numbers; what has none comes last, up or down', () => {
  const [sample, roll, speed, tire] = columnsOf(HELLO);
  assert.deepEqual([sample.label, roll.label, speed.label, tire.label], ['sample', 'peak roll [rad]', 'speed [m/s]', 'tire']);
  assert.deepEqual(sortRows(HELLO.samples, speed, false).map((row) => row[0]), [2, 0, 1]);
  assert.deepEqual(sortRows(HELLO.samples, roll, false).map((row) => row[0]), [0, 2, 1]);
  assert.deepEqual(sortRows(HELLO.samples, roll, true).map((row) => row[0]), [2, 0, 1]);
  assert.deepEqual(sortRows(HELLO.samples, tire, false).map((row) => row[0]), [1, 0, 2]);
  assert.equal(roll.text(HELLO.samples[1]), '\u2013');
});

test('ticks are round numbers within the range', () => {
  assert.deepEqual(ticks(19.1, 24.9), [20, 22, 24]);
  assert.deepEqual(ticks(-0.013, 0.021), [-0.01, 0, 0.01, 0.02]);
  assert.deepEqual(ticks(3.2, 4.12), [3.5, 4]);
});

test('a late page recalls what was before its first frame, once', () => {
  const history = new History(2, 50, 0.02);
  const row = (time: number): Float32Array => Float32Array.of(time, 2 * time);
  const frame = (time: number) => ({ time, vehicles: [], things: new Float32Array(0), sample: row(time) });
  history.push(frame(1));
  history.push(frame(1.02));
  history.recall([0.9, 0.92, 0.94, 1, 1.02], (i) => row([0.9, 0.92, 0.94, 1, 1.02][i]));
  assert.deepEqual(history.column(0, -Infinity).times, [0.9, 0.92, 0.94, 1, 1.02]);
  assert.ok(Math.abs(history.at(0.93, 1) - 1.84) < 1e-6);
});
