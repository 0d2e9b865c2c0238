// The suspension templates: which bodies a corner has and how they are joined. Each leaves one
// degree of freedom, the arm's angle, beside the wheel's spin.
#include "camber/vehicle/corner_builder.h"

namespace camber::vehicle::internal {

// Arms with any two axes. The upright hangs on the lower arm's ball; the upper one closes the loop.
Corner build_double_wishbone(CornerBuilder* corner) {
  const Axle& axle = corner->axle();
  const Hardpoints& p = corner->points();
  const BodyIndex lower = corner->add_body("lower_arm", axle.lower_arm);
  const BodyIndex upper = corner->add_body("upper_arm", axle.upper_arm);
  const BodyIndex upright = corner->add_body("upright", axle.upright);
  const JointIndex travel =
      corner->arm_hinge(lower, p.lower_front, p.lower_back, axle.soft_lower_hinge);
  corner->arm_hinge(upper, p.upper_front, p.upper_back, axle.soft_upper_hinge);
  corner->ball(lower, upright, p.lower_ball);
  corner->close_with_ball("upper_ball", upper, upright, p.upper_ball);
  corner->tie_rod(upright);
  corner->spring_and_shock(lower);
  return corner->finish(upright, travel);
}

// [002] section 4, figure 5: lower arm AD, upright DF and upper arm FG are a four-bar in the plane
// normal to the lower arm's axis, cut at G; lower shock arm BI and upper one HJ a slider-crank, cut
// at J; the spindle EK turns on the upright about DF, and the tie rod KL, cut at L, holds it.
Corner build_planar_double_wishbone(CornerBuilder* corner) {
  const Axle& axle = corner->axle();
  const Hardpoints& p = corner->points();
  const Vector3 axis = (p.lower_front - p.lower_back).normalized();
  const BodyIndex lower = corner->add_body("lower_arm", axle.lower_arm);
  const BodyIndex upper = corner->add_body("upper_arm", axle.upper_arm);
  const BodyIndex upright = corner->add_body("upright", axle.upright);
  const BodyIndex spindle = corner->add_body("spindle", axle.spindle);
  const JointIndex travel =
      corner->hinge(corner->chassis(), lower, 0.5 * (p.lower_front + p.lower_back), axis);  // A
  corner->hinge(lower, upright, p.lower_ball, axis);                                        // D
  corner->hinge(upright, upper, p.upper_ball, axis);                                        // F
  corner->close_with_hinge("upper_hinge", corner->chassis(), upper,
                           0.5 * (p.upper_front + p.upper_back), axis);        // G
  corner->hinge(upright, spindle, p.lower_ball, p.upper_ball - p.lower_ball);  // E
  if (axle.has_tie_rod_body) {
    const BodyIndex tie_rod = corner->add_body("tie_rod", axle.tie_rod);
    corner->universal(spindle, tie_rod, p.tie_rod_outer, p.tie_rod_inner - p.tie_rod_outer);  // K
    corner->close_with_ball("tie_rod_inner", corner->tie_rod_base(), tie_rod,
                            p.tie_rod_inner);  // L
  } else {
    corner->tie_rod(spindle);
  }
  if (axle.has_shock_bodies) {
    // The strut's plane is that of its lower end.
    const Vector3 B = p.shock_bottom, J = p.shock_top - axis * axis.dot(p.shock_top - B);
    const BodyIndex lower_shock = corner->add_body("lower_shock", axle.lower_shock);
    const BodyIndex upper_shock = corner->add_body("upper_shock", axle.upper_shock);
    corner->hinge(lower, lower_shock, B, axis);
    corner->slide(lower_shock, upper_shock, J, J - B);
    corner->close_with_hinge("shock_top", corner->chassis(), upper_shock, J, axis);  // J
  }
  corner->spring_and_shock(lower);
  return corner->finish(spindle, travel);
}

// The strut's rod hangs on a ball at its top, the upright slides along it and ends in the lower
// arm's ball: the kingpin is the line between the two balls.
Corner build_mcpherson(CornerBuilder* corner) {
  const Axle& axle = corner->axle();
  const Hardpoints& p = corner->points();
  const BodyIndex lower = corner->add_body("lower_arm", axle.lower_arm);
  const BodyIndex strut = corner->add_body("strut", axle.strut);
  const BodyIndex upright = corner->add_body("upright", axle.upright);
  const JointIndex travel =
      corner->arm_hinge(lower, p.lower_front, p.lower_back, axle.soft_lower_hinge);
  corner->ball(corner->chassis(), strut, p.strut_top);
  corner->slide(strut, upright, p.strut_bottom, p.strut_top - p.strut_bottom);
  corner->close_with_ball("lower_ball", lower, upright, p.lower_ball);
  corner->tie_rod(upright);
  corner->spring_and_shock(upright);
  return corner->finish(upright, travel);
}

Corner build_trailing_arm(CornerBuilder* corner) {
  const Axle& axle = corner->axle();
  const Hardpoints& p = corner->points();
  const BodyIndex arm = corner->add_body("arm", axle.arm);
  // From the outer bearing to the inner one: bump is positive for an arm that trails.
  const JointIndex travel = corner->hinge(corner->chassis(), arm, 0.5 * (p.arm_inner + p.arm_outer),
                                          p.arm_outer - p.arm_inner);
  corner->spring_and_shock(arm);
  return corner->finish(arm, travel);
}

}  // namespace camber::vehicle::internal
