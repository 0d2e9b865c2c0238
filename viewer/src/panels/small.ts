// Small panels: wheels, g-g diagram, energy, timing, position, key figures.
import { Quaternion, Vector3 } from 'three';
import { shortWheel } from '../channels';
import { el, fixed, setText, Sheet, theme } from '../dom';
import { Flag, Sensor, Vec3 } from '../model';
import { Context, Moment, Panel, row } from './panel';

const G = 9.81;

/** Load, forces, slip and travel of each wheel; the same order and names everywhere. */
export class WheelsPanel extends Panel {
  private readonly cells: Record<string, HTMLElement>[] = [];
  private readonly columns: Record<string, number[]>;
  private readonly friction: number;

  constructor(context: Context) {
    super('wheels', 'Wheels');
    const all = (name: string): number[] => context.channels.all(`wheels/${name}`);
    this.columns = { load: all('load'), x: all('longitudinal_force'), y: all('lateral_force'), slip: all('slip'), angle: all('slip_angle'), travel: all('travel'), camber: all('camber') };
    this.friction = context.hello.ground.friction || 1;
    const names = context.run.channels.find((channel) => channel.name === 'wheels/load')?.columns ?? [];
    const body = el('tbody');
    names.forEach((name, k) => {
      const cells: Record<string, HTMLElement> = {};
      const line = el('tr', {}, el('th', { scope: 'row', class: `wheel c${k % 8}`, text: shortWheel(name), title: name.replace(/_/g, ' ') }));
      for (const key of ['load', 'use', 'slip', 'angle', 'camber', 'travel']) line.append(cells[key] = el('td', { text: '–' }));
      const bar = el('span', { class: 'bar' });
      cells.use.replaceChildren(bar, cells.useText = el('span'));
      cells.bar = bar;
      body.append(line);
      this.cells.push(cells);
    });
    const head = el('tr', {}, el('th', { scope: 'col', text: 'wheel' }));
    for (const [name, unit, about] of [['load', 'kN', 'normal force'], ['grip', '%', 'part of the friction circle that is used'], ['slip', '%', 'longitudinal slip'], ['angle', '°', 'slip angle'], ['camber', '°', 'camber against the ground'], ['travel', 'mm', 'wheel up from the design position']] as const) {
      head.append(el('th', { scope: 'col', title: about }, name, el('span', { class: 'muted', text: ` ${unit}` })));
    }
    this.body.append(el('table', { class: 'wheels' }, el('thead', {}, head), body));
  }

  update({ frame }: Moment): void {
    const s = frame.sample, c = this.columns;
    this.cells.forEach((cells, k) => {
      const load = s[c.load[k]], use = load > 1 ? Math.hypot(s[c.x[k]], s[c.y[k]]) / (this.friction * load) : 0;
      setText(cells.load, load > 0 ? fixed(load / 1000, 2) : 'lifted');
      setText(cells.useText, fixed(100 * use, 0));
      cells.bar.style.setProperty('--part', Math.min(1, use).toFixed(3));
      cells.bar.classList.toggle('warn', use > 0.8);
      setText(cells.slip, fixed(100 * s[c.slip[k]], 1));
      setText(cells.angle, fixed(s[c.angle[k]] * 180 / Math.PI, 1));
      setText(cells.camber, fixed(s[c.camber[k]] * 180 / Math.PI, 1));
      setText(cells.travel, fixed(1000 * s[c.travel[k]], 0));
    });
  }
}

/** Accelerations of the last seconds: braking below, driving above, left turns on the left. */
export class GgPanel extends Panel {
  private readonly sheet = new Sheet('g-g diagram', 'gg');
  private readonly text = el('p', { class: 'caption' });
  private readonly trail: [number, number, number][] = [];
  private readonly x: number;
  private readonly y: number;

  constructor(private readonly context: Context) {
    super('gg', 'g-g diagram');
    this.x = context.channels.index('chassis/acceleration.forward');
    this.y = context.channels.index('chassis/acceleration.left');
    this.body.append(this.sheet.canvas, this.text);
  }

