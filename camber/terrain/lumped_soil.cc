#include "camber/terrain/lumped_soil.h"

#include <algorithm>

#include "camber/core/require.h"

namespace camber::terrain {

LumpedSoil make_lumped_soil(const Soil& soil, const RigidWheel& wheel, double tire_stiffness,
                            double load, double damping) {
  require(tire_stiffness > 0, "make_lumped_soil: tire stiffness must be > 0 N/m, got ",
          tire_stiffness);
  const auto sinkage = [&](double W) {
    const WheelOnSoil r = solve_wheel_load(wheel, soil, W, {});
    require(r.status == WheelOnSoil::Status::kOk, "make_lumped_soil: the wheel bottoms in \"",
            soil.name, "\" under ", W, " N");
    return r.forces.sinkage;
  };
  const double step = 0.01 * load;
  const double dz = sinkage(load + step) - sinkage(load - step);
  const double k_soil = 2 * step / std::max(dz, 1e-12);
  LumpedSoil lumped;
  lumped.stiffness = 1 / (1 / tire_stiffness + 1 / k_soil);
  lumped.damping = damping;
  lumped.cohesion = soil.cohesion;
  lumped.tan_phi = std::tan(soil.friction_angle);
  lumped.shear_modulus = soil.shear_modulus;
  lumped.radius = wheel.radius;
  lumped.width = wheel.width;
  return lumped;
}

}  // namespace camber::terrain
