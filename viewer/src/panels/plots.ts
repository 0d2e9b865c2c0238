// Plots over time with one cursor, event marks and values as text. Live they show the last seconds; in replay the whole
// run or the part that was chosen by dragging. Other runs are dashed; their difference can be shown instead.
import uPlot from 'uplot';
import { Column, displayUnit, shortWheel } from '../channels';
import { DASHES, el, fixed, setText, theme } from '../dom';
import { readSlices } from '../protocol';
import { Context, Moment } from './panel';

export interface Series { column: Column; label: string; unit: string; factor: number }

export interface PlotWish { title: string; names: string[] }

export const SPAN = 20;   // [s] of a live plot

/** State that all plots share. */
export class PlotGroup {
  readonly plots: Plot[] = [];
  range: [number, number] | null = null;
  difference = false;
  mark: number | null = null;
  readonly element = el('div', { class: 'plots' });

  constructor(readonly context: Context) {}

  add(wish: PlotWish): Plot | null {
    const series: Series[] = [];
    for (const name of wish.names) {
      const column = this.context.channels.find(name);
      if (column) series.push(makeSeries(column));
    }
    if (series.length === 0) return null;
    const plot = new Plot(this, wish.title, series);
    this.plots.push(plot);
    this.element.append(plot.element);
    return plot;
  }

  remove(plot: Plot): void {
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.element.remove();
    plot.destroy();
  }

  setRange(range: [number, number] | null): void {
    this.range = range;
    for (const plot of this.plots) plot.stale();
  }

  setDifference(on: boolean): void {
    this.difference = on;
    for (const plot of this.plots) plot.rebuild();
  }

  redraw(): void { for (const plot of this.plots) plot.rebuild(); }
}

export function makeSeries(column: Column): Series {
  const { unit, factor } = displayUnit(column.unit, column.name);
  const label = column.channel.startsWith('wheels/') ? shortWheel(column.column) : column.column || column.channel.split('/').pop() || column.name;
  return { column, label, unit, factor };
}

const COLORS = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'];

export class Plot {
  readonly element: HTMLElement;
  private readonly box = el('div', { class: 'plot-box' });
  private readonly legend = el('ul', { class: 'legend' });
  private readonly heading = el('h3');
  private values: HTMLElement[] = [];
  private chart: uPlot | null = null;
  private asked = '';
  private data: uPlot.AlignedData = [[]];
  private last = 0;

