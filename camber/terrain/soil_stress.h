#pragma once

// Stresses of soil under a body, eight nodes at a time; soil_grid.cc has the equations (1) to (10).

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "camber/terrain/lane_pow.h"
#include "camber/terrain/soil_body.h"
#include "camber/terrain/soil_laws.h"
#include "camber/terrain/soil_tiles.h"
#include "camber/terrain/soil_tread.h"

namespace camber::terrain::internal {

/// Constants of one soil under one contact.
struct SoilConstants {
  PressureLaw law;
  double n, k, E, R, c, tan_phi, inverse_K;
  const Soil* soil;
  bool has_limit;  // pressure is at most limit + limit_slope z
  double limit, limit_slope;
};

/// Up to eight touched nodes of one soil, at any places, so that no lanes are wasted. Lanes without
/// a node hold harmless values and cover nothing.
struct Hit {
  explicit Hit(int soil_number)
      : soil(soil_number), under{L(0.0), L(0.0), L(0.0), L(1.0), L(0.0)} {}

  int count = 0, soil;
  std::array<SoilTile*, kWide> tile;
  std::array<int, kWide> node;
  L dx{0.0}, dy{0.0};
  L depth{1e-3};  // of the body's lower side below undisturbed ground, along its normal [m]
  L touch{0.0};   // fraction of the cell that counts as touched: by depth, for a tire by pressure
  Underside under;
  L c{1.0}, z_p{0.0}, z_0{0.0};  // of the tile, before this contact
  L tau_x{0.0}, tau_y{0.0}, tau_z{0.0};

  // State of the soil after compression.
  L z, new_z_p, sigma;  // without damping
  L share{1.0};         // of the soil in a small change of depth; the rest is the tire's

  void add(SoilTile* to, int k) {
    tile[count] = to;
    node[count] = k;
    c.set_lane(count, to->c[k]);
    z_p.set_lane(count, to->z_p[k]);
    z_0.set_lane(count, to->z_0[k]);
    tau_x.set_lane(count, to->tau[0][k]);
    tau_y.set_lane(count, to->tau[1][k]);
    tau_z.set_lane(count, to->tau[2][k]);
    ++count;
  }
};

/// Shear of eight nodes, to be written to their tiles.
struct ShearPack {
  int count;
  std::array<SoilTile*, kWide> tile;
  std::array<std::int64_t, kWide> key;
  std::array<int, kWide> node;
  L x, y, z;
};

/// Quantities that are the same for all nodes of a contact.
struct Step {
  double cell;
  double dt;  // time for which nodes have been sheared [s]
  /// Max time for nodes without shear, which came into contact after the last evaluation [s].
  double fresh;
  double rest;  // rest of the step, over which kept shear is extrapolated [s]
  double shear_damping;
  bool mobilization;  // nodes store the fraction of their strength
  Vector3 v, w;       // velocity of the center, angular velocity; of a tire without its spin

