#pragma once

#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/kinematics.h"

namespace camber::multibody {

/// One dependent coordinate in closed form, from where its loop's links are now: P moves with it, Q
/// does not. All points are given on a link, in its axes. docs/theory/multibody.md, section 5.
struct ClosedFormStep {
  enum class Kind {
    kDistance,  // turn the link until |P - Q| = length
    kSlide,     // slide the link until |P - Q| = length
    kAim,       // turn the link until P is in the direction of Q, seen from its axis
  };
  struct Point {
    int link = 0;
    Vector3 p = Vector3::Zero();
  };
  Kind kind = Kind::kDistance;
  int link = 0;  // whose coordinate is found
  Point P, Q;
  bool planar = false;  // distances count normal to the axis of plane_link
  int plane_link = 0;
  double length = 0;  // [m] of a rod
  /// In a plane loop the length is the distance of two points, which joints that are known may
  /// change.
  Point length_from, length_to;
  double branch =
      1;  // which of the two solutions: that of the configuration where the plan was made
  std::vector<int> moved;  // links to be placed again afterwards
};

/// A way to close a cluster's loops one coordinate after the other: planar loops of pins (four-bar,
/// [002] eq. 15-22) or of pins and a slide (slider-crank, strut, [002] 5.2), in any order in which
/// each loop has only two unknown coordinates left, and rods to a point on a circle ([002] 5.3).
/// Empty where some coordinate is left over: then Newton's method has to find it. `is_known` (one
/// flag per speed) are independent and driven coordinates; q has closed loops.
std::vector<ClosedFormStep> plan_closed_form(const CompiledMechanism& mechanism,
                                             const Cluster& cluster,
                                             const std::vector<bool>& is_known,
                                             const VectorX<double>& q);

/// Carries out a plan on links that are in place for the q at hand; q and the links' places come
/// out changed.
template <class T>
void close_in_closed_form(const Model<T>& model, const std::vector<ClosedFormStep>& plan,
                          VectorX<T>* q, PositionKinematics<T>* pos);

}  // namespace camber::multibody
