#include "camber/terrain/soil_grid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/terrain/soil_body.h"
#include "camber/terrain/soil_flow.h"
#include "camber/terrain/soil_laws.h"
#include "camber/terrain/soil_stress.h"
#include "camber/terrain/soil_tiles.h"

// docs/theory/soil.md, sections 4 and 6. In a first pass the body's lower side is found above each
// node in closed form; the nodes that it touches are packed by eight, in a second pass they get
// their normal stresses and in a third one their shear:
//   z     = (h - z_body) c                             sinkage along the ground's normal     (1)
//   b     = l w/(l + w),  l = A/w                      from the area in contact              (2)
//   sigma = min(E (z - z_p), p_virgin(z))              z_p = z - sigma/E when the latter     (3)
//   sigma = max(0, sigma + R v_n)                      damping, and no tension               (4)
//           where it has a limit, p_virgin <= c N_c + gamma z N_q + gamma w N_gamma/2, w the
//           smaller side of the contact [Terzaghi]
//   tau   : soil_laws.h (1) in the plane tangent to the body                                 (5)
//   F     = sum cell/n_z (sigma n - tau)               n: out of the soil, at the body       (6)
// Under a tire whose round shape is D deep, with D = z + x,
//   sigma = p_tread(x) = p_soil(z) of (3)              springs and soil in series            (7)
//   sigma = max(0, sigma + c s_x^2 v_hub + R s_z^2 v_n)  s_x = dx/dD, s_z = dz/dD            (8)
//   n     : slope of the round tire, along the axis that of the flattened one; tau lies in the
//           flattened one, slope = ground's + r (round - ground's), r = rut/(rut + deflection),
//           and the tread moves along it with R_e w                                          (9)
//   K     <- K + tau_max/k_tread                       the tread gives way beside the soil  (10)
// With the sliding distance over K, j = |v| t/K, in a time t,
//   tau   <- (tau + (j + j^2/2) tau_max v/|v|)/(1 + j + j^2/2)                              (11)
// agrees with (5) at constant v to second order, and stays below tau_max for any t. A node without
// shear has been in contact for no longer than the time in which its depth developed:
//   t     <- min(t, D n_z/(c v_n)),  D: depth beyond the rut                                (12)
// Differs from the SCM of the literature: closed forms instead of rays, b without a hull, stress
// along the body's normal, shear as a vector with a rate, nodes at the sides weighted by how much
// of their cell is covered, no tension, shear reset where contact ends.
namespace camber::terrain {
namespace {

using internal::Hit;
using internal::kWide;
using internal::L;
using internal::make_geometry;
using internal::Mask;
using internal::Outcome;
using internal::ramp;
using internal::SoilConstants;
using internal::SoilTile;
using internal::Step;
using internal::Sums;
using internal::Underside;
constexpr int kMaxSoils = 16;

L load(const double* from) { return L::load(from); }

}  // namespace

/// A rectangle of nodes, both ends included.
struct NodeBox {
  std::int64_t i0, j0, i1, j1;
};

/// The contact that was evaluated last.
struct SoilGrid::Scratch {
  Scratch(internal::SoilTiles* tiles, double spacing) : flow(tiles, spacing) {}
  std::vector<Hit> hits;
  NodeBox box{};     // contains the hits
  NodeBox around{};  // nodes that may hold shear of the previous step
  Step step{};
  SoilContact contact;  // its properties before the pressures are computed
  bool is_tire = false;
  std::array<BearingFactors, kMaxSoils> bearing{};
  std::array<SoilConstants, kMaxSoils> soils{};
  std::vector<std::vector<internal::ShearPack>> kept;  // of each body
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
  for (std::size_t s = 0; s < terrain->soils.size(); ++s)
    if (terrain->soils[s].has_bearing_limit)
      scratch_->bearing[s] = bearing_factors(terrain->soils[s].friction_angle);
}
SoilGrid::~SoilGrid() = default;
SoilGrid::SoilGrid(SoilGrid&&) noexcept = default;
SoilGrid& SoilGrid::operator=(SoilGrid&&) noexcept = default;

namespace {

double total(const L& x) {
  double sum = 0;
  for (int i = 0; i < kWide; ++i) sum += x.lane(i);
  return sum;
}

/// Clears the stored shear in a box; hits have read theirs before and write it back afterwards.
void forget_shear(internal::SoilTiles* tiles, const NodeBox& box) {
  for (std::int64_t tj = box.j0 >> 5; tj <= box.j1 >> 5; ++tj) {
    for (std::int64_t ti = box.i0 >> 5; ti <= box.i1 >> 5; ++ti) {
      SoilTile& tile = tiles->tile(ti, tj);
      for (int w = 0; w < 2; ++w) {
        for (std::uint64_t left = tile.sheared[w]; left != 0; left &= left - 1) {
          const int first = (64 * w + std::countr_zero(left)) * kWide;
          const std::int64_t i = ti * SoilTile::kSide + first % SoilTile::kSide;
          const std::int64_t j = tj * SoilTile::kSide + first / SoilTile::kSide;
          if (i > box.i1 || i + kWide <= box.i0 || j < box.j0 || j > box.j1) continue;
          for (int k = first; k < first + kWide; ++k) tiles->save(&tile, k);
          for (auto& tau : tile.tau) L(0.0).store(tau + first);
          load(tile.z_p + first).store(tile.z_0 + first);
          tile.sheared[w] &= ~(left & -left);
        }
      }
    }
  }
}

/// The nodes whose cells are within reach of a center, at any angle of body and grid.
NodeBox nodes_around(const Vector3& center, const Vector3& reach, double d) {
  const auto from = [&](double x) { return static_cast<std::int64_t>(std::ceil(x / d - 0.75)); };
  const auto to = [&](double x) { return static_cast<std::int64_t>(std::floor(x / d + 0.75)); };
  return {from(center.x() - reach.x()), from(center.y() - reach.y()), to(center.x() + reach.x()),
          to(center.y() + reach.y())};
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

/// Eight neighboring nodes of a row while they are examined.
struct Row {
  L dx, dy, depth;
  Underside under;
  Mask mask, goes_in;
};

/// For each soil the packs that have free lanes: for nodes that the body leaves, and for nodes that
/// it enters. Nodes that yield take longer, so they are packed separately.
using OpenHits = std::array<std::array<int, 2>, kMaxSoils>;

/// Adds the touched nodes of a row.
void collect(const Row& row, SoilTile* tile, int first, OpenHits* open, std::vector<Hit>* hits) {
  for (int lane = 0; lane < kWide; ++lane) {
    if (!row.mask.lane(lane)) continue;
    const int soil = tile->soil[first + lane];
    int& at = (*open)[soil][row.goes_in.lane(lane) ? 1 : 0];
    if (at < 0 || (*hits)[at].count == kWide) {
      at = static_cast<int>(hits->size());
      hits->emplace_back(soil);
    }
    Hit& hit = (*hits)[at];
    const int k = hit.count;
    hit.dx.set_lane(k, row.dx.lane(lane));
    hit.dy.set_lane(k, row.dy.lane(lane));
    hit.depth.set_lane(k, row.depth.lane(lane));
    hit.under.z.set_lane(k, row.under.z.lane(lane));
    hit.under.nx.set_lane(k, row.under.nx.lane(lane));
    hit.under.ny.set_lane(k, row.under.ny.lane(lane));
    hit.under.nz.set_lane(k, row.under.nz.lane(lane));
    hit.under.cover.set_lane(k, row.under.cover.lane(lane));
    hit.add(tile, first + lane);
  }
}

/// First pass: the touched nodes, (1). They contribute to the area by their depth, so that the area
/// does not jump: depth relative to the ground before the body came where the body moves in, and
/// relative to the present ground where it moves out. (The plastic sinkage is known at the start of
/// the step only; at the front, where it grows, using it would cause a first-order error.)
template <class Geometry>
Cover find_hits(internal::SoilTiles* tiles, const Geometry& geometry, const BodyMotion& motion,
                const NodeBox& box, double d, std::vector<Hit>* hits) {
  const Vector3 &center = motion.center, &v = motion.velocity;
  hits->clear();
  OpenHits open;
  open.fill({-1, -1});
  L steps;
  for (int i = 0; i < kWide; ++i) steps.set_lane(i, d * i);
  const double inverse_speed = 1 / (0.1 * v.norm() + 0.01);
  L covered(0.0), count(0.0);
  Row row;
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
        row.dy = L(d * static_cast<double>(y_first + j) - center.y());
        for (int i = ia; i <= ib; i += kWide) {
          const int first = j * SoilTile::kSide + i;
          row.dx = steps + (d * static_cast<double>(x_first + i) - center.x());
          row.under = geometry.at(row.dx, row.dy);
          if (!any(row.under.cover > L(0.0))) continue;
          row.depth = (load(tile.h + first) - (center.z() + row.under.z)) * load(tile.c + first);
          const L z_p = load(tile.z_p + first), over = row.depth - z_p;
          row.mask = over > L(0.0) && row.under.cover > L(0.0);
          const Underside& u = row.under;
          const L away = u.nx * v.x() + u.ny * v.y() + u.nz * v.z();
          const L before = ramp(0.5 - away * inverse_speed) * (z_p - load(tile.z_0 + first));
          covered += row.under.cover * geometry.part_touched(u, over + before);
          if (!any(row.mask)) continue;
          row.goes_in = away < L(0.0);
          count += select(row.mask, L(1.0), L(0.0));
          collect(row, &tile, first, &open, hits);
        }
      }
    }
  }
  return {total(covered), static_cast<int>(total(count))};
}

