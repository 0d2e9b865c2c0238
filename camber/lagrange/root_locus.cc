#include "camber/lagrange/root_locus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "camber/core/require.h"

namespace camber::lagrange {
namespace {

using Complex = std::complex<double>;

constexpr int kMaxHalvings = 10;
// A step is small enough if every eigenvalue moves less than this fraction of its distance to the
// nearest other one: then its continuation is unambiguous.
constexpr double kSafeMove = 0.4;
// An eigenvalue below this fraction of the largest is permanently zero; it does not cross zero. The
// zeros of heading and path are a double root with a single shape, which rounding splits by 1e-8.
constexpr double kZero = 1e-6;
// The range of a sweep is searched for limits in at least this many parts.
constexpr std::size_t kMinParts = 256;
// Growth beside a limit that is less than this many times the effect of rounding proves nothing.
constexpr double kClearGrowth = 30.0;

double distance(const Mode& a, const Mode& b) { return std::abs(a.eigenvalue - b.eigenvalue); }

double largest_eigenvalue(const std::vector<Mode>& modes) {
  double largest = 0.0;
  for (const Mode& mode : modes) largest = std::max(largest, std::abs(mode.eigenvalue));
  return largest;
}

int count_zeros(const std::vector<Mode>& modes) {
  const double zero = kZero * largest_eigenvalue(modes);
  return static_cast<int>(std::count_if(modes.begin(), modes.end(), [&](const Mode& mode) {
    return std::abs(mode.eigenvalue) < zero;
  }));
}

/// Moves the `count` modes nearest to zero after the others; both groups keep their order.
std::vector<Mode> with_zeros_last(const std::vector<Mode>& modes, int count) {
  std::vector<double> sizes;
  for (const Mode& mode : modes) sizes.push_back(std::abs(mode.eigenvalue));
  std::sort(sizes.begin(), sizes.end());
  std::vector<Mode> result = modes;
  std::stable_partition(result.begin(), result.end(), [&](const Mode& mode) {
    return count == 0 || std::abs(mode.eigenvalue) > sizes[count - 1];
  });
  return result;
}

/// The same modes without those that are always zero: a mode that passes zero must not be mistaken
/// for one of them.
ModesAt without_zeros(const ModesAt& modes_at, int zeros) {
  return [&modes_at, zeros](double value) {
    std::vector<Mode> modes = with_zeros_last(modes_at(value), zeros);
    modes.resize(modes.size() - std::min<std::size_t>(zeros, modes.size()));
    return modes;
  };
}

/// Whether each mode of `before` is clearly continued by the one in its place.
bool is_clear(const std::vector<Mode>& before, const std::vector<Mode>& after) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double moved = distance(before[i], after[i]);
    for (std::size_t j = 0; j < before.size(); ++j) {
      if (j != i && moved > kSafeMove * distance(before[i], before[j]) &&
          distance(before[i], after[j]) < 2.0 * moved + distance(after[i], after[j])) {
        return false;
      }
    }
  }
  return true;
}

std::vector<Mode> in_order(const std::vector<Mode>& modes, const std::vector<int>& order) {
  std::vector<Mode> result;
  for (const int i : order) result.push_back(modes[i]);
  return result;
}

/// The modes at `to` in the order of those at `from`, through as many intermediate points as
/// needed.
std::vector<Mode> follow(const ModesAt& modes_at, double from, const std::vector<Mode>& modes,
                         double to, int halvings) {
  const std::vector<Mode> found = modes_at(to);
  if (found.size() != modes.size()) {
    throw std::domain_error(concat("trace_root_locus: ", modes.size(), " modes at ", from,
                                   " become ", found.size(), " at ", to));
  }
  std::vector<Mode> matched = in_order(found, match_modes(modes, found));
  if (halvings == 0 || is_clear(modes, matched)) return matched;
  const double middle = 0.5 * (from + to);
  const std::vector<Mode> half = follow(modes_at, from, modes, middle, halvings - 1);
  return follow(modes_at, middle, half, to, halvings - 1);
}

std::vector<Mode> modes_in(const RootLocus& locus, std::size_t i) {
  std::vector<Mode> modes;
  for (const auto& branch : locus.branches) modes.push_back(branch[i]);
  return modes;
}

/// The mode nearest to an eigenvalue.
Mode nearest(const std::vector<Mode>& modes, Complex eigenvalue) {
  return *std::min_element(modes.begin(), modes.end(), [&](const Mode& a, const Mode& b) {
    return std::abs(a.eigenvalue - eigenvalue) < std::abs(b.eigenvalue - eigenvalue);
  });
}

