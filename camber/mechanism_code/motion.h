#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "camber/math/vec3.h"
#include "camber/mechanism_code/parameters.h"
#include "camber/mechanism_code/sketch.h"
#include "camber/symbolic/matrix.h"

namespace camber::mechanism_code {

template <class T>
using Vec = math::Vec3<T>;
template <class T>
using Mat = math::Mat3<T>;

/// A quantity that depends on the coordinates y: its value x, its partial derivatives x_j (`by`),
/// its rate x', and its second derivative for y'' = 0 (`bias`).
template <class X>
struct Moving {
  X x;
  std::vector<X> by;  // one per column
  X rate, bias;
};
template <class T>
using PointMotion = Moving<Vec<T>>;
template <class T>
using NumberMotion = Moving<T>;

/// Motion of a link relative to the base, in the base's axes.
template <class T>
struct LinkMotion {
  Mat<T> R;
  PointMotion<T> origin;
  std::vector<Vec<T>> w;  // angular velocity for a unit speed of each column
  Vec<T> omega, alpha;    // angular velocity; angular acceleration for y'' = 0
  T sine, cosine;         // planar link: of the angle of its x axis in its basis
  NumberMotion<T> turn;   // joint with one coordinate: rotation from the reference
  bool has_turn = false;
};

/// Symbols of a coordinate: rotations have sine and cosine, slides have the distance.
template <class T>
struct CoordinateSymbols {
  T sine, cosine, turn, rate;
};

/// The columns of a constant matrix.
template <class T>
Mat<T> write_axes(const Matrix3& Q, Parameters<T>* parameters);

/// Traces the motion of the links of one group: builds its expressions from symbols. A column is a
/// coordinate that moves some link of the group: first the group's own coordinates, then those that
/// it shares with others. T is Expr, for equations, or Fingerprint, for a hash of them.
template <class T>
class MotionTracer {
 public:
  /// `own` are the parameters of the group, `shared` those of links that only shared coordinates
  /// move. The shared ones are the same symbols in all groups that use these coordinates, and in
  /// the group that owns them and lends them to the others (`lends_coordinates`).
  MotionTracer(const Sketch& sketch, const Group& group, bool lends_coordinates, Parameters<T>* own,
               Parameters<T>* shared);

  int columns() const { return static_cast<int>(columns_.size()); }
  const CoordinateSymbols<T>& symbols(int column) const { return symbols_[column]; }

  const LinkMotion<T>& link(int l);
  /// A point of the reference configuration that moves with link l.
  PointMotion<T> point(int l, const Vector3& p, Parameters<T>* parameters);
  PointMotion<T> point(const SketchPoint& p) { return point(p.link, p.p, own_); }
  /// Axes of the reference configuration that move with link l, as columns.
  Mat<T> axes_on(int l, const Matrix3& axes);
  /// The center of a link's body, in the shortest form.
  PointMotion<T> center(int l) { return carried_point(l, sketch_.links[l].body.center); }
  /// Another point that moves with the link, in the same form.
  PointMotion<T> carried_point(int l, const Vector3& p);
  /// A coordinate of the tree, with the sign and zero of its joint.
  NumberMotion<T> coordinate(int l);

  /// Values that must be positive for the loops to close.
  const std::vector<T>& pivots() const { return pivots_; }

  T parameter(double value) { return (*own_)(value); }
  /// An atom: the expression under a name of its own, so that sums are not flattened into sums that
  /// use it and its operations are shared.
  T atom(const T& e);
  Vec<T> atom(const Vec<T>& v) { return {atom(v[0]), atom(v[1]), atom(v[2])}; }

 private:
  /// A tracer for the links that only the lent coordinates move.
  MotionTracer(const Sketch& sketch, std::vector<int> columns,
               std::vector<CoordinateSymbols<T>> symbols, std::vector<int> lent, Parameters<T>* own,
               Parameters<T>* shared);
  void trace_lent_links();

  struct Axes {  // of a rotating link
    Vec<T> x, y, u;
  };

  bool is_shared(int l) const;
  Parameters<T>* parameters_of(int l) { return is_shared(l) ? shared_ : own_; }
  Vec<T> vector(const Vector3& v, Parameters<T>* parameters);
  Vec<T> on_link(int l, const Vector3& v,
                 Parameters<T>* parameters);  // a direction of the reference
  PointMotion<T> still(const Vec<T>& x) const;
  LinkMotion<T> still_link() const;
  PointMotion<T> find_point(int l, const Vector3& p, Parameters<T>* parameters);
  PointMotion<T> beside(const LinkMotion<T>& motion, const PointMotion<T>& from,
                        const Vec<T>& offset);
  Vec<T> total(const std::vector<Vec<T>>& by) const;
  T total(const std::vector<T>& by) const;

  LinkMotion<T> trace(int l);
  PointMotion<T> from_shared(PointMotion<T> point) const;
  LinkMotion<T> from_shared(LinkMotion<T> motion) const;
  LinkMotion<T> trace_turn(int l);
  LinkMotion<T> trace_slide(int l);
  LinkMotion<T> trace_mover(int l);
  LinkMotion<T> trace_aimer(int l);
  LinkMotion<T> trace_stretch(int l);
  LinkMotion<T> trace_ball(int l);
  LinkMotion<T> trace_universal(int l);
  Axes axes_of(int l);
  /// Place a rotated link: turn_to() sets R and the origin's motion; set_rates() then sets w, omega
  /// and alpha.
  void turn_to(const Axes& axes, const T& sine, const T& cosine, LinkMotion<T>* motion) const;
  void set_rates(int l, const Vec<T>& u, NumberMotion<T> turn, LinkMotion<T>* motion);
  /// Extension of the slide of a link that aims.
  const NumberMotion<T>& stretch(int slide);
  /// The rotation or the distance that a coupler gives, from the reference.
  NumberMotion<T> coupled(int l);
  T root_of(const T& square);

  const Sketch& sketch_;
  Parameters<T>*own_, *shared_;
  std::vector<int> columns_;
  std::vector<CoordinateSymbols<T>> symbols_;
  std::vector<int> lent_;  // coordinates whose links have shared parameters
  // Planar shared links are traced in axes aligned with their plane: those of the base rotated by
  // Q.
  Matrix3 plane_ = Matrix3::Identity();
  Mat<T> Q_ = Mat<T>::identity();
  std::unique_ptr<Sketch> turned_;
  std::unique_ptr<MotionTracer<T>> in_plane_;
  std::map<int, LinkMotion<T>> links_;
  std::map<std::array<long long, 4>, PointMotion<T>> points_;
  std::map<int, NumberMotion<T>> stretches_;
  std::vector<T> pivots_;
  int atoms_ = 0;
};

}  // namespace camber::mechanism_code
