#pragma once

// What moves: from the objects that radars report to places and velocities in the smooth frame.

#include <array>
#include <vector>

#include "camber/autonomy/measurement.h"
#include "camber/autonomy/state_estimator.h"

namespace camber::autonomy {

/// Something that moves on the ground.
struct Mover {
  planning::Point at;     // in the smooth frame [m]
  double vx = 0, vy = 0;  // [m/s]
  double radius = 1.5;    // of what it covers about `at` [m]

  double speed() const { return std::hypot(vx, vy); }
  planning::Point after(double time) const { return {at.x + time * vx, at.y + time * vy}; }
};

/// Tracks of objects that move over ground, by Kalman filters of place and velocity. A radar measures
/// the velocity along its line of sight, which tells what moves from what stands at first sight; the
/// one across follows from places. Objects of LIDAR maps are not needed. docs/theory/autonomy.md,
/// section 7.
class MoverTracker {
 public:
  void take(const RadarScan& scan, const PlacementTrack& track);
  /// Forgets what was not seen for long, and lists what moves at a time.
  void update(double time);
  /// As of the last update().
  const std::vector<Mover>& movers() const { return movers_; }
  /// For movers that somebody else knows.
  void set_movers(std::vector<Mover> movers) { movers_ = std::move(movers); }

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  struct Track {
    double time = 0, seen = 0;  // of the state, of the last detection [s]
    std::array<double, 4> x{};  // place, velocity
    std::array<std::array<double, 4>, 4> P{};
    int hits = 0;
  };
  static void predict(double time, Track* track);
  static void correct(const std::array<double, 4>& H, double innovation, double variance,
                      Track* track);

  std::vector<Track> tracks_;
  std::vector<Mover> movers_;
};

}  // namespace camber::autonomy
