// Body of the HMMWV from plates, in the numbers of its frame: x forward, y left, z up, origin midway between the axles at
// the height of the lower arms' hinges. One profile of the side with two arches, a hood that falls to its edges, a cab
// with leaning sides. Plates are seen from both sides, so their winding does not matter. Sizes after public drawings of the M1025: 4.57 m long without the bumper, 2.16 m wide, 1.83 m high.
import * as THREE from 'three';
import { Vec3 } from '../model';
import { Builder } from './builder';

const OLIVE = new THREE.Color(0.135, 0.14, 0.062), OLIVE_LIGHT = new THREE.Color(0.15, 0.157, 0.072);
const OLIVE_DARK = new THREE.Color(0.095, 0.1, 0.048), BLACK = new THREE.Color(0.012, 0.012, 0.013);
const DASH = new THREE.Color(0.03, 0.031, 0.03);
const GAUGE = new THREE.Color(0.3, 0.31, 0.29);
const SEAM = new THREE.Color(0.035, 0.037, 0.018), STEEL = new THREE.Color(0.1, 0.1, 0.105);
const LAMP = new THREE.Color(0.92, 0.92, 0.85), ORANGE = new THREE.Color(0.75, 0.2, 0.02), RED = new THREE.Color(0.4, 0.01, 0.01);

const SIDE = 1.075;   // [m] half of the width
const BELT = 0.62;    // [m] height of the doors' upper edge

/** Hood and tub; the cab above the belt line, which is not drawn for eyes inside it; its glass; what carries it all. */
export interface Shell { paint: Builder; cab: Builder; glass: Builder; frame: Builder; inside: Builder }

/** Side of the cab: leans inward above the belt line. */
const cab = (x: number, z: number, out = 0): Vec3 => [x, SIDE - 0.01 - 0.3 * (z - BELT) + out, z];
const flat = (x: number, z: number, out = 0): Vec3 => [x, SIDE + out, z];

const REAR_ARCH: [number, number][] = [[-2.2, 0.08], [-2.09, 0.34], [-1.88, 0.47], [-1.44, 0.47], [-1.23, 0.34], [-1.1, 0.0]];
const FRONT_ARCH: [number, number][] = [[1.06, 0.0], [1.18, 0.33], [1.4, 0.45], [1.86, 0.43], [2.05, 0.3], [2.14, 0.14]];

export function buildHmmwv(): Shell {
  const paint = new Builder(), cab = new Builder(), glass = new Builder(), frame = new Builder(), inside = new Builder();
  addSides(paint);
  addHood(paint);
  addFront(paint);
  addCab(cab, glass);
  addRear(paint);
  addDetails(paint, cab, glass);
  addFrame(frame);
  addInside(inside);
  return { paint, cab, glass, frame, inside };
}

