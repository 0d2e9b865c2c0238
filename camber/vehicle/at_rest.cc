// At the requested travel the spring has to make up for what the ground pushes beyond springs and
// weights, N = N_s - ..., on a wheel that it lifts by its ratio i = -dL/dz (rig_measuring.cc):
//   dT = -(N - N_rig) / i                                                        (1)
// is how much its tension T has to change, and dL_0 = -dT / k its free length. N is the load at rest,
// which depends on the travel by the pitch of the body alone: the rest is found by Newton's method
// with the wheel rate c, from how far the vehicle is from the travel,
//   dT = -c (z - z_requested) / i.                                               (2)
// The wheel's axis a in the vehicle's frame is R a_0, with R the carrier's rotation from the design
// position: a_0 = R^T a gives camber and toe there.
#include "camber/vehicle/at_rest.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/vehicle/rig_sweep.h"

namespace camber::vehicle {

namespace {

constexpr double kTolerance = 1e-9;  // [m] of travel
constexpr int kMost = 30;            // rounds

/// The left corner of an axle, or its only one.
std::size_t corner_of(const Vehicle& vehicle, std::size_t axle) {
  std::size_t corner = 0;
  for (std::size_t i = 0; i < axle; ++i) corner += vehicle.axles[i].is_mirrored ? 2 : 1;
  return corner;
}

/// Both wheels of an axle to its travel.
void lift(const Vehicle& vehicle, std::size_t axle, Rig* rig) {
  const std::size_t first = corner_of(vehicle, axle);
  const double travel = vehicle.axles[axle].at_rest->travel;
  const std::size_t wheels = vehicle.axles[axle].is_mirrored ? 2 : 1;
  for (std::size_t k = first; k < first + wheels; ++k) {
    if (rig->lift(static_cast<int>(k), travel)) continue;
    throw std::invalid_argument(concat("axles.", vehicle.axles[axle].name,
                                       ".at_rest.travel: out of reach; the suspension ends at ",
                                       short_text(rig->travel(static_cast<int>(k)), 4), " m"));
  }
}

/// Changes the tension of a spring at all lengths.
void add_tension(double tension, Spring* spring) {
  if (spring->stiffness > 0) {
    spring->free_length -= tension / spring->stiffness;
  } else {
    spring->preload += tension;
  }
}

Standing require_standing(const Vehicle& vehicle) {
  for (const Axle& axle : vehicle.axles)
    if (!(axle.wheel.vertical_stiffness > 0))
      throw std::invalid_argument(concat("axles.", axle.name, ".at_rest: axles.", axle.name,
                                         ".wheel.vertical_stiffness must be > 0 N/m"));
  const std::optional<Standing> standing = find_standing(vehicle);
  if (!standing)
    throw std::invalid_argument(
        "axles: no equilibrium of springs and tires is found, which at_rest "
        "needs");
  return *standing;
}

void adjust_springs(Vehicle* vehicle) {
  for (int round = 0;; ++round) {
    const Standing standing = require_standing(*vehicle);
    Rig rig(*vehicle);
    for (std::size_t i = 0; i < vehicle->axles.size(); ++i)
      if (vehicle->axles[i].at_rest) lift(*vehicle, i, &rig);
    const RigState state = rig.measure();
    double largest = 0;
    for (std::size_t i = 0; i < vehicle->axles.size(); ++i) {
      Axle& axle = vehicle->axles[i];
      if (!axle.at_rest) continue;
      const std::size_t left = corner_of(*vehicle, i), right = left + (axle.is_mirrored ? 1 : 0);
      const WheelState& wheel = state.wheels[left];
      const double travel = 0.5 * (standing.travel[left] + standing.travel[right]);
      const double load = 0.5 * (standing.load[left] + standing.load[right]);
      const double off = travel - axle.at_rest->travel;
      largest = std::max(largest, std::abs(off));
      if (std::abs(wheel.spring_ratio) < 1e-3)
        throw std::invalid_argument(
            concat("axles.", axle.name, ".at_rest: the spring does not move with the wheel"));
      const double push = round == 0 ? load - wheel.load : wheel.rate * off;  // (1), (2)
      if (std::abs(off) > kTolerance) add_tension(-push / wheel.spring_ratio, &axle.spring);
      if (axle.spring.stiffness > 0 && !(axle.spring.free_length > 0))
        throw std::invalid_argument(
            concat("axles.", axle.name, ".at_rest.travel: the spring would need a free length of ",
                   short_text(axle.spring.free_length, 4), " m"));
    }
    if (largest <= kTolerance) return;
    if (round == kMost)
      throw std::invalid_argument(concat("axles: the springs come no nearer than ",
                                         short_text(largest, 3), " m to at_rest"));
  }
}

void align(Vehicle* vehicle) {
  Rig rig(*vehicle);
  for (std::size_t i = 0; i < vehicle->axles.size(); ++i)
    if (vehicle->axles[i].at_rest) lift(*vehicle, i, &rig);
  multibody::PositionKinematics<double> pos(rig.dynamics().model());
  calc_position_kinematics(rig.dynamics().model(), rig.q(), &pos);
  const RigState state = rig.measure();
  for (std::size_t i = 0; i < vehicle->axles.size(); ++i) {
    Axle& axle = vehicle->axles[i];
    if (!axle.at_rest) continue;
    const std::size_t left = corner_of(*vehicle, i);
    const double camber = axle.at_rest->camber.value_or(state.wheels[left].camber),
                 toe = axle.at_rest->toe.value_or(state.wheels[left].toe);
    const Vector3 axis(std::sin(toe) * std::cos(camber), std::cos(toe) * std::cos(camber),
                       -std::sin(camber));
    const Corner& corner = rig.corners()[left];
    const auto R = calc_body_pose(rig.dynamics().model(), pos, corner.carrier).R_WB;
    const Vector3 design = multibody::to_eigen(R).transpose() * axis;
    axle.wheel.camber = -std::asin(std::clamp(design[2], -1.0, 1.0));
    axle.wheel.toe = std::atan2(design[0], design[1]);
  }
}

}  // namespace

void adjust_to_rest(Vehicle* vehicle) {
  if (std::ranges::none_of(vehicle->axles,
                           [](const Axle& axle) { return axle.at_rest.has_value(); }))
    return;
  adjust_springs(vehicle);
  align(vehicle);
}

}  // namespace camber::vehicle
