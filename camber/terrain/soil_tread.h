#pragma once

// The tread of a tire on soil: a foundation of springs, each of which gives way by itself
// (docs/theory/soil.md, section 6).

#include <array>
#include <span>

namespace camber::terrain {

/// Pressure over how far the tread is pressed in at a point, with q^2 = x:
///   p = q (c0 + c1 q^2 + c2 q^4 + c3 q^6), beyond `last` along its tangent in q              (1)
/// A tire whose load is linear in its deflection has p = c0 sqrt(x).
struct TreadLaw {
  std::array<double, 4> c = {};
  double last = 0;  // of q [m^(1/2)]

  template <class T>
  struct Value {
    T p, slope;  // dp/dq
  };
  template <class T>
  Value<T> at(const T& q) const {
    using std::min;
    const T inside = min(q, T(last)), x = inside * inside;
    const T p = inside * (c[0] + x * (c[1] + x * (c[2] + x * c[3])));
    const T slope = c[0] + x * (3 * c[1] + x * (5 * c[2] + x * (7 * c[3])));
    return {p + slope * (q - inside), slope};
  }
  /// d2p/dq2 of the polynomial.
  template <class T>
  T bend(const T& q) const {
    const T x = q * q;
    return q * (6 * c[1] + x * (20 * c[2] + x * (42 * c[3])));
  }
};

/// The tread of a tire of this radius and width whose load over deflection on hard flat ground is a
/// polygon from (0, 0): least squares up to a third of the radius, with as many of the terms in (1)
/// as leave a pressure that rises everywhere. Throws std::invalid_argument for a polygon without
/// points above 0, or one that they do not fit within 20 %.
TreadLaw fit_tread(std::span<const double> deflection, std::span<const double> force, double radius,
                   double width);

/// The load of such a tread on hard flat ground [N].
double calc_tread_load(const TreadLaw& tread, double radius, double width, double deflection);

}  // namespace camber::terrain
