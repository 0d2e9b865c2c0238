#include "camber/autonomy/global_planner.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "camber/autonomy/lane_planner.h"
#include "camber/autonomy/ompl_path.h"
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
  void observe(const LocalMap&, const std::vector<Mover>&) override {}
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
  GridPlanner(const GlobalSetup& setup, GlobalKind kind)
      : setup_(setup), kind_(kind), grid_(make_grid(setup)), seen_(grid_) {}

  void observe(const LocalMap& map, const std::vector<Mover>& movers) override {
    const OccupancyGrid& fine = map.obstacles().grid();
    const planning::DistanceField& field = map.obstacles().field();
    const Point low = fine.origin(), high{low.x + fine.width() * fine.resolution(),
                                          low.y + fine.height() * fine.resolution()};
    const Cell a = grid_.cell_of(low), b = grid_.cell_of(high);
    // From center to edge of the nearest blocked cell. Distances are roots of whole numbers.
    const double least = setup_.radius + 0.5 * fine.resolution();
    std::int32_t least_squared = 0;
    while (fine.resolution() * std::sqrt(least_squared) < least) ++least_squared;
    const int x0 = std::max(a.x, 0), x1 = std::min(b.x, grid_.width() - 1);
    columns_.clear();
    for (int x = x0; x <= x1; ++x) columns_.push_back(fine.cell_of(grid_.center({x, 0})).x);
    for (int y = std::max(a.y, 0); y <= std::min(b.y, grid_.height() - 1); ++y) {
      const int row = fine.cell_of(grid_.center({0, y})).y;
      if (row < 0 || row >= fine.height()) continue;
      const std::int32_t* squared = field.squared_row(row);
      const std::uint8_t* is_seen = map.seen_row(row);
      for (int x = x0; x <= x1; ++x) {
        const int column = columns_[static_cast<std::size_t>(x - x0)];
        if (column < 0 || column >= fine.width() || is_seen[column] == 0) continue;
        const bool is_blocked = squared[column] < least_squared;
        if (is_blocked && is_of_mover(movers, grid_.center({x, y}))) continue;
        if (squared[column] == 0) seen_.set_blocked({x, y}, true);
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
    if (kind_ == GlobalKind::kOmpl) return sample(*start, *end, from, goal);
    const planning::GridPath path =
        kind_ == GlobalKind::kDStarLite ? replan(*start, *end) : search(*start, *end);
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
    out->write(static_cast<double>(samplings_));
    std::vector<double> kept;
    for (const Point& p : sampled_) kept.insert(kept.end(), {p.x, p.y});
    out->write_list(kept);
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
    samplings_ = static_cast<std::uint64_t>(in->read());
    sampled_.clear();
    const std::vector<double> kept = in->read_list();
    for (std::size_t i = 0; i + 1 < kept.size(); i += 2) sampled_.push_back({kept[i], kept[i + 1]});
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
  /// Where something moves, or was a moment ago: a map forgets it only after a while.
  bool is_of_mover(const std::vector<Mover>& movers, Point p) const {
    constexpr double kTrail = 2;  // [s]
    return std::ranges::any_of(movers, [&](const Mover& mover) {
      const double dx = p.x - mover.at.x, dy = p.y - mover.at.y;
      const double squared = mover.vx * mover.vx + mover.vy * mover.vy;
      const double back = std::clamp(-(dx * mover.vx + dy * mover.vy) / squared, 0.0, kTrail);
      return std::hypot(dx + back * mover.vx, dy + back * mover.vy) <
             mover.radius + setup_.radius + 1;
    });
  }

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

  /// A sampled path is kept for as long as it is free, leads to the goal, and the vehicle is near it:
  /// the next one might pass on the other side of everything.
  GlobalPath sample(Cell start, Cell end, Point from, Point goal) {
    constexpr double kBeside = 8, kMoved = 1, kSpacing = 1;  // [m]
    constexpr int kIterations = 20'000;
    changes_.clear();
    std::size_t nearest = 0;
    double least = INFINITY;
    for (std::size_t k = 0; k < sampled_.size(); ++k) {
      const double d = std::hypot(sampled_[k].x - from.x, sampled_[k].y - from.y);
      if (d < least) least = d, nearest = k;
    }
    bool is_good = !sampled_.empty() && least < kBeside &&
                   std::hypot(sampled_.back().x - goal.x, sampled_.back().y - goal.y) < kMoved;
    for (std::size_t k = nearest + 1; is_good && k + 1 < sampled_.size(); ++k)
      is_good = grid_.is_free(grid_.cell_of(sampled_[k]));
    if (!is_good) {
      sampled_ = find_ompl_path(grid_, grid_.center(start), grid_.center(end), kSpacing,
                                static_cast<std::uint32_t>(setup_.seed * 1'000'003 + ++samplings_),
                                kIterations);
      nearest = 0;
    }
    GlobalPath result;
    if (sampled_.empty()) {
      result.problem = "OMPL finds no way to the goal";
      return result;
    }
    result.is_found = true;
    result.points.assign(sampled_.begin() + static_cast<std::ptrdiff_t>(nearest), sampled_.end());
    result.points.back() = goal;
    for (std::size_t k = 1; k < result.points.size(); ++k)
      result.length += std::hypot(result.points[k].x - result.points[k - 1].x,
                                  result.points[k].y - result.points[k - 1].y);
    return result;
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
  GlobalKind kind_;
  OccupancyGrid grid_;                                // inflated
  OccupancyGrid seen_;                                // cells with obstacles in them
  std::vector<planning::DStarLite::Change> changes_;  // since the last plan
  std::vector<int> columns_;                          // scratch of observe()
  std::optional<planning::DStarLite> incremental_;
  Cell goal_;
  std::vector<Point> sampled_;  // path by OMPL
  std::uint64_t samplings_ = 0;
};

}  // namespace

std::unique_ptr<GlobalPlanner> make_global_planner(GlobalKind kind, const GlobalSetup& setup) {
  if (kind == GlobalKind::kNone) return std::make_unique<NoPlanner>();
  if (kind == GlobalKind::kLanes) return make_lane_planner(setup);
  require(kind != GlobalKind::kOmpl || has_ompl(),
          "global = \"ompl\": this build of camber has no OMPL; install libompl-dev and configure "
          "with -DCAMBER_OMPL=ON");
  return std::make_unique<GridPlanner>(setup, kind);
}

}  // namespace camber::autonomy
