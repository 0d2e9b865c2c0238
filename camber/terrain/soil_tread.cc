#include "camber/terrain/soil_tread.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/math/types.h"

namespace camber::terrain {
namespace {

constexpr int kTerms = 4;
constexpr double kMostDeflection = 1.0 / 3;  // over the radius: about where a tire is on its rim
// x up to which the pressure starts gently, (2): as a fraction of the radius, and at most a tenth
// of the range.
constexpr double kEdge = 0.01, kEdgeOfLast = 0.05;
constexpr double kMostError = 0.2;  // of the fitted load, over the load plus last load/20

/// Loads of the single terms of (1), with c = 1, for a tire deflected by d:
///   b int g(y) y^(m + 1/2) dx,  y = sqrt(R^2 - x^2) - (R - d)
/// over its chord 2 a. With x = a sin(v) the integrand is smooth and periodic: the midpoint rule is
/// practically exact.
std::array<double, kTerms> calc_terms(double radius, double width, double per_edge, double d) {
  constexpr int kPoints = 64;
  const double a = std::sqrt(d * (2 * radius - d)), h = std::numbers::pi / kPoints;
  std::array<double, kTerms> sums = {};
  for (int i = 0; i < kPoints; ++i) {
    const double v = -0.5 * std::numbers::pi + (i + 0.5) * h, x = a * std::sin(v);
    // The difference of two nearly equal numbers, written as a quotient.
    const double rise = x * x / (radius + std::sqrt(radius * radius - x * x));
    const double y = std::max(d - rise, 0.0);
    const double q = std::sqrt(y), t = std::min(q * per_edge, 1.0);
    const double g = t * t * t * (10 + t * (6 * t - 15));
    double power = g * q * width * a * std::cos(v) * h;
    for (double& sum : sums) {
      sum += power;
      power *= y;
    }
  }
  return sums;
}

bool rises(const TreadLaw& tread) {
  constexpr int kPoints = 200;
  for (int i = 1; i <= kPoints; ++i)
    if (!(tread.at(tread.last * i / kPoints).slope > 0)) return false;
  return true;
}

}  // namespace

double calc_tread_load(const TreadLaw& tread, double radius, double width, double deflection) {
  const std::array<double, kTerms> terms = calc_terms(radius, width, tread.per_edge, deflection);
  double load = 0;
  for (int m = 0; m < kTerms; ++m) load += tread.c[m] * terms[m];
  return load;
}

TreadLaw fit_tread(std::span<const double> deflection, std::span<const double> force, double radius,
                   double width) {
  require(deflection.size() == force.size() && deflection.size() > 1 && deflection.back() > 0 &&
              force.back() > 0,
          "tread: a tire needs a curve of load over deflection, got ", deflection.size(),
          " points");
  // Samples the polygon at equal distances; errors are relative to the load, except where it is
  // small.
  constexpr int kSamples = 32;
  const double last = std::min(deflection.back(), kMostDeflection * radius);
  const double per_edge = 1 / std::sqrt(std::min(kEdge * radius, kEdgeOfLast * last));
  std::array<double, kSamples> polygon;
  std::size_t piece = 1;
  for (int i = 0; i < kSamples; ++i) {
    const double d = last * (i + 1) / kSamples;
    while (piece + 1 < deflection.size() && deflection[piece] < d) ++piece;
    const double part = (d - deflection[piece - 1]) / (deflection[piece] - deflection[piece - 1]);
    polygon[i] = force[piece - 1] + part * (force[piece] - force[piece - 1]);
  }
  MatrixX<double> terms = MatrixX<double>::Zero(kSamples, kTerms);
  VectorX<double> loads = VectorX<double>::Zero(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    // Where most of the contact is at its edge, law (2) is softer than a real tire.
    const double d = last * (i + 1) / kSamples;
    if (d * per_edge * per_edge < 2) continue;
    const double weight = 1 / (polygon[i] + 0.05 * polygon.back());
    const std::array<double, kTerms> row = calc_terms(radius, width, per_edge, d);
    for (int m = 0; m < kTerms; ++m) terms(i, m) = weight * row[m];
    loads[i] = weight * polygon[i];
  }
  TreadLaw tread{.last = std::sqrt(last), .per_edge = per_edge};
  double error = 0;
  for (int count = kTerms; count > 0; --count) {
    // Powers of a length of centimeters: scaled to the last deflection, or digits are lost.
    VectorX<double> scale(count);
    for (int m = 0; m < count; ++m) scale[m] = std::pow(last, -m);
    const MatrixX<double> scaled = terms.leftCols(count) * scale.asDiagonal();
    const VectorX<double> c = math::solve_least_squares(scaled, loads).cwiseProduct(scale);
    tread.c = {};
    for (int m = 0; m < count; ++m) tread.c[m] = c[m];
    error = (terms.leftCols(count) * c - loads).cwiseAbs().maxCoeff();
    if (rises(tread)) break;
  }
  require(error < kMostError,
          "its load over its deflection does not fit a tread whose pressure "
          "rises: off by ",
          std::round(100 * error), " %, the limit is ", 100 * kMostError,
          " %; expected a curve without sharp bends");
  return tread;
}

}  // namespace camber::terrain
