#pragma once

#include <vector>

#include "camber/autonomy/driver.h"
#include "camber/autonomy/pilot.h"

namespace camber::autonomy {

/// A move to another lane along the curve of minimum jerk, from where the vehicle is at a time.
struct TimedLaneChange {
  double time = 0;      // at which it starts [s]
  double offset = 0;    // to the left [m]
  double duration = 0;  // at the initial speed [s]
};

/// A driver with lane changes that start at a time, wherever the vehicle is then.
class PathPilot : public Pilot {
 public:
  PathPilot(DriverSetup setup, std::vector<TimedLaneChange> changes = {});

  Command update(const VehicleView& view) override;
  void restart() override { driver_.restart(); }

  double sample_time() const override { return driver_.setup().sample_time; }
  const Path& path() const { return driver_.setup().path; }
  const PathFoot* foot() const override { return path().empty() ? nullptr : &driver_.foot(); }

  void save(StateWriter* out) const override;
  void restore(StateReader* in) override;

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
