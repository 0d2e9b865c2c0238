#pragma once

#include "camber/tire/slip.h"

namespace camber::tire {

/// A force over slip at one load: rises with `slope`, has its maximum at (peak_slip, peak) and
/// slides with `sliding` from sliding_slip on.
struct TmeasyCurve {
  double slope = 0;              // [N]
  double peak = 0, sliding = 0;  // [N]
  double peak_slip = 0, sliding_slip = 0;
  bool operator==(const TmeasyCurve&) const = default;
};

/// TMeasy [Rill, Arrieta Castro 2020, chapter 3]: curves at a nominal load and at twice this load,
/// with few parameters that can be estimated. Slips are those over |R_e omega|.
struct TmeasyTire {
  double nominal_load = 0;  // [N]
  double max_load = 0;      // [N]; from here on the figures stay what they are
  TmeasyCurve along[2], across[2];
  // The trail over the contact's length at no slip, and the lateral slips at which it is first zero
  // and zero permanently.
  double trail[2] = {0, 0};
  double trail_zero[2] = {0, 0};
  double trail_end[2] = {0, 0};
  bool operator==(const TmeasyTire&) const = default;
};

template <class T>
TireForce<T> calc_steady_force(const TmeasyTire& tire, const Slip<T>& slip);
/// The same for slips that are over |R_e omega| already; Fx and Fy have their signs.
template <class T>
TireForce<T> calc_tmeasy_force(const TmeasyTire& tire, const T& sx, const T& sy,
                               const Slip<T>& slip);
template <class T>
SlipStiffness<T> calc_slip_stiffness(const TmeasyTire& tire, const T& Fz, const T& friction);

}  // namespace camber::tire
