#include "camber/autonomy/speed_profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "camber/core/require.h"

namespace camber::autonomy {

TargetSpeed target_speed(const SpeedProfile& profile, double time, double s) {
  const Table& table = profile.speed;
  if (!profile.is_over_path) return {value_at(table, time), slope_at(table, time)};
  s = std::max(s, table.x.front());  // before the start of the path, the speed at its start
  const std::ptrdiff_t k = find_side(table, s);
  if (k + 1 >= std::ssize(table.x)) return {table.y.back(), 0};
  const double square = table.y[k] * table.y[k];
  const double slope = (table.y[k + 1] * table.y[k + 1] - square) / (table.x[k + 1] - table.x[k]);
  return {std::sqrt(square + slope * (s - table.x[k])), 0.5 * slope};
}

// v^2 changes by at most 2 a ds from point to point: one pass forward for the acceleration, one
// backward for the deceleration. On a closed path each pass goes round twice, so that the ends
// agree.
SpeedProfile make_speed_profile(const Path& path, const ProfileLimits& limits, double spacing) {
  require(!path.empty(), "make_speed_profile: needs a path");
  require(spacing > 0, "make_speed_profile: spacing must be > 0 m, got ", spacing);
  require(limits.top_speed > 0 && limits.lateral_acceleration > 0 && limits.acceleration > 0 &&
              limits.deceleration > 0,
          "make_speed_profile: limits must be > 0");
  const int count = std::max(1, static_cast<int>(std::ceil(path.length() / spacing)));
  const double step = path.length() / count;
  SpeedProfile profile{.speed = {}, .is_over_path = true};
  std::vector<double>& squares = profile.speed.y;
  int piece = 0;
  for (int k = 0; k <= count; ++k) {
    const PathFoot foot = path.foot_at(std::min(k * step, path.length()), piece);
    piece = foot.piece;
    profile.speed.x.push_back(k * step);
    squares.push_back(
        std::min(limits.top_speed * limits.top_speed,
                 limits.lateral_acceleration / std::max(std::abs(foot.point.curvature), 1e-9)));
  }
  const auto bound = [&](std::size_t to, std::size_t from, double acceleration) {
    squares[to] = std::min(squares[to], squares[from] + 2 * acceleration * step);
  };
  if (!path.is_closed()) {
    squares.front() = std::min(squares.front(), limits.first_speed * limits.first_speed);
    squares.back() = std::min(squares.back(), limits.last_speed * limits.last_speed);
  }
  for (int lap = 0; lap < (path.is_closed() ? 2 : 1); ++lap) {
    if (path.is_closed())
      squares.front() = squares.back() = std::min(squares.front(), squares.back());
    for (int k = 1; k <= count; ++k) bound(k, k - 1, limits.acceleration);
    for (int k = count; k > 0; --k) bound(k - 1, k, limits.deceleration);
  }
  for (double& square : squares) square = std::sqrt(square);
  return profile;
}

}  // namespace camber::autonomy
