// Sky: a gradient, clouds and the sun, computed once into a texture, so that it costs nothing per frame. The haze of the
// distance has the horizon's color, and light from all sides is the sky's own, as spherical harmonics.
import * as THREE from 'three';
import { fbm } from '../noise';
import { Vec3 } from '../model';

export const HORIZON = new THREE.Color(0.62, 0.72, 0.82);
const ZENITH = new THREE.Color(0.1, 0.27, 0.63);
const GROUND = new THREE.Color(0.24, 0.23, 0.17);

export class Sky {
  readonly mesh: THREE.Mesh;
  readonly texture: THREE.DataTexture;
  readonly sun: THREE.DirectionalLight;
  readonly probe: THREE.LightProbe;
  readonly sunDirection: THREE.Vector3;

  constructor(scene: THREE.Scene, sun: Vec3, width: number, shadowSize: number) {
    this.sunDirection = new THREE.Vector3(...sun).normalize();
    const height = width / 2;
    const data = new Uint16Array(4 * width * height);
    const color = new THREE.Color(), direction = new THREE.Vector3();
    const sh = new THREE.SphericalHarmonics3();
    const basis: number[] = [];
    const stride = Math.max(1, width >> 6);
    let area = 0;
    for (let j = 0; j < height; ++j) {
      // Row 0 looks straight down; v = 1 of a sphere is its pole.
      const elevation = ((j + 0.5) / height - 0.5) * Math.PI;
      for (let i = 0; i < width; ++i) {
        const azimuth = ((i + 0.5) / width) * 2 * Math.PI;
        direction.set(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));
        this.shade(direction, color);
        const at = 4 * (j * width + i);
        data[at] = THREE.DataUtils.toHalfFloat(color.r);
        data[at + 1] = THREE.DataUtils.toHalfFloat(color.g);
        data[at + 2] = THREE.DataUtils.toHalfFloat(color.b);
        data[at + 3] = 15360;
        if (i % stride === 0 && j % stride === 0) {
          const weight = Math.cos(elevation);
          area += weight;
          THREE.SphericalHarmonics3.getBasisAt(direction, basis);
          for (let k = 0; k < 9; ++k) {
            sh.coefficients[k].x += Math.min(color.r, 1.2) * weight * basis[k];
            sh.coefficients[k].y += Math.min(color.g, 1.2) * weight * basis[k];
            sh.coefficients[k].z += Math.min(color.b, 1.2) * weight * basis[k];
          }
        }
      }
    }
    for (const c of sh.coefficients) c.multiplyScalar(4 * Math.PI / area);
    this.texture = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.HalfFloatType);
    this.texture.magFilter = this.texture.minFilter = THREE.LinearFilter;
    this.texture.wrapS = THREE.RepeatWrapping;
    this.texture.colorSpace = THREE.LinearSRGBColorSpace;
    this.texture.needsUpdate = true;

    const geometry = skySphere();
    this.mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({
      map: this.texture, side: THREE.DoubleSide, depthWrite: false, depthTest: false, fog: false,
    }));
    this.mesh.renderOrder = -1000;
    this.mesh.frustumCulled = false;
    scene.add(this.mesh);

    this.probe = new THREE.LightProbe(sh, 0.92);
    scene.add(this.probe);
    this.sun = new THREE.DirectionalLight(new THREE.Color(1, 0.93, 0.8), 3.1);
    if (shadowSize > 0) {
      this.sun.castShadow = true;
      this.sun.shadow.mapSize.set(shadowSize, shadowSize);
      const camera = this.sun.shadow.camera;
      camera.left = camera.bottom = -16;
      camera.right = camera.top = 16;
      camera.near = 1;
      camera.far = 140;
      this.sun.shadow.bias = -0.0006;
      this.sun.shadow.normalBias = 0.03;
      this.sun.shadow.radius = 3;
    }
    scene.add(this.sun, this.sun.target);
    scene.fog = new THREE.FogExp2(HORIZON, 0.0011);
  }

  private shade(d: THREE.Vector3, out: THREE.Color): void {
    const up = d.z;
    if (up < -0.02) {
      out.copy(HORIZON).lerp(GROUND, Math.min(1, -up * 3));
      return;
    }
    const s = Math.pow(Math.max(0, up), 0.42);
    out.copy(HORIZON).lerp(ZENITH, Math.min(1, s * 1.08));
    // A warm band toward the sun.
    const toSun = Math.max(0, d.dot(this.sunDirection));
    const glow = 0.16 * toSun ** 6 + 0.5 * toSun ** 60 + 8 * toSun ** 2200;
    out.r += glow;
    out.g += 0.9 * glow;
    out.b += 0.72 * glow;
    if (up > 0.01) {
      // Clouds lie on a plane high above, which curves down toward the horizon.
      const scale = 1.25 / (up + 0.16);
      const x = d.x * scale, y = d.y * scale;
      const cover = fbm(x * 1.5 + 3.1, y * 1.5 - 7.4, 5, 11);
      const density = THREE.MathUtils.smoothstep(cover, 0.5, 0.72);
      const edge = fbm(x * 1.5 + 3.1 + 0.06 * this.sunDirection.x, y * 1.5 - 7.4 + 0.06 * this.sunDirection.y, 5, 11);
      const light = 0.8 + 0.9 * THREE.MathUtils.clamp(0.5 + (cover - edge) * 6, 0, 1) * 0.35 + 0.2 * toSun;
      const fade = THREE.MathUtils.smoothstep(up, 0.01, 0.22) * 0.92;
      const a = density * fade;
      out.r += a * (0.98 * light - out.r);
      out.g += a * (0.985 * light - out.g);
      out.b += a * (1.0 * light - out.b);
    }
  }

  /** Sun and sky follow what is looked at. */
  follow(eye: THREE.Vector3, target: THREE.Vector3): void {
    this.mesh.position.copy(eye);
    // Whole texels: shadows' edges do not crawl while the vehicle moves.
    const texel = 32 / Math.max(1, this.sun.shadow.mapSize.x);
    const right = new THREE.Vector3(-this.sunDirection.y, this.sunDirection.x, 0).normalize();
    const up = new THREE.Vector3().crossVectors(this.sunDirection, right);
    const snap = (v: number): number => Math.round(v / texel) * texel;
    const p = new THREE.Vector3().addScaledVector(right, snap(target.dot(right))).addScaledVector(up, snap(target.dot(up)))
      .addScaledVector(this.sunDirection, target.dot(this.sunDirection));
    this.sun.target.position.copy(p);
    this.sun.position.copy(p).addScaledVector(this.sunDirection, 70);
    this.sun.target.updateMatrixWorld();
  }
}

/** Sphere with z up: u goes around with the azimuth from x, v from straight down to straight up. */
function skySphere(): THREE.BufferGeometry {
  const around = 48, rows = 32, radius = 900;
  const positions: number[] = [], uvs: number[] = [], index: number[] = [];
  for (let j = 0; j <= rows; ++j) {
    // Dense near the horizon, where the gradient is steep.
    const t = 2 * j / rows - 1;
    const elevation = Math.sign(t) * t * t * Math.PI / 2;
    for (let i = 0; i <= around; ++i) {
      const azimuth = (i / around) * 2 * Math.PI;
      positions.push(radius * Math.cos(elevation) * Math.cos(azimuth), radius * Math.cos(elevation) * Math.sin(azimuth),
        radius * Math.sin(elevation));
      uvs.push(i / around, elevation / Math.PI + 0.5);
      if (i < around && j < rows) {
        const a = j * (around + 1) + i, b = a + around + 1;
        index.push(a, b, a + 1, b, b + 1, a + 1);
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new THREE.Float32BufferAttribute(uvs, 2));
  geometry.setIndex(index);
  return geometry;
}
