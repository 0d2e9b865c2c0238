// A vehicle from its hello: bodies with merged parts, links between bodies, wheels, and a shell that the x-ray thins out.
// Everything is built in the numbers of the frame V, where all body frames stand in the design position.
import * as THREE from 'three';
import { Corner, Shape, Vec3, Vehicle as VehicleData, VehiclePose } from '../model';
import { MeshData } from '../protocol';
import { barMatrix, Builder } from './builder';
import { axisMatrix, buildCoil, buildWheel, partColor } from './parts';
import { buildHmmwv } from './shell';

export interface Look { fine: boolean; lambert: boolean; shadows: boolean }

interface Link { shape: Shape; mesh: THREE.Mesh; second?: THREE.Mesh }

export interface Picked { name: string; text: string; point: THREE.Vector3 }

const RIM = new THREE.Color(0.075, 0.078, 0.04), ALLOY = new THREE.Color(0.3, 0.31, 0.33);
const WINDOW = new THREE.Color(0.012, 0.015, 0.02);
const SHELL_COLOR = new THREE.Color(0.05, 0.13, 0.26);

export function surface(look: Look, options: { roughness?: number; metalness?: number } = {}): THREE.Material {
  return look.lambert ? new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide })
    : new THREE.MeshStandardMaterial({ vertexColors: true, side: THREE.DoubleSide, roughness: 0.62, metalness: 0.05, ...options });
}

/** Windows of the box that the driver sits in: which end is the front is seen at once. */
function addWindows(shell: Builder, min: Vec3, max: Vec3, eye: Vec3 | undefined): void {
  if (!eye || max[2] - min[2] < 0.8 || !eye.every((v, k) => v > min[k] && v < max[k])) return;
  const [length, width, height] = [0, 1, 2].map((k) => max[k] - min[k]), low = max[2] - Math.min(0.85, 0.45 * height), high = max[2] - 0.08 * height;
  const front = max[0] + 0.01, y = max[1] - 0.07 * width, rear = max[0] - Math.min(1.3, 0.7 * length), side = max[1] + 0.01, end = max[0] - 0.12 * Math.min(1.5, length);
  shell.plate([[front, -y, low], [front, y, low], [front, y, high], [front, -y, high]], WINDOW, false);
  shell.both([[rear, side, low], [rear, side, high], [end, side, high], [end, side, low]], WINDOW, false);
}

export class Vehicle {
  readonly root = new THREE.Group();          // stands at body 0
  readonly bodies: THREE.Object3D[] = [];     // 0 is the root itself
  reach: number;                              // [m] size, for cameras
  readonly middle = new THREE.Vector3();      // of a mechanism, from its root: cameras look there
  readonly tail: number;                      // [m] how much farther back a trailer ends than the vehicle itself
  private readonly links: Link[] = [];
  private readonly shellMeshes: THREE.Mesh[] = [];
  private readonly upper: THREE.Mesh[] = [];
  private shellLines: THREE.LineSegments | null = null;
  private xray = false;
  private readonly spinning: { corner: Corner; group: THREE.Object3D; angle: number }[] = [];
  private readonly rolling: { group: THREE.Object3D; radius: number; steers: boolean }[] = [];  // wheels of a simple level
  private isMeasured = false;
  private isHiding = false;
  private inside: THREE.Mesh | null = null;   // frame of the windshield, for eyes in the cab

  constructor(readonly data: VehicleData, private readonly look: Look, private readonly hasPoses: boolean,
              fetchMesh: (index: number) => Promise<MeshData | null>) {
    const count = Math.max(1, data.bodies.length, 1 + Math.max(0, ...data.shapes.map((s) => Math.max(s.body ?? 0, s.body_a ?? 0, s.body_b ?? 0))));
    this.bodies.push(this.root);
    for (let b = 1; b < count; ++b) {
      const group = new THREE.Group();
      this.bodies.push(group);
      this.root.add(group);
    }
    this.addShapes(fetchMesh);
    this.addShell();
    const outline = data.outline;
    this.reach = outline && outline.front > outline.rear ? Math.max(outline.front, -outline.rear, 0.5) : this.measure();
    this.tail = data.rear_end !== undefined && outline ? Math.max(0, outline.rear - data.rear_end) : 0;
    if (!hasPoses) {
      for (const corner of data.corners) this.spinning.push({ corner, group: this.bodies[corner.wheel] ?? this.root, angle: 0 });
    }
  }

  private measure(): number {
    const box = new THREE.Box3().setFromObject(this.root);
    return box.isEmpty() ? 1 : Math.max(0.3, box.getSize(new THREE.Vector3()).length() / 2);
  }

