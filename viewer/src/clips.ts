// Moments of a run from clips: pieces of some seconds, fetched around the time that is shown. An exported file has one
// clip of the whole run.
import { Connection } from './connection';
import { Frame, Run } from './model';
import { Clip, frameOfClip, readClip } from './protocol';

const LENGTH = 5;    // [s] of a piece: a jump waits for one
const KEPT = 28;     // pieces in memory

export class Clips {
  private readonly pieces = new Map<number, { clip: Clip | null; used: number }>();
  private whole: Clip | null = null;
  private round = 0;

  constructor(private readonly connection: Connection, private readonly run: Run, private readonly index: number,
              private readonly ready: () => void) {
    const inside = connection.exportedClip(index);
    if (inside) void readClip(inside).then((clip) => { this.whole = clip; this.ready(); });
  }

  private piece(time: number): number { return Math.floor((time - this.run.begin) / LENGTH); }

  /** Moment at a time, or null while its piece is on the way. */
  frame(time: number): Frame | null {
    const clip = this.clipAt(time, true);
    return clip && clip.count > 0 ? frameOfClip(clip, this.run, time) : null;
  }

  /** Moment only if it is in memory. */
  known(time: number): Frame | null {
    const clip = this.whole ?? this.pieces.get(this.piece(time))?.clip;
    return clip && clip.count > 0 ? frameOfClip(clip, this.run, time) : null;
  }

  private clipAt(time: number, ahead: boolean): Clip | null {
    if (this.connection.exported) return this.whole;
    const k = this.piece(time);
    const found = this.ask(k);
    if (ahead && found) this.ask(this.piece(time + 0.6 * LENGTH));
    return found;
  }

  private ask(k: number): Clip | null {
    if (k < 0) return null;
    const found = this.pieces.get(k);
    if (found) { found.used = ++this.round; return found.clip; }
    const made = { clip: null as Clip | null, used: ++this.round };
    const from = this.run.begin + k * LENGTH;
    if (from > this.run.end) return null;
    this.pieces.set(k, made);
    // One sample beyond the end, so that pieces join without a gap.
    void this.connection.get(`/api/clip?run=${this.index}&from=${from}&to=${from + LENGTH + 0.05}&rate=60`).then(async (bytes) => {
      if (this.pieces.get(k) !== made) return;
      if (!bytes) { setTimeout(() => { if (this.pieces.get(k) === made) this.pieces.delete(k); }, 500); return; }
      made.clip = await readClip(bytes);
      this.ready();
    });
    if (this.pieces.size > KEPT) {
      let oldest = k, least = Infinity;
      for (const [key, piece] of this.pieces) if (piece.used < least && key !== k) { oldest = key; least = piece.used; }
      this.pieces.delete(oldest);
    }
    return null;
  }

  /** History after this time is gone or has grown: fetch it again when it is asked for. */
  forget(after: number): void {
    for (const key of [...this.pieces.keys()]) if ((key + 1) * LENGTH + this.run.begin >= after) this.pieces.delete(key);
  }

  /** All of a column that is in memory, for plots of exported files. */
  column(index: number): { times: Float64Array; values: Float64Array | Float32Array } | null {
    if (!this.whole) return null;
    const first = this.whole.columns.length - this.run.sample_size;
    return { times: this.whole.columns[0] as Float64Array, values: this.whole.columns[first + index] };
  }
}
