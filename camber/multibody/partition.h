#pragma once

#include <string>
#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// The degrees of freedom of a mechanism at one configuration.
struct Mobility {
  int coordinates = 0;                 // speeds of the tree
  int constraints = 0;                 // rows
  int driven = 0;                      // speeds whose motion is given
  int degrees_of_freedom = 0;          // independent speeds
  std::vector<std::string> redundant;  // rows that follow from others
};

/// The trivial choice for a tree without loops: y is v without the driven speeds. With loops,
/// chooses so that Y1 is well conditioned at q: dependent speeds and rows by QR with pivoting;
/// speeds of quaternions become independent only if no other speed can. `named` lists speeds that
/// must be independent, by name. Throws std::invalid_argument if a name is unknown or the named
/// speeds cannot be independent.
Partition choose_partition(const MechanismTree& mechanism, const VectorX<double>& q,
                           const std::vector<std::string>& named, Mobility* mobility = nullptr);

/// Exchanges dependent speeds of clusters for independent ones until no entry of G is larger than
/// one, except for speeds of quaternions: the choice of largest determinant, found by exchanges
/// [Goreinov et al. 2010]. `loops` has G at q. Returns whether anything was exchanged. Clusters
/// with rolling wheels are not changed.
bool exchange_speeds(const MechanismTree& mechanism, const VectorX<double>& q,
                     const LoopKinematics<double>& loops, Partition* partition);

/// Chooses, among cluster c's equations between coordinates (redundant ones included), those that
/// are most independent of each other at q, as many as before and for the same dependent speeds.
/// Returns whether the choice has changed.
bool choose_rows_again(const MechanismTree& mechanism, const VectorX<double>& q, std::size_t c,
                       Partition* partition);

}  // namespace camber::multibody
