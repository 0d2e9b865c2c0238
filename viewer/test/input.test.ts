import assert from 'node:assert/strict';
import test from 'node:test';
import { calibrationOf } from '../src/input/calibrate';
import { along, buttonsOf, differs, fromKeys, fromPad, fromWheel, movedAxis } from '../src/input/drive_input';
import { actionOf, conflicts, keyName, KEYS, keysFor } from '../src/keys';

test('held keys give full values; left is positive, both sides cancel', () => {
  assert.deepEqual(fromKeys(new Set(['left', 'forward'])), { device: 0, steer: 1, throttle: 1, brake: 0, fullLock: false });
  assert.equal(fromKeys(new Set(['left', 'right'])).steer, 0);
  assert.deepEqual(fromKeys(new Set(['brake', 'lock'])), { device: 0, steer: 0, throttle: 0, brake: 1, fullLock: true });
});

const buttons = (values: number[]) => values.map((value) => ({ value, pressed: value > 0.5 }));

test('a standard pad: stick to the left is positive, triggers are pedals, values are finite and bounded', () => {
  const hands = fromPad({ axes: [-0.25, 0], buttons: buttons([0, 0, 0, 0, 0, 0, 0.5, 0.75]), mapping: 'standard', id: 'pad' });
  assert.deepEqual([hands.device, hands.steer, hands.brake, hands.throttle], [1, 0.25, 0.5, 0.75]);
  const bad = fromPad({ axes: [NaN], buttons: [], mapping: 'standard', id: 'pad' });
  assert.deepEqual([bad.steer, bad.throttle, bad.brake], [0, 0, 0]);
});

test('a steering wheel is calibrated by what moves, also with pedals that run from 1 to -1', () => {
  const rest = [0, 1, 1, 0];
  const calibration = calibrationOf(rest, [[-0.9, 1, 1, 0], [0.95, 1, 1, 0], [0, -1, 1, 0], [0, 1, -0.8, 0]])!;
  assert.deepEqual(calibration, { steer: { axis: 0, from: 0.95, to: -0.9 }, throttle: { axis: 1, from: 1, to: -1 }, brake: { axis: 2, from: 1, to: -0.8 } });
  const pad = { axes: [-0.9, 0, 1, 0], buttons: [], mapping: '', id: 'wheel' };
  const moved = fromWheel(pad, calibration, new Set([0, 1]));
  assert.deepEqual([moved.device, moved.steer, moved.throttle, moved.brake], [2, 1, 0.5, 0]);
  // A pedal that was never touched reads anything: it counts as free.
  assert.equal(fromWheel({ ...pad, axes: [0, 0, 0, 0] }, calibration, new Set([0])).throttle, 0);
  assert.equal(calibrationOf(rest, [[-0.9, 1, 1, 0], [0.95, 1, 1, 0], [0, 1, 1, 0], [0, 1, -0.8, 0]]), null);
});

test('axes: place between two ends, and the one that moved most', () => {
  assert.equal(along([0.5], { axis: 0, from: 1, to: -1 }), 0.25);
  assert.equal(along([], { axis: 0, from: 0, to: 1 }), 0);
  assert.equal(movedAxis([0, 0, 0], [0.1, -0.9, 0.5]), 1);
  assert.equal(movedAxis([0, 0, 0], [0.1, -0.9, 0.5], [1]), 2);
  assert.equal(movedAxis([0, 0], [0.1, 0.2]), -1);
});

test('buttons are packed as the protocol says', () => {
  assert.equal(buttonsOf(true, false, 2, 1), 0b011001);
  assert.equal(buttonsOf(false, true, 1, 2), 0b100110);
  assert.ok(differs(fromKeys(new Set()), fromKeys(new Set(['lock']))));
  assert.ok(!differs(fromKeys(new Set(['left'])), fromKeys(new Set(['left']))));
});

test('no key has two meanings in a mode', () => {
  assert.deepEqual(conflicts(keysFor('live')), []);
  assert.deepEqual(conflicts(keysFor('replay')), []);
  assert.deepEqual(conflicts([...keysFor('live'), { id: 'x', codes: ['KeyW'], text: '', group: 'page', mode: 'both' }]), ['KeyW: forward and x']);
});

test('every action has a key, a name to show, and a text; ids are unique', () => {
  assert.equal(new Set(KEYS.map((key) => key.id)).size, KEYS.length);
  for (const key of KEYS) {
    assert.ok(key.codes.length > 0 && key.text.length > 2, key.id);
    for (const code of key.codes) assert.ok(keyName(code).length > 0 && !keyName(code).startsWith('Key'), code);
  }
});

test('a layout shows its own letters; modifiers belong to the browser', () => {
  assert.equal(keyName('KeyW', new Map([['KeyW', 'z']])), 'Z');
  const press = { code: 'KeyR', ctrlKey: false, altKey: false, metaKey: false };
  assert.equal(actionOf(press, keysFor('live'))?.id, 'reset');
  assert.equal(actionOf({ ...press, ctrlKey: true }, keysFor('live')), undefined);
  assert.equal(actionOf({ ...press, metaKey: true }, keysFor('live')), undefined);
  assert.equal(actionOf({ ...press, code: 'KeyU' }, keysFor('live', { reset: 'KeyU' }))?.id, 'reset');
  assert.equal(actionOf(press, keysFor('live', { reset: 'KeyU' })), undefined);
});
