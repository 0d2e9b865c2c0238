#include "camber/autonomy/path.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <limits>
#include <numbers>
#include <sstream>

#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

constexpr double kSpacing = 1.0;  // max length of a piece that is not straight [m]
constexpr double kTurn = 0.2;     // max change of direction along a piece [rad]

constexpr double kMinPathRadius = 0.5;  // no vehicle turns in less [m]
constexpr double kSharpestTurn = 175;   // at a point [deg]
constexpr double kLongestPath = 1e6;    // a million pieces [m]

int count_pieces(double length, double max_curvature) {
  return static_cast<int>(std::ceil(length * std::max(1 / kSpacing, max_curvature / kTurn)));
}

// Gauss and Legendre's rule of five points on [0, 1].
constexpr std::array<double, 5> kNodes{0.04691007703066802, 0.23076534494715845, 0.5,
                                       0.76923465505284155, 0.95308992296933198};
constexpr std::array<double, 5> kWeights{0.11846344252809454, 0.23931433524968324,
                                         0.28444444444444444, 0.23931433524968324,
                                         0.11846344252809454};

template <class Function>
double integrate(const Function& f, double from, double to) {
  double sum = 0;
  for (std::size_t k = 0; k < kNodes.size(); ++k) {
    sum += kWeights[k] * f(from + kNodes[k] * (to - from));
  }
  return sum * (to - from);
}

/// The polynomial on [0, h] with value, slope and second derivative {p, d, b} at both ends.
std::array<double, 6> make_quintic(double p0, double d0, double b0, double p1, double d1, double b1,
                                   double h) {
  const double p = p1 - p0 - h * (d0 + h * b0 / 2), d = (d1 - d0 - h * b0) * h,
               b = (b1 - b0) * h * h;
  const double h3 = h * h * h;
  return {p0,
          d0,
          b0 / 2,
          (10 * p - 4 * d + b / 2) / h3,
          (-15 * p + 7 * d - b) / (h3 * h),
          (6 * p - 3 * d + b / 2) / (h3 * h * h)};
}

struct Derivatives {
  double value, first, second;
};

Derivatives evaluate_quintic(const std::array<double, 6>& c, double u) {
  return {c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5])))),
          c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5]))),
          2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5]))};
}

/// A point of a curve over any parameter.
struct CurvePoint {
  double x, y, dx, dy, ddx, ddy;
};

PathPoint to_path_point(const CurvePoint& c) {
  const double speed = std::hypot(c.dx, c.dy);
  return {.x = c.x,
          .y = c.y,
          .tangent_x = c.dx / speed,
          .tangent_y = c.dy / speed,
          .curvature = (c.dx * c.ddy - c.dy * c.ddx) / (speed * speed * speed)};
}

PathPoint go_straight(PathPoint point, double way) {
  point.x += way * point.tangent_x;
  point.y += way * point.tangent_y;
  point.curvature = 0;
  return point;
}

}  // namespace

double heading(const PathPoint& point) { return std::atan2(point.tangent_y, point.tangent_x); }

PathPoint Path::evaluate(const Piece& piece, double u) const {
  const Derivatives x = evaluate_quintic(piece.cx, u), y = evaluate_quintic(piece.cy, u);
  return to_path_point({x.value, y.value, x.first, y.first, x.second, y.second});
}

double Path::wrap(double s) const { return is_closed_ ? s - length_ * std::floor(s / length_) : s; }

int Path::find_piece(double s, int near) const {
  const int count = static_cast<int>(pieces_.size());
  for (const int k : {near, near + 1, near - 1}) {
    if (k < 0 || k >= count) continue;
    const bool after_start = k == 0 || s >= pieces_[k].s;
    if (after_start && (k + 1 == count || s < pieces_[k + 1].s)) return k;
  }
  const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), s,
                                     [](double x, const Piece& piece) { return x < piece.s; });
  return std::max(0, static_cast<int>(next - pieces_.begin()) - 1);
}

