#pragma once

#include <vector>

#include "camber/multibody/compile.h"
#include "camber/multibody/kinematics.h"

namespace camber::multibody {

/// One dependent coordinate in closed form, from the present places of its loop's links: P moves
/// with it, Q does not. All points are given on a link, in its axes. docs/theory/multibody.md,
/// section 5.
struct ClosedFormStep {
  enum class Kind {
    kDistance,  // rotate the link until |P - Q| = length
    kSlide,     // slide the link until |P - Q| = length
    kAim,       // rotate the link until P is in the direction of Q, seen from its axis
    kLevel,     // rotate the link until P is as far along the axis of `other_axis` as Q
    kPoint,   // the smallest rotation of a ball-jointed link that brings P into the direction of Q,
              // seen from its joint
    kCouple,  // the coordinate that a coupler's equation gives
    kSettle,  // kPoint and a spin in one: spin_end in the direction of end_target, |P - Q| = length
  };
  struct Point {
    int link = 0;
    Vector3 p = Vector3::Zero();
  };
  Kind kind = Kind::kDistance;
  int link = 0;  // whose coordinate is computed
  Point P, Q;
  /// A ball-jointed link with one point in place rotates about the line from its joint to that
  /// point; all others about their own axis.
  bool is_spin = false;
  Point spin_end;
  /// For kSettle: P is at distance `along` on the first and `across` on the second of three axes on
  /// the link; spin_end is on the first.
  Point end_target;
  Matrix3 axes = Matrix3::Identity();
  double along = 0, across = 0;  // [m]
  bool planar = false;           // distances are measured normal to the axis of other_axis
  int other_axis = 0;            // a link
  double length = 0;             // [m] of a rod
  /// For a loop of bodies the length is the distance of two points, which known joints may change.
  bool has_length_points = false;
  Point length_from, length_to;
  bool length_is_carried = false;  // the first point's link carries the second one
  int row = 0;                     // of a coupler, in Model::rows
  double branch =
      1;  // which of the two solutions: that of the configuration where the plan was made
  std::vector<int> moved;  // links to be placed afterwards
};

/// The steps in executable form: points are on the innermost link that carries them, constant
/// lengths are numbers, both steps of a ball-jointed link are merged, independent steps are
/// interleaved, and a link is placed only if it is used before it is placed again.
struct ClosureOrder {
  std::vector<int> placed_first;  // links to be placed before the first step
  std::vector<ClosedFormStep> steps;
};
ClosureOrder order_steps(const Model<double>& model, const Cluster& cluster,
                         const std::vector<ClosedFormStep>& plan);

/// Adds the steps of a cluster that does not depend on the links in `order`, interleaving both
/// evenly.
void add_in_turn(const ClosureOrder& other, ClosureOrder* order);

/// A plan to close a cluster's loops one after the other, each as soon as it has only two unknown
/// joints, of which one moves until a distance is right and the other aims:
///   planar loops of pins (four-bar, [002] eq. 15-22) or of pins and a slide (slider-crank, strut,
///   [002] 5.2); spatial loops in which a universal or ball joint aims (tie rod, [002] 5.3;
///   wishbone and upright; strut). Rods to a point that one joint moves and couplers with one
///   unknown coordinate need one step.
/// Empty if some coordinate is left over: then Newton's method has to find it. `is_known` (one flag
/// per speed) are independent and driven coordinates; q has closed loops.
std::vector<ClosedFormStep> plan_closed_form(const MechanismTree& mechanism, const Cluster& cluster,
                                             const std::vector<bool>& is_known,
                                             const VectorX<double>& q);

/// Places a cluster's links and closes its loops; the link that carries it must be in place, and
/// sines and cosines must be those of q. Updates q, sines and cosines.
template <class T>
void close_in_closed_form(const Model<T>& model, const ClosureOrder& order, VectorX<T>* q,
                          PositionKinematics<T>* pos);

/// The rotation [rad] or displacement [m] of a step if all links are in place for q; not for kPoint
/// and kCouple.
double calc_missing(const Model<double>& model, const ClosedFormStep& step,
                    const VectorX<double>& q, const PositionKinematics<double>& pos);

}  // namespace camber::multibody
