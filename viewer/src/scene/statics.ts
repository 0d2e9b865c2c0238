// What does not move: trees and posts in chunks around the eye, meshes of the city, instances, cylinders and prisms.
import * as THREE from 'three';
import { Ground as GroundData, Hello, Material, StaticThing } from '../model';
import { hash2 } from '../noise';
import { MeshData, readMesh } from '../protocol';
import { Builder } from './builder';
import { Get } from './ground';

interface Chunk { group: THREE.Group | null; used: number; x: number; y: number }

export interface Place { x: number; y: number; radius: number }

/** Buildings of one mesh seen from above, about (x, y). */
export interface Roofs { x: number; y: number; radius: number; path: Path2D }

export class Statics {
  readonly group = new THREE.Group();
  readonly places: Place[] = [];   // for the map
  readonly roofs: Roofs[] = [];    // for the map
  private readonly chunks = new Map<string, Chunk>();
  private readonly pine: THREE.BufferGeometry;
  private readonly bush: THREE.BufferGeometry;
  private readonly leaf: THREE.Material;
  private readonly kinds: Material[];
  private readonly plain: THREE.Material;
  private readonly walls: THREE.Material;
  private readonly crowds: { mesh: THREE.InstancedMesh; far: number }[] = [];
  private readonly waitingMeshes: { thing: StaticThing; asked: boolean }[] = [];
  private readonly meshes = new Map<number, Promise<MeshData | null>>();
  private readonly hasTrees: boolean;
  private round = 0;
  private asked = 0;
  private missing = 0;  // chunks of trees that were not asked for yet

  constructor(hello: Hello, private readonly ground: GroundData, private readonly origin: THREE.Vector3, private readonly get: Get,
              private readonly rich: boolean, private readonly shadows: boolean) {
    this.pine = pineGeometry(rich);
    this.bush = roundTree(rich);
    this.leaf = new THREE.MeshLambertMaterial({ vertexColors: true });
    this.kinds = hello.materials;
    this.plain = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
    this.walls = wallMaterial(rich);
    this.hasTrees = hello.static.some((thing) => thing.kind === 'trees');
    for (const thing of hello.static) this.add(thing);
  }

  get complete(): boolean { return this.asked === 0 && this.missing === 0 && this.waitingMeshes.every((w) => w.asked); }

  private add(thing: StaticThing): void {
    if (thing.kind === 'mesh') {
      this.waitingMeshes.push({ thing, asked: false });
    } else if (thing.kind === 'instances') {
      void this.addInstances(thing);
    } else if (thing.kind === 'cylinder' && thing.center) {
      const radius = thing.radius ?? 0.3, height = thing.height ?? 1, [x, y, z] = thing.center;
      const builder = new Builder();
      addPost(builder, radius, height, this.rich);
      const mesh = this.mesh(builder.geometry());
      mesh.position.set(x - this.origin.x, y - this.origin.y, z - this.origin.z);
      this.places.push({ x, y, radius });
    } else if (thing.kind === 'prism' && thing.corners && thing.corners.length > 2) {
      const builder = new Builder();
      const z = thing.z ?? 0, top = z + (thing.height ?? 1);
      const [cx, cy] = thing.corners[0];
      const color = new THREE.Color(0.33, 0.3, 0.27);
      const local = thing.corners.map(([x, y]) => [x - cx, y - cy] as const);
      for (let i = 0; i < local.length; ++i) {
        const [ax, ay] = local[i], [bx, by] = local[(i + 1) % local.length];
        builder.plate([[ax, ay, z], [bx, by, z], [bx, by, top], [ax, ay, top]], color, false);
      }
      builder.plate(local.map(([x, y]) => [x, y, top]), color.clone().multiplyScalar(0.8), false);
      const mesh = this.mesh(builder.geometry());
      mesh.position.set(cx - this.origin.x, cy - this.origin.y, -this.origin.z);
      for (const [x, y] of thing.corners) this.places.push({ x, y, radius: 0.2 });
    }
  }

