// The page as a whole: one drive or recording, one time source, the view, panels and controls around it.
import * as THREE from 'three';
import { Channels } from './channels';
import { Clips } from './clips';
import { Connection, Status } from './connection';
import { el, setText, theme } from './dom';
import { Help } from './help';
import { History, mixFrames, Tries } from './history';
import { Hud } from './hud';
import { Calibration } from './input/calibrate';
import { Driver } from './input/driver';
import { Touch } from './input/touch';
import { actionOf, keysFor } from './keys';
import { Messages } from './messages';
import { DriveEvent, Flag, Frame, Hello, LiveState, Run } from './model';
import { ChannelList } from './panels/channel_list';
import { CameraPanel, DriverView, LidarPanel } from './panels/looks';
import { MapPanel } from './panels/map';
import { Context, Moment, Panel } from './panels/panel';
import { PlotGroup, SPAN } from './panels/plots';
import { EnergyPanel, FiguresPanel, GgPanel, GpsPanel, TimingPanel, WheelsPanel } from './panels/small';
import { readClip } from './protocol';
import { CAMERAS, CameraName } from './scene/cameras';
import { chooseQuality, PRESETS, Quality, Watch } from './scene/quality';
import { View } from './scene/view';
import { reducedMotion, saveSettings, settings } from './settings';
import { Sound } from './sound';
import { StudyPage } from './study';
import { Timeline } from './timeline';
import { Toolbar } from './toolbar';

const PLOTS = [
  { title: 'Speed', names: ['chassis/velocity.forward'] },
  { title: 'Attitude', names: ['chassis/attitude.roll', 'chassis/attitude.pitch'] },
  { title: 'Acceleration', names: ['chassis/acceleration.left', 'chassis/acceleration.forward'] },
  { title: 'Yaw rate', names: ['chassis/rates.yaw'] },
];