/// `strip`: the smaller side of the contact [m]; `grip`: factor on the shear strength.
SoilConstants make_constants(const Soil& soil, const BearingFactors& bearing, double b,
                             double strip, double grip) {
  // A negative k_c under a small contact: the modulus is at least a tenth of k_phi.
  const double least = soil.law == PressureLaw::kBekker ? 0.1 * soil.k_phi : 0.0;
  return {soil.law,
          soil.n,
          std::max(soil_modulus(soil, b), least),
          soil.elastic_stiffness,
          soil.damping,
          grip * soil.cohesion,
          grip * std::tan(soil.friction_angle),
          1 / soil.shear_modulus,
          &soil,
          soil.has_bearing_limit && soil.law != PressureLaw::kRigid,
          soil.cohesion * bearing.N_c + 0.5 * soil.unit_weight * strip * bearing.N_gamma,
          soil.unit_weight * bearing.N_q};
}

/// How deep the soil is pressed in.
struct Depths {
  double deepest = 0, shallowest = 0;  // over nodes, weighted [m]
  double sinkage = 0;                  // of the deepest of all [m]
};

/// A column of nodes at a tire's side, which may lie beside its rut, is weighted by the part that
/// the tire covers: otherwise the slope of the tread would jump.
L count_side(const Hit& hit, const TreadLaw* tread) {
  return tread != nullptr ? ramp(4.0 * hit.under.cover) : L(1.0);
}

