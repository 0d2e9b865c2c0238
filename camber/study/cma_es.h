#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace camber::study {

/// Rank of a candidate: less violation first, then a smaller value. Optimizers compare and never
/// calculate with it.
struct Fitness {
  double violation = 0;  // of constraints; 0: none
  double value = 0;      // of the objective

  friend bool operator<(const Fitness& a, const Fitness& b) {
    if (a.violation != b.violation) return a.violation < b.violation;
    return a.value < b.value;
  }
};

/// A search for a minimum in the unit box that requests many points at once.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Points to be evaluated, each in [0, 1]^n; empty: it has ended.
  virtual std::vector<std::vector<double>> ask() = 0;
  virtual void tell(const std::vector<Fitness>& fitness) = 0;
};

struct CmaEsOptions {
  int population = 0;              // 0: 4 + floor(3 log n)
  double sigma = 0.3;              // first step
  int restarts = 2;                // each with twice the population
  double tolerance_x = 1e-6;       // of the box; a smaller step ends a run
  double tolerance_value = 1e-12;  // relative; a smaller spread of the last best values ends a run
  std::uint64_t seed = 1;
  bool is_bounded = true;          // false: the whole space, for tests
  std::vector<double> start = {};  // empty: the middle of the box
};

/// Covariance matrix adaptation. Points beyond the box are reflected at its walls.
std::unique_ptr<Optimizer> make_cma_es(int dimensions, const CmaEsOptions& options);

struct NelderMeadOptions {
  double size = 0.3;  // of the first simplex
  double tolerance_x = 1e-6;
  bool is_bounded = true;
  std::vector<double> start = {};
};

/// Nelder and Mead's simplex. Reflection, expansion and both contractions are requested at once:
/// more evaluations, fewer rounds.
std::unique_ptr<Optimizer> make_nelder_mead(int dimensions, const NelderMeadOptions& options);

}  // namespace camber::study
