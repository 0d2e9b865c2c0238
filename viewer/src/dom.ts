// Elements without markup: names from files are text, and Trusted Types allow no HTML strings.

type Props = Record<string, string | number | boolean | undefined | ((event: never) => void)>;
type Child = Node | string | null | undefined;

/** Element with attributes; `on...` are listeners, `text` is its text. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as (event: Event) => void);
    else if (name === 'text') element.textContent = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/** Sets a text only when it changes, which spares layout. */
export function setText(element: Node, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Number with a given count of decimals; a dash for what is not finite, and no minus before zero. */
export function fixed(value: number | undefined | null, decimals: number): string {
  if (value === undefined || value === null || !Number.isFinite(value)) return '–';
  const text = value.toFixed(decimals);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text.replace('-', '−');
}

export const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

/** 2-D canvas that has the device's pixels; draws with CSS pixels. */
export class Sheet {
  readonly canvas: HTMLCanvasElement;
  readonly pen: CanvasRenderingContext2D;
  width = 0;
  height = 0;

  constructor(label: string, className: string) {
    this.canvas = el('canvas', { class: className, role: 'img', 'aria-label': label });
    this.pen = this.canvas.getContext('2d')!;
  }

  /** Fits the canvas to its box and clears it. False if it is not to be seen. */
  begin(): boolean {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return false;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.width = width;
    this.height = height;
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.clearRect(0, 0, width, height);
    return true;
  }
}

/** Colors of the theme, read again when it changes. */
export class Theme {
  private colors = new Map<string, string>();

  get(name: string): string {
    let color = this.colors.get(name);
    if (color === undefined) {
      color = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
      this.colors.set(name, color);
    }
    return color;
  }

  forget(): void { this.colors.clear(); }
}

export const theme = new Theme();

/** Dashes by which series differ besides their colors. */
export const DASHES: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2], [1, 2], [10, 2, 2, 2, 2, 2]];
