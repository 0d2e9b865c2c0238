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
  /// branches[b][i] is mode b at parameter[i]: the same mode all along, by continuity. If two real
  /// eigenvalues become a complex pair, the assignment is arbitrary.
  std::vector<std::vector<Mode>> branches;
  /// Number of branches, at the end of the list, that stay at zero for all parameter values: a
  /// vehicle may be anywhere on the plane.
  int zeros = 0;
};

/// Follows the modes over increasing values. A step that moves an eigenvalue too far compared with
/// its distance to the others is halved, down to 1/1024, with a call of `modes_at` each time.
/// Throws std::domain_error if the number of modes changes.
RootLocus trace_root_locus(const ModesAt& modes_at, const std::vector<double>& values);

/// A parameter value at which a mode becomes stable or unstable.
struct StabilityLimit {
  double parameter = 0.0;
  Mode mode;                    // there, with real part zero as far as rounding allows, imag >= 0
  bool becomes_stable = false;  // with increasing parameter
  int branch = 0;
  /// The mode is neutral on the side where it does not grow, as in conservative, gyroscopic and
  /// reversible systems: two modes meet on the imaginary axis and part along it.
  bool is_neutral_beyond = false;
  /// The growth beside the limit is not larger than what rounding may bring about.
  bool is_undecided = false;
};

/// Every parameter value at which the number of growing modes changes; a conjugate pair counts
/// once. The range is searched in at least 256 parts, whatever the values of the locus, and each
/// limit is located by bisection: of the sign of the real part where it passes through zero, which
/// gives the last digits, and of whether the mode grows at all where it is neutral beyond, which
/// gives some ten. Modes that stay at zero are left out. In order of the parameter.
std::vector<StabilityLimit> find_stability_limits(const ModesAt& modes_at, const RootLocus& locus);

/// Which mode of `candidates` continues each of `modes`: the assignment with the smallest sum of
/// distances of eigenvalues.
std::vector<int> match_modes(const std::vector<Mode>& modes, const std::vector<Mode>& candidates);

}  // namespace camber::lagrange
