// Collects plates, boxes and bars into one geometry with a color per vertex, so that a body costs one draw call.
import * as THREE from 'three';
import { Vec3 } from '../model';

export class Builder {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly colors: number[] = [];
  readonly lines: number[] = [];  // outlines of plates: pairs of points

  get empty(): boolean { return this.positions.length === 0; }

  /** Flat plate; corners counterclockwise seen from outside, where that matters. It may be concave. */
  plate(points: Vec3[], color: THREE.Color, outline = true): void {
    const normal = new THREE.Vector3();
    const p = points.map((q) => new THREE.Vector3(...q));
    for (let i = 0; i < p.length; ++i) {  // Newell: a normal also for concave plates
      const a = p[i], b = p[(i + 1) % p.length];
      normal.x += (a.y - b.y) * (a.z + b.z);
      normal.y += (a.z - b.z) * (a.x + b.x);
      normal.z += (a.x - b.x) * (a.y + b.y);
    }
    normal.normalize();
    const flat = Math.abs(normal.x) > 0.7 ? (q: THREE.Vector3) => new THREE.Vector2(q.y, q.z)
      : Math.abs(normal.y) > 0.7 ? (q: THREE.Vector3) => new THREE.Vector2(q.x, q.z)
        : (q: THREE.Vector3) => new THREE.Vector2(q.x, q.y);
    const faces = p.length === 3 ? [[0, 1, 2]] : THREE.ShapeUtils.triangulateShape(p.map(flat), []);
    const u = new THREE.Vector3(), v = new THREE.Vector3();
    for (const [i, j, k] of faces) {
      u.subVectors(p[j], p[i]);
      v.subVectors(p[k], p[i]);
      const same = u.cross(v).dot(normal) >= 0;
      for (const index of same ? [i, j, k] : [i, k, j]) this.vertex(p[index], normal, color);
    }
    if (!outline) return;
    for (let i = 0; i < p.length; ++i) {
      const a = p[i], b = p[(i + 1) % p.length];
      this.lines.push(a.x, a.y, a.z, b.x, b.y, b.z);
    }
  }

  /** Plate and its mirror image on the other side. */
  both(points: Vec3[], color: THREE.Color, outline = true): void {
    this.plate(points, color, outline);
    this.plate(points.map(([x, y, z]): Vec3 => [x, -y, z]).reverse(), color, outline);
  }

  box(min: Vec3, max: Vec3, color: THREE.Color, outline = false): void {
    const [a, b, c] = min, [d, e, f] = max;
    this.plate([[a, b, c], [a, e, c], [d, e, c], [d, b, c]], color, outline);
    this.plate([[a, b, f], [d, b, f], [d, e, f], [a, e, f]], color, outline);
    this.plate([[a, b, c], [d, b, c], [d, b, f], [a, b, f]], color, false);
    this.plate([[a, e, c], [a, e, f], [d, e, f], [d, e, c]], color, false);
    this.plate([[a, b, c], [a, b, f], [a, e, f], [a, e, c]], color, outline);
    this.plate([[d, b, c], [d, e, c], [d, e, f], [d, b, f]], color, outline);
  }

  bothBox(min: Vec3, max: Vec3, color: THREE.Color, outline = false): void {
    this.box(min, max, color, outline);
    this.box([min[0], -max[1], min[2]], [max[0], -min[1], max[2]], color, outline);
  }

  /** Round bar from a to b. */
  bar(a: Vec3, b: Vec3, radius: number, color: THREE.Color, sides = 10): void {
    const from = new THREE.Vector3(...a), to = new THREE.Vector3(...b);
    const length = from.distanceTo(to);
    if (length < 1e-6) return;
    const geometry = new THREE.CylinderGeometry(radius, radius, length, sides);
    this.add(geometry, barMatrix(from, to, new THREE.Matrix4()), color);
  }

  ball(center: Vec3, radius: number, color: THREE.Color): void {
    this.add(new THREE.SphereGeometry(radius, 10, 8), new THREE.Matrix4().makeTranslation(...center), color);
  }

  add(geometry: THREE.BufferGeometry, matrix: THREE.Matrix4, color: THREE.Color): void {
    const flat = geometry.index ? geometry.toNonIndexed() : geometry;
    const position = flat.getAttribute('position'), normal = flat.getAttribute('normal');
    const turn = new THREE.Matrix3().getNormalMatrix(matrix);
    const p = new THREE.Vector3(), n = new THREE.Vector3();
    for (let i = 0; i < position.count; ++i) {
      p.fromBufferAttribute(position, i).applyMatrix4(matrix);
      n.fromBufferAttribute(normal, i).applyMatrix3(turn).normalize();
      this.vertex(p, n, color);
    }
    geometry.dispose();
  }

  private vertex(p: THREE.Vector3, n: THREE.Vector3, color: THREE.Color): void {
    this.positions.push(p.x, p.y, p.z);
    this.normals.push(n.x, n.y, n.z);
    this.colors.push(color.r, color.g, color.b);
  }

  geometry(): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(this.positions, 3));
    geometry.setAttribute('normal', new THREE.Float32BufferAttribute(this.normals, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(this.colors, 3));
    return geometry;
  }

  outlines(): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(this.lines, 3));
    return geometry;
  }
}

const Y = new THREE.Vector3(0, 1, 0);

/** Matrix that puts a cylinder (about y, centered) between two points, without scale. */
export function barMatrix(from: THREE.Vector3, to: THREE.Vector3, out: THREE.Matrix4): THREE.Matrix4 {
  const direction = new THREE.Vector3().subVectors(to, from).normalize();
  const middle = new THREE.Vector3().addVectors(from, to).multiplyScalar(0.5);
  return out.compose(middle, new THREE.Quaternion().setFromUnitVectors(Y, direction), new THREE.Vector3(1, 1, 1));
}