PathPoint Path::at(double s, int piece) const {
  assert(!empty());
  s = wrap(s);
  if (s < 0) return go_straight(evaluate(pieces_.front(), 0), s);
  if (s > length_) return go_straight(evaluate(pieces_.back(), pieces_.back().length), s - length_);
  const Piece& found = pieces_[find_piece(s, piece)];
  return evaluate(found, s - found.s);
}

double Path::min_radius() const {
  constexpr int kParts = 4;
  double most = 0;
  for (const Piece& piece : pieces_) {
    for (int k = 0; k <= kParts; ++k)
      most = std::max(most, std::abs(evaluate(piece, piece.length * k / kParts).curvature));
  }
  return 1 / most;
}

Path Path::moved(double x, double y, double heading) const {
  const double c = std::cos(heading), s = std::sin(heading);
  Path path = *this;
  for (Piece& piece : path.pieces_) {
    for (std::size_t k = 0; k < piece.cx.size(); ++k) {
      const double along = piece.cx[k], across = piece.cy[k];
      piece.cx[k] = c * along - s * across;
      piece.cy[k] = s * along + c * across;
    }
    piece.cx[0] += x;
    piece.cy[0] += y;
  }
  return path;
}

PathFoot Path::foot_at(double s, int piece) const {
  s = wrap(s);
  const int found = find_piece(s, piece);
  return {.s = s, .point = at(s, found), .piece = found};
}

// With t the tangent, n the normal and e the deviation, the distance along the path to the foot
// is d.t / (1 - kappa e) to first order; on a line or circle the first step is (nearly) exact. A
// long step that does not get nearer is halved, so that the foot does not oscillate in tight bends.
PathFoot Path::descend(double x, double y, const PathFoot& near) const {
  constexpr int kSteps = 60;
  constexpr double kLongest = 10, kShort = 1e-3, kClose = 1e-10;  // [m]
  PathFoot foot = near;
  foot.piece = find_piece(foot.s, foot.piece);
  foot.point = at(foot.s, foot.piece);
  for (int i = 0; i < kSteps; ++i) {
    const PathPoint& p = foot.point;
    const double along = (x - p.x) * p.tangent_x + (y - p.y) * p.tangent_y;
    foot.deviation = (y - p.y) * p.tangent_x - (x - p.x) * p.tangent_y;
    // Beyond the center of curvature the nearest point is on the other side: small steps only.
    const double shrink = std::max(1 - p.curvature * foot.deviation, 0.3);
    double step = std::clamp(along / shrink, -kLongest, kLongest);
    if (std::abs(step) < kClose) break;
    const double distance = std::hypot(x - p.x, y - p.y);
    PathFoot next = foot;
    for (;; step /= 2) {
      next.s = wrap(foot.s + step);
      next.piece = find_piece(next.s, foot.piece);
      next.point = at(next.s, next.piece);
      if (std::abs(step) < kShort || std::hypot(x - next.point.x, y - next.point.y) <= distance)
        break;
    }
    foot = next;
  }
  return foot;
}

// The foot of a vehicle that leaves a bend on its outer side would stay there: both neighbors of
// the bend's tip are farther away. So the search covers a range that grows with the deviation.
PathFoot Path::project(double x, double y, const PathFoot& near) const {
  constexpr double kOff = 0.5;   // [m]
  constexpr int kLooks = 24;     // samples on each side
  constexpr double kReach = 3;   // search radius over the distance
  constexpr double kGain = 0.8;  // another foot must be nearer by this factor
  PathFoot foot = descend(x, y, near);
  const double distance = std::hypot(x - foot.point.x, y - foot.point.y);
  if (!(distance > kOff)) return foot;
  double least = kGain * distance, nearest = 0;
  for (int k = -kLooks; k <= kLooks; ++k) {
    const double way = kReach * distance * k / kLooks;
    const PathPoint p = at(foot.s + way, foot.piece);
    const double here = std::hypot(x - p.x, y - p.y);
    if (here >= least) continue;
    least = here;
    nearest = way;
  }
  return nearest == 0 ? foot : descend(x, y, foot_at(foot.s + nearest, foot.piece));
}

