// Blocks: lots by recursive splitting, a building on each that has a street; parks and squares.
// [Parish, Mueller 2001] split lots along their longest edges in the same way.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/city/make_block.h"
#include "camber/city/polygons.h"
#include "camber/city/things.h"

namespace camber::city::internal {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLargestLot = 34;  // longer lots are split [m]

void split(const Polygon& lot, RandomStream stream, std::vector<Polygon>* lots, int depth = 0) {
  const Frame frame = find_frame(lot);
  const double longer = std::max(frame.length, frame.width);
  if (longer < kLargestLot || depth > 8) {
    lots->push_back(lot);
    return;
  }
  // Across the longer side, near its middle.
  const bool is_along = frame.length >= frame.width;
  const Point n = is_along ? frame.along : Point{-frame.along.y, frame.along.x};
  const double low = is_along ? frame.low_along : frame.low_across;
  const double at = low + longer * stream.uniform(0.42, 0.58);
  for (int half = 0; half < 2; ++half) {
    const double sign = half == 0 ? 1 : -1;
    const Polygon part = clip(lot, {sign * n.x, sign * n.y}, sign * at);
    if (part.size() >= 3) split(part, stream.substream("half", half), lots, depth + 1);
  }
}

bool has_street(const Polygon& lot, const Polygon& inside) {
  double front = 0;
  for (std::size_t k = 0; k < lot.size(); ++k) {
    const Point &a = lot[k], &b = lot[(k + 1) % lot.size()];
    const Point middle{0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    if (distance_to_rim(inside, middle) < 0.01) front += std::hypot(b.x - a.x, b.y - a.y);
  }
  return front > 8;
}

/// Storeys fall from the middle of the city outward.
int draw_storeys(const CitySpec& spec, Point at, RandomStream* own) {
  const double far = std::hypot(at.x, at.y) / (0.35 * std::min(spec.width, spec.depth));
  const double typical =
      spec.storeys.low + (spec.storeys.high - spec.storeys.low) * std::exp(-far * far);
  const double drawn = typical * own->uniform(0.65, 1.2);
  return static_cast<int>(std::clamp(std::round(drawn), spec.storeys.low, spec.storeys.high));
}

void build(const StreetPlan& plan, const Polygon& lot, RandomStream own, double level,
           Block* block) {
  const CitySpec& spec = plan.spec();
  Building house;
  house.storeys = draw_storeys(spec, center_of(lot), &own);
  const bool is_small = house.storeys <= 3;
  const double inset = is_small ? own.uniform(1.0, 2.5) : own.uniform(0.05, 0.6);
  house.footprint = shrink(lot, inset);
  if (house.footprint.size() < 3 || area_of(house.footprint) < 40) return;
  house.base = level;
  const bool is_office = house.storeys >= 6 && own.uniform() < 0.5;
  const bool has_shops = !is_small && own.uniform() < 0.75;
  house.ground_floor = has_shops ? spec.storey_height : 0;
  house.height = house.storeys * spec.storey_height + 0.7;
  constexpr Surface kWalls[] = {Surface::kBrickRed,     Surface::kBrickBrown,
                                Surface::kPlasterWhite, Surface::kPlasterYellow,
                                Surface::kPlasterGray,  Surface::kSandstone};
  house.wall = is_office ? Surface::kOffice : kWalls[own.integer(0, 5)];
  house.roof = house.storeys <= 4 && own.uniform() < 0.7 ? Roof::kHipped : Roof::kFlat;
  if (house.roof == Roof::kFlat) {
    const Point c = center_of(house.footprint);
    const auto vents = own.integer(1, 3);
    for (std::int64_t k = 0; k < vents; ++k) {
      const Frame frame = find_frame(house.footprint);
      const double u = 0.2 * frame.length * own.uniform(-1, 1),
                   v = 0.2 * frame.width * own.uniform(-1, 1);
      block->things.push_back({ThingKind::kVent, c.x + u * frame.along.x - v * frame.along.y,
                               c.y + u * frame.along.y + v * frame.along.x,
                               level + house.height - 0.35,
                               std::atan2(frame.along.y, frame.along.x), own.uniform(0.7, 1.4), 0});
    }
  }
  block->buildings.push_back(std::move(house));
}

/// Trees at random places, at a distance from each other.
void scatter_trees(const Polygon& area, double density, double level, RandomStream own,
                   Block* block) {
  const Frame frame = find_frame(area);
  const int tries = static_cast<int>(area_of(area) * density * 1.6);
  std::vector<Point> placed;
  for (int k = 0; k < tries; ++k) {
    const double u = frame.low_along + frame.length * own.uniform(),
                 v = frame.low_across + frame.width * own.uniform();
    const Point p{u * frame.along.x - v * frame.along.y, u * frame.along.y + v * frame.along.x};
    const double scale = own.uniform(0.8, 1.5), yaw = own.uniform(-kPi, kPi);
    const int variant = static_cast<int>(own.integer(0, kTreeVariants - 1));
    const bool is_free = std::ranges::all_of(
        placed, [&](const Point& q) { return std::hypot(p.x - q.x, p.y - q.y) > 5; });
    if (!is_free || !planning::is_inside(area, p) || distance_to_rim(area, p) < 2) continue;
    placed.push_back(p);
    block->things.push_back({ThingKind::kTree, p.x, p.y, level, yaw, scale, variant});
  }
}

/// Bollards and benches around a square, trees in rows.
void make_square(const Polygon& inside, double level, RandomStream own, Block* block) {
  for (std::size_t k = 0; k < inside.size(); ++k) {
    const Point &a = inside[k], &b = inside[(k + 1) % inside.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const Point along{(b.x - a.x) / length, (b.y - a.y) / length};
    for (double s = 1.5; s < length - 1; s += 3) {
      block->things.push_back({ThingKind::kBollard, a.x + s * along.x - 0.3 * along.y,
                               a.y + s * along.y + 0.3 * along.x, level, 0, 1, 0});
    }
    for (double s = 8; s < length - 8; s += 12) {
      block->things.push_back({ThingKind::kTree, a.x + s * along.x - 6 * along.y,
                               a.y + s * along.y + 6 * along.x, level, own.uniform(-kPi, kPi),
                               own.uniform(0.8, 1.0), 1});
      block->things.push_back({ThingKind::kBench, a.x + (s + 6) * along.x - 5 * along.y,
                               a.y + (s + 6) * along.y + 5 * along.x, level,
                               std::atan2(along.y, along.x) + 0.5 * kPi, 1, 0});
    }
  }
}

}  // namespace

Surface fill_block(const StreetPlan& plan, Node n, const Polygon& inside, double level,
                   Block* block) {
  const CitySpec& spec = plan.spec();
  const RandomStream own = plan.stream("block", n);
  const double use = own.substream("use").uniform();
  if (use < spec.parks) {
    scatter_trees(shrink(inside, 2), 1.0 / 60, level, own.substream("trees"), block);
    return Surface::kGrass;
  }
  if (use < spec.parks + spec.squares) {
    make_square(inside, level, own.substream("square"), block);
    return Surface::kPaving;
  }
  std::vector<Polygon> lots;
  split(inside, own.substream("lots"), &lots);
  for (std::size_t k = 0; k < lots.size(); ++k) {
    if (has_street(lots[k], inside))
      build(plan, lots[k], own.substream("house", k), level, block);
    else
      scatter_trees(lots[k], 1.0 / 120, level, own.substream("yard", k), block);
  }
  return Surface::kCourtyard;
}

}  // namespace camber::city::internal
