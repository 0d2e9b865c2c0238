#include "camber/autonomy/global_planner.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "camber/autonomy/lane_planner.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/planning/d_star_lite.h"
#include "camber/planning/grid_search.h"

namespace camber::autonomy {
namespace {

using planning::Cell, planning::GridCost, planning::OccupancyGrid, planning::Point;

/// Straight to the goal, whatever is between.
class NoPlanner : public GlobalPlanner {
 public:
  void observe(const LocalMap&) override {}
  GlobalPath plan(Point from, Point goal) override {
    return {true, {from, goal}, std::hypot(goal.x - from.x, goal.y - from.y), ""};
  }
  void save(StateWriter*) const override {}
  void restore(StateReader*) override {}
};

/// Shortest paths on a grid of the area; a cell is blocked if an obstacle is nearer to its center
/// than the radius.
class GridPlanner : public GlobalPlanner {
 public:
  GridPlanner(const GlobalSetup& setup, bool is_incremental)
      : setup_(setup), is_incremental_(is_incremental), grid_(make_grid(setup)), seen_(grid_) {}

  void observe(const LocalMap& map) override {
    const OccupancyGrid& fine = map.obstacles().grid();
    const planning::DistanceField& field = map.obstacles().field();
    const Point low = fine.origin(), high{low.x + fine.width() * fine.resolution(),
                                          low.y + fine.height() * fine.resolution()};
    const Cell a = grid_.cell_of(low), b = grid_.cell_of(high);
    // From center to edge of the nearest blocked cell.
    const double least = setup_.radius + 0.5 * fine.resolution();
    for (int y = std::max(a.y, 0); y <= std::min(b.y, grid_.height() - 1); ++y) {
      for (int x = std::max(a.x, 0); x <= std::min(b.x, grid_.width() - 1); ++x) {
        const Cell c = fine.cell_of(grid_.center({x, y}));
        if (!fine.contains(c) || !map.is_seen(c)) continue;
        const double distance = field.distance(c);
        const bool is_blocked = distance < least;
        if (distance == 0) seen_.set_blocked({x, y}, true);
        if (grid_.is_blocked(x, y) == is_blocked) continue;
        grid_.set_blocked({x, y}, is_blocked);
        changes_.push_back({{x, y}, is_blocked});
      }
    }
  }

  GlobalPath plan(Point from, Point goal) override {
    const std::optional<Cell> start = find_free(from, 4.0),
                              end = find_free(goal, setup_.goal_reach);
    GlobalPath result;
    if (!end) {
      result.problem = grid_.contains(grid_.cell_of(goal))
                           ? "the goal is in an obstacle, or too near to one"
                           : "the goal is outside of the area";
      return result;
    }
    if (!start) {
      result.problem = "no free cell near the vehicle";
      return result;
    }
    const planning::GridPath path = is_incremental_ ? replan(*start, *end) : search(*start, *end);
    if (!path.found) {
      result.problem = "obstacles are all around the goal, or across every way to it";
      return result;
    }
    result.is_found = true;
    result.points.reserve(path.cells.size() + 1);
    for (const Cell c : path.cells) result.points.push_back(grid_.center(c));
    result.points.back() = goal;
    result.length = path.length * grid_.resolution();
    return result;
  }

  std::vector<Point> seen() const override {
    std::vector<Point> list;
    for (int y = 0; y < seen_.height(); ++y)
      for (int x = 0; x < seen_.width(); ++x)
        if (seen_.is_blocked(x, y)) list.push_back(seen_.center({x, y}));
    return list;
  }
  double cell() const override { return grid_.resolution(); }