/// Second pass: normal stresses without damping, (3) or (7). `tread` is null for a rigid body. A
/// tire's nodes are weighted by their pressure, so that nothing jumps where contact starts or ends.
Depths find_pressures(const TreadLaw* tread, const SoilConstants* soils, std::vector<Hit>* hits) {
  constexpr double kTouched = 1e4;  // [Pa]
  L deepest(0.0), sinkage(0.0);
  for (Hit& hit : *hits) {
    const Mask is_node = hit.under.cover > L(0.0);
    if (tread != nullptr) {
      internal::find_pressure(soils[hit.soil], *tread, &hit);
      hit.touch = select(is_node, ramp(hit.sigma * (1 / kTouched)), L(0.0));
    } else {
      internal::find_pressure(soils[hit.soil], &hit);
    }
    const L z = select(is_node, hit.z, L(0.0));
    sinkage = max(sinkage, z);
    deepest = max(deepest, z * count_side(hit, tread));
  }
  Depths all;
  for (int i = 0; i < kWide; ++i) {
    all.deepest = std::max(all.deepest, deepest.lane(i));
    all.sinkage = std::max(all.sinkage, sinkage.lane(i));
  }
  all.shallowest = all.deepest;
  if (tread == nullptr) return all;
  L shallowest(all.deepest);
  for (const Hit& hit : *hits)
    shallowest =
        min(shallowest, all.deepest + hit.touch * count_side(hit, tread) * (hit.z - all.deepest));
  for (int i = 0; i < kWide; ++i) all.shallowest = std::min(all.shallowest, shallowest.lane(i));
  return all;
}

/// Third pass: damping, shear and forces. Returns the sum of permanently compressed heights [m].
template <bool kTire, Outcome kOutcome>
double press_all(const std::vector<Hit>& hits, const SoilConstants* soils, const Step& step,
                 internal::SoilTiles* tiles, std::vector<internal::ShearPack>* kept,
                 SoilContact* result) {
  Sums sums;
  L displaced(0.0);
  for (const Hit& hit : hits) {
    displaced += internal::press<kTire, kOutcome>(hit, soils[hit.soil], step, tiles, kept, &sums);
  }
  result->force_W = {total(sums.fx), total(sums.fy), total(sums.fz)};
  result->torque_W = {total(sums.mx), total(sums.my), total(sums.mz)};
  if constexpr (kTire) {
    const double about = result->rolling_radius * total(sums.along);
    result->torque_W += (about - result->torque_W.dot(step.axis)) * step.axis;
    result->stored_power = total(sums.stored);
    result->damping_power = -total(sums.lost);
  }
  return total(displaced);
}