PathFoot Path::find_nearest(double x, double y) const {
  require(!empty(), "Path::find_nearest: the path is empty");
  double nearest = std::numeric_limits<double>::infinity(), nearest_s = 0;
  for (const Piece& piece : pieces_) {
    const int count = std::max(2, static_cast<int>(std::ceil(piece.length / kSpacing)));
    for (int k = 0; k <= count; ++k) {
      const PathPoint p = evaluate(piece, piece.length * k / count);
      const double distance = std::hypot(x - p.x, y - p.y);
      if (distance < nearest) {
        nearest = distance;
        nearest_s = piece.s + piece.length * k / count;
      }
    }
  }
  return descend(x, y, foot_at(nearest_s));
}

PathBuilder::PathBuilder(double x, double y, double heading) : heading_(heading) {
  require(std::isfinite(x) && std::isfinite(y) && std::isfinite(heading),
          "PathBuilder: the start must be finite, got ", x, ", ", y, ", ", heading);
  end_ = {.x = x, .y = y, .tangent_x = std::cos(heading), .tangent_y = std::sin(heading)};
}

void PathBuilder::add_piece(const PathPoint& to, double length) {
  const PathPoint& from = end_;
  Path::Piece piece{.s = path_.length_, .length = length};
  piece.cx = make_quintic(from.x, from.tangent_x, -from.curvature * from.tangent_y, to.x,
                          to.tangent_x, -to.curvature * to.tangent_y, length);
  piece.cy = make_quintic(from.y, from.tangent_y, from.curvature * from.tangent_x, to.y,
                          to.tangent_y, to.curvature * to.tangent_x, length);
  path_.pieces_.push_back(piece);
  path_.length_ += length;
  end_ = to;
}

PathBuilder& PathBuilder::line(double length) {
  require(length > 0 && std::isfinite(length), "line: length must be > 0 m, got ", length);
  end_.curvature = 0;
  add_piece(go_straight(end_, length), length);
  return *this;
}

PathBuilder& PathBuilder::arc(double length, double curvature) {
  end_.curvature = curvature;
  return clothoid(length, curvature);
}

PathBuilder& PathBuilder::clothoid(double length, double curvature) {
  require(length > 0 && std::isfinite(length), "clothoid: length must be > 0 m, got ", length);
  require(std::isfinite(curvature), "clothoid: curvature must be finite, got ", curvature);
  const double start = end_.curvature, most = std::max(std::abs(start), std::abs(curvature));
  const int count = count_pieces(length, most);
  const double step = length / count, theta = heading_;
  const auto direction = [&](double s) {
    return theta + s * (start + 0.5 * s * (curvature - start) / length);
  };
  for (int k = 0; k < count; ++k) {
    const double from = k * step, to = (k + 1) * step;
    PathPoint next;
    next.x = end_.x + integrate([&](double s) { return std::cos(direction(s)); }, from, to);
    next.y = end_.y + integrate([&](double s) { return std::sin(direction(s)); }, from, to);
    heading_ = direction(to);
    next.tangent_x = std::cos(heading_);
    next.tangent_y = std::sin(heading_);
    next.curvature = start + (curvature - start) * (k + 1) / count;
    add_piece(next, step);
  }
  return *this;
}