/// Between two points of a branch with real parts of different sign.
StabilityLimit locate(const ModesAt& modes_at, double low, Mode at_low, double high, Mode at_high) {
  const bool becomes_stable = at_high.is_stable();
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= std::min(low, high) || middle >= std::max(low, high)) break;
    const Complex expected = 0.5 * (at_low.eigenvalue + at_high.eigenvalue);
    const Mode mode = nearest(modes_at(middle), expected);
    if (mode.is_stable() == at_high.is_stable()) {
      high = middle;
      at_high = mode;
    } else {
      low = middle;
      at_low = mode;
    }
  }
  const bool low_is_closer =
      std::abs(at_low.eigenvalue.real()) < std::abs(at_high.eigenvalue.real());
  return {low_is_closer ? low : high, low_is_closer ? at_low : at_high, becomes_stable, 0};
}

/// The modes at a value of the parameter, and which of them grow.
struct Sample {
  double value = 0.0;
  std::vector<Mode> modes;
  std::vector<int> growing;  // indices, nearest to the imaginary axis first
};

Sample sample(const ModesAt& modes_at, double value) {
  Sample s{value, modes_at(value), {}};
  for (std::size_t i = 0; i < s.modes.size(); ++i) {
    if (classify(s.modes[i], s.modes) == Stability::kUnstable)
      s.growing.push_back(static_cast<int>(i));
  }
  std::stable_sort(s.growing.begin(), s.growing.end(), [&](int a, int b) {
    return s.modes[a].eigenvalue.real() < s.modes[b].eigenvalue.real();
  });
  return s;
}

/// The value at which a real eigenvalue is zero, from its values at four places about it, by inverse
/// interpolation: nearer to zero it cannot be told from those that always are. `mode` is there on
/// return. Empty if no such places are found within `range`.
std::optional<double> interpolate_zero(const ModesAt& modes_at, double middle, double range,
                                       double step, Mode* mode) {
  for (; 2.0 * step < range; step *= 2.0) {
    std::array<double, 4> p{}, x{};
    bool is_clear = true;
    for (int k = 0; k < 4; ++k) {
      p[k] = middle + step * (k < 2 ? k - 2 : k - 1);  // -2, -1, 1, 2
      const std::vector<Mode> modes = modes_at(p[k]);
      const Mode found = nearest(modes, Complex(0.0));
      x[k] = found.eigenvalue.real();
      is_clear = is_clear && !found.is_oscillatory() &&
                 std::abs(x[k]) > 10.0 * kZero * largest_eigenvalue(modes);
      if (k == 2) *mode = found;
    }
    const bool passes =
        (x[0] < x[1] && x[1] < x[2] && x[2] < x[3]) || (x[0] > x[1] && x[1] > x[2] && x[2] > x[3]);
    if (!is_clear || !passes || (x[1] > 0.0) == (x[2] > 0.0)) continue;
    double zero = 0.0;
    for (int k = 0; k < 4; ++k) {
      double weight = p[k];
      for (int j = 0; j < 4; ++j) {
        if (j != k) weight *= x[j] / (x[j] - x[k]);
      }
      zero += weight;
    }
    mode->eigenvalue = 0.0;
    return zero;
  }
  return std::nullopt;
}