function addSides(paint: Builder): void {
  const outline: [number, number][] = [[-2.32, 0.1], ...REAR_ARCH, [-1.06, -0.05], [1.02, -0.05], ...FRONT_ARCH, [2.2, 0.16],
    [2.2, 0.43], [0.78, 0.58], [0.74, BELT], [-2.36, BELT], [-2.36, 0.3]];
  paint.both(outline.map(([x, z]) => flat(x, z)), OLIVE);
  // Arches are folded inward; what is inside is dark.
  for (const arch of [REAR_ARCH, FRONT_ARCH]) {
    for (let i = 0; i + 1 < arch.length; ++i) {
      const [x0, z0] = arch[i], [x1, z1] = arch[i + 1];
      paint.both([[x0, SIDE, z0], [x1, SIDE, z1], [x1, 0.6, z1], [x0, 0.6, z0]], OLIVE_DARK, false);
      paint.both([[x0, SIDE + 0.02, z0], [x0, SIDE + 0.02, z0 + 0.035], [x1, SIDE + 0.02, z1 + 0.035], [x1, SIDE + 0.02, z1]],
        OLIVE_DARK, false);
    }
  }
  paint.both([[-2.32, 0.6, 0.1], [-2.32, 0.6, 0.5], [2.16, 0.6, 0.45], [2.16, 0.6, 0.1]], BLACK, false);
  paint.plate([[-2.32, -0.6, 0.1], [-2.32, 0.6, 0.1], [2.16, 0.6, 0.1], [2.16, -0.6, 0.1]], BLACK, false);
  paint.both([[-1.06, SIDE, -0.05], [-1.06, 0.5, -0.05], [1.02, 0.5, -0.05], [1.02, SIDE, -0.05]], BLACK, false);
  // Seams, handles and hinges of the doors.
  for (const x of [0.66, -0.2, -1.02]) paint.both(strip(x, 0.0, x, BELT, 0.007), SEAM, false);
  paint.both(strip(0.66, 0.0, -1.02, 0.0, 0.007), SEAM, false);
  for (const x of [-0.1, -0.93]) paint.both(quad(x, 0.5, x - 0.12, 0.535, 0.018), BLACK, false);
  for (const x of [0.62, -0.24]) for (const z of [0.14, 0.46]) paint.both(quad(x + 0.03, z, x - 0.03, z + 0.05, 0.014), OLIVE_DARK, false);
  paint.both(quad(0.5, 0.1, -0.1, 0.3, 0.008), OLIVE_LIGHT, false);
  paint.both(quad(-0.32, 0.1, -0.9, 0.3, 0.008), OLIVE_LIGHT, false);
  paint.both(quad(-2.33, 0.34, -2.25, 0.38, 0.01), RED, false);
  paint.both(quad(2.1, 0.34, 2.17, 0.38, 0.01), ORANGE, false);
}

/** Rectangle on the side, from the front edge to the rear one. */
function quad(x0: number, z0: number, x1: number, z1: number, out: number): Vec3[] {
  return [flat(x0, z0, out), flat(x0, z1, out), flat(x1, z1, out), flat(x1, z0, out)];
}

/** Thin line on the side from one point to another. */
function strip(x0: number, z0: number, x1: number, z1: number, half: number): Vec3[] {
  return x0 === x1 ? quad(x0 + half, z0, x0 - half, z1, 0.003) : quad(x0, z0 - half, x1, z0 + half, 0.003);
}

/** Point of the hood: s from the cowl (0) to the front (1), y within its middle. */
const hood = (s: number, y: number, up = 0): Vec3 => [0.72 + 1.42 * s, y, 0.745 - 0.16 * s + up];

function addHood(paint: Builder): void {
  const inner = 0.63;
  paint.plate([hood(0, -inner), hood(1, -inner), hood(1, inner), hood(0, inner)], OLIVE_LIGHT);
  paint.both([hood(0, inner), hood(1, inner), [2.2, SIDE, 0.43], [0.78, SIDE, 0.58]], OLIVE);
  paint.both([hood(0, inner), [0.78, SIDE, 0.58], [0.74, SIDE, BELT], cab(0.72, 0.745)], OLIVE_DARK, false);
  // Dashboard and steering wheel, for the driver's eye.
  paint.plate([hood(0, -inner), hood(0, inner), [0.5, inner, 0.66], [0.5, -inner, 0.66]], DASH, false);
  paint.both([hood(0, inner), cab(0.72, 0.745, -0.03), [0.5, 0.98, 0.66], [0.5, inner, 0.66]], DASH, false);
  paint.plate([[0.5, -0.98, 0.66], [0.5, 0.98, 0.66], [0.46, 0.98, 0.1], [0.46, -0.98, 0.1]], DASH, false);
  paint.add(new THREE.TorusGeometry(0.19, 0.011, 8, 36), new THREE.Matrix4().makeTranslation(0.37, 0.55, 0.67).multiply(new THREE.Matrix4().makeRotationY(-1.0)), BLACK);
  // Instruments before the driver.
  for (const [y, r] of [[0.47, 0.05], [0.63, 0.05], [0.74, 0.03], [0.36, 0.03]]) paint.plate(ring(0.493, y, 0.6, r), GAUGE, false);
  // Seam of the tilting hood, vents before the windshield, the air intake and its grille.
  paint.plate([hood(0.02, -0.012, 0.004), hood(1, -0.012, 0.004), hood(1, 0.012, 0.004), hood(0.02, 0.012, 0.004)], SEAM, false);
  for (const side of [-1, 1]) {
    for (let k = 0; k < 4; ++k) {
      const s = 0.4 + 0.085 * k, a = side * 0.14, b = side * 0.5;
      const low = Math.min(a, b), high = Math.max(a, b);
      paint.plate([hood(s, low, 0.005), hood(s + 0.045, low, 0.005), hood(s + 0.045, high, 0.005), hood(s, high, 0.005)], BLACK, false);
    }
    const c = side * 0.5;
    paint.plate([hood(0.12, c - 0.06, 0.02), hood(0.17, c - 0.06, 0.02), hood(0.17, c + 0.06, 0.02), hood(0.12, c + 0.06, 0.02)], BLACK, false);
  }
}

