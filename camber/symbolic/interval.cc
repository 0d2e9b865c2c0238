// Interval arithmetic after [Moore, Kearfott & Cloud 2009] chapters 2 and 5. Instead of switching
// the rounding mode, which compilers do not respect across optimizations, each bound is moved
// outward: by one unit in the last place where the operation is correctly rounded, by kLibraryUlps
// for functions of the C library (glibc states errors of at most 2 for those used here).

#include "camber/symbolic/interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"

namespace camber::symbolic {

namespace {

constexpr int kLibraryUlps = 4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;
// For larger arguments, one ulp is no longer small compared with the distance to an extremum.
constexpr double kLargestAngle = 1e6;
// The accuracy of the positions of extrema; an extremum that may be inside counts as inside.
constexpr double kAngleTolerance = 1e-9;

Interval outward(double lo, double hi, int ulps) {
  for (int i = 0; i < ulps; ++i) {
    lo = std::nextafter(lo, -kInfinity);
    hi = std::nextafter(hi, kInfinity);
  }
  return {lo, hi};
}

Interval rounded(double lo, double hi) { return outward(lo, hi, 1); }

template <class F>
Interval increasing(const Interval& a, F f) {
  return outward(f(a.lo), f(a.hi), kLibraryUlps);
}

/// Cut to [lo, hi], which the function's exact range cannot leave.
Interval clamped(const Interval& a, double lo, double hi) {
  return {std::clamp(a.lo, lo, hi), std::clamp(a.hi, lo, hi)};
}

/// The part of a inside the domain [lo, hi]; false if there is none.
bool restrict_to(double lo, double hi, Interval* a) {
  if (a->hi < lo || a->lo > hi) {
    return false;
  }
  *a = Interval(std::max(a->lo, lo), std::min(a->hi, hi));
  return true;
}

/// Whether a point of `first + k * period` may be inside.
bool may_contain(const Interval& a, double first, double period) {
  const double k = std::ceil((a.lo - kAngleTolerance - first) / period);
  return first + k * period <= a.hi + kAngleTolerance;
}

double bound_product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval hull_of(const std::array<double, 4>& corners) {
  const auto [lo, hi] = std::minmax_element(corners.begin(), corners.end());
  return rounded(*lo, *hi);
}

}  // namespace

Interval::Interval(double lo_bound, double hi_bound) : lo(lo_bound), hi(hi_bound) {
  require(lo <= hi, "Interval: the lower bound must be <= the upper, got [", lo, ", ", hi, "]");
}

bool Interval::is_bounded() const { return std::isfinite(lo) && std::isfinite(hi); }

std::string Interval::to_string() const { return concat("[", lo, ", ", hi, "]"); }

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Interval operator+(const Interval& a, const Interval& b) {
  return rounded(a.lo + b.lo, a.hi + b.hi);
}
Interval operator-(const Interval& a, const Interval& b) {
  return rounded(a.lo - b.hi, a.hi - b.lo);
}
Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }

Interval operator*(const Interval& a, const Interval& b) {
  return hull_of({bound_product(a.lo, b.lo), bound_product(a.lo, b.hi), bound_product(a.hi, b.lo),
                  bound_product(a.hi, b.hi)});
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.lo < 0 && b.hi > 0) {
    return Interval::whole_line();
  }
  if (b.lo == 0 && b.hi == 0) {
    return Interval::whole_line();
  }
  // A bound of zero is approached from the side of the other bound.
  const double inverse_lo = b.hi == 0 ? -kInfinity : 1 / b.hi;
  const double inverse_hi = b.lo == 0 ? kInfinity : 1 / b.lo;
  return a * rounded(inverse_lo, inverse_hi);
}

Interval exp(const Interval& a) {
  const Interval y = increasing(a, [](double x) { return std::exp(x); });
  return {std::max(y.lo, 0.0), y.hi};
}

Interval log(const Interval& a) {
  Interval x = a;
  if (!restrict_to(0, kInfinity, &x) || x.hi == 0) {
    return Interval::whole_line();
  }
  return increasing(x, [](double v) { return std::log(v); });
}

Interval sqrt(const Interval& a) {
  Interval x = a;
  if (!restrict_to(0, kInfinity, &x)) {
    return Interval::whole_line();
  }
  const Interval y = rounded(std::sqrt(x.lo), std::sqrt(x.hi));
  return {std::max(y.lo, 0.0), y.hi};
}