/// Moves displaced soil to the edge of the contact and lets it slide down.
void move_soil(const SoilGridOptions& options, const std::vector<Hit>& hits, const NodeBox& box,
               double displaced, internal::SoilFlow* flow) {
  flow->gather(box.i0 - 4, box.j0 - 4, static_cast<int>(box.i1 - box.i0) + 9,
               static_cast<int>(box.j1 - box.j0) + 9);
  for (const Hit& hit : hits) {
    for (int n = 0; n < hit.count; ++n) {
      const auto [i, j] = internal::place_of(*hit.tile[n], hit.node[n]);
      flow->hold(i, j);
    }
  }
  flow->deposit(options.flow * displaced);
  flow->slide(std::tan(options.repose_angle), options.erosion_sweeps);
  flow->scatter();
}

/// How a tire rolls on the surface below it, (9).
void roll_tire(const TireShape& tire, const BodyMotion& motion, const Depths& depths,
               SoilContact* contact, Step* step) {
  const double spin = motion.angular_velocity.dot(motion.axis);
  const double rut = depths.deepest - depths.shallowest;
  contact->deflection = std::max(tire.depth - depths.deepest, 0.0);
  contact->rolling_radius = tire.radius - contact->deflection / 3;
  step->w -= spin * motion.axis;
  step->axis = motion.axis;
  step->rim_speed = spin * contact->rolling_radius;
  step->slope_x = -tire.normal.x() / tire.normal.z();
  step->slope_y = -tire.normal.y() / tire.normal.z();
  step->flatness = contact->deflection / std::max(contact->deflection + rut, 1e-12);
  step->approach = -motion.velocity.dot(tire.normal);
  step->damping = tire.damping / std::max(contact->area, 1e-12);
  step->soft_along = tire.stiffness_along > 0 ? 1 / tire.stiffness_along : 0;
  step->soft_across = tire.stiffness_across > 0 ? 1 / tire.stiffness_across : 0;
}

}  // namespace

template <class Shape>
void SoilGrid::find_contact(const Shape& shape, const BodyMotion& motion, const SoilTime& time) {
  const double d = options_.spacing;
  const auto geometry = make_geometry(shape, motion.axis, d);
  Scratch& work = *scratch_;

  // Nodes that the body could reach. Tiles know their highest node, so that a wheel just in contact
  // examines its chord instead of its diameter.
  const Vector3 extent = geometry.reach(HUGE_VAL);
  const double highest = highest_ground(tiles_.get(), nodes_around(motion.center, extent, d));
  const double depth = highest - (motion.center.z() - extent.z());
  work.box = nodes_around(motion.center, geometry.reach(depth), d);
  const Cover cover = find_hits(tiles_.get(), geometry, motion, work.box, d, &work.hits);
  // Nodes left since the last step may lie beyond the chord, all of them when a wheel lifts off.
  const double margin = 4 * d + motion.velocity.norm() * std::max(time.dt, 2 * time.fresh);
  const Vector3 around =
      geometry.reach(std::max(depth, 0.15 * extent.z())) + Vector3(margin, margin, 0);
  work.around = nodes_around(motion.center, around, d);
  work.step = {.cell = d * d,
               .dt = time.dt,
               .fresh = time.fresh,
               .rest = time.rest,
               .shear_damping = options_.shear_damping,
               .mobilization = options_.shear_memory == ShearMemory::kMobilization,
               .v = motion.velocity,
               .w = motion.angular_velocity};
  work.contact = {};
  constexpr bool kTire = std::is_same_v<Shape, TireShape>;
  work.is_tire = kTire;
  if (work.hits.empty()) return;
  work.contact.nodes = cover.nodes;
  work.contact.area = cover.cells * d * d;
  const double length = work.contact.area / geometry.width;
  work.contact.b = std::max(length * geometry.width / (length + geometry.width), 1e-6);  // (2)
  // Ice or mud on the ground: a friction factor below 1 also reduces the soil's strength.
  const double grip = std::min(terrain_->friction.at(motion.center.x(), motion.center.y()), 1.0);
  for (std::size_t s = 0; s < terrain_->soils.size(); ++s) {
    work.soils[s] = make_constants(terrain_->soils[s], work.bearing[s], work.contact.b,
                                   std::min(length, geometry.width), grip);
  }
  const TreadLaw* tread = nullptr;
  if constexpr (kTire) tread = &shape.tread;
  const Depths depths = find_pressures(tread, work.soils.data(), &work.hits);
  work.contact.sinkage = depths.sinkage;
  if constexpr (kTire) roll_tire(shape, motion, depths, &work.contact, &work.step);
}

