#include "camber/terrain/soil_grid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/math/lanes.h"
#include "camber/terrain/lane_pow.h"
#include "camber/terrain/soil_flow.h"
#include "camber/terrain/soil_laws.h"
#include "camber/terrain/soil_tiles.h"

// docs/theory/soil.md, section 4. Nodes are taken eight at a time. In a first pass the body's lower
// side is found above each node in closed form, in a second one the stresses:
//   z     = (h - z_body) c                             sinkage along the ground's normal     (1)
//   b     = l w/(l + w),  l = A/w                      from the area in contact              (2)
//   sigma = min(E (z - z_p), p_virgin(z))              z_p = z - sigma/E when the latter     (3)
//   sigma = max(0, sigma + R v_n)                      damping, and no tension               (4)
//   tau   = one step of soil_laws.h (2) in the plane tangent to the body                     (5)
//   F     = sum cell/n_z (sigma n - tau)               n: out of the soil, at the body       (6)
// Differs from the SCM of the literature: closed forms instead of rays, b without a hull, stress
// along the body's normal, shear as a vector with a rate, nodes at the sides weighted by how much
// of their cell is covered, no tension, shear forgotten where contact ends.
namespace camber::terrain {
namespace {

using internal::SoilTile;
constexpr int kWide = 8;
using L = math::Lanes<kWide>;
using Mask = L::Mask;
constexpr int kMaxSoils = 16;

L load(const double* from) { return L::load(from); }

L ramp(const L& x) { return max(L(0.0), min(L(1.0), x)); }

/// The body above a row of nodes: where its lower side is, and which way it faces.
struct Underside {
  L z;           // relative to the center [m]
  L nx, ny, nz;  // into the body, unit
  L cover;       // part of the cell that it covers
};

/// A cylinder about the axis a through the center. Along a vertical line q + z e_z:
///   |(q + z e_z) - a (a . (q + z e_z))| = r,  the lower root.
struct WheelGeometry {
  WheelGeometry(const WheelShape& wheel, const Vector3& axis, double spacing)
      : r(wheel.radius), width(wheel.width), a(axis), A(1 - a.z() * a.z()) {
    // A cell's extent along the axis.
    inverse_cell = std::hypot(a.x(), a.y()) / (spacing * (std::abs(a.x()) + std::abs(a.y())));
  }
  Underside at(const L& dx, const L& dy) const {
    const L s0 = a.x() * dx + a.y() * dy;
    const L B = -a.z() * s0;
    const L C = dx * dx + dy * dy - s0 * s0 - r * r;
    const L root2 = B * B - A * C;
    Underside u;
    u.z = (-B - sqrt(max(root2, L(0.0)))) * (1 / A);
    const L s = s0 + a.z() * u.z;
    u.nx = (a.x() * s - dx) * (1 / r), u.ny = (a.y() * s - dy) * (1 / r);
    u.nz = (a.z() * s - u.z) * (1 / r);
    u.cover = ramp((0.5 * width - abs(s)) * inverse_cell + 0.5);
    u.cover = select(root2 > L(0.0) && u.nz > L(0.05), u.cover, L(0.0));
    return u;
  }
  /// How far it reaches along x and y while deeper than `depth` above its lowest point.
  Vector3 reach(double depth) const {
    const double d = std::clamp(depth, 0.0, r), chord = std::sqrt(d * (2 * r - d));
    // Along the axis half the width, across it the chord; a tilted axis adds its shadow.
    const double along = 0.5 * width + r * std::abs(a.z());
    return {std::abs(a.x()) * along + chord * std::sqrt(std::max(0.0, 1 - a.x() * a.x())),
            std::abs(a.y()) * along + chord * std::sqrt(std::max(0.0, 1 - a.y() * a.y())),
            r * std::sqrt(A) + 0.5 * width * std::abs(a.z())};
  }

