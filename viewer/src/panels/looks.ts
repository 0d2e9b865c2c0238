// Panels with pictures: the driver's view, a camera of the scenario, and the LIDAR's range image.
import { el, Sheet } from '../dom';
import { Sensor } from '../model';
import { readScan, Scan } from '../protocol';
import { rangeColor, sweep } from '../scene/lidar';
import { View } from '../scene/view';
import { Context, Moment, Panel } from './panel';

export class DriverView extends Panel {
  override readonly interval = 0;
  readonly canvas = el('canvas', { class: 'driver-view', role: 'img', 'aria-label': 'View from the driver’s seat', width: 368, height: 176 });
  private readonly pen = this.canvas.getContext('2d')!;
  private turn = 0;
  private wanted = true;

  constructor() {
    super('driver-view', 'Driver’s camera');
    this.body.append(this.canvas);
  }

  update(): void { this.wanted = true; }

  /** Before the main view is drawn, every n-th frame. */
  draw(view: View): void {
    if (!this.wanted || this.turn++ % view.quality.inset !== 0) return;
    this.wanted = false;
    view.drawInset(this.pen, view.quality.name === 'soft' ? 184 : 368, view.quality.name === 'soft' ? 88 : 176);
  }
}

export class LidarPanel extends Panel {
  override readonly interval = 250;
  private readonly sheet = new Sheet('LIDAR range image: yellow is near, violet is far', 'range');
  private readonly text = el('p', { class: 'caption', text: 'no scan yet' });
  private busy = false;
  private dirty = true;
  private shownTime = NaN;
  scan: Scan | null = null;

  constructor(private readonly context: Context, readonly sensor: Sensor, private readonly show: (scan: Scan, sensor: Sensor) => void) {
    super('lidar', 'LIDAR', sensor.name);
    this.body.append(this.sheet.canvas, this.text);
  }

  /** A new scan was announced. */
  announce(): void { this.dirty = true; }

  update(moment: Moment): void {
    const replay = this.context.hello.kind === 'replay';
    if (replay && Math.abs(moment.frame.time - this.shownTime) > 1e-6) this.dirty = true;
    if (!this.dirty || this.busy) return;
    this.busy = true;
    this.dirty = false;
    this.shownTime = moment.frame.time;
    const address = `/api/scan/${encodeURIComponent(this.sensor.name)}${replay ? `?at=${moment.frame.time.toFixed(3)}` : ''}`;
    void this.context.connection.get(address).then((bytes) => {
      this.busy = false;
      if (!bytes || bytes.byteLength < 44) return;
      this.scan = readScan(bytes);
      this.draw(this.scan);
      this.show(this.scan, this.sensor);
    });
  }

  private draw(scan: Scan): void {
    const image = new ImageData(scan.columns, scan.rows);
    const far = Math.min(60, this.sensor.max_range ?? 60);
    let hits = 0;
    // What is ahead is in the middle, what is on the left is on the left.
    const [first, last] = sweep(this.sensor, scan.columns), span = Math.abs(last - first), whole = span > 6;
    for (let i = 0; i < scan.ranges.length; ++i) {
      const range = scan.ranges[i] * 0.005, column = i % scan.columns;
      const turned = last <= first ? column : scan.columns - 1 - column;
      const ahead = Math.round(Math.max(first, last) / span * (scan.columns - 1));
      const place = whole ? (turned - ahead + Math.floor(scan.columns / 2) + 2 * scan.columns) % scan.columns : turned;
      const [r, g, b] = range > 0 ? rangeColor(Math.sqrt(range / far)) : [14, 15, 18];
      image.data.set([r, g, b, 255], 4 * (i - column + place));
      if (range > 0) ++hits;
    }
    const canvas = this.sheet.canvas;
    canvas.width = scan.columns;
    canvas.height = scan.rows;
    this.sheet.pen.putImageData(image, 0, 0);
    this.text.textContent = `${scan.columns} × ${scan.rows}, ${hits} returns at ${scan.time.toFixed(2)} s; yellow near, violet ${far} m`;
  }
}

/** Camera of the scenario: its newest picture. */
export class CameraPanel extends Panel {
  override readonly interval = 400;
  private readonly canvas: HTMLCanvasElement;
  private busy = false;
  private shownTime = NaN;

  constructor(private readonly context: Context, private readonly sensor: Sensor) {
    super(`camera-${sensor.name}`, 'Camera', sensor.name);
    this.canvas = el('canvas', { class: 'driver-view', role: 'img', 'aria-label': `Picture of the camera ${sensor.name}`, width: sensor.width ?? 320, height: sensor.height ?? 180 });
    this.body.append(this.canvas);
  }

  update(moment: Moment): void {
    if (this.busy || (this.context.hello.kind === 'replay' && moment.frame.time === this.shownTime)) return;
    this.busy = true;
    this.shownTime = moment.frame.time;
    const replay = this.context.hello.kind === 'replay' ? `?at=${moment.frame.time.toFixed(3)}` : '';
    void this.context.connection.get(`/api/image/${encodeURIComponent(this.sensor.name)}${replay}`).then(async (bytes) => {
      if (bytes) {
        const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' })).catch(() => null);
        if (picture) this.canvas.getContext('2d')!.drawImage(picture, 0, 0, this.canvas.width, this.canvas.height);
      }
      this.busy = false;
    });
  }
}