  private mesh(geometry: THREE.BufferGeometry): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide }));
    mesh.castShadow = mesh.receiveShadow = this.shadows;
    this.group.add(mesh);
    return mesh;
  }

  fetchMesh(index: number): Promise<MeshData | null> {
    let found = this.meshes.get(index);
    if (!found) this.meshes.set(index, found = this.get(`/api/mesh/${index}`).then((bytes) => (bytes && bytes.byteLength >= 40 ? readMesh(bytes) : null)));
    return found;
  }

  /** Geometry of a mesh with its materials' colors in the vertices: plain faces first, then walls, so at most two calls. */
  private buildMesh(data: MeshData): THREE.BufferGeometry {
    const sorted = data.groups.map((group) => ({ ...group, wall: isWall(this.kinds[group.material]) })).sort((a, b) => Number(a.wall) - Number(b.wall));
    const count = sorted.reduce((sum, group) => sum + group.count, 0);
    const positions = new Float32Array(9 * count), colors = new Float32Array(9 * count);
    let at = 0, walls = 0;
    for (const group of sorted) {
      const color = new THREE.Color(...(this.kinds[group.material]?.color ?? [0.4, 0.4, 0.4]));
      if (group.wall) walls += group.count;
      for (let k = 3 * group.first; k < 3 * (group.first + group.count); ++k, at += 3) {
        const v = 3 * data.indices[k];
        positions.set(data.positions.subarray(v, v + 3), at);
        colors[at] = color.r;
        colors[at + 1] = color.g;
        colors[at + 2] = color.b;
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    if (count > walls) geometry.addGroup(0, 3 * (count - walls), 0);
    if (walls > 0) geometry.addGroup(3 * (count - walls), 3 * walls, 1);
    geometry.computeVertexNormals();
    return geometry;
  }

  private async addInstances(thing: StaticThing): Promise<void> {
    const data = await this.fetchMesh(thing.mesh ?? -1);
    if (!data || !thing.poses) return;
    const geometry = this.buildMesh(data);
    geometry.translate(...data.origin);
    geometry.computeBoundingSphere();
    const size = geometry.boundingSphere?.radius ?? 1;
    // Chunks of some 60 m, so that what is behind the eye or far for its size is not drawn.
    const chunks = new Map<string, number[][]>();
    if (thing.name === 'parked car') for (const [x, y] of thing.poses) this.places.push({ x, y, radius: 1 });
    for (const pose of thing.poses) {
      const key = `${Math.floor(pose[0] / 60)}/${Math.floor(pose[1] / 60)}`;
      const list = chunks.get(key);
      if (list) list.push(pose); else chunks.set(key, [pose]);
    }
    const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), up = new THREE.Vector3(0, 0, 1);
    for (const poses of chunks.values()) {
      const mesh = new THREE.InstancedMesh(geometry, [this.plain, this.walls], poses.length);
      poses.forEach(([x, y, z, yaw, scale], i) => {
        turn.setFromAxisAngle(up, yaw ?? 0);
        matrix.compose(new THREE.Vector3(x - this.origin.x, y - this.origin.y, (z ?? 0) - this.origin.z), turn, new THREE.Vector3(1, 1, 1).multiplyScalar(scale ?? 1));
        mesh.setMatrixAt(i, matrix);
      });
      mesh.computeBoundingSphere();
      mesh.castShadow = this.shadows;
      this.group.add(mesh);
      this.crowds.push({ mesh, far: Math.min(600, Math.max(90, (this.rich ? 45 : 25) * size)) });
    }
  }

  update(eye: THREE.Vector3): void {
    ++this.round;
    const ex = eye.x + this.origin.x, ey = eye.y + this.origin.y;
    for (const { mesh, far } of this.crowds) mesh.visible = mesh.boundingSphere!.center.distanceTo(eye) - mesh.boundingSphere!.radius < far;
    const far = this.rich ? 1200 : 700;
    for (const waiting of this.waitingMeshes) {
      const center = waiting.thing.center ?? [ex, ey, 0];
      if (waiting.asked || this.asked >= 4 || Math.hypot(center[0] - ex, center[1] - ey) - (waiting.thing.radius ?? 0) > far) continue;
      waiting.asked = true;
      ++this.asked;
      void this.fetchMesh(waiting.thing.mesh ?? -1).then((data) => {
        --this.asked;
        if (!data) return;
        if (waiting.thing.layer === 'buildings') this.roofs.push(roofsOf(data, waiting.thing.radius ?? 1000));
        const mesh = new THREE.Mesh(this.buildMesh(data), [this.plain, this.walls]);
        mesh.position.set(data.origin[0] - this.origin.x, data.origin[1] - this.origin.y, data.origin[2] - this.origin.z);
        mesh.castShadow = mesh.receiveShadow = this.shadows;
        this.group.add(mesh);
      });
    }
    if (this.hasTrees) this.updateTrees(ex, ey, this.rich ? 420 : 170);
  }

  private updateTrees(ex: number, ey: number, reach: number): void {
    const side = 128 * this.ground.cell, [ox, oy] = this.ground.origin;
    const i0 = Math.floor((ex - reach - ox) / side), i1 = Math.floor((ex + reach - ox) / side);
    const j0 = Math.floor((ey - reach - oy) / side), j1 = Math.floor((ey + reach - oy) / side);
    // Near ones first: where drawing is slow, far ones take long.
    const places: [number, number, number][] = [];
    for (let j = j0; j <= j1; ++j) for (let i = i0; i <= i1; ++i) places.push([i, j, Math.hypot(ox + (i + 0.5) * side - ex, oy + (j + 0.5) * side - ey)]);
    places.sort((a, b) => a[2] - b[2]);
    this.missing = 0;
    for (const [i, j] of places) {
      const key = `${i}/${j}`;
      let chunk = this.chunks.get(key);
      if (!chunk) {
        if (this.asked >= 8) { ++this.missing; continue; }
        this.chunks.set(key, chunk = { group: null, used: this.round, x: ox + i * side, y: oy + j * side });
        ++this.asked;
        const made = chunk;
        void this.get(`/api/trees/${i}/${j}`).then((bytes) => { --this.asked; if (bytes) this.plant(made, new Float32Array(bytes), side); });
      }
      chunk.used = this.round;
    }
    for (const [key, chunk] of this.chunks) {
      if (chunk.group) chunk.group.visible = chunk.used === this.round;
      if (chunk.used < this.round - 900) { chunk.group?.removeFromParent(); this.chunks.delete(key); }
    }
  }

  private plant(chunk: Chunk, data: Float32Array, side: number): void {
    const count = Math.floor(data.length / 5);
    if (count === 0) return;
    const group = new THREE.Group();
    const trees: [number[], number[]] = [[], []], posts: number[] = [];
    for (let k = 0; k < count; ++k) {
      const radius = data[5 * k + 3], height = data[5 * k + 4];
      this.places.push({ x: chunk.x + data[5 * k], y: chunk.y + data[5 * k + 1], radius });
      // A post is low for its thickness; a trunk carries a crown.
      if (height < Math.max(2.2, 6 * radius)) posts.push(k); else trees[hash2(k, Math.floor(chunk.x), 5) < 0.7 ? 0 : 1].push(k);
    }
    const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), up = new THREE.Vector3(0, 0, 1), color = new THREE.Color();
    trees.forEach((list, kind) => {
      if (list.length === 0) return;
      const mesh = new THREE.InstancedMesh(kind === 0 ? this.pine : this.bush, this.leaf, list.length);
      list.forEach((k, i) => {
        const height = data[5 * k + 4], spread = height * (kind === 0 ? 1 : 1.05) * (0.85 + 0.4 * hash2(k, 3, 8));
        turn.setFromAxisAngle(up, 6.283 * hash2(k, 7, 9));
        matrix.compose(new THREE.Vector3(data[5 * k], data[5 * k + 1], data[5 * k + 2] - this.origin.z - 0.1), turn, new THREE.Vector3(spread, spread, height));
        mesh.setMatrixAt(i, matrix);
        mesh.setColorAt(i, color.setRGB(0.85 + 0.4 * hash2(k, 11, 9), 0.9 + 0.25 * hash2(k, 12, 9), 0.8 + 0.2 * hash2(k, 13, 9)));
      });
      mesh.computeBoundingSphere();
      mesh.castShadow = this.shadows;
      group.add(mesh);
    });
    if (posts.length > 0) {
      const builder = new Builder();
      for (const k of posts) {
        const one = new Builder();
        addPost(one, data[5 * k + 3], data[5 * k + 4], this.rich);
        builder.add(one.geometry(), new THREE.Matrix4().makeTranslation(data[5 * k], data[5 * k + 1], data[5 * k + 2] - this.origin.z), new THREE.Color(0.55, 0.5, 0.42));
      }
      const mesh = new THREE.Mesh(builder.geometry(), this.leaf);
      mesh.castShadow = this.shadows;
      group.add(mesh);
    }
    group.position.set(chunk.x - this.origin.x, chunk.y - this.origin.y, 0);
    chunk.group = group;
    this.group.add(group);
    void side;
  }
}

