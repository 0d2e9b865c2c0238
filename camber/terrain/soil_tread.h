#pragma once

// The tread of a tire on soil: a foundation of independent springs (docs/theory/soil.md, section
// 6).

#include <algorithm>
#include <array>
#include <span>

namespace camber::terrain {

/// Pressure over the deflection x of the tread at a point, with q^2 = x:
///   p = g q (c0 + c1 q^2 + c2 q^4 + c3 q^6), beyond `last` along its tangent in q            (1)
///   g = t^3 (10 - 15 t + 6 t^2), t = q/q_e up to 1                                           (2)
/// A tire whose load is linear in its deflection has p = c0 sqrt(x), which starts with an infinite
/// slope; with (2) it starts as x^2, so that a node comes into contact, and leaves it, smoothly.
struct TreadLaw {
  std::array<double, 4> c = {};
  double last = 0;      // of q [m^(1/2)]
  double per_edge = 0;  // 1/q_e; 0: p = 0

  template <class T>
  struct Value {
    T p, slope, bend;  // dp/dq, d2p/dq2
  };
  template <class T>
  Value<T> at(const T& q) const {
    using std::min;
    const T inside = min(q, T(last)), x = inside * inside;
    const T root = inside * (c[0] + x * (c[1] + x * (c[2] + x * c[3])));
    const T root_slope = c[0] + x * (3 * c[1] + x * (5 * c[2] + x * (7 * c[3])));
    const T root_bend = inside * (6 * c[1] + x * (20 * c[2] + x * (42 * c[3])));
    const T t = min(inside * per_edge, T(1.0)), left = t * (1.0 - t);
    const T g = t * t * t * (10.0 + t * (6.0 * t - 15.0)), g_slope = (30 * per_edge) * left * left;
    const T g_bend = (60 * per_edge * per_edge) * left * (1.0 - 2.0 * t);
    const T slope = g * root_slope + g_slope * root;
    return {g * root + slope * (q - inside), slope,
            g * root_bend + 2.0 * g_slope * root_slope + g_bend * root};
  }
};

/// The tread of a tire of this radius and width whose load over deflection on hard flat ground is a
/// polygon from (0, 0): least squares up to a third of the radius, with as many of the terms in (1)
/// as possible while the pressure increases everywhere. Throws std::invalid_argument for a polygon
/// without points above 0, or one that they do not fit within 20 %.
TreadLaw fit_tread(std::span<const double> deflection, std::span<const double> force, double radius,
                   double width);

/// The load of such a tread on hard flat ground [N].
double calc_tread_load(const TreadLaw& tread, double radius, double width, double deflection);

}  // namespace camber::terrain
