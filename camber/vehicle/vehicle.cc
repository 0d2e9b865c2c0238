#include "camber/vehicle/vehicle.h"

namespace camber::vehicle {

const char* to_text(SuspensionType type) {
  switch (type) {
    case SuspensionType::kDoubleWishbone:
      return "double_wishbone";
    case SuspensionType::kPlanarDoubleWishbone:
      return "planar_double_wishbone";
    case SuspensionType::kMcPherson:
      return "mcpherson";
    case SuspensionType::kTrailingArm:
      return "trailing_arm";
  }
  return "";
}

std::vector<Vector3*> all_points(Hardpoints* p) {
  return {&p->wheel,         &p->lower_front, &p->lower_back,    &p->lower_ball,
          &p->upper_front,   &p->upper_back,  &p->upper_ball,    &p->tie_rod_inner,
          &p->tie_rod_outer, &p->spring_top,  &p->spring_bottom, &p->shock_top,
          &p->shock_bottom,  &p->strut_top,   &p->strut_bottom,  &p->arm_inner,
          &p->arm_outer};
}

std::vector<Part*> all_parts(Axle* a) {
  return {&a->lower_arm,   &a->upper_arm,   &a->upright, &a->spindle, &a->tie_rod,
          &a->lower_shock, &a->upper_shock, &a->strut,   &a->arm,     &a->wheel.part};
}

}  // namespace camber::vehicle
