#pragma once

// The parts of one corner as added to a mechanism: named after the corner, and mirrored on the
// right side, so that equal motions of both sides have equal coordinates.

#include <string>
#include <string_view>

#include "camber/multibody/mechanism.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle.h"

namespace camber::vehicle::internal {

using multibody::BodyIndex, multibody::JointIndex, multibody::JointType;

/// A right-handed frame at p with the given z.
Isometry3 frame_at(const Vector3& p, const Vector3& z);

class CornerBuilder {
 public:
  /// `tie_rod_base` carries the tie rod's inner end: the chassis or a part of the steering.
  CornerBuilder(const Axle& axle, int axle_index, bool is_left, BodyIndex chassis,
                BodyIndex tie_rod_base, multibody::Mechanism* mechanism);

  const Axle& axle() const { return axle_; }
  /// As given, on the left side.
  const Hardpoints& points() const { return axle_.points; }
  BodyIndex chassis() const { return chassis_; }
  BodyIndex tie_rod_base() const { return tie_rod_base_; }

  BodyIndex add_body(std::string_view part, const Part& figures);

  // Joints, at places of the left side. A joint is named after its child, or, if it closes a loop,
  // after its kind.
  JointIndex hinge(BodyIndex parent, BodyIndex child, const Vector3& p, const Vector3& axis);
  JointIndex slide(BodyIndex parent, BodyIndex child, const Vector3& p, const Vector3& axis);
  JointIndex ball(BodyIndex parent, BodyIndex child, const Vector3& p);
  JointIndex universal(BodyIndex parent, BodyIndex child, const Vector3& p, const Vector3& along);
  void close_with_hinge(std::string_view name, BodyIndex a, BodyIndex b, const Vector3& p,
                        const Vector3& axis);
  void close_with_ball(std::string_view name, BodyIndex a, BodyIndex b, const Vector3& p);
  void rod(std::string_view name, BodyIndex a, BodyIndex b, const Vector3& P, const Vector3& Q);
  /// An arm's hinge, ideal or soft.
  JointIndex arm_hinge(BodyIndex arm, const Vector3& front, const Vector3& back,
                       const std::optional<SoftHinge>& soft);

  /// Spring, stops and shock between the chassis and an arm or upright.
  void spring_and_shock(BodyIndex lower);
  /// The tie rod with its body or without, to the steered part.
  void tie_rod(BodyIndex steered);
  /// The wheel on its carrier; ends the corner.
  Corner finish(BodyIndex carrier, JointIndex travel);

 private:
  Vector3 here(const Vector3& p) const;
  Isometry3 turning_frame(const Isometry3& X) const;
  Isometry3 sliding_frame(const Isometry3& X) const;
  std::string named(std::string_view part) const;
  JointIndex add_joint(JointType type, std::string name, BodyIndex parent, BodyIndex child,
                       const Isometry3& X, bool closes);

  const Axle& axle_;
  int axle_index_;
  bool is_left_;
  BodyIndex chassis_, tie_rod_base_;
  multibody::Mechanism* mechanism_;
};

// --- The templates ---

Corner build_double_wishbone(CornerBuilder* corner);
Corner build_planar_double_wishbone(CornerBuilder* corner);
Corner build_mcpherson(CornerBuilder* corner);
Corner build_trailing_arm(CornerBuilder* corner);

}  // namespace camber::vehicle::internal
