// Short messages: shown for some seconds, and said to screen readers politely, at most one in 2 s.
import { el } from './dom';

export class Messages {
  readonly element = el('div', { class: 'messages' });
  readonly said = el('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  private queue: string[] = [];
  private busy = false;

  /** `spoken`: for screen readers alone, where the page shows it anyway. */
  say(text: string, spoken = false): void {
    if (!spoken) {
      // What is said again and again is one message, the newest.
      for (const old of [...this.element.children]) if (old.textContent === text) old.remove();
      const line = el('p', { class: 'message', text });
      this.element.append(line);
      while (this.element.children.length > 3) this.element.firstElementChild!.remove();
      setTimeout(() => line.remove(), 5000);
    }
    this.queue = [...this.queue.filter((waiting) => waiting !== text).slice(-2), text];
    this.speak();
  }

  private speak(): void {
    if (this.busy || this.queue.length === 0) return;
    this.busy = true;
    this.said.textContent = this.queue.shift()!;
    setTimeout(() => { this.busy = false; this.speak(); }, 2000);
  }
}