  double r, width;
  Vector3 a;
  double A, inverse_cell;
};

/// A flat face with its normal up (or nearly): n = axis x heading is left to the caller as e_z.
struct PlateGeometry {
  PlateGeometry(const PlateShape& plate, const Vector3& axis, double spacing)
      : width(plate.width), length(plate.length), a(axis), h(axis.y(), -axis.x(), 0) {
    inverse_cell = 1 / (spacing * (std::abs(a.x()) + std::abs(a.y())));
  }
  Underside at(const L& dx, const L& dy) const {
    const L s = a.x() * dx + a.y() * dy, t = h.x() * dx + h.y() * dy;
    return {L(0.0), L(0.0), L(0.0), L(1.0),
            ramp((0.5 * width - abs(s)) * inverse_cell + 0.5) *
                ramp((0.5 * length - abs(t)) * inverse_cell + 0.5)};
  }
  Vector3 reach(double) const {
    return {0.5 * (std::abs(a.x()) * width + std::abs(h.x()) * length),
            0.5 * (std::abs(a.y()) * width + std::abs(h.y()) * length), 0};
  }

  double width, length;
  Vector3 a, h;
  double inverse_cell;
};

WheelGeometry make_geometry(const WheelShape& s, const Vector3& axis, double d) {
  return {s, axis, d};
}
PlateGeometry make_geometry(const PlateShape& s, const Vector3& axis, double d) {
  return {s, axis, d};
}

/// Constants of one soil under one contact.
struct SoilConstants {
  PressureLaw law;
  double n, k, E, R, c, tan_phi, inverse_K;
  const Soil* soil;
};

/// The virgin curve on lanes; z > 0.
L virgin_lanes(const SoilConstants& s, const L& z) {
  if (s.law == PressureLaw::kRigid) return L(1e300);
  if (s.law == PressureLaw::kPrestonThomas) return virgin_pressure(*s.soil, s.k, z);
  return s.k * internal::pow_positive(max(z, L(1e-30)), s.n);
}

}  // namespace

/// Eight neighboring nodes that the body touches.
struct Hit {
  SoilTile* tile;
  int first;
  std::int64_t i, j;  // of the first node
  L dx, dy, z;
  Underside under;
  Mask mask;
};

struct SoilGrid::Scratch {
  Scratch(internal::SoilTiles* tiles, double spacing) : flow(tiles, spacing) {}
  std::vector<Hit> hits;
  std::array<SoilConstants, kMaxSoils> soils{};
  internal::SoilFlow flow;
};

SoilGrid::SoilGrid(const Terrain* terrain, const SoilGridOptions& options)
    : terrain_(terrain), options_(options) {
  require(options.spacing > 0 && std::isfinite(options.spacing),
          "SoilGrid: spacing must be > 0 m, got ", options.spacing);
  require(options.max_tiles >= 64 && options.max_tiles <= 10000000,
          "SoilGrid: max_tiles must be in 64..10000000, got ", options.max_tiles);
  require(options.flow >= 0 && options.flow <= 1, "SoilGrid: flow must be in 0..1, got ",
          options.flow);
  require(options.repose_angle > 0 && options.repose_angle < 1.5,
          "SoilGrid: angle of repose must be in 0..86 deg");
  require(!terrain->soils.empty() && terrain->soils.size() <= kMaxSoils, "SoilGrid: 1 to ",
          kMaxSoils, " soils, got ", terrain->soils.size());
  for (const Soil& soil : terrain->soils) check_soil(soil);
  tiles_ = std::make_unique<internal::SoilTiles>(terrain, options.spacing, options.max_tiles);
  scratch_ = std::make_unique<Scratch>(tiles_.get(), options.spacing);
  scratch_->hits.reserve(1024);
}
SoilGrid::~SoilGrid() = default;
SoilGrid::SoilGrid(SoilGrid&&) noexcept = default;
SoilGrid& SoilGrid::operator=(SoilGrid&&) noexcept = default;

namespace {

/// Sums over all nodes, lane by lane until the end: a fixed order, whatever the build.
struct Sums {
  L fx{0.0}, fy{0.0}, fz{0.0}, mx{0.0}, my{0.0}, mz{0.0}, stiffness{0.0}, deepest{0.0};
};

double total(const L& x) {
  double sum = 0;
  for (int i = 0; i < kWide; ++i) sum += x.lane(i);
  return sum;
}

/// Everything that is the same for all nodes of a contact.
struct Step {
  double cell, dt, shear_damping;
  bool mobilization;  // nodes remember the part of their strength
  Vector3 v, w;       // of the body's center, and its rotation
};

/// Stresses of eight nodes of one soil where `mask` holds, (3) to (6). Returns how much plastic
/// sinkage they gained.
template <bool kCommit>
L press(const Hit& hit, const Mask& mask, const SoilConstants& s, const Step& step, Sums* sums) {
  const Underside& u = hit.under;
  SoilTile& tile = *hit.tile;
  const int k = hit.first;
  const L z_p = load(tile.z_p + k);
  const L elastic = s.E * (hit.z - z_p), virgin = virgin_lanes(s, hit.z);
  const Mask yields = elastic > virgin;
  const L sigma_0 = select(yields, virgin, elastic);  // (3)
  const L new_z_p = select(yields, hit.z - virgin * (1 / s.E), z_p);

  // The body's surface here moves with it; what goes along the normal presses, the rest shears.
  const L vx = step.v.x() + step.w.y() * u.z - step.w.z() * hit.dy;
  const L vy = step.v.y() + step.w.z() * hit.dx - step.w.x() * u.z;
  const L vz = step.v.z() + step.w.x() * hit.dy - step.w.y() * hit.dx;
  const L out = vx * u.nx + vy * u.ny + vz * u.nz;
  const L sigma = max(L(0.0), sigma_0 - s.R * out);  // (4)
  const L tx = vx - out * u.nx, ty = vy - out * u.ny, tz = vz - out * u.nz;
  const L speed2 = tx * tx + ty * ty + tz * tz;

  // (5); what earlier steps left across the surface is dropped: the body has turned meanwhile.
  const L strength = s.c + sigma * s.tan_phi;
  L ax = load(tile.tau[0] + k), ay = load(tile.tau[1] + k), az = load(tile.tau[2] + k);
  const L across = ax * u.nx + ay * u.ny + az * u.nz;
  const L limit = step.mobilization ? L(1.0) : strength;
  const L g = L(step.dt * s.inverse_K), scale = 1.0 / (1.0 + sqrt(speed2) * g);
  const L gain = g * limit * scale;
  ax = (ax - across * u.nx) * scale + gain * tx;
  ay = (ay - across * u.ny) * scale + gain * ty;
  az = (az - across * u.nz) * scale + gain * tz;
  const auto cut_to = [&](const L& most, L* x, L* y, L* z) {
    const L size2 = *x * *x + *y * *y + *z * *z;
    const L cut = select(size2 > most * most, most / sqrt(max(size2, L(1e-300))), L(1.0));
    *x *= cut, *y *= cut, *z *= cut;
  };
  cut_to(limit, &ax, &ay, &az);
  if constexpr (kCommit) {
    select(mask, ax, load(tile.tau[0] + k)).store(tile.tau[0] + k);
    select(mask, ay, load(tile.tau[1] + k)).store(tile.tau[1] + k);
    select(mask, az, load(tile.tau[2] + k)).store(tile.tau[2] + k);
    select(mask, new_z_p, z_p).store(tile.z_p + k);
    tile.sheared[k / kWide >> 6] |= std::uint64_t{1} << (k / kWide & 63);
  }
  if (step.mobilization) ax *= strength, ay *= strength, az *= strength;
  // Viscous at creep speeds only: at 2 cm/s a quarter of it is left.
  constexpr double kCreep2 = 4e-4;  // [m^2/s^2]
  const L fade = 1.0 / (1.0 + speed2 * (1 / kCreep2));
  const L viscous = step.shear_damping * fade * fade;
  ax += viscous * tx, ay += viscous * ty, az += viscous * tz;
  cut_to(strength, &ax, &ay, &az);

  const L area = select(mask, u.cover * step.cell / u.nz, L(0.0));  // (6)
  const L fx = area * (sigma * u.nx - ax);
  const L fy = area * (sigma * u.ny - ay);
  const L fz = area * (sigma * u.nz - az);
  sums->fx += fx, sums->fy += fy, sums->fz += fz;
  sums->mx += hit.dy * fz - u.z * fy;
  sums->my += u.z * fx - hit.dx * fz;
  sums->mz += hit.dx * fy - hit.dy * fx;
  sums->stiffness += area * s.E;
  sums->deepest = max(sums->deepest, select(mask, hit.z, L(0.0)));
  return select(mask, (new_z_p - z_p) / load(tile.c + k), L(0.0));
}

/// A rectangle of nodes, both ends included.
struct NodeBox {
  std::int64_t i0, j0, i1, j1;
};

/// Clears what is remembered of shear in a box, except where the body still is; `hits` keep theirs.
void forget_shear(internal::SoilTiles* tiles, const std::vector<Hit>& hits, const NodeBox& box) {
  for (const Hit& hit : hits) {
    // Of eight nodes some may have been left; the others are marked again when they are pressed.
    const int pack = hit.first / kWide;
    std::uint64_t& word = hit.tile->sheared[pack >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (pack & 63);
    if ((word & bit) != 0 && !all(hit.mask)) {
      for (auto& tau : hit.tile->tau) {
        select(hit.mask, load(tau + hit.first), L(0.0)).store(tau + hit.first);
      }
    }
    word &= ~bit;
  }
  for (std::int64_t tj = box.j0 >> 5; tj <= box.j1 >> 5; ++tj) {
    for (std::int64_t ti = box.i0 >> 5; ti <= box.i1 >> 5; ++ti) {
      SoilTile& tile = tiles->tile(ti, tj);
      for (int w = 0; w < 2; ++w) {
        for (std::uint64_t left = tile.sheared[w]; left != 0; left &= left - 1) {
          const int first = (64 * w + std::countr_zero(left)) * kWide;
          const std::int64_t i = ti * SoilTile::kSide + first % SoilTile::kSide;
          const std::int64_t j = tj * SoilTile::kSide + first / SoilTile::kSide;
          if (i > box.i1 || i + kWide <= box.i0 || j < box.j0 || j > box.j1) continue;
          for (auto& tau : tile.tau) L(0.0).store(tau + first);
          tile.sheared[w] &= ~(left & -left);
        }
      }
    }
  }
}

/// The lanes of eight nodes whose soil has this number.
Mask lanes_of_soil(const SoilTile& tile, int first, int soil) {
  L same;
  for (int i = 0; i < kWide; ++i) same.set_lane(i, tile.soil[first + i] == soil ? 1.0 : 0.0);
  return same > L(0.5);
}

}  // namespace

template <bool kCommit, class Shape>
SoilContact SoilGrid::contact(const Shape& shape, const BodyMotion& motion, double dt) {
  const double d = options_.spacing;
  const auto geometry = make_geometry(shape, motion.axis, d);
  Scratch& work = *scratch_;
  work.hits.clear();

  // Nodes that the body could reach. Tiles tell how high they go, so that a wheel just in contact
  // looks at its chord instead of its diameter.
  const Vector3 extent = geometry.reach(HUGE_VAL);
  const double low = motion.center.z() - extent.z();
  const auto node = [&](double x) { return static_cast<std::int64_t>(std::floor(x / d)); };
  const auto tile_of = [](std::int64_t i) { return i >> 5; };
  double highest = -HUGE_VAL;
  for (std::int64_t tj = tile_of(node(motion.center.y() - extent.y()) - 1);
       tj <= tile_of(node(motion.center.y() + extent.y()) + 2); ++tj) {
    for (std::int64_t ti = tile_of(node(motion.center.x() - extent.x()) - 1);
         ti <= tile_of(node(motion.center.x() + extent.x()) + 2); ++ti) {
      highest = std::max(highest, tiles_->tile(ti, tj).highest);
    }
  }
  const Vector3 reach = geometry.reach(highest - low);
  const std::int64_t i0 = node(motion.center.x() - reach.x()) - 1;
  const std::int64_t i1 = node(motion.center.x() + reach.x()) + 2;
  const std::int64_t j0 = node(motion.center.y() - reach.y()) - 1;
  const std::int64_t j1 = node(motion.center.y() + reach.y()) + 2;

  // First pass: which nodes are touched, (1), and how large the contact is, (2).
  L steps;
  for (int i = 0; i < kWide; ++i) steps.set_lane(i, d * i);
  const double ramp_depth = 1 / (0.05 * d);
  L covered(0.0), count(0.0);
  for (std::int64_t tj = tile_of(j0); tj <= tile_of(j1); ++tj) {
    for (std::int64_t ti = tile_of(i0); ti <= tile_of(i1); ++ti) {
      SoilTile& tile = tiles_->tile(ti, tj);
      const std::int64_t x_first = ti * SoilTile::kSide, y_first = tj * SoilTile::kSide;
      const int ja = static_cast<int>(std::max<std::int64_t>(j0 - y_first, 0));
      const int jb = static_cast<int>(std::min<std::int64_t>(j1 - y_first, SoilTile::kSide - 1));
      const int ia = static_cast<int>(std::max<std::int64_t>(i0 - x_first, 0)) & ~(kWide - 1);
      const int ib = static_cast<int>(std::min<std::int64_t>(i1 - x_first, SoilTile::kSide - 1));
      for (int j = ja; j <= jb; ++j) {
        const L dy(d * static_cast<double>(y_first + j) - motion.center.y());
        for (int i = ia; i <= ib; i += kWide) {
          const int first = j * SoilTile::kSide + i;
          const L dx = steps + (d * static_cast<double>(x_first + i) - motion.center.x());
          const Underside under = geometry.at(dx, dy);
          const L z = (load(tile.h + first) - (motion.center.z() + under.z)) * load(tile.c + first);
          const L depth = z - load(tile.z_p + first);
          const Mask mask = depth > L(0.0) && under.cover > L(0.0);
          if (!any(mask)) continue;
          covered += select(mask, under.cover * ramp(depth * ramp_depth), L(0.0));
          count += select(mask, L(1.0), L(0.0));
          work.hits.push_back({&tile, first, x_first + i, y_first + j, dx, dy, z, under, mask});
        }
      }
    }
  }
  if constexpr (kCommit) {
    // Nodes left since the last step may lie beyond the chord, all of them when a wheel lifts off.
    const double margin = 4 * d + motion.velocity.norm() * dt;
    const Vector3 around = geometry.reach(std::max(highest - low, 0.15 * extent.z()));
    forget_shear(tiles_.get(), work.hits,
                 {node(motion.center.x() - around.x() - margin),
                  node(motion.center.y() - around.y() - margin),
                  node(motion.center.x() + around.x() + margin),
                  node(motion.center.y() + around.y() + margin)});
  }
  SoilContact result;
  if (work.hits.empty()) return result;

  // Constants of the soils under this contact.
  const double cell = d * d, length = total(covered) * cell / geometry.width;
  result.area = total(covered) * cell;
  result.nodes = static_cast<int>(total(count));
  result.b = std::max(length * geometry.width / (length + geometry.width), 1e-6);
  for (std::size_t s = 0; s < terrain_->soils.size(); ++s) {
    const Soil& soil = terrain_->soils[s];
    // A negative k_c under a contact that is still small: no softer than a tenth of k_phi.
    const double k = std::max(soil_modulus(soil, result.b),
                              soil.law == PressureLaw::kBekker ? 0.1 * soil.k_phi : 0.0);
    work.soils[s] = {soil.law,
                     soil.n,
                     k,
                     soil.elastic_stiffness,
                     soil.damping,
                     soil.cohesion,
                     std::tan(soil.friction_angle),
                     1 / soil.shear_modulus,
                     &soil};
  }

  // Second pass: stresses, soil by soil where several meet.
  const Step step{cell,
                  dt,
                  options_.shear_damping,
                  options_.shear_memory == ShearMemory::kMobilization,
                  motion.velocity,
                  motion.angular_velocity};
  Sums sums;
  L displaced(0.0);
  for (const Hit& hit : work.hits) {
    Mask left = hit.mask;
    while (any(left)) {
      int lane = 0;
      while (!left.lane(lane)) ++lane;
      const int soil = hit.tile->soil[hit.first + lane];
      const Mask mask = left && lanes_of_soil(*hit.tile, hit.first, soil);
      displaced += press<kCommit>(hit, mask, work.soils[soil], step, &sums);
      left = left && !mask;
    }
  }
  result.force_W = {total(sums.fx), total(sums.fy), total(sums.fz)};
  result.torque_W = {total(sums.mx), total(sums.my), total(sums.mz)};
  result.stiffness = total(sums.stiffness);
  for (int i = 0; i < kWide; ++i) {
    result.sinkage = std::max(result.sinkage, sums.deepest.lane(i));
  }
  if (kCommit && options_.flow > 0) {
    internal::SoilFlow& flow = work.flow;
    flow.gather(i0 - 4, j0 - 4, static_cast<int>(i1 - i0) + 9, static_cast<int>(j1 - j0) + 9);
    for (const Hit& hit : work.hits) {
      for (int lane = 0; lane < kWide; ++lane) {
        if (hit.mask.lane(lane)) flow.hold(hit.i + lane, hit.j);
      }
    }
    flow.deposit(options_.flow * total(displaced));
    flow.slide(std::tan(options_.repose_angle), options_.erosion_sweeps);
    flow.scatter();
  }
  return result;
}

SoilContact SoilGrid::advance(const WheelShape& wheel, const BodyMotion& motion, double dt) {
  return contact<true>(wheel, motion, dt);
}
SoilContact SoilGrid::advance(const PlateShape& plate, const BodyMotion& motion, double dt) {
  return contact<true>(plate, motion, dt);
}
SoilContact SoilGrid::calc_contact(const WheelShape& wheel, const BodyMotion& motion, double dt) {
  return contact<false>(wheel, motion, dt);
}
SoilContact SoilGrid::calc_contact(const PlateShape& plate, const BodyMotion& motion, double dt) {
  return contact<false>(plate, motion, dt);
}

namespace {

/// A tile and the number of the node in it that is nearest to a point.
std::pair<SoilTile*, int> nearest_node(internal::SoilTiles* tiles, double d, double x, double y) {
  const auto i = static_cast<std::int64_t>(std::llround(x / d));
  const auto j = static_cast<std::int64_t>(std::llround(y / d));
  return {&tiles->tile(i >> 5, j >> 5), static_cast<int>((j & 31) * SoilTile::kSide + (i & 31))};
}

}  // namespace

double SoilGrid::height(double x, double y) {
  const auto [tile, k] = nearest_node(tiles_.get(), options_.spacing, x, y);
  return tile->h[k] - tile->z_p[k] / tile->c[k];
}

double SoilGrid::rut_depth(double x, double y) {
  const auto [tile, k] = nearest_node(tiles_.get(), options_.spacing, x, y);
  return tile->z_p[k];
}

void SoilGrid::relax(const Box2& box, int sweeps) {
  gather(box);
  scratch_->flow.slide(std::tan(options_.repose_angle), sweeps);
  scratch_->flow.scatter();
}

double SoilGrid::volume(const Box2& box) {
  gather(box);
  return scratch_->flow.sum() * options_.spacing * options_.spacing;
}

void SoilGrid::gather(const Box2& box) {
  const double d = options_.spacing;
  const auto i0 = static_cast<std::int64_t>(std::ceil(box.x0 / d));
  const auto j0 = static_cast<std::int64_t>(std::ceil(box.y0 / d));
  const auto i1 = static_cast<std::int64_t>(std::floor(box.x1 / d));
  const auto j1 = static_cast<std::int64_t>(std::floor(box.y1 / d));
  require(i1 >= i0 && j1 >= j0, "SoilGrid: the rectangle holds no node");
  scratch_->flow.gather(i0, j0, static_cast<int>(i1 - i0) + 1, static_cast<int>(j1 - j0) + 1);
}

int SoilGrid::tile_count() const { return tiles_->count(); }
std::int64_t SoilGrid::forgotten_tiles() const { return tiles_->forgotten(); }

}  // namespace camber::terrain