  private addMesh(geometry: THREE.BufferGeometry, material: THREE.Material, parent: THREE.Object3D): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = this.look.shadows;
    mesh.receiveShadow = this.look.shadows;
    parent.add(mesh);
    return mesh;
  }

  private addShapes(fetchMesh: (index: number) => Promise<MeshData | null>): void {
    const solid = surface(this.look), rubber = surface(this.look, { roughness: 0.9 });
    const perBody = new Map<number, Builder>();
    const builder = (body: number): Builder => {
      let found = perBody.get(body);
      if (!found) perBody.set(body, found = new Builder());
      return found;
    };
    const shellBoxes = new Builder();
    const simple = this.data.level === 'single_track' || this.data.level === 'point_mass';
    const offRoad = this.data.corners.some((corner) => corner.radius > 0.42) || this.data.shell.kind === 'hmmwv';
    for (const shape of this.data.shapes) {
      const kind = shape.shape ?? shape.kind, color = partColor(shape.part);
      const body = Math.min(shape.body ?? 0, this.bodies.length - 1);
      if (kind === 'bar' && shape.a && shape.b) {
        builder(body).bar(shape.a, shape.b, shape.radius ?? 0.02, color, this.look.fine ? 10 : 6);
        if (this.look.fine) { builder(body).ball(shape.a, 1.25 * (shape.radius ?? 0.02), color); builder(body).ball(shape.b, 1.25 * (shape.radius ?? 0.02), color); }
      } else if (kind === 'link' && shape.a && shape.b) {
        this.addLink(shape, color, solid);
      } else if (kind === 'wheel' && shape.center && shape.axis) {
        const radius = shape.radius ?? 0.3, width = shape.width ?? 0.2;
        const geometry = buildWheel(radius, width, shape.rim ?? 0.55 * radius, offRoad, this.look.fine, this.data.shell.kind === 'hmmwv' ? RIM : ALLOY);
        if (simple && body === 0 && this.data.corners.length === 0) {
          const group = new THREE.Group();
          group.position.set(...shape.center);
          geometry.applyMatrix4(axisMatrix([0, 0, 0], shape.axis));
          this.addMesh(geometry, rubber, group);
          this.root.add(group);
          this.rolling.push({ group, radius, steers: shape.center[0] > 0 });
        } else {
          geometry.applyMatrix4(axisMatrix(shape.center, shape.axis));
          this.addMesh(geometry, rubber, this.bodies[body]);
        }
      } else if (kind === 'box' && shape.min && shape.max) {
        // Boxes of the body are its shell where there are no plates; others are parts like any.
        if (body === 0 && (this.data.corners.length > 0 || simple) && (shape.part === 'body' || shape.part === 'chassis')) {
          if (this.data.shell.kind !== 'hmmwv') { shellBoxes.box(shape.min, shape.max, SHELL_COLOR, true); addWindows(shellBoxes, shape.min, shape.max, this.data.eye); }
        } else builder(body).box(shape.min, shape.max, color, true);
      } else if (kind === 'mesh' && shape.mesh !== undefined) {
        void fetchMesh(shape.mesh).then((mesh) => { if (mesh) this.addForeignMesh(mesh, body, shape.part); });
      }
    }
    for (const [body, parts] of perBody) this.addMesh(parts.geometry(), solid, this.bodies[body]);
    if (!shellBoxes.empty) this.setShell(new Builder(), null, shellBoxes);
  }

  private addForeignMesh(data: MeshData, body: number, part: string): void {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(data.positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(data.indices, 1));
    const flat = geometry.toNonIndexed();
    flat.computeVertexNormals();
    const color = partColor(part), count = flat.getAttribute('position').count, colors = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) colors.set([color.r, color.g, color.b], 3 * i);
    flat.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    const mesh = this.addMesh(flat, surface(this.look), this.bodies[body]);
    mesh.position.set(...data.origin);
    if (part === 'body' || part === 'chassis') { this.upper.push(mesh); this.shellMeshes.push(mesh); this.setXray(this.xray); }
  }

  private addLink(shape: Shape, color: THREE.Color, material: THREE.Material): void {
    const paint = (geometry: THREE.BufferGeometry, c: THREE.Color): THREE.BufferGeometry => {
      const builder = new Builder();
      builder.add(geometry, new THREE.Matrix4(), c);
      return builder.geometry();
    };
    const radius = shape.radius ?? 0.02;
    const coil = shape.part === 'spring' || shape.part === 'strut';
    const geometry = coil ? buildCoil(6, 0.17, this.look.fine) : new THREE.CylinderGeometry(1, 1, 1, this.look.fine ? 12 : 6);
    const mesh = this.addMesh(paint(geometry, color), material, this.root);
    const link: Link = { shape, mesh };
    mesh.userData.radius = coil ? Math.max(radius, 0.04) : radius;
    if (shape.part === 'shock' || shape.part === 'strut') {
      // Tube below and rod above.
      link.second = this.addMesh(paint(new THREE.CylinderGeometry(1, 1, 1, 10), partColor('shock')), material, this.root);
      link.second.userData.radius = shape.part === 'strut' ? 0.45 * radius : 0.45 * radius;
    }
    this.links.push(link);
  }

  private addShell(): void {
    if (this.data.shell.kind !== 'hmmwv') return;
    const { paint, cab, glass, frame, inside } = buildHmmwv();
    const carrier = this.addMesh(frame.geometry(), surface(this.look), this.root);
    this.setShell(paint, glass, cab);
    // Plates are in the numbers of the full vehicle's frame.
    this.inside = this.addMesh(inside.geometry(), surface(this.look), this.root);
    this.inside.castShadow = this.inside.visible = false;
    for (const part of [carrier, this.inside, ...this.shellMeshes, this.shellLines!]) part.position.set(...(this.data.shell.offset ?? [0, 0, 0]));
  }

  private setShell(paint: Builder, glass: Builder | null, cab: Builder | null = null): void {
    const material = surface(this.look, { roughness: 0.55 });
    if (!paint.empty) this.shellMeshes.push(this.addMesh(paint.geometry(), material, this.root));
    if (cab) {
      this.upper.push(this.addMesh(cab.geometry(), material, this.root));
      paint.lines.push(...cab.lines);
    }
    if (glass && !glass.empty) {
      const material = this.look.lambert ? surface(this.look)
        : new THREE.MeshStandardMaterial({ color: 0x10161c, roughness: 0.08, metalness: 0.6, side: THREE.DoubleSide });
      this.upper.push(this.addMesh(glass.geometry(), material, this.root));
    }
    this.shellMeshes.push(...this.upper);
    this.shellLines = new THREE.LineSegments(paint.outlines(), new THREE.LineBasicMaterial({ color: 0xd7e6f2, transparent: true, opacity: 0.55 }));
    this.shellLines.visible = false;
    this.root.add(this.shellLines);
  }

  setXray(on: boolean): void {
    this.xray = on;
    for (const mesh of this.shellMeshes) {
      const material = mesh.material as THREE.Material;
      material.transparent = on;
      material.opacity = on ? 0.09 : 1;
      material.depthWrite = !on;
      material.needsUpdate = true;
      mesh.castShadow = this.look.shadows && !on;
      mesh.renderOrder = on ? 5 : 0;
    }
    if (this.shellLines) this.shellLines.visible = on;
  }

  /** Translucent and blue: another run, or the last try. */
  makeGhost(): void {
    const seen = new Set<THREE.Material>();
    this.root.traverse((object) => {
      if (!(object instanceof THREE.Mesh)) return;
      object.castShadow = object.receiveShadow = false;
      const material = object.material as THREE.MeshStandardMaterial;
      if (seen.has(material)) return;
      seen.add(material);
      material.transparent = true;
      material.opacity = 0.32;
      material.depthWrite = false;
      material.vertexColors = false;
      material.color.set(0x58aee8);
    });
  }

  /** Eyes inside do not see the cab around them. */
  setInside(inside: boolean): void {
    if (this.data.shell.kind === 'hmmwv') {
      for (const mesh of this.upper) mesh.visible = !inside;
      if (this.inside) this.inside.visible = inside && !this.xray;
      return;
    }
    // Of a closed body what surrounds the eye goes and a hood stays; wheels and suspension are behind its sheets.
    for (const mesh of this.upper) (mesh.material as THREE.Material).side = inside ? THREE.FrontSide : THREE.DoubleSide;
    const hides = inside && !this.xray && this.upper.length > 0;
    if (hides === this.isHiding) return;
    this.isHiding = hides;
    this.root.traverse((object) => { if (object instanceof THREE.Mesh && !this.shellMeshes.includes(object)) object.visible = !hides; });
  }

  /** Puts all bodies. `steer` and `travel` turn wheels of vehicles whose bodies have no poses. */
  pose(pose: VehiclePose, origin: THREE.Vector3, steer: number, distance: number): void {
    const b = pose.bodies;
    this.root.position.set(pose.position[0] - origin.x, pose.position[1] - origin.y, pose.position[2] - origin.z);
    this.root.quaternion.set(b[3], b[4], b[5], b[6]);
    for (let i = 1; i < this.bodies.length && 7 * i + 6 < b.length; ++i) {
      this.bodies[i].position.set(b[7 * i], b[7 * i + 1], b[7 * i + 2]);
      this.bodies[i].quaternion.set(b[7 * i + 3], b[7 * i + 4], b[7 * i + 5], b[7 * i + 6]);
    }
    if (!this.hasPoses) {
      for (const wheel of this.spinning) {
        const c = wheel.corner.center;
        const front = c[0] > 0 ? steer : 0;
        wheel.group.quaternion.setFromEuler(new THREE.Euler(0, distance / Math.max(0.1, wheel.corner.radius), front, 'ZYX'));
        wheel.group.position.set(...c).sub(new THREE.Vector3(...c).applyQuaternion(wheel.group.quaternion));
      }
    }
    for (const wheel of this.rolling) wheel.group.quaternion.setFromEuler(new THREE.Euler(0, distance / Math.max(0.1, wheel.radius), wheel.steers ? steer : 0, 'ZYX'));
    for (const link of this.links) this.poseLink(link);
    if (!this.isMeasured && this.hasPoses && this.data.corners.length === 0) this.measureMechanism();
  }

  /** A mechanism is where its first moment puts it, not about the origin of its world. */
  private measureMechanism(): void {
    this.isMeasured = true;
    this.root.updateMatrixWorld(true);
    this.reach = this.measure();
    const box = new THREE.Box3().setFromObject(this.root);
    if (!box.isEmpty()) box.getCenter(this.middle).sub(this.root.position);
  }

  /** Point of a body, in the root's frame. */
  pointOf(body: number, p: Vec3, out: THREE.Vector3): THREE.Vector3 {
    out.set(...p);
    if (body === 0 || !this.bodies[body]) return out;
    return out.applyQuaternion(this.bodies[body].quaternion).add(this.bodies[body].position);
  }

  private readonly a = new THREE.Vector3();
  private readonly b = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  private poseLink({ shape, mesh, second }: Link): void {
    this.pointOf(shape.body_a ?? 0, shape.a!, this.a);
    this.pointOf(shape.body_b ?? 0, shape.b!, this.b);
    const place = (target: THREE.Mesh, from: THREE.Vector3, to: THREE.Vector3): void => {
      const length = from.distanceTo(to), r = target.userData.radius as number;
      if (length < 1e-6) return;
      barMatrix(from, to, this.matrix).scale(new THREE.Vector3(r, length, r));
      target.matrixAutoUpdate = false;
      target.matrix.copy(this.matrix);
    };
    if (second && shape.part === 'shock') {
      const middle = new THREE.Vector3().lerpVectors(this.a, this.b, 0.52);
      place(mesh, middle, this.b);
      place(second, this.a, middle);
    } else {
      place(mesh, this.a, this.b);
      if (second) place(second, this.a, this.b);
    }
  }

  /** Part under a ray of the world, for the x-ray's labels. */
  pick(ray: THREE.Ray): Picked | null {
    if (!this.xray) return null;
    const inverse = new THREE.Matrix4().copy(this.root.matrixWorld).invert();
    const local = ray.clone().applyMatrix4(inverse);
    let best: Picked | null = null, nearest = Infinity;
    const a = new THREE.Vector3(), b = new THREE.Vector3(), on = new THREE.Vector3();
    for (const shape of this.data.shapes) {
      const kind = shape.shape ?? shape.kind;
      if ((kind !== 'bar' && kind !== 'link') || !shape.a || !shape.b) continue;
      this.pointOf(shape.body_a ?? shape.body ?? 0, shape.a, a);
      this.pointOf(shape.body_b ?? shape.body ?? 0, shape.b, b);
      const gap = Math.sqrt(local.distanceSqToSegment(a, b, undefined, on));
      const away = on.distanceTo(local.origin);
      const allowed = Math.max(shape.radius ?? 0.02, 0.008 * away);
      if (gap > allowed || gap / allowed + 0.02 * away > nearest) continue;
      nearest = gap / allowed + 0.02 * away;
      const length = a.distanceTo(b);
      let text = `${(1000 * length).toFixed(0)} mm`;
      if (shape.free_length) text += `, free ${(1000 * shape.free_length).toFixed(0)} mm`;
      if (shape.stiffness) text += `, ${(shape.stiffness / 1000).toFixed(1)} kN/m`;
      const body = kind === 'bar' ? this.data.bodies[shape.body ?? 0] : undefined;
      if (body && body.mass > 0 && shape.body) text += `, ${body.mass.toFixed(1)} kg`;
      best = { name: shape.name, text, point: on.clone().applyMatrix4(this.root.matrixWorld) };
    }
    return best;
  }

  /** Center of a wheel, in the root's frame. */
  wheelCenter(corner: Corner, out: THREE.Vector3): THREE.Vector3 { return this.pointOf(corner.wheel, corner.center, out); }

  dispose(): void {
    this.root.removeFromParent();
    this.root.traverse((object) => {
      if (object instanceof THREE.Mesh || object instanceof THREE.LineSegments) {
        object.geometry.dispose();
        (object.material as THREE.Material).dispose();
      }
    });
  }
}
