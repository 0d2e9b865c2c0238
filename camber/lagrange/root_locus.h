#pragma once

#include <functional>
#include <vector>

#include "camber/lagrange/modes.h"

namespace camber::lagrange {

/// The modes of a system for one value of a parameter.
using ModesAt = std::function<std::vector<Mode>(double)>;

/// How the modes of a system move while a parameter changes.
struct RootLocus {
  std::vector<double> parameter;
  /// branches[b][i] is mode b at parameter[i]: the same mode all along, by continuity. Where two
  /// real eigenvalues become a complex pair, which is which is a matter of choice.
  std::vector<std::vector<Mode>> branches;
  /// How many branches, the last ones, stay at zero whatever the parameter: a vehicle may stand
  /// anywhere.
  int zeros = 0;
};

/// Follows the modes over increasing values. Where a step moves an eigenvalue further than a part
/// of its distance to the others, it is halved until it does not, down to 1/1024: calls `modes_at`
/// as often as that takes. Throws std::domain_error when the number of modes changes on the way.
RootLocus trace_root_locus(const ModesAt& modes_at, const std::vector<double>& values);

/// Where a mode turns stable or unstable.
struct StabilityLimit {
  double parameter = 0.0;
  Mode mode;                    // there, with real part zero as far as rounding allows, imag >= 0
  bool becomes_stable = false;  // with increasing parameter
  int branch = 0;
};

/// Every change of sign of a real part along the locus, located to the last digits by bisection; a
/// conjugate pair counts once. Branches that stay at zero cross nothing;
/// beside them a limit is known to about 1e-6 of the range. In order of the parameter.
std::vector<StabilityLimit> find_stability_limits(const ModesAt& modes_at, const RootLocus& locus);

/// Which mode of `candidates` continues each of `modes`: the assignment with the least sum of
/// distances of eigenvalues.
std::vector<int> match_modes(const std::vector<Mode>& modes, const std::vector<Mode>& candidates);

}  // namespace camber::lagrange
