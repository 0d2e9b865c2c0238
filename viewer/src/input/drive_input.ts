// What the driver's hands say, from keys, pad, steering wheel or touch: raw values; the engine filters them. The device
// that moved last counts.
import { Axis, WheelCalibration } from '../settings';

export const Device = { keys: 0, pad: 1, wheel: 2, touch: 3, script: 4 } as const;

export interface Hands { device: number; steer: number; throttle: number; brake: number; fullLock: boolean }

export const FREE: Hands = { device: Device.keys, steer: 0, throttle: 0, brake: 0, fullLock: false };

/** Held keys: full or nothing; left is positive. */
export function fromKeys(held: ReadonlySet<string>): Hands {
  const on = (id: string): number => (held.has(id) ? 1 : 0);
  return { device: Device.keys, steer: on('left') - on('right'), throttle: on('forward'), brake: on('brake'), fullLock: held.has('lock') };
}

interface Pad { axes: readonly number[]; buttons: readonly { value: number; pressed: boolean }[]; mapping: string; id: string }

/** Pad of the standard layout: left stick and triggers. */
export function fromPad(pad: Pad): Hands {
  return {
    device: Device.pad, steer: clean(-(pad.axes[0] ?? 0)), throttle: clean(pad.buttons[7]?.value ?? 0), brake: clean(pad.buttons[6]?.value ?? 0),
    fullLock: pad.buttons[5]?.pressed ?? false,
  };
}

const clean = (x: number): number => (Number.isFinite(x) ? Math.min(1, Math.max(-1, x)) + 0 : 0);

/** Part of the way from `from` to `to`, where an axis stands. */
export function along(axes: readonly number[], axis: Axis): number {
  const value = axes[axis.axis];
  if (value === undefined || axis.from === axis.to) return 0;
  return Math.min(1, Math.max(0, (value - axis.from) / (axis.to - axis.from)));
}

/** Steering wheel by its calibration: from the right stop to the left one, pedals from free to pressed. */
export function fromWheel(pad: Pad, calibration: WheelCalibration, touched: ReadonlySet<number>): Hands {
  // Pedals read wrong values until they are first moved: free until then.
  const pedal = (axis: Axis): number => (touched.has(axis.axis) ? along(pad.axes, axis) : 0);
  return {
    device: Device.wheel, steer: 2 * along(pad.axes, calibration.steer) - 1, throttle: pedal(calibration.throttle), brake: pedal(calibration.brake), fullLock: false,
  };
}

/** Axis that moved most between two readings. */
export function movedAxis(before: readonly number[], after: readonly number[], except: readonly number[] = []): number {
  let best = -1, most = 0.3;
  after.forEach((value, k) => {
    const by = Math.abs(value - (before[k] ?? 0));
    if (by > most && !except.includes(k)) { best = k; most = by; }
  });
  return best;
}

/** Word of buttons: parking brake, full lock, selector (0 as it is, 1 forward, 2 reverse), assist, range (1 high, 2 low). */
export function buttonsOf(parkingBrake: boolean, fullLock: boolean, selector: number, assist: number, range = 0): number {
  return (parkingBrake ? 1 : 0) | (fullLock ? 2 : 0) | ((selector & 3) << 2) | ((assist & 3) << 4) | ((range & 3) << 6);
}

/** Two readings that are not the same command. */
export function differs(a: Hands, b: Hands): boolean {
  return a.device !== b.device || a.steer !== b.steer || a.throttle !== b.throttle || a.brake !== b.brake || a.fullLock !== b.fullLock;
}
