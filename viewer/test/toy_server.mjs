// A toy camber for page tests: speaks camber.v1 with a point that moves over hills, and remembers what the page sent.
// usage as a program: node toy_server.mjs [PORT]
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accept } from './web_socket.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const TOKEN = '0123456789abcdef0123456789abcdef';
export const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const height = (x, y) => 1.6 * Math.sin(x / 23) * Math.cos(y / 31) + 0.5 * Math.sin(x / 7 + y / 9) + 5 * Math.sin(x / 140) * Math.sin(y / 170);

const FRONT = { wheel: [1.648579, 0.909701, -0.026289], lower_front: [1.912231, 0.307086, 0], lower_back: [1.465699, 0.307086, 0], lower_ball: [1.653405, 0.786511, -0.11811], upper_front: [1.64105, 0.4459605, 0.24462], upper_back: [1.42075, 0.4777359, 0.19556], upper_ball: [1.63593, 0.715518, 0.2154936], tie_rod_inner: [1.438648, 0.448437, 0.054229], tie_rod_outer: [1.513146, 0.8211058, -0.0163322], spring_top: [1.792978, 0.509778, 0.197485], spring_bottom: [1.786171, 0.543179, -0.046609], shock_top: [1.792978, 0.4977892, 0.3231388], shock_bottom: [1.786171, 0.543179, -0.046609] };
const CORNERS = ['front_left', 'front_right', 'rear_left', 'rear_right'];

function vehicle() {
  const bodies = [{ name: 'chassis', mass: 2085, center: [0, 0, 0.2] }], corners = [], shapes = [];
  CORNERS.forEach((name, k) => {
    const side = k % 2 === 0 ? 1 : -1, end = k < 2 ? 1 : -1;
    const p = Object.fromEntries(Object.entries(FRONT).map(([key, [x, y, z]]) => [key, [end * x, side * y, z]]));
    const lower = bodies.push({ name: `${name}_lower_arm`, mass: 24, center: p.lower_ball }) - 1;
    const upper = bodies.push({ name: `${name}_upper_arm`, mass: 6, center: p.upper_ball }) - 1;
    const upright = bodies.push({ name: `${name}_upright`, mass: 19, center: p.wheel }) - 1;
    const wheel = bodies.push({ name: `${name}_wheel`, mass: 71, center: p.wheel }) - 1;
    const words = name.replace('_', ' ');
    corners.push({ name, axle: k >> 1, side: side > 0 ? 'left' : 'right', wheel, carrier: upright, base: 0, center: p.wheel, axis: [0, 1, 0], radius: 0.4699, width: 0.3175, points: p });
    for (const [a, b] of [['lower_front', 'lower_ball'], ['lower_back', 'lower_ball']]) shapes.push({ shape: 'bar', part: 'lower_arm', name: `${words} lower arm`, body: lower, a: p[a], b: p[b], radius: 0.03 });
    for (const [a, b] of [['upper_front', 'upper_ball'], ['upper_back', 'upper_ball']]) shapes.push({ shape: 'bar', part: 'upper_arm', name: `${words} upper arm`, body: upper, a: p[a], b: p[b], radius: 0.022 });
    shapes.push({ shape: 'bar', part: 'upright', name: `${words} upright`, body: upright, a: p.lower_ball, b: p.upper_ball, radius: 0.035 });
    shapes.push({ shape: 'bar', part: 'spindle', name: `${words} spindle`, body: upright, a: [p.wheel[0], p.wheel[1] - side * 0.14, p.wheel[2]], b: p.wheel, radius: 0.05 });
    shapes.push({ shape: 'link', part: 'spring', name: `${words} spring`, body_a: 0, a: p.spring_top, body_b: lower, b: p.spring_bottom, radius: 0.065, stiffness: 167071, free_length: 0.339 });
    shapes.push({ shape: 'link', part: 'shock', name: `${words} shock`, body_a: 0, a: p.shock_top, body_b: lower, b: p.shock_bottom, radius: 0.03 });
    shapes.push({ shape: 'link', part: 'tie_rod', name: `${words} tie rod`, body_a: 0, a: p.tie_rod_inner, body_b: upright, b: p.tie_rod_outer, radius: 0.016 });
    shapes.push({ shape: 'link', part: 'half_shaft', name: `${words} half shaft`, body_a: 0, a: [p.wheel[0], side * 0.2, 0.06], body_b: wheel, b: p.wheel, radius: 0.025 });
    shapes.push({ shape: 'wheel', part: 'wheel', name: `${words} wheel`, body: wheel, center: p.wheel, axis: [0, 1, 0], radius: 0.4699, width: 0.3175, rim: 0.22 });
  });
  return { name: 'vehicle', model: 'hmmwv', level: 'full', mass: 2573, outline: { rear: -2.4, front: 2.3, right: -1.1, left: 1.1 }, height: 0.588, wheelbase: 3.3, track: 1.82, shell: { kind: 'hmmwv' }, eye: [-0.05, 0.55, 0.93], bodies, corners, shapes };
}

