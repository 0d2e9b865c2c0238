#pragma once

// A camber mechanism as a Simbody system, for tests and benchmarks. Every joint of a tree is one of
// Simbody's mobilizers; loops close by its constraints, whose multipliers it finds exactly.

#include <memory>
#include <string>

#include "bench/peers/spanning_tree.h"

namespace camber::bench {

class SimbodyMechanism {
 public:
  /// Throws std::invalid_argument for what Simbody has not got or not alike: rolling, bushings,
  /// tables, preloads, friction, stops, prescribed motion.
  explicit SimbodyMechanism(const multibody::Mechanism& mechanism);
  ~SimbodyMechanism();

  /// How states and accelerations are ordered.
  const SpanningTree& tree() const;

  /// A state near this one whose loops are closed in position and speed, within 1e-12.
  PeerState project(const PeerState& state);

  /// Keeps a state for forward(); gives its number.
  int add_state(const PeerState& state);

  /// Realizes that state from positions to accelerations: what a benchmark measures.
  void forward(int state);

  /// d/dt of camber's speeds, from the last forward().
  VectorX<double> accelerations() const;
  Isometry3 pose(multibody::BodyIndex body) const;  // X_WB
  /// Largest violation of a constraint's position.
  double constraint_error() const;
  int constraint_count() const;

  static std::string version();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace camber::bench
