#pragma once

#include <vector>

#include "camber/autonomy/driver.h"
#include "camber/core/state_buffer.h"

namespace camber::autonomy {

/// A move to another lane along the curve of minimum jerk, from where the vehicle is at a time.
struct TimedLaneChange {
  double time = 0;      // at which it starts [s]
  double offset = 0;    // to the left [m]
  double duration = 0;  // at the initial speed [s]
};

/// A driver with lane changes that start at a time, wherever the vehicle is then.
class Pilot {
 public:
  Pilot(DriverSetup setup, std::vector<TimedLaneChange> changes = {});

  Command update(const VehicleView& view);
  /// Starts anew, from where the vehicle is: after somebody else drove.
  void restart() { driver_.restart(); }

  double sample_time() const { return driver_.setup().sample_time; }
  bool has_path() const { return !driver_.setup().path.empty(); }
  const Path& path() const { return driver_.setup().path; }
  /// Where the vehicle is on the path, as of the last update.
  const PathFoot& foot() const { return driver_.foot(); }

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  /// A change that has started: where, along what, over which distance.
  struct Started {
    double x, y, heading, length, offset;
  };

  void start_change(const VehicleView& view);
  static Path make_path(const Started& change);

  std::vector<TimedLaneChange> changes_;  // by time
  std::vector<Started> started_;
  Driver driver_;
};

}  // namespace camber::autonomy
