#include "camber/city/make_block.h"

#include <algorithm>
#include <cmath>

#include "camber/city/kerb_ring.h"

namespace camber::city {
namespace internal {

namespace {

constexpr double kRim = 120;  // land around the city [m]

using Depths = std::array<double, kRows>;

std::size_t index_of(const Junction& junction, int heading) {
  return static_cast<std::size_t>(&junction.arm(heading) - junction.arms.data());
}

int opposite(int heading) { return (heading + 2) % 4; }

/// Heading from a node to its neighbor.
int heading_to(Node a, Node b) {
  for (int heading = 0; heading < 4; ++heading) {
    if (step(a, heading) == b) return heading;
  }
  return kEast;
}

/// The block that a block is part of.
Node root_of(const StreetPlan& plan, Node n) {
  const auto has_block = [&](Node b) {
    return plan.contains(b) && plan.contains({b.i + 1, b.j + 1});
  };
  if (!has_block(n)) return n;
  if (has_block({n.i - 1, n.j}) && !plan.has_street(n, kNorth)) return {n.i - 1, n.j};
  if (has_block({n.i, n.j - 1}) && !plan.has_street(n, kEast)) return {n.i, n.j - 1};
  return n;
}

/// Asphalt of a crossing: triangles from its middle to the rim, which is at the height of the
/// gutters but for the mouths of streets.
void add_crossing(const StreetPlan& plan, const Junction& junction, const Depths& depths,
                  Block* block) {
  const double crown = plan.spec().crown;
  double top = 0;
  for (const Arm& arm : junction.arms) top = std::max(top, crown * arm.profile.half_width());
  const Point3 middle{junction.place.x, junction.place.y, top};
  std::vector<Point3> rim;
  for (std::size_t k = 0; k < junction.arms.size(); ++k) {
    const Arm& arm = junction.arms[k];
    const double w = arm.profile.half_width();
    rim.push_back(on_street(junction, arm, arm.mouth, -w, crown, 0));
    rim.push_back(on_street(junction, arm, arm.mouth, 0, crown, 0));
    rim.push_back(on_street(junction, arm, arm.mouth, w, crown, 0));
    const std::vector<Station> corner = corner_stations(junction, k, depths);
    for (auto station = corner.rbegin(); station != corner.rend(); ++station) {
      rim.push_back({station->points[0].x, station->points[0].y, 0});
    }
  }
  for (std::size_t k = 0; k < rim.size(); ++k) {
    block->ground.push_back({{middle, rim[k], rim[(k + 1) % rim.size()]}, Surface::kAsphalt});
  }
}

/// Asphalt of a street between the mouths of its crossings: two planes that meet at the crown.
void add_street(const StreetPlan& plan, const Junction& from, const Arm& arm, const Arm& back,
                Block* block) {
  const double w = arm.profile.half_width(), crown = plan.spec().crown;
  const double a = arm.mouth, b = arm.length - back.mouth;
  for (const int side : {1, -1}) {
    add_quad(on_street(from, arm, a, 0, crown, 0), on_street(from, arm, b, 0, crown, 0),
             on_street(from, arm, b, side * w, crown, 0),
             on_street(from, arm, a, side * w, crown, 0), Surface::kAsphalt, &block->ground);
  }
}

/// Sidewalk and land beside a street at the rim of the city.
void add_rim(const StreetPlan& plan, const Junction& from, const Arm& arm, const Junction& to,
             const Arm& back, int side, const Depths& depths, Block* block) {
  const std::size_t k = index_of(from, arm.heading), m = index_of(to, back.heading);
  const auto before = [](const Junction& j, std::size_t at) {
    return (at + j.arms.size() - 1) % j.arms.size();
  };
  // Outside corners have a single station.
  const Station first = corner_stations(from, side > 0 ? k : before(from, k), depths).front();
  const Station last = corner_stations(to, side > 0 ? before(to, m) : m, depths).front();
  std::vector<Station> stations = {first};
  for (Station& s : side_stations(from, arm, to, back, side, depths)) stations.push_back(s);
  stations.push_back(last);
  const double kerb = kerb_height(plan, {plan.last().i, plan.last().j});
  for (std::size_t s = 0; s + 1 < stations.size(); ++s) {
    add_sidewalk(stations[s], stations[s + 1], kerb, depths, block);
  }
  Polygon island;
  for (const Station& s : stations) island.push_back(s.points[0]);
  // Land goes on outward: at a corner along the line of its rows.
  const auto outward = [&](const Station& s) -> Point3 {
    const Point &a = s.points[0], &b = s.points[kRows - 1];
    const double gain = kRim / depths[kRows - 1];
    return {b.x + gain * (b.x - a.x), b.y + gain * (b.y - a.y), kerb};
  };
  for (std::size_t s = 0; s + 1 < stations.size(); ++s) {
    add_quad(point_at(stations[s], kRows - 1, kerb, depths),
             point_at(stations[s + 1], kRows - 1, kerb, depths), outward(stations[s + 1]),
             outward(stations[s]), Surface::kGrass, &block->ground);
  }
  for (const Station& s : {last, first}) island.push_back({outward(s)[0], outward(s)[1]});
  block->islands.push_back(std::move(island));
}

void add_block_ground(const StreetPlan& plan, Node n, const Depths& depths, Block* block) {
  const std::vector<Node> nodes = plan.block_nodes(n);
  if (nodes.empty()) return;
  const double kerb = kerb_height(plan, n);
  std::vector<Station> ring;
  Polygon inside;  // corners of the sidewalk's back
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Node here = nodes[k], next = nodes[(k + 1) % nodes.size()];
    const Junction from = plan.junction(here), to = plan.junction(next);
    const Arm& arm = from.arm(heading_to(here, next));
    const Arm& back = to.arm(opposite(arm.heading));
    for (const Station& s : side_stations(from, arm, to, back, 1, depths)) ring.push_back(s);
    const Node after = nodes[(k + 2) % nodes.size()];
    const std::vector<Station> corner =
        corner_stations(to, index_of(to, heading_to(next, after)), depths);
    ring.insert(ring.end(), corner.begin(), corner.end());
    inside.push_back(corner.front().points[kRows - 1]);
    if (corner.size() > 1) inside.push_back(corner.back().points[kRows - 1]);
  }
  for (std::size_t k = 0; k < ring.size(); ++k) {
    add_sidewalk(ring[k], ring[(k + 1) % ring.size()], kerb, depths, block);
  }
  Polygon island;
  for (const Station& s : ring) island.push_back(s.points[0]);
  block->islands.push_back(std::move(island));
  const Surface surface = fill_block(plan, n, inside, kerb, block);
  // Ground inside: triangles from the middle.
  double x = 0, y = 0;
  for (const Point& p : inside) {
    x += p.x / static_cast<double>(inside.size()), y += p.y / static_cast<double>(inside.size());
  }
  for (std::size_t k = 0; k < ring.size(); ++k) {
    block->ground.push_back({{Point3{x, y, kerb}, point_at(ring[k], kRows - 1, kerb, depths),
                              point_at(ring[(k + 1) % ring.size()], kRows - 1, kerb, depths)},
                             surface});
  }
}

}  // namespace

double kerb_height(const StreetPlan& plan, Node n) {
  const Range& kerb = plan.spec().kerb;
  if (!(kerb.high > kerb.low)) return kerb.low;
  const bool has_block = plan.contains(n) && plan.contains({n.i + 1, n.j + 1});
  if (!has_block) return 0.5 * (kerb.low + kerb.high);
  RandomStream own = plan.stream("kerb", root_of(plan, n));
  return own.uniform(kerb.low, kerb.high);
}

Point3 on_street(const Junction& from, const Arm& arm, double s, double left, double crown,
                 double lift) {
  const Point p = arm.at(from.place, s, left);
  return {p.x, p.y, crown * (arm.profile.half_width() - std::abs(left)) + lift};
}

}  // namespace internal

