// Steering wheels are calibrated by doing, not by name: turn left, turn right, press each pedal.
import { el, setText } from '../dom';
import { Axis, saveSettings, settings } from '../settings';
import { movedAxis } from './drive_input';

const STEPS = ['Turn the steering wheel fully to the left and hold it.', 'Turn it fully to the right and hold it.', 'Press the throttle fully and hold it.', 'Release it, press the brake fully and hold it.'];

export class Calibration {
  readonly element = el('dialog', { class: 'help', 'aria-labelledby': 'calibrate-title' });
  private readonly text = el('p', { 'aria-live': 'polite' });
  private readonly next = el('button', { text: 'Done, next' });
  private rest: number[] = [];
  private readings: number[][] = [];

  constructor(private readonly say: (text: string) => void) {
    this.element.append(el('h2', { id: 'calibrate-title', text: 'Calibrate a steering wheel' }), this.text,
      el('div', { class: 'row' }, this.next, el('button', { text: 'Cancel', onclick: () => this.element.close() })));
    this.next.addEventListener('click', () => this.advance());
  }

  private pad(): Gamepad | null { return [...navigator.getGamepads()].find((pad) => pad?.connected) ?? null; }

  start(): void {
    const pad = this.pad();
    this.readings = [];
    this.rest = pad ? [...pad.axes] : [];
    setText(this.text, pad ? `${pad.id}: let go of everything, then ${STEPS[0].toLowerCase()}` : 'No device is there yet. Press a button on it, close this and try again.');
    this.next.hidden = !pad;
    this.element.showModal();
  }

  private advance(): void {
    const pad = this.pad();
    if (!pad) { this.element.close(); return; }
    this.readings.push([...pad.axes]);
    if (this.readings.length < STEPS.length) { setText(this.text, STEPS[this.readings.length]); return; }
    const result = calibrationOf(this.rest, this.readings);
    this.element.close();
    if (!result) { this.say('Calibration failed: an axis did not move. Try again.'); return; }
    settings.wheels[pad.id] = result;
    saveSettings();
    this.say('The steering wheel is calibrated.');
  }
}

/** Axes from readings at rest, left, right, throttle, brake; null if one did not move. */
export function calibrationOf(rest: number[], [left, right, throttle, brake]: number[][]): { steer: Axis; throttle: Axis; brake: Axis } | null {
  const steer = movedAxis(left, right);
  const gas = movedAxis(rest, throttle, [steer]);
  const stop = movedAxis(rest, brake, [steer, gas]);
  if (steer < 0 || gas < 0 || stop < 0) return null;
  return { steer: { axis: steer, from: right[steer], to: left[steer] }, throttle: { axis: gas, from: brake[gas], to: throttle[gas] }, brake: { axis: stop, from: throttle[stop], to: brake[stop] } };
}
