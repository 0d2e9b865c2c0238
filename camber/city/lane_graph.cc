#include "camber/city/lane_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "camber/city/kerb_ring.h"

namespace camber::city {
namespace {

constexpr double kPi = std::numbers::pi;

/// A curve from one lane's end to another's start with both headings: the cubic Bezier curve whose
/// handles would be those of an arc.
std::vector<Point> make_turn(const planning::Pose& a, const planning::Pose& b) {
  const double chord = std::hypot(b.x - a.x, b.y - a.y);
  const double turn = std::abs(planning::wrap_angle(b.heading - a.heading));
  // For an arc of angle v the handle is 4/3 tan(v/4) R, and the chord 2 R sin(v/2).
  const double handle =
      turn > 1e-3 ? chord * (2.0 / 3.0) * std::tan(turn / 4) / std::sin(turn / 2) : chord / 3;
  const Point p[4] = {{a.x, a.y},
                      {a.x + handle * std::cos(a.heading), a.y + handle * std::sin(a.heading)},
                      {b.x - handle * std::cos(b.heading), b.y - handle * std::sin(b.heading)},
                      {b.x, b.y}};
  const int parts = turn > 0.02 ? 24 : 4;
  std::vector<Point> curve;
  for (int k = 0; k <= parts; ++k) {
    const double t = static_cast<double>(k) / parts, u = 1 - t;
    const double w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
    Point q;
    for (int m = 0; m < 4; ++m) q.x += w[m] * p[m].x, q.y += w[m] * p[m].y;
    curve.push_back(q);
  }
  curve.front() = p[0], curve.back() = p[3];
  return curve;
}

/// Lanes of a street by direction, from the middle outward.
struct StreetLanes {
  std::vector<int> away, toward;  // as seen from the node where the street belongs
};

class Builder {
 public:
  explicit Builder(const StreetPlan& plan) : plan_(plan) {}

  LaneGraph build() {
    for_all_nodes([&](Node n) {
      const Junction here = plan_.junction(n);
      for (const int heading : {kEast, kNorth}) {
        if (plan_.has_street(n, heading)) add_street(here, here.arm(heading));
      }
    });
    for_all_nodes([&](Node n) { add_turns(plan_.junction(n)); });
    add_missing_turns();
    complete(&graph_);
    return std::move(graph_);
  }

 private:
  template <class F>
  void for_all_nodes(const F& f) {
    for (int j = plan_.first().j; j <= plan_.last().j; ++j) {
      for (int i = plan_.first().i; i <= plan_.last().i; ++i) f(Node{i, j});
    }
  }

  void add_street(const Junction& from, const Arm& arm) {
    const Junction to = plan_.junction(arm.to);
    const Arm& back = to.arm((arm.heading + 2) % 4);
    const Profile& profile = arm.profile;
    const double a = arm.mouth, b = arm.length - back.mouth;
    StreetLanes& own = streets_[{from.node.j, from.node.i, arm.heading}];
    for (const int side : {-1, 1}) {
      std::vector<int>& list = side < 0 ? own.away : own.toward;
      for (int k = 0; k < profile.lanes; ++k) {
        const double left = side * (k + 0.5) * profile.lane_width;
        Lane lane;
        lane.center = {arm.at(from.place, a, left), arm.at(from.place, b, left)};
        if (side > 0) std::swap(lane.center[0], lane.center[1]);
        lane.start_heading = lane.end_heading =
            side < 0 ? arm.angle : planning::wrap_angle(arm.angle + kPi);
        lane.width = profile.lane_width, lane.speed = profile.speed;
        list.push_back(static_cast<int>(graph_.lanes.size()));
        graph_.lanes.push_back(std::move(lane));
      }
      for (std::size_t k = 0; k + 1 < list.size(); ++k) {
        graph_.lanes[static_cast<std::size_t>(list[k])].right = list[k + 1];
        graph_.lanes[static_cast<std::size_t>(list[k + 1])].left = list[k];
      }
    }
    const auto add_crossing = [&](double s0) {
      const double w = profile.half_width();
      Crossing crossing;
      crossing.area = {arm.at(from.place, s0, -w), arm.at(from.place, s0 + kZebra, -w),
                       arm.at(from.place, s0 + kZebra, w), arm.at(from.place, s0, w)};
      crossing.ends[0] = arm.at(from.place, s0 + 0.5 * kZebra, w + 0.8);
      crossing.ends[1] = arm.at(from.place, s0 + 0.5 * kZebra, -w - 0.8);
      crossing.lanes = own.away;
      crossing.lanes.insert(crossing.lanes.end(), own.toward.begin(), own.toward.end());
      graph_.crossings.push_back(std::move(crossing));
    };
    if (from.is_crossing()) add_crossing(a + kZebraGap);
    if (to.is_crossing()) add_crossing(b - kZebraGap - kZebra);
  }

  /// Lanes of an arm: those that come to the node, and those that leave it.
  std::pair<const std::vector<int>*, const std::vector<int>*> lanes_of(const Junction& at,
                                                                       const Arm& arm) {
    const bool is_own = arm.heading == kEast || arm.heading == kNorth;
    const Node owner = is_own ? at.node : arm.to;
    const StreetLanes& s = streets_[{owner.j, owner.i, is_own ? arm.heading : arm.heading - 2}];
    return is_own ? std::pair{&s.toward, &s.away} : std::pair{&s.away, &s.toward};
  }

