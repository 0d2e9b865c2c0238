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

}  // namespace camber::tire
