// Cameras: behind, driver's eye, hood, wheel, from above, around. They look at the same interpolated moment as the
// vehicle, so nothing shakes against anything else.
import * as THREE from 'three';
import { clamp } from '../dom';
import { Vehicle } from './vehicle';

export const CAMERAS = ['behind', 'driver', 'hood', 'wheel', 'above', 'around'] as const;
export type CameraName = typeof CAMERAS[number];

const UP = new THREE.Vector3(0, 0, 1);

export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(55, 1, 0.08, 4000);
  name: CameraName = 'behind';
  wheel = 0;
  stiff = false;           // reduced motion
  private yaw = 0;         // heading that the chase camera has
  private look = 0;        // [rad] added by the reader
  private tilt = 0.24;
  private zoom = 1;
  private held = false;
  private fresh = true;

  constructor() { this.camera.up.copy(UP); }

  choose(name: CameraName): void {
    this.name = name;
    this.fresh = true;
    this.look = name === 'around' ? 2.45 : 0;
    this.tilt = name === 'around' ? 0.2 : 0.24;
    this.zoom = 1;
  }

  /** Drag: turn around the vehicle. Behind it, the camera comes back after the release. */
  drag(dx: number, dy: number): void {
    this.look -= 0.006 * dx;
    this.tilt = clamp(this.tilt + 0.004 * dy, -0.1, 1.5);
    this.held = true;
  }
  release(): void { this.held = false; }

  /** By keys: from behind, the camera goes over to the one that stays where it is turned. */
  turn(angle: number): void {
    this.look += angle;
    if (this.name === 'behind') this.name = 'around';
  }

  approach(factor: number): void { this.zoom = clamp(this.zoom * factor, 0.25, 8); }

  update(vehicle: Vehicle, speed: number, dt: number, groundAt: (x: number, y: number) => number | undefined): void {
    const root = vehicle.root, r = vehicle.reach / 2.3;
    const forward = new THREE.Vector3(1, 0, 0).applyQuaternion(root.quaternion);
    const heading = Math.atan2(forward.y, forward.x);
    const here = root.position.clone().add(vehicle.middle);
    const camera = this.camera;
    let fov = 55;
    const v = Math.min(40, Math.abs(speed));
    if (this.name === 'behind' || this.name === 'around') {
      // A trailer must not hide what tows it: higher behind one.
      const rest = 0.24 + Math.min(0.15, 0.04 * vehicle.tail);
      if (this.fresh) { this.yaw = heading; if (this.name === 'behind') this.tilt = rest; }
      let turn = heading - this.yaw;
      turn = Math.atan2(Math.sin(turn), Math.cos(turn));
      this.yaw += turn * (this.stiff ? 1 : Math.min(1, 1 - Math.exp(-3.2 * dt)));
      if (this.name === 'behind' && !this.held) {
        this.look *= Math.exp(-2.5 * dt);
        this.tilt += (rest - this.tilt) * (1 - Math.exp(-2.5 * dt));
      }
      const angle = (this.name === 'around' ? heading : this.yaw) + Math.PI + this.look;
      const away = (this.name === 'around' ? 6.2 * r : 7.0 * r + 1.1 * vehicle.tail + (this.stiff ? 0 : 0.06 * v)) * this.zoom;
      const center = here.clone().addScaledVector(UP, (this.name === 'around' ? 0.12 : 0.62) * r);
      if (this.name === 'behind') center.add(new THREE.Vector3(Math.cos(this.yaw), Math.sin(this.yaw), 0).multiplyScalar(1.2 * r - 0.8 * vehicle.tail));
      camera.position.set(here.x + away * Math.cos(this.tilt) * Math.cos(angle), here.y + away * Math.cos(this.tilt) * Math.sin(angle), here.z + 0.55 * r + away * Math.sin(this.tilt));
      const floor = groundAt(camera.position.x, camera.position.y);
      if (floor !== undefined) camera.position.z = Math.max(camera.position.z, floor + (this.name === 'around' ? 0.35 : 1.1) * Math.min(1, r));
      camera.up.copy(UP);
      camera.lookAt(center);
      if (!this.stiff && this.name === 'behind') fov += 0.25 * v;
    } else if (this.name === 'above') {
      const high = 26 * r * this.zoom;
      camera.position.set(here.x + 4 * Math.cos(heading), here.y + 4 * Math.sin(heading), here.z + high);
      camera.up.set(Math.cos(heading), Math.sin(heading), 0);
      camera.lookAt(here.x + 4 * Math.cos(heading), here.y + 4 * Math.sin(heading), here.z);
    } else if (this.name === 'wheel') {
      const corner = vehicle.data.corners[this.wheel % Math.max(1, vehicle.data.corners.length)];
      const center = corner ? vehicle.pointOf(corner.carrier, corner.center, new THREE.Vector3()) : new THREE.Vector3();
      const side = corner ? Math.sign(corner.center[1] || 1) : 1, front = corner ? Math.sign(corner.center[0] || 1) : 1;
      const away = 1.75 * r * this.zoom;
      const eye = center.clone().add(new THREE.Vector3(front * 0.95 * away * Math.cos(this.look), side * 0.95 * away, (0.1 + this.tilt) * away));
      camera.position.copy(eye.applyQuaternion(root.quaternion).add(root.position));
      const floor = groundAt(camera.position.x, camera.position.y);
      if (floor !== undefined) camera.position.z = Math.max(camera.position.z, floor + 0.15);
      camera.up.copy(UP);
      camera.lookAt(center.add(new THREE.Vector3(-0.1 * front, -0.25 * side, 0.02)).applyQuaternion(root.quaternion).add(root.position));
    } else {
      const driver = this.name === 'driver';
      const eye = driverEye(vehicle);
      if (!driver) eye.set(vehicle.reach * 0.42, 0, eye.z + 0.06);
      placeInside(camera, vehicle, eye, this.look, driver ? 0 : 0.02);
      fov = 70;
    }
    camera.fov = camera.aspect < 0.8 ? Math.min(80, fov * 1.25) : fov;
    camera.updateProjectionMatrix();
    this.fresh = false;
  }
}

export const driverEye = (vehicle: Vehicle): THREE.Vector3 => new THREE.Vector3(...(vehicle.data.eye ?? [0, 0.35, 0.8]));

/** Camera fixed to the body, looking ahead. */
export function placeInside(camera: THREE.PerspectiveCamera, vehicle: Vehicle, eye: THREE.Vector3, look: number, down: number): void {
  const q = vehicle.root.quaternion;
  camera.position.copy(eye).applyQuaternion(q).add(vehicle.root.position);
  camera.up.set(0, 0, 1).applyQuaternion(q);
  const ahead = new THREE.Vector3(Math.cos(look), Math.sin(look), -0.05 - down).applyQuaternion(q);
  camera.lookAt(camera.position.clone().add(ahead));
}