/// `curve` over [0, 1], cut into pieces of equal length: their ends are searched in a table of
/// lengths, so that the curve's parameter may be uneven.
template <class Curve>
void PathBuilder::add_curve(const Curve& curve) {
  constexpr int kParts = 64;
  const auto speed = [&](double u) {
    const CurvePoint c = curve(u);
    return std::hypot(c.dx, c.dy);
  };
  std::array<double, kParts + 1> way{};
  double most = 0;
  for (int k = 0; k < kParts; ++k) {
    most = std::max(most, std::abs(to_path_point(curve((k + 0.5) / kParts)).curvature));
    way[k + 1] = way[k] + integrate(speed, static_cast<double>(k) / kParts, (k + 1.0) / kParts);
  }
  const int count = count_pieces(way.back(), most);
  const double step = way.back() / count;
  end_.curvature = to_path_point(curve(0)).curvature;
  for (int k = 1, part = 0; k <= count; ++k) {
    double u = 1;
    if (k < count) {
      while (way[part + 1] < k * step) ++part;
      const double from = static_cast<double>(part) / kParts, left = k * step - way[part];
      u = from + left / (way[part + 1] - way[part]) / kParts;
      for (int i = 0; i < 5; ++i) {
        u -= (integrate(speed, from, u) - left) / speed(u);
        u = std::clamp(u, from, from + 1.0 / kParts);
      }
    }
    add_piece(to_path_point(curve(u)), step);
  }
  heading_ = heading(end_);
}

PathBuilder& PathBuilder::lane_change(double length, double offset) {
  require(length > 0 && std::isfinite(length), "lane_change: length must be > 0 m, got ", length);
  require(std::isfinite(offset), "lane_change: offset must be finite, got ", offset);
  const PathPoint start = end_;
  add_curve([&](double t) -> CurvePoint {
    const double along = length * t, rate = length;
    const double across = offset * t * t * t * (10 + t * (-15 + 6 * t));
    const double across_rate = offset * 30 * t * t * (1 - t) * (1 - t);
    const double across_bend = offset * 60 * t * (1 - t) * (1 - 2 * t);
    const double tx = start.tangent_x, ty = start.tangent_y;
    return {start.x + along * tx - across * ty,
            start.y + along * ty + across * tx,
            rate * tx - across_rate * ty,
            rate * ty + across_rate * tx,
            -across_bend * ty,
            across_bend * tx};
  });
  return *this;
}

Path PathBuilder::build(bool is_closed) {
  require(!path_.empty(), "PathBuilder: a path needs at least one part");
  if (is_closed) {
    const PathPoint start = path_.at(0);
    const double gap = std::hypot(end_.x - start.x, end_.y - start.y);
    require(gap < 1e-6, "PathBuilder: a closed path must end where it starts, misses by ", gap,
            " m");
  }
  path_.is_closed_ = is_closed;
  return path_;
}

Path make_circle(double x, double y, double radius, double angle, bool to_the_left) {
  require(radius > 0 && std::isfinite(radius), "make_circle: radius must be > 0 m, got ", radius);
  const double pi = std::numbers::pi, side = to_the_left ? 1 : -1;
  return PathBuilder(x + radius * std::cos(angle), y + radius * std::sin(angle),
                     angle + side * pi / 2)
      .arc(2 * pi * radius, side / radius)
      .build(true);
}

