// Wheels with lugs, springs' coils, and colors of parts by what they are.
import * as THREE from 'three';
import { Vec3 } from '../model';
import { Builder } from './builder';

const RUBBER = new THREE.Color(0.018, 0.018, 0.019), LUG = new THREE.Color(0.024, 0.024, 0.025);

const COLORS: Record<string, [number, number, number]> = {
  lower_arm: [0.03, 0.14, 0.5], arm: [0.03, 0.14, 0.5], trailing_arm: [0.03, 0.14, 0.5], upper_arm: [0.01, 0.3, 0.16], upright: [0.2, 0.21, 0.23], spindle: [0.2, 0.21, 0.23],
  tie_rod: [0.32, 0.05, 0.3], steering: [0.32, 0.05, 0.3], drag_link: [0.32, 0.05, 0.3], anti_roll_bar: [0.5, 0.32, 0.02], drop_link: [0.5, 0.32, 0.02],
  spring: [0.8, 0.2, 0.015], shock: [0.25, 0.26, 0.28], strut: [0.8, 0.2, 0.015], half_shaft: [0.1, 0.1, 0.11], axle: [0.09, 0.09, 0.1],
  body: [0.2, 0.23, 0.27], chassis: [0.2, 0.23, 0.27], wheel: [0.02, 0.02, 0.02], link: [0.05, 0.2, 0.5],
};

export function partColor(part: string): THREE.Color {
  return new THREE.Color(...(COLORS[part] ?? COLORS[part.replace(/^(front|rear|left|right)_/, '')] ?? [0.16, 0.17, 0.19]));
}

/** Wheel about y, centered at 0: tire with two rows of lugs, rim with bolts. Rough machines get fewer faces. */
export function buildWheel(radius: number, width: number, rim: number, offRoad: boolean, fine: boolean, paint: THREE.Color): THREE.BufferGeometry {
  const builder = new Builder();
  const half = width / 2, around = fine ? 40 : 20;
  const depth = offRoad ? 0.022 * radius / 0.47 : 0.006;
  const tread = radius - depth;
  const profile = [[rim, -half * 0.82], [rim + 0.3 * (tread - rim), -half], [tread - 0.1 * (tread - rim), -half * 0.97], [tread, -half * 0.78], [tread, half * 0.78],
    [tread - 0.1 * (tread - rim), half * 0.97], [rim + 0.3 * (tread - rim), half], [rim, half * 0.82]].map(([r, y]) => new THREE.Vector2(r, y));
  builder.add(new THREE.LatheGeometry(profile, around), new THREE.Matrix4(), RUBBER);
  // Lugs: leaning blocks, left and right in turn.
  const lugs = offRoad ? (fine ? 26 : 16) : fine ? 48 : 0;
  const arc = 2 * Math.PI * radius / Math.max(1, lugs);
  const block = (angle: number, y: number, skew: number, long: number, across: number, r: number, high: number): void => {
    const matrix = new THREE.Matrix4().makeRotationY(angle)
      .multiply(new THREE.Matrix4().makeTranslation(r, y, 0)).multiply(new THREE.Matrix4().makeRotationX(skew));
    builder.add(new THREE.BoxGeometry(high, across, long), matrix, LUG);
  };
  for (let k = 0; k < lugs; ++k) {
    const angle = (2 * Math.PI * k) / lugs;
    for (const side of [-1, 1]) {
      const turn = angle + (side > 0 ? Math.PI / lugs : 0);
      if (offRoad) {
        block(turn, side * half * 0.42, side * 0.42, arc * 0.42, half * 0.78, tread + depth / 2, depth * 1.1);
        block(turn + 0.25 * arc / radius, side * half * 0.93, side * 0.1, arc * 0.4, half * 0.14, tread - 1.2 * depth, depth * 2.6);
      } else {
        block(turn, side * half * 0.5, side * 0.25, arc * 0.72, half * 0.42, tread + depth / 2, depth * 1.1);
      }
    }
  }
  // Rim: a dish on both sides with a hub and bolts.
  const dish = [[0.001, -0.1], [rim * 0.4, -0.1], [rim * 0.62, -0.3], [rim * 0.86, -0.22], [rim * 0.92, -0.62], [rim, -0.82]];
  for (const side of [1, -1]) {
    const points = dish.map(([r, y]) => new THREE.Vector2(r, -side * y * half));
    builder.add(new THREE.LatheGeometry(side > 0 ? points.reverse() : points, fine ? 28 : 14), new THREE.Matrix4(), paint);
    if (!fine) continue;
    for (let k = 0; k < 8; ++k) {
      const a = k * Math.PI / 4;
      builder.add(new THREE.CylinderGeometry(0.016, 0.016, 0.03, 6),
        new THREE.Matrix4().makeTranslation(0.3 * rim * Math.cos(a), side * half * 0.12, 0.3 * rim * Math.sin(a)), LUG);
    }
    builder.add(new THREE.CylinderGeometry(0.2 * rim, 0.24 * rim, 0.12 * half * 2, 12), new THREE.Matrix4().makeTranslation(0, side * half * 0.16, 0), LUG);
  }
  return builder.geometry();
}

/** Coil of a spring: radius 1, from y = -1/2 to 1/2. */
export function buildCoil(turns: number, wire: number, fine: boolean): THREE.BufferGeometry {
  class Helix extends THREE.Curve<THREE.Vector3> {
    constructor() { super(); }
    override getPoint(t: number, out = new THREE.Vector3()): THREE.Vector3 {
      const a = 2 * Math.PI * turns * t;
      return out.set(Math.cos(a), t - 0.5, Math.sin(a));
    }
  }
  return new THREE.TubeGeometry(new Helix(), turns * (fine ? 14 : 8), wire, fine ? 6 : 4);
}

/** Rotation that brings y to an axis. */
export function axisMatrix(center: Vec3, axis: Vec3): THREE.Matrix4 {
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...axis).normalize());
  return new THREE.Matrix4().compose(new THREE.Vector3(...center), turn, new THREE.Vector3(1, 1, 1));
}