  // Tires only.
  Vector3 axis = Vector3::Zero();
  double rim_speed = 0;                    // of the tread against the hub [m/s]
  double slope_x = 0, slope_y = 0;         // of the ground
  double flatness = 0;                     // of the tread: 0 round, 1 along the ground
  double approach = 0;                     // of the hub to the ground [m/s]
  double damping = 0;                      // of the tread [Pa s/m]
  double soft_along = 0, soft_across = 0;  // of the tread against shear [m/Pa]
};

/// Sums over all nodes, kept per lane until the end, so that the order does not depend on the
/// build.
struct Sums {
  L fx{0.0}, fy{0.0}, fz{0.0}, mx{0.0}, my{0.0}, mz{0.0};
  L along{0.0};              // shear along the direction of the tread
  L stored{0.0}, lost{0.0};  // power into the tread's springs and dampers
};

/// The virgin curve; z > 0.
inline L virgin_lanes(const SoilConstants& s, const L& z) {
  if (s.law == PressureLaw::kRigid) return L(1e300);
  const L p = s.law == PressureLaw::kPrestonThomas ? virgin_pressure(*s.soil, s.k, z)
                                                   : s.k * pow_positive(max(z, L(1e-30)), s.n);
  return s.has_limit ? min(p, s.limit + s.limit_slope * z) : p;
}

/// Its inverse, with derivatives by pressure.
struct VirginDepth {
  L z, slope, bend;  // z, dz/dp, d2z/dp2
};
inline VirginDepth unlimited_depth(const SoilConstants& s, const L& p) {
  if (s.law == PressureLaw::kPrestonThomas) {
    const double per = 1 / s.soil->p_1;
    const L left = s.soil->z_w * exp(p * -per);
    return {s.soil->z_w - left, left * per, left * (-per * per)};
  }
  const L above = max(p, L(1e-20)), z = pow_positive(above * (1 / s.k), 1 / s.n);
  const L per = 1.0 / above, slope = z * per * (1 / s.n);
  return {z, slope, slope * per * (1 / s.n - 1)};
}
inline VirginDepth virgin_depth(const SoilConstants& s, const L& p) {
  VirginDepth free = unlimited_depth(s, p);
  if (!s.has_limit) return free;
  const L below = (p - s.limit) * (1 / s.limit_slope);
  const Mask fails = below > free.z;
  return {select(fails, below, free.z), select(fails, L(1 / s.limit_slope), free.slope),
          select(fails, L(0.0), free.bend)};
}

/// A rigid body on soil, (3).
inline void find_pressure(const SoilConstants& s, Hit* hit) {
  const L elastic = s.E * (hit->depth - hit->z_p), virgin = virgin_lanes(s, hit->depth);
  const Mask yields = elastic > virgin;
  hit->z = hit->depth;
  hit->sigma = select(yields, virgin, elastic);
  hit->new_z_p = select(yields, hit->depth - virgin * (1 / s.E), hit->z_p);
}

/// Where the tread and soil that yields have the same pressure: a root of
///   f(q) = q^2 + z_virgin(p(q)) - D,
/// which is increasing. Halley's method, between bounds, because for n > 1 it is not convex. `high`
/// is an upper bound.
struct YieldPoint {
  L q, compliance;  // and dz/dp of the soil
};
inline YieldPoint find_yield(const SoilConstants& s, const TreadLaw& tread, const L& depth,
                             const Mask& yields, const L& start, L high) {
  constexpr int kMost = 60;
  constexpr double kSmall = 1e-3;  // size of the last step: the error is its cube
  L low(0.0), q = start, compliance;
  for (int i = 0; i < kMost; ++i) {
    const auto t = tread.at(q);
    const VirginDepth soil = virgin_depth(s, t.p);
    const L f = q * q + soil.z - depth;
    high = select(f > L(0.0), q, high), low = select(f > L(0.0), low, q);
    const L slope = 2.0 * q + soil.slope * t.slope;
    const L bend = 2.0 + soil.bend * t.slope * t.slope + soil.slope * t.bend;
    const L slope2 = slope * slope;
    const L step = f * slope / max(slope2 - 0.5 * f * bend, 0.5 * slope2);
    const L next = q - step;
    q = select(next >= low && next <= high, next, 0.5 * (low + high));
    compliance = soil.slope - soil.bend * t.slope * step;  // at the step's end
    if (!any(abs(step) > kSmall * q && high - low > 1e-14 * high && yields)) break;
  }
  return {q, compliance};
}

/// A tire on soil, (7): first without plastic yielding, then along the virgin curve where the
/// pressure exceeds it.
inline void find_pressure(const SoilConstants& s, const TreadLaw& tread, Hit* hit) {
  constexpr int kMost = 60;
  constexpr double kSmall = 1e-3;  // size of the last step: the error is its cube
  const double soft = 1 / s.E;
  const L over = max(hit->depth - hit->z_p, L(1e-14));
  L q = sqrt(over);
  for (int i = 0; i < kMost; ++i) {  // Halley's method, on a function that is nearly q^2
    const auto t = tread.at(q);
    const L f = q * q + t.p * soft - over, slope = 2.0 * q + t.slope * soft;
    const L bend = 2.0 + t.bend * soft;
    const L step = f * slope / (slope * slope - 0.5 * f * bend);
    q = max(q - step, 0.5 * q);
    if (!any(abs(step) > kSmall * q)) break;
  }
  auto t = tread.at(q);
  L z = hit->z_p + t.p * soft, compliance(soft);
  const L virgin = virgin_lanes(s, max(z, L(1e-30)));
  const Mask yields = t.p > virgin;
  if (any(yields)) {
    // Starts where the tangents of a power law and of the tread meet.
    const L tread_slope = t.slope / (2.0 * q);
    const L more = max(t.p - virgin, L(0.0)) / (s.n * virgin / max(z, L(1e-12)) + tread_slope);
    const L start = sqrt(max(q * q - more, 0.01 * q * q));
    const YieldPoint found = find_yield(s, tread, hit->depth, yields, start, q);
    q = select(yields, found.q, q);
    t = tread.at(q);
    z = select(yields, hit->depth - q * q, z);
    compliance = select(yields, found.compliance, compliance);
  }
  hit->z = z;
  hit->sigma = t.p;
  hit->new_z_p = select(yields, z - t.p * soft, hit->z_p);
  // For the tread, dx/dp = 2 q/(dp/dq).
  hit->share = compliance / (compliance + 2.0 * q / t.slope);
}

/// Normal of the surface between body and soil, and the direction in which the tread moves over it.
struct Interface {
  L z;           // relative to the center [m]
  L nx, ny, nz;  // into the body, unit
  L px, py;      // slope of the surface on which the pressure acts
  L ax, ay, az;  // direction of the tread relative to the hub, unit
};

inline Interface find_interface(const Hit& hit, const Step& step) {
  const Underside& u = hit.under;
  Interface f;
  f.z = u.z + (hit.depth - hit.z) / hit.c;
  // Slopes of the round tire.
  const L up = 1.0 / u.nz, gx = -u.nx * up, gy = -u.ny * up;
  const L fall_x = step.flatness * (step.slope_x - gx),
          fall_y = step.flatness * (step.slope_y - gy);
  const L sx = gx + fall_x, sy = gy + fall_y;
  const Vector3& a = step.axis;
  const double level = 1 / std::max(a.x() * a.x() + a.y() * a.y(), 1e-6);
  const L along_axis = (fall_x * a.x() + fall_y * a.y()) * level;
  f.px = gx + along_axis * a.x(), f.py = gy + along_axis * a.y();
  f.nz = 1.0 / sqrt(sx * sx + sy * sy + 1.0);
  f.nx = -sx * f.nz, f.ny = -sy * f.nz;
  // n x a
  f.ax = f.ny * a.z() - f.nz * a.y();
  f.ay = f.nz * a.x() - f.nx * a.z();
  f.az = f.nx * a.y() - f.ny * a.x();
  const L scale = 1.0 / sqrt(max(f.ax * f.ax + f.ay * f.ay + f.az * f.az, L(1e-12)));
  f.ax *= scale, f.ay *= scale, f.az *= scale;
  return f;
}

/// What to do with the computed stresses.
enum class Outcome {
  kNothing,
  kWritten,  // into the tiles, permanently
  kKept,     // separately: the shear at the end of the step
  kBoth,
};

inline void cut_to(const L& most, L* x, L* y, L* z) {
  const L length2 = *x * *x + *y * *y + *z * *z;
  const Mask is_more = length2 > most * most;
  if (!any(is_more)) return;
  const L cut = select(is_more, most / sqrt(max(length2, L(1e-300))), L(1.0));
  *x *= cut, *y *= cut, *z *= cut;
}

/// Writes the new shear of the nodes into their tiles.
inline void write(const Hit& hit, const L& x, const L& y, const L& z, SoilTiles* tiles) {
  for (int i = 0; i < hit.count; ++i) {
    SoilTile& tile = *hit.tile[i];
    const int k = hit.node[i];
    tiles->save(&tile, k);
    tile.tau[0][k] = x.lane(i);
    tile.tau[1][k] = y.lane(i);
    tile.tau[2][k] = z.lane(i);
    tile.z_p[k] = hit.new_z_p.lane(i);
    tile.z_0[k] = hit.z_0.lane(i);
    tile.sheared[k / kWide >> 6] |= std::uint64_t{1} << (k / kWide & 63);
  }
}
inline void write(const ShearPack& pack, SoilTiles* tiles) {
  for (int i = 0; i < pack.count; ++i) {
    SoilTile& tile = *pack.tile[i];
    if (tile.key != pack.key[i]) continue;  // dropped meanwhile
    const int k = pack.node[i];
    tiles->save(&tile, k);
    tile.tau[0][k] = pack.x.lane(i);
    tile.tau[1][k] = pack.y.lane(i);
    tile.tau[2][k] = pack.z.lane(i);
    tile.sheared[k / kWide >> 6] |= std::uint64_t{1} << (k / kWide & 63);
  }
}
inline ShearPack make_pack(const Hit& hit, const L& x, const L& y, const L& z) {
  ShearPack pack{
      .count = hit.count, .tile = hit.tile, .key = {}, .node = hit.node, .x = x, .y = y, .z = z};
  for (int i = 0; i < hit.count; ++i) pack.key[i] = hit.tile[i]->key;
  return pack;
}

/// Stresses of eight nodes, (4) to (6) and (8) to (10). Returns how much plastic sinkage they
/// gained.
template <bool kTire, Outcome kOutcome>
L press(const Hit& hit, const SoilConstants& s, const Step& step, SoilTiles* tiles,
        std::vector<ShearPack>* kept, Sums* sums) {
  const Underside& u = hit.under;
  Interface face;
  if constexpr (kTire) {
    face = find_interface(hit, step);
  } else {
    face.z = u.z, face.nx = u.nx, face.ny = u.ny, face.nz = u.nz;
  }

  // The velocity of the body's surface at the node: its normal part compresses the soil, the rest
  // shears it.
  L vx = step.v.x() + step.w.y() * face.z - step.w.z() * hit.dy;
  L vy = step.v.y() + step.w.z() * hit.dx - step.w.x() * face.z;
  L vz = step.v.z() + step.w.x() * hit.dy - step.w.y() * hit.dx;
  const L away = vx * u.nx + vy * u.ny + vz * u.nz;
  L sigma;
  const L cell = u.cover * step.cell, area = cell / face.nz;
  if constexpr (kTire) {
    const L tire_share = 1.0 - hit.share;
    const L damper = step.damping * hit.touch * tire_share * tire_share * step.approach;
    const L soil_damper = -s.R * hit.touch * hit.share * hit.share * away;
    sigma = max(L(0.0), hit.sigma + damper + soil_damper);  // (8)
    sums->stored += area * hit.sigma * tire_share * step.approach;
    sums->lost += area * damper * step.approach;
    vx += step.rim_speed * face.ax, vy += step.rim_speed * face.ay, vz += step.rim_speed * face.az;
  } else {
    sigma = max(L(0.0), hit.sigma - s.R * away);  // (4)
  }
  const L out = vx * face.nx + vy * face.ny + vz * face.nz;
  const L tx = vx - out * face.nx, ty = vy - out * face.ny, tz = vz - out * face.nz;
  const L speed2 = tx * tx + ty * ty + tz * tz;

  // (5). The surface has rotated since the last step: the stress rotates with it and keeps its
  // magnitude.
  L strength = s.c + sigma * s.tan_phi;
  if constexpr (kTire) strength = s.c * hit.touch + sigma * s.tan_phi;
  const L across = hit.tau_x * face.nx + hit.tau_y * face.ny + hit.tau_z * face.nz;
  const L size2 = hit.tau_x * hit.tau_x + hit.tau_y * hit.tau_y + hit.tau_z * hit.tau_z;
  const L kept2 = max(size2 - across * across, 0.25 * size2);
  const Mask is_sheared = size2 > L(0.0);
  const L turn = select(is_sheared, sqrt(size2 / max(kept2, L(1e-300))), L(1.0));
  const L ox = (hit.tau_x - across * face.nx) * turn, oy = (hit.tau_y - across * face.ny) * turn,
          oz = (hit.tau_z - across * face.nz) * turn;
  const L limit = step.mobilization ? L(1.0) : strength;
  L per_way(s.inverse_K);
  if constexpr (kTire) {
    const L along = tx * face.ax + ty * face.ay + tz * face.az;
    const L part = along * along / max(speed2, L(1e-30));
    const L soft = step.soft_across + part * (step.soft_along - step.soft_across);
    per_way = per_way / (1.0 + strength * soft * s.inverse_K);  // (10)
  }
  const L way_rate = sqrt(speed2) * per_way;
  // (11), with everything else constant.
  const auto shear_for = [&](const L& time, L* x, L* y, L* z) {
    const L j = way_rate * time, scale = 1.0 / (1.0 + j * (1.0 + 0.5 * j));
    const L gain = limit * per_way * time * (1.0 + 0.5 * j) * scale;
    *x = ox * scale + gain * tx, *y = oy * scale + gain * ty, *z = oz * scale + gain * tz;
    cut_to(limit, x, y, z);
  };
  // A node without shear has been in contact for as long as its depth took to develop: (12).
  const L approach = -away * hit.c;
  const L since = select(approach * step.fresh > (hit.depth - hit.z_p) * u.nz,
                         (hit.depth - hit.z_p) * u.nz / max(approach, L(1e-300)), L(step.fresh));
  const L time = select(is_sheared, L(step.dt), since);
  L ax, ay, az;
  shear_for(time, &ax, &ay, &az);
  if constexpr (kOutcome == Outcome::kWritten || kOutcome == Outcome::kBoth)
    write(hit, ax, ay, az, tiles);
  if constexpr (kOutcome == Outcome::kKept || kOutcome == Outcome::kBoth) {
    L x, y, z;
    shear_for(time + step.rest, &x, &y, &z);
    kept->push_back(make_pack(hit, x, y, z));
  }
  if (step.mobilization) ax *= strength, ay *= strength, az *= strength;
  // Viscous damping at creep speeds only: at 2 cm/s a quarter of it remains.
  constexpr double kCreep2 = 4e-4;  // [m^2/s^2]
  const L fade = 1.0 / (1.0 + speed2 * (1 / kCreep2));
  const L viscous = step.shear_damping * fade * fade;
  ax += viscous * tx, ay += viscous * ty, az += viscous * tz;
  cut_to(strength, &ax, &ay, &az);

  L fx, fy, fz;  // (6), (9)
  if constexpr (kTire) {
    const L pressed = cell * sigma;
    fx = -pressed * face.px - area * ax;
    fy = -pressed * face.py - area * ay;
    fz = pressed - area * az;
  } else {
    fx = area * (sigma * u.nx - ax);
    fy = area * (sigma * u.ny - ay);
    fz = area * (sigma * u.nz - az);
  }
  sums->fx += fx, sums->fy += fy, sums->fz += fz;
  sums->mx += hit.dy * fz - face.z * fy;
  sums->my += face.z * fx - hit.dx * fz;
  sums->mz += hit.dx * fy - hit.dy * fx;
  if constexpr (kTire) sums->along -= area * (ax * face.ax + ay * face.ay + az * face.az);
  return select(u.cover > L(0.0), (hit.new_z_p - hit.z_p) / hit.c, L(0.0));
}

}  // namespace camber::terrain::internal
