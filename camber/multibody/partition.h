#pragma once

#include <string>
#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

/// What the equations of a mechanism leave free, at one configuration.
struct Mobility {
  int coordinates = 0;                 // speeds of the tree
  int constraints = 0;                 // rows
  int driven = 0;                      // speeds whose motion is given
  int degrees_of_freedom = 0;          // independent speeds
  std::vector<std::string> redundant;  // rows that follow from others
};

/// The trivial choice for a tree without loops: y is v without the driven speeds.
/// With loops, chooses so that Y1 is well conditioned at q: dependent speeds and rows by QR with
/// pivoting; speeds of quaternions become independent only where nothing else can. `named` are
/// speeds that have to be independent, by their names. Throws std::invalid_argument where a name is
/// unknown or the named speeds cannot be independent.
Partition choose_partition(const MechanismTree& mechanism, const VectorX<double>& q,
                           const std::vector<std::string>& named, Mobility* mobility = nullptr);

/// Exchanges dependent speeds of clusters for independent ones until no entry of G is larger than
/// one, as far as the other speed belongs to no quaternion: the choice of largest determinant,
/// reached by exchanges [Goreinov et al. 2010]. `loops` has G at q. Says whether anything was
/// exchanged. Clusters with rolling wheels stay as they are.
bool exchange_speeds(const MechanismTree& mechanism, const VectorX<double>& q,
                     const LoopKinematics<double>& loops, Partition* partition);

/// Of cluster c's equations between coordinates, redundant ones included, takes those that depend
/// on each other least at q, as many as there were, for the dependent speeds that there are. Says
/// whether they are others than before.
bool choose_rows_again(const MechanismTree& mechanism, const VectorX<double>& q, std::size_t c,
                       Partition* partition);

}  // namespace camber::multibody
