// Ground: a quadtree of tiles by distance. A parent stays until all four children are there; skirts hide the seams
// between levels. Color comes from noise, slope and kind of surface per node, detail from one tileable texture at two
// scales in the shader.
import * as THREE from 'three';
import { Ground as GroundData, Material } from '../model';
import { fbm, hash2, noise2 } from '../noise';
import { readTile, TILE_CELLS, TILE_NODES, Tile } from '../protocol';

interface Node { level: number; i: number; j: number; mesh?: THREE.Mesh; state: 'none' | 'asked' | 'there' | 'empty'; used: number; tile?: Tile }

export type Get = (address: string) => Promise<ArrayBuffer | null>;

const LOOKS: Record<string, THREE.Color[]> = {
  grass: [new THREE.Color(0.15, 0.17, 0.045), new THREE.Color(0.31, 0.245, 0.105), new THREE.Color(0.085, 0.125, 0.035), new THREE.Color(0.19, 0.145, 0.09)],
  soil: [new THREE.Color(0.2, 0.145, 0.085), new THREE.Color(0.26, 0.2, 0.12), new THREE.Color(0.15, 0.13, 0.06), new THREE.Color(0.2, 0.15, 0.1)],
  sand: [new THREE.Color(0.4, 0.3, 0.17), new THREE.Color(0.5, 0.385, 0.235), new THREE.Color(0.31, 0.235, 0.13), new THREE.Color(0.3, 0.225, 0.14)],
  asphalt: [new THREE.Color(0.105, 0.107, 0.112), new THREE.Color(0.135, 0.135, 0.135), new THREE.Color(0.085, 0.087, 0.092), new THREE.Color(0.1, 0.1, 0.1)],
};

export const lookColors = (look: string): THREE.Color[] => LOOKS[look] ?? LOOKS.grass;

/** Tileable relief and grain: red a fine one, green a coarse one, blue clumps. */
function detailTexture(): THREE.DataTexture {
  const n = 256;
  const data = new Uint8Array(4 * n * n);
  for (let j = 0; j < n; ++j) {
    for (let i = 0; i < n; ++i) {
      const x = i / n, y = j / n;
      const at = 4 * (j * n + i);
      const strands = noise2(x * 128, y * 32, 3, 0) ;
      data[at] = 255 * (0.45 * fbm(x * 32, y * 32, 3, 1, 32) + 0.3 * hash2(i, j, 5) + 0.25 * strands);
      data[at + 1] = 255 * fbm(x * 8, y * 8, 5, 2, 8);
      data[at + 2] = 255 * THREE.MathUtils.smoothstep(fbm(x * 16, y * 16, 3, 9, 16), 0.35, 0.7);
      data[at + 3] = 255;
    }
  }
  const texture = new THREE.DataTexture(data, n, n);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}

