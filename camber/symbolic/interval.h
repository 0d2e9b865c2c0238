#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace camber::symbolic {

/// All numbers between two bounds, both included; a bound may be infinite. Operations round
/// outward, so the result holds every value that the operation takes on its arguments in exact
/// arithmetic. If an argument leaves a function's domain, the result is that of the part inside, or
/// the whole line if no part is inside.
struct Interval {
  double lo = 0;
  double hi = 0;

  Interval() = default;
  Interval(double value) : lo(value), hi(value) {}  // NOLINT(google-explicit-constructor)
  /// Throws std::invalid_argument unless lo <= hi.
  Interval(double lo_bound, double hi_bound);
  static Interval whole_line() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }

  bool contains(double x) const { return lo <= x && x <= hi; }
  bool is_bounded() const;
  double width() const { return hi - lo; }
  std::string to_string() const;  // "[0.1, 2]"

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The smallest interval with both in it.
Interval hull(const Interval& a, const Interval& b);

Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator-(const Interval& a);
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a,
                   const Interval& b);  // by an interval with 0 inside: the whole line

Interval exp(const Interval& a);
Interval log(const Interval& a);
Interval sqrt(const Interval& a);
Interval sin(const Interval& a);
Interval cos(const Interval& a);
Interval tan(const Interval& a);
Interval asin(const Interval& a);
Interval acos(const Interval& a);
Interval atan(const Interval& a);
Interval sinh(const Interval& a);
Interval cosh(const Interval& a);
Interval tanh(const Interval& a);
Interval abs(const Interval& a);
Interval sign(const Interval& a);
Interval atan2(const Interval& y, const Interval& x);
Interval min(const Interval& a, const Interval& b);
Interval max(const Interval& a, const Interval& b);
Interval integer_power(const Interval& base,
                       std::int64_t exponent);  // exponent >= 1; tighter than multiplying
Interval pow(const Interval& base, const Interval& exponent);  // base >= 0

}  // namespace camber::symbolic
