// Points of a LIDAR scan where they were seen, colored by distance.
import * as THREE from 'three';
import { Sensor } from '../model';
import { Scan } from '../protocol';

/** Azimuth of the first and the last column. Angles of a sensor that turns all the way are given modulo a turn, so its
 *  ends seem to meet: beams of a LIDAR are farther apart than 1e-4 rad, and so it has gone around once. */
export function sweep(sensor: Sensor, columns: number): [number, number] {
  const [first, last] = sensor.azimuth ?? [Math.PI, -Math.PI];
  if (columns < 2 || Math.abs(last - first) > 1e-4 * (columns - 1)) return [first, last];
  return [first, last + (last >= first ? -2 : 2) * Math.PI];
}

/** Direction of a beam in the sensor's frame: azimuth to the left of x, elevation up. */
export function beam(sensor: Sensor, column: number, row: number, columns: number, rows: number): { azimuth: number; elevation: number } {
  const around = sweep(sensor, columns);
  const azimuth = around[0] + (around[1] - around[0]) * (columns > 1 ? column / (columns - 1) : 0);
  const elevation = sensor.elevation && sensor.elevation.length === rows ? sensor.elevation[row]
    : (rows > 1 ? 0.26 - 0.52 * row / (rows - 1) : 0);
  return { azimuth, elevation };
}

/** Blue (near) over green to yellow (far): viridis turned around, by a few knots. */
export function rangeColor(part: number): [number, number, number] {
  const knots: [number, number, number][] = [[253, 231, 37], [94, 201, 98], [33, 145, 140], [59, 82, 139], [68, 1, 84]];
  const t = Math.min(0.9999, Math.max(0, part)) * (knots.length - 1), k = Math.floor(t), f = t - k;
  return [0, 1, 2].map((c) => Math.round(knots[k][c] + f * (knots[k + 1][c] - knots[k][c]))) as [number, number, number];
}

export class LidarPoints {
  readonly points: THREE.Points;

  constructor() {
    const material = new THREE.PointsMaterial({ size: 3, sizeAttenuation: false, vertexColors: true, fog: false, toneMapped: false });
    // Points lie in the surfaces that they were measured on: a little nearer to the eye, so that these do not hide them.
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', '#include <project_vertex>\ngl_Position.z -= 0.0004 * gl_Position.w;');
    };
    this.points = new THREE.Points(new THREE.BufferGeometry(), material);
    this.points.visible = false;
    this.points.frustumCulled = false;
  }

  show(scan: Scan, sensor: Sensor, origin: THREE.Vector3): void {
    const positions: number[] = [], colors: number[] = [];
    const q = new THREE.Quaternion(...scan.quaternion), p = new THREE.Vector3();
    const far = sensor.max_range ?? 60;
    const color = new THREE.Color();
    for (let row = 0; row < scan.rows; ++row) {
      for (let column = 0; column < scan.columns; ++column) {
        const range = scan.ranges[row * scan.columns + column] * 0.005;
        if (range === 0) continue;
        const { azimuth, elevation } = beam(sensor, column, row, scan.columns, scan.rows);
        p.set(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation)).multiplyScalar(range).applyQuaternion(q);
        positions.push(p.x + scan.position[0] - origin.x, p.y + scan.position[1] - origin.y, p.z + scan.position[2] - origin.z + 0.02);
        const [r, g, b] = rangeColor(Math.sqrt(range / Math.min(far, 60)));
        color.setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace);
        colors.push(color.r, color.g, color.b);
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
    this.points.geometry.dispose();
    this.points.geometry = geometry;
  }
}
