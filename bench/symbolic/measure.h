#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/symbolic/problem.h"

namespace camber::bench {

/// Processor seconds of the three steps of one repetition.
struct Phases {
  double build = 0;          // the energies, or the parsed expressions
  double differentiate = 0;  // from those to the equations of motion, or to all gradients
  double generate = 0;       // from those to text in C
};

/// Processor time of this process since construction or the last lap. The engines compute in one
/// thread; by the wall's clock a busy machine would slow down those that take longer than its time
/// slice, and only those.
class Stopwatch {
 public:
  double lap();

 private:
  static double now();
  double start_ = now();
};

double median(std::vector<double> values);

/// Arithmetic of the generated code, common sub-expressions computed once.
struct Operations {
  long add = 0;  // subtractions too
  long multiply = 0;
  long divide = 0;
  long negate = 0;
  long power = 0;     // by a general exponent
  long function = 0;  // sin, exp, ...; sqrt
  long total() const { return add + multiply + divide + negate + power + function; }
};

/// What an engine tells about its results, outside the timed part.
struct Outcome {
  Operations operations;
  long nodes = 0;              // distinct sub-expressions of all results
  long code_bytes = 0;         // length of the C text
  std::vector<double> values;  // of all results at the problem's point
};

/// Derives the problem once with leaves named by `suffix`, so that nothing kept from an earlier
/// repetition helps. Fills the phases; with a non-null outcome it goes on, untimed, to fill that
/// too.
using Derivation =
    std::function<void(const Problem&, const std::string& suffix, Phases*, Outcome*)>;

/// Repeats the derivation and gives the median of each phase, the first repetition's times, the
/// memory that one took, and the outcome: the one JSON object that an engine prints.
nlohmann::json measure(const Problem& problem, const std::string& engine,
                       const std::string& version, const Derivation& derive);

}  // namespace camber::bench