/** Striped post from the ground up. */
function addPost(builder: Builder, radius: number, height: number, rich: boolean): void {
  const light = new THREE.Color(0.75, 0.74, 0.7), signal = new THREE.Color(0.62, 0.13, 0.02);
  const bands = Math.max(2, Math.min(8, Math.round(height / 0.4)));
  for (let k = 0; k < bands; ++k) {
    builder.bar([0, 0, height * k / bands - (k === 0 ? 0.5 : 0)], [0, 0, height * (k + 1) / bands], radius, k % 2 ? light : signal, rich ? 20 : 10);
  }
}

/** Conifer of height 1: trunk and four jagged skirts. Its spread is for height 1, too. */
function pineGeometry(rich: boolean): THREE.BufferGeometry {
  const builder = new Builder();
  builder.bar([0, 0, 0], [0, 0, 0.3], 0.02, new THREE.Color(0.09, 0.055, 0.03), 6);
  const sides = rich ? 9 : 6, layers = rich ? 4 : 3;
  for (let l = 0; l < layers; ++l) {
    const low = 0.16 + 0.62 * l / layers, high = Math.min(1, low + 0.42), radius = 0.17 * (1 - 0.72 * l / layers);
    const dark = new THREE.Color(0.035, 0.085, 0.03).multiplyScalar(0.85 + 0.22 * l);
    for (let k = 0; k < sides; ++k) {
      const a = 2 * Math.PI * (k + 0.3 * l) / sides, b = a + 2 * Math.PI / sides, m = (a + b) / 2;
      const r0 = radius * (0.85 + 0.3 * hash2(k, l, 3)), r1 = radius * (0.85 + 0.3 * hash2((k + 1) % sides, l, 3)), drop = 0.05;
      builder.plate([[r0 * Math.cos(a), r0 * Math.sin(a), low], [1.16 * radius * Math.cos(m), 1.16 * radius * Math.sin(m), low - drop], [0, 0, high]], dark, false);
      builder.plate([[1.16 * radius * Math.cos(m), 1.16 * radius * Math.sin(m), low - drop], [r1 * Math.cos(b), r1 * Math.sin(b), low], [0, 0, high]], dark.clone().multiplyScalar(1.18), false);
    }
  }
  return builder.geometry();
}

