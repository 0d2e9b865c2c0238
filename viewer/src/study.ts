// The samples of a study: a chart of any two columns and a table. A click opens a sample: it is driven again and shown.
import { el, fixed, Sheet, theme } from './dom';

type Row = [k: number, status: string, passed: boolean, inputs: string[], figures: (number | null)[], reason: string];

export interface StudyHello {
  type: 'hello'; kind: 'study'; name: string; about: string; left_out: number;
  inputs: { name: string; unit: string }[];
  figures: { name: string; unit: string; lower: number | null; upper: number | null }[];
  samples: Row[];
}

/** The sample that the address names (#sample=7), or null. */
export function sampleOf(hash: string): number | null {
  const found = /[#&]sample=(\d{1,9})(&|$)/.exec(hash);
  return found ? Number(found[1]) : null;
}

interface Column { name: string; label: string; value(row: Row): number; text(row: Row): string; bounds?: [number | null, number | null] }

export function columnsOf(hello: StudyHello): Column[] {
  const label = (name: string, unit: string): string => `${name.replace(/_/g, ' ')}${unit && unit !== '1' ? ` [${unit.replace('^2', '²')}]` : ''}`;
  return [
    { name: 'sample', label: 'sample', value: (row) => row[0], text: (row) => String(row[0]) },
    ...hello.figures.map((figure, i): Column => ({ name: figure.name, label: label(figure.name, figure.unit), value: (row) => row[4][i] ?? NaN, text: (row) => (row[4][i] === null || row[4][i] === undefined ? '–' : String(Number(row[4][i]!.toPrecision(5)))), bounds: [figure.lower, figure.upper] })),
    ...hello.inputs.map((input, i): Column => ({ name: input.name, label: label(input.name, input.unit), value: (row) => Number(row[3][i]), text: (row) => row[3][i] ?? '' })),
  ];
}

/** Rows by a column; what has no number comes last. */
export function sortRows(rows: Row[], column: Column, down: boolean): Row[] {
  return [...rows].sort((a, b) => {
    const x = column.value(a), y = column.value(b);
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || column.text(a).localeCompare(column.text(b));
    return down ? y - x : x - y;
  });
}

/** Round numbers in a range, some four of them. */
export function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough)), step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10);
  const list: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; ++k) list.push(Number((k * step).toPrecision(12)));
  return list;
}

const SHOWN = 500;  // rows of the table at a time

export class StudyPage {
  readonly element: HTMLElement;
  private readonly sheet = new Sheet('Samples: a point each', 'samples');
  private readonly tip = el('p', { class: 'caption', text: 'Click a point or a row to open its drive.' });
  private readonly body = el('tbody');
  private readonly more = el('p', { class: 'caption' });
  private readonly columns: Column[];
  private readonly x: HTMLSelectElement;
  private readonly y: HTMLSelectElement;
  private sorted: Column;
  private down = false;
  private places: { u: number; v: number; row: Row }[] = [];
  private readonly heads: HTMLElement[] = [];

  constructor(private readonly hello: StudyHello) {
    this.columns = columnsOf(hello);
    this.sorted = this.columns[0];
    const numeric = this.columns.filter((column) => hello.samples.some((row) => Number.isFinite(column.value(row))));
    const choose = (name: string, wish: Column | undefined): HTMLSelectElement => {
      const box = el('select', { 'aria-label': name, onchange: () => this.draw() });
      for (const column of numeric) box.append(el('option', { value: column.name, text: column.label, selected: column === wish }));
      return box;
    };
    this.x = choose('Across', numeric.find((column) => column.name === hello.inputs[0]?.name) ?? numeric[0]);
    this.y = choose('Up', numeric[1] ?? numeric[0]);
    const head = el('tr');
    for (const column of this.columns) {
      const button = el('button', { text: column.label, onclick: () => { this.down = this.sorted === column && !this.down; this.sorted = column; this.fill(); } });
      const cell = el('th', { scope: 'col' }, button);
      this.heads.push(cell);
      head.append(cell);
    }
    head.append(el('th', { scope: 'col', text: 'status' }));
    const passed = hello.samples.filter((row) => row[2]).length;
    this.element = el('section', { class: 'study', tabindex: 0, 'aria-label': 'Samples of the study' },
      el('h2', { text: hello.name }), hello.about ? el('p', { text: hello.about }) : null,
      el('p', { class: 'muted', text: `${hello.samples.length} samples, ${passed} pass${hello.left_out > 0 ? `; ${hello.left_out} more are in samples.csv` : ''}` }),
      el('div', { class: 'row' }, el('label', {}, 'across ', this.x), el('label', {}, 'up ', this.y)), this.sheet.canvas, this.tip,
      el('div', { class: 'wide' }, el('table', {}, el('thead', {}, head), this.body)), this.more);
    this.sheet.canvas.addEventListener('click', (event) => { const row = this.near(event); if (row) open(row); });
    this.sheet.canvas.addEventListener('pointermove', (event) => {
      const row = this.near(event);
      this.sheet.canvas.style.cursor = row ? 'pointer' : '';
      this.tip.textContent = row ? `sample ${row[0]}: ${this.columns.slice(1).map((column) => `${column.label} ${column.text(row)}`).join(', ')}` : 'Click a point or a row to open its drive.';
    });
    new ResizeObserver(() => this.draw()).observe(this.sheet.canvas);
    this.fill();
  }

