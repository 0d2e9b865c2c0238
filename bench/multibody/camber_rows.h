#pragma once

// camber's side of the comparison. Each is empty where camber has not got it.

#include <optional>

#include "bench/multibody/contestant.h"
#include "bench/multibody/problems.h"

namespace camber::bench {

/// The recursion on a tree, in doubles.
std::optional<Contestant> make_camber_tree(const MultibodyProblem& problem);

/// The same in as many lanes as one register has: 8 with AVX-512, else 4. Lane i is at the i-th
/// state after the one that is asked for.
std::optional<Contestant> make_camber_lanes(const MultibodyProblem& problem);

/// A mechanism with loops, by constraint embedding ("ce"), with the tree and multipliers ("ta"), or
/// with all bodies free and all joints as constraints ("fa").
std::optional<Contestant> make_camber_loops(const MultibodyProblem& problem,
                                            const std::string& formulation);

}  // namespace camber::bench
