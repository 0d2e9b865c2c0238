// Wheel tracks, dust and tufts: what makes speed and path visible. All positions are the world's less the origin.
import * as THREE from 'three';
import { hash2, random } from '../noise';
import { Vehicle } from './vehicle';

const DOWN = new THREE.Vector3(0, 0, 1);

/** Ribbons behind the wheels: a ring of quads in one draw call. */
export class Tracks {
  readonly mesh: THREE.Mesh;
  private readonly positions: Float32Array;
  private readonly colors: Float32Array;
  private readonly last: (THREE.Vector3 | null)[] = [];
  private readonly edge: [THREE.Vector3, THREE.Vector3][] = [];
  private next = 0;
  private used = 0;

  constructor(private readonly quads: number, color: THREE.Color, private readonly opacity: number) {
    this.positions = new Float32Array(quads * 12);
    this.colors = new Float32Array(quads * 16);
    const index = new Uint32Array(quads * 6);
    for (let q = 0; q < quads; ++q) index.set([4 * q, 4 * q + 1, 4 * q + 2, 4 * q + 2, 4 * q + 1, 4 * q + 3], 6 * q);
    for (let v = 0; v < quads * 4; ++v) this.colors.set([color.r, color.g, color.b, 0], 4 * v);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.positions, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('color', new THREE.BufferAttribute(this.colors, 4).setUsage(THREE.DynamicDrawUsage));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({
      vertexColors: true, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -3, polygonOffsetUnits: -3, side: THREE.DoubleSide,
    }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  /** A wheel is at this contact point; `strength` 0 where it does not touch. */
  add(wheel: number, at: THREE.Vector3, across: THREE.Vector3, width: number, strength: number): void {
    const last = this.last[wheel];
    if (last) {
      const step = last.distanceTo(at);
      if (step < 0.18) return;
      if (step > 4) { this.last[wheel] = null; }
    }
    const right = at.clone().addScaledVector(across, -width / 2).addScaledVector(DOWN, 0.012);
    const left = at.clone().addScaledVector(across, width / 2).addScaledVector(DOWN, 0.012);
    if (this.last[wheel] && strength > 0) {
      const [oldRight, oldLeft] = this.edge[wheel];
      const q = this.next;
      this.next = (this.next + 1) % this.quads;
      this.used = Math.min(this.quads, this.used + 1);
      [oldRight, oldLeft, right, left].forEach((p, k) => {
        this.positions.set([p.x, p.y, p.z], 12 * q + 3 * k);
        this.colors[16 * q + 4 * k + 3] = this.opacity * strength;
      });
      const geometry = this.mesh.geometry;
      for (const [name, size] of [['position', 12], ['color', 16]] as const) {
        const attribute = geometry.getAttribute(name) as THREE.BufferAttribute;
        attribute.addUpdateRange(size * q, size);
        attribute.needsUpdate = true;
      }
    }
    this.last[wheel] = at.clone();
    this.edge[wheel] = [right, left];
  }

  clear(): void {
    this.last.length = 0;
    this.next = this.used = 0;
    for (let v = 0; v < this.quads * 4; ++v) this.colors[4 * v + 3] = 0;
    const attribute = this.mesh.geometry.getAttribute('color') as THREE.BufferAttribute;
    attribute.clearUpdateRanges();
    attribute.needsUpdate = true;
  }

  /** After a frame was drawn: ranges are sent once. */
  sent(): void {
    for (const name of ['position', 'color']) (this.mesh.geometry.getAttribute(name) as THREE.BufferAttribute).clearUpdateRanges();
  }
}

/** Dark patch below a vehicle, where shadows would cost too much. */
export class SoftShadow {
  readonly mesh: THREE.Mesh;

  constructor(vehicle: Vehicle) {
    const around = 32, { front, rear, left, right } = vehicle.data.outline ?? { front: 1, rear: -1, left: 0.6, right: -0.6 };
    const positions: number[] = [], colors: number[] = [], index: number[] = [];
    const x = (front + rear) / 2, y = (left + right) / 2;
    [0, 0.72, 1.12].forEach((size, ring) => {
      for (let k = 0; k < around; ++k) {
        // Between an ellipse and a rectangle.
        const a = 2 * Math.PI * k / around, c = Math.cos(a), s = Math.sin(a);
        positions.push(x + size * (front - rear) / 2 * Math.sign(c) * Math.abs(c) ** 0.5, y + size * (left - right) / 2 * Math.sign(s) * Math.abs(s) ** 0.5, 0);
        colors.push(0, 0, 0, [0.5, 0.42, 0][ring]);
        if (ring < 2) {
          const p = ring * around + k, q = ring * around + (k + 1) % around;
          index.push(p, q, p + around, q, q + around, p + around);
        }
      }
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 4));
    geometry.setIndex(index);
    this.mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 }));
  }

  place(vehicle: Vehicle, height: number | undefined, up: THREE.Vector3): void {
    this.mesh.visible = height !== undefined;
    if (height === undefined) return;
    const forward = new THREE.Vector3(1, 0, 0).applyQuaternion(vehicle.root.quaternion), left = new THREE.Vector3().crossVectors(up, forward).normalize();
    this.mesh.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(forward.crossVectors(left, up), left, up));
    this.mesh.position.set(vehicle.root.position.x, vehicle.root.position.y, height + 0.05);
  }
}

/** Soft puffs behind wheels that move on loose ground. */
export class Dust {
  readonly points: THREE.Points;
  private readonly count = 260;
  private readonly positions = new Float32Array(3 * this.count);
  private readonly ages = new Float32Array(this.count).fill(9);
  private readonly velocities = new Float32Array(3 * this.count);
  private readonly looks: Float32Array;
  private next = 0;
  private readonly chance = random(7);

