#pragma once

// Obstacles as a local map in the smooth frame: a window of cells about the vehicle that moves with
// it. Cells are blocked or not, and seen or not; a cell that was not seen is not free.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "camber/autonomy/measurement.h"
#include "camber/autonomy/mover_tracker.h"
#include "camber/autonomy/state_estimator.h"
#include "camber/planning/grid_obstacles.h"

namespace camber::autonomy {

enum class MapKind { kTruth, kLidar };
inline constexpr std::string_view kMapWords[] = {"truth", "lidar"};

/// The true ground of a simulator, in the world's frame.
struct TrueGround {
  /// Height of the ground [m].
  std::function<double(double x, double y)> height;
  /// Outlines of all objects in a box on the ground: trunks, posts, walls, cars.
  std::function<std::vector<planning::Polygon>(planning::Point low, planning::Point high)> things;
  /// What moves by itself; empty: nothing does.
  std::function<std::vector<Mover>(double time)> movers = {};
};

struct MapSetup {
  double cell = 0.25;        // [m]
  double size = 80;          // side of the window [m]
  double step_height = 0.1;  // that counts as an obstacle [m]
  double max_slope = 0.5;    // rise over run over three cells
  double height = 2.2;       // of the vehicle with a margin: what is higher does not count [m]
  double decay = 20;  // after which an obstacle far away that is not seen again is forgotten [s]
  double near = 12;   // about the vehicle, nothing is forgotten [m]
  double start_radius = 12;         // about the start that counts as seen and free [m]
  double silence = 0.5;             // after which a sensor counts as silent [s]
  planning::Footprint body;         // of the vehicle about the point midway between its axles
  double wheelbase = 0, track = 0;  // of the ground plane under the wheels [m]
};

/// The window. Cells are numbered from the smooth frame's origin.
class LocalMap {
 public:
  explicit LocalMap(const MapSetup& setup);

  int cells() const { return cells_; }  // along a side
  double cell() const { return cell_; }
  const planning::GridObstacles& obstacles() const { return obstacles_; }
  bool is_seen(planning::Cell c) const { return seen_[index(c)] != 0; }
  /// is_seen() of row y, from column 0 on.
  const std::uint8_t* seen_row(int y) const { return &seen_[index({0, y})]; }
  bool is_inside(planning::Cell c) const {
    return c.x >= 0 && c.y >= 0 && c.x < cells_ && c.y < cells_;
  }
  planning::Cell cell_of(planning::Point p) const { return obstacles_.grid().cell_of(p); }
  std::size_t index(planning::Cell c) const {
    return static_cast<std::size_t>(c.y) * static_cast<std::size_t>(cells_) +
           static_cast<std::size_t>(c.x);
  }
  /// First column and row of the window, counted from the smooth frame's origin.
  planning::Cell first() const { return first_; }

  void set_blocked(planning::Cell c, bool blocked) { obstacles_.set_blocked(c, blocked); }
  void set_seen(planning::Cell c, bool seen) { seen_[index(c)] = seen ? 1 : 0; }
  /// The cells up to `reach` columns and rows from c, as far as they are in the window.
  void set_seen_around(planning::Cell c, int reach) {
    const int x0 = std::max(c.x - reach, 0), x1 = std::min(c.x + reach, cells_ - 1);
    const int y0 = std::max(c.y - reach, 0), y1 = std::min(c.y + reach, cells_ - 1);
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) seen_[index({x, y})] = 1;
  }
  void commit() { obstacles_.commit(); }

  /// Moves the window by whole cells if the position is more than a fifth of its side from its
  /// middle: cells that leave it are lost, new ones are neither blocked nor seen. True if it has
  /// moved, then by `shift` cells.
  bool follow(planning::Point place, planning::Cell* shift);

  /// How far ahead a path is seen: the first length at which a cell below it was not.
  bool is_seen_at(planning::Point p) const {
    const planning::Cell c = cell_of(p);
    return is_inside(c) && is_seen(c);
  }

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  planning::OccupancyGrid make_grid() const;

  int cells_;
  double cell_;
  planning::Cell first_;
  planning::GridObstacles obstacles_;
  std::vector<std::uint8_t> seen_;
};

class ObstacleMapper {
 public:
  virtual ~ObstacleMapper() = default;

  virtual void take(const Measurement&, const PlacementTrack&) {}
  /// Brings the map to the time of an estimate.
  virtual void update(const Estimate& estimate) = 0;
  const LocalMap& map() const { return map_; }
  /// Why it must not be used for driving; empty if it may.
  const std::string& problem() const { return problem_; }
  /// Rms roughness below a point, relative to the mean slope [m]; 0 if unknown.
  virtual double roughness(planning::Point) const { return 0; }

  virtual void save(StateWriter* out) const = 0;
  virtual void restore(StateReader* in) = 0;

 protected:
  explicit ObstacleMapper(const MapSetup& setup) : setup_(setup), map_(setup) {}

  MapSetup setup_;
  LocalMap map_;
  std::string problem_;
};

/// `ground` is for maps from the truth.
std::unique_ptr<ObstacleMapper> make_mapper(MapKind kind, const MapSetup& setup,
                                            const TrueGround& ground);

}  // namespace camber::autonomy
