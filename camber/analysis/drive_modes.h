#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "camber/analysis/modes_analysis.h"
#include "camber/dynamics/steady_state.h"

namespace camber::analysis {

/// What to find out about a vehicle that drives.
struct DriveModesRequest {
  dynamics::SteadyRequest motion;
  std::optional<ModesRequest::Responses> responses;
};

/// The linear model of a vehicle about a steady state, its modes by name, and frequency responses.
///
/// A mode's name is that of the states with the largest participation in it: "yaw and sideslip",
/// "roll", "pitch", "bounce", "front hop" or "front tramp", "wheel spin", "tire lag", "steering",
/// "speed", "engine", ... Throws NoSteadyState; std::invalid_argument for an input or output that
/// there is not.
ModesAnalysis analyze_drive(dynamics::VehicleEquations* equations,
                            const DriveModesRequest& request);

/// Follows the modes over the speed, straight ahead or at one lateral acceleration; `equations_at`
/// makes the vehicle's equations at a speed.
ModesAnalysis::Sweep sweep_speed(
    const std::function<std::unique_ptr<dynamics::VehicleEquations>(double)>& equations_at,
    const dynamics::SteadyRequest& motion, const std::vector<double>& speeds);

}  // namespace camber::analysis
