// Head-up display: speed, gear, pedals, steering (asked and actual), attitude; and words for what needs them.
import { Channels } from './channels';
import { clamp, el, fixed, setAttribute, setText } from './dom';
import { Flag, Frame, LiveState, Run } from './model';

interface Meter { element: HTMLElement; fill: HTMLElement }

function meter(name: string): Meter {
  const fill = el('span', { class: 'fill' });
  return { element: el('div', { class: 'meter', role: 'meter', 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': 0 }, fill), fill };
}

export class Hud {
  readonly element: HTMLElement;
  readonly banner = el('div', { class: 'banner', hidden: true });
  private readonly speed = el('output', { class: 'speed', text: '0' });
  private readonly gear = el('output', { class: 'gear', text: '' });
  private readonly rpm = el('output', { class: 'rpm', text: '' });
  private readonly throttle = meter('throttle');
  private readonly brake = meter('brake');
  private readonly asked = el('span', { class: 'needle asked', title: 'asked' });
  private readonly actual = el('span', { class: 'needle', title: 'front wheels' });
  private readonly steer = el('div', { class: 'meter steer', role: 'meter', 'aria-label': 'steering, left positive', 'aria-valuemin': -100, 'aria-valuemax': 100, 'aria-valuenow': 0 }, this.asked, this.actual);
  private readonly pitch = el('output', { text: '0' });
  private readonly roll = el('output', { text: '0' });
  private readonly brakeLamp = el('span', { class: 'lamp', text: 'P', title: 'parking brake', hidden: true });
  private readonly at: Record<string, number>;
  private readonly steers: number[];
  private readonly lock: number;

  constructor(run: Run, channels: Channels) {
    this.at = {
      v: channels.index('chassis/velocity.forward'), gear: channels.index('drivetrain/gear'), engine: channels.index('drivetrain/engine.speed'),
      throttle: channels.index('driver/command.throttle'), brake: channels.index('driver/command.brake'), wish: channels.index('driver/command.steer'),
      pitch: channels.index('chassis/attitude.pitch'), roll: channels.index('chassis/attitude.roll'),
    };
    this.steers = channels.all('steering/angle');
    this.lock = run.controls?.lock && run.controls.lock > 0 ? run.controls.lock : 0.55;
    const line = (name: string, value: HTMLElement): HTMLElement => el('div', { class: 'line' }, el('span', { class: 'muted', text: name }), value);
    this.element = el('section', { class: 'hud', 'aria-label': 'Instruments' },
      el('div', { class: 'big' }, this.speed, el('span', { class: 'muted', text: 'km/h' })),
      el('div', { class: 'big' }, el('span', { class: 'gear-row' }, this.gear, this.brakeLamp), this.rpm),
      el('div', { class: 'meters' }, line('throttle', this.throttle.element), line('brake', this.brake.element), line('steer', this.steer)),
      el('div', { class: 'attitude' }, line('pitch', this.pitch), line('roll', this.roll)));
    if (this.at.gear < 0) this.gear.hidden = this.rpm.hidden = true;
  }

  update(frame: Frame, live: LiveState | null): void {
    const s = frame.sample, a = this.at;
    const value = (index: number): number => (index >= 0 ? s[index] : NaN);
    setText(this.speed, fixed(Math.abs(3.6 * (value(a.v) || 0)), 0));
    const gear = value(a.gear), reverse = live ? (live.flags & Flag.reverse) !== 0 : gear < 0;
    if (a.gear >= 0) setText(this.gear, reverse || gear < 0 ? 'R' : gear === 0 ? 'N' : `D${gear.toFixed(0)}`);
    if (a.engine >= 0) setText(this.rpm, `${fixed(value(a.engine) * 30 / Math.PI, 0)} rpm`);
    this.brakeLamp.hidden = !(live && (live.flags & Flag.parkingBrake) !== 0);
    for (const [m, index] of [[this.throttle, a.throttle], [this.brake, a.brake]] as const) {
      const part = clamp(value(index) || 0, 0, 1);
      m.fill.style.setProperty('--part', part.toFixed(3));
      setAttribute(m.element, 'aria-valuenow', (100 * part).toFixed(0));
    }
    const place = (needle: HTMLElement, part: number): void => needle.style.setProperty('--at', (50 - 50 * clamp(part, -1, 1)).toFixed(1) + '%');
    const wheels = this.steers.length ? this.steers.reduce((sum, index) => sum + s[index], 0) / this.steers.length : 0;
    place(this.actual, wheels / this.lock);
    place(this.asked, (value(a.wish) || 0) / this.lock);
    setAttribute(this.steer, 'aria-valuenow', (100 * clamp(wheels / this.lock, -1, 1)).toFixed(0));
    // Positive nose down (ISO 8855), as in the plots.
    setText(this.pitch, `${fixed((value(a.pitch) || 0) * 180 / Math.PI, 1)}°`);
    setText(this.roll, `${fixed((value(a.roll) || 0) * 180 / Math.PI, 1)}°`);
  }

  /** Words across the view; nothing hides it. */
  setBanner(text: string, kind: '' | 'warn' = '', ...buttons: HTMLElement[]): void {
    if (this.banner.dataset.text === text) return;
    this.banner.dataset.text = text;
    this.banner.hidden = text === '';
    this.banner.className = `banner ${kind}`;
    this.banner.replaceChildren(el('span', { text }), ...buttons);
  }
}
