#pragma once

#include "camber/tire/rolling_tire.h"

namespace camber::tire {

/// The HMMWV's 37x12.50R16.5LT as Project Chrono's data set has it (BSD-3-Clause): TMeasy's 80 %
/// truck pattern scaled to the rated load of 17.1 kN at 345 kPa. No manufacturer's handling data
/// are public.
TmeasyTire make_hmmwv_tmeasy();
FialaTire make_hmmwv_fiala();
/// TMeasy's behind deflections, with the load curve of the same data set. Its
/// relaxation lengths are the cornering stiffness over a carcass of 150 kN/m: the data sets' own
/// (2 m, 0.08 m) contradict each other.
RollingTire make_hmmwv_tire();

}  // namespace camber::tire
