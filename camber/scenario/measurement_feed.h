#pragma once

#include <memory>
#include <vector>

#include "camber/autonomy/pilot.h"
#include "camber/sensors/suite.h"

namespace camber::scenario {

/// Data of the vehicle that carries the sensors.
struct FeedSetup {
  /// From the point midway between the axles on the ground to the origin of the vehicle's frame, in
  /// its axes [m].
  math::Vec3<double> origin;
  double steering_ratio = 1;  // of the steering wheel over the front wheels
  double rolling_radius = 0;  // [m]
};

/// Passes the samples of sensors to a pilot, each when it arrives, in the pilot's own types.
class MeasurementFeed {
 public:
  explicit MeasurementFeed(const FeedSetup& setup) : setup_(setup) {}

  /// All samples that have arrived by `now` and were not passed yet, sensor after sensor.
  void deliver(const sensors::SensorSuite& sensors, double now, autonomy::Pilot* pilot);

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  void hand_over(const sensors::Sensor& sensor, const sensors::Sample& sample,
                 autonomy::Pilot* pilot);

  FeedSetup setup_;
  std::vector<long> last_;  // numbers of the samples that were handed over, per sensor
  autonomy::Measurement scan_ = autonomy::LidarScan{};  // keeps its memory
};

}  // namespace camber::scenario