  constructor(private readonly group: PlotGroup, private readonly title: string, readonly series: Series[]) {
    const remove = el('button', { class: 'icon', 'aria-label': `Remove plot ${title}`, title: 'Remove this plot', text: '×', onclick: () => this.group.remove(this) });
    const save = el('button', { class: 'icon', 'aria-label': `Save ${title} as CSV`, title: 'Save as a table (CSV)', text: 'CSV', onclick: () => this.saveCsv() });
    const picture = el('button', { class: 'icon', 'aria-label': `Save ${title} as PNG`, title: 'Save as a picture (PNG)', text: 'PNG', onclick: () => void this.savePng() });
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'img');
    this.element = el('section', { class: 'plot', 'aria-label': `Plot: ${title}` }, el('header', {}, this.heading, save, picture, remove), this.box, this.legend);
    this.element.addEventListener('dragover', (event) => { event.preventDefault(); this.element.classList.add('over'); });
    this.element.addEventListener('dragleave', () => this.element.classList.remove('over'));
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.element.classList.remove('over');
      this.addColumn(event.dataTransfer?.getData('text/camber-channel') ?? '');
    });
    this.rebuild();
  }

  /** Adds a column; of another unit it would need another axis, so it gets a plot of its own. */
  addColumn(name: string): boolean {
    const column = this.group.context.channels.find(name);
    if (!column || this.series.some((s) => s.column.name === name)) return false;
    const series = makeSeries(column);
    if (series.unit !== this.series[0].unit) {
      this.group.context.say(`${name} is in ${series.unit || '1'}, this plot in ${this.series[0].unit || '1'}: it has a plot of its own`);
      return this.group.add({ title: name, names: [name] }) !== null;
    }
    this.series.push(series);
    this.rebuild();
    return true;
  }

  /** Curves: columns of run 0, then those of the others by name. */
  private curves(): { series: Series; run: number; index: number; dash: number[]; color: string; label: string }[] {
    const { hello } = this.group.context;
    const list: ReturnType<Plot['curves']> = [];
    const single = hello.kind === 'replay' ? hello.runs.length : 1;
    this.series.forEach((series, k) => {
      for (let r = 0; r < single; ++r) {
        if (this.group.difference && single > 1 && r === 0) continue;
        const channel = hello.runs[r].channels.find((c) => c.name === series.column.channel);
        const at = channel ? channel.columns.indexOf(series.column.column) : -1;
        if (!channel || at < 0) continue;
        const name = single > 1 ? `${series.label} ${this.group.difference ? `${letter(r)} − A` : letter(r)}` : series.label;
        list.push({ series, run: r, index: channel.first + at, dash: r > 0 ? [5, 3] : DASHES[k % DASHES.length], color: COLORS[(k + (this.series.length === 1 ? r : 0)) % COLORS.length], label: name });
      }
    });
    return list;
  }

  rebuild(): void {
    this.destroy();
    const unit = this.series[0].unit;
    setText(this.heading, `${this.title}${unit ? ` [${unit}]` : ''}`);
    const ink = theme.get('muted'), line = theme.get('line');
    const curves = this.curves();
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif', size: 22 };
    const options: uPlot.Options = {
      width: Math.max(200, this.box.clientWidth || 340), height: 118,
      legend: { show: false },
      cursor: { sync: { key: 'camber' }, points: { size: 6 }, drag: { x: this.group.context.hello.kind === 'replay', y: false, setScale: false } },
      scales: { x: { time: false, range: () => this.timeRange() }, y: { range: (_, low, high) => padded(low, high) } },
      axes: [{ ...axis }, { ...axis, size: 42, space: 24 }],
      series: [{}, ...curves.map((curve) => ({
        label: curve.label, stroke: theme.get(curve.color), width: 1.6, dash: curve.dash, scale: 'y', spanGaps: false, points: { show: false },
      }))],
      hooks: {
        draw: [(u: uPlot) => this.drawMarks(u)],
        setCursor: [(u: uPlot) => this.nameEvent(u)],
        setSelect: [(u: uPlot) => {
          if (u.select.width < 6) return;
          this.group.setRange([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        }],
      },
    };
    this.chart = new uPlot(options, [[], ...curves.map(() => [])] as unknown as uPlot.AlignedData, this.box);
    this.chart.over.addEventListener('click', () => {
      const { left } = this.chart!.cursor;
      if (left !== undefined && left !== null && left >= 0 && this.group.context.hello.kind === 'replay') this.group.context.seek(this.chart!.posToVal(left, 'x'));
    });
    this.chart.over.addEventListener('dblclick', () => this.group.setRange(null));
    this.legend.replaceChildren();
    this.values = curves.map((curve) => {
      const value = el('output', { text: '–' });
      const swatch = el('canvas', { width: 26, height: 8, class: 'swatch', 'aria-hidden': 'true' });
      const pen = swatch.getContext('2d')!;
      pen.strokeStyle = theme.get(curve.color);
      pen.lineWidth = 2;
      pen.setLineDash(curve.dash.map((d) => d * 0.8));
      pen.beginPath();
      pen.moveTo(0, 4);
      pen.lineTo(26, 4);
      pen.stroke();
      this.legend.append(el('li', {}, swatch, ` ${curve.label} `, value));
      return value;
    });
    this.asked = '';
    this.last = 0;
  }

  private now = 0;

  private timeRange(): [number, number] {
    const { hello, run } = this.group.context;
    if (this.group.range) return this.group.range;
    if (hello.kind === 'live') return [Math.max(run.begin, this.now - SPAN), Math.max(run.begin + 1, this.now)];
    let end = run.end;
    for (const other of hello.runs) end = Math.max(end, other.end);
    return [run.begin, Math.max(run.begin + 0.01, end)];
  }

  /** The event under the cursor, in words. */
  private nameEvent(u: uPlot): void {
    const left = u.cursor.left ?? -1;
    const near = left < 0 ? undefined : this.group.context.events.find((event) => Math.abs(u.valToPos(event.time, 'x') - left) < 4);
    const words = near ? `${fixed(near.time, 2)} s: ${near.text || near.kind}` : '';
    if (u.over.title !== words) u.over.title = words;
  }

  private drawMarks(u: uPlot): void {
    const pen = u.ctx, { left, top, width, height } = u.bbox;
    pen.save();
    const vertical = (time: number, color: string, dash: number[]): void => {
      const x = Math.round(u.valToPos(time, 'x', true));
      if (x < left || x > left + width) return;
      pen.strokeStyle = color;
      pen.setLineDash(dash);
      pen.beginPath();
      pen.moveTo(x, top);
      pen.lineTo(x, top + height);
      pen.stroke();
    };
    pen.lineWidth = 1;
    for (const event of this.group.context.events) vertical(event.time, theme.get('c6'), [2, 3]);
    if (this.group.mark !== null) vertical(this.group.mark, theme.get('c3'), [6, 2]);
    pen.lineWidth = 1.5;
    vertical(this.now, theme.get('ink'), []);
    pen.restore();
  }

  stale(): void { this.asked = ''; }

  update(moment: Moment): void {
    this.now = moment.frame.time;
    const curves = this.curves();
    const sample = moment.frame.sample;
    curves.forEach((curve, k) => {
      if (!this.values[k]) return;
      let value = curve.run === 0 ? sample[curve.index] : this.valueAt(k, this.now) / curve.series.factor;
      if (this.group.difference && curve.run > 0) value = this.valueAt(k, this.now) / curve.series.factor;
      let text = fixed(value * curve.series.factor, decimals(curve.series.unit));
      if (this.group.mark !== null) text += ` (Δ ${fixed(value * curve.series.factor - this.valueAt(k, this.group.mark), decimals(curve.series.unit))})`;
      setText(this.values[k], text);
    });
    if (this.group.context.hello.kind === 'live') {
      const [from] = this.timeRange();
      let times: number[] = [];
      const columns = curves.map((curve) => {
        const got = this.group.context.history.column(curve.index, from);
        times = got.times;
        return got.values.map((v) => (Number.isFinite(v) ? v * curve.series.factor : null));
      });
      this.data = [times, ...columns] as uPlot.AlignedData;
      this.show();
    } else {
      const [from, to] = this.timeRange();
      const key = `${from}/${to}/${curves.length}/${this.group.difference}`;
      if (key !== this.asked) { this.asked = key; void this.fetch(from, to, curves); }
      this.chart?.redraw(false);
    }
    this.box.setAttribute('aria-label', `${this.title}: ${curves.map((curve, k) => `${curve.label} ${this.values[k]?.textContent ?? ''}`).join(', ')} ${this.series[0].unit} at ${fixed(this.now, 2)} s`);
  }

  private valueAt(curve: number, time: number): number {
    const times = this.data[0] as number[], values = this.data[curve + 1] as (number | null)[] | undefined;
    if (!values || times.length === 0) return NaN;
    let low = 0, high = times.length - 1;
    while (high > low) { const middle = (low + high) >> 1; if (times[middle] < time) low = middle + 1; else high = middle; }
    return values[low] ?? NaN;
  }

  private async fetch(from: number, to: number, curves: ReturnType<Plot['curves']>): Promise<void> {
    const points = 800;
    const base: (Curve | null)[] = [];
    for (const curve of curves) base.push(await this.curve(curve.run, curve.index, from, to, points));
    const reference: (Curve | null)[] = [];
    if (this.group.difference) for (const curve of curves) reference.push(await this.curve(0, curve.series.column.index, from, to, points));
    // One time axis for all: that of the first curve that came.
    const first = base.find((curve) => curve && curve.times.length > 0);
    if (!first) return;
    const columns = curves.map((curve, k) => {
      const own = base[k], other = reference[k];
      return Array.from(first.times, (t) => {
        const value = (own ? interpolate(own, t) : NaN) - (this.group.difference ? (other ? interpolate(other, t) : NaN) : 0);
        return Number.isFinite(value) ? value * curve.series.factor : null;
      });
    });
    this.data = [Array.from(first.times), ...columns] as uPlot.AlignedData;
    this.show();
  }

  private async curve(run: number, index: number, from: number, to: number, points: number): Promise<Curve | null> {
    const { connection, clips } = this.group.context;
    if (connection.exported) return clips[run]?.column(index) ?? null;
    const bytes = await connection.get(`/api/slice?run=${run}&column=${index}&from=${from}&to=${to}&points=${points}`);
    if (!bytes) return null;
    const slice = readSlices(bytes, 1)[0];
    if (!slice.low) return { times: slice.times, values: slice.values };
    // Min and max one after the other: peaks stay visible.
    const times = new Float64Array(2 * slice.times.length), values = new Float32Array(2 * slice.times.length);
    const step = slice.times.length > 1 ? (slice.times[1] - slice.times[0]) / 2 : 0;
    slice.times.forEach((t, i) => {
      times[2 * i] = t;
      times[2 * i + 1] = t + step;
      values[2 * i] = slice.low![i];
      values[2 * i + 1] = slice.values[i];
    });
    return { times, values };
  }

  private show(): void {
    if (!this.chart) return;
    const width = this.box.clientWidth;
    if (width > 0 && Math.abs(width - this.last) > 1) { this.last = width; this.chart.setSize({ width, height: 118 }); }
    this.chart.setData(this.data);
  }

  private saveCsv(): void {
    const curves = this.curves();
    const lines = [['time [s]', ...curves.map((c) => `${c.series.column.name}${c.run > 0 ? ` run ${letter(c.run)}` : ''} [${c.series.unit || '1'}]`)].join(',')];
    const times = this.data[0] as number[];
    times.forEach((t, i) => lines.push([t, ...curves.map((_, k) => (this.data[k + 1] as (number | null)[])[i] ?? '')].join(',')));
    this.save(new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }), 'csv');
  }

  private save(data: Blob, ending: string): void {
    const link = el('a', { href: URL.createObjectURL(data), download: `${this.title.replace(/[^\w-]+/g, '-')}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  /** The plot as it is, with its heading and its curves' names, in the device's pixels. */
  private async savePng(): Promise<void> {
    const plot = this.chart?.ctx.canvas;
    if (!plot) return;
    const ratio = plot.width / Math.max(1, plot.clientWidth || this.box.clientWidth), top = 26, row = 18;
    const curves = this.curves(), canvas = el('canvas', { width: plot.width, height: Math.round(plot.height + ratio * (top + row * curves.length + 8)) });
    const pen = canvas.getContext('2d')!;
    pen.fillStyle = theme.get('paper');
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(plot, 0, ratio * top);
    pen.scale(ratio, ratio);
    pen.fillStyle = theme.get('ink');
    pen.font = '650 13px system-ui, sans-serif';
    pen.fillText(this.heading.textContent ?? this.title, 8, 18);
    pen.font = '12px system-ui, sans-serif';
    curves.forEach((curve, k) => {
      const y = top + plot.height / ratio + row * (k + 0.6);
      pen.strokeStyle = theme.get(curve.color);
      pen.lineWidth = 2;
      pen.setLineDash(curve.dash);
      pen.beginPath();
      pen.moveTo(10, y - 4);
      pen.lineTo(40, y - 4);
      pen.stroke();
      pen.fillText(`${curve.series.column.name}${curve.run > 0 ? `, run ${letter(curve.run)}` : ''}`, 48, y);
    });
    const data = await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/png'));
    if (data) this.save(data, 'png');
  }

  destroy(): void { this.chart?.destroy(); this.chart = null; }
}

interface Curve { times: Float64Array; values: Float32Array | Float64Array }

const letter = (run: number): string => String.fromCharCode(65 + run);

function interpolate(curve: Curve, t: number): number {
  const { times, values } = curve;
  if (times.length === 0 || t < times[0] - 1e-6 || t > times[times.length - 1] + 1e-6) return NaN;
  let low = 0, high = times.length - 1;
  while (high - low > 1) { const middle = (low + high) >> 1; if (times[middle] <= t) low = middle; else high = middle; }
  const span = times[high] - times[low];
  const part = span > 0 ? Math.min(1, Math.max(0, (t - times[low]) / span)) : 0;
  return values[low] + part * (values[high] - values[low]);
}

function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const least = Math.max(1e-3, 0.02 * Math.max(Math.abs(low), Math.abs(high)));
  const pad = Math.max(least, 0.08 * (high - low));
  return [low - pad, high + pad];
}

const decimals = (unit: string): number => ({ kN: 2, kJ: 1, '°': 1, '°/s': 1, 'm/s': 2, 'm/s²': 2, '1/min': 0, m: 3 } as Record<string, number>)[unit] ?? 3;
