// The path that the scenario's driver follows, as dashes on the ground near the vehicle.
import * as THREE from 'three';
import { Vec2 } from '../model';

const WIDTH = 0.1, DASH = 1.5, GAP = 1.5, REACH = 220;   // [m]

export class PathLine {
  readonly mesh: THREE.Mesh;
  private readonly dashes: { a: Vec2; b: Vec2 }[] = [];
  private readonly center = new THREE.Vector2(1e9, 1e9);
  private missing = 1;
  private waiting = 0;

  constructor(path: Vec2[], private readonly origin: THREE.Vector3, private readonly heightAt: (x: number, y: number) => number | undefined) {
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({
      color: 0xf4f1e4, transparent: true, opacity: 0.5, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
    }));
    this.mesh.frustumCulled = false;
    let walked = 0, begin: Vec2 | null = null;
    for (let i = 0; i + 1 < path.length; ++i) {
      const [a, b] = [path[i], path[i + 1]], length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      const at = (s: number): Vec2 => [a[0] + (b[0] - a[0]) * s / length, a[1] + (b[1] - a[1]) * s / length];
      for (let s = 0; s < length && this.dashes.length < 20_000;) {
        const phase = walked % (DASH + GAP), on = phase < DASH - 1e-9;
        const step = Math.min(length - s, (on ? DASH : DASH + GAP) - phase + 1e-9);
        if (on) {
          begin ??= at(s);
          // Short pieces follow curves; a dash may have several.
          const to = at(s + step);
          this.dashes.push({ a: begin, b: to });
          begin = phase + step < DASH - 1e-6 ? to : null;
        }
        s += step;
        walked += step;
      }
    }
  }

  update(center: THREE.Vector3): void {
    if (this.dashes.length === 0 || this.waiting-- > 0) return;
    const x = center.x + this.origin.x, y = center.y + this.origin.y;
    if (this.missing === 0 && this.center.distanceTo(new THREE.Vector2(x, y)) < 40) return;
    this.waiting = 20;
    this.center.set(x, y);
    this.missing = 0;
    const positions: number[] = [];
    for (const { a, b } of this.dashes) {
      if (Math.abs(a[0] - x) > REACH || Math.abs(a[1] - y) > REACH) continue;
      const za = this.heightAt(...a), zb = this.heightAt(...b);
      if (za === undefined || zb === undefined) { ++this.missing; continue; }
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const nx = -(b[1] - a[1]) / length * WIDTH / 2, ny = (b[0] - a[0]) / length * WIDTH / 2;
      const p = (q: Vec2, z: number, side: number): number[] => [q[0] + side * nx - this.origin.x, q[1] + side * ny - this.origin.y, z - this.origin.z + 0.025];
      positions.push(...p(a, za, 1), ...p(a, za, -1), ...p(b, zb, 1), ...p(b, zb, 1), ...p(a, za, -1), ...p(b, zb, -1));
    }
    this.mesh.geometry.dispose();
    this.mesh.geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  }
}
