#include "camber/vehicle/vehicle.h"

#include <algorithm>

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

std::vector<NamedPoint> all_points(Hardpoints* p) {
  return {{"wheel", &p->wheel},
          {"lower_front", &p->lower_front},
          {"lower_back", &p->lower_back},
          {"lower_ball", &p->lower_ball},
          {"upper_front", &p->upper_front},
          {"upper_back", &p->upper_back},
          {"upper_ball", &p->upper_ball},
          {"tie_rod_inner", &p->tie_rod_inner},
          {"tie_rod_outer", &p->tie_rod_outer},
          {"spring_top", &p->spring_top},
          {"spring_bottom", &p->spring_bottom},
          {"shock_top", &p->shock_top},
          {"shock_bottom", &p->shock_bottom},
          {"strut_top", &p->strut_top},
          {"strut_bottom", &p->strut_bottom},
          {"arm_inner", &p->arm_inner},
          {"arm_outer", &p->arm_outer}};
}

std::vector<Part*> all_parts(Axle* a) {
  return {&a->lower_arm,   &a->upper_arm,   &a->upright, &a->spindle, &a->tie_rod,
          &a->lower_shock, &a->upper_shock, &a->strut,   &a->arm,     &a->wheel.part};
}

Vector3 Trailer::offset() const { return hitch - vehicle->drawbar.value_or(Vector3::Zero()); }

std::vector<Axle> all_axles(const Vehicle& vehicle) {
  std::vector<Axle> axles = vehicle.axles;
  if (!vehicle.trailer) return axles;
  for (Axle axle : vehicle.trailer->vehicle->axles) {
    axle.name = "trailer_" + axle.name;
    axles.push_back(std::move(axle));
  }
  return axles;
}

}  // namespace camber::vehicle
