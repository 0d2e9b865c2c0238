#include "camber/dynamics/equipment.h"

namespace camber::dynamics {

Equipment make_hmmwv_equipment() {
  Equipment equipment;
  equipment.driveline = driveline::make_hmmwv_driveline();
  equipment.brakes.assign(4, {});
  equipment.has_parking_brake = {false, false, true, true};
  equipment.air.center = {0, 0, 0.45};
  return equipment;
}

}  // namespace camber::dynamics
