#pragma once

#include "camber/dynamics/single_track.h"
#include "camber/dynamics/vehicle_equations.h"

namespace camber::dynamics {

struct SingleTrackEquationsSetup {
  double speed = 0;           // where it starts, rolling straight ahead [m/s]
  double steering_ratio = 1;  // angle of the steering wheel over that of the wheels
  double friction = 1;        // factor on that of the tires
  bool is_low_range = false;
};

/// The equations of a single track. States: forward and lateral speed, yaw rate, engine, brakes.
class SingleTrackEquations final : public VehicleEquations {
 public:
  SingleTrackEquations(const SingleTrack& vehicle, const SingleTrackEquationsSetup& setup);

  bool calc(std::span<const double> x, std::span<const double> u, std::span<double> x_dot,
            std::span<double> y) override;

 private:
  SingleTrack vehicle_;
  SingleTrackEquationsSetup setup_;
};

}  // namespace camber::dynamics