  constructor(color: THREE.Color) {
    this.looks = new Float32Array(2 * this.count);  // size [m], opacity
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.positions, 3));
    geometry.setAttribute('puff', new THREE.BufferAttribute(this.looks, 2));
    const material = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false, uniforms: { tint: { value: color.clone().convertLinearToSRGB() }, height: { value: 700 } },
      vertexShader: `attribute vec2 puff; varying float see; uniform float height;
        void main() { vec4 p = modelViewMatrix * vec4(position, 1.0); see = puff.y; gl_Position = projectionMatrix * p;
          gl_PointSize = min(300.0, puff.x * height / max(0.5, -p.z)); }`,
      fragmentShader: `uniform vec3 tint; varying float see;
        void main() { vec2 d = gl_PointCoord - 0.5; float a = see * smoothstep(0.25, 0.0, dot(d, d)); if (a < 0.004) discard;
          gl_FragColor = vec4(tint, a); }`,
    });
    this.points = new THREE.Points(geometry, material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 3;
  }

  emit(at: THREE.Vector3, velocity: THREE.Vector3, amount: number): void {
    while (amount > this.chance()) {
      amount -= 1;
      const i = this.next;
      this.next = (this.next + 1) % this.count;
      this.ages[i] = 0;
      for (let c = 0; c < 3; ++c) {
        this.positions[3 * i + c] = at.getComponent(c) + 0.25 * (this.chance() - 0.5);
        this.velocities[3 * i + c] = 0.22 * velocity.getComponent(c) + 0.7 * (this.chance() - 0.5) + (c === 2 ? 0.7 : 0);
      }
    }
  }

  update(dt: number): void {
    for (let i = 0; i < this.count; ++i) {
      this.ages[i] += dt;
      const t = this.ages[i] / 2.4;
      this.looks[2 * i] = 0.5 + 2.6 * Math.min(1, t);
      this.looks[2 * i + 1] = t < 1 ? 0.2 * (1 - t) * Math.min(1, 6 * t) : 0;
      for (let c = 0; c < 3; ++c) {
        this.positions[3 * i + c] += dt * this.velocities[3 * i + c];
        this.velocities[3 * i + c] *= Math.exp(-1.6 * dt);
      }
    }
    this.points.geometry.getAttribute('position').needsUpdate = true;
    this.points.geometry.getAttribute('puff').needsUpdate = true;
  }

  clear(): void { this.ages.fill(9); this.update(0); }
}

/** Tufts of grass within a circle around what is looked at, placed by a hash of their cell: always at the same spots. */
export class Tufts {
  readonly mesh: THREE.InstancedMesh;
  private readonly center = new THREE.Vector2(1e9, 1e9);
  private waiting = 0;

  constructor(private readonly reach: number, private readonly cell: number, colors: THREE.Color[],
              private readonly grows: (x: number, y: number) => number | undefined) {
    const geometry = tuftGeometry();
    const most = Math.ceil((2 * reach / cell) ** 2 * 0.6);
    this.mesh = new THREE.InstancedMesh(geometry, new THREE.MeshLambertMaterial({ side: THREE.DoubleSide }), most);
    this.mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * most), 3);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    this.colors = colors;
  }
  private readonly colors: THREE.Color[];

  /** Plants again after some meters; `origin` is that of the scene. */
  update(x: number, y: number, origin: THREE.Vector3): void {
    if (Math.hypot(x - this.center.x, y - this.center.y) < 4 && this.waiting-- > 0) return;
    this.center.set(x, y);
    this.waiting = 40;
    const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), place = new THREE.Vector3(), size = new THREE.Vector3();
    const color = new THREE.Color();
    let count = 0;
    const i0 = Math.floor((x - this.reach) / this.cell), j0 = Math.floor((y - this.reach) / this.cell);
    const n = Math.ceil(2 * this.reach / this.cell);
    for (let j = j0; j < j0 + n; ++j) {
      for (let i = i0; i < i0 + n; ++i) {
        const chance = hash2(i, j, 41);
        if (chance > 0.42) continue;
        const px = (i + hash2(i, j, 42)) * this.cell, py = (j + hash2(i, j, 43)) * this.cell;
        const away = Math.hypot(px - x, py - y);
        if (away > this.reach || count >= this.mesh.instanceMatrix.count) continue;
        const z = this.grows(px, py);
        if (z === undefined) continue;
        const fade = Math.min(1, 3 * (1 - away / this.reach));
        const s = (0.55 + 0.9 * hash2(i, j, 44)) * fade;
        turn.setFromAxisAngle(DOWN, 6.283 * hash2(i, j, 45));
        matrix.compose(place.set(px - origin.x, py - origin.y, z - origin.z - 0.02), turn, size.set(s, s, s));
        this.mesh.setMatrixAt(count, matrix);
        color.copy(this.colors[0]).lerp(this.colors[1], hash2(i, j, 46)).multiplyScalar(1.1);
        this.mesh.setColorAt(count, color);
        ++count;
      }
    }
    if (count === 0) this.waiting = 2;  // the ground is still on its way
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

function tuftGeometry(): THREE.BufferGeometry {
  const positions: number[] = [], normals: number[] = [];
  for (let k = 0; k < 5; ++k) {
    const a = k * 1.257, lean = 0.1 + 0.07 * (k % 3), high = 0.3 + 0.05 * (k % 2);
    const c = Math.cos(a), s = Math.sin(a);
    positions.push(0.02 * c - 0.012 * s, 0.02 * s + 0.012 * c, 0, 0.02 * c + 0.012 * s, 0.02 * s - 0.012 * c, 0, lean * c, lean * s, high);
    for (let v = 0; v < 3; ++v) normals.push(0.3 * c, 0.3 * s, 0.9);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  return geometry;
}
