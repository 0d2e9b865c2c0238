#pragma once

#include "camber/autonomy/preview.h"
#include "camber/dynamics/steady_state.h"

namespace camber::dynamics {

/// Straight ahead at a speed: from the linear model of a vehicle, what a driver by preview has to know
/// of it (docs/theory/drivers.md, section 8). `steering_ratio`: angle of the steering wheel per angle
/// that the driver asks for. Changes cornering stiffnesses, lag and steer_gain of `figures`, which
/// has all else, and its horizon if it asks for that. Throws std::invalid_argument if the vehicle does not answer its steering, or
/// if no horizon up to 1.5 s follows a path well.
autonomy::PreviewFigures tune_preview(const LinearVehicle& linear, double speed,
                                      double steering_ratio,
                                      const autonomy::PreviewFigures& figures);

}  // namespace camber::dynamics