SoilContact SoilGrid::press(const SoilTime& time) {
  Scratch& work = *scratch_;
  SoilContact result = work.contact;
  std::vector<internal::ShearPack>* kept = nullptr;
  if (time.keep >= 0) {
    const auto body = static_cast<std::size_t>(time.keep);
    while (work.kept.size() <= body) work.kept.emplace_back().reserve(128);
    kept = &work.kept[body];
    kept->clear();
  }
  const auto all = [&]<bool kTire, Outcome kOutcome>() {
    return press_all<kTire, kOutcome>(work.hits, work.soils.data(), work.step, tiles_.get(), kept,
                                      &result);
  };
  const auto with = [&]<Outcome kOutcome>() {
    return work.is_tire ? all.template operator()<true, kOutcome>()
                        : all.template operator()<false, kOutcome>();
  };
  if (!time.is_for_good) {
    if (kept == nullptr) {
      with.template operator()<Outcome::kNothing>();
    } else {
      with.template operator()<Outcome::kKept>();
    }
    return result;
  }
  forget_shear(tiles_.get(), work.around);
  const double displaced = kept == nullptr ? with.template operator()<Outcome::kWritten>()
                                           : with.template operator()<Outcome::kBoth>();
  if (options_.flow > 0 && !work.hits.empty())
    move_soil(options_, work.hits, work.box, displaced, &work.flow);
  return result;
}

SoilContact SoilGrid::look(const WheelShape& wheel, const BodyMotion& motion,
                           const SoilTime& time) {
  find_contact(wheel, motion, time);
  return press(time);
}
SoilContact SoilGrid::look(const PlateShape& plate, const BodyMotion& motion,
                           const SoilTime& time) {
  find_contact(plate, motion, time);
  return press(time);
}
SoilContact SoilGrid::look(const TireShape& tire, const BodyMotion& motion, const SoilTime& time) {
  find_contact(tire, motion, time);
  return press(time);
}

void SoilGrid::finish_step() {
  for (std::vector<internal::ShearPack>& packs : scratch_->kept) {
    for (const internal::ShearPack& pack : packs) write(pack, tiles_.get());
    packs.clear();
  }
}

void SoilGrid::mark() { tiles_->mark(); }
void SoilGrid::roll_back() {
  for (std::vector<internal::ShearPack>& packs : scratch_->kept) packs.clear();
  tiles_->roll_back();
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

bool SoilGrid::copy_displacements(std::int64_t i, std::int64_t j, TerrainCache* cache,
                                  std::span<float> out) const {
  static_assert(kTileSide == SoilTile::kSide);
  require(out.size() == SoilTile::kNodes, "SoilGrid::copy_displacements: room for ", out.size(),
          " heights, needs ", SoilTile::kNodes);
  const SoilTile* tile = tiles_->find(i, j);
  if (tile == nullptr) return false;
  for (int k = 0; k < SoilTile::kNodes; ++k) {
    double d = -tile->z_p[k] / tile->c[k];
    if (tile->has_moved) {
      const internal::GridPlace node = internal::place_of(*tile, k);
      const double x = options_.spacing * static_cast<double>(node.i);
      const double y = options_.spacing * static_cast<double>(node.j);
      d += tile->h[k] - terrain_->sample(x, y, cache).h;
    }
    out[k] = static_cast<float>(d);
  }
  return true;
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
  require(i1 >= i0 && j1 >= j0, "SoilGrid: the rectangle contains no node");
  scratch_->flow.gather(i0, j0, static_cast<int>(i1 - i0) + 1, static_cast<int>(j1 - j0) + 1);
}

void SoilGrid::append_state(std::vector<double>* state) const { tiles_->append_state(state); }
void SoilGrid::set_state(std::span<const double> state) { tiles_->set_state(state); }

int SoilGrid::tile_count() const { return tiles_->count(); }
std::int64_t SoilGrid::forgotten_tiles() const { return tiles_->forgotten(); }

}  // namespace camber::terrain