/** Broad-leaved tree of height 1: trunk and a crown of lumps. */
function roundTree(rich: boolean): THREE.BufferGeometry {
  const builder = new Builder();
  builder.bar([0, 0, 0], [0.01, 0, 0.5], 0.022, new THREE.Color(0.1, 0.07, 0.045), 6);
  const lumps: [number, number, number, number][] = [[0, 0, 0.68, 0.21], [0.11, 0.05, 0.56, 0.15], [-0.1, 0.07, 0.6, 0.15], [0.02, -0.11, 0.58, 0.15], [0, 0.02, 0.86, 0.13]];
  lumps.forEach(([x, y, z, r], k) => {
    builder.add(new THREE.IcosahedronGeometry(r, rich ? 1 : 0), new THREE.Matrix4().makeTranslation(x, y, z), new THREE.Color(0.07, 0.115, 0.03).multiplyScalar(0.85 + 0.12 * k));
  });
  return builder.geometry();
}

const isWall = (kind: Material | undefined): boolean => /wall|facade|building|brick|concrete|window/i.test(`${kind?.texture ?? ''} ${kind?.name ?? ''}`);

/** Walls get windows in the shader: floors of 3.2 m, bays of 2.6 m. */
function wallMaterial(rich: boolean): THREE.Material {
  const material = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('#include <common>', '#include <common>\nvarying vec3 vPlace; varying vec3 vFace;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz; vFace = normal;');
    shader.fragmentShader = shader.fragmentShader.replace('#include <common>', '#include <common>\nvarying vec3 vPlace; varying vec3 vFace;')
      .replace('#include <color_fragment>', `#include <color_fragment>
        if (abs(vFace.z) < 0.3) {
          vec2 along = normalize(vec2(-vFace.y, vFace.x) + 1e-5);
          vec2 cell = vec2(dot(vPlace.xy, along) / 2.6, vPlace.z / 3.2);
          vec2 f = fract(cell);
          float keep = fract(sin(dot(floor(cell), vec2(12.99, 78.23))) * 43758.5);
          float blur = ${rich ? 'clamp(length(vPlace - cameraPosition) * 0.0009, 0.01, 0.2)' : '0.03'};
          float pane = smoothstep(0.24 - blur, 0.24 + blur, f.x) * smoothstep(0.76 + blur, 0.76 - blur, f.x)
            * smoothstep(0.3 - blur, 0.3 + blur, f.y) * smoothstep(0.78 + blur, 0.78 - blur, f.y);
          diffuseColor.rgb *= 0.92 + 0.08 * step(0.06, f.y);
          diffuseColor.rgb = mix(diffuseColor.rgb, mix(vec3(0.05, 0.07, 0.09), vec3(0.25, 0.31, 0.36), keep * keep), pane);
        }`);
  };
  return material;
}

/** Triangles that look up: roofs. What looks down or sideways adds nothing to a view from above. */
function roofsOf(data: MeshData, radius: number): Roofs {
  const path = new Path2D(), p = data.positions;
  for (let k = 0; k < data.indices.length; k += 3) {
    const [a, b, c] = [3 * data.indices[k], 3 * data.indices[k + 1], 3 * data.indices[k + 2]];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], vx = p[c] - p[a], vy = p[c + 1] - p[a + 1];
    if (ux * vy - uy * vx < 0.5) continue;  // [m^2] twice the area: window sills are too small to see
    path.moveTo(p[a], p[a + 1]);
    path.lineTo(p[b], p[b + 1]);
    path.lineTo(p[c], p[c + 1]);
    path.closePath();
  }
  return { x: data.origin[0], y: data.origin[1], radius, path };
}
