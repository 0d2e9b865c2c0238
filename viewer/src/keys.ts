// All keys of the page, once: the help, the listeners and the buttons' hints are made from this table. Keys are known by
// event.code, that is by their place, and shown by the letter that the reader's layout has there.

export type Group = 'drive' | 'time' | 'view' | 'page';
export type Mode = 'live' | 'replay' | 'both';

export interface Key { id: string; codes: string[]; text: string; group: Group; mode: Mode; held?: boolean; shift?: boolean }

export const KEYS: Key[] = [
  { id: 'forward', codes: ['KeyW', 'ArrowUp'], text: 'throttle', group: 'drive', mode: 'live', held: true },
  { id: 'brake', codes: ['KeyS', 'ArrowDown', 'Space'], text: 'brake', group: 'drive', mode: 'live', held: true },
  { id: 'left', codes: ['KeyA', 'ArrowLeft'], text: 'steer left', group: 'drive', mode: 'live', held: true },
  { id: 'right', codes: ['KeyD', 'ArrowRight'], text: 'steer right', group: 'drive', mode: 'live', held: true },
  { id: 'lock', codes: ['ShiftLeft', 'ShiftRight'], text: 'full lock, whatever the speed', group: 'drive', mode: 'live', held: true },
  { id: 'take', codes: ['KeyT'], text: 'take or release the wheel', group: 'drive', mode: 'live' },
  { id: 'selectForward', codes: ['KeyE'], text: 'selector: forward', group: 'drive', mode: 'live' },
  { id: 'selectReverse', codes: ['KeyQ'], text: 'selector: reverse', group: 'drive', mode: 'live' },
  { id: 'range', codes: ['KeyY'], text: 'transfer case: high or low range, at rest', group: 'drive', mode: 'live' },
  { id: 'parkingBrake', codes: ['KeyB'], text: 'parking brake', group: 'drive', mode: 'live' },
  { id: 'assist', codes: ['KeyN'], text: 'next assist: none, filter, filter and speed hold', group: 'drive', mode: 'live' },
  { id: 'sound', codes: ['KeyM'], text: 'engine sound', group: 'drive', mode: 'both' },

  { id: 'pause', codes: ['KeyP'], text: 'pause or go on', group: 'time', mode: 'both' },
  { id: 'play', codes: ['Space'], text: 'pause or go on', group: 'time', mode: 'replay' },
  { id: 'step', codes: ['Period'], text: 'single step', group: 'time', mode: 'both' },
  { id: 'stepBack', codes: ['Comma'], text: 'one step back', group: 'time', mode: 'both' },
  { id: 'slower', codes: ['BracketLeft'], text: 'slower', group: 'time', mode: 'both' },
  { id: 'faster', codes: ['BracketRight'], text: 'faster', group: 'time', mode: 'both' },
  { id: 'reset', codes: ['KeyR'], text: 'back to the start', group: 'time', mode: 'both' },
  { id: 'back', codes: ['Backspace'], text: 'back by 3 s', group: 'time', mode: 'both' },
  { id: 'driveOn', codes: ['Enter'], text: 'drive on from the moment that is shown', group: 'time', mode: 'live' },
  { id: 'toLive', codes: ['Escape'], text: 'return to now', group: 'time', mode: 'live' },
  { id: 'scrubBack', codes: ['ArrowLeft'], text: 'one second back', group: 'time', mode: 'replay' },
  { id: 'scrubOn', codes: ['ArrowRight'], text: 'one second on', group: 'time', mode: 'replay' },
  { id: 'first', codes: ['Home'], text: 'to the beginning', group: 'time', mode: 'replay' },
  { id: 'last', codes: ['End'], text: 'to the end', group: 'time', mode: 'replay' },

  { id: 'camera', codes: ['KeyC'], text: 'next camera', group: 'view', mode: 'both' },
  { id: 'camera1', codes: ['Digit1'], text: 'camera behind', group: 'view', mode: 'both' },
  { id: 'camera2', codes: ['Digit2'], text: 'driver’s eye', group: 'view', mode: 'both' },
  { id: 'camera3', codes: ['Digit3'], text: 'camera on the hood', group: 'view', mode: 'both' },
  { id: 'camera4', codes: ['Digit4'], text: 'camera at a wheel; again: next wheel', group: 'view', mode: 'both' },
  { id: 'camera5', codes: ['Digit5'], text: 'from above', group: 'view', mode: 'both' },
  { id: 'camera6', codes: ['Digit6'], text: 'camera around the vehicle', group: 'view', mode: 'both' },
  { id: 'lookLeft', codes: ['KeyJ'], text: 'turn the camera left', group: 'view', mode: 'both' },
  { id: 'lookRight', codes: ['KeyK'], text: 'turn the camera right', group: 'view', mode: 'both' },
  { id: 'closer', codes: ['Equal', 'NumpadAdd'], text: 'closer', group: 'view', mode: 'both' },
  { id: 'farther', codes: ['Minus', 'NumpadSubtract'], text: 'farther', group: 'view', mode: 'both' },
  { id: 'xray', codes: ['KeyX'], text: 'x-ray of the suspension', group: 'view', mode: 'both' },
  { id: 'forces', codes: ['KeyV'], text: 'forces and friction circles', group: 'view', mode: 'both' },
  { id: 'ghost', codes: ['KeyG'], text: 'ghost: the last try, or the other run', group: 'view', mode: 'both' },
  { id: 'points', codes: ['KeyL'], text: 'LIDAR points', group: 'view', mode: 'both' },

  { id: 'panels', codes: ['KeyF'], text: 'panels', group: 'page', mode: 'both' },
  { id: 'help', codes: ['KeyH', 'Slash'], text: 'this help', group: 'page', mode: 'both' },
];

export const GROUPS: Record<Group, string> = { drive: 'Driving', time: 'Time', view: 'View', page: 'Page' };

/** Keys that count in a mode, with the reader's own choices. */
export function keysFor(mode: 'live' | 'replay', own: Record<string, string> = {}): Key[] {
  return KEYS.filter((key) => key.mode === 'both' || key.mode === mode)
    .map((key) => (own[key.id] ? { ...key, codes: [own[key.id]] } : key));
}

/** Actions that share a key in a mode: must be empty. */
export function conflicts(keys: Key[]): string[] {
  const seen = new Map<string, string>();
  const found: string[] = [];
  for (const key of keys) {
    for (const code of key.codes) {
      const other = seen.get(code);
      if (other !== undefined) found.push(`${code}: ${other} and ${key.id}`);
      seen.set(code, key.id);
    }
  }
  return found;
}

const NAMES: Record<string, string> = {
  ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Space: 'Space', ShiftLeft: 'Shift', ShiftRight: 'Shift',
  Backspace: 'Backspace', Period: '.', Comma: ',', BracketLeft: '[', BracketRight: ']', Slash: '?', Enter: 'Enter',
  Escape: 'Esc', Home: 'Home', End: 'End', Equal: '+', Minus: '−', NumpadAdd: 'keypad +', NumpadSubtract: 'keypad −',
};

/** Letter on the reader's keyboard at this place. */
export function keyName(code: string, layout?: ReadonlyMap<string, string>): string {
  if (NAMES[code] && !(code.startsWith('Bracket') && layout?.get(code))) return NAMES[code];
  const letter = layout?.get(code);
  if (letter) return letter.toUpperCase();
  return code.replace(/^(Key|Digit)/, '');
}

/** What a press means: the action, or nothing with Ctrl, Alt or Meta, or while something is typed. */
export function actionOf(event: { code: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean }, keys: Key[]): Key | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  return keys.find((key) => key.codes.includes(event.code));
}
