#pragma once

// The underside of a vehicle's body on the ground: points that push back when the ground reaches
// above them. docs/theory/driving.md, section 11.

#include <algorithm>
#include <span>
#include <vector>

#include "camber/dynamics/chassis_loads.h"
#include "camber/dynamics/ground.h"
#include "camber/dynamics/ground_contact.h"
#include "camber/vehicle/shape.h"

namespace camber::dynamics {

/// The room of a wheel, where a shape has no underside: boxes of a shape have no wheel arches.
struct WheelRoom {
  double x = 0, y = 0;                // of the center, in the vehicle's frame [m]
  double radius = 0, half_width = 0;  // [m]
};

/// Points on the underside of a shape, in the vehicle's frame: a grid over its outline, edges
/// included, without the wheels' places.
std::vector<Vec3<double>> find_underside(const vehicle::Shape& shape,
                                         std::span<const WheelRoom> wheels);

/// The force of one point. Normal force k d (1 + c d') of depth d [Hunt & Crossley 1975], not below
/// zero; the body crushes beyond max_depth, where the force no longer grows. Friction opposes
/// sliding.
struct BodyContactLaw {
  double stiffness = 0;      // k [N/m]
  double damping = 1;        // c [s/m]
  double max_depth = 0.1;    // [m]
  double friction = 0.4;     // of metal on ground whose factor of friction is 1 [-]
  double soft_speed = 0.05;  // friction is proportional to the speed below about this [m/s]
};

/// A body whose weight presses one point 2 cm into the ground.
BodyContactLaw make_body_contact_law(double weight);

struct BodyContactLoad {
  Vec3<double> force, torque;  // on the chassis body, at its frame's origin [N], [N m]
  double power = 0;            // of these on the body; what the ground takes is its negative [W]
  double depth = 0;            // of the deepest point [m]
};

/// A box in the frame of the body.
template <class T>
struct BasicBodyBox {
  Vec3<T> min, max;  // [m]
};
using BodyBox = BasicBodyBox<double>;

/// Height of the lowest corner of a box over a plane, measured upward [m].
template <class T>
T calc_lowest_height(const PlaneGround<T>& plane, const math::Mat3<T>& R_WB, const Vec3<T>& p_WB,
                     const BasicBodyBox<T>& box) {
  const auto rise = [&](const Vec3<T>& x) {
    return x[2] - plane.slope_x * x[0] - plane.slope_y * x[1];
  };
  T lowest = rise(p_WB) - plane.height;
  for (int i = 0; i < 3; ++i) {
    using std::min;
    const T along = rise(R_WB.c[i]);
    lowest += min(T(along * box.min[i]), T(along * box.max[i]));
  }
  return lowest;
}

/// No call allocates. Soil is felt as it was before wheels pressed it.
class BodyContact {
 public:
  BodyContact() = default;
  /// Throws std::invalid_argument for laws whose numbers are not positive.
  BodyContact(std::vector<Vec3<double>> points, const BodyContactLaw& law);

  /// The box around all points; one point at the origin if there are none.
  const BodyBox& box() const { return box_; }
  /// Whether a point can touch the ground before the body has moved by `reach`.
  bool is_near(const BodyMotion& body, double reach, Ground* ground) const;
  BodyContactLoad calc(const BodyMotion& body, Ground* ground) const;

 private:
  std::vector<Vec3<double>> points_;
  BodyContactLaw law_;
  BodyBox box_;
};

}  // namespace camber::dynamics