/// A limit between `quiet` and `growing`, neighboring numbers, of a mode that grows in `growing`.
/// `range` ends the search for a sign on the quiet side.
StabilityLimit sharpen(const ModesAt& modes_at, const Sample& quiet, const Sample& growing,
                       const Mode& mode, double range, bool has_zeros) {
  StabilityLimit limit{growing.value, mode, quiet.value > growing.value, 0};
  const double away = quiet.value > growing.value ? 1.0 : -1.0;
  const double smallest = 1e-14 * std::max(std::abs(range), std::abs(growing.value));
  // Outward on both sides, as far as the same mode is clearly found: where it decays on the quiet
  // side, its real part passes through zero, and its sign shows where.
  Mode inside = mode, outside = mode;
  for (double step = smallest; step < range; step *= 4.0) {
    const double to = growing.value + away * step;
    const std::vector<Mode> modes = modes_at(to);
    outside = nearest(modes, outside.eigenvalue);
    const Stability beyond = classify(outside, modes);
    const double back = growing.value - away * step;
    inside = nearest(modes_at(back), inside.eigenvalue);
    // Near its threshold a mode may still be taken for one that grows; farther it is another limit.
    if (beyond == Stability::kUnstable && step > 1e-3 * range) break;
    if (beyond != Stability::kStable) continue;
    if (inside.eigenvalue.real() <= 0.0) break;
    if (has_zeros && !inside.is_oscillatory() && !outside.is_oscillatory()) {
      if (const auto zero = interpolate_zero(modes_at, growing.value, 32.0 * range, step, &inside))
        return {*zero, inside, limit.becomes_stable, 0};
    }
    const bool rising = away < 0.0;
    StabilityLimit crossing = rising ? locate(modes_at, to, outside, back, inside)
                                     : locate(modes_at, back, inside, to, outside);
    if (crossing.mode.eigenvalue.imag() < 0.0) {
      crossing.mode.eigenvalue = std::conj(crossing.mode.eigenvalue);
      crossing.mode.shape = crossing.mode.shape.conjugate();
    }
    return crossing;
  }
  limit.is_neutral_beyond = true;
  // Growth far enough inside shows that the limit is not one of rounding alone.
  const std::vector<Mode> inner = modes_at(growing.value - away * 0.25 * range);
  double growth = 0.0;
  for (const Mode& m : inner) {
    if (m.rounding > 0.0) growth = std::max(growth, m.eigenvalue.real() / m.rounding);
    if (m.rounding == 0.0 && m.eigenvalue.real() > 0.0) growth = kClearGrowth;
  }
  limit.is_undecided = growth < kClearGrowth;
  return limit;
}

/// Adds the limits between two samples with different numbers of growing modes.
void add_limits_between(const ModesAt& modes_at, Sample low, Sample high, bool has_zeros,
                        std::vector<StabilityLimit>* limits) {
  const double range = high.value - low.value;
  while (low.growing.size() != high.growing.size()) {
    Sample left = low, right = high;  // the first change from the left
    while (true) {
      const double middle = 0.5 * (left.value + right.value);
      if (!(middle > left.value && middle < right.value)) break;
      Sample s = sample(modes_at, middle);
      (s.growing.size() == left.growing.size() ? left : right) = std::move(s);
    }
    const bool becomes_stable = left.growing.size() > right.growing.size();
    const Sample& growing = becomes_stable ? left : right;
    const Sample& quiet = becomes_stable ? right : left;
    const std::size_t change = growing.growing.size() - quiet.growing.size();
    for (std::size_t k = 0; k < change; ++k) {
      const Mode& mode = growing.modes[growing.growing[k]];
      if (mode.eigenvalue.imag() < 0.0) continue;  // with its conjugate
      limits->push_back(sharpen(modes_at, quiet, growing, mode, range, has_zeros));
    }
    low = std::move(right);
  }
}

/// The branch that grows at sample `i` of the locus and is nearest to a mode.
int branch_of(const RootLocus& locus, std::size_t i, const Mode& mode) {
  const std::vector<Mode> modes = modes_in(locus, i);
  int best = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b + locus.zeros < modes.size(); ++b) {
    const bool grows = classify(modes[b], modes) == Stability::kUnstable;
    if (modes[b].eigenvalue.imag() < 0.0) continue;
    const double far = distance(modes[b], mode) + (grows ? 0.0 : 1e3 * largest_eigenvalue(modes));
    if (far >= shortest) continue;
    shortest = far;
    best = static_cast<int>(b);
  }
  return best;
}

/// Adds limits of modes that change places in interval `i`: one becomes stable where another becomes
/// unstable, so that as many grow as before.
void add_exchanges(const ModesAt& modes_at, const RootLocus& locus, std::size_t i,
                   std::vector<StabilityLimit>* limits) {
  const std::vector<Mode> before = modes_in(locus, i), after = modes_in(locus, i + 1);
  for (std::size_t b = 0; b + locus.zeros < locus.branches.size(); ++b) {
    const Stability first = classify(before[b], before), last = classify(after[b], after);
    const bool changes = (first == Stability::kUnstable && last == Stability::kStable) ||
                         (first == Stability::kStable && last == Stability::kUnstable);
    const bool is_conjugate = before[b].eigenvalue.imag() < 0.0 || after[b].eigenvalue.imag() < 0.0;
    if (!changes || is_conjugate) continue;
    limits->push_back(
        locate(modes_at, locus.parameter[i], before[b], locus.parameter[i + 1], after[b]));
  }
}

}  // namespace

