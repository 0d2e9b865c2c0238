#pragma once

#include <string>
#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/kinematics.h"

namespace camber::multibody {

/// A loop equation that is not satisfied.
struct OpenRow {
  std::string name;
  double error = 0;  // [m] or [1]
  double share = 0;  // of the row's unit
};

struct AssemblyResult {
  bool assembled = true;
  int iterations = 0;
  double error = 0;           // largest of all rows, redundant ones included [m] or [1]
  std::vector<OpenRow> open;  // rows that remain open, the worst first
};

/// Closes all loops from a rough guess: changes all coordinates that are not driven, as little as
/// possible, by damped Gauss-Newton steps [Levenberg, Marquardt]; redundant equations are harmless.
/// `fixed` (one flag per speed, or empty) marks coordinates that should not change; they change
/// only if the loops cannot be closed otherwise.
AssemblyResult assemble(const MechanismTree& mechanism, const std::vector<bool>& fixed,
                        VectorX<double>* q);

/// Makes the speeds consistent with the loops: those flagged in `given` are kept, the others change
/// as little as possible. Returns false if the given ones contradict each other; then all change as
/// little as possible.
bool make_speeds_consistent(const MechanismTree& mechanism, const VectorX<double>& q,
                            const std::vector<bool>& given, VectorX<double>* v);

/// Largest error of all rows at q, and of their rates at v.
struct ConstraintErrors {
  double position = 0, speed = 0;
};
/// Max row error, over the row's unit, of a state that counts as closed: far above the residual of
/// closing, far below visible errors.
constexpr double kLargestRowError = 1e-8;

ConstraintErrors calc_constraint_errors(const Model<double>& model,
                                        const PositionKinematics<double>& pos,
                                        const VelocityKinematics<double>& vel,
                                        const VectorX<double>& q, const VectorX<double>& v);

}  // namespace camber::multibody
