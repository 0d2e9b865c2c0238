#pragma once

#include "camber/autonomy/obstacle_map.h"

namespace camber::autonomy {

/// A map from LIDAR scans: heights of the points of each cell, and from them step, slope and
/// roughness as in GESTALT. docs/theory/autonomy.md, section 2.
class LidarMapper : public ObstacleMapper {
 public:
  explicit LidarMapper(const MapSetup& setup);

  void take(const Measurement& measurement, const PlacementTrack& track) override;
  void update(const Estimate& estimate) override;
  double roughness(planning::Point p) const override;

  /// Heights of the points of one cell.
  struct GroundCell {
    float min = 0, max = 0;  // [m]
    float mean = 0, m2 = 0;  // of the heights; sum of squared deviations from the mean
    float time = 0;          // of the last point [s]
    float high_time = 0;     // of the last point that stood out by half a step [s]
    std::uint16_t hits = 0;
    std::uint16_t high_hits = 0;  // of them, by points that stood out by half a step
  };
  const GroundCell& ground(planning::Cell c) const { return cells_[map_.index(c)]; }

  void save(StateWriter* out) const override;
  void restore(StateReader* in) override;

 private:
  void add_scan(const LidarScan& scan, const PlacementTrack& track);
  void place_points(const LidarScan& scan, const PlacementTrack& track);
  void align(planning::Point place);
  void add_point(planning::Cell c, float z, float time);
  void move_window(planning::Point place);
  void judge(planning::Cell c);
  void forget(double now, planning::Point place);

  /// A point of the current scan in the smooth frame.
  struct PlacedPoint {
    float x, y, z, time;  // from the window's low corner [m]; [s]
    std::int32_t cell_x, cell_y;
  };

  std::vector<GroundCell> cells_;
  std::vector<PlacedPoint> points_;
  std::vector<std::uint32_t> stamp_;     // of the scan that touched a cell last
  std::vector<planning::Cell> touched_;  // by the current scan
  std::uint32_t scan_ = 0;
  double scan_time_ = -1;  // end of the last scan [s]
  double offset_ = 0;      // of heights: what the alignments have added so far [m]
  double forgotten_ = 0;   // time of the last search for old obstacles [s]
  bool has_start_ = false;
};

}  // namespace camber::autonomy