function addFront(paint: Builder): void {
  const face = (y: number, z: number, out = 0): Vec3 => [2.2 - 0.1 * Math.max(0, z - 0.44) + out, y, z];
  paint.plate([face(-SIDE, 0.43), face(-0.98, 0.13), face(0.98, 0.13), face(SIDE, 0.43), face(0.63, 0.585), face(-0.63, 0.585)], OLIVE);
  paint.plate([hood(1, -0.63), face(-0.63, 0.585), face(0.63, 0.585), hood(1, 0.63)], OLIVE_DARK, false);
  paint.both([hood(1, 0.63), face(0.63, 0.585), [2.2, SIDE, 0.43]], OLIVE_DARK, false);
  for (let k = -3; k <= 3; ++k) {
    const y = 0.115 * k;
    paint.plate([face(y - 0.033, 0.24, 0.012), face(y + 0.033, 0.24, 0.012), face(y + 0.033, 0.52, 0.012), face(y - 0.033, 0.52, 0.012)], BLACK, false);
  }
  for (const side of [-1, 1]) {
    disc(paint, [2.215, side * 0.66, 0.37], 0.118, BLACK);
    disc(paint, [2.222, side * 0.66, 0.37], 0.1, LAMP);
    const y = side * 0.9;
    paint.plate([face(y - 0.05, 0.33, 0.02), face(y + 0.05, 0.33, 0.02), face(y + 0.05, 0.41, 0.02), face(y - 0.05, 0.41, 0.02)], ORANGE, false);
    paint.box([2.2, side * 0.45 - 0.03, -0.04], [2.37, side * 0.45 + 0.03, 0.02], STEEL);
  }
  paint.box([2.2, -0.98, -0.02], [2.32, 0.98, 0.12], BLACK, true);
  paint.plate([[2.2, -0.8, -0.02], [2.2, 0.8, -0.02], [1.9, 0.7, -0.12], [1.9, -0.7, -0.12]], STEEL, false);
}

/** Disc on the dashboard that looks back. */
function ring(x: number, y: number, z: number, radius: number): Vec3[] {
  return Array.from({ length: 16 }, (_, i): Vec3 => [x, y - radius * Math.cos(i * Math.PI / 8), z + radius * Math.sin(i * Math.PI / 8)]);
}

/** Disc that looks forward. */
function disc(builder: Builder, [x, y, z]: Vec3, radius: number, color: THREE.Color): void {
  const points: Vec3[] = [];
  for (let i = 0; i < 20; ++i) {
    const a = i * Math.PI / 10;
    points.push([x, y + radius * Math.cos(a), z + radius * Math.sin(a)]);
  }
  builder.plate(points, color, false);
}

