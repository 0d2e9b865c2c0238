#pragma once

// Mechanisms of any size for tests and benchmarks. Values are general (no zeros, no unit masses, no
// aligned axes) and the same on every platform for the same arguments.

#include <cstdint>
#include <vector>

#include "camber/multibody/mechanism.h"

namespace camber::multibody {

/// n bodies, each attached to the previous one by a revolute joint, the first to the world.
Mechanism make_chain(int n, std::uint64_t seed);

/// n bodies with revolute joints; bodies 2 i and 2 i + 1 are attached to body i, body 1 to the
/// world.
Mechanism make_binary_tree(int n, std::uint64_t seed);

/// The type of the pin that closes each loop of a ladder.
enum class LadderPin {
  kRevolute,   // as in practice: 3 of its 5 constraints are redundant in a planar loop
  kSpherical,  // 1 of its 3 is redundant
};

/// n four-bar linkages stacked in the x-z plane, 3 n bodies: the coupler of one carries the next.
/// Each loop adds one degree of freedom, its crank "crank3" (q = angle from the carrier's x axis);
/// "pin3" closes it, and closes it exactly in the initial configuration.
Mechanism make_four_bar_ladder(int n, LadderPin pin = LadderPin::kRevolute);

struct RandomTreeOptions {
  int bodies = 0;                     // 0: from 1 to 20
  std::vector<JointType> types = {};  // to choose from; empty: every type
  bool with_forces = false;           // joint springs, stops, friction; springs, bushings, wrenches
};

/// A tree (or a forest: several bodies may be attached to the world) with random frames, masses,
/// inertias, gravity, and a random state in q0 and v0. Of n bodies at least the first min(n, types)
/// joints have different types, so that ten or more bodies have a joint of every type.
Mechanism make_random_tree(std::uint64_t seed, const RandomTreeOptions& options = {});

}  // namespace camber::multibody
