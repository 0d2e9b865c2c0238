#include "camber/dynamics/tree_motion.h"

#include <utility>

#include "camber/dynamics/generated_chassis.h"

namespace camber::dynamics {

TreeMotion::TreeMotion(const vehicle::VehicleMechanism& mechanism)
    : TreeMotion(MechanismChassis(mechanism, multibody::Formulation::kCe)) {}

TreeMotion::TreeMotion(MechanismChassis embedded)
    : chassis_(std::move(embedded)),
      q_(chassis_.initial_q().begin(), chassis_.initial_q().end()),
      v_(chassis_.initial_v().begin(), chassis_.initial_v().end()),
      start_(q_),
      marked_(q_) {}

template <class Chassis>
bool TreeMotion::follow(Chassis* chassis, double t, std::span<const double> q,
                        std::span<const double> v) {
  start_ = q_;
  chassis->to_tree(q, v, q_, v_);
  if constexpr (Chassis::has_projection()) return chassis_.calc_motion(t, q_, v_);
  if (chassis_.complete_motion(t, q_, v_, is_quick_)) return true;
  q_.assign(chassis_.initial_q().begin(), chassis_.initial_q().end());
  chassis->to_tree(q, v, q_, v_);
  if (chassis_.complete_motion(t, q_, v_, is_quick_)) return true;
  q_ = start_;
  return false;
}

template bool TreeMotion::follow(MechanismChassis*, double, std::span<const double>,
                                 std::span<const double>);
template bool TreeMotion::follow(GeneratedChassis*, double, std::span<const double>,
                                 std::span<const double>);

}  // namespace camber::dynamics
