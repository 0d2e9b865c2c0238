#include "camber/terrain/soil_grid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/terrain/lane_pow.h"
#include "camber/terrain/soil_body.h"
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

using internal::kWide;
using internal::L;
using internal::make_geometry;
using internal::Mask;
using internal::ramp;
using internal::SoilTile;
using internal::Underside;
constexpr int kMaxSoils = 16;

L load(const double* from) { return L::load(from); }

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
  Hit() {}  // NOLINT(modernize-use-equals-default): which would clear all of it first

  SoilTile* tile;
  int first;
  std::int64_t i, j;  // of the first node
  L dx, dy, z;
  Underside under;
  Mask mask;
};

/// Everything that is the same for all nodes of a contact.
struct Step {
  double cell, dt, shear_damping;
  bool mobilization;  // nodes remember the part of their strength
  Vector3 v, w;       // of the body's center, and its rotation
};

/// A rectangle of nodes, both ends included.
struct NodeBox {
  std::int64_t i0, j0, i1, j1;
};

/// The contact that was last looked for.
struct SoilGrid::Scratch {
  Scratch(internal::SoilTiles* tiles, double spacing) : flow(tiles, spacing) {}
  std::vector<Hit> hits;
  NodeBox box{};     // that the hits are in
  NodeBox around{};  // that may remember shear of the step before
  Step step{};
  SoilContact contact;  // what is known of it before it presses
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
  L fx{0.0}, fy{0.0}, fz{0.0}, mx{0.0}, my{0.0}, mz{0.0}, stiffness{0.0}, damping{0.0},
      deepest{0.0};
};

double total(const L& x) {
  double sum = 0;
  for (int i = 0; i < kWide; ++i) sum += x.lane(i);
  return sum;
}

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
  // Of a power of z; other laws are steeper, and their slope is no more than elastic anyway.
  const L slope = select(yields, min(s.n * virgin / hit.z, L(s.E)), L(s.E));
  sums->stiffness += select(sigma > L(0.0), area * slope, L(0.0));
  sums->damping += select(sigma > L(0.0), area * s.R, L(0.0));
  sums->deepest = max(sums->deepest, select(mask, hit.z, L(0.0)));
  return select(mask, (new_z_p - z_p) / load(tile.c + k), L(0.0));
}

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

/// The nodes within reach of a center, and one more on each side.
NodeBox nodes_around(const Vector3& center, const Vector3& reach, double d) {
  const auto node = [&](double x) { return static_cast<std::int64_t>(std::floor(x / d)); };
  return {node(center.x() - reach.x()) - 1, node(center.y() - reach.y()) - 1,
          node(center.x() + reach.x()) + 2, node(center.y() + reach.y()) + 2};
}

double highest_ground(internal::SoilTiles* tiles, const NodeBox& box) {
  double highest = -HUGE_VAL;
  for (std::int64_t tj = box.j0 >> 5; tj <= box.j1 >> 5; ++tj) {
    for (std::int64_t ti = box.i0 >> 5; ti <= box.i1 >> 5; ++ti) {
      highest = std::max(highest, tiles->tile(ti, tj).highest);
    }
  }
  return highest;
}

/// How much of the grid the body touches.
struct Cover {
  double cells = 0.0;
  int nodes = 0;
};

/// First pass: the nodes that are touched, (1). Nodes just touched count for the area by their
/// depth, up to a twentieth of the spacing, so that it does not jump.
template <class Geometry>
Cover find_hits(internal::SoilTiles* tiles, const Geometry& geometry, const Vector3& center,
                const NodeBox& box, double d, std::vector<Hit>* hits) {
  hits->clear();
  L steps;
  for (int i = 0; i < kWide; ++i) steps.set_lane(i, d * i);
  L covered(0.0), count(0.0);
  for (std::int64_t tj = box.j0 >> 5; tj <= box.j1 >> 5; ++tj) {
    for (std::int64_t ti = box.i0 >> 5; ti <= box.i1 >> 5; ++ti) {
      SoilTile& tile = tiles->tile(ti, tj);
      const std::int64_t x_first = ti * SoilTile::kSide, y_first = tj * SoilTile::kSide;
      constexpr std::int64_t kLast = SoilTile::kSide - 1;
      const int ja = static_cast<int>(std::max<std::int64_t>(box.j0 - y_first, 0));
      const int jb = static_cast<int>(std::min(box.j1 - y_first, kLast));
      const int ia = static_cast<int>(std::max<std::int64_t>(box.i0 - x_first, 0)) & ~(kWide - 1);
      const int ib = static_cast<int>(std::min(box.i1 - x_first, kLast));
      for (int j = ja; j <= jb; ++j) {
        const L dy(d * static_cast<double>(y_first + j) - center.y());
        for (int i = ia; i <= ib; i += kWide) {
          Hit& hit = hits->emplace_back();
          hit.tile = &tile;
          hit.first = j * SoilTile::kSide + i;
          hit.i = x_first + i, hit.j = y_first + j;
          hit.dx = steps + (d * static_cast<double>(hit.i) - center.x());
          hit.dy = dy;
          hit.under = geometry.at(hit.dx, dy);
          const L& cover = hit.under.cover;
          hit.z =
              (load(tile.h + hit.first) - (center.z() + hit.under.z)) * load(tile.c + hit.first);
          const L depth = hit.z - load(tile.z_p + hit.first);
          hit.mask = depth > L(0.0) && cover > L(0.0);
          if (!any(hit.mask)) {
            hits->pop_back();
            continue;
          }
          covered += select(hit.mask, cover * ramp(depth * (20 / d)), L(0.0));
          count += select(hit.mask, L(1.0), L(0.0));
        }
      }
    }
  }
  return {total(covered), static_cast<int>(total(count))};
}