/** Moment of a recording that the address asks for (#t=3.5); read before the token is taken out of it. */
const ASKED = /[#&]t=([0-9.]+)/.exec(location.hash);

/** State of a time that is not now: a recording, or the past of a live drive. */
interface Review { time: number; playing: boolean; speed: number }

export class App {
  private readonly root: HTMLElement;
  private readonly connection: Connection;
  private readonly messages = new Messages();
  private readonly help: Help;
  private readonly calibration: Calibration;
  private readonly sound = new Sound();
  private readonly toolbar: Toolbar;
  private readonly viewBox = el('main', { class: 'view', 'aria-label': '3-D view', tabindex: -1 });
  private readonly side = el('aside', { class: 'panels', 'aria-label': 'Panels', tabindex: 0 });
  private readonly foot = el('div', { class: 'foot' });
  private session: Session | null = null;
  private status: Status = 'connecting';

  constructor(root: HTMLElement) {
    this.root = root;
    this.connection = new Connection({
      hello: (hello) => this.begin(hello), study: (hello) => { document.title = `${hello.name} – camber`; document.documentElement.dataset.kind = 'study'; document.documentElement.dataset.panels = 'off'; this.side.hidden = true; this.viewBox.replaceChildren(new StudyPage(hello).element); }, state: (live, frame) => this.session?.take(live, frame), event: (event) => this.session?.event(event),
      status: (status, text) => this.setStatus(status, text),
    });
    this.toolbar = new Toolbar((action) => this.session?.act(action), () => this.help.toggle());
    this.help = new Help(() => (this.session?.mode ?? 'live'), () => this.session?.hello.program ?? 'camber', () => this.applySettings(), () => this.calibration.start(), () => this.connection.control('end'));
    this.calibration = new Calibration((text) => this.messages.say(text));
    this.root.append(this.toolbar.element, this.viewBox, this.side, this.foot, this.help.element, this.calibration.element, this.messages.said);
    this.viewBox.append(el('p', { class: 'wait', text: 'Waiting for camber …' }));
    this.applyTheme();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.applyTheme());
    addEventListener('keydown', (event) => this.key(event, true));
    addEventListener('keyup', (event) => this.key(event, false));
    void this.connection.start();
  }

  private setStatus(status: Status, text: string): void {
    this.status = status;
    this.toolbar.setStatus(status, text);
    document.documentElement.dataset.status = status;
    if (!this.session) setText(this.viewBox.querySelector('.wait') ?? this.viewBox, status === 'connecting' && text === 'connecting' ? 'Waiting for camber …' : text);
    if (status === 'lost' || status === 'refused' || status === 'ended') { this.messages.say(text); this.session?.disconnected(text); }
  }

  private begin(hello: Hello): void {
    if (this.session) {
      // The same drive after a lost connection goes on; another one needs another page.
      if (this.session.fits(hello)) { this.session.reconnected(hello); return; }
      location.reload();
      return;
    }
    document.title = `${hello.runs[0]?.name ?? 'camber'} – camber`;
    this.session = new Session(hello, this.connection, this.messages, this.toolbar, this.sound, this.viewBox, this.side, this.foot, this.help);
    document.documentElement.dataset.kind = hello.kind;
    if (hello.study !== undefined) this.toolbar.back('All samples');
    if (this.status === 'file') this.toolbar.setStatus('file', 'recorded run in this file');
  }

  private key(event: KeyboardEvent, down: boolean): void {
    const target = event.target as HTMLElement | null;
    if (this.help.open || this.calibration.element.open) return;
    if (target && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && !(target instanceof HTMLInputElement && target.type === 'range' && !/^(Arrow|Home|End|Page)/.test(event.code))) return;
    const key = actionOf(event, keysFor(this.session?.mode ?? 'live', settings.keys));
    if (!key) return;
    // Space and Enter press the button that has the focus.
    if (target instanceof HTMLButtonElement && (event.code === 'Space' || event.code === 'Enter')) return;
    if (target?.tagName === 'SUMMARY' && (event.code === 'Space' || event.code === 'Enter')) return;
    if (key.held) {
      event.preventDefault();
      if (!event.repeat) this.session?.drive(key.id, down);
      return;
    }
    if (!down) return;
    if (key.id === 'help') { if (event.code !== 'Slash' || event.shiftKey) { event.preventDefault(); this.help.toggle(); } return; }
    event.preventDefault();
    if (event.repeat && !/^(step|stepBack|scrub|back|look|closer|farther)/.test(key.id)) return;
    this.session?.act(key.id);
  }

  private applyTheme(): void {
    const dark = settings.theme === 'dark' || (settings.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    theme.forget();
    this.session?.restyle();
  }

  private applySettings(): void { this.applyTheme(); this.session?.applyQuality(); }
}

/** A drive or recording that is open. */
class Session {
  readonly mode: 'live' | 'replay';
  private readonly run: Run;
  private readonly channels: Channels;
  private readonly history: History;
  private readonly tries = new Tries();
  private readonly clips: Clips[];
  private readonly context: Context;
  private readonly hud: Hud;
  private readonly timeline: Timeline;
  private readonly driver: Driver;
  private readonly plots: PlotGroup;
  private readonly panels: Panel[] = [];
  private readonly events: DriveEvent[];
  private readonly scale = el('p', { class: 'scale', hidden: true });
  private readonly watch = new Watch();
  private view: View | null = null;
  private driverView: DriverView | null = null;
  private map: MapPanel | null = null;
  private lidar: LidarPanel | null = null;
  private live: LiveState | null = null;
  private newest: Frame | null = null;
  private previous: Frame | null = null;
  private arrived = 0;
  private review: Review | null = null;
  private shown: Frame | null = null;
  private id: number;
  private holder: number;
  private xray = false;
  private forces = false;
  private soilVersion = -1;
  private soilAsked = 0;
  private lastDraw = 0;
  private drawn = 0;
  private dirty = true;
  private renderer: THREE.WebGLRenderer | null = null;
  private quality: Quality = PRESETS.soft;
  private wishTake = false;

  constructor(readonly hello: Hello, private readonly connection: Connection, private readonly messages: Messages, private readonly toolbar: Toolbar,
              private readonly sound: Sound, private readonly viewBox: HTMLElement, private readonly side: HTMLElement, foot: HTMLElement, private readonly help: Help) {
    this.mode = hello.kind;
    this.run = hello.runs[0];
    this.id = hello.you.id;
    this.holder = hello.driver;
    this.channels = new Channels(this.run);
    this.history = new History(this.run.sample_size, 3000, 0.02);
    this.events = [...this.run.events];
    this.clips = hello.runs.map((run, k) => new Clips(connection, run, k, () => { this.dirty = true; }));
    this.context = {
      hello, run: this.run, channels: this.channels, connection, history: this.history, clips: this.clips, events: this.events,
      say: (text) => this.messages.say(text), seek: (time) => this.seek(time),
    };
    this.driver = new Driver(connection, hello.limits?.input_rate || 20);
    this.hud = new Hud(this.run, this.channels);
    this.timeline = new Timeline(this.mode === 'live', hello.runs.length, {
      seek: (time) => this.seek(time), toggle: () => this.act('pause'), step: (by) => this.act(by > 0 ? 'step' : 'stepBack'),
      speed: (factor) => { if (this.review) this.review.speed = factor; }, toLive: () => this.act('toLive'), driveOn: () => this.act('driveOn'),
      mark: () => this.act('mark'), difference: (on) => this.plots.setDifference(on),
    });
    if (this.mode === 'replay') {
      this.review = { time: this.run.begin, playing: !reducedMotion(), speed: 1 };
      if (ASKED) this.review = { time: Number(ASKED[1]), playing: false, speed: 1 };
    }
    foot.append(this.timeline.element);
    this.plots = new PlotGroup(this.context);
    this.viewBox.replaceChildren(this.hud.element, el('div', { class: 'words' }, this.hud.banner, this.messages.element), this.scale);
    if (this.mode === 'live') this.viewBox.append(new Touch(this.driver).element);
    toolbar.open(this.mode, this.run, this.help);
    this.addPanels();
    this.listen();
    this.setPanels(settings.panels && !matchMedia('(max-width: 700px), (max-height: 500px)').matches);
    requestAnimationFrame((now) => this.frame(now));
  }

  fits(hello: Hello): boolean {
    return hello.kind === this.hello.kind && JSON.stringify(hello.runs[0]?.channels) === JSON.stringify(this.run.channels)
      && hello.runs[0]?.file === this.run.file && JSON.stringify(hello.ground) === JSON.stringify(this.hello.ground);
  }

  reconnected(hello: Hello): void {
    this.id = hello.you.id;
    this.holder = hello.driver;
    this.messages.say('connected again');
  }

  disconnected(text: string): void {
    this.driver.driving = false;
    this.holder = 0;
    this.hud.setBanner(text, 'warn');
  }

  /** Who drives, in words. */
  private get holderName(): string { return this.holder === 0 ? '' : this.holder === this.hello.wheel?.id ? 'the steering wheel' : `viewer ${this.holder}`; }

  private addPanels(): void {
    const add = <T extends Panel>(panel: T): T => { this.panels.push(panel); this.side.append(panel.element); return panel; };
    const { context, run } = this;
    // Mechanisms have no driver, no place and no speed.
    const isVehicle = this.channels.index('chassis/position.x') >= 0;
    this.hud.element.hidden = !isVehicle;
    if (isVehicle) this.driverView = add(new DriverView());
    const seen = run.sensors.filter((sensor) => this.mode === 'live' || sensor.recorded);
    const lidar = seen.find((sensor) => sensor.kind === 'lidar');
    if (lidar) this.lidar = add(new LidarPanel(context, lidar, (scan, sensor) => { this.view?.showScan(scan, sensor); this.dirty = true; }));
    for (const camera of seen.filter((sensor) => sensor.kind === 'camera')) add(new CameraPanel(context, camera));
    if (this.hello.runs.some((r) => r.figures.length > 0)) add(new FiguresPanel(context));
    if (isVehicle) { add(new GpsPanel(context)); this.map = add(new MapPanel(context)); }
    for (const wish of PLOTS) this.plots.add(wish);
    // Checks of the integrator and raw poses say least.
    const dull = (name: string): number => (/^(constraints|bodies)\//.test(name) ? 1 : 0);
    if (!isVehicle) for (const channel of [...run.channels].sort((a, b) => dull(a.name) - dull(b.name)).slice(0, 4)) this.plots.add({ title: channel.name, names: channel.columns.slice(0, 4).map((column) => (column ? `${channel.name}.${column}` : channel.name)) });
    this.side.append(this.plots.element);
    if (this.channels.all('wheels/load').length > 0) add(new WheelsPanel(context));
    if (this.channels.index('chassis/acceleration.forward') >= 0) add(new GgPanel(context));
    if (this.channels.all('energy/balance').length > 0) add(new EnergyPanel(context));
    if (this.mode === 'live') add(new TimingPanel(context));
    add(new ChannelList(context, this.plots));
  }

  private listen(): void {
    let last: [number, number] | null = null;
    this.viewBox.addEventListener('pointerdown', (event) => { if (event.target instanceof HTMLCanvasElement) last = [event.clientX, event.clientY]; });
    addEventListener('pointermove', (event) => {
      const box = this.viewBox.getBoundingClientRect();
      if (last) {
        this.view?.cameras.drag(event.clientX - last[0], event.clientY - last[1]);
        last = [event.clientX, event.clientY];
        this.dirty = true;
      } else if (this.xray && event.target instanceof HTMLCanvasElement && this.viewBox.contains(event.target)) {
        this.view?.point(event.clientX - box.left, event.clientY - box.top, box.width, box.height);
        this.dirty = true;
      } else this.view?.unpoint();
    });
    for (const end of ['pointerup', 'pointercancel'] as const) addEventListener(end, () => { last = null; this.view?.cameras.release(); });
    this.viewBox.addEventListener('wheel', (event) => { event.preventDefault(); this.view?.cameras.approach(Math.exp(event.deltaY * 0.001)); this.dirty = true; }, { passive: false });
    new ResizeObserver(() => this.resize()).observe(this.viewBox);
    addEventListener('visibilitychange', () => { if (document.hidden) this.driver.held.clear(); });
  }

  /** State frame of the live drive. */
  take(live: LiveState, frame: Frame): void {
    const before = this.live?.flags ?? 0;
    if (this.newest && frame.time < this.newest.time - 1e-9) { this.history.cut(frame.time); this.tries.restart(frame.time); this.clips[0].forget(frame.time); this.previous = null; this.newest = null; }
    // A paused drive sends the same moment again and again: nothing to draw.
    if (this.newest?.time !== frame.time || before !== live.flags) this.dirty = true;
    if (!this.recalled) { this.recalled = true; if (frame.time > this.run.begin + 0.1) void this.recall(frame.time); }
    this.previous = this.newest;
    this.newest = frame;
    this.live = live;
    this.arrived = performance.now();
    this.run.end = Math.max(frame.time, this.run.begin);
    this.history.push(frame);
    this.tries.push(frame);
    document.documentElement.dataset.received = String(this.connection.received);
    document.documentElement.dataset.echo = String(live.inputFrom === this.id ? live.input : 0);
    if ((before ^ live.flags) & (Flag.silentBrake | Flag.silentHold) && live.flags & Flag.silentBrake) this.messages.say('no input: braking');
  }

  /** A page that comes late asks for the last seconds: its plots and trails begin there. */
  private async recall(time: number): Promise<void> {
    const bytes = await this.connection.get(`/api/clip?run=0&from=${Math.max(this.run.begin, time - SPAN)}&to=${time}&rate=50`);
    if (!bytes) return;
    const clip = await readClip(bytes), first = clip.columns.length - this.run.sample_size;
    this.history.recall(clip.columns[0], (row) => Float32Array.from({ length: this.run.sample_size }, (_, k) => clip.columns[first + k][row]));
    this.dirty = true;
  }
  private recalled = false;

  event(event: DriveEvent): void {
    if (event.kind === 'refused') { this.wishTake = false; this.messages.say(this.holder !== 0 && this.holder !== this.id ? `${this.holderName} drives, and only the driver can do that` : event.text || 'somebody else drives'); return; }
    if (event.kind === 'lease') {
      this.holder = event.driver ?? 0;
      this.driver.driving = this.holder === this.id && this.id !== 0;
      if (this.driver.driving) { this.driver.poll(performance.now()); this.messages.say('you drive'); }
      else this.messages.say(this.holder === 0 ? 'nobody drives by hand' : `${this.holderName} drives`);
      this.wishTake = false;
    } else if (event.kind === 'scan') {
      this.lidar?.announce();
      return;
    } else if (event.kind === 'back' || event.kind === 'reset') {
      const to = event.to ?? this.run.begin;
      for (let i = this.events.length - 1; i >= 0; --i) if (this.events[i].time > to) this.events.splice(i, 1);
      this.clips[0].forget(to);
      this.history.cut(to);
      this.tries.restart(to);
      this.view?.retrace([]);
      this.review = null;
      this.messages.say(event.kind === 'reset' ? 'back to the start' : `back to ${to.toFixed(1)} s`);
    } else if (event.kind === 'paused' || event.kind === 'running') this.messages.say(event.kind, true);
    else if (event.kind === 'lift' || event.kind === 'contact') {
      const wheel = this.run.vehicles[0]?.corners[event.wheel ?? -1]?.name.replace(/_/g, ' ');
      if (wheel) event = { ...event, text: `${wheel} wheel ${event.kind === 'lift' ? 'lifted' : 'is down'}` };
      this.messages.say(event.text || event.kind);
    } else if (event.kind !== 'speed' && event.kind !== 'gear') this.messages.say(event.text || event.kind);
    this.events.push(event);
    document.documentElement.dataset.events = String(this.events.length);
    this.dirty = true;
  }

  /** A held key of driving. The first one takes the wheel if nobody has it. */
  drive(id: string, down: boolean): void {
    this.driver.key(id, down);
    if (down && id !== 'lock') this.maybeTake();
  }

  private maybeTake(): void {
    if (this.mode !== 'live' || this.driver.driving || this.wishTake) return;
    if (this.holder === 0) { this.wishTake = true; this.connection.control('take', 0); }
  }

  seek(time: number): void {
    const end = this.mode === 'live' ? this.newest?.time ?? this.run.end : Math.max(...this.hello.runs.map((run) => run.end));
    time = Math.min(end, Math.max(this.run.begin, time));
    if (this.review) this.review = { ...this.review, time, playing: false }; else { this.clips[0].forget(time); this.review = { time, playing: false, speed: 1 }; }
    this.retraced = false;
    this.dirty = true;
  }
  private retraced = true;

  /** Everything that a key or a button does. */
  act(id: string): void {
    const { connection, review } = this;
    const paused = (this.live?.flags ?? 0) & Flag.paused;
    const replay = this.mode === 'replay';
    this.dirty = true;
    if (id.startsWith('camera') || id === 'camera') { this.chooseCamera(id); return; }
    switch (id) {
      case 'pause': case 'play':
        if (review) { const end = Math.max(...this.hello.runs.map((run) => run.end)); review.playing = !review.playing; if (review.playing && review.time >= end - 1e-6) this.review = { ...review, time: this.run.begin }; } else connection.control(paused ? 'goOn' : 'pause');
        return;
      case 'step': if (review) this.seek(review.time + this.sampleStep()); else connection.control('step', 1); return;
      case 'stepBack': if (review) this.seek(review.time - this.sampleStep()); else if (this.newest) this.seek(this.newest.time - this.sampleStep()); return;
      case 'scrubBack': if (review) this.seek(review.time - 1); return;
      case 'scrubOn': if (review) this.seek(review.time + 1); return;
      case 'first': this.seek(this.run.begin); return;
      case 'last': this.seek(Infinity); return;
      case 'slower': case 'faster': this.changeSpeed(id === 'faster' ? 2 : 0.5); return;
      case 'reset': if (replay) this.seek(this.run.begin); else connection.control('reset'); return;
      case 'back': if (review) this.seek(review.time - 3); else connection.control('back', 3); return;
      case 'driveOn': if (!replay && review) { connection.control('driveOn', review.time); this.review = null; } return;
      case 'toLive': if (!replay) { this.review = null; this.view?.retrace([]); } return;
      case 'take': if (!replay) connection.control(this.driver.driving ? 'release' : 'take', this.driver.driving ? 0 : 1); return;
      case 'selectForward': this.driver.selector = 1; this.maybeTake(); return;
      case 'selectReverse': this.driver.selector = 2; this.maybeTake(); return;
      case 'range': if (this.run.controls?.ranges) { this.driver.range = (this.live?.flags ?? 0) & Flag.lowRange ? 1 : 2; this.maybeTake(); this.messages.say(Math.abs(this.shown?.sample[this.channels.index('chassis/velocity.forward')] ?? 0) > 0.5 ? 'the range changes at rest' : this.driver.range === 2 ? 'low range' : 'high range'); } return;
      case 'parkingBrake': this.driver.parkingBrake = !this.driver.parkingBrake; this.maybeTake(); this.messages.say(this.driver.parkingBrake ? 'parking brake set' : 'parking brake released'); return;
      case 'assist': this.messages.say(this.driver.nextAssist()); return;
      case 'sound': this.messages.say(this.sound.toggle() ? 'sound on' : 'sound off'); return;
      case 'mark': this.plots.mark = this.plots.mark === null && this.shown ? this.shown.time : null; return;
      case 'lookLeft': this.view?.cameras.turn(0.15); return;
      case 'lookRight': this.view?.cameras.turn(-0.15); return;
      case 'closer': this.view?.cameras.approach(0.85); return;
      case 'farther': this.view?.cameras.approach(1 / 0.85); return;
      case 'xray': this.xray = !this.xray; this.view?.setXray(this.xray); break;
      case 'forces': this.forces = !this.forces; this.view?.setForces(this.forces); this.scale.hidden = !this.forces; setText(this.scale, `forces: ${this.view?.scaleText ?? ''}; circle: friction`); break;
      case 'ghost': if (this.view) { this.view.showGhost = !this.view.showGhost; this.messages.say(this.view.showGhost ? 'ghost shown' : 'ghost hidden'); } return;
      case 'points': this.points = !this.points; this.view?.setPoints(this.points); break;
      case 'panels': this.setPanels(this.side.hidden === true); settings.panels = !this.side.hidden; saveSettings(); return;
    }
    this.toolbar.setPressed(id, id === 'xray' ? this.xray : id === 'forces' ? this.forces : this.points);
  }
  private points = false;

  private sampleStep(): number { return Math.max(this.run.sample_interval || 0, 0.01); }

  private changeSpeed(factor: number): void {
    if (this.review) {
      this.review.speed = Math.min(8, Math.max(1 / 32, this.review.speed * factor));
      this.timeline.setSpeed(this.review.speed);
      this.messages.say(`speed ${this.review.speed} ×`);
    } else this.connection.control('speed', Math.min(8, Math.max(1 / 32, (this.live?.wantedFactor || 1) * factor)));
  }

  private chooseCamera(id: string): void {
    const cameras = this.view?.cameras;
    if (!cameras) return;
    const number = Number(id.slice(6));
    const name: CameraName = number > 0 ? CAMERAS[number - 1] : CAMERAS[(CAMERAS.indexOf(cameras.name) + 1) % CAMERAS.length];
    if (name === 'wheel' && cameras.name === 'wheel') cameras.wheel = (cameras.wheel + 1) % Math.max(1, this.run.vehicles[0].corners.length);
    cameras.choose(name);
    document.documentElement.dataset.camera = name;
    this.messages.say(name === 'wheel' ? `camera: wheel ${this.run.vehicles[0].corners[cameras.wheel]?.name.replace(/_/g, ' ') ?? ''}` : `camera: ${name}`);
  }

  private setPanels(on: boolean): void {
    this.side.hidden = !on;
    document.documentElement.dataset.panels = on ? 'on' : 'off';
    this.toolbar.setPressed('panels', on);
  }

  restyle(): void { this.plots.redraw(); this.dirty = true; }

  applyQuality(): void {
    if (!this.renderer || !this.shown) return;
    const wish = chooseQuality(settings.quality, rendererName(this.renderer), phone());
    if (wish.name !== this.quality.name) this.openView(this.shown, wish);
  }

  private openView(start: Frame, quality: Quality): void {
    const old = this.view?.renderer.domElement;
    const camera = this.view?.cameras.name;
    this.renderer?.dispose();
    old?.remove();
    this.view?.forceLabels.remove();
    this.view?.tip.remove();
    const canvas = el('canvas', { class: 'scene', role: 'img', 'aria-label': 'The vehicle on its ground' });
    // Asking for the context first: three.js would write to the console where there is none.
    const gl = canvas.getContext('webgl2', { antialias: quality.name === 'high', alpha: false, powerPreference: 'high-performance' });
    if (!gl) {
      this.view = null;
      this.viewBox.classList.add('flat');
      this.hud.setBanner('This browser draws no 3-D (WebGL 2 is off). Map, plots and driving work.', 'warn');
      if (this.map) this.viewBox.append(this.map.element);
      this.driverView?.element.remove();
      document.documentElement.dataset.view = 'none';
      return;
    }
    const renderer = this.renderer = new THREE.WebGLRenderer({ canvas, context: gl });
    this.quality = quality;
    Panel.pace = quality.name === 'soft' ? 3 : 1;
    this.viewBox.prepend(canvas);
    this.view = new View(renderer, this.hello, this.run, this.channels, start, (address) => this.connection.get(address), quality);
    this.view.cameras.stiff = reducedMotion();
    this.view.effects = !reducedMotion();
    if (camera) this.view.cameras.choose(camera); else if (!this.map) this.view.cameras.choose('around');
    this.viewBox.append(this.view.forceLabels, this.view.tip);
    this.view.setXray(this.xray);
    this.view.setForces(this.forces);
    this.view.setPoints(this.points);
    if (this.map) { this.map.places = this.view.statics.places; this.map.roofs = this.view.statics.roofs; }
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.hud.setBanner('The 3-D view was lost (graphics restarted). Driving, plots and map go on.', 'warn');
      document.documentElement.dataset.view = 'lost';
    });
    canvas.addEventListener('webglcontextrestored', () => { this.hud.setBanner(''); document.documentElement.dataset.view = this.quality.name; this.dirty = true; });
    document.documentElement.dataset.view = quality.name;
    this.resize();
  }

  private resize(): void {
    const box = this.viewBox.getBoundingClientRect();
    this.view?.resize(Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height)));
    this.dirty = true;
  }

  /** Moment to show now: the newest one and a little beyond, or that of the clip. */
  private current(now: number, dt: number): Frame | null {
    if (!this.review) {
      if (!this.newest) return null;
      if (!this.previous || !this.live || this.live.flags & (Flag.paused | Flag.ended | Flag.failed)) return this.newest;
      const span = this.newest.time - this.previous.time;
      if (span <= 1e-6 || span > 0.2) return this.newest;
      // Frames come at their own pace: go on with the last motion, at most 33 ms.
      const ahead = Math.min(0.033, (now - this.arrived) / 1000) * Math.max(0, this.live.actualFactor || 0);
      return ahead < 0.002 ? this.newest : { ...mixFrames(this.previous, this.newest, 1 + Math.min(2, ahead / span)), sample: this.newest.sample };
    }
    const review = this.review;
    if (review.playing) {
      const end = Math.max(...this.hello.runs.map((run) => run.end));
      review.time += dt * review.speed;
      this.dirty = true;
      if (review.time >= end) { review.time = end; review.playing = false; }
    }
    const frame = this.clips[0].frame(Math.min(review.time, this.run.end));
    if (frame !== null && !this.retraced && this.view) { this.retrace(review.time); this.retraced = true; }
    return frame;
  }

  private retrace(time: number): void {
    const frames: Frame[] = [];
    for (let t = Math.max(this.run.begin, time - 12); t < time; t += 0.08) { const frame = this.clips[0].known(t); if (frame) frames.push(frame); }
    this.view!.retrace(frames);
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const dt = Math.min(0.25, (now - this.lastDraw) / 1000);
    this.driver.poll(now);
    if (this.mode === 'live' && !this.driver.driving && this.driver.wantsToDrive && this.driver.command.device !== 0) this.maybeTake();
    const frame = this.current(now, this.lastDraw === 0 ? 0 : dt);
    if (!frame) { this.lastDraw = now; return; }
    const still = this.review ? !this.review.playing : ((this.live?.flags ?? 0) & Flag.paused) !== 0;
    // A still picture that is complete is not drawn again and again.
    const mayRest = still && !this.dirty && this.settled > 14;
    const interval = now - this.lastDraw;
    // Where a frame takes long, fewer of them are drawn before the picture is left as it is.
    this.settled = this.dirty || !(this.view?.complete ?? true) ? 0 : this.settled + (interval > 400 ? 4 : 1);
    this.dirty = false;
    if (this.view && !this.renderer!.getContext().isContextLost()) {
      if (!still || this.settled < 12) this.view.setSharp(false);
      else this.view.setSharp(true);
    }
    this.lastDraw = now;
    const ghosts = this.ghosts(frame);
    if (!mayRest) {
      if (!this.view && document.documentElement.dataset.view === undefined) this.firstView(frame);
      if (this.view && !this.renderer!.getContext().isContextLost()) {
        if (this.driverView && !this.side.hidden) this.driverView.draw(this.view);
        this.view.draw(frame, ghosts, dt);
        if (!still && settings.quality === 'auto' && this.watch.add(interval)) this.stepDown(frame);
      }
      ++this.drawn;
    }
    this.shown = frame;
    this.updatePage(frame, ghosts[0]?.frame ?? null, now, still);
  }
  private settled = 0;

  private firstView(frame: Frame): void {
    const probe = document.createElement('canvas').getContext('webgl2');
    const name = probe ? contextName(probe) : '';
    probe?.getExtension('WEBGL_lose_context')?.loseContext();
    this.openView(frame, chooseQuality(settings.quality, name, phone()));
    this.retraced = false;
  }

  private stepDown(frame: Frame): void {
    if (this.quality.name === 'soft') return;
    const next = this.quality.name === 'high' ? PRESETS.medium : PRESETS.soft;
    this.messages.say(`drawing is slow: ${next.name === 'soft' ? 'fast' : next.name} preset`);
    this.openView(frame, next);
  }

  private ghosts(frame: Frame): { run: Run; frame: Frame; key: number }[] {
    if (this.mode === 'live') {
      const ghost = this.review ? null : this.tries.ghost(frame.time);
      return ghost ? [{ run: this.run, frame: ghost, key: 0 }] : [];
    }
    return this.hello.runs.slice(1).flatMap((run, k) => {
      if (!run.vehicles[0]) return [];
      const other = this.clips[k + 1].frame(Math.min(run.end, Math.max(run.begin, frame.time)));
      return other ? [{ run, frame: other, key: k + 1 }] : [];
    });
  }

  private updatePage(frame: Frame, ghost: Frame | null, now: number, still: boolean): void {
    const live = this.review ? null : this.live;
    this.hud.update(frame, live);
    const moment: Moment = { frame, live: this.live, review: this.review !== null, clock: now, ghost };
    if (!this.side.hidden || !this.view) {
      for (const panel of this.panels) panel.tick(moment);
      if (now - this.plotted > 120 * Panel.pace) { this.plotted = now; for (const plot of this.plots.plots) plot.update(moment); }
    }
    const end = this.mode === 'live' ? Math.max(this.newest?.time ?? 0, this.run.begin + 1) : Math.max(...this.hello.runs.map((run) => run.end));
    if (this.mode === 'live' && this.review) this.clipsGrow(now);
    this.timeline.setRange(this.run.begin, end);
    this.timeline.setEvents(this.events);
    this.timeline.update(frame.time, this.review?.playing ?? !((this.live?.flags ?? 0) & Flag.paused), this.mode === 'live' && this.review !== null, true);
    this.toolbar.update(this.live, this.mode, this.driver.driving, this.holderName, this.review ? this.review.playing : !((this.live?.flags ?? 0) & Flag.paused), this.driver);
    this.updateBanner(live);
    if (this.sound.on) {
      const s = frame.sample;
      this.sound.update(s[this.channels.index('drivetrain/engine.speed')] || 0, s[this.channels.index('driver/command.throttle')] || 0, this.channels.all('wheels/slip').reduce((sum, k) => sum + Math.max(0, Math.abs(s[k]) - 0.1), 0));
    }
    if (this.hello.ground.soft && this.mode === 'live' && now - this.soilAsked > 1000) { this.soilAsked = now; void this.askSoil(); }
    const data = document.documentElement.dataset;
    data.frames = String(this.drawn);
    data.time = frame.time.toFixed(4);
    const numbers = this.view?.statistics;
    if (numbers) data.drawn = `${numbers.calls} calls, ${numbers.triangles} triangles`;
    data.steps = String(this.live?.steps ?? 0);
    data.tiles = String(this.view?.tiles ?? 0);
    data.complete = String(still && this.settled > 14);
    data.driving = String(this.driver.driving);
    data.paused = String(((this.live?.flags ?? 0) & Flag.paused) !== 0);
  }
  private plotted = 0;
  private grown = 0;

  private clipsGrow(now: number): void {
    // The newest piece of a drive that goes on is fetched anew now and then.
    if (now - this.grown < 2000 || !this.review?.playing) return;
    this.grown = now;
    this.clips[0].forget(this.review.time + 5);
  }

  private updateBanner(live: LiveState | null): void {
    if (document.documentElement.dataset.view === 'none' || document.documentElement.dataset.view === 'lost' || !['open', 'file'].includes(document.documentElement.dataset.status ?? '')) return;
    if (!live) { this.hud.setBanner(this.review && this.mode === 'live' ? 'The past: the drive goes on behind it' : ''); return; }
    const button = (text: string, id: string): HTMLElement => el('button', { text, onclick: () => this.act(id) });
    if (live.flags & Flag.failed || live.flags & Flag.ended) {
      const last = [...this.events].reverse().find((event) => ['hit', 'failed', 'ended'].includes(event.kind));
      this.hud.setBanner(last?.text || (live.flags & Flag.failed ? 'The drive failed' : 'The drive has ended'), live.flags & Flag.failed ? 'warn' : '', button('Back 3 s', 'back'), button('Reset', 'reset'));
    } else if (live.flags & Flag.silentBrake) this.hud.setBanner('No input from the driver: braking', 'warn');
    else if (live.flags & Flag.paused) this.hud.setBanner('Paused', '', button('Go on', 'pause'));
    else this.hud.setBanner('');
  }

  private async askSoil(): Promise<void> {
    const soil = await this.connection.getJson<{ version: number; boxes: number[][] }>('/api/soil');
    if (!soil || soil.version === this.soilVersion) return;
    this.soilVersion = soil.version;
    this.view?.soilMoved(soil.boxes);
  }
}

const phone = (): boolean => matchMedia('(pointer: coarse)').matches;

function contextName(gl: WebGL2RenderingContext): string {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

const rendererName = (renderer: THREE.WebGLRenderer): string => contextName(renderer.getContext() as WebGL2RenderingContext);