function addCab(paint: Builder, glass: Builder): void {
  // Profile of the roof line, from the cowl over the roof to the tailgate.
  const top: [number, number][] = [[0.72, 0.745], [0.38, 1.2], [-0.98, 1.24], [-2.28, 0.76], [-2.36, BELT]];
  const left = top.map(([x, z]) => cab(x, z)), right = left.map(([x, y, z]): Vec3 => [x, -y, z]);
  for (let i = 0; i + 1 < top.length; ++i) {
    if (i > 0) paint.plate([left[i], left[i + 1], right[i + 1], right[i]], i === 1 ? OLIVE_LIGHT : OLIVE);
  }
  paint.both([cab(0.74, BELT), ...left.slice(0, 4), cab(-2.36, BELT)], OLIVE);
  // Windshield: a frame with two panes. s from below to above, w across.
  const pane = (w: number, s: number, out = 0): Vec3 => {
    const x = 0.72 - 0.34 * s, z = 0.745 + 0.455 * s;
    return [x + 0.8 * out, w * (SIDE - 0.01 - 0.3 * (z - BELT)), z + 0.6 * out];
  };
  paint.plate([pane(-1, 0), pane(1, 0), pane(1, 1), pane(-1, 1)], OLIVE);
  for (const side of [-1, 1]) {
    const a = side > 0 ? 0.05 : -0.93, b = side > 0 ? 0.93 : -0.05;
    glass.plate([pane(a, 0.14, 0.008), pane(b, 0.14, 0.008), pane(b, 0.9, 0.008), pane(a, 0.9, 0.008)], BLACK, false);
    paint.plate([pane(side * 0.5 - 0.2, 0.12, 0.014), pane(side * 0.5 - 0.19, 0.1, 0.014), pane(side * 0.5 + 0.2, 0.42, 0.014), pane(side * 0.5 + 0.19, 0.44, 0.014)], BLACK, false);
  }
  // Side windows and the seams around the doors' frames.
  const windows: [number, number][][] = [
    [[0.55, 0.68], [0.26, 1.13], [-0.14, 1.15], [-0.14, 0.68]], [[-0.26, 0.68], [-0.26, 1.15], [-0.94, 1.16], [-0.94, 0.68]],
    [[-1.12, 0.74], [-1.12, 1.1], [-1.3, 1.04], [-1.72, 0.86], [-1.72, 0.74]],
  ];
  for (const window of windows.slice(0, 2)) glass.both(window.map(([x, z]) => cab(x, z, 0.006)), BLACK, false);
  paint.both(windows[2].map(([x, z]) => cab(x, z, 0.006)), OLIVE_DARK, false);
  for (const x of [-0.2, -1.02]) {
    paint.both([cab(x + 0.007, BELT, 0.004), cab(x + 0.007, 1.19, 0.004), cab(x - 0.007, 1.19, 0.004), cab(x - 0.007, BELT, 0.004)], SEAM, false);
  }
}

function addRear(paint: Builder): void {
  paint.plate([[-2.36, SIDE, BELT], [-2.36, SIDE, 0.3], [-2.32, SIDE, 0.1], [-2.32, -SIDE, 0.1], [-2.36, -SIDE, 0.3], [-2.36, -SIDE, BELT]], OLIVE);
  for (const y of [-0.62, 0.62]) {
    paint.plate([[-2.365, y + 0.007, 0.6], [-2.365, y + 0.007, 0.14], [-2.365, y - 0.007, 0.14], [-2.365, y - 0.007, 0.6]], SEAM, false);
  }
  for (const side of [-1, 1]) {
    const y = side * 0.9;
    paint.plate([[-2.37, y + 0.09, 0.48], [-2.37, y + 0.09, 0.34], [-2.37, y - 0.09, 0.34], [-2.37, y - 0.09, 0.48]], BLACK, false);
    paint.plate([[-2.376, y + 0.07, 0.46], [-2.376, y + 0.07, 0.36], [-2.376, y - 0.07, 0.36], [-2.376, y - 0.07, 0.46]], RED, false);
    paint.box([-2.5, side * 0.5 - 0.04, -0.02], [-2.34, side * 0.5 + 0.04, 0.05], BLACK);
  }
  paint.box([-2.46, -0.96, 0.0], [-2.34, 0.96, 0.12], BLACK, true);
  paint.box([-2.56, -0.06, -0.03], [-2.46, 0.06, 0.05], STEEL);
}

