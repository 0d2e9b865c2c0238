#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/peers/spanning_tree.h"

namespace camber::bench {

/// One engine at one mechanism, ready to be timed at states that were prepared.
struct Contestant {
  std::string engine;  // "camber ce", "mujoco"
  int lanes = 1;       // mechanisms in one evaluation
  /// From coordinates and speeds to accelerations, nothing kept from the evaluation before.
  std::function<void(int state)> evaluate;
  /// The same without an engine's approximations, where it makes any; else empty.
  std::function<void(int state)> evaluate_exactly;
  /// Accelerations of the last evaluation, of the first lane, in the order of SpanningTree.
  std::function<VectorX<double>()> accelerations;
};

/// Median seconds of one evaluation of one mechanism, and all rounds.
struct Timing {
  std::vector<double> rounds;
  double seconds = 0;
};

struct RaceOptions {
  int rounds = 21;
  double batch_seconds = 2e-3;  // of one contestant in one round
  int states = 8;               // in turn, so that no branch predictor knows the way
};

/// Round by round all contestants, each for a batch, so that what else the machine does hits all of
/// them; each round starts with another one.
std::vector<Timing> race(const std::vector<Contestant>& contestants, const RaceOptions& options);

/// How many times longer a takes than b: the median over the rounds.
double median_ratio(const Timing& a, const Timing& b);

}  // namespace camber::bench
