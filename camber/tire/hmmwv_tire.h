#pragma once

#include "camber/tire/fiala.h"
#include "camber/tire/tmeasy.h"

namespace camber::tire {

/// The HMMWV's 37x12.50R16.5LT as Project Chrono's data set has it (BSD-3-Clause): TMeasy's 80 %
/// truck pattern scaled to the rated load of 17.1 kN at 345 kPa. No manufacturer's handling data
/// are public.
TmeasyTire make_hmmwv_tmeasy();
FialaTire make_hmmwv_fiala();

}  // namespace camber::tire