SoilConstants make_constants(const Soil& soil, double b) {
  // A negative k_c under a contact that is still small: no softer than a tenth of k_phi.
  const double least = soil.law == PressureLaw::kBekker ? 0.1 * soil.k_phi : 0.0;
  return {
      soil.law,     soil.n,        std::max(soil_modulus(soil, b), least), soil.elastic_stiffness,
      soil.damping, soil.cohesion, std::tan(soil.friction_angle),          1 / soil.shear_modulus,
      &soil};
}

/// Second pass: stresses, soil by soil where several meet. Returns the sum of heights pressed away
/// for good [m].
template <bool kCommit>
double press_all(const std::vector<Hit>& hits, const SoilConstants* soils, bool has_one_soil,
                 const Step& step, SoilContact* result) {
  Sums sums;
  L displaced(0.0);
  for (const Hit& hit : hits) {
    Mask left = hit.mask;
    while (any(left)) {
      int lane = 0;
      while (!left.lane(lane)) ++lane;
      const int soil = hit.tile->soil[hit.first + lane];
      const Mask mask = has_one_soil ? left : left && lanes_of_soil(*hit.tile, hit.first, soil);
      displaced += press<kCommit>(hit, mask, soils[soil], step, &sums);
      left = left && !mask;
    }
  }
  result->force_W = {total(sums.fx), total(sums.fy), total(sums.fz)};
  result->torque_W = {total(sums.mx), total(sums.my), total(sums.mz)};
  result->stiffness = total(sums.stiffness);
  result->damping = total(sums.damping);
  for (int i = 0; i < kWide; ++i) {
    result->sinkage = std::max(result->sinkage, sums.deepest.lane(i));
  }
  return total(displaced);
}

/// Soil that comes up around a contact and slides down again.
void move_soil(const SoilGridOptions& options, const std::vector<Hit>& hits, const NodeBox& box,
               double displaced, internal::SoilFlow* flow) {
  flow->gather(box.i0 - 4, box.j0 - 4, static_cast<int>(box.i1 - box.i0) + 9,
               static_cast<int>(box.j1 - box.j0) + 9);
  for (const Hit& hit : hits) {
    for (int lane = 0; lane < kWide; ++lane) {
      if (hit.mask.lane(lane)) flow->hold(hit.i + lane, hit.j);
    }
  }
  flow->deposit(options.flow * displaced);
  flow->slide(std::tan(options.repose_angle), options.erosion_sweeps);
  flow->scatter();
}

}  // namespace

template <class Shape>
void SoilGrid::look(const Shape& shape, const BodyMotion& motion, double dt) {
  const double d = options_.spacing;
  const auto geometry = make_geometry(shape, motion.axis, d);
  Scratch& work = *scratch_;

  // Nodes that the body could reach. Tiles tell how high they go, so that a wheel just in contact
  // looks at its chord instead of its diameter.
  const Vector3 extent = geometry.reach(HUGE_VAL);
  const double highest = highest_ground(tiles_.get(), nodes_around(motion.center, extent, d));
  const double depth = highest - (motion.center.z() - extent.z());
  work.box = nodes_around(motion.center, geometry.reach(depth), d);
  const Cover cover = find_hits(tiles_.get(), geometry, motion.center, work.box, d, &work.hits);
  // Nodes left since the last step may lie beyond the chord, all of them when a wheel lifts off.
  const double margin = 4 * d + motion.velocity.norm() * dt;
  const Vector3 around =
      geometry.reach(std::max(depth, 0.15 * extent.z())) + Vector3(margin, margin, 0);
  work.around = nodes_around(motion.center, around, d);
  work.step = {d * d,
               dt,
               options_.shear_damping,
               options_.shear_memory == ShearMemory::kMobilization,
               motion.velocity,
               motion.angular_velocity};
  work.contact = {};
  if (work.hits.empty()) return;
  work.contact.nodes = cover.nodes;
  work.contact.area = cover.cells * d * d;
  const double length = work.contact.area / geometry.width;
  work.contact.b = std::max(length * geometry.width / (length + geometry.width), 1e-6);  // (2)
  for (std::size_t s = 0; s < terrain_->soils.size(); ++s) {
    work.soils[s] = make_constants(terrain_->soils[s], work.contact.b);
  }
}

SoilContact SoilGrid::ask() {
  SoilContact result = scratch_->contact;
  press_all<false>(scratch_->hits, scratch_->soils.data(), terrain_->soils.size() == 1,
                   scratch_->step, &result);
  return result;
}

SoilContact SoilGrid::advance_as_asked() {
  Scratch& work = *scratch_;
  forget_shear(tiles_.get(), work.hits, work.around);
  SoilContact result = work.contact;
  const double displaced = press_all<true>(work.hits, work.soils.data(),
                                           terrain_->soils.size() == 1, work.step, &result);
  if (options_.flow > 0 && !work.hits.empty()) {
    move_soil(options_, work.hits, work.box, displaced, &work.flow);
  }
  return result;
}

SoilContact SoilGrid::advance(const WheelShape& wheel, const BodyMotion& motion, double dt) {
  look(wheel, motion, dt);
  return advance_as_asked();
}
SoilContact SoilGrid::advance(const PlateShape& plate, const BodyMotion& motion, double dt) {
  look(plate, motion, dt);
  return advance_as_asked();
}
SoilContact SoilGrid::calc_contact(const WheelShape& wheel, const BodyMotion& motion, double dt) {
  look(wheel, motion, dt);
  return ask();
}
SoilContact SoilGrid::calc_contact(const PlateShape& plate, const BodyMotion& motion, double dt) {
  look(plate, motion, dt);
  return ask();
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
