#pragma once

#include <string>
#include <vector>

#include "camber/mechanism_code/families.h"
#include "camber/mechanism_code/fingerprint.h"
#include "camber/mechanism_code/sketch.h"
#include "camber/mechanism_code/vehicle_program.h"

namespace camber::mechanism_code {

/// What can be known of a vehicle's code without deriving it. The equations are traced with
/// fingerprints in place of expressions, which takes 1/100 of the time of a derivation.
///
/// The structure is everything that the code depends on: bodies, joints and their order, kinds of
/// laws and the sizes of their tables, and which constants are 0, 1 or -1. Masses, hardpoints,
/// rates and other values are parameters.
class VehicleSurvey {
 public:
  /// Throws what generate() throws for a mechanism that cannot be generated.
  explicit VehicleSurvey(const multibody::Mechanism& mechanism);
  explicit VehicleSurvey(const multibody::MechanismDynamics& dynamics,
                         Wrenches wrenches = Wrenches::kTraced);

  /// The key of the structure: equal for two vehicles only if generate() gives the same code for
  /// both, up to their names.
  const std::string& structure() const { return structure_; }

  /// The vehicle's layout, with its parameters, for code of its structure. `plan` is that of the
  /// code. Equal to what generate() gives, bit for bit.
  VehicleLayout lay_out(const ParameterPlan& plan) const;

 private:
  void find_structure(const std::vector<Family>& families);
  std::vector<double> base_constants() const;

  Sketch sketch_;
  std::vector<TracedGroup<Fingerprint>> groups_;  // as those of the sketch
  std::string structure_;
};

}  // namespace camber::mechanism_code
