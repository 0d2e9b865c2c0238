#pragma once

#include <memory>
#include <vector>

#include "camber/study/sample.h"
#include "camber/study/sobol_sequence.h"
#include "camber/study/study.h"

namespace camber::study {

/// The samples of a plan that are all known beforehand. Sample k is a pure function of the study
/// and k: any worker can make any sample, in any order.
class Plan {
 public:
  /// Keeps a pointer to the study, whose plan must not be adaptive.
  explicit Plan(const Study* study);

  /// How many samples there are.
  long size() const { return size_; }
  Sample sample(long k) const;

  /// Independent uniform numbers of sample k, before correlation and distributions; for plans
  /// random, latin, sobol, saltelli and morris.
  std::vector<double> uniforms(long k) const;

 private:
  std::vector<double> morris_point(long k) const;
  std::vector<double> end_values(long k) const;  // factorial, central composite, one at a time

  const Study* study_;
  long size_ = 0;
  std::unique_ptr<SobolSequence> sobol_;
  std::vector<long> counts_;                    // grid: values per input
  std::vector<std::vector<int>> permutations_;  // latin: one per input
};

/// Inputs that a factorial plan varies: all but constants.
std::vector<int> varied_inputs(const Study& study);

/// A Morris trajectory's point: which input changed against the point before, and by how much of
/// its distribution, in probability. Input -1 for the first point of a trajectory.
struct MorrisMove {
  int input = -1;
  double change = 0;
};
MorrisMove morris_move(const Study& study, long k);

/// Uniform numbers of number j of a scrambled Sobol' sequence of its own: random inputs of
/// optimizations and searches.
std::vector<double> noise_uniforms(const Study& study, long j);

}  // namespace camber::study
