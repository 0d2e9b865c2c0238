// Boxes that move along tracks: other cars, as a body with a cabin, lamps and wheels.
import * as THREE from 'three';
import { Builder } from './builder';
import { surface } from './vehicle';

const PAINTS = [[0.32, 0.05, 0.03], [0.03, 0.09, 0.26], [0.4, 0.4, 0.42], [0.05, 0.17, 0.12]] as const;

export class Thing {
  readonly group = new THREE.Group();

  constructor(data: { name: string; length: number; width: number; height: number; center: [number, number] }, lambert: boolean, shadows: boolean) {
    const { length: l, width: w, height: h, center: [cx, cy] } = data;
    const builder = new Builder();
    let sum = 0;
    for (const letter of data.name) sum += letter.charCodeAt(0);
    const paint = new THREE.Color(...PAINTS[sum % PAINTS.length]), dark = new THREE.Color(0.015, 0.017, 0.02);
    const carLike = l > 2.4 && h > 1 && h < 2.6;
    if (carLike) {
      const y = w / 2, belt = 0.58 * h;
      builder.box([cx - l / 2, cy - y, 0.2 * h], [cx + l / 2, cy + y, belt], paint);
      const a = cx - 0.36 * l, b = cx + 0.2 * l, c = cx + 0.04 * l, d = cx - 0.26 * l, t = 0.8 * y;
      for (const s of [-1, 1]) builder.plate([[a, cy + s * y * 0.97, belt], [b, cy + s * y * 0.97, belt], [c, cy + s * t, h], [d, cy + s * t, h]], dark, false);
      builder.plate([[b, cy - y * 0.97, belt], [b, cy + y * 0.97, belt], [c, cy + t, h], [c, cy - t, h]], dark, false);
      builder.plate([[a, cy - y * 0.97, belt], [a, cy + y * 0.97, belt], [d, cy + t, h], [d, cy - t, h]], dark, false);
      builder.plate([[d, cy - t, h], [c, cy - t, h], [c, cy + t, h], [d, cy + t, h]], paint, false);
      for (const x of [cx - 0.3 * l, cx + 0.3 * l]) for (const s of [-1, 1]) builder.bar([x, cy + s * (y - 0.2), 0.22 * h], [x, cy + s * y * 1.01, 0.22 * h], 0.22 * h, dark, 14);
      for (const s of [-1, 1]) {
        builder.box([cx + l / 2 - 0.02, cy + s * 0.7 * y - 0.12, 0.4 * h], [cx + l / 2 + 0.015, cy + s * 0.7 * y + 0.12, 0.5 * h], new THREE.Color(0.9, 0.9, 0.84));
        builder.box([cx - l / 2 - 0.015, cy + s * 0.7 * y - 0.12, 0.4 * h], [cx - l / 2 + 0.02, cy + s * 0.7 * y + 0.12, 0.5 * h], new THREE.Color(0.4, 0.01, 0.01));
      }
    } else {
      builder.box([cx - l / 2, cy - w / 2, 0], [cx + l / 2, cy + w / 2, h], paint, true);
    }
    const mesh = new THREE.Mesh(builder.geometry(), surface({ fine: true, lambert, shadows }, { roughness: 0.35 }));
    mesh.castShadow = mesh.receiveShadow = shadows;
    this.group.add(mesh);
  }

  pose(values: Float32Array, at: number, origin: THREE.Vector3): void {
    this.group.position.set(values[at] - origin.x, values[at + 1] - origin.y, values[at + 2] - origin.z);
    this.group.rotation.z = values[at + 3];
  }
}
