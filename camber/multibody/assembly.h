#pragma once

#include <string>
#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/kinematics.h"

namespace camber::multibody {

/// A loop's equation that is not met.
struct OpenRow {
  std::string name;
  double error = 0;  // [m] or [1]
  double share = 0;  // of the row's unit
};

struct AssemblyResult {
  bool assembled = true;
  int iterations = 0;
  double error = 0;           // largest of all rows, redundant ones included [m] or [1]
  std::vector<OpenRow> open;  // those that stay open, the worst first
};

/// Closes all loops from a rough guess: moves all coordinates that are not driven, as little as it
/// takes, by damped Gauss-Newton steps [Levenberg, Marquardt]; redundant equations do no harm.
/// `fixed` (one flag per speed, or empty) are coordinates that should stay where they are; they
/// move only if the loops cannot be closed without.
AssemblyResult assemble(const MechanismTree& mechanism, const std::vector<bool>& fixed,
                        VectorX<double>* q);

/// Makes the speeds fit the loops: those flagged in `given` stay, the others change as little as it
/// takes. False where the given ones contradict each other; then all change as little as it takes.
bool make_speeds_consistent(const MechanismTree& mechanism, const VectorX<double>& q,
                            const std::vector<bool>& given, VectorX<double>* v);

/// Largest error of all rows at q, and of their rates at v.
struct ConstraintErrors {
  double position = 0, speed = 0;
};
/// Of rows in a state that counts as closed, over their units: far above what closing leaves, far
/// below what shows.
constexpr double kLargestRowError = 1e-8;

ConstraintErrors calc_constraint_errors(const Model<double>& model,
                                        const PositionKinematics<double>& pos,
                                        const VelocityKinematics<double>& vel,
                                        const VectorX<double>& q, const VectorX<double>& v);

}  // namespace camber::multibody
