// The 3-D view of one moment: sky, ground, what stands on it, vehicles, ghosts, forces.
import * as THREE from 'three';
import { Channels } from '../channels';
import { el, setText } from '../dom';
import { Frame, Hello, Run, Sensor } from '../model';
import { Scan } from '../protocol';
import { Cameras, driverEye, placeInside } from './cameras';
import { SoftShadow, Dust, Tracks, Tufts } from './effects';
import { contactOf, Forces, WheelForces } from './forces';
import { Get, Ground, lookColors } from './ground';
import { LidarPoints } from './lidar';
import { PathLine } from './path_line';
import { Quality } from './quality';
import { Sky } from './sky';
import { Statics } from './statics';
import { Thing } from './thing';
import { Vehicle } from './vehicle';

export class View {
  readonly cameras = new Cameras();
  readonly scene = new THREE.Scene();
  readonly vehicles: Vehicle[];
  readonly ground: Ground;
  readonly statics: Statics;
  readonly tip = el('div', { class: 'tip', hidden: true });
  readonly forceLabels: HTMLElement;
  showGhost = true;
  effects = true;
  private readonly origin = new THREE.Vector3();
  private readonly sky: Sky;
  private readonly forces: Forces;
  private readonly tracks: Tracks;
  private readonly dust: Dust | null;
  private readonly tufts: Tufts | null;
  private readonly things: Thing[];
  private readonly ghosts = new Map<number, Vehicle>();
  private readonly path: PathLine;
  private readonly points: LidarPoints;
  private readonly blob: SoftShadow | null = null;
  private readonly loose: boolean;
  private readonly insetCamera = new THREE.PerspectiveCamera(70, 16 / 9, 0.1, 3000);
  private readonly wheels: { load: number[]; x: number[]; y: number[]; deflection: number[]; slip: number[] };
  private readonly speedIndex: number;
  private readonly steerIndex: number;
  private frames = 0;
  private pointer: THREE.Vector2 | null = null;
  private distance = 0;
  private lastTime = NaN;

  constructor(readonly renderer: THREE.WebGLRenderer, hello: Hello, run: Run, channels: Channels,
              start: Frame, get: Get, readonly quality: Quality) {
    renderer.toneMapping = THREE.ACESFilmicToneMapping;
    renderer.toneMappingExposure = 0.95;
    renderer.shadowMap.enabled = quality.shadows > 0;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    const p = start.vehicles[0]?.position ?? [0, 0, 0];
    // Single precision near the start: the scene counts from a round place.
    this.origin.set(Math.round(p[0] / 100) * 100, Math.round(p[1] / 100) * 100, Math.round(p[2] / 10) * 10);
    this.sky = new Sky(this.scene, hello.sky?.sun ?? [0.4, 0.3, 0.85], quality.sky, quality.shadows);
    this.ground = new Ground(hello.ground, hello.materials, this.origin, get, quality.rich, quality.shadows > 0);
    this.statics = new Statics(hello, hello.ground, this.origin, get, quality.rich, quality.shadows > 0);
    this.scene.add(this.ground.group, this.statics.group);
    const look = { fine: quality.rich, lambert: quality.lambert, shadows: quality.shadows > 0 };
    const fetchMesh = (index: number) => this.statics.fetchMesh(index);
    this.vehicles = run.vehicles.map((vehicle) => new Vehicle(vehicle, look, run.has_poses && vehicle.bodies.length > 1, fetchMesh));
    for (const vehicle of this.vehicles) this.scene.add(vehicle.root);
    this.things = run.things.map((thing) => new Thing(thing, quality.lambert, quality.shadows > 0));
    for (const thing of this.things) this.scene.add(thing.group);
    this.forces = new Forces(this.vehicles[0], hello.ground.friction > 0 ? hello.ground.friction : 1);
    this.forces.group.visible = false;
    this.forceLabels = this.forces.labels;
    this.forceLabels.hidden = true;
    this.scene.add(this.forces.group);
    const soil = hello.ground.look !== 'asphalt' && hello.ground.look !== 'concrete';
    this.loose = soil;
    this.tracks = new Tracks(quality.rich ? 6000 : 1600, new THREE.Color(0.03, 0.024, 0.014), soil ? 0.42 : 0.5);
    this.scene.add(this.tracks.mesh);
    this.dust = soil && quality.rich ? new Dust(lookColors(hello.ground.look)[1].clone().lerp(new THREE.Color(0.5, 0.45, 0.36), 0.6)) : null;
    if (this.dust) this.scene.add(this.dust.points);
    const grows = hello.ground.look === 'grass' || hello.ground.look === 'soil';
    this.tufts = quality.rich && grows ? new Tufts(36, 1.15, lookColors('grass'), (x, y) => this.ground.growthAt(x, y)) : null;
    if (this.tufts) { this.tufts.mesh.receiveShadow = true; this.scene.add(this.tufts.mesh); }
    this.path = new PathLine(run.path, this.origin, (x, y) => this.ground.heightAt(x, y));
    this.scene.add(this.path.mesh);
    if (quality.shadows === 0 && channels.index('chassis/position.x') >= 0) this.blob = new SoftShadow(this.vehicles[0]);
    if (this.blob) this.scene.add(this.blob.mesh);
    this.points = new LidarPoints();
    this.scene.add(this.points.points);
    this.wheels = {
      load: channels.all('wheels/load'), x: channels.all('wheels/longitudinal_force'), y: channels.all('wheels/lateral_force'),
      deflection: channels.all('wheels/deflection'), slip: channels.all('wheels/slip'),
    };
    this.speedIndex = channels.index('chassis/velocity.forward');
    this.steerIndex = channels.all('steering/angle')[0] ?? -1;
  }

