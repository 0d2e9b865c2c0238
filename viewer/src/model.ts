// What the page knows of a drive: hello of docs/theory/page-protocol.md, and frames. SI units and radians; x forward,
// y left, z up. Geometry of a vehicle is in its frame V in the design position, where all body frames stand at V.

export type Vec3 = [number, number, number];
export type Vec2 = [number, number];

export interface Shape {
  kind?: string;
  shape?: 'bar' | 'link' | 'wheel' | 'box' | 'mesh';
  part: string;
  name: string;
  body?: number;
  a?: Vec3; b?: Vec3; radius?: number;
  body_a?: number; body_b?: number; stiffness?: number; free_length?: number;
  center?: Vec3; axis?: Vec3; width?: number; rim?: number;
  min?: Vec3; max?: Vec3;
  mesh?: number;
}

export interface Corner {
  name: string; axle: number | string; side: string;
  wheel: number; carrier: number; base: number;
  center: Vec3; axis: Vec3; radius: number; width: number; dual_spacing?: number;
  points?: Record<string, Vec3>;
}

export interface Vehicle {
  name: string; model: string; level: string; mass: number;
  outline: { rear: number; front: number; right: number; left: number };
  height: number; wheelbase: number; track: number;
  shell: { kind: string; offset?: Vec3 };
  rear_end?: number;
  eye?: Vec3;
  bodies: { name: string; mass: number; center: Vec3 }[];
  corners: Corner[];
  shapes: Shape[];
}

export interface ChannelInfo { name: string; unit: string | string[]; description: string; columns: string[]; first: number }

export interface DriveEvent {
  number?: number; time: number; kind: string; text: string;
  driver?: number; factor?: number; to?: number; gear?: number; wheel?: number; lost?: number; behavior?: string; sensor?: string;
}

export interface Sensor {
  name: string; kind: string; rate: number; body: number; recorded?: boolean; mount: { position: Vec3; quaternion: [number, number, number, number] };
  columns?: number; rows?: number; max_range?: number; azimuth?: [number, number]; elevation?: number[]; width?: number; height?: number; fov?: number;
  origin?: Vec3; heading?: number;  // GNSS: latitude, longitude and height of the world's origin; its x-axis from east to north
}

export interface Figure { name: string; value: number | string | null; unit: string; passed?: boolean | null; bounds?: unknown }

export interface Run {
  kind?: string; name: string; about: string; file: string; begin: number; end: number; step: number; sample_interval: number;
  status: string; reason: string; has_poses: boolean;
  channels: ChannelInfo[]; sample_size: number;
  vehicles: Vehicle[];
  things: { name: string; length: number; width: number; height: number; center: Vec2 }[];
  sensors: Sensor[];
  path: Vec2[];
  events: DriveEvent[];
  figures: Figure[];
  controls?: { gears?: boolean; ranges?: boolean; reverse?: boolean; parking_brake?: boolean; lock?: number; assist?: number };
}

export interface Ground {
  kind: string; extent: [number, number, number, number]; levels: number; cell: number; origin: Vec2;
  plane?: { z: number; slope_x: number; slope_y: number };
  soil: string; soft?: boolean; look: string; friction: number;
}

export interface StaticThing {
  id?: string; kind: 'trees' | 'mesh' | 'instances' | 'cylinder' | 'prism';
  mesh?: number; center?: Vec3; radius?: number; height?: number; name?: string; layer?: string;
  poses?: number[][]; corners?: Vec2[]; z?: number;
}

export interface Material { name: string; color: Vec3; texture?: string }

export interface Hello {
  type: 'hello'; protocol: string; program: string; kind: 'live' | 'replay';
  you: { id: number }; driver: number;
  limits: { frames_under_way: number; frame_rate: number; input_rate: number; silence_hold: number; silence_brake: number };
  runs: Run[];
  ground: Ground; sky?: { sun?: Vec3 };
  materials: Material[];
  static: StaticThing[];
  study?: string; sample?: number;   // of a study
  wheel?: { id: number; name: string };   // steering wheel of camber's machine
}

/** Pose of a vehicle: body 0 in the world, the others in body 0. Quaternions are x y z w. */
export interface VehiclePose { position: Float64Array; bodies: Float32Array }

/** One moment, live or of a clip. */
export interface Frame {
  time: number;
  vehicles: VehiclePose[];   // bodies: 7 numbers each; of body 0 only the quaternion counts
  things: Float32Array;      // x y z yaw each
  sample: Float32Array;
}

/** What a live drive says of itself beside the frame. */
export interface LiveState {
  number: number; flags: number; clock: number; steps: number;
  input: number; inputFrom: number;
  stepTime: number; longestStep: number; slowSteps: number; lateWakes: number;
  wantedFactor: number; actualFactor: number;
  raw: [number, number, number, number];
}

export const Flag = {
  paused: 1, ended: 2, failed: 4, byHand: 8, silentBrake: 16, silentHold: 32, late: 64, reverse: 128, parkingBrake: 256, lowRange: 512,
} as const;