const four = (name, unit) => ({ name: `wheels/${name}`, unit, description: name, columns: CORNERS });
function channels() {
  const list = [
    { name: 'chassis/position', unit: 'm', description: 'place', columns: ['x', 'y', 'z'] }, { name: 'chassis/attitude', unit: 'rad', description: 'attitude', columns: ['roll', 'pitch', 'yaw'] },
    { name: 'chassis/velocity', unit: 'm/s', description: 'velocity', columns: ['forward', 'left', 'up'] }, { name: 'chassis/rates', unit: 'rad/s', description: 'rates', columns: ['roll', 'pitch', 'yaw'] },
    { name: 'chassis/acceleration', unit: 'm/s^2', description: 'acceleration', columns: ['forward', 'left', 'up'] }, { name: 'driver/command', unit: ['rad', '1', '1'], description: 'command', columns: ['steer', 'throttle', 'brake'] },
    { name: 'steering/angle', unit: 'rad', description: 'steered wheels', columns: ['left', 'right'] }, { name: 'drivetrain/engine', unit: ['rad/s', 'N m'], description: 'engine', columns: ['speed', 'torque'] }, { name: 'drivetrain/gear', unit: '1', description: 'gear', columns: [''] },
    four('load', 'N'), four('longitudinal_force', 'N'), four('lateral_force', 'N'), four('slip', '1'), four('slip_angle', 'rad'), four('camber', 'rad'), four('deflection', 'm'), four('travel', 'm'),
  ];
  let first = 0;
  for (const channel of list) { channel.first = first; first += channel.columns.length; }
  return { list, size: first };
}