  get tiles(): number { return this.ground.tiles; }
  get complete(): boolean { return this.ground.complete && this.statics.complete; }
  get scaleText(): string { return this.forces.scaleText; }

  /** Size of the canvas in CSS pixels. */
  resize(width: number, height: number): void {
    this.size = [width, height];
    this.sharp = false;
    this.renderer.setPixelRatio(Math.min(this.quality.ratio, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    this.cameras.camera.aspect = width / Math.max(1, height);
  }

  /** A still picture may take its time: all pixels of the screen. False if it is so already. */
  setSharp(on: boolean): boolean {
    const full = Math.min(1, window.devicePixelRatio || 1);
    if (on === this.sharp || this.quality.ratio >= full) return false;
    this.sharp = on;
    this.renderer.setPixelRatio(on ? full : this.quality.ratio);
    this.renderer.setSize(...this.size, false);
    return true;
  }
  private sharp = false;
  private size: [number, number] = [1, 1];

  setXray(on: boolean): void { this.vehicles[0]?.setXray(on); if (!on) this.tip.hidden = true; }
  setForces(on: boolean): void { this.forces.group.visible = on; this.forceLabels.hidden = !on; }
  setPoints(on: boolean): void { this.points.points.visible = on; }

  point(x: number, y: number, width: number, height: number): void { this.pointer = new THREE.Vector2(2 * x / width - 1, 1 - 2 * y / height); }
  unpoint(): void { this.pointer = null; this.tip.hidden = true; }

  showScan(scan: Scan, sensor: Sensor): void { this.points.show(scan, sensor, this.origin); }

  wheelForces(frame: Frame): WheelForces[] {
    const s = frame.sample, w = this.wheels;
    return this.vehicles[0].data.corners.map((_, k) => ({
      load: s[w.load[k]], longitudinal: s[w.x[k]], lateral: s[w.y[k]], deflection: s[w.deflection[k]] ?? 0,
    }));
  }

  private upAt(x: number, y: number): THREE.Vector3 {
    const e = 0.4, h = (a: number, b: number): number => this.ground.heightAt(a, b) ?? NaN;
    const up = new THREE.Vector3((h(x - e, y) - h(x + e, y)) / (2 * e), (h(x, y - e) - h(x, y + e)) / (2 * e), 1).normalize();
    return Number.isFinite(up.x) ? up : new THREE.Vector3(0, 0, 1);
  }

  /** Tracks of past moments, after a jump in time. */
  retrace(frames: Frame[]): void {
    this.tracks.clear();
    this.dust?.clear();
    for (const frame of frames) { this.place(frame); this.leaveTracks(frame, 0); }
    this.lastTime = NaN;
  }

  private place(frame: Frame): void {
    const steer = this.steerIndex >= 0 ? frame.sample[this.steerIndex] : 0;
    this.vehicles.forEach((vehicle, i) => {
      const pose = frame.vehicles[i];
      if (pose) vehicle.pose(pose, this.origin, steer, this.distance);
      vehicle.root.updateMatrixWorld();
    });
  }

  private leaveTracks(frame: Frame, dt: number): void {
    const vehicle = this.vehicles[0];
    if (!vehicle) return;
    const speed = frame.sample[this.speedIndex] || 0;
    const up = this.upAt(vehicle.root.position.x + this.origin.x, vehicle.root.position.y + this.origin.y);
    const forces = this.wheelForces(frame);
    vehicle.data.corners.forEach((corner, k) => {
      const { point, left, forward } = contactOf(vehicle, corner, forces[k].deflection, up);
      const touching = this.wheels.load.length === 0 || forces[k].load > 50;
      const use = Math.hypot(forces[k].longitudinal, forces[k].lateral) / Math.max(1, forces[k].load);
      const slip = Math.abs(frame.sample[this.wheels.slip[k]] ?? 0);
      const strength = !touching ? 0 : this.loose ? 1 : Math.min(1, Math.max(0, 3 * (use - 0.62), 2 * (slip - 0.25)));
      this.tracks.add(k, point, left, corner.width * 0.86, strength);
      if (this.dust && this.effects && touching && dt > 0) {
        const amount = dt * (0.9 * Math.max(0, Math.abs(speed) - 2) + 25 * Math.max(0, slip - 0.15));
        this.dust.emit(point, forward.multiplyScalar(-0.2 * speed), Math.min(2, amount));
      }
    });
  }

  /** Draws a moment. `ghosts` are other runs' moments; dt is the page's time since the last frame. */
  draw(frame: Frame, ghosts: { run: Run; frame: Frame; key: number }[], dt: number): void {
    ++this.frames;
    const speed = frame.sample[this.speedIndex] || 0;
    const moved = Number.isNaN(this.lastTime) ? 0 : frame.time - this.lastTime;
    this.lastTime = frame.time;
    this.distance += moved * speed;
    this.place(frame);
    if (moved > 0 && moved < 2) this.leaveTracks(frame, moved);
    if (moved !== 0) this.dust?.update(Math.min(0.1, Math.abs(moved)));
    this.placeGhosts(ghosts);
    this.things.forEach((thing, i) => thing.pose(frame.things, 4 * i, this.origin));
    const vehicle = this.vehicles[0];
    const floor = (x: number, y: number): number | undefined => {
      const z = this.ground.heightAt(x + this.origin.x, y + this.origin.y);
      return z === undefined ? undefined : z - this.origin.z;
    };
    vehicle.setInside(this.cameras.name === 'driver' || this.cameras.name === 'hood');
    this.cameras.update(vehicle, speed, dt, floor);
    const camera = this.cameras.camera, eye = camera.position;
    this.ground.update(eye);
    this.statics.update(eye);
    this.tufts?.update(vehicle.root.position.x + this.origin.x, vehicle.root.position.y + this.origin.y, this.origin);
    this.path.update(vehicle.root.position);
    this.sky.follow(eye, vehicle.root.position);
    if (this.blob) {
      const x = vehicle.root.position.x, y = vehicle.root.position.y;
      this.blob.place(vehicle, floor(x, y), this.upAt(x + this.origin.x, y + this.origin.y));
      // Eyes in the cab would see it through what is not drawn around them.
      if (this.cameras.name === 'driver' || this.cameras.name === 'hood') this.blob.mesh.visible = false;
    }
    if (this.forces.group.visible) {
      this.forces.update(this.wheelForces(frame), this.upAt(vehicle.root.position.x + this.origin.x, vehicle.root.position.y + this.origin.y));
    }
    this.renderer.render(this.scene, camera);
    this.tracks.sent();
    const canvas = this.renderer.domElement;
    if (this.forces.group.visible) this.forces.placeLabels(camera, canvas.clientWidth, canvas.clientHeight);
    this.updateTip(camera, canvas.clientWidth, canvas.clientHeight);
  }

  private updateTip(camera: THREE.Camera, width: number, height: number): void {
    if (!this.pointer) return;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(this.pointer, camera);
    const picked = this.vehicles[0].pick(caster.ray);
    this.tip.hidden = !picked;
    if (!picked) return;
    setText(this.tip, `${picked.name}: ${picked.text}`);
    const p = picked.point.project(camera);
    this.tip.style.transform = `translate(${((p.x + 1) * width / 2 + 12).toFixed(0)}px, ${((1 - p.y) * height / 2 - 12).toFixed(0)}px)`;
  }

  private placeGhosts(ghosts: { run: Run; frame: Frame; key: number }[]): void {
    const seen = new Set<number>();
    if (this.showGhost) {
      for (const { run, frame, key } of ghosts) {
        let vehicle = this.ghosts.get(key);
        if (!vehicle) {
          vehicle = new Vehicle(run.vehicles[0], { fine: false, lambert: true, shadows: false }, run.has_poses && run.vehicles[0].bodies.length > 1, (index) => this.statics.fetchMesh(index));
          vehicle.makeGhost();
          this.ghosts.set(key, vehicle);
          this.scene.add(vehicle.root);
        }
        vehicle.pose(frame.vehicles[0], this.origin, 0, 0);
        // A ghost inside the vehicle would only blur it.
        if (vehicle.root.position.distanceTo(this.vehicles[0].root.position) > 0.5) seen.add(key);
      }
    }
    for (const [key, vehicle] of this.ghosts) vehicle.root.visible = seen.has(key);
  }

  /** Driver's view into a 2-D canvas: drawn into a corner first, copied, and overdrawn by the main view. */
  drawInset(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const vehicle = this.vehicles[0], renderer = this.renderer;
    const eye = driverEye(vehicle);
    placeInside(this.insetCamera, vehicle, eye, 0, 0);
    this.insetCamera.aspect = width / height;
    this.insetCamera.updateProjectionMatrix();
    const ratio = renderer.getPixelRatio(), size = renderer.getSize(new THREE.Vector2());
    const w = Math.min(width, size.x * ratio), h = Math.min(height, size.y * ratio);
    const arrows = this.forces.group.visible, points = this.points.points.visible;
    this.forces.group.visible = this.points.points.visible = false;
    const ghosts = [...this.ghosts.values()].filter((ghost) => ghost.root.visible);
    for (const ghost of ghosts) ghost.root.visible = false;
    renderer.setViewport(0, 0, w / ratio, h / ratio);
    renderer.setScissor(0, 0, w / ratio, h / ratio);
    renderer.setScissorTest(true);
    this.sky.mesh.position.copy(this.insetCamera.position);
    if (this.blob) this.blob.mesh.visible = false;
    vehicle.setInside(true);
    renderer.render(this.scene, this.insetCamera);
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, size.x, size.y);
    for (const ghost of ghosts) ghost.root.visible = true;
    this.forces.group.visible = arrows;
    this.points.points.visible = points;
    const canvas = renderer.domElement;
    pen.drawImage(canvas, 0, canvas.height - h, w, h, 0, 0, pen.canvas.width, pen.canvas.height);
  }

  soilMoved(boxes: number[][]): void { for (const [x0, y0, x1, y1] of boxes) this.ground.refresh(x0, y0, x1, y1); }

  get statistics(): { calls: number; triangles: number; frames: number } {
    return { calls: this.renderer.info.render.calls, triangles: this.renderer.info.render.triangles, frames: this.frames };
  }
}
