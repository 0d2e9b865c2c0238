// Collects the devices and sends the driver's command: on change, and 20 times a second while he drives.
import { Connection } from '../connection';
import { saveSettings, settings } from '../settings';
import { buttonsOf, Device, differs, FREE, fromKeys, fromPad, fromWheel, Hands } from './drive_input';

export class Driver {
  readonly held = new Set<string>();    // actions of held keys
  touch = { steer: 0, throttle: 0, brake: 0, active: false };
  parkingBrake = false;
  selector = 0;                         // as it is, until chosen
  range = 0;                            // of the transfer case: as it is, 1 high, 2 low
  driving = false;
  padName = '';
  sent = 0;
  private hands: Hands = FREE;
  private lastSent = -Infinity;
  private lastPad: Hands | null = null;
  private readonly touched = new Map<string, Set<number>>();
  private readonly firstAxes = new Map<string, number[]>();
  private device: number = Device.keys;
  private sentBrake = false;

  constructor(private readonly connection: Connection, private readonly rate: number) {
    addEventListener('blur', () => this.held.clear());
  }

  /** A key of the table was pressed or released. */
  key(id: string, down: boolean): void {
    if (down) this.held.add(id); else this.held.delete(id);
    this.device = Device.keys;
    this.poll(performance.now());
  }

  get assist(): number { return this.device === Device.wheel ? 0 : settings.assist; }

  nextAssist(): string {
    settings.assist = (settings.assist + 1) % 3;
    saveSettings();
    return ['no assist', 'input filter', 'input filter and speed hold'][settings.assist];
  }

  private readPads(): Hands | null {
    const pads = typeof navigator.getGamepads === 'function' ? navigator.getGamepads() : [];
    for (const pad of pads) {
      if (!pad || !pad.connected) continue;
      this.padName = pad.id;
      const calibration = settings.wheels[pad.id];
      if (calibration) {
        const first = this.firstAxes.get(pad.id) ?? [...pad.axes];
        this.firstAxes.set(pad.id, first);
        const touched = this.touched.get(pad.id) ?? new Set<number>();
        this.touched.set(pad.id, touched);
        pad.axes.forEach((value, k) => { if (Math.abs(value - first[k]) > 0.02) touched.add(k); });
        return fromWheel(pad, calibration, touched);
      }
      if (pad.mapping === 'standard') return fromPad(pad);
    }
    return null;
  }

  /** Called each frame, and on every event. */
  poll(now: number): void {
    const pad = this.readPads();
    if (pad && this.lastPad && differs(pad, this.lastPad)
      && (Math.abs(pad.steer - this.lastPad.steer) > 0.004 || Math.abs(pad.throttle + pad.brake - this.lastPad.throttle - this.lastPad.brake) > 0.004)) this.device = pad.device;
    this.lastPad = pad;
    if (this.touch.active) this.device = Device.touch;
    let hands: Hands;
    if ((this.device === Device.pad || this.device === Device.wheel) && pad) hands = pad;
    else if (this.device === Device.touch) hands = { device: Device.touch, steer: this.touch.steer, throttle: this.touch.throttle, brake: this.touch.brake, fullLock: false };
    else hands = fromKeys(this.held);
    const changed = differs(hands, this.hands) || this.sentBrake !== this.parkingBrake;
    this.hands = hands;
    if (!this.driving) return;
    if (!changed && now - this.lastSent < 1000 / this.rate - 4) return;
    this.sentBrake = this.parkingBrake;
    this.lastSent = now;
    this.sent = this.connection.sendInput({ device: hands.device, steer: hands.steer, throttle: hands.throttle, brake: hands.brake,
      buttons: buttonsOf(this.parkingBrake, hands.fullLock, this.selector, this.assist, this.range) });
  }

  get command(): Hands { return this.hands; }

  /** Something is pressed that means driving. */
  get wantsToDrive(): boolean { return this.hands.throttle > 0.05 || this.hands.brake > 0.05 || Math.abs(this.hands.steer) > 0.2; }
}
