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

using Vec = math::Vec3<Expr>;
using Mat = math::Mat3<Expr>;

/// A quantity that depends on the coordinates y: its value x, its partial derivatives x_j (`by`),
/// its rate x', and its second derivative for y'' = 0 (`bias`).
template <class X>
struct Moving {
  X x;
  std::vector<X> by;  // one per column
  X rate, bias;
};
using PointMotion = Moving<Vec>;
using NumberMotion = Moving<Expr>;

/// Motion of a link relative to the base, in the base's axes.
struct LinkMotion {
  Mat R;
  PointMotion origin;
  std::vector<Vec> w;  // angular velocity for a unit speed of each column
  Vec omega, alpha;    // angular velocity; angular acceleration for y'' = 0
  Expr sine, cosine;   // planar link: of the angle of its x axis in its basis
  NumberMotion turn;   // joint with one coordinate: rotation from the reference
  bool has_turn = false;
};

/// Symbols of a coordinate: rotations have sine and cosine, slides have the distance.
struct CoordinateSymbols {
  Expr sine, cosine, turn, rate;
};

/// The columns of a constant matrix.
Mat write_axes(const Matrix3& Q, Parameters* parameters);

/// Traces the motion of the links of one group: builds its expressions from symbols. A column is a
/// coordinate that moves some link of the group: first the group's own coordinates, then those that
/// it shares with others.
class MotionTracer {
 public:
  /// `own` are the parameters of the group, `shared` those of links that only shared coordinates
  /// move. The shared ones are the same symbols in all groups that use these coordinates, and in
  /// the group that owns them and lends them to the others (`lends_coordinates`).
  MotionTracer(const Sketch& sketch, const Group& group, bool lends_coordinates, Parameters* own,
               Parameters* shared);

  int columns() const { return static_cast<int>(columns_.size()); }
  const CoordinateSymbols& symbols(int column) const { return symbols_[column]; }

  const LinkMotion& link(int l);
  /// A point of the reference configuration that moves with link l.
  PointMotion point(int l, const Vector3& p, Parameters* parameters);
  PointMotion point(const SketchPoint& p) { return point(p.link, p.p, own_); }
  /// Axes of the reference configuration that move with link l, as columns.
  Mat axes_on(int l, const Matrix3& axes);
  /// The center of a link's body, in the shortest form.
  PointMotion center(int l) { return carried_point(l, sketch_.links[l].body.center); }
  /// Another point that moves with the link, in the same form.
  PointMotion carried_point(int l, const Vector3& p);
  /// A coordinate of the tree, with the sign and zero of its joint.
  NumberMotion coordinate(int l);

  /// Values that must be positive for the loops to close.
  const std::vector<Expr>& pivots() const { return pivots_; }

  Expr parameter(double value) { return (*own_)(value); }
  /// An atom: the expression under a name of its own, so that sums are not flattened into sums that
  /// use it and its operations are shared.
  Expr atom(const Expr& e);
  Vec atom(const Vec& v) { return {atom(v[0]), atom(v[1]), atom(v[2])}; }

 private:
  /// A tracer for the links that only the lent coordinates move.
  MotionTracer(const Sketch& sketch, std::vector<int> columns,
               std::vector<CoordinateSymbols> symbols, std::vector<int> lent, Parameters* own,
               Parameters* shared);
  void trace_lent_links();

  struct Axes {  // of a rotating link
    Vec x, y, u;
  };

  bool is_shared(int l) const;
  Parameters* parameters_of(int l) { return is_shared(l) ? shared_ : own_; }
  Vec vector(const Vector3& v, Parameters* parameters);
  Vec on_link(int l, const Vector3& v, Parameters* parameters);  // a direction of the reference
  PointMotion still(const Vec& x) const;
  LinkMotion still_link() const;
  PointMotion find_point(int l, const Vector3& p, Parameters* parameters);
  PointMotion beside(const LinkMotion& motion, const PointMotion& from, const Vec& offset);
  Vec total(const std::vector<Vec>& by) const;
  Expr total(const std::vector<Expr>& by) const;

  LinkMotion trace(int l);
  PointMotion from_shared(PointMotion point) const;
  LinkMotion from_shared(LinkMotion motion) const;
  LinkMotion trace_turn(int l);
  LinkMotion trace_slide(int l);
  LinkMotion trace_mover(int l);
  LinkMotion trace_aimer(int l);
  LinkMotion trace_stretch(int l);
  LinkMotion trace_ball(int l);
  LinkMotion trace_universal(int l);
  Axes axes_of(int l);
  /// Place a rotated link: turn_to() sets R and the origin's motion; set_rates() then sets w, omega
  /// and alpha.
  void turn_to(const Axes& axes, const Expr& sine, const Expr& cosine, LinkMotion* motion) const;
  void set_rates(int l, const Vec& u, NumberMotion turn, LinkMotion* motion);
  /// Extension of the slide of a link that aims.
  const NumberMotion& stretch(int slide);
  NumberMotion coupled_turn(int l);
  Expr root_of(const Expr& square);

  const Sketch& sketch_;
  Parameters *own_, *shared_;
  std::vector<int> columns_;
  std::vector<CoordinateSymbols> symbols_;
  std::vector<int> lent_;  // coordinates whose links have shared parameters
  // Planar shared links are traced in axes aligned with their plane: those of the base rotated by
  // Q.
  Matrix3 plane_ = Matrix3::Identity();
  Mat Q_ = Mat::identity();
  std::unique_ptr<Sketch> turned_;
  std::unique_ptr<MotionTracer> in_plane_;
  std::map<int, LinkMotion> links_;
  std::map<std::array<long long, 4>, PointMotion> points_;
  std::map<int, NumberMotion> stretches_;
  std::vector<Expr> pivots_;
  int atoms_ = 0;
};

}  // namespace camber::mechanism_code
