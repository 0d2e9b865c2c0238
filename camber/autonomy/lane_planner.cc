// Dijkstra over lanes: a lane costs its length, a start or end within a lane its part. From the
// vehicle the nearest lane that goes its way is taken; to the goal the last meters are straight.

#include "camber/autonomy/lane_planner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

using planning::Point;

double distance_of(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Where a lane's center line is nearest to a point.
struct LanePlace {
  int lane = -1;
  std::size_t segment = 0;  // from point `segment` to the next
  Point at;
  double distance = std::numeric_limits<double>::infinity();  // [m]
};

class LanePlanner : public GlobalPlanner {
 public:
  explicit LanePlanner(const GlobalSetup& setup) : lanes_(setup.lanes) {
    require(lanes_ != nullptr && !lanes_->empty(), "LanePlanner: there are no lanes");
  }

  void observe(const LocalMap&, const std::vector<Mover>&) override {}
  bool is_in_world() const override { return true; }

  GlobalPath plan(Point from, Point goal) override {
    constexpr double kBeside = 8, kMoved = 1;  // [m]
    GlobalPath result;
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < route_.size(); ++k) {
      const double d = distance_of(route_[k], from);
      if (d < least) least = d, nearest = k;
    }
    if (route_.empty() || least > kBeside || distance_of(route_.back(), goal) > kMoved) {
      route_ = find_route(from, goal);
      nearest = 0;
    }
    if (route_.empty()) {
      result.problem = "no lane leads to the goal";
      return result;
    }
    result.is_found = true;
    result.points.assign(route_.begin() + static_cast<std::ptrdiff_t>(nearest), route_.end());
    for (std::size_t k = 1; k < result.points.size(); ++k)
      result.length += distance_of(result.points[k - 1], result.points[k]);
    return result;
  }

  void save(StateWriter* out) const override {
    std::vector<double> values;
    for (const Point& p : route_) values.insert(values.end(), {p.x, p.y});
    out->write_list(values);
  }
  void restore(StateReader* in) override {
    const std::vector<double> values = in->read_list();
    route_.clear();
    for (std::size_t k = 0; k + 1 < values.size(); k += 2)
      route_.push_back({values[k], values[k + 1]});
  }

 private:
  LanePlace find_place(Point p) const {
    LanePlace best;
    for (std::size_t i = 0; i < lanes_->size(); ++i) {
      const std::vector<Point>& c = (*lanes_)[i].center;
      for (std::size_t k = 0; k + 1 < c.size(); ++k) {
        const double dx = c[k + 1].x - c[k].x, dy = c[k + 1].y - c[k].y;
        const double squared = dx * dx + dy * dy;
        const double t =
            squared > 0
                ? std::clamp(((p.x - c[k].x) * dx + (p.y - c[k].y) * dy) / squared, 0.0, 1.0)
                : 0;
        const Point at{c[k].x + t * dx, c[k].y + t * dy};
        const double d = distance_of(at, p);
        if (d < best.distance) best = {static_cast<int>(i), k, at, d};
      }
    }
    return best;
  }

  std::vector<Point> find_route(Point from, Point goal) const {
    constexpr double kFar = 30, kStep = 1;  // from a lane; between points of a route [m]
    const LanePlace start = find_place(from), end = find_place(goal);
    if (start.distance > kFar || end.distance > kFar) return {};
    // Costs at the ends of lanes; ties go to the lower number.
    const std::size_t count = lanes_->size();
    std::vector<double> cost(count, std::numeric_limits<double>::infinity());
    std::vector<int> parent(count, -1);
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto is_ahead = [&] {
      return start.lane == end.lane &&
             (start.segment < end.segment ||
              (start.segment == end.segment &&
               distance_of((*lanes_)[start.lane].center[start.segment], start.at) <=
                   distance_of((*lanes_)[start.lane].center[start.segment], end.at)));
    };
    std::vector<int> order;
    if (is_ahead()) {
      order = {start.lane};
    } else {
      cost[start.lane] = 0;
      queue.push({0, start.lane});
      bool is_found = false;
      while (!queue.empty() && !is_found) {
        const auto [c, lane] = queue.top();
        queue.pop();
        if (c > cost[lane]) continue;
        for (const int next : (*lanes_)[lane].successors) {
          if (next == end.lane) {
            parent[next] = lane;
            is_found = true;
            break;
          }
          const double through = c + length_of((*lanes_)[next]);
          if (through >= cost[next]) continue;
          cost[next] = through;
          parent[next] = lane;
          queue.push({through, next});
        }
      }
      if (!is_found) return {};
      order.push_back(end.lane);
      for (int lane = parent[end.lane]; lane != start.lane; lane = parent[lane])
        order.push_back(lane);
      order.push_back(start.lane);
      std::reverse(order.begin(), order.end());
    }
    std::vector<Point> corners{from, start.at};
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::vector<Point>& c = (*lanes_)[order[k]].center;
      const std::size_t first = k == 0 ? start.segment + 1 : 0,
                        last = k + 1 == order.size() ? end.segment + 1 : c.size();
      for (std::size_t i = first; i < last; ++i) corners.push_back(c[i]);
    }
    corners.push_back(end.at);
    corners.push_back(goal);
    std::vector<Point> route{corners[0]};
    for (std::size_t k = 1; k < corners.size(); ++k) {
      const double length = distance_of(corners[k - 1], corners[k]);
      const int parts = std::max(1, static_cast<int>(std::ceil(length / kStep)));
      for (int i = 1; i <= parts && length > 1e-9; ++i) {
        const double t = static_cast<double>(i) / parts;
        route.push_back({corners[k - 1].x + t * (corners[k].x - corners[k - 1].x),
                         corners[k - 1].y + t * (corners[k].y - corners[k - 1].y)});
      }
    }
    return route;
  }

  static double length_of(const RoadLane& lane) {
    double length = 0;
    for (std::size_t k = 1; k < lane.center.size(); ++k)
      length += distance_of(lane.center[k - 1], lane.center[k]);
    return length;
  }

  std::shared_ptr<const std::vector<RoadLane>> lanes_;
  std::vector<Point> route_;
};

}  // namespace

std::unique_ptr<GlobalPlanner> make_lane_planner(const GlobalSetup& setup) {
  return std::make_unique<LanePlanner>(setup);
}

}  // namespace camber::autonomy
