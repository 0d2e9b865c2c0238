// The last minute of a live drive, for plots and trails, and the last try, for its ghost. The log has the rest.
import { Frame } from './model';

export class History {
  private readonly times: Float64Array;
  private readonly values: Float32Array;
  private first = 0;
  private count = 0;

  constructor(private readonly size: number, private readonly rows: number, private readonly interval: number) {
    this.times = new Float64Array(rows);
    this.values = new Float32Array(rows * size);
  }

  push(frame: Frame): boolean {
    const last = this.count > 0 ? this.times[(this.first + this.count - 1) % this.rows] : -Infinity;
    if (frame.time < last) this.cut(frame.time);
    else if (frame.time - last < this.interval - 1e-9) return false;
    const at = (this.first + this.count) % this.rows;
    this.times[at] = frame.time;
    this.values.set(frame.sample.subarray(0, this.size), at * this.size);
    if (this.count < this.rows) ++this.count; else this.first = (this.first + 1) % this.rows;
    return true;
  }

  /** What was before: for a page that comes late. Times ascend, and end before the first of these here. */
  recall(times: ArrayLike<number>, sample: (row: number) => Float32Array): void {
    const kept: [number, Float32Array][] = [];
    for (let k = 0; k < this.count; ++k) { const at = (this.first + k) % this.rows; kept.push([this.times[at], this.values.slice(at * this.size, (at + 1) * this.size)]); }
    this.count = this.first = 0;
    const add = (time: number, values: Float32Array): void => { this.push({ time, vehicles: [], things: new Float32Array(0), sample: values }); };
    for (let i = 0; i < times.length; ++i) if (kept.length === 0 || times[i] < kept[0][0] - 1e-9) add(times[i], sample(i));
    for (const [time, values] of kept) add(time, values);
  }

  /** What was after this time did not happen. */
  cut(time: number): void {
    while (this.count > 0 && this.times[(this.first + this.count - 1) % this.rows] >= time) --this.count;
  }

  get length(): number { return this.count; }

  /** Times and one column from a time on. */
  column(index: number, from: number): { times: number[]; values: number[] } {
    const times: number[] = [], values: number[] = [];
    for (let k = 0; k < this.count; ++k) {
      const at = (this.first + k) % this.rows;
      if (this.times[at] < from) continue;
      times.push(this.times[at]);
      values.push(this.values[at * this.size + index]);
    }
    return { times, values };
  }

  at(time: number, index: number): number {
    for (let k = this.count - 1; k >= 0; --k) {
      const at = (this.first + k) % this.rows;
      if (this.times[at] <= time + 1e-9) return this.values[at * this.size + index];
    }
    return NaN;
  }
}

/** Frames of a try, some per second. When the drive goes back, they become the ghost. */
export class Tries {
  private now: Frame[] = [];
  private last: Frame[] = [];

  push(frame: Frame): void {
    const newest = this.now[this.now.length - 1];
    if (newest && frame.time < newest.time) this.restart(frame.time);
    if (newest && frame.time - newest.time < 0.0499) return;
    if (this.now.length < 12_000) this.now.push(frame);
  }

  /** The drive went back to a time: what was driven after it is the last try. */
  restart(time: number): void {
    const keep = this.now.findIndex((frame) => frame.time >= time);
    if (keep < 0 || this.now.length - keep < 20) { if (keep >= 0) this.now.length = keep; return; }
    this.last = this.now.slice();
    this.now.length = keep;
  }

  /** Last try at a time: the newest of its frames before it. */
  ghost(time: number): Frame | null {
    const frames = this.last;
    if (frames.length === 0 || time < frames[0].time - 0.1 || time > frames[frames.length - 1].time + 0.5) return null;
    let low = 0, high = frames.length - 1;
    while (high > low) {
      const middle = (low + high + 1) >> 1;
      if (frames[middle].time <= time) low = middle; else high = middle - 1;
    }
    const a = frames[low], b = frames[Math.min(low + 1, frames.length - 1)];
    return mixFrames(a, b, b.time > a.time ? Math.min(1, Math.max(0, (time - a.time) / (b.time - a.time))) : 0);
  }
}

/** Moment between two frames (part 0 to 1), or a little beyond the second. Samples are those of the nearer frame. */
export function mixFrames(a: Frame, b: Frame, part: number): Frame {
  const vehicles = b.vehicles.map((pose, v) => {
    const old = a.vehicles[v];
    if (!old || old.bodies.length !== pose.bodies.length) return pose;
    const position = new Float64Array(3), bodies = new Float32Array(pose.bodies.length);
    for (let i = 0; i < 3; ++i) position[i] = old.position[i] + part * (pose.position[i] - old.position[i]);
    for (let k = 0; k < bodies.length; k += 7) {
      for (let i = 0; i < 3; ++i) bodies[k + i] = old.bodies[k + i] + part * (pose.bodies[k + i] - old.bodies[k + i]);
      let dot = 0, norm = 0;
      for (let i = 3; i < 7; ++i) dot += old.bodies[k + i] * pose.bodies[k + i];
      for (let i = 3; i < 7; ++i) {
        const q = (1 - part) * old.bodies[k + i] * (dot < 0 ? -1 : 1) + part * pose.bodies[k + i];
        bodies[k + i] = q;
        norm += q * q;
      }
      norm = Math.sqrt(norm) || 1;
      for (let i = 3; i < 7; ++i) bodies[k + i] /= norm;
    }
    return { position, bodies };
  });
  const things = b.things.map((value, i) => ((i & 3) === 3 ? value : a.things[i] + part * (value - a.things[i])));
  return { time: a.time + part * (b.time - a.time), vehicles, things, sample: part < 0.5 ? a.sample : b.sample };
}
