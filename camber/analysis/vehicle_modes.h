#pragma once

#include "camber/analysis/modes_analysis.h"
#include "camber/vehicle/vehicle.h"

namespace camber::analysis {

/// The name of a mode in which no spring acts: the vehicle rolls, turns or spins its wheels.
inline constexpr const char* kRigidBodyMode = "rigid body";

/// Names the modes of a vehicle (ModesAnalysis::mode_names) after the parts that move, in the words
/// of vehicle dynamics:
///   "bounce", "pitch", "roll"     the body on its springs; "trailer roll" and so on
///   "front hop", "front tramp"    the wheels of an axle, in phase or in opposite phase
///   "steering", "steering wheel"  pitman or rack, and the wheel at the end of its column
///   kRigidBodyMode                neutral
/// The name is that of the motion with the largest participation. Other modes get the name of their
/// leading state.
void name_vehicle_modes(const vehicle::Vehicle& vehicle, ModesAnalysis* analysis);

}  // namespace camber::analysis
