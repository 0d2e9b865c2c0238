#pragma once

#include <span>
#include <string>

#include "camber/multibody/compile.h"
#include "camber/multibody/partition.h"

namespace camber::multibody {

/// The part of a mechanism that prevents computing its accelerations.
struct Blame {
  std::string text;     // for messages; empty: not known
  std::string element;  // MechanismError::element()
};

/// The coordinate that can be accelerated without a force: among all if `partition` is null, else
/// among the independent ones. q has the coordinates of the tree.
Blame find_without_inertia(const MechanismTree& mechanism, const Partition* partition,
                           const VectorX<double>& q);
/// The same if the inertia is only rounding error; empty if there is inertia.
Blame find_singular_inertia(const MechanismTree& mechanism, const Partition* partition,
                            const VectorX<double>& q);

/// A given motion without value (`driven`: speeds; `motions`: position, speed and acceleration of
/// each), a coordinate or speed that is NaN, or a spring without direction. The coordinates are
/// those of `model`: the tree's, or another model of the same mechanism.
Blame find_not_finite(const MechanismTree& mechanism, const Model<double>& model,
                      std::span<const int> driven, std::span<const double> motions,
                      const VectorX<double>& q, const VectorX<double>& v);

}  // namespace camber::multibody
