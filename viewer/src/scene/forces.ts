// Forces of the ground on the wheels as arrows, friction circles around the contact points, and their numbers.
import * as THREE from 'three';
import { el, fixed, setText } from '../dom';
import { Corner } from '../model';
import { Vehicle } from './vehicle';

export interface WheelForces { load: number; longitudinal: number; lateral: number; deflection: number }

const LOAD = 0x3fa7e0, TANGENT = 0xf08c2a, CIRCLE = 0xffffff;

class Arrow {
  readonly group = new THREE.Group();
  private readonly shaft: THREE.Mesh;
  private readonly head: THREE.Mesh;

  constructor(color: number, radius: number) {
    // In front of everything: the load's arrow would be inside the wheel.
    const material = new THREE.MeshBasicMaterial({ color, fog: false, toneMapped: false, depthTest: false, transparent: true });
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 10).translate(0, 0.5, 0), material);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(2.6 * radius, 5 * radius, 14).translate(0, 2.5 * radius, 0), material);
    this.shaft.renderOrder = this.head.renderOrder = 10;
    this.group.add(this.shaft, this.head);
    this.size = 5 * radius;
  }
  private readonly size: number;

  set(from: THREE.Vector3, along: THREE.Vector3): void {
    const length = along.length();
    this.group.visible = length > 0.02;
    if (!this.group.visible) return;
    const head = Math.min(this.size, length);
    this.group.position.copy(from);
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.clone().multiplyScalar(1 / length));
    this.shaft.scale.set(1, Math.max(1e-3, length - head), 1);
    this.head.position.y = length - head;
    this.head.scale.setScalar(head / this.size);
  }
}

interface Set { corner: Corner; load: Arrow; tangent: Arrow; ring: THREE.Mesh; disc: THREE.Mesh; label: HTMLElement; point: THREE.Vector3 }

/** Where a wheel touches: below its center in its own plane, less the tire's deflection; all in the world's axes. */
export function contactOf(vehicle: Vehicle, corner: Corner, deflection: number, up: THREE.Vector3): { point: THREE.Vector3; forward: THREE.Vector3; left: THREE.Vector3; radial: THREE.Vector3 } {
  const center = vehicle.wheelCenter(corner, new THREE.Vector3()).applyMatrix4(vehicle.root.matrixWorld);
  const axis = new THREE.Vector3(...corner.axis);
  // The axis does not turn with the wheel's spin, so the wheel's own pose gives it.
  axis.applyQuaternion(vehicle.bodies[corner.wheel]?.quaternion ?? new THREE.Quaternion());
  if (corner.wheel === 0) axis.set(...corner.axis);
  axis.applyQuaternion(vehicle.root.quaternion).normalize();
  if (axis.y * 1 !== axis.y) axis.set(0, 1, 0);
  const forward = new THREE.Vector3().crossVectors(axis, up).normalize();
  const nose = new THREE.Vector3(1, 0, 0).applyQuaternion(vehicle.root.quaternion);
  if (forward.dot(nose) < 0) forward.negate();
  const left = new THREE.Vector3().crossVectors(up, forward).normalize();
  const radial = new THREE.Vector3().crossVectors(axis, forward).normalize();
  if (radial.dot(up) < 0) radial.negate();
  const point = center.addScaledVector(radial, -(corner.radius - (Number.isFinite(deflection) ? deflection : 0)));
  return { point, forward, left, radial };
}

export class Forces {
  readonly group = new THREE.Group();
  readonly labels = el('div', { class: 'labels', 'aria-hidden': 'true' });
  private readonly sets: Set[] = [];
  private readonly scale: number;   // [m/N]
  readonly scaleText: string;

  constructor(private readonly vehicle: Vehicle, private readonly friction: number) {
    // A wheel's share of the weight is about 1 m long; the scale is a round number.
    const share = vehicle.data.mass * 9.81 / Math.max(1, vehicle.data.corners.length);
    const perMeter = round(share / 1.1);
    this.scale = 1 / perMeter;
    this.scaleText = `1 m ≙ ${perMeter >= 1000 ? `${perMeter / 1000} kN` : `${perMeter} N`}`;
    const ringMaterial = new THREE.MeshBasicMaterial({ color: CIRCLE, transparent: true, opacity: 0.85, depthWrite: false, side: THREE.DoubleSide, fog: false, toneMapped: false });
    const discMaterial = new THREE.MeshBasicMaterial({ color: 0x0b3a5c, transparent: true, opacity: 0.28, depthWrite: false, side: THREE.DoubleSide, fog: false });
    const radius = 0.022 * Math.min(1, vehicle.reach / 2);
    for (const corner of vehicle.data.corners) {
      const load = new Arrow(LOAD, radius), tangent = new Arrow(TANGENT, radius);
      const ring = new THREE.Mesh(new THREE.RingGeometry(0.965, 1, 48), ringMaterial), disc = new THREE.Mesh(new THREE.CircleGeometry(0.965, 32), discMaterial);
      ring.renderOrder = disc.renderOrder = 4;
      const label = el('span', { class: 'label' });
      this.labels.append(label);
      this.group.add(load.group, tangent.group, ring, disc);
      this.sets.push({ corner, load, tangent, ring, disc, label, point: new THREE.Vector3() });
    }
  }

  update(forces: WheelForces[], up: THREE.Vector3): void {
    this.sets.forEach((set, k) => {
      const force = forces[k];
      const { point, forward, left } = contactOf(this.vehicle, set.corner, force?.deflection ?? 0, up);
      set.point.copy(point);
      const load = Math.max(0, force?.load || 0);
      set.load.set(point, up.clone().multiplyScalar(load * this.scale));
      const x = force?.longitudinal || 0, y = force?.lateral || 0;
      set.tangent.set(point.clone().addScaledVector(up, 0.03), forward.clone().multiplyScalar(x * this.scale).addScaledVector(left, y * this.scale));
      const radius = this.friction * load * this.scale;
      for (const mesh of [set.ring, set.disc]) {
        mesh.visible = radius > 0.02;
        mesh.position.copy(point).addScaledVector(up, 0.02);
        mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
        mesh.scale.setScalar(Math.max(1e-3, radius));
      }
      const use = load > 1 ? Math.hypot(x, y) / (this.friction * load) : 0;
      setText(set.label, load > 0 ? `${fixed(load / 1000, 1)} kN · ${fixed(100 * use, 0)} %` : 'lifted');
      set.label.classList.toggle('warn', use > 0.8 || load <= 0);
    });
  }

  /** Numbers beside the arrows, in the view's pixels. */
  placeLabels(camera: THREE.Camera, width: number, height: number): void {
    const p = new THREE.Vector3();
    for (const set of this.sets) {
      p.copy(set.point).project(camera);
      const seen = p.z > -1 && p.z < 1 && Math.abs(p.x) < 1 && Math.abs(p.y) < 1;
      set.label.hidden = !seen;
      if (seen) set.label.style.transform = `translate(${((p.x + 1) * width / 2).toFixed(0)}px, ${((1 - p.y) * height / 2).toFixed(0)}px) translate(-50%, 6px)`;
    }
  }
}

/** 1, 2 or 5 times a power of ten. */
function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1e-3, x)));
  const k = x / power;
  return (k < 1.5 ? 1 : k < 3.5 ? 2 : k < 7.5 ? 5 : 10) * power;
}
