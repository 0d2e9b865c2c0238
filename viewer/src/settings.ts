// What the reader chose, kept by this browser for this address.
export interface Settings {
  theme: 'system' | 'light' | 'dark';
  quality: 'auto' | 'high' | 'medium' | 'soft';
  panels: boolean;
  closed: string[];                       // panels that are folded
  keys: Record<string, string>;           // action to event.code, where it differs from the table
  wheels: Record<string, WheelCalibration>;  // by the device's id
  assist: number;
}

export interface Axis { axis: number; from: number; to: number }
export interface WheelCalibration { steer: Axis; throttle: Axis; brake: Axis }

const STORED = 'camber-settings';
const DEFAULTS: Settings = { theme: 'system', quality: 'auto', panels: true, closed: [], keys: {}, wheels: {}, assist: 1 };

export const settings: Settings = load();

function load(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(STORED) ?? '{}') as Partial<Settings>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export function saveSettings(): void {
  try { localStorage.setItem(STORED, JSON.stringify(settings)); } catch { /* private mode or file: for this time only */ }
}

export const reducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