/** Gray grains and patches, tileable: cheap detail for planes. */
function grainTexture(): THREE.DataTexture {
  const n = 128, data = new Uint8Array(4 * n * n);
  for (let j = 0; j < n; ++j) {
    for (let i = 0; i < n; ++i) {
      const v = 150 + 60 * fbm(i / 16, j / 16, 3, 4, 8) + 45 * hash2(i, j, 6);
      data.set([v, v, v, 255], 4 * (j * n + i));
    }
  }
  const texture = new THREE.DataTexture(data, n, n);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

/** Material of the ground; its detail is looked up by the place in the world. */
export function groundMaterial(rich: boolean): THREE.Material {
  const material = new THREE.MeshLambertMaterial({ vertexColors: true });
  if (!rich) return material;
  const detail = { value: detailTexture() };
  material.onBeforeCompile = (shader) => {
    shader.uniforms.detailMap = detail;
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vPlace;\nuniform sampler2D detailMap;')
      .replace('#include <color_fragment>', `#include <color_fragment>
        float away = length(vPlace - cameraPosition);
        float near = exp(-away * 0.035), middle = exp(-away * 0.008);
        vec3 fine = texture2D(detailMap, vPlace.xy * 0.41).rgb;
        vec3 wide = texture2D(detailMap, vPlace.yx * 0.047 + 0.31).rgb;
        float paved = smoothstep(0.03, 0.012, abs(diffuseColor.r - diffuseColor.b) );
        float grain = mix(1.0, 0.55 + 0.9 * fine.r, near * mix(1.0, 0.45, paved));
        float patches = mix(1.0, 0.62 + 0.76 * wide.g, middle * mix(0.9, 0.25, paved));
        vec3 dry = diffuseColor.rgb * vec3(1.28, 1.12, 0.9);
        diffuseColor.rgb = mix(diffuseColor.rgb, dry, (1.0 - paved) * middle * 0.6 * fine.b * wide.b);
        diffuseColor.rgb *= grain * patches;`)
      .replace('#include <normal_fragment_maps>', `#include <normal_fragment_maps>
        {
          float relief = exp(-length(vPlace - cameraPosition) * 0.05) * 0.9;
          float e = 0.006;
          vec2 at = vPlace.xy * 0.41;
          float h0 = texture2D(detailMap, at).g + 0.5 * texture2D(detailMap, at).r;
          float hx = texture2D(detailMap, at + vec2(e, 0.0)).g + 0.5 * texture2D(detailMap, at + vec2(e, 0.0)).r;
          float hy = texture2D(detailMap, at + vec2(0.0, e)).g + 0.5 * texture2D(detailMap, at + vec2(0.0, e)).r;
          vec3 bump = (viewMatrix * vec4(h0 - hx, h0 - hy, 0.0, 0.0)).xyz;
          normal = normalize(normal + relief * bump * 1.6);
        }`);
  };
  return material;
}

export class Ground {
  readonly group = new THREE.Group();
  tiles = 0;  // in view
  private readonly nodes = new Map<string, Node>();
  private readonly material: THREE.Material;
  private readonly colors: THREE.Color[];
  private readonly index: THREE.BufferAttribute;
  private round = 0;
  private asked = 0;

  constructor(private readonly data: GroundData, private readonly materials: Material[], private readonly origin: THREE.Vector3,
              private readonly get: Get, private readonly rich: boolean, private readonly shadows: boolean) {
    this.material = groundMaterial(rich);
    this.colors = LOOKS[data.look] ?? LOOKS.grass;
    this.index = makeIndex();
    if (data.plane) this.addPlane(data.plane);
    // A city's streets are meshes; tiles lie below them and give heights.
    if (data.kind === 'city') this.group.position.z = -0.3;
  }

  get complete(): boolean { return this.asked === 0; }

  private addPlane(plane: { z: number; slope_x: number; slope_y: number }): void {
    const size = 3000, cells = 60;
    const positions: number[] = [], normals: number[] = [], colors: number[] = [], index: number[] = [], uvs: number[] = [];
    const color = new THREE.Color();
    for (let j = 0; j <= cells; ++j) {
      for (let i = 0; i <= cells; ++i) {
        // Denser in the middle, so that colors vary there.
        const f = (k: number): number => { const t = 2 * k / cells - 1; return size * t * (0.05 + 0.95 * t * t); };
        const x = f(i), y = f(j);
        positions.push(x, y, plane.z - this.origin.z + plane.slope_x * (x + this.origin.x) + plane.slope_y * (y + this.origin.y));
        uvs.push((x + this.origin.x) / 9, (y + this.origin.y) / 9);
        const n = new THREE.Vector3(-plane.slope_x, -plane.slope_y, 1).normalize();
        normals.push(n.x, n.y, n.z);
        this.colorAt(x + this.origin.x, y + this.origin.y, 1, undefined, color);
        colors.push(color.r, color.g, color.b);
        if (i < cells && j < cells) {
          const a = j * (cells + 1) + i, b = a + cells + 1;
          index.push(a, a + 1, b, b, a + 1, b + 1);
        }
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
    geometry.setAttribute('uv', new THREE.Float32BufferAttribute(uvs, 2));
    geometry.setIndex(index);
    const mesh = new THREE.Mesh(geometry, this.material);
    // A plane has too few nodes to show motion: without the shader's detail it gets one grainy texture.
    if (!this.rich) mesh.material = new THREE.MeshLambertMaterial({ vertexColors: true, map: grainTexture() });
    mesh.receiveShadow = this.shadows;
    this.group.add(mesh);
    this.tiles = 1;
  }

  /** Height above the world's zero at a place, by the finest tile that is there. */
  heightAt(x: number, y: number): number | undefined {
    if (this.data.plane) return this.data.plane.z + this.data.plane.slope_x * x + this.data.plane.slope_y * y;
    for (let level = 0; level < this.data.levels; ++level) {
      const cell = this.data.cell * 2 ** level, side = cell * TILE_CELLS;
      const u = (x - this.data.origin[0]) / side, v = (y - this.data.origin[1]) / side;
      const i = Math.floor(u), j = Math.floor(v);
      const tile = this.nodes.get(`${level}/${i}/${j}`)?.tile;
      if (!tile) continue;
      const a = (u - i) * TILE_CELLS, b = (v - j) * TILE_CELLS;
      const ia = Math.min(TILE_CELLS - 1, Math.floor(a)), ib = Math.min(TILE_CELLS - 1, Math.floor(b));
      const at = (di: number, dj: number): number => tile.heights[(ib + dj + 1) * TILE_NODES + ia + di + 1];
      const p = a - ia, q = b - ib;
      return tile.z0 + tile.scale * ((1 - p) * (1 - q) * at(0, 0) + p * (1 - q) * at(1, 0) + (1 - p) * q * at(0, 1) + p * q * at(1, 1));
    }
    return undefined;
  }

  /** Height where grass grows; nothing on pavement. */
  growthAt(x: number, y: number): number | undefined {
    if (this.materials.length > 0 && !this.data.plane) {
      const side = this.data.cell * TILE_CELLS;
      const u = (x - this.data.origin[0]) / side, v = (y - this.data.origin[1]) / side;
      const i = Math.floor(u), j = Math.floor(v);
      const surface = this.nodes.get(`0/${i}/${j}`)?.tile?.surface;
      const kind = surface?.[Math.floor((v - j) * TILE_CELLS) * (TILE_CELLS + 1) + Math.floor((u - i) * TILE_CELLS)];
      if (kind !== undefined && kind !== 255 && !/grass|soil/.test(this.materials[kind]?.name ?? '')) return undefined;
    }
    return this.heightAt(x, y);
  }

  /** Soil has moved: tiles of level 0 and 1 that the box touches are fetched again. */
  refresh(x0: number, y0: number, x1: number, y1: number): void {
    for (const node of this.nodes.values()) {
      if (node.level > 1 || node.state !== 'there') continue;
      const side = this.data.cell * TILE_CELLS * 2 ** node.level;
      const x = this.data.origin[0] + node.i * side, y = this.data.origin[1] + node.j * side;
      if (x > x1 || x + side < x0 || y > y1 || y + side < y0) continue;
      void this.get(`/api/tile/${node.level}/${node.i}/${node.j}`).then((bytes) => { if (bytes) this.place(node, readTile(bytes)); });
    }
  }

  update(eye: THREE.Vector3): void {
    if (this.data.plane || this.data.levels < 1) return;
    ++this.round;
    this.tiles = 0;
    const top = this.data.levels - 1;
    const side = this.data.cell * TILE_CELLS * 2 ** top;
    const [x0, y0, x1, y1] = this.data.extent;
    const ex = eye.x + this.origin.x, ey = eye.y + this.origin.y;
    const reach = Math.max(side, 1800);
    const first = (v: number, o: number): number => Math.floor((v - o) / side);
    const iLow = first(Math.max(x0, ex - reach), this.data.origin[0]), iHigh = first(Math.min(x1 - 1e-6, ex + reach), this.data.origin[0]);
    const jLow = first(Math.max(y0, ey - reach), this.data.origin[1]), jHigh = first(Math.min(y1 - 1e-6, ey + reach), this.data.origin[1]);
    const wanted: Node[] = [];
    for (let j = jLow; j <= jHigh; ++j) for (let i = iLow; i <= iHigh; ++i) this.visit(top, i, j, ex, ey, wanted);
    // The nearest first, and coarse before fine, so that something is there soon.
    wanted.sort((a, b) => this.urgency(a, ex, ey) - this.urgency(b, ex, ey));
    for (const node of wanted) {
      if (this.asked >= 8) break;
      this.ask(node);
    }
    for (const [key, node] of this.nodes) {
      if (node.mesh) node.mesh.visible = node.used === this.round;
      if (node.used < this.round - 600 && node.state !== 'asked') {
        node.mesh?.removeFromParent();
        node.mesh?.geometry.dispose();
        this.nodes.delete(key);
      }
    }
  }

  private urgency(node: Node, ex: number, ey: number): number {
    const side = this.data.cell * TILE_CELLS * 2 ** node.level;
    const x = this.data.origin[0] + (node.i + 0.5) * side, y = this.data.origin[1] + (node.j + 0.5) * side;
    return Math.hypot(x - ex, y - ey) - 4 * side;
  }

  private node(level: number, i: number, j: number): Node {
    const key = `${level}/${i}/${j}`;
    let node = this.nodes.get(key);
    if (!node) this.nodes.set(key, node = { level, i, j, state: 'none', used: 0 });
    return node;
  }

  /** Draws this square by itself or by its children. True if it is covered. */
  private visit(level: number, i: number, j: number, ex: number, ey: number, wanted: Node[]): boolean {
    const side = this.data.cell * TILE_CELLS * 2 ** level;
    const x = this.data.origin[0] + i * side, y = this.data.origin[1] + j * side;
    const [x0, y0, x1, y1] = this.data.extent;
    if (x >= x1 || y >= y1 || x + side <= x0 || y + side <= y0) return true;
    const node = this.node(level, i, j);
    node.used = Math.max(node.used, this.round - 1);
    if (node.state === 'none') wanted.push(node);
    const dx = Math.max(x - ex, 0, ex - x - side), dy = Math.max(y - ey, 0, ey - y - side);
    const split = level > 0 && Math.hypot(dx, dy) < side * (this.rich ? 1.15 : 0.45);
    if (split) {
      const children = [[0, 0], [1, 0], [0, 1], [1, 1]] as const;
      let covered = true;
      for (const [a, b] of children) {
        const child = this.node(level - 1, 2 * i + a, 2 * j + b);
        child.used = Math.max(child.used, this.round - 1);
        if (child.state === 'none') wanted.push(child);
        if (child.state !== 'there' && child.state !== 'empty' && !this.outside(child)) covered = false;
      }
      if (covered) {
        for (const [a, b] of children) this.visit(level - 1, 2 * i + a, 2 * j + b, ex, ey, wanted);
        return true;
      }
    }
    if (node.mesh) { node.used = this.round; ++this.tiles; }
    return node.state === 'there' || node.state === 'empty';
  }

  private outside(node: Node): boolean {
    const side = this.data.cell * TILE_CELLS * 2 ** node.level;
    const x = this.data.origin[0] + node.i * side, y = this.data.origin[1] + node.j * side;
    const [x0, y0, x1, y1] = this.data.extent;
    return x >= x1 || y >= y1 || x + side <= x0 || y + side <= y0;
  }

  private ask(node: Node): void {
    if (this.outside(node)) { node.state = 'empty'; return; }
    node.state = 'asked';
    ++this.asked;
    void this.get(`/api/tile/${node.level}/${node.i}/${node.j}`).then((bytes) => {
      --this.asked;
      if (bytes && bytes.byteLength >= 8 + 2 * TILE_NODES ** 2) this.place(node, readTile(bytes)); else node.state = 'empty';
    });
  }

  private place(node: Node, tile: Tile): void {
    const cell = this.data.cell * 2 ** node.level;
    const x0 = this.data.origin[0] + node.i * cell * TILE_CELLS, y0 = this.data.origin[1] + node.j * cell * TILE_CELLS;
    const n = TILE_CELLS + 1;
    const count = n * n + 4 * n;
    const positions = new Float32Array(3 * count), normals = new Float32Array(3 * count), colors = new Float32Array(3 * count);
    const color = new THREE.Color();
    const height = (i: number, j: number): number => tile.z0 + tile.scale * tile.heights[(j + 1) * TILE_NODES + i + 1];
    for (let j = 0; j < n; ++j) {
      for (let i = 0; i < n; ++i) {
        const k = 3 * (j * n + i);
        positions[k] = i * cell;
        positions[k + 1] = j * cell;
        positions[k + 2] = height(i, j) - tile.z0;
        const sx = (height(i - 1, j) - height(i + 1, j)) / (2 * cell), sy = (height(i, j - 1) - height(i, j + 1)) / (2 * cell);
        const length = Math.hypot(sx, sy, 1);
        normals[k] = sx / length;
        normals[k + 1] = sy / length;
        normals[k + 2] = 1 / length;
        const kind = tile.surface?.[j * n + i];
        this.colorAt(x0 + i * cell, y0 + j * cell, 1 / length, kind === undefined || kind === 255 ? undefined : this.materials[kind], color);
        // Without the detail texture, grains by node make motion visible.
        if (!this.rich) color.multiplyScalar(0.84 + 0.32 * hash2(Math.round((x0 + i * cell) * 2), Math.round((y0 + j * cell) * 2), 31));
        colors[k] = color.r;
        colors[k + 1] = color.g;
        colors[k + 2] = color.b;
      }
    }
    // Skirts: the rim once more, lower.
    const drop = 2.5 * cell;
    for (let side = 0; side < 4; ++side) {
      for (let s = 0; s < n; ++s) {
        const from = 3 * rimNode(side, s, n), to = 3 * (n * n + side * n + s);
        for (let c = 0; c < 3; ++c) {
          positions[to + c] = positions[from + c] - (c === 2 ? drop : 0);
          normals[to + c] = normals[from + c];
          colors[to + c] = colors[from + c];
        }
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(normals, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    geometry.setIndex(this.index);
    geometry.computeBoundingSphere();
    const mesh = new THREE.Mesh(geometry, this.material);
    mesh.position.set(x0 - this.origin.x, y0 - this.origin.y, tile.z0 - this.origin.z);
    mesh.receiveShadow = this.shadows;
    mesh.visible = node.mesh?.visible ?? false;
    node.mesh?.removeFromParent();
    node.mesh?.geometry.dispose();
    node.mesh = mesh;
    node.tile = tile;
    node.state = 'there';
    this.group.add(mesh);
  }

  private colorAt(x: number, y: number, up: number, kind: Material | undefined, out: THREE.Color): void {
    const wide = fbm(x / 95, y / 95, 3, 21), fine = noise2(x / 7, y / 7, 22);
    let set = this.colors;
    if (kind) {
      const look = LOOKS[kind.texture ?? ''] ?? LOOKS[kind.name];
      if (!look) { out.setRGB(...kind.color).multiplyScalar(0.9 + 0.2 * fine); return; }
      set = look;
    }
    const dry = THREE.MathUtils.smoothstep(wide, 0.38, 0.72);
    out.copy(set[0]).lerp(set[1], dry).lerp(set[2], 0.45 * fine * (1 - dry));
    // Steep ground is bare.
    out.lerp(set[3], THREE.MathUtils.smoothstep(1 - up, 0.035, 0.16));
  }
}

function rimNode(side: number, s: number, n: number): number {
  if (side === 0) return s;
  if (side === 1) return (n - 1) * n + s;
  return side === 2 ? s * n : s * n + n - 1;
}

/** Triangles of a tile and its four skirts; the same for all tiles. */
export function makeIndex(): THREE.BufferAttribute {
  const n = TILE_CELLS + 1;
  const index: number[] = [];
  for (let j = 0; j < TILE_CELLS; ++j) {
    for (let i = 0; i < TILE_CELLS; ++i) {
      const a = j * n + i, b = a + n;
      index.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }
  for (let side = 0; side < 4; ++side) {
    for (let s = 0; s < TILE_CELLS; ++s) {
      const a = rimNode(side, s, n), b = rimNode(side, s + 1, n), c = n * n + side * n + s, d = c + 1;
      if (side === 0 || side === 3) index.push(a, c, b, b, c, d); else index.push(a, b, c, b, d, c);
    }
  }
  return new THREE.BufferAttribute(new Uint16Array(index), 1);
}
