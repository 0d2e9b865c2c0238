#include "camber/dynamics/standing_vehicle.h"

#include <algorithm>

namespace camber::dynamics {

namespace {

bool is_vertical(const Matrix6& gains) {
  Matrix6 rest = gains;
  rest(5, 5) = 0;
  return rest.isZero(0);
}

/// The corner whose wheel's center this holds with a vertical spring on the ground; -1: none.
int find_corner(const vehicle::VehicleMechanism& vehicle, const multibody::Bushing& bushing) {
  const auto corner = std::ranges::find_if(vehicle.corners, [&](const vehicle::Corner& c) {
    return c.carrier == bushing.b && c.points.wheel == bushing.X_BQ.translation();
  });
  const bool is_tire = corner != vehicle.corners.end() && bushing.a == multibody::kWorld &&
                       bushing.X_AP.linear().isIdentity(0) && is_vertical(bushing.stiffness) &&
                       is_vertical(bushing.damping);
  return is_tire ? static_cast<int>(corner - vehicle.corners.begin()) : -1;
}

vehicle::VehicleMechanism without_tires(vehicle::VehicleMechanism vehicle) {
  std::erase_if(vehicle.mechanism.bushings, [&](const multibody::Bushing& bushing) {
    return find_corner(vehicle, bushing) >= 0;
  });
  return vehicle;
}

}  // namespace

StandingVehicle::StandingVehicle(const vehicle::VehicleMechanism& vehicle,
                                 const mechanism_code::CompileOptions& options)
    : chassis_(without_tires(vehicle), options),
      tires_(vehicle.corners.size()),
      pushes_(vehicle.corners.size()),
      loads_(chassis_.wheel_count()) {
  find_tires(vehicle);
}

void StandingVehicle::find_tires(const vehicle::VehicleMechanism& vehicle) {
  for (const multibody::Bushing& bushing : vehicle.mechanism.bushings) {
    const int corner = find_corner(vehicle, bushing);
    if (corner >= 0)
      tires_[corner] = {bushing.X_AP.translation()[2], bushing.stiffness(5, 5),
                        bushing.damping(5, 5)};
  }
}

bool StandingVehicle::calc_accelerations(double t, std::span<const double> q,
                                         std::span<const double> v, std::span<double> v_dot) {
  if (!chassis_.calc_motion(t, q, v)) return false;
  for (std::size_t i = 0; i < tires_.size(); ++i) {
    const WheelMotion<double> wheel = chassis_.wheel(static_cast<int>(i));
    const Tire& tire = tires_[i];
    const double push = pushes_[i] - tire.stiffness * (wheel.center[2] - tire.height) -
                        tire.damping * wheel.velocity[2];
    loads_.wheels[i].force = Vec3<double>(0, 0, push);
  }
  return chassis_.calc_accelerations(loads_, v_dot);
}

integrate::MechanicalSystem StandingVehicle::make_system() {
  integrate::MechanicalSystem system;
  system.nq = chassis_.nq();
  system.nv = chassis_.nv();
  system.blocks = chassis_.blocks();
  system.accelerations = [this](double t, std::span<const double> q, std::span<const double> v,
                                std::span<double> v_dot) {
    return calc_accelerations(t, q, v, v_dot);
  };
  system.why = [this] { return chassis_.why(); };
  system.names = chassis_.names();
  return system;
}

}  // namespace camber::dynamics