Block make_block(const StreetPlan& plan, Node n) {
  using namespace internal;
  Block block{.i = n.i, .j = n.j};
  const std::array<double, kRows> depths = row_depths(plan.spec());
  const Junction here = plan.junction(n);
  add_crossing(plan, here, depths, &block);
  for (const int heading : {kEast, kNorth}) {
    if (!plan.has_street(n, heading)) continue;
    const Arm& arm = here.arm(heading);
    const Junction there = plan.junction(arm.to);
    const Arm& back = there.arm(opposite(heading));
    add_street(plan, here, arm, back, &block);
    add_markings(plan, here, arm, there, back, &block);
    // The blocks to the left and to the right of the street.
    const Node left = heading == kEast ? n : Node{n.i - 1, n.j};
    const Node right = heading == kEast ? Node{n.i, n.j - 1} : n;
    const auto is_inside = [&](Node b) {
      return plan.contains(b) && plan.contains({b.i + 1, b.j + 1});
    };
    if (!is_inside(left)) add_rim(plan, here, arm, there, back, 1, depths, &block);
    if (!is_inside(right)) add_rim(plan, here, arm, there, back, -1, depths, &block);
    add_street_things(plan, here, arm, there, back, kerb_height(plan, left),
                      kerb_height(plan, right), &block);
  }
  add_block_ground(plan, n, depths, &block);
  return block;
}

}  // namespace camber::city
