#include "camber/autonomy/course.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/math/types.h"

namespace camber::autonomy {
namespace {

/// A place that the line passes within bounds.
struct Knot {
  double x = 0, low = 0, high = 0;  // [m]
};

/// H with y^T H y the integral of y''^2 of the natural cubic spline through (x, y): Q R^-1 Q^T
/// [Green, Silverman 1994, section 2.1], Q of second divided differences, R of the hats' products.
MatrixX<double> calc_bending(const std::vector<Knot>& knots) {
  const int n = static_cast<int>(knots.size());
  MatrixX<double> Q = MatrixX<double>::Zero(n, n - 2), R = MatrixX<double>::Zero(n - 2, n - 2);
  for (int k = 0; k + 2 < n; ++k) {
    const double before = knots[k + 1].x - knots[k].x, after = knots[k + 2].x - knots[k + 1].x;
    Q(k, k) = 1 / before;
    Q(k + 1, k) = -1 / before - 1 / after;
    Q(k + 2, k) = 1 / after;
    R(k, k) = (before + after) / 3;
    if (k + 3 < n) R(k, k + 1) = R(k + 1, k) = after / 6;
  }
  return Q * math::solve_positive_definite(R, Q.transpose());
}

/// The y within bounds for which the spline bends least, one knot after the other until none moves:
/// H is positive definite as at least two knots are fixed, so this converges.
std::vector<double> find_smoothest(const std::vector<Knot>& knots) {
  const MatrixX<double> H = calc_bending(knots);
  const int n = static_cast<int>(knots.size());
  std::vector<double> y(n);
  for (int k = 0; k < n; ++k) y[k] = 0.5 * (knots[k].low + knots[k].high);
  for (int sweep = 0; sweep < 200000; ++sweep) {
    double moved = 0;
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += j == k ? 0 : H(k, j) * y[j];
      const double next = std::clamp(-sum / H(k, k), knots[k].low, knots[k].high);
      moved = std::max(moved, std::abs(next - y[k]));
      y[k] = next;
    }
    if (moved < 1e-9) break;
  }
  return y;
}

}  // namespace

std::vector<LaneSection> make_iso_3888_1(double vehicle_width) {
  require(vehicle_width > 0 && std::isfinite(vehicle_width),
          "make_iso_3888_1: width must be > 0 m, got ", vehicle_width);
  const auto width = [&](double factor) { return factor * vehicle_width + 0.25; };
  const double right = -width(1.1) / 2, offset = 3.5;
  return {{.start = 0, .end = 15, .right = right, .left = right + width(1.1)},
          {.start = 45, .end = 70, .right = right + offset, .left = right + offset + width(1.2)},
          {.start = 95, .end = 125, .right = right, .left = right + width(1.3)}};
}

std::vector<LaneSection> make_iso_3888_2(double vehicle_width) {
  require(vehicle_width > 0 && std::isfinite(vehicle_width),
          "make_iso_3888_2: width must be > 0 m, got ", vehicle_width);
  const double w = vehicle_width, first = 1.1 * w + 0.25, right = -0.5 * first;
  const double beside = right + first + 1;
  return {{.start = 0, .end = 12, .right = right, .left = right + first},
          {.start = 25.5, .end = 36.5, .right = beside, .left = beside + w + 1},
          {.start = 49, .end = 61, .right = right, .left = right + std::max(3.0, 1.3 * w + 0.25)}};
}

std::vector<LaneSection> make_iso_3888(int part, double vehicle_width) {
  require(part == 1 || part == 2, "make_iso_3888: part must be 1 or 2, got ", part);
  return part == 1 ? make_iso_3888_1(vehicle_width) : make_iso_3888_2(vehicle_width);
}

Path make_smoothest_path(const std::vector<LaneSection>& lanes, double vehicle_width,
                         double clearance, double lead) {
  require(!lanes.empty() && lead > 0, "make_smoothest_path: needs a lane and lead > 0 m, got ",
          lanes.size(), " and ", lead);
  const auto straight = [&](double x, const LaneSection& lane) {
    const double middle = 0.5 * (lane.right + lane.left);
    return Knot{x, middle, middle};
  };
  std::vector<Knot> knots{straight(lanes.front().start - lead, lanes.front()),
                          straight(lanes.front().start - 0.5 * lead, lanes.front())};
  for (const LaneSection& lane : lanes) {
    const double away = 0.5 * vehicle_width + clearance;
    require(lane.right + away <= lane.left - away, "make_smoothest_path: a lane of ",
            lane.left - lane.right, " m has no room for ", vehicle_width, " m and ", clearance,
            " m on both sides");
    constexpr int kSteps =
        8;  // with cones this close, the spline keeps its distance between them, too
    for (int k = 0; k <= kSteps; ++k) {
      knots.push_back(
          {lane.start + (lane.end - lane.start) * k / kSteps, lane.right + away, lane.left - away});
    }
  }
  knots.push_back(straight(lanes.back().end + 0.5 * lead, lanes.back()));
  knots.push_back(straight(lanes.back().end + lead, lanes.back()));
  const std::vector<double> y = find_smoothest(knots);
  std::vector<std::array<double, 2>> points;
  for (std::size_t k = 0; k < knots.size(); ++k) points.push_back({knots[k].x, y[k]});
  return make_spline(points, false, kChordal);
}

Path make_lane_change(double offset, double duration, double speed, double before, double after) {
  require(duration > 0 && speed > 0, "make_lane_change: duration and speed must be > 0, got ",
          duration, " s and ", speed, " m/s");
  return PathBuilder(0, 0, 0)
      .line(before)
      .lane_change(speed * duration, offset)
      .line(after)
      .build();
}

}  // namespace camber::autonomy