function addDetails(paint: Builder, roof: Builder, glass: Builder): void {
  // Seams of the sloping rear, the hatch, mirrors, the antenna.
  const slope = (t: number, y: number, up: number): Vec3 => [-0.98 - 1.3 * t, y, 1.24 - 0.48 * t + up];
  for (const y of [-0.35, 0.35]) {
    roof.plate([slope(0.08, y + 0.01, 0.006), slope(0.9, y + 0.01, 0.006), slope(0.9, y - 0.01, 0.006), slope(0.08, y - 0.01, 0.006)], SEAM, false);
  }
  roof.add(new THREE.TorusGeometry(0.42, 0.022, 6, 28), new THREE.Matrix4().makeTranslation(-0.38, 0, 1.235), OLIVE_DARK);
  paint.bothBox([0.5, 1.12, 0.8], [0.56, 1.32, 1.06], BLACK);
  glass.both([[0.495, 1.14, 0.82], [0.495, 1.14, 1.04], [0.495, 1.3, 1.04], [0.495, 1.3, 0.82]], BLACK, false);
  paint.bar([0.56, 1.03, 0.72], [0.53, 1.18, 0.86], 0.013, BLACK, 6);
  paint.bar([0.56, -1.03, 0.72], [0.53, -1.18, 0.86], 0.013, BLACK, 6);
  paint.bar([-2.2, 0.98, 0.6], [-2.2, 0.98, 0.76], 0.03, BLACK, 8);
  paint.bar([-2.2, 0.98, 0.76], [-2.42, 0.99, 2.3], 0.009, BLACK, 5);
}

/** Frame of the windshield and the roof's edge, for eyes in the cab. */
function addInside(inside: Builder): void {
  const at = (w: number, s: number): Vec3 => { const z = 0.745 + 0.455 * s; return [0.72 - 0.34 * s, w * (SIDE - 0.03 - 0.3 * (z - BELT)), z]; };
  for (const w of [-1, 0, 1]) inside.bar(at(w, 0), at(w, 1), w === 0 ? 0.018 : 0.035, OLIVE, 6);
  inside.bar(at(-1, 1), at(1, 1), 0.035, OLIVE, 6);
  inside.bar(at(-1, 0.02), at(1, 0.02), 0.02, OLIVE, 6);
  for (const w of [-1, 1]) inside.bar(at(w, 1), [-0.98, at(w, 1)[1], 1.22], 0.035, OLIVE, 6);
}

/** What carries the body and stays visible in the x-ray: rails, engine, gearbox, axles' gears. */
function addFrame(frame: Builder): void {
  const dark = new THREE.Color(0.045, 0.047, 0.05), iron = new THREE.Color(0.12, 0.12, 0.125);
  frame.bothBox([-2.3, 0.33, -0.02], [2.15, 0.4, 0.1], dark, true);
  for (const x of [-2.1, -1.1, 0.1, 0.85, 2.05]) frame.box([x - 0.05, -0.33, 0], [x + 0.05, 0.33, 0.08], dark);
  frame.box([1.0, -0.27, 0.08], [1.72, 0.27, 0.52], iron, true);
  frame.box([0.42, -0.17, 0.05], [1.0, 0.17, 0.36], dark, true);
  frame.box([-0.12, -0.2, -0.03], [0.42, 0.14, 0.24], iron, true);
  for (const x of [1.66, -1.66]) {
    frame.add(new THREE.SphereGeometry(0.17, 14, 10), new THREE.Matrix4().makeTranslation(x, 0, 0.06).scale(new THREE.Vector3(1, 0.9, 0.85)), dark);
  }
  frame.bar([-0.12, 0, 0.07], [-1.55, 0, 0.06], 0.045, iron);
  frame.bar([0.42, 0.05, 0.02], [1.55, 0, 0.06], 0.04, iron);
}
