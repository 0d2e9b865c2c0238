#pragma once

// A path over the ground, as a curve over its own length s.
//
//   Path path = PathBuilder(0, 0, 0).line(50).lane_change(60, 3.5).line(100).build();
//   Path track = make_spline(points, /*is_closed=*/true);
//   PathFoot foot = path.find_nearest(x, y);        // once: searches the whole path
//   foot = path.project(x, y, foot);                // afterwards: O(1), no allocation

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace camber::autonomy {

struct PathPoint {
  double x = 0, y = 0;                  // [m]
  double tangent_x = 1, tangent_y = 0;  // unit
  double curvature = 0;                 // left + [1/m]
};

/// Direction of the tangent [rad], in (-pi, pi].
double heading(const PathPoint& point);

/// The path's point below the vehicle.
struct PathFoot {
  double s = 0;          // [m]
  double deviation = 0;  // of the vehicle from the path, left + [m]
  PathPoint point = {};
  int piece = 0;  // where the next search starts
};

/// Pieces of at most about a meter, each a polynomial of fifth degree in s for x and for y that
/// has position, tangent and curvature of the curve at both ends: lines are exact, the error of a
/// circle of 20 m is 1e-10 m, of 5 m 1e-8 m, in position and in s. An open path continues straight
/// beyond its ends; a closed one takes s modulo its length.
class Path {
 public:
  Path() = default;

  bool empty() const { return pieces_.empty(); }
  double length() const { return length_; }
  bool is_closed() const { return is_closed_; }

  /// Min radius of its bends; infinite on a line. The time grows with the path's length.
  double min_radius() const;

  /// The point at s. The search starts at `piece`: a nearby number saves time.
  PathPoint at(double s, int piece = 0) const;

  /// The foot near the previous one: Newton's steps along the curve, and within three times the
  /// deviation if that is more than half a meter. Points that are nearer but far away along the
  /// path are not searched, so a path may cross itself.
  PathFoot project(double x, double y, const PathFoot& near) const;
  /// The nearest point of the whole path. The time grows with the path's length.
  PathFoot find_nearest(double x, double y) const;
  /// The foot at s of a vehicle that is on the path; `piece` as in at().
  PathFoot foot_at(double s, int piece = 0) const;
  /// The same path with its origin at (x, y) and its x axis in the direction of `heading`.
  Path moved(double x, double y, double heading) const;

 private:
  friend class PathBuilder;
  struct Piece {
    double s = 0, length = 0;          // [m]
    std::array<double, 6> cx{}, cy{};  // coefficients of x and y over s - piece.s
  };

  double wrap(double s) const;
  int find_piece(double s, int near) const;
  PathFoot descend(double x, double y, const PathFoot& near) const;
  PathPoint evaluate(const Piece& piece, double u) const;

  std::vector<Piece> pieces_;
  double length_ = 0;
  bool is_closed_ = false;
};

/// Joins lines, arcs, clothoids, lane changes and free curves, each from the end of the previous
/// one and in its direction.
class PathBuilder {
 public:
  PathBuilder(double x, double y, double heading);

  PathBuilder& line(double length);
  /// An arc of constant curvature, left +.
  PathBuilder& arc(double length, double curvature);
  /// The curvature changes from that of the previous part to `curvature`, linear in the distance.
  PathBuilder& clothoid(double length, double curvature);
  /// An offset to the left over the distance `length` ahead: D (10 t^3 - 15 t^4 + 6 t^5), the curve
  /// of minimum jerk.
  PathBuilder& lane_change(double length, double offset);

  /// A closed path must end where and as it starts, to 1e-6.
  Path build(bool is_closed = false);

 private:
  friend Path make_spline(std::span<const std::array<double, 2>> points, bool is_closed,
                          double power);

  void add_piece(const PathPoint& to, double length);
  template <class Curve>
  void add_curve(const Curve& curve);

  Path path_;
  PathPoint end_;
  double heading_ = 0;
};

/// A circle around (x, y), to the left or right, from its point at `angle`.
Path make_circle(double x, double y, double radius, double angle = 0, bool to_the_left = true);

/// Why points do not make a path: they reverse direction, or their curve has bends that no vehicle
/// can follow.
struct PathProblem {
  int point = 0;  // from 0; the first one concerned
  std::string text;
};

/// How far apart knots of a spline are, as a power of the chords' lengths. Centripetal knots [Lee
/// 1989] keep the curve near points that are unevenly spaced; chordal knots make it smoother, for
/// points that are on a smooth curve already.
inline constexpr double kCentripetal = 0.5, kChordal = 1;

/// Empty if make_spline() can make a path from the points.
std::optional<PathProblem> find_path_problem(std::span<const std::array<double, 2>> points,
                                             bool is_closed);
/// A cubic spline through points {x, y}; curvature is continuous, and zero at the ends unless
/// closed (then the first point is not repeated). Throws std::invalid_argument for points that do
/// not make a path.
Path make_spline(std::span<const std::array<double, 2>> points, bool is_closed = false,
                 double power = kCentripetal);

}  // namespace camber::autonomy
