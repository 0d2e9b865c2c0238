// Panels at the side: each folds, remembers that, and is updated only while it can be seen.
import { Channels } from '../channels';
import { Clips } from '../clips';
import { Connection } from '../connection';
import { el } from '../dom';
import { History } from '../history';
import { DriveEvent, Frame, Hello, LiveState, Run } from '../model';
import { saveSettings, settings } from '../settings';

export interface Moment { frame: Frame; live: LiveState | null; review: boolean; clock: number; ghost: Frame | null }

/** What panels and the time line may know and do. */
export interface Context {
  hello: Hello; run: Run; channels: Channels; connection: Connection; history: History; clips: Clips[];
  events: DriveEvent[];
  say(text: string): void;
  seek(time: number): void;
}

export abstract class Panel {
  readonly element: HTMLDetailsElement;
  protected readonly body = el('div', { class: 'panel-body' });
  readonly interval: number = 100;   // [ms]
  last = -Infinity;
  static pace = 1;                   // factor on all intervals: software GL needs the time

  constructor(readonly id: string, title: string, note = '') {
    this.element = el('details', { class: 'panel', id: `panel-${id}` },
      el('summary', {}, el('h2', { text: title }), note ? el('span', { class: 'muted', text: note }) : null), this.body);
    this.element.open = !settings.closed.includes(id);
    this.element.addEventListener('toggle', () => {
      const closed = settings.closed.filter((other) => other !== id);
      if (!this.element.open) closed.push(id);
      if (closed.length !== settings.closed.length) { settings.closed = closed; saveSettings(); }
    });
  }

  tick(moment: Moment): void {
    if (!this.element.open || moment.clock - this.last < this.interval * Panel.pace || this.element.offsetParent === null) return;
    this.last = moment.clock;
    this.update(moment);
  }

  abstract update(moment: Moment): void;
}

/** Row of a description list: name, value, unit. */
export function row(list: HTMLElement, name: string): HTMLElement {
  const value = el('dd', { text: '–' });
  list.append(el('div', {}, el('dt', { text: name }), value));
  return value;
}