namespace {

/// Solves lower[i] m[i-1] + diagonal[i] m[i] + upper[i] m[i+1] = right[i].
std::vector<double> solve_tridiagonal(const std::vector<double>& lower,
                                      std::vector<double> diagonal,
                                      const std::vector<double>& upper, std::vector<double> right) {
  const int n = static_cast<int>(right.size());
  for (int i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (int i = n - 1; i >= 0; --i) {
    if (i + 1 < n) right[i] -= upper[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
  return right;
}

/// Second derivatives of the cubic spline through p over chords h [de Boor 1978, chapter IV]. A
/// closed one has as many chords as points and couples the first and the last row, which Sherman
/// and Morrison's formula takes out again.
std::vector<double> find_bends(const std::vector<double>& p, const std::vector<double>& h,
                               bool is_closed) {
  const int n = static_cast<int>(p.size());
  assert(n >= 2);
  const auto chord = [&](int i) { return h[(i + n) % n]; };
  const auto slope = [&](int i) { return (p[(i + 1) % n] - p[(i + n) % n]) / chord(i); };
  std::vector<double> lower(n, 0.0), diagonal(n, 1.0), upper(n, 0.0), right(n, 0.0);
  for (int i = is_closed ? 0 : 1; i < (is_closed ? n : n - 1); ++i) {
    lower[i] = chord(i - 1);
    upper[i] = chord(i);
    diagonal[i] = 2 * (chord(i - 1) + chord(i));
    right[i] = 6 * (slope(i) - slope(i - 1));
  }
  if (!is_closed) return solve_tridiagonal(lower, diagonal, upper, right);

  const double corner = chord(n - 1), gamma = -diagonal[0];
  diagonal[0] -= gamma;
  diagonal[n - 1] -= corner * corner / gamma;
  std::vector<double> u(n, 0.0);
  u[0] = gamma;
  u[n - 1] = corner;
  std::vector<double> m = solve_tridiagonal(lower, diagonal, upper, right);
  const std::vector<double> z = solve_tridiagonal(lower, diagonal, upper, u);
  const double share = (m[0] + m[n - 1] * corner / gamma) / (1 + z[0] + z[n - 1] * corner / gamma);
  for (int i = 0; i < n; ++i) m[i] -= share * z[i];
  return m;
}

using Points = std::span<const std::array<double, 2>>;

double turn_between(const CurvePoint& a, const CurvePoint& b) {
  return std::abs(std::atan2(a.dx * b.dy - a.dy * b.dx, a.dx * b.dx + a.dy * b.dy));
}

/// A cubic spline over knots that are chord^power apart.
class Spline {
 public:
  Spline(Points points, bool is_closed, double power)
      : xs_(points.size()), ys_(points.size()), steps_(points.size()) {
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n; ++i) {
      xs_[i] = points[i][0];
      ys_[i] = points[i][1];
      const std::array<double, 2>& next = points[(i + 1) % n];
      steps_[i] = std::pow(std::hypot(next[0] - xs_[i], next[1] - ys_[i]), power);
    }
    bends_x_ = find_bends(xs_, steps_, is_closed);
    bends_y_ = find_bends(ys_, steps_, is_closed);
  }

  /// From point i to the next, t from 0 to 1.
  CurvePoint at(int i, double t) const {
    const std::size_t j = (i + 1) % xs_.size();
    const double h = steps_[i];
    const auto cubic = [&](const std::vector<double>& p, const std::vector<double>& m) {
      const double slope = p[j] - p[i] - h * h * (2 * m[i] + m[j]) / 6;
      const double c2 = h * h * m[i] / 2, c3 = h * h * (m[j] - m[i]) / 6;
      return Derivatives{p[i] + t * (slope + t * (c2 + t * c3)), slope + t * (2 * c2 + t * 3 * c3),
                         2 * c2 + 6 * t * c3};
    };
    const Derivatives x = cubic(xs_, bends_x_), y = cubic(ys_, bends_y_);
    return {x.value, y.value, x.first, y.first, x.second, y.second};
  }

  /// Min radius from point i to the next [m]: length over change of direction of parts that are
  /// halved until they bend little, so that a cusp between samples is found.
  double find_min_radius(int i) const {
    constexpr int kParts = 32;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kParts; ++k)
      least = std::min(least, min_radius(i, static_cast<double>(k) / kParts, (k + 1.0) / kParts));
    return least;
  }

 private:
  double min_radius(int i, double from, double to) const {
    constexpr double kLittle = 0.05;  // [rad]
    const CurvePoint a = at(i, from), b = at(i, to);
    const double way = std::hypot(b.x - a.x, b.y - a.y), turn = turn_between(a, b);
    if (turn < 1e-9) return std::numeric_limits<double>::infinity();
    if (turn < kLittle || way < 1e-3 * kMinPathRadius) return way / turn;
    const double middle = 0.5 * (from + to);
    if (!(middle > from && middle < to)) return 0;
    return std::min(min_radius(i, from, middle), min_radius(i, middle, to));
  }

  std::vector<double> xs_, ys_, steps_, bends_x_, bends_y_;
};

std::string shown(double value, int digits) {
  std::ostringstream text;
  text << std::setprecision(digits) << value;
  return text.str();
}

std::string name_point(int i, Points points) {
  return concat("point ", i + 1, " (", shown(points[i][0], 6), ", ", shown(points[i][1], 6), ")");
}

std::optional<PathProblem> find_bad_side(Points points, int sides) {
  const int n = static_cast<int>(points.size());
  double length = 0;
  for (int i = 0; i < sides; ++i) {
    const int j = (i + 1) % n;
    const double side = std::hypot(points[j][0] - points[i][0], points[j][1] - points[i][1]);
    if (!std::isfinite(side)) return PathProblem{i, name_point(i, points) + " must be finite"};
    if (!(side > 0))
      return PathProblem{j, concat(name_point(j, points), " is where point ", i + 1, " is")};
    length += side;
    if (length > kLongestPath)
      return PathProblem{j, concat("a path must be at most ", kLongestPath, " m long; at ",
                                   name_point(j, points), " it is ", shown(length, 4), " m")};
  }
  return {};
}

std::optional<PathProblem> find_reversal(Points points, bool is_closed) {
  const int n = static_cast<int>(points.size());
  for (int i = is_closed ? 0 : 1; i < (is_closed ? n : n - 1); ++i) {
    const auto &last = points[(i + n - 1) % n], &here = points[i], &next = points[(i + 1) % n];
    CurvePoint in{}, out{};
    in.dx = here[0] - last[0], in.dy = here[1] - last[1];
    out.dx = next[0] - here[0], out.dy = next[1] - here[1];
    const double degrees = turn_between(in, out) * 180 / std::numbers::pi;
    if (degrees > kSharpestTurn)
      return PathProblem{i, concat("must turn by at most ", kSharpestTurn,
                                   " degrees at a point, turns back by ", shown(degrees, 4), " at ",
                                   name_point(i, points), ": lead it around by more points")};
  }
  return {};
}

std::optional<PathProblem> find_tight_bend(const Spline& spline, Points points, int sides) {
  int tightest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < sides; ++i) {
    const double radius = spline.find_min_radius(i);
    if (radius >= least) continue;
    least = radius;
    tightest = i;
  }
  if (least >= kMinPathRadius) return {};
  const int next = (tightest + 1) % static_cast<int>(points.size());
  return PathProblem{
      tightest,
      concat("the curve through the points must have a radius of at least ", kMinPathRadius,
             " m, has ", shown(least, 2), " m between ", name_point(tightest, points), " and ",
             name_point(next, points), ": set points farther apart, or smooth recorded ones")};
}

std::optional<PathProblem> find_spline_problem(Points points, bool is_closed, double power) {
  const int n = static_cast<int>(points.size()), least = is_closed ? 3 : 2;
  if (n < least) return PathProblem{0, concat("needs at least ", least, " points, got ", n)};
  const int sides = is_closed ? n : n - 1;
  if (auto problem = find_bad_side(points, sides)) return problem;
  if (auto problem = find_reversal(points, is_closed)) return problem;
  return find_tight_bend(Spline(points, is_closed, power), points, sides);
}

}  // namespace

std::optional<PathProblem> find_path_problem(Points points, bool is_closed) {
  return find_spline_problem(points, is_closed, kCentripetal);
}

Path make_spline(Points points, bool is_closed, double power) {
  const auto problem = find_spline_problem(points, is_closed, power);
  require(!problem, "make_spline: ", problem ? problem->text : "");
  const int n = static_cast<int>(points.size());
  const Spline spline(points, is_closed, power);
  PathBuilder builder(points[0][0], points[0][1], 0);
  builder.end_ = to_path_point(spline.at(0, 0));
  for (int i = 0; i < (is_closed ? n : n - 1); ++i)
    builder.add_curve([&](double t) { return spline.at(i, t); });
  return builder.build(is_closed);
}

}  // namespace camber::autonomy
