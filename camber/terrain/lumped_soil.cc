#include "camber/terrain/lumped_soil.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/terrain/soil_laws.h"

namespace camber::terrain {
namespace {

constexpr double kRigidShear = 2e-3;  // of a tire on rigid ground [m]

}  // namespace

LumpedSoil make_lumped_soil(const Soil& soil, const RigidWheel& wheel, const LumpedTire& tire,
                            double load) {
  require(tire.stiffness > 0, "make_lumped_soil: tire stiffness must be > 0 N/m, got ",
          tire.stiffness);
  LumpedSoil lumped{.stiffness = tire.stiffness,
                    .damping = tire.damping,
                    .radius = wheel.radius,
                    .width = wheel.width,
                    .rolling_resistance = tire.rolling_resistance,
                    .tire = tire};
  if (soil.law == PressureLaw::kRigid) {
    lumped.tan_phi = tire.friction;
    lumped.shear_modulus = kRigidShear;
    return lumped;
  }
  const auto sinkage = [&](double W) {
    const WheelOnSoil r = solve_wheel_load(wheel, soil, W, {});
    require(r.status == WheelOnSoil::Status::kOk, "\"", soil.name, "\" does not carry ",
            std::round(W), " N on a wheel of ", wheel.radius, " m radius and ", wheel.width,
            " m width: the wheel would sink to its hub");
    return r.forces.sinkage;
  };
  const double step = 0.01 * load;
  const double dz = sinkage(load + step) - sinkage(load - step);
  const double k_soil = 2 * step / std::max(dz, 1e-12);
  lumped.stiffness = 1 / (1 / tire.stiffness + 1 / k_soil);
  // A tire that is softer than the soil flattens: its pressure is no higher than on hard ground.
  const double k = soil_modulus(soil, wheel.width), b = wheel.width;
  const double chord = 2 * std::sqrt(2 * wheel.radius * load / tire.stiffness);
  const double depth = std::pow(load / (b * chord) / k, 1 / soil.n);
  const double flattened = b * k * std::pow(depth, soil.n + 1) / (soil.n + 1);
  const double round = exact_towed_wheel(k, soil.n, wheel.radius, b, load).resistance;
  lumped.rolling_resistance += kSurfaceResistance + std::min(flattened, round) / load;
  lumped.cohesion = soil.cohesion;
  lumped.tan_phi = std::tan(soil.friction_angle);
  lumped.shear_modulus = soil.shear_modulus;
  return lumped;
}

}  // namespace camber::terrain
