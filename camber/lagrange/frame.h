#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "camber/symbolic/matrix.h"

namespace camber::lagrange {

using symbolic::Expr;
using symbolic::Matrix3;
using symbolic::Vector3;
using Matrix4 = symbolic::Matrix<4, 4>;

enum class Axis { kX, kY, kZ };

class Frame;

/// One elementary rigid motion of a path.
struct Step {
  enum class Kind {
    kTranslation,
    kRotation,
    kAttitude,  // a rotation given as a matrix
    kQuasi,     // a pose that moves with velocities of its own, first in a path
    kAnchor,    // to a point of another frame, keeping the ground's axes, first in a path
  };
  Kind kind = Kind::kTranslation;
  Vector3 translation =
      Vector3::Zero();  // kTranslation, kAnchor: in the axes before the step; kQuasi
  std::shared_ptr<const Frame> anchor;     // kAnchor: the frame whose origin it goes to
  Axis axis = Axis::kX;                    // kRotation
  Expr angle;                              // kRotation [rad]
  Matrix3 rotation = Matrix3::Identity();  // kAttitude, kQuasi: any rotation matrix
  Vector3 w = Vector3::Zero();             // kQuasi: angular velocity, in the axes after the step
  // kQuasi, kAnchor: velocity of the origin, in the axes after the step
  Vector3 v = Vector3::Zero();

  friend bool operator==(const Step& a, const Step& b);
};

/// Angular velocity of a frame and velocity of its origin relative to the start of its path, in its
/// own axes.
struct Twist {
  Vector3 w = Vector3::Zero();
  Vector3 v = Vector3::Zero();
};

/// Their rates of change as seen from the start of the path, in the frame's own axes.
struct TwistRate {
  Vector3 w_dot = Vector3::Zero();
  Vector3 v_dot = Vector3::Zero();
};

/// A reference frame: 001 eq. 1, the 4x4 matrix T of a rigid motion that takes the ground to the
/// frame, or one frame to another.
///
/// It is kept as the path of elementary motions it was made of. What two paths share cancels before
/// anything is multiplied, and velocities run along the path (w <- R^T w + axis * rate, v <- R^T (v
/// + w x d) + d'): both keep expressions as short as a person would write them, without
/// simplification.
class Frame {
 public:
  Frame() = default;  // the ground

  const std::vector<Step>& path() const { return path_; }
  Matrix4 matrix() const;
  Matrix3 rotation() const;
  Vector3 origin() const;
  /// The motion of this frame relative to the start of its path, expressed in its own axes.
  Twist twist() const;
  /// Its rate of change, run along the path like the twist. Shorter than the derivative of the
  /// twist's components, which contains the rotation of the axes that w x v removes again. `start`
  /// is an acceleration added to all frames, in the axes at the start of the path: -gravity there
  /// saves transforming gravity into every body's axes.
  TwistRate twist_rate(const Vector3& start = Vector3::Zero()) const;

  /// Composition, eq. 2: T_k^j = T_k^i T_i^j. Neighboring rotations about one axis and neighboring
  /// translations become one; motions that cancel each other disappear.
  friend Frame operator*(const Frame& a, const Frame& b);
  friend bool operator==(const Frame& a, const Frame& b) { return a.path_ == b.path_; }

 private:
  friend Frame translate(const Vector3& p);
  friend Frame rotate(Axis axis, const Expr& angle);
  friend Frame attitude(const Matrix3& R);
  friend Frame quasi_coordinates(const Frame& pose, const Vector3& w, const Vector3& v);
  friend Frame anchored_at(const Frame& frame);
  friend Frame inverse(const Frame& frame);
  friend Frame without_steps(const Frame& frame, std::size_t first, std::size_t last);
  friend Frame without_translations(const Frame& frame);
  void append(const Step& step);

  std::vector<Step> path_;
};

Frame translate(const Expr& x, const Expr& y, const Expr& z);
Frame translate(const Vector3& p);
Frame rotate(Axis axis, const Expr& angle);
/// inv_frame of 001. Only the pose of a frame with quasi-velocities is inverted.
Frame inverse(const Frame& frame);
/// A rotation by any matrix; the caller ensures that it is orthogonal.
Frame attitude(const Matrix3& R);
/// Three successive rotations, each about an axis of the frame that results from the previous one:
/// "ZXZ", "ZYX", "xyz" ...; the same axis twice in a row throws std::invalid_argument.
Frame euler_angles(std::string_view sequence, const Expr& first, const Expr& second,
                   const Expr& third);
/// The unit quaternion e0 + e1 i + e2 j + e3 k; that its norm is 1 is a constraint of the model.
Frame euler_parameters(const Expr& e0, const Expr& e1, const Expr& e2, const Expr& e3);
/// [Denavit, Hartenberg 1955]: rotate Z by theta, translate d along z and a along x, rotate X by
/// alpha.
Frame denavit_hartenberg(const Expr& a, const Expr& alpha, const Expr& d, const Expr& theta);
/// 003 eq. 2-18: the pose of `pose`, moving with the body-fixed velocities w and v instead of with
/// the rates of the coordinates in it.
Frame quasi_coordinates(const Frame& pose, const Vector3& w, const Vector3& v);

/// The ground's axes at the origin of a frame that moves elsewhere: 001's
/// translate(all_comps(project(E, ground))), with the origin's velocity taken from the path it came
/// by.
Frame anchored_at(const Frame& frame);

/// The frame without the given number of steps at the start and at the end of its path.
Frame without_steps(const Frame& frame, std::size_t first, std::size_t last);
/// The contribution of the last `steps` steps, which are rotations, to the angular velocity, in the
/// axes before them.
Vector3 spin_of_last_steps(const Frame& frame, std::size_t steps);
/// Velocity of the origin in the axes of `axes`, summed along the path in whichever of its axes
/// gives the shortest result.
Vector3 origin_velocity(const Frame& frame, const Frame& axes);
/// The pose of `to` seen from `from`, T_from^-1 T_to, with what both paths share left out.
Frame relative(const Frame& from, const Frame& to);
/// The rotation only: translations are ignored, so more of the paths is shared.
Frame relative_rotation(const Frame& from, const Frame& to);
/// A vector's components in the axes at the start of the frame's path, one rotation after the
/// other.
Vector3 rotate_along(const Frame& frame, const Vector3& components);

}  // namespace camber::lagrange
