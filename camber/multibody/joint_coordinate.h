#pragma once

#include <cassert>
#include <span>
#include <string>
#include <vector>

#include "camber/multibody/forces.h"

namespace camber::multibody {

/// One coordinate of a joint as a function of two links' poses: if the joint is a set of equations,
/// as in `fa`, its angles and distances are not coordinates of the model.
struct JointCoordinate {
  JointType type = JointType::kRevolute;
  int axis = 0;
  int a = 0, b = 0;  // links
  Mat3<double> R_AF = Mat3<double>::identity(), R_BM = Mat3<double>::identity();
  Vec3<double> p_AF, p_BM;
  double factor = 1;
  double last = 0;  // angles continue from here, whole revolutions included
};

template <class T>
struct CoordinateGeometry {
  T value = T(0);
  Spatial<T> F;   // its rate is F . (V_b - V_a)
  T bias = T(0);  // F' . (V_b - V_a)
};

/// Value and rate at the poses in `pos` and the velocities in `vel`; an angle is the one nearest to
/// coordinate->last, which it becomes.
template <class T>
CoordinateGeometry<T> calc_coordinate(const PositionKinematics<T>& pos,
                                      const VelocityKinematics<T>& vel,
                                      JointCoordinate* coordinate);

/// A motion that is given: position, speed, acceleration of one axis.
struct GivenMotion {
  double position = 0, speed = 0, acceleration = 0;
};

/// sum of factor * coordinate = offset, or what drive number `drive` gives: couplers and driven
/// axes.
struct CoordinateRow {
  std::vector<JointCoordinate> terms;
  double offset = 0;
  int drive = -1;
  std::string name = {};  // for messages
  double unit = 1;        // what its error is measured by, as ConstraintRow::unit
};

/// The required value at this moment.
inline GivenMotion given_motion(const CoordinateRow& row, std::span<const GivenMotion> drives) {
  if (row.drive < 0) return {row.offset, 0, 0};
  assert(static_cast<std::size_t>(row.drive) < drives.size());
  return drives[static_cast<std::size_t>(row.drive)];
}

/// c'' + 2 rate c' + rate^2 c of such a row for the accelerations in vel.A; as calc_row_residual().
template <class T>
T calc_row_residual(const GivenMotion& given, const PositionKinematics<T>& pos,
                    const VelocityKinematics<T>& vel, double rate, CoordinateRow* row);

/// Forces along one axis of such a joint. Its coordinate and speed are the first entries of two
/// vectors.
struct AxisElement {
  JointCoordinate coordinate;
  AxisForce<double> force;
};

/// Applies its force to the two links; q and v, of one entry each, receive coordinate and speed.
template <class T>
void push_axis_force(const AxisForce<T>& force, const PositionKinematics<T>& pos,
                     const VelocityKinematics<T>& vel, JointCoordinate* coordinate, VectorX<T>* q,
                     VectorX<T>* v, Forces<T>* forces);

}  // namespace camber::multibody
