#pragma once

#include <cstdint>
#include <vector>

namespace camber::study {

struct SubsetOptions {
  int dimensions = 1;
  long samples = 1000;  // per level
  double level_probability = 0.1;
  int max_levels = 10;
  double bound = 0;  // the event is y >= bound
  std::uint64_t seed = 1;
};

/// Probability of a rare event by subset simulation: level by level, each the rarest fraction of
/// the previous one, in the space of independent standard normal numbers.
class SubsetSimulation {
 public:
  explicit SubsetSimulation(const SubsetOptions& options);

  /// Points to be evaluated; empty: it has ended.
  std::vector<std::vector<double>> ask();
  /// y of each; infinite is allowed.
  void tell(const std::vector<double>& y);

  struct Level {
    double threshold = 0;
    double probability = 0;  // of the level after the one before
    double variation = 0;    // coefficient of variation of this probability
    double acceptance = 1;   // share of the moves that were accepted
  };
  const std::vector<Level>& levels() const { return levels_; }
  bool is_done() const { return is_done_; }
  /// Whether the event was reached within max_levels; else `probability` is an upper bound.
  bool is_reached() const { return is_reached_; }
  double probability() const;
  /// Its coefficient of variation.
  double variation() const;

 private:
  struct Member {
    std::vector<double> z;
    double y = 0;
  };
  void end_level();
  void begin_chains();
  double correlation_factor(double threshold) const;

  SubsetOptions options_;
  long chains_ = 0, length_ = 0;
  std::vector<Member> members_;  // of this level: chain after chain
  std::vector<std::vector<double>> asked_;
  long step_ = 0;  // in the chains; 0: the first level
  double threshold_ = 0;
  long accepted_ = 0, moves_ = 0;
  std::vector<Level> levels_;
  bool is_done_ = false, is_reached_ = false;
};

}  // namespace camber::study