  private near(event: MouseEvent): Row | null {
    const box = this.sheet.canvas.getBoundingClientRect(), u = event.clientX - box.left, v = event.clientY - box.top;
    let best: Row | null = null, least = 12;
    for (const place of this.places) { const away = Math.hypot(place.u - u, place.v - v); if (away < least) { least = away; best = place.row; } }
    return best;
  }

  private fill(): void {
    this.heads.forEach((head, i) => head.setAttribute('aria-sort', this.columns[i] === this.sorted ? (this.down ? 'descending' : 'ascending') : 'none'));
    const rows = sortRows(this.hello.samples, this.sorted, this.down);
    this.body.replaceChildren(...rows.slice(0, SHOWN).map((row) => {
      const line = el('tr', { 'data-sample': row[0], onclick: () => open(row) });
      this.columns.forEach((column, i) => {
        const value = column.value(row), [low, high] = column.bounds ?? [null, null];
        const bad = (low !== null && value < low) || (high !== null && value > high);
        line.append(i === 0 ? el('td', {}, el('a', { href: `#sample=${row[0]}`, text: String(row[0]) })) : el('td', { class: bad ? 'bad' : '', text: column.text(row) }));
      });
      line.append(el('td', { class: row[1] === 'done' ? '' : 'bad', text: row[1], title: row[5] }));
      return line;
    }));
    this.more.textContent = rows.length > SHOWN ? `the first ${SHOWN} of ${rows.length} by ${this.sorted.label}` : '';
  }

  draw(): void {
    if (!this.sheet.begin()) return;
    const { pen, width, height } = this.sheet;
    const find = (box: HTMLSelectElement): Column => this.columns.find((column) => column.name === box.value) ?? this.columns[0];
    const x = find(this.x), y = find(this.y);
    const points = this.hello.samples.map((row) => ({ row, a: x.value(row), b: y.value(row) })).filter((p) => Number.isFinite(p.a) && Number.isFinite(p.b));
    const range = (values: number[]): [number, number] => { let low = Infinity, high = -Infinity; for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); } const pad = 0.06 * (high - low) || Math.max(1e-9, 0.06 * Math.abs(high)); return [low - pad, high + pad]; };
    this.places = [];
    pen.font = '12px system-ui, sans-serif';
    pen.fillStyle = theme.get('muted');
    if (points.length === 0) { pen.fillText('no values', 60, 30); return; }
    const [x0, x1] = range(points.map((p) => p.a)), [y0, y1] = range(points.map((p) => p.b));
    const left = 64, bottom = 34, at = (a: number, b: number): [number, number] => [left + (width - left - 14) * (a - x0) / (x1 - x0), height - bottom - (height - bottom - 12) * (b - y0) / (y1 - y0)];
    pen.strokeStyle = theme.get('line');
    pen.textAlign = 'center';
    for (const a of ticks(x0, x1)) { const [u] = at(a, y0); pen.beginPath(); pen.moveTo(u, 12); pen.lineTo(u, height - bottom); pen.stroke(); pen.fillText(String(a), u, height - bottom + 15); }
    pen.textAlign = 'right';
    for (const b of ticks(y0, y1)) { const [, v] = at(x0, b); pen.beginPath(); pen.moveTo(left, v); pen.lineTo(width - 14, v); pen.stroke(); pen.fillText(String(b), left - 6, v + 4); }
    pen.textAlign = 'center';
    pen.fillText(x.label, left + (width - left) / 2, height - 4);
    for (const { row, a, b } of points) {
      const [u, v] = at(a, b);
      this.places.push({ u, v, row });
      // Passed: round; else a cross, in another color.
      pen.fillStyle = theme.get('c0');
      pen.strokeStyle = theme.get('c1');
      pen.beginPath();
      if (row[2]) { pen.arc(u, v, 3.5, 0, 7); pen.fill(); } else { pen.moveTo(u - 4, v - 4); pen.lineTo(u + 4, v + 4); pen.moveTo(u - 4, v + 4); pen.lineTo(u + 4, v - 4); pen.lineWidth = 2; pen.stroke(); pen.lineWidth = 1; }
    }
    this.sheet.canvas.setAttribute('aria-label', `${points.length} samples, ${y.label} over ${x.label}: ${fixed(y0, 2)} to ${fixed(y1, 2)}`);
  }
}

function open(row: Row): void { location.hash = `sample=${row[0]}`; }
