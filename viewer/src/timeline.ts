// Time line: events, key moments, scrubbing both ways by pointer and keys, marks, and the way back to now.
import { el, fixed, setText } from './dom';
import { DriveEvent } from './model';

export interface TimelineActions {
  seek(time: number): void; toggle(): void; step(by: number): void; speed(factor: number): void; toLive(): void; driveOn(): void; mark(): void; difference(on: boolean): void;
}

const KINDS: Record<string, string> = { gear: 'c6', lift: 'c4', contact: 'c6', hit: 'c1', failed: 'c1', late: 'c3', back: 'c5', reset: 'c5', lease: 'c2', ended: 'c2', limit: 'c4', behavior: 'c3' };

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider = el('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time' });
  private readonly marks = el('div', { class: 'marks' });
  private readonly now = el('output', { class: 'time', text: '0.00 s' });
  private readonly end = el('span', { class: 'muted' });
  private readonly play: HTMLButtonElement;
  private readonly liveButton: HTMLButtonElement;
  private readonly onButton: HTMLButtonElement;
  private begin = 0;
  private until = 1;
  private shown = 0;

  constructor(live: boolean, runs: number, actions: TimelineActions) {
    // Symbols are drawn by the style sheet: fonts do not all have them, and some have them in color.
    const shape = (name: string): HTMLElement => el('span', { class: `shape ${name}`, 'aria-hidden': 'true' });
    this.play = el('button', { class: 'icon', 'aria-label': 'Play', title: 'Play or pause (Space)', onclick: () => actions.toggle() }, shape('play'));
    this.liveButton = el('button', { text: 'Now', title: 'Return to now (Esc)', hidden: true, onclick: () => actions.toLive() });
    this.onButton = el('button', { text: 'Drive on from here', title: 'Enter', hidden: true, onclick: () => actions.driveOn() });
    const speed = el('select', { 'aria-label': 'Speed of the replay', title: 'Speed' });
    for (const factor of [1 / 32, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]) speed.append(el('option', { value: factor, text: factor < 1 ? `1/${1 / factor} ×` : `${factor} ×`, selected: factor === 1 }));
    speed.addEventListener('change', () => actions.speed(Number(speed.value)));
    this.speedSelect = speed;
    this.slider.addEventListener('input', () => actions.seek(Number(this.slider.value)));
    this.element = el('footer', { class: 'timeline', 'aria-label': 'Time line' }, this.play,
      live ? null : el('button', { class: 'icon', 'aria-label': 'One step back', title: 'One step back (,)', onclick: () => actions.step(-1) }, shape('step-back')),
      live ? null : el('button', { class: 'icon', 'aria-label': 'One step', title: 'One step (.)', onclick: () => actions.step(1) }, shape('step-on')),
      this.now, el('div', { class: 'track' }, this.marks, this.slider), this.end, live ? null : speed,
      el('button', { class: 'mark-button', text: 'Mark', title: 'Measure from this moment', onclick: () => actions.mark() }),
      runs > 1 ? el('label', { class: 'check' }, el('input', { type: 'checkbox', onchange: (event: Event) => actions.difference((event.target as HTMLInputElement).checked) }), 'difference') : null,
      this.liveButton, this.onButton);
    this.play.hidden = live;
  }
  private readonly speedSelect: HTMLSelectElement;

  setSpeed(factor: number): void { this.speedSelect.value = String(factor); }

  setRange(begin: number, end: number): void {
    if (begin === this.begin && end === this.until) return;
    this.begin = begin;
    this.until = Math.max(begin + 1e-3, end);
    this.slider.min = String(begin);
    this.slider.max = String(this.until);
    setText(this.end, `${fixed(this.until, this.until >= 100 ? 0 : 1)} s`);
    this.placeMarks();
  }

  private events: DriveEvent[] = [];
  setEvents(events: DriveEvent[]): void {
    if (events.length === this.shown && this.events === events) return;
    this.events = events;
    this.shown = events.length;
    this.placeMarks();
  }

  private placeMarks(): void {
    this.marks.replaceChildren();
    const span = this.until - this.begin;
    for (const event of this.events) {
      if (event.time < this.begin || event.time > this.until || !(event.kind in KINDS)) continue;
      const mark = el('span', { class: `mark ${KINDS[event.kind]}`, title: `${fixed(event.time, 2)} s: ${event.text || event.kind}` });
      mark.style.left = `${(100 * (event.time - this.begin) / span).toFixed(2)}%`;
      this.marks.append(mark);
    }
  }

  update(time: number, playing: boolean, review: boolean, mayDriveOn: boolean): void {
    setText(this.now, `${fixed(time, 2)} s`);
    if (document.activeElement !== this.slider || playing || Math.abs(Number(this.slider.value) - time) > 0.5) this.slider.value = String(time);
    this.slider.setAttribute('aria-valuetext', `${fixed(time, 2)} seconds`);
    this.play.firstElementChild!.className = `shape ${playing ? 'pause' : 'play'}`;
    this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.liveButton.hidden = !review;
    this.onButton.hidden = !review || !mayDriveOn;
  }
}
