// Map from above: path, trail, obstacles, the pilot's arcs, other vehicles and ghosts. Up is where the vehicle looks at
// the start of the reader's choice: north (y up) or the heading.
import { el, Sheet, theme } from '../dom';
import { Frame } from '../model';
import { readSlices } from '../protocol';
import { Place, Roofs } from '../scene/statics';
import { Context, Moment, Panel } from './panel';

interface Goal { behavior?: string; target?: [number, number]; candidates?: { points: [number, number][]; taken?: boolean; blocked?: boolean }[]; obstacles?: [number, number][]; cell?: number }

export class MapPanel extends Panel {
  override readonly interval = 150;
  places: Place[] = [];
  roofs: Roofs[] = [];
  private readonly sheet = new Sheet('Map from above', 'map');
  private readonly caption = el('p', { class: 'caption' });
  private scale = 3;           // [px/m]
  private headingUp = true;
  private trail: { times: ArrayLike<number>; x: ArrayLike<number>; y: ArrayLike<number> }[] = [];
  private goal: Goal | null = null;
  private goalAsked = 0;
  private readonly hasPilot: boolean;

  constructor(private readonly context: Context) {
    super('map', 'Map');
    const zoom = (factor: number) => () => { this.scale = Math.min(30, Math.max(0.05, this.scale * factor)); this.last = -Infinity; };
    const north = el('button', { 'aria-pressed': 'true', text: 'heading up', onclick: () => { this.headingUp = !this.headingUp; north.setAttribute('aria-pressed', String(this.headingUp)); } });
    this.body.append(this.sheet.canvas, el('div', { class: 'row' }, el('button', { text: '+', 'aria-label': 'Zoom in', onclick: zoom(1.5) }), el('button', { text: '−', 'aria-label': 'Zoom out', onclick: zoom(1 / 1.5) }), north, this.caption));
    this.hasPilot = context.run.channels.some((channel) => channel.name.startsWith('autonomy/'));
    if (context.hello.kind === 'replay') void this.fetchTrails();
  }

  private async fetchTrails(): Promise<void> {
    const { hello, connection, clips } = this.context;
    for (let r = 0; r < hello.runs.length; ++r) {
      const run = hello.runs[r];
      const position = run.channels.find((channel) => channel.name === 'chassis/position');
      if (!position) continue;
      if (connection.exported) {
        setTimeout(() => {
          const x = clips[r]?.column(position.first), y = clips[r]?.column(position.first + 1);
          if (x && y) this.trail[r] = { times: x.times, x: x.values, y: y.values };
        }, 500);
        continue;
      }
      const bytes = await connection.get(`/api/slice?run=${r}&column=${position.first},${position.first + 1}&from=${run.begin}&to=${run.end}&points=1500`);
      if (!bytes) continue;
      const [x, y] = readSlices(bytes, 2);
      this.trail[r] = { times: x.times, x: x.values, y: y.values };
    }
  }

