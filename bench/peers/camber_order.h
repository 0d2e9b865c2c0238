#pragma once

#include <vector>

#include "bench/peers/spanning_tree.h"
#include "camber/multibody/compile.h"

namespace camber::bench {

/// Between the order of SpanningTree, which the peers' states have, and that of a compiled
/// mechanism. The coordinates of a joint themselves are the same.
class CamberOrder {
 public:
  /// Both of the same mechanism; throws std::invalid_argument where the trees differ.
  CamberOrder(const SpanningTree& tree, const multibody::MechanismTree& compiled);

  PeerState to_camber(const PeerState& state) const;
  PeerState from_camber(const PeerState& state) const;
  VectorX<double> speeds_from_camber(const VectorX<double>& v) const;

 private:
  std::vector<int> q_, v_;  // camber's place of each entry
};

}  // namespace camber::bench