  update({ frame }: Moment): void {
    const ax = frame.sample[this.x] / G, ay = frame.sample[this.y] / G;
    const last = this.trail[this.trail.length - 1];
    if (last && frame.time < last[2]) this.trail.length = 0;
    if (Number.isFinite(ax) && (!last || frame.time > last[2])) this.trail.push([ax, ay, frame.time]);
    while (this.trail.length > 0 && this.trail[0][2] < frame.time - 12) this.trail.shift();
    if (!this.sheet.begin()) return;
    const { pen, width, height } = this.sheet;
    const friction = this.context.hello.ground.friction || 1;
    const scale = Math.min(width, height) / 2 / Math.max(0.6, 1.15 * friction), cx = width / 2, cy = height / 2;
    pen.strokeStyle = theme.get('line');
    pen.fillStyle = theme.get('muted');
    pen.font = '11px system-ui, sans-serif';
    for (const r of [0.25, 0.5, 0.75, 1]) {
      pen.beginPath();
      pen.arc(cx, cy, r * scale, 0, 7);
      pen.stroke();
      if (r * scale < height / 2) pen.fillText(`${r} g`, cx + 3, cy - r * scale + 12);
    }
    pen.beginPath();
    pen.moveTo(cx - width, cy);
    pen.lineTo(cx + width, cy);
    pen.moveTo(cx, 0);
    pen.lineTo(cx, height);
    pen.stroke();
    pen.strokeStyle = theme.get('c1');
    pen.setLineDash([5, 3]);
    pen.beginPath();
    pen.arc(cx, cy, friction * scale, 0, 7);
    pen.stroke();
    pen.setLineDash([]);
    pen.strokeStyle = theme.get('c0');
    pen.lineWidth = 1.5;
    pen.beginPath();
    this.trail.forEach(([a, b], i) => { const u = cx - b * scale, v = cy - a * scale; if (i === 0) pen.moveTo(u, v); else pen.lineTo(u, v); });
    pen.stroke();
    pen.lineWidth = 1;
    pen.fillStyle = theme.get('c0');
    pen.beginPath();
    pen.arc(cx - (ay || 0) * scale, cy - (ax || 0) * scale, 5, 0, 7);
    pen.fill();
    setText(this.text, `forward ${fixed(ax, 2)} g, left ${fixed(ay, 2)} g; dashed: friction ${fixed(friction, 2)}`);
  }
}

export class EnergyPanel extends Panel {
  private readonly rows: { value: HTMLElement; bar: HTMLElement; index: number }[] = [];

  constructor(context: Context) {
    super('energy', 'Energy');
    const table = el('table', { class: 'energy' });
    for (const column of context.channels.columns.filter((c) => c.channel === 'energy/balance')) {
      const value = el('td', { text: '–' }), bar = el('span', { class: 'bar' });
      table.append(el('tr', {}, el('th', { scope: 'row', text: column.column }), value, el('td', {}, bar)));
      this.rows.push({ value, bar, index: column.index });
    }
    this.body.append(table);
  }

  update({ frame }: Moment): void {
    const most = Math.max(1, ...this.rows.map((r) => Math.abs(frame.sample[r.index]) || 0));
    for (const r of this.rows) {
      const joule = frame.sample[r.index];
      setText(r.value, `${fixed(joule / 1000, Math.abs(joule) < 1000 ? 3 : 1)} kJ`);
      r.bar.style.setProperty('--part', Math.min(1, Math.abs(joule) / most || 0).toFixed(3));
    }
  }
}

/** Is it real time, and who is to blame if not: the step or the machine. */
export class TimingPanel extends Panel {
  private readonly sheet = new Sheet('Step times of the last seconds', 'spark');
  private readonly values: HTMLElement[];
  private readonly trail: number[] = [];

  constructor(private readonly context: Context) {
    super('timing', 'Real time');
    const list = el('dl', { class: 'facts' });
    this.values = ['factor', 'wanted', 'longest step', 'longest ever', 'steps > 1 ms', 'late wake-ups', 'steps', 'frames'].map((name) => row(list, name));
    this.body.append(this.sheet.canvas, list);
  }

  update({ live }: Moment): void {
    if (!live) return;
    this.trail.push(live.stepTime);
    if (this.trail.length > 150) this.trail.shift();
    const text = [`${fixed(live.actualFactor, 2)} ×`, `${fixed(live.wantedFactor, live.wantedFactor < 0.1 ? 3 : 2)} ×`, `${fixed(live.stepTime, 0)} µs`, `${fixed(live.longestStep, 0)} µs`,
      String(live.slowSteps), String(live.lateWakes), String(live.steps), String(this.context.connection.received)];
    text.forEach((t, k) => setText(this.values[k], t));
    if ((live.flags & Flag.late) !== 0) setText(this.values[0], `${fixed(live.actualFactor, 2)} × (catching up)`);
    if (!this.sheet.begin()) return;
    const { pen, width, height } = this.sheet;
    const most = Math.max(100, ...this.trail);
    pen.fillStyle = theme.get('c0');
    this.trail.forEach((t, i) => { const h = (height - 12) * t / most; pen.fillRect(i * width / 150, height - h, Math.max(1, width / 150 - 0.5), h); });
    pen.fillStyle = theme.get('muted');
    pen.font = '11px system-ui, sans-serif';
    pen.fillText(`CPU per step, scale to ${most.toFixed(0)} µs`, 2, 10);
  }
}

/** Satellite receiver if there is one, and where the vehicle is. */
export class GpsPanel extends Panel {
  private readonly rows: { value: HTMLElement; text: (m: Moment) => string }[] = [];

