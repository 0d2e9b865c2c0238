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

/// A quantity that moves with the coordinates y: its value, its partial derivatives x_j, its rate
/// and what is left of its second derivative where all y'' are zero.
template <class X>
struct Moving {
  X x;
  std::vector<X> by;  // one per column
  X rate, bias;
};
using PointMotion = Moving<Vec>;
using NumberMotion = Moving<Expr>;

/// How a link moves against the base, in its axes.
struct LinkMotion {
  Mat R;
  PointMotion origin;
  std::vector<Vec> w;  // angular velocity for a unit speed of each column
  Vec omega, alpha;    // angular velocity; angular acceleration where y'' = 0
  Expr sine, cosine;   // of a planar link: of its x axis against its basis
  NumberMotion turn;   // of a joint with one coordinate: from the reference
  bool has_turn = false;
};

/// Symbols of a coordinate: turns have sine and cosine, moves have the distance.
struct CoordinateSymbols {
  Expr sine, cosine, turn, rate;
};

/// The columns of a constant matrix.
Mat write_axes(const Matrix3& Q, Parameters* parameters);

/// Traces the motion of the links of one group with symbols. The group's own coordinates come
/// first among the columns, then those that it shares with others.
class MotionTracer {
 public:
  /// `own` are the parameters of the group, `shared` those of links that only shared coordinates
  /// move: equal for all groups that share them, and for the one that lends them its coordinates.
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
  /// The center of a link's body, by the shortest way.
  PointMotion center(int l) { return carried_point(l, sketch_.links[l].body.center); }
  /// Another point that moves with it, by the same way.
  PointMotion carried_point(int l, const Vector3& p);
  /// A coordinate of the tree, as its joint has it.
  NumberMotion coordinate(int l);

  /// What has to be positive for the loops to close.
  const std::vector<Expr>& pivots() const { return pivots_; }

  Expr parameter(double value) { return (*own_)(value); }
  /// Kept together under a name of its own: sums of sums are not taken apart.
  Expr atom(const Expr& e);
  Vec atom(const Vec& v) { return {atom(v[0]), atom(v[1]), atom(v[2])}; }

 private:
  /// Of links that the coordinates `lent` alone move.
  MotionTracer(const Sketch& sketch, std::vector<int> columns,
               std::vector<CoordinateSymbols> symbols, std::vector<int> lent, Parameters* own,
               Parameters* shared);
  void trace_lent_links();

  struct Axes {  // about which a link turns
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
  /// A link at its turned place: R and the origin's motion; then, once its rates are known, w ...
  void turn_to(const Axes& axes, const Expr& sine, const Expr& cosine, LinkMotion* motion) const;
  void set_rates(int l, const Vec& u, NumberMotion turn, LinkMotion* motion);
  /// Of a link that aims: how far its slide is out.
  const NumberMotion& stretch(int slide);
  NumberMotion coupled_turn(int l);
  Expr root_of(const Expr& square);

  const Sketch& sketch_;
  Parameters *own_, *shared_;
  std::vector<int> columns_;
  std::vector<CoordinateSymbols> symbols_;
  std::vector<int> lent_;  // coordinates whose links have shared parameters
  // Where shared links are planar, they are traced in axes in which that shows, Q of the base's.
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
