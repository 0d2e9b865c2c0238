// Help: all keys from the one table, each of which the reader can change; what the page is; settings.
import { el } from './dom';
import { conflicts, GROUPS, Group, keyName, keysFor } from './keys';
import { saveSettings, settings } from './settings';

export class Help {
  readonly element = el('dialog', { class: 'help', 'aria-labelledby': 'help-title' });
  private layout: ReadonlyMap<string, string> | undefined;

  constructor(private readonly mode: () => 'live' | 'replay', private readonly program: () => string,
              private readonly changed: () => void, private readonly calibrate: () => void, private readonly end: () => void) {
    const keyboard = (navigator as { keyboard?: { getLayoutMap?: () => Promise<ReadonlyMap<string, string>> } }).keyboard;
    void keyboard?.getLayoutMap?.().then((layout) => { this.layout = layout; }).catch(() => undefined);
    this.element.addEventListener('click', (event) => { if (event.target === this.element) this.element.close(); });
  }

  get open(): boolean { return this.element.open; }

  toggle(): void {
    if (this.element.open) { this.element.close(); return; }
    this.build();
    this.element.showModal();
  }

  name(code: string): string { return keyName(code, this.layout); }

  private build(): void {
    const keys = keysFor(this.mode(), settings.keys);
    const groups = el('div', { class: 'key-groups' });
    for (const group of Object.keys(GROUPS) as Group[]) {
      const list = el('dl', {});
      for (const key of keys.filter((k) => k.group === group)) {
        const kbd = el('dt', {}, ...key.codes.filter((code, i, all) => all.findIndex((other) => this.name(other) === this.name(code)) === i).flatMap((code) => [el('kbd', { text: this.name(code) }), ' ']));
        const change = el('button', { class: 'icon', text: '✎', 'aria-label': `Change the key for: ${key.text}`, title: 'Change this key', onclick: () => this.record(key.id, kbd) });
        list.append(el('div', {}, kbd, el('dd', {}, el('span', { text: key.text }), change)));
      }
      groups.append(el('section', {}, el('h3', { text: GROUPS[group] }), list));
    }
    const theme = select('Colors', [['system', 'as the system'], ['light', 'light'], ['dark', 'dark']], settings.theme, (value) => { settings.theme = value as typeof settings.theme; });
    const quality = select('Drawing', [['auto', 'automatic'], ['high', 'high'], ['medium', 'medium'], ['soft', 'fast']], settings.quality, (value) => { settings.quality = value as typeof settings.quality; });
    for (const box of [theme, quality]) box.addEventListener('change', () => { saveSettings(); this.changed(); });
    this.element.replaceChildren(
      el('header', {}, el('h2', { id: 'help-title', text: 'Keys and settings' }), el('button', { text: 'Close', onclick: () => this.element.close() })),
      groups,
      el('section', { class: 'row' }, theme, quality,
        el('button', { text: 'Calibrate a steering wheel', onclick: () => { this.element.close(); this.calibrate(); } }),
        this.mode() === 'live' ? el('button', { text: 'End the run and write its folder', onclick: () => { this.element.close(); this.end(); } }) : null,
        el('button', { text: 'Default keys', onclick: () => { settings.keys = {}; saveSettings(); this.build(); } })),
      el('p', { class: 'muted', text: 'A gamepad appears after its first button. Left stick steers, the triggers are throttle and brake. Drag in the view to look around; in x-ray, point at a part for its name and length.' }),
      el('p', { class: 'muted', text: this.program() }));
  }

  private record(id: string, place: HTMLElement): void {
    place.replaceChildren(el('em', { text: 'press a key' }));
    const listener = (event: KeyboardEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      removeEventListener('keydown', listener, true);
      if (event.code !== 'Escape') {
        const wish = { ...settings.keys, [id]: event.code };
        const clash = conflicts(keysFor(this.mode(), wish)).find((text) => text.startsWith(`${event.code}:`));
        if (clash) { place.replaceChildren(el('em', { text: 'is taken' })); setTimeout(() => this.build(), 1200); return; }
        settings.keys = wish;
        saveSettings();
      }
      this.build();
    };
    addEventListener('keydown', listener, true);
  }
}

function select(label: string, options: [string, string][], value: string, change: (value: string) => void): HTMLLabelElement {
  const box = el('select', {});
  for (const [name, text] of options) box.append(el('option', { value: name, text, selected: name === value }));
  box.addEventListener('change', () => change(box.value));
  return el('label', {}, `${label} `, box);
}
