#pragma once

#include <span>
#include <string>

#include "camber/multibody/compile.h"
#include "camber/multibody/partition.h"

namespace camber::multibody {

/// Which part of a mechanism it is that leaves it without accelerations.
struct Blame {
  std::string text;     // for messages; empty: not known
  std::string element;  // MechanismError::element()
};

/// The coordinate that can be accelerated without a force: of all, where `partition` is null, or of
/// the independent ones, where loops carry the others along. q is of the tree.
Blame find_without_inertia(const MechanismTree& mechanism, const Partition* partition,
                           const VectorX<double>& q);
/// The same where inertia is left by rounding alone; empty where there is some.
Blame find_singular_inertia(const MechanismTree& mechanism, const Partition* partition,
                            const VectorX<double>& q);

/// A given motion without value (`driven`: speeds; `motions`: position, speed and acceleration of
/// each), a coordinate or speed that is no number, or a spring without direction. The coordinates
/// are of `model`, the tree's or another one of the same mechanism.
Blame find_not_finite(const MechanismTree& mechanism, const Model<double>& model,
                      std::span<const int> driven, std::span<const double> motions,
                      const VectorX<double>& q, const VectorX<double>& v);

}  // namespace camber::multibody