  update(moment: Moment): void {
    const { context, sheet } = this;
    if (!sheet.begin()) return;
    const frame = moment.frame, pose = frame.vehicles[0];
    if (!pose) return;
    if (this.hasPilot && context.hello.kind === 'live' && moment.clock - this.goalAsked > 400) {
      this.goalAsked = moment.clock;
      void context.connection.getJson<Goal>('/api/goal').then((goal) => { this.goal = goal; });
    }
    const [qx, qy, qz, qw] = pose.bodies.subarray(3, 7);
    const yaw = Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz));
    const pen = sheet.pen, turn = this.headingUp ? Math.PI / 2 - yaw : 0, c = Math.cos(turn), s = Math.sin(turn);
    const cx = sheet.width / 2, cy = this.headingUp ? 0.68 * sheet.height : sheet.height / 2;
    const at = (x: number, y: number): [number, number] => {
      const dx = x - pose.position[0], dy = y - pose.position[1];
      return [cx + this.scale * (c * dx - s * dy), cy - this.scale * (s * dx + c * dy)];
    };
    const line = (points: Iterable<[number, number]>, color: string, width: number, dash: number[]): void => {
      pen.strokeStyle = color;
      pen.lineWidth = width;
      pen.setLineDash(dash);
      pen.beginPath();
      let first = true;
      for (const [x, y] of points) { const [u, v] = at(x, y); if (first) pen.moveTo(u, v); else pen.lineTo(u, v); first = false; }
      pen.stroke();
      pen.setLineDash([]);
    };
    this.drawGrid(pen, sheet.width, sheet.height, pose, at);
    const reach = 1.2 * sheet.width / this.scale;
    for (const roofs of this.roofs) {
      if (Math.hypot(roofs.x - pose.position[0], roofs.y - pose.position[1]) > reach + 2 * roofs.radius) continue;
      const [u, v] = at(roofs.x, roofs.y), k = this.scale;
      pen.save();
      pen.transform(k * c, -k * s, -k * s, -k * c, u, v);
      pen.fillStyle = theme.get('line');
      pen.fill(roofs.path);
      pen.restore();
    }
    pen.fillStyle = theme.get('c2');
    for (const place of this.places) {
      if (Math.abs(place.x - pose.position[0]) > reach || Math.abs(place.y - pose.position[1]) > reach) continue;
      const [u, v] = at(place.x, place.y);
      pen.beginPath();
      pen.arc(u, v, Math.max(1.6, place.radius * this.scale), 0, 7);
      pen.fill();
    }
    line(context.run.path, theme.get('c6'), 1.5, [6, 4]);
    for (const candidate of this.goal?.candidates ?? []) {
      line(candidate.points, theme.get(candidate.taken ? 'c0' : candidate.blocked ? 'c1' : 'c6'), candidate.taken ? 2.5 : 1, candidate.blocked ? [2, 3] : []);
    }
    pen.fillStyle = theme.get('c1');
    for (const [x, y] of this.goal?.obstacles ?? []) {
      const [u, v] = at(x, y), size = Math.max(2, (this.goal?.cell ?? 0.2) * this.scale);
      pen.fillRect(u - size / 2, v - size / 2, size, size);
    }
    if (this.goal?.target) cross(pen, at(...this.goal.target), theme.get('c0'));
    if (context.hello.kind === 'live') {
      const px = context.channels.index('chassis/position.x'), py = context.channels.index('chassis/position.y');
      if (px >= 0) {
        const x = context.history.column(px, -Infinity), y = context.history.column(py, -Infinity);
        line(x.values.map((v, i): [number, number] => [v, y.values[i]]), theme.get('c0'), 2, []);
      }
    } else {
      this.trail.forEach((trail, r) => {
        const points: [number, number][] = [];
        for (let i = 0; i < trail.times.length; ++i) points.push([trail.x[i], trail.y[i]]);
        line(points, theme.get(r === 0 ? 'c0' : `c${r}`), r === 0 ? 2 : 1.5, r === 0 ? [] : [5, 3]);
      });
    }
    frame.vehicles.forEach((other, i) => this.drawVehicle(pen, at, frame, i, turn, i === 0 ? 'ink' : 'c3', other.bodies));
    for (let i = 0; i < context.run.things.length; ++i) {
      const [u, v] = at(frame.things[4 * i], frame.things[4 * i + 1]), thing = context.run.things[i];
      pen.save();
      pen.translate(u, v);
      pen.rotate(-(frame.things[4 * i + 3] + turn));
      pen.fillStyle = theme.get('c3');
      pen.fillRect(-thing.length * this.scale / 2, -thing.width * this.scale / 2, Math.max(3, thing.length * this.scale), Math.max(3, thing.width * this.scale));
      pen.restore();
    }
    if (moment.ghost) this.drawVehicle(pen, at, moment.ghost, 0, turn, 'c0', moment.ghost.vehicles[0].bodies);
    this.caption.textContent = this.goal?.behavior ? `pilot: ${this.goal.behavior}` : '';
  }

  private drawVehicle(pen: CanvasRenderingContext2D, at: (x: number, y: number) => [number, number], frame: Frame, index: number, turn: number, color: string, q: Float32Array): void {
    const pose = frame.vehicles[index], vehicle = this.context.run.vehicles[index];
    if (!pose || !vehicle) return;
    const yaw = Math.atan2(2 * (q[6] * q[5] + q[3] * q[4]), 1 - 2 * (q[4] * q[4] + q[5] * q[5]));
    const outline = vehicle.outline ?? { front: 1, rear: -1, left: 0.5, right: -0.5 };
    const grow = Math.max(1, 14 / (this.scale * Math.max(0.1, outline.front - outline.rear)));
    const front = grow * outline.front * this.scale, rear = grow * outline.rear * this.scale, half = grow * Math.max(Math.abs(outline.left), Math.abs(outline.right)) * this.scale;
    pen.save();
    pen.translate(...at(pose.position[0], pose.position[1]));
    pen.rotate(-(yaw + turn));
    pen.fillStyle = theme.get(color);
    pen.beginPath();
    pen.moveTo(rear, -half);
    pen.lineTo(0.45 * front, -half);
    pen.lineTo(front, 0);
    pen.lineTo(0.45 * front, half);
    pen.lineTo(rear, half);
    pen.fill();
    pen.restore();
  }

  private drawGrid(pen: CanvasRenderingContext2D, width: number, height: number, pose: { position: Float64Array }, at: (x: number, y: number) => [number, number]): void {
    const step = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => s * this.scale > 42) ?? 2000;
    const reach = Math.ceil(Math.hypot(width, height) / this.scale / step);
    const x0 = Math.round(pose.position[0] / step), y0 = Math.round(pose.position[1] / step);
    pen.strokeStyle = theme.get('line');
    pen.lineWidth = 1;
    pen.beginPath();
    for (let k = -reach; k <= reach; ++k) {
      for (const [a, b] of [[at((x0 + k) * step, (y0 - reach) * step), at((x0 + k) * step, (y0 + reach) * step)], [at((x0 - reach) * step, (y0 + k) * step), at((x0 + reach) * step, (y0 + k) * step)]]) {
        pen.moveTo(...a);
        pen.lineTo(...b);
      }
    }
    pen.stroke();
    pen.fillStyle = pen.strokeStyle = theme.get('muted');
    pen.font = '11px system-ui, sans-serif';
    pen.fillText(`${step} m`, 8, height - 12);
    pen.beginPath();
    pen.moveTo(8, height - 7);
    pen.lineTo(8 + step * this.scale, height - 7);
    pen.stroke();
  }
}

function cross(pen: CanvasRenderingContext2D, [u, v]: [number, number], color: string): void {
  pen.strokeStyle = color;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(u - 5, v - 5);
  pen.lineTo(u + 5, v + 5);
  pen.moveTo(u + 5, v - 5);
  pen.lineTo(u - 5, v + 5);
  pen.stroke();
}