/** Listens on a port of 127.0.0.1 (0: a free one). */
export async function startToy({ port = 0, dist = join(here, '..', 'dist'), name = 'toy <b>hills</b>' } = {}) {
  const { list, size } = channels();
  const car = vehicle();
  const at = (channel) => list.find((c) => c.name === channel).first;
  const state = { t: 0, x: 0, y: 0, yaw: 0.4, v: 5, spin: 0, steer: 0, input: { number: 0, from: 0, steer: 0, throttle: 0, brake: 0, buttons: 0 }, paused: false, factor: 1, driver: 0, frame: 0, steps: 0 };
  const received = { inputs: [], controls: [], acknowledgements: 0 };
  const peers = new Map();
  let nextId = 1, events = 0;
  const hello = (id) => ({
    type: 'hello', protocol: 'camber.v1', program: 'camber (toy)', kind: 'live', you: { id }, driver: state.driver,
    limits: { frames_under_way: 3, frame_rate: 120, input_rate: 20, silence_hold: 0.3, silence_brake: 1 },
    runs: [{ name, about: 'A toy', file: 'toy.toml', begin: 0, end: 60, step: 0.001, sample_interval: 0.01, status: 'running', reason: '', has_poses: true, channels: list, sample_size: size, vehicles: [car], things: [], sensors: [], path: [[0, 0], [40, 17], [200, 80]], events: [], figures: [], controls: { gears: true, ranges: true, reverse: true, parking_brake: true, lock: 0.55, assist: 1 } }],
    ground: { kind: 'hills', extent: [-1024, -1024, 1024, 1024], levels: 6, cell: 0.5, origin: [-1024, -1024], soil: '', look: 'grass', friction: 0.8 },
    sky: { sun: [0.4, 0.3, 0.85] }, materials: [], static: [{ id: 'trees', kind: 'trees' }, { kind: 'cylinder', center: [40, 12, height(40, 12)], radius: 0.3, height: 1.6, name: 'post' }],
  });
  const broadcast = (event) => { const text = JSON.stringify({ type: 'event', number: ++events, time: state.t, text: '', ...event }); for (const peer of peers.values()) peer.send(text); };

  function step(dt) {
    const u = state.input;
    state.v = Math.max(0, state.v + dt * (3 * u.throttle - 6 * u.brake - 0.05 * state.v));
    state.steer += (0.4 * u.steer - state.steer) * Math.min(1, 4 * dt);
    state.yaw += dt * state.v * Math.tan(state.steer) / 3.3;
    state.x += dt * state.v * Math.cos(state.yaw);
    state.y += dt * state.v * Math.sin(state.yaw);
    state.spin += dt * state.v / 0.4699;
    state.t += dt;
    state.steps += Math.round(dt / 0.001);
  }

  function frame() {
    const bodies = car.bodies.length, bytes = Buffer.alloc(88 + 40 + 28 * (bodies - 1) + 4 * size);
    bytes[0] = 1;
    bytes[1] = 1;
    bytes.writeUInt16LE((state.paused ? 1 : 0) | (state.driver ? 8 : 0) | (state.input.buttons & 1 ? 256 : 0), 2);
    bytes.writeUInt32LE(++state.frame, 4);
    bytes.writeDoubleLE(state.t, 8);
    bytes.writeDoubleLE(performance.now() / 1000, 16);
    bytes.writeBigUInt64LE(BigInt(state.steps), 24);
    bytes.writeUInt32LE(state.input.number, 32);
    bytes.writeUInt32LE(state.input.from, 36);
    [18, 60].forEach((v, i) => bytes.writeFloatLE(v, 40 + 4 * i));
    [state.factor, state.factor, state.input.steer, state.input.throttle, state.input.brake, state.input.buttons].forEach((v, i) => bytes.writeFloatLE(v, 56 + 4 * i));
    bytes.writeUInt32LE(size, 80);
    const c = Math.cos(state.yaw), s = Math.sin(state.yaw), e = 1.6;
    const h = (dx, dy) => height(state.x + dx * c - dy * s, state.y + dx * s + dy * c);
    const pitch = Math.atan2(h(-e, 0) - h(e, 0), 2 * e), roll = Math.atan2(h(0, 0.9) - h(0, -0.9), 1.8), z = height(state.x, state.y) + 0.5;
    let o = 88;
    for (const v of [state.x, state.y, z]) { bytes.writeDoubleLE(v, o); o += 8; }
    for (const v of quaternion(roll, pitch, state.yaw)) { bytes.writeFloatLE(v, o); o += 4; }
    for (let b = 1; b < bodies; ++b) {
      const part = (b - 1) % 4, front = b <= 8, center = car.bodies[b].center;
      const steer = front && part >= 2 ? state.steer : 0, spin = part === 3 ? state.spin : 0;
      const q = quaternion(0, spin, steer), turned = rotate(q, center);
      for (const v of [center[0] - turned[0], center[1] - turned[1], center[2] - turned[2], ...q]) { bytes.writeFloatLE(v, o); o += 4; }
    }
    const sample = new Float32Array(size), set = (channel, values) => sample.set(values, at(channel));
    const side = state.v ** 2 * Math.tan(state.steer) / 3.3;
    set('chassis/position', [state.x, state.y, z]);
    set('chassis/attitude', [roll, pitch, state.yaw]);
    set('chassis/velocity', [state.v, 0, 0]);
    set('chassis/rates', [0, 0, state.v * Math.tan(state.steer) / 3.3]);
    set('chassis/acceleration', [3 * state.input.throttle - 6 * state.input.brake, side, 0]);
    set('driver/command', [0.4 * state.input.steer, state.input.throttle, state.input.brake]);
    set('steering/angle', [state.steer, state.steer]);
    set('drivetrain/engine', [100 + 12 * state.v, 100]);
    set('drivetrain/gear', [1 + Math.min(3, Math.floor(state.v / 5))]);
    set('wheels/load', [6300 - 300 * side, 6300 + 300 * side, 6300 - 300 * side, 6300 + 300 * side]);
    set('wheels/longitudinal_force', Array(4).fill(600 * (3 * state.input.throttle - 6 * state.input.brake)));
    set('wheels/lateral_force', Array(4).fill(640 * side));
    set('wheels/deflection', Array(4).fill(0.015));
    for (const v of sample) { bytes.writeFloatLE(v, o); o += 4; }
    return bytes;
  }

  function tile(level, i, j) {
    const cell = 0.5 * 2 ** level, nodes = 35, z0 = -20, scale = 40 / 65535, bytes = Buffer.alloc(8 + 2 * nodes * nodes);
    bytes.writeFloatLE(z0, 0);
    bytes.writeFloatLE(scale, 4);
    for (let b = 0; b < nodes; ++b) for (let a = 0; a < nodes; ++a) {
      bytes.writeUInt16LE(Math.round((height(-1024 + (32 * i + a - 1) * cell, -1024 + (32 * j + b - 1) * cell) - z0) / scale), 8 + 2 * (b * nodes + a));
    }
    return bytes;
  }

  function trees(i, j) {
    const out = [], side = 64;
    for (let k = 0; k < 14; ++k) {
      const r = (n) => { const f = Math.sin((i * 131 + j * 17 + k * 7 + n) * 12.9898) * 43758.5453; return f - Math.floor(f); };
      const x = r(1) * side, y = r(2) * side;
      if (Math.abs((x + i * side - 1024) * 0.42 - (y + j * side - 1024)) > 14) out.push(x, y, height(x + i * side - 1024, y + j * side - 1024), 0.2, 4 + 5 * r(3));
    }
    return Buffer.from(Float32Array.from(out).buffer);
  }

  const types = { '/': ['index.html', 'text/html; charset=utf-8'], '/app.js': ['app.js', 'text/javascript; charset=utf-8'], '/style.css': ['style.css', 'text/css; charset=utf-8'] };
  let token = TOKEN;
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://x');
    const answer = (status, body = '', type = 'application/octet-stream') => { response.writeHead(status, { 'Content-Type': type, 'Content-Security-Policy': CSP, 'Cache-Control': 'no-store' }); response.end(body); };
    if (types[url.pathname]) { answer(200, readFileSync(join(dist, types[url.pathname][0])), types[url.pathname][1]); return; }
    if (request.headers['x-camber-token'] !== token) { answer(401, 'camber was restarted, open the new link'); return; }
    const part = url.pathname.split('/').slice(2);
    if (part[0] === 'hello') answer(200, JSON.stringify(hello(0)), 'application/json');
    else if (part[0] === 'tile') answer(200, tile(...part.slice(1).map(Number)));
    else if (part[0] === 'trees') answer(200, trees(...part.slice(1).map(Number)));
    else answer(204);
  });
  server.on('upgrade', (request, socket) => {
    if (!String(request.headers['sec-websocket-protocol']).includes(`camber.token.${token}`)) { socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'); return; }
    const peer = accept(request, socket, 'camber.v1'), id = nextId++;
    peers.set(id, peer);
    peer.sent = [];
    peer.send(JSON.stringify(hello(id)));
    peer.closed = () => { peers.delete(id); if (state.driver === id) { state.driver = 0; broadcast({ kind: 'lease', driver: 0 }); } };
    peer.message = (bytes) => {
      if (bytes[0] === 2) { ++received.acknowledgements; const newest = bytes.readUInt32LE(4); peer.sent = peer.sent.filter((n) => n > newest); } else if (bytes[0] === 1) {
        const input = { device: bytes.readUInt16LE(2), number: bytes.readUInt32LE(4), steer: bytes.readFloatLE(16), throttle: bytes.readFloatLE(20), brake: bytes.readFloatLE(24), buttons: bytes.readUInt32LE(28), from: id };
        received.inputs.push(input);
        if (state.driver === id) state.input = input;
      } else if (bytes[0] === 3) {
        const command = bytes.readUInt16LE(2), argument = bytes.readDoubleLE(8);
        received.controls.push({ command, argument });
        if (command === 1) { state.driver = id; broadcast({ kind: 'lease', driver: id }); }
        if (command === 2) { state.driver = 0; state.input = { ...state.input, steer: 0, throttle: 0, brake: 0 }; broadcast({ kind: 'lease', driver: 0 }); }
        if (command === 3) { state.paused = true; broadcast({ kind: 'paused' }); }
        if (command === 4) { state.paused = false; broadcast({ kind: 'running' }); }
        if (command === 5) { state.paused = true; step(0.001 * argument); }
        if (command === 6) { state.factor = argument; broadcast({ kind: 'speed', factor: argument }); }
        if (command === 7) { Object.assign(state, { t: 0, x: 0, y: 0, yaw: 0.4, v: 5 }); broadcast({ kind: 'reset', to: 0 }); }
        if (command === 8) { const to = Math.max(0, state.t - argument); state.t = to; broadcast({ kind: 'back', to }); }
      }
    };
  });
  const timer = setInterval(() => {
    if (!state.paused) for (let k = 0; k < 16; ++k) step(0.001 * state.factor);
    const bytes = frame();
    for (const peer of peers.values()) if (peer.sent.length < 3) { peer.send(bytes); peer.sent.push(state.frame); }
  }, 16);
  await new Promise((go) => server.listen(port, '127.0.0.1', go));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    url: `${origin}/#token=${TOKEN}`, origin, state, received, broadcast,
    dropAll: (code) => { for (const peer of peers.values()) peer.close(code); },
    changeToken: (other) => { token = other; },
    close: () => { clearInterval(timer); for (const peer of peers.values()) peer.close(1001); server.closeAllConnections(); return new Promise((go) => server.close(go)); },
  };
}

function quaternion(roll, pitch, yaw) {
  const [cr, sr, cp, sp, cy, sy] = [roll, pitch, yaw].flatMap((a) => [Math.cos(a / 2), Math.sin(a / 2)]);
  return [sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy];
}

function rotate([x, y, z, w], [a, b, c]) {
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const toy = await startToy({ port: Number(process.argv[2] ?? 0) });
  console.log(toy.url);
}
