#include "camber/tire/hmmwv_tire.h"

namespace camber::tire {

TmeasyTire make_hmmwv_tmeasy() {
  TmeasyTire tire;
  tire.nominal_load = 8562.826609452499;
  tire.greatest_load = 29969.893133083744;
  tire.along[0] = {.slope = 152216.2309402714,
                   .peak = 7703.54695919394,
                   .sliding = 3954.570213043448,
                   .peak_slip = 0.10811,
                   .sliding_slip = 0.66667};
  tire.along[1] = {.slope = 248837.4538360115,
                   .peak = 13315.366634230826,
                   .sliding = 7252.542881674077,
                   .peak_slip = 0.12389,
                   .sliding_slip = 0.66667};
  tire.across[0] = {.slope = 63376.04858454078,
                    .peak = 6497.130318188178,
                    .sliding = 5846.355495869789,
                    .peak_slip = 0.33167,
                    .sliding_slip = 1.0296};
  tire.across[1] = {.slope = 117319.2873761087,
                    .peak = 12438.019419826322,
                    .sliding = 11186.305426056557,
                    .peak_slip = 0.33216,
                    .sliding_slip = 1.0296};
  tire.trail[0] = 0.178;
  tire.trail[1] = 0.19;
  tire.trail_zero[0] = 0.36484;
  tire.trail_zero[1] = 0.36538;
  tire.trail_end[0] = tire.trail_end[1] = 1.0296;
  return tire;
}

FialaTire make_hmmwv_fiala() {
  return {.slip_stiffness = 193929,
          .cornering_stiffness = 50000,
          .least_friction = 0.5568,
          .most_friction = 0.9835,
          .width = 0.318};
}

RollingTire make_hmmwv_tire() {
  RollingTire tire;
  tire.steady = make_hmmwv_tmeasy();
  tire.radius = 0.4699;
  tire.relaxation_along = 0.3;
  tire.relaxation_across = 0.35;
  tire.rolling_resistance = 0.015;
  tire.vertical = {.deflection = {0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045,
                                  0.05, 0.055, 0.06, 0.065, 0.07, 0.075, 0.08},
                   .force = {0, 585, 1286, 2352, 3477, 4798, 6190, 7540, 9027, 10570, 12139, 13654,
                             15368, 16904, 18469, 20089, 21699},
                   .damping = 1500};
  return tire;
}

}  // namespace camber::tire
