#include "camber/city/reference_line.h"

#include <algorithm>
#include <cmath>

namespace camber::city {
namespace {

using planning::Pose;

// Gauss-Legendre nodes and weights of 5 points on [-1, 1].
constexpr double kNodes[] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                             0.9061798459386640};
constexpr double kWeights[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                               0.4786286704993665, 0.2369268850561891};

/// Integral of f over [0, to] in equal parts.
template <class F>
double integrate(const F& f, double to, int parts) {
  double sum = 0;
  const double half = 0.5 * to / parts;
  for (int p = 0; p < parts; ++p) {
    const double middle = (2 * p + 1) * half;
    for (int k = 0; k < 5; ++k) sum += kWeights[k] * f(middle + half * kNodes[k]);
  }
  return sum * half;
}

/// Local pose to the world.
Pose place(const Piece& piece, double u, double v, double heading) {
  const double c = std::cos(piece.heading), s = std::sin(piece.heading);
  return {piece.x + c * u - s * v, piece.y + s * u + c * v, piece.heading + heading};
}

Pose at_shape(const Piece& piece, const LinePiece&, double ds) { return place(piece, ds, 0, 0); }

Pose at_shape(const Piece& piece, const ArcPiece& arc, double ds) {
  const Pose end = planning::drive({}, arc.curvature, ds);
  return place(piece, end.x, end.y, end.heading);
}

// x = int cos(k0 s + k' s^2/2), parts so short that a part turns by less than 0.25 rad: then five
// points are exact to 1e-15.
Pose at_shape(const Piece& piece, const SpiralPiece& spiral, double ds) {
  const double rate = piece.length > 0 ? (spiral.end - spiral.start) / piece.length : 0;
  const auto angle = [&](double s) { return s * (spiral.start + 0.5 * rate * s); };
  const double turn =
      std::abs(ds) * std::max(std::abs(spiral.start), std::abs(spiral.start + rate * ds));
  const int parts = std::clamp(static_cast<int>(std::ceil(turn / 0.25)), 1, 10'000);
  return place(piece, integrate([&](double s) { return std::cos(angle(s)); }, ds, parts),
               integrate([&](double s) { return std::sin(angle(s)); }, ds, parts), angle(ds));
}

/// The parameter p in [0, last] at which the curve has the length ds.
template <class Speed>
double find_parameter(const Speed& speed, double last, double ds) {
  constexpr int kParts = 16;
  double p = std::min(ds, last);
  for (int k = 0; k < 30; ++k) {
    const double error = integrate(speed, p, kParts) - ds;
    const double v = speed(p);
    if (!(v > 1e-12)) break;
    const double step = error / v;
    p = std::clamp(p - step, 0.0, last);
    if (std::abs(step) < 1e-12 * (1 + p)) break;
  }
  return p;
}

Pose at_shape(const Piece& piece, const Poly3Piece& q, double ds) {
  const auto slope = [&](double u) { return q.b + u * (2 * q.c + 3 * q.d * u); };
  const double u = find_parameter([&](double x) { return std::hypot(1, slope(x)); }, ds, ds);
  return place(piece, u, q.a + u * (q.b + u * (q.c + u * q.d)), std::atan(slope(u)));
}

// The standard: p is 0..1 or 0..length, and length along the curve follows from it in proportion.
Pose at_shape(const Piece& piece, const ParamPoly3Piece& q, double ds) {
  const double p = q.is_normalized ? (piece.length > 0 ? ds / piece.length : 0) : ds;
  const auto value = [&](const std::array<double, 4>& a) {
    return a[0] + p * (a[1] + p * (a[2] + p * a[3]));
  };
  const auto slope = [&](const std::array<double, 4>& a) {
    return a[1] + p * (2 * a[2] + 3 * p * a[3]);
  };
  return place(piece, value(q.u), value(q.v), std::atan2(slope(q.v), slope(q.u)));
}

}  // namespace

double eval(const std::vector<Cubic>& list, double s) {
  const auto after = std::ranges::upper_bound(list, s + 1e-9, {}, &Cubic::s);
  return after == list.begin() ? 0 : std::prev(after)->at(s);
}

Pose Piece::at(double ds) const {
  return std::visit([&](const auto& own) { return at_shape(*this, own, ds); }, shape);
}

Pose eval(const std::vector<Piece>& pieces, double s) {
  if (pieces.empty()) return {s, 0, 0};
  const auto after = std::ranges::upper_bound(pieces, s + 1e-9, {}, &Piece::s);
  const Piece& piece = after == pieces.begin() ? pieces.front() : *std::prev(after);
  const double ds = std::max(0.0, s - piece.s);
  if (ds <= piece.length) return piece.at(ds);
  const Pose end = piece.at(piece.length);
  return {end.x + (ds - piece.length) * std::cos(end.heading),
          end.y + (ds - piece.length) * std::sin(end.heading), end.heading};
}

}  // namespace camber::city