// The Hungarian method in the form of successive shortest augmenting paths with potentials
// [Jonker, Volgenant 1987]: n^3 for n modes. Index 0 is a sentinel, rows and columns count from 1.
std::vector<int> match_modes(const std::vector<Mode>& modes, const std::vector<Mode>& candidates) {
  require(modes.size() == candidates.size(), "match_modes: ", modes.size(), " modes and ",
          candidates.size(), " candidates");
  const int n = static_cast<int>(modes.size());
  std::vector<double> row_potential(n + 1, 0.0);
  std::vector<double> col_potential(n + 1, 0.0);
  std::vector<int> row_of(n + 1, 0);  // by column, 0 for none
  for (int row = 1; row <= n; ++row) {
    std::vector<double> shortest(n + 1, std::numeric_limits<double>::infinity());
    std::vector<int> previous(n + 1, 0);
    std::vector<char> done(n + 1, 0);
    row_of[0] = row;
    int col = 0;
    do {
      done[col] = 1;
      const int r = row_of[col];
      double step = std::numeric_limits<double>::infinity();
      int next = 0;
      for (int c = 1; c <= n; ++c) {
        if (done[c] != 0) continue;
        const double reduced =
            distance(modes[r - 1], candidates[c - 1]) - row_potential[r] - col_potential[c];
        if (reduced < shortest[c]) {
          shortest[c] = reduced;
          previous[c] = col;
        }
        if (shortest[c] < step) {
          step = shortest[c];
          next = c;
        }
      }
      for (int c = 0; c <= n; ++c) {
        if (done[c] != 0) {
          row_potential[row_of[c]] += step;
          col_potential[c] -= step;
        } else {
          shortest[c] -= step;
        }
      }
      col = next;
    } while (row_of[col] != 0);
    for (; col != 0; col = previous[col]) row_of[col] = row_of[previous[col]];
  }
  std::vector<int> result(n);
  for (int c = 1; c <= n; ++c) result[row_of[c] - 1] = c - 1;
  return result;
}

RootLocus trace_root_locus(const ModesAt& modes_at, const std::vector<double>& values) {
  require(!values.empty(), "trace_root_locus: no values to follow the modes over");
  RootLocus locus;
  locus.parameter = values;
  std::vector<std::vector<Mode>> all;
  for (const double value : values) all.push_back(modes_at(value));
  locus.zeros = count_zeros(all[0]);
  for (const auto& modes : all) locus.zeros = std::min(locus.zeros, count_zeros(modes));

  const ModesAt moving_modes_at = without_zeros(modes_at, locus.zeros);
  std::vector<Mode> modes = moving_modes_at(values[0]);
  locus.branches.resize(all[0].size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) {
      require(values[i] > values[i - 1], "trace_root_locus: values must increase, got ",
              values[i - 1], " before ", values[i]);
      modes = follow(moving_modes_at, values[i - 1], modes, values[i], kMaxHalvings);
    }
    const std::vector<Mode> sorted = with_zeros_last(all[i], locus.zeros);
    for (std::size_t b = 0; b < locus.branches.size(); ++b) {
      locus.branches[b].push_back(b < modes.size() ? modes[b] : sorted[b]);
    }
  }
  return locus;
}

std::vector<StabilityLimit> find_stability_limits(const ModesAt& modes_at, const RootLocus& locus) {
  const ModesAt moving_modes_at = without_zeros(modes_at, locus.zeros);
  std::vector<StabilityLimit> limits;
  const std::size_t intervals = locus.parameter.size() - 1;
  if (intervals == 0) return limits;
  const std::size_t parts = std::max<std::size_t>(1, (kMinParts + intervals - 1) / intervals);
  Sample low = sample(moving_modes_at, locus.parameter[0]);
  for (std::size_t i = 0; i < intervals; ++i) {
    const std::size_t first = limits.size();
    const double from = locus.parameter[i], to = locus.parameter[i + 1];
    for (std::size_t k = 1; k <= parts; ++k) {
      const double at =
          k == parts ? to
                     : from + (to - from) * static_cast<double>(k) / static_cast<double>(parts);
      Sample high = sample(moving_modes_at, at);
      add_limits_between(moving_modes_at, low, high, locus.zeros > 0, &limits);
      low = std::move(high);
    }
    if (limits.size() == first) add_exchanges(moving_modes_at, locus, i, &limits);
    for (std::size_t k = first; k < limits.size(); ++k) {
      limits[k].branch = branch_of(locus, i + (limits[k].becomes_stable ? 0 : 1), limits[k].mode);
    }
  }
  std::stable_sort(
      limits.begin(), limits.end(),
      [](const StabilityLimit& a, const StabilityLimit& b) { return a.parameter < b.parameter; });
  return limits;
}

}  // namespace camber::lagrange