  void save(StateWriter* out) const override {
    for (const OccupancyGrid* grid : {&grid_, &seen_}) {
      std::vector<double> blocked;
      for (int y = 0; y < grid->height(); ++y)
        for (int x = 0; x < grid->width(); ++x)
          if (grid->is_blocked(x, y)) blocked.push_back(static_cast<double>(y) * grid->width() + x);
      out->write_list(blocked);
    }
    std::vector<double> changes;
    for (const auto& change : changes_)
      changes.insert(changes.end(),
                     {static_cast<double>(change.cell.x), static_cast<double>(change.cell.y),
                      change.blocked ? 1.0 : 0.0});
    out->write_list(changes);
    out->write(incremental_ ? 1 : 0);
    if (!incremental_) return;
    out->write(goal_.x);
    out->write(goal_.y);
    incremental_->save(out);
  }
  void restore(StateReader* in) override {
    for (OccupancyGrid* grid : {&grid_, &seen_}) {
      *grid = make_grid(setup_);
      for (const double k : in->read_list()) {
        const double y = std::floor(k / grid->width());
        const Cell c{static_cast<int>(k - y * grid->width()), static_cast<int>(y)};
        require(grid->contains(c), "GlobalPlanner: a saved cell is outside of the area");
        grid->set_blocked(c, true);
      }
    }
    changes_.clear();
    const std::vector<double> changes = in->read_list();
    for (std::size_t i = 0; i + 2 < changes.size(); i += 3)
      changes_.push_back(
          {{static_cast<int>(changes[i]), static_cast<int>(changes[i + 1])}, changes[i + 2] != 0});
    incremental_.reset();
    if (!in->read_bool()) return;
    goal_.x = in->read_int();
    goal_.y = in->read_int();
    // Its own grid is that of its last plan; changes since then are kept here.
    OccupancyGrid then = grid_;
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
      then.set_blocked(change->cell, !change->blocked);
    incremental_.emplace(std::move(then), goal_, goal_);
    incremental_->restore(in);
  }

 private:
  static OccupancyGrid make_grid(const GlobalSetup& s) {
    const Point low{std::min(s.start.x, s.goal.x) - s.margin,
                    std::min(s.start.y, s.goal.y) - s.margin},
        high{std::max(s.start.x, s.goal.x) + s.margin, std::max(s.start.y, s.goal.y) + s.margin};
    const double w = std::ceil((high.x - low.x) / s.cell), h = std::ceil((high.y - low.y) / s.cell);
    constexpr double kMaxCells = 2e7;
    require(s.cell > 0 && w * h <= kMaxCells, "the area about start and goal is ",
            short_text(high.x - low.x, 4), " m x ", short_text(high.y - low.y, 4),
            " m: ", short_text(w * h, 3), " cells of ", short_text(s.cell), " m; expected at most ",
            short_text(kMaxCells, 3));
    return {static_cast<int>(w), static_cast<int>(h), s.cell, low};
  }

  /// The cell of a point, or the nearest free one within a distance; of equal ones the first by row.
  std::optional<Cell> find_free(Point p, double distance) const {
    const Cell at = grid_.cell_of(p);
    if (grid_.is_free(at)) return at;
    const int reach = static_cast<int>(distance / grid_.resolution());
    std::optional<Cell> best;
    int least = reach * reach + 1;
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        const int squared = dx * dx + dy * dy;
        if (squared >= least || !grid_.is_free({at.x + dx, at.y + dy})) continue;
        least = squared;
        best = Cell{at.x + dx, at.y + dy};
      }
    }
    return best;
  }

  planning::GridPath search(Cell start, Cell goal) {
    changes_.clear();
    planning::GridSearch search(grid_);
    return search.find_path(start, goal);
  }

  planning::GridPath replan(Cell start, Cell goal) {
    if (!incremental_ || !(goal_ == goal)) {
      incremental_.emplace(grid_, start, goal);
      goal_ = goal;
    } else {
      incremental_->move_start(start);
      incremental_->set_blocked(changes_);
    }
    changes_.clear();
    return incremental_->plan();
  }

  GlobalSetup setup_;
  bool is_incremental_;
  OccupancyGrid grid_;                                // inflated
  OccupancyGrid seen_;                                // cells with obstacles in them
  std::vector<planning::DStarLite::Change> changes_;  // since the last plan
  std::optional<planning::DStarLite> incremental_;
  Cell goal_;
};

}  // namespace

std::unique_ptr<GlobalPlanner> make_global_planner(GlobalKind kind, const GlobalSetup& setup) {
  if (kind == GlobalKind::kNone) return std::make_unique<NoPlanner>();
  if (kind == GlobalKind::kLanes) return make_lane_planner(setup);
  return std::make_unique<GridPlanner>(setup, kind == GlobalKind::kDStarLite);
}

}  // namespace camber::autonomy
