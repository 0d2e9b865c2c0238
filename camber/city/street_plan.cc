#include "camber/city/street_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"

namespace camber::city {
namespace {

constexpr double kPi = std::numbers::pi;
/// Arms that are this close to a straight line meet without an arc [rad].
constexpr double kStraight = 20 * kPi / 180;
/// Least distance of the mouth of a crossing from its node [m].
constexpr double kLeastMouth = 2;

/// Sides of blocks along one axis, outward from line 0; lines farther than `reach` are left out.
std::vector<double> make_lines(const RandomStream& stream, const Range& block, double reach,
                               int* first) {
  std::vector<double> up = {0}, down;
  for (int side = 0; side < 2; ++side) {
    double at = 0;
    for (std::uint64_t k = 0;; ++k) {
      RandomStream own = stream.substream(side == 0 ? "up" : "down", k);
      const double length = block.high > block.low ? own.uniform(block.low, block.high) : block.low;
      if (at + length > reach) break;
      at += length;
      (side == 0 ? up : down).push_back(side == 0 ? at : -at);
    }
  }
  *first = -static_cast<int>(down.size());
  std::reverse(down.begin(), down.end());
  down.insert(down.end(), up.begin(), up.end());
  return down;
}

int floor_half(int k) { return k >= 0 ? k / 2 : -((1 - k) / 2); }

}  // namespace

Node step(Node from, int heading) {
  switch (heading) {
    case kEast:
      return {from.i + 1, from.j};
    case kNorth:
      return {from.i, from.j + 1};
    case kWest:
      return {from.i - 1, from.j};
    default:
      return {from.i, from.j - 1};
  }
}

const Arm& Junction::arm(int heading) const {
  const auto found = std::ranges::find(arms, heading, &Arm::heading);
  require(found != arms.end(), "Junction::arm: there is no street to heading ", heading);
  return *found;
}

StreetPlan::StreetPlan(const CitySpec& spec) : spec_(spec) {
  const RandomStream lines = RandomStream(spec.seed).substream("lines");
  x_ = make_lines(lines.substream("x"), spec.block, 0.5 * spec.width, &first_.i);
  y_ = make_lines(lines.substream("y"), spec.block, 0.5 * spec.depth, &first_.j);
  last_ = {first_.i + static_cast<int>(x_.size()) - 1, first_.j + static_cast<int>(y_.size()) - 1};
  require(x_.size() >= 2 && y_.size() >= 2, "city: a size of ", spec.width, " m x ", spec.depth,
          " m has no room for a block of ", spec.block.low, " m");
}

RandomStream StreetPlan::stream(const char* what, Node n) const {
  const auto key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(n.i)) << 32) |
                   static_cast<std::uint32_t>(n.j);
  return RandomStream(spec_.seed).substream(what, key);
}

Point StreetPlan::place(Node n) const {
  Point p{x_[static_cast<std::size_t>(n.i - first_.i)],
          y_[static_cast<std::size_t>(n.j - first_.j)]};
  if (spec_.layout == Layout::kGrid || spec_.jitter <= 0 || n == Node{}) return p;
  RandomStream own = stream("node", n);
  p.x += own.uniform(-spec_.jitter, spec_.jitter);
  p.y += own.uniform(-spec_.jitter, spec_.jitter);
  return p;
}

int StreetPlan::missing_of(Node block) const {
  if (spec_.layout == Layout::kGrid) return 0;
  const Node group{floor_half(block.i), floor_half(block.j)};
  RandomStream own = stream("group", group);
  if (own.uniform() >= spec_.merged) return 0;
  const int which = static_cast<int>(own.integer(1, 4));
  // Both blocks of a merged pair must be there.
  const Node low{2 * group.i, 2 * group.j}, high{low.i + 2, low.j + 2};
  return contains(low) && contains(high) ? which : 0;
}

// A street that can be missing leads through a group of 2 x 2 blocks, whose rim always has streets:
// so all nodes stay connected.
bool StreetPlan::has_street(Node from, int heading) const {
  if (heading == kWest || heading == kSouth) {
    return has_street(step(from, heading), heading == kWest ? kEast : kNorth);
  }
  const Node to = step(from, heading);
  if (!contains(from) || !contains(to)) return false;
  if (heading == kNorth && (from.i & 1) != 0) {
    return missing_of(from) != ((from.j & 1) == 0 ? 1 : 2);
  }
  if (heading == kEast && (from.j & 1) != 0) {
    return missing_of(from) != ((from.i & 1) == 0 ? 3 : 4);
  }
  return true;
}