  constructor(context: Context) {
    const latitude = context.channels.ending('position', 'latitude'), longitude = context.channels.ending('position', 'longitude'), height = context.channels.ending('position', 'height');
    // Frames of a live drive have no measurements: the antenna's true place then.
    const receiver = latitude ? undefined : context.run.sensors.find((sensor) => sensor.kind === 'gnss' && sensor.origin);
    super('gps', latitude || receiver ? 'GPS' : 'Position', receiver ? `true place of ${receiver.name}` : '');
    const list = el('dl', { class: 'facts' });
    const add = (name: string, text: (m: Moment) => string): void => { this.rows.push({ value: row(list, name), text }); };
    const prefix = latitude?.channel.replace(/position$/, '') ?? '';
    if (latitude && longitude) {
      add('lat', (m) => `${fixed(m.frame.sample[latitude.index], 6)}°`);
      add('lon', (m) => `${fixed(m.frame.sample[longitude.index], 6)}°`);
      if (height) add('height', (m) => `${fixed(m.frame.sample[height.index], 2)} m`);
      const sigma = context.channels.index(`${prefix}deviation.horizontal`), satellites = context.channels.index(`${prefix}satellites`), fix = context.channels.index(`${prefix}fix`);
      if (sigma >= 0) add('1 σ', (m) => `${fixed(m.frame.sample[sigma], 2)} m`);
      if (fix >= 0) add('fix', (m) => (m.frame.sample[fix] > 0 ? `yes${satellites >= 0 && m.frame.sample[satellites] > 0 ? `, ${m.frame.sample[satellites]} satellites` : ''}` : 'none'));
    }
    if (receiver) {
      add('lat', (m) => `${fixed(placeOf(receiver, m)[0], 7)}°`);
      add('lon', (m) => `${fixed(placeOf(receiver, m)[1], 7)}°`);
      add('height', (m) => `${fixed(placeOf(receiver, m)[2], 2)} m`);
    }
    add('x', (m) => `${fixed(m.frame.vehicles[0]?.position[0], 2)} m`);
    add('y', (m) => `${fixed(m.frame.vehicles[0]?.position[1], 2)} m`);
    add('z', (m) => `${fixed(m.frame.vehicles[0]?.position[2], 2)} m`);
    const yaw = context.channels.index('chassis/attitude.yaw');
    if (yaw >= 0) add('yaw', (m) => `${fixed(((m.frame.sample[yaw] * 180 / Math.PI) % 360 + 540) % 360 - 180, 1)}°`);
    this.body.append(list);
  }

  update(moment: Moment): void { for (const r of this.rows) setText(r.value, r.text(moment)); }
}

/** Latitude and longitude [deg] and height [m] of a receiver's antenna, by the radii of curvature of WGS 84 at the origin. */
function placeOf(sensor: Sensor, { frame }: Moment): Vec3 {
  const pose = frame.vehicles[0];
  if (!pose) return [NaN, NaN, NaN];
  const [latitude, longitude, height] = sensor.origin!, heading = sensor.heading ?? 0;
  const p = new Vector3(...sensor.mount.position).applyQuaternion(new Quaternion(...pose.bodies.subarray(3, 7)));
  const x = pose.position[0] + p.x, y = pose.position[1] + p.y, z = pose.position[2] + p.z;
  const east = Math.cos(heading) * x - Math.sin(heading) * y, north = Math.sin(heading) * x + Math.cos(heading) * y;
  const e2 = 6.69437999014e-3, w = 1 - e2 * Math.sin(latitude) ** 2, across = 6378137 / Math.sqrt(w), along = across * (1 - e2) / w;
  return [(latitude + north / (along + height)) * 180 / Math.PI, (longitude + east / ((across + height) * Math.cos(latitude))) * 180 / Math.PI, height + z];
}

/** Key figures of a run, with their bounds. */
export class FiguresPanel extends Panel {
  constructor(context: Context) {
    super('figures', 'Key figures');
    const runs = context.hello.runs.filter((run) => run.figures.length > 0);
    const table = el('table', { class: 'figures' });
    const names = [...new Set(runs.flatMap((run) => run.figures.map((figure) => figure.name)))];
    if (runs.length > 1) table.append(el('thead', {}, el('tr', {}, el('td'), ...runs.map((run, k) => el('th', { scope: 'col', text: `${String.fromCharCode(65 + k)}`, title: run.name })))));
    for (const name of names) {
      const line = el('tr', {}, el('th', { scope: 'row', text: name.replace(/_/g, ' ') }));
      for (const run of runs) {
        const figure = run.figures.find((f) => f.name === name);
        const value = typeof figure?.value === 'number' ? String(Number(figure.value.toPrecision(4))) : figure?.value ?? '–';
        const found = typeof figure?.value === 'number';
        const mark = figure?.passed === false ? (found ? ' ✗ outside' : ' ✗ missing') : figure?.passed === true ? ' ✓' : '';
        line.append(el('td', { class: figure?.passed === false ? 'bad' : '', text: `${value}${found && figure?.unit && figure.unit !== '1' ? ` ${figure.unit.replace(/\^2/g, '²').replace(/\^3/g, '³')}` : ''}${mark}` }));
      }
      table.append(line);
    }
    this.body.append(table);
  }

  update(): void { /* figures do not change */ }
}