  void add_turns(const Junction& at) {
    for (const Arm& in : at.arms) {
      for (const Arm& out : at.arms) {
        if (&in == &out) continue;
        const std::vector<int>& from = *lanes_of(at, in).first;
        const std::vector<int>& to = *lanes_of(at, out).second;
        const double turn = planning::wrap_angle(out.angle - in.angle - kPi);
        const bool is_straight = at.arms.size() == 2 || std::abs(turn) < kPi / 4;
        if (is_straight) {
          for (std::size_t k = 0; k < std::max(from.size(), to.size()); ++k)
            connect(from[std::min(k, from.size() - 1)], to[std::min(k, to.size() - 1)]);
        } else if (turn > 0) {
          connect(from.front(), to.front());
        } else {
          connect(from.back(), to.back());
        }
      }
    }
  }

  /// Lanes that no turn leads to, or from, take part in a turn of their neighbor: the middle one of
  /// three where an avenue ends.
  void add_missing_turns() {
    complete(&graph_);
    const std::size_t streets = graph_.lanes.size();
    for (std::size_t n = 0; n < streets; ++n) {
      const int number = static_cast<int>(n);
      if (graph_.lanes[n].is_turn) continue;
      for (const int side : {graph_.lanes[n].left, graph_.lanes[n].right}) {
        if (side < 0) continue;
        const Lane& near = graph_.lanes[static_cast<std::size_t>(side)];
        const std::vector<int> before = near.predecessors, after = near.successors;
        if (graph_.lanes[n].predecessors.empty() && !before.empty()) {
          connect(graph_.lanes[static_cast<std::size_t>(before[0])].predecessors[0], number);
          complete(&graph_);
        }
        if (graph_.lanes[n].successors.empty() && !after.empty()) {
          connect(number, graph_.lanes[static_cast<std::size_t>(after[0])].successors[0]);
          complete(&graph_);
        }
      }
    }
  }

  void connect(int from, int to) { city::connect(from, to, &graph_); }

  const StreetPlan& plan_;
  LaneGraph graph_;
  std::map<std::array<int, 3>, StreetLanes> streets_;
};

}  // namespace

planning::Pose Lane::at(double s) const {
  if (s <= 0) return {center.front().x, center.front().y, start_heading};
  for (std::size_t k = 0; k + 1 < center.size(); ++k) {
    const Point &a = center[k], &b = center[k + 1];
    const double d = std::hypot(b.x - a.x, b.y - a.y);
    if (s <= d) {
      return {a.x + s / d * (b.x - a.x), a.y + s / d * (b.y - a.y),
              std::atan2(b.y - a.y, b.x - a.x)};
    }
    s -= d;
  }
  return {center.back().x, center.back().y, end_heading};
}

LaneGraph::Place LaneGraph::find_nearest(Point p, double reach) const {
  Place best{-1, 0, reach};
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    double s = 0;
    const std::vector<Point>& c = lanes[n].center;
    for (std::size_t k = 0; k + 1 < c.size(); ++k) {
      const double dx = c[k + 1].x - c[k].x, dy = c[k + 1].y - c[k].y, d = std::hypot(dx, dy);
      if (d == 0) continue;
      const double t = std::clamp(((p.x - c[k].x) * dx + (p.y - c[k].y) * dy) / (d * d), 0.0, 1.0);
      const double far = std::hypot(p.x - c[k].x - t * dx, p.y - c[k].y - t * dy);
      if (far < best.distance) best = {static_cast<int>(n), s + t * d, far};
      s += d;
    }
  }
  return best;
}

void connect(int from, int to, LaneGraph* graph) {
  const Lane &a = graph->lanes[static_cast<std::size_t>(from)],
             &b = graph->lanes[static_cast<std::size_t>(to)];
  Lane turn;
  turn.is_turn = true;
  turn.start_heading = a.end_heading, turn.end_heading = b.start_heading;
  turn.center = make_turn({a.center.back().x, a.center.back().y, a.end_heading},
                          {b.center.front().x, b.center.front().y, b.start_heading});
  turn.width = std::min(a.width, b.width);
  const double bend = std::abs(planning::wrap_angle(b.start_heading - a.end_heading));
  turn.speed = bend > 0.5 ? std::min({5.0, a.speed, b.speed}) : std::min(a.speed, b.speed);
  turn.successors = {to};
  const int number = static_cast<int>(graph->lanes.size());
  graph->lanes[static_cast<std::size_t>(from)].successors.push_back(number);
  graph->lanes.push_back(std::move(turn));
}

void complete(LaneGraph* graph) {
  for (Lane& lane : graph->lanes) {
    lane.predecessors.clear();
    lane.length = 0;
    for (std::size_t k = 0; k + 1 < lane.center.size(); ++k) {
      lane.length += std::hypot(lane.center[k + 1].x - lane.center[k].x,
                                lane.center[k + 1].y - lane.center[k].y);
    }
  }
  for (std::size_t n = 0; n < graph->lanes.size(); ++n) {
    for (const int next : graph->lanes[n].successors) {
      graph->lanes[static_cast<std::size_t>(next)].predecessors.push_back(static_cast<int>(n));
    }
  }
}

LaneGraph make_lanes(const StreetPlan& plan) { return Builder(plan).build(); }

}  // namespace camber::city