Interval sin(const Interval& a) {
  if (!(std::abs(a.lo) < kLargestAngle && std::abs(a.hi) < kLargestAngle) || a.width() > 2 * kPi) {
    return {-1, 1};
  }
  const double at_lo = std::sin(a.lo);
  const double at_hi = std::sin(a.hi);
  Interval y = outward(std::min(at_lo, at_hi), std::max(at_lo, at_hi), kLibraryUlps);
  if (may_contain(a, kPi / 2, 2 * kPi)) {
    y.hi = 1;
  }
  if (may_contain(a, -kPi / 2, 2 * kPi)) {
    y.lo = -1;
  }
  return clamped(y, -1, 1);
}

Interval cos(const Interval& a) {
  if (!(std::abs(a.lo) < kLargestAngle && std::abs(a.hi) < kLargestAngle) || a.width() > 2 * kPi) {
    return {-1, 1};
  }
  const double at_lo = std::cos(a.lo);
  const double at_hi = std::cos(a.hi);
  Interval y = outward(std::min(at_lo, at_hi), std::max(at_lo, at_hi), kLibraryUlps);
  if (may_contain(a, 0, 2 * kPi)) {
    y.hi = 1;
  }
  if (may_contain(a, kPi, 2 * kPi)) {
    y.lo = -1;
  }
  return clamped(y, -1, 1);
}

Interval tan(const Interval& a) {
  if (!(std::abs(a.lo) < kLargestAngle && std::abs(a.hi) < kLargestAngle) || a.width() > kPi ||
      may_contain(a, kPi / 2, kPi)) {
    return Interval::whole_line();
  }
  return increasing(a, [](double x) { return std::tan(x); });
}

Interval asin(const Interval& a) {
  Interval x = a;
  return restrict_to(-1, 1, &x) ? increasing(x, [](double v) { return std::asin(v); })
                                : Interval::whole_line();
}

Interval acos(const Interval& a) {
  Interval x = a;
  return restrict_to(-1, 1, &x) ? outward(std::acos(x.hi), std::acos(x.lo), kLibraryUlps)
                                : Interval::whole_line();
}

Interval atan(const Interval& a) {
  return increasing(a, [](double x) { return std::atan(x); });
}

Interval sinh(const Interval& a) {
  return increasing(a, [](double x) { return std::sinh(x); });
}

Interval cosh(const Interval& a) {
  const Interval y = increasing(abs(a), [](double x) { return std::cosh(x); });
  return {std::max(y.lo, 1.0), y.hi};
}

Interval tanh(const Interval& a) {
  return clamped(increasing(a, [](double x) { return std::tanh(x); }), -1, 1);
}

Interval abs(const Interval& a) {
  if (a.lo >= 0) {
    return a;
  }
  if (a.hi <= 0) {
    return -a;
  }
  return {0, std::max(-a.lo, a.hi)};
}

Interval sign(const Interval& a) {
  const auto sign_of = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  return {sign_of(a.lo), sign_of(a.hi)};
}

Interval atan2(const Interval& y, const Interval& x) {
  const bool crosses_cut =
      x.lo <= 0 && y.lo <= 0 && y.hi >= 0;  // the negative x axis and the origin
  if (crosses_cut) {
    return outward(-kPi, kPi, kLibraryUlps);
  }
  const std::array<double, 4> corners = {std::atan2(y.lo, x.lo), std::atan2(y.lo, x.hi),
                                         std::atan2(y.hi, x.lo), std::atan2(y.hi, x.hi)};
  const auto [lo, hi] = std::minmax_element(corners.begin(), corners.end());
  return outward(*lo, *hi, kLibraryUlps);
}

Interval min(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}

Interval max(const Interval& a, const Interval& b) {
  return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Interval integer_power(const Interval& base, std::int64_t exponent) {
  const Interval x = exponent % 2 == 0 ? abs(base) : base;
  const auto power = [&](double v) { return std::pow(v, static_cast<double>(exponent)); };
  const Interval y = increasing(x, power);
  return exponent % 2 == 0 ? Interval(std::max(y.lo, 0.0), y.hi) : y;
}

Interval pow(const Interval& base, const Interval& exponent) {
  Interval x = base;
  if (!restrict_to(0, kInfinity, &x)) {
    return Interval::whole_line();
  }
  if (x.lo == 0 && exponent.lo <= 0) {
    return {0, kInfinity};
  }
  // Monotone in each argument, so the extremes are at corners.
  const std::array<double, 4> corners = {std::pow(x.lo, exponent.lo), std::pow(x.lo, exponent.hi),
                                         std::pow(x.hi, exponent.lo), std::pow(x.hi, exponent.hi)};
  const auto [lo, hi] = std::minmax_element(corners.begin(), corners.end());
  const Interval y = outward(*lo, *hi, kLibraryUlps);
  return {std::max(y.lo, 0.0), y.hi};
}

}  // namespace camber::symbolic