Profile StreetPlan::profile(Node from, int heading) const {
  const int line = heading == kEast || heading == kWest ? from.j : from.i;
  const int every = spec_.avenue_every;
  Profile p;
  p.is_avenue = every > 0 && line % every == 0;
  p.lanes = p.is_avenue ? spec_.avenue_lanes : spec_.street_lanes;
  p.lane_width = spec_.lane_width;
  p.parking = spec_.parking;
  p.speed = p.is_avenue ? spec_.avenue_speed : spec_.street_speed;
  return p;
}

Junction StreetPlan::junction(Node n) const {
  Junction junction{.node = n, .place = place(n)};
  for (int heading = 0; heading < 4; ++heading) {
    if (!has_street(n, heading)) continue;
    Arm arm;
    arm.heading = heading;
    arm.to = step(n, heading);
    const Point to = place(arm.to);
    arm.length = std::hypot(to.x - junction.place.x, to.y - junction.place.y);
    arm.along = {(to.x - junction.place.x) / arm.length, (to.y - junction.place.y) / arm.length};
    arm.angle = std::atan2(arm.along.y, arm.along.x);
    arm.profile = profile(n, heading);
    junction.arms.push_back(arm);
  }
  std::ranges::stable_sort(junction.arms, {}, &Arm::angle);
  RandomStream own = stream("corner", n);
  const Range& radius = spec_.corner_radius;
  const double drawn = radius.high > radius.low ? own.uniform(radius.low, radius.high) : radius.low;
  const std::size_t count = junction.arms.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Arm &a = junction.arms[k], &b = junction.arms[(k + 1) % count];
    Corner c;
    c.angle = b.angle - a.angle;
    if (c.angle <= 1e-9) c.angle += 2 * kPi;
    const double wa = a.profile.half_width(), wb = b.profile.half_width();
    for (int heading = 0; heading < 4; ++heading) {
      const double from_a = std::remainder(0.5 * kPi * heading - a.angle, 2 * kPi);
      const double ahead = from_a < 0 ? from_a + 2 * kPi : from_a;
      c.is_outside = c.is_outside || (!contains(step(n, heading)) && ahead < c.angle);
    }
    if (c.angle < kPi - kStraight && !c.is_outside) {
      // The arc's center has the distance w + r from both streets' middles.
      c.radius = drawn;
      const double ra = wa + c.radius, rb = wb + c.radius;
      c.from = (rb + ra * std::cos(c.angle)) / std::sin(c.angle);
      c.to = (ra + rb * std::cos(c.angle)) / std::sin(c.angle);
      c.center = a.at(junction.place, c.from, ra);
    } else if (std::abs(c.angle - kPi) > kStraight) {
      c.from = (wb + wa * std::cos(c.angle)) / std::sin(c.angle);
      c.to = (wa + wb * std::cos(c.angle)) / std::sin(c.angle);
    } else {
      c.from = c.to = 0.5 * (wa + wb) / std::tan(0.5 * c.angle);
    }
    junction.corners.push_back(c);
  }
  for (std::size_t k = 0; k < count; ++k) {
    junction.arms[k].mouth = std::max(
        {kLeastMouth, junction.corners[k].from, junction.corners[(k + count - 1) % count].to});
  }
  return junction;
}

std::vector<Node> StreetPlan::block_nodes(Node n) const {
  const Node high{n.i + 1, n.j + 1};
  if (!contains(n) || !contains(high)) return {};
  // The neighbor that shares this block is the one to the left or below.
  if (contains({n.i - 1, n.j}) && !has_street(n, kNorth)) return {};
  if (contains({n.i, n.j - 1}) && !has_street(n, kEast)) return {};
  if (!has_street({n.i + 1, n.j}, kNorth)) {
    return {n, {n.i + 1, n.j}, {n.i + 2, n.j}, {n.i + 2, n.j + 1}, high, {n.i, n.j + 1}};
  }
  if (!has_street({n.i, n.j + 1}, kEast)) {
    return {n, {n.i + 1, n.j}, high, {n.i + 1, n.j + 2}, {n.i, n.j + 2}, {n.i, n.j + 1}};
  }
  return {n, {n.i + 1, n.j}, high, {n.i, n.j + 1}};
}

}  // namespace camber::city
