#pragma once

#include <string>
#include <vector>

#include "bench/peers/spanning_tree.h"

namespace camber::bench {

/// A mechanism, and states of it that every engine is timed at.
struct MultibodyProblem {
  std::string name;  // "chain", "tree", "ladder"
  int n = 0;         // bodies, or loops
  multibody::Mechanism mechanism;
  SpanningTree tree;
  std::vector<PeerState> states;
};

MultibodyProblem make_chain_problem(int bodies, int states);
MultibodyProblem make_tree_problem(int bodies, int states);

/// Loops are closed in all states, positions to 1e-13 and speeds to rounding. Each closes by a ball
/// joint: with that the planar loop has one redundant equation, with a revolute joint three, and a
/// peer's user would leave those away.
MultibodyProblem make_ladder_problem(int loops, int states);

}  // namespace camber::bench
