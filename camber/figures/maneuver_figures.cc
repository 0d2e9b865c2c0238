// Figures of standard maneuvers that start from straight driving or from a steady turn.
//
// Sine with dwell, 49 CFR 571.126 S5.2 (UN R140, annex 4): with the beginning of steer (BOS) where
// the steering wheel passes 5 deg, and the completion of steer (COS) where it is back at zero,
//   yaw rate ratio(T) = yaw rate(COS + T) / peak yaw rate after the steering wheel changes sides (1)
//   displacement = lateral place of the center of mass at BOS + 1.07 s, from its straight path  (2)
// Slowly increasing steer, 571.126 S7.6: a line through the angle over lateral acceleration from 0.1
// to 0.375 g; A is its value at 0.3 g.
// Braking in a turn (ISO 7975), lift-off in a turn (ISO 9816): at T after the pedal moves, against
// the steady turn of radius R before,
//   yaw rate ratio = yaw rate(T) R / speed(T)                                                   (3)
//   and the distance to the inside of the old circle, the change of the sideslip angle, and the mean
//   deceleration.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/figures/figure_view.h"
#include "camber/record/channel_names.h"

namespace camber::figures::internal {
namespace {

constexpr double kToDegrees = 180 / std::numbers::pi;
constexpr double kGravity = 9.80665;  // [m/s^2] of a "g"
constexpr std::string_view kAcceleration = record::channel::kLateralAcceleration;
constexpr std::string_view kYawRate = record::channel::kYawRate;
constexpr std::string_view kSpeed = record::channel::kForwardSpeed;
constexpr std::string_view kWheel = record::channel::kSteeringWheelAngle;

/// Place of the center of mass over the ground.
struct Track {
  explicit Track(const FigureView& view)
      : x(view.size()), y(view.size()), yaw(view.column(record::channel::kYaw)) {
    const Series x0 = view.column(record::channel::kPositionX),
                 y0 = view.column(record::channel::kPositionY);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = x0[i] + view.context().center_x * std::cos(yaw[i]);
      y[i] = y0[i] + view.context().center_x * std::sin(yaw[i]);
    }
  }

  std::vector<double> x, y;
  Series yaw;
};

/// One period of steering with a dwell.
struct DwellSteer {
  explicit DwellSteer(const FigureView& view) : t(view.times()), wheel(view.column(kWheel)) {
    constexpr double kStart = 5 / kToDegrees;  // of the steering wheel
    const double offset = wheel.front();
    const auto moved = [&](std::size_t i) { return std::abs(wheel[i] - offset) > kStart; };
    while (first < t.size() && !moved(first)) ++first;
    if (first == 0 || first == t.size())
      throw NoValue("the steering wheel does not leave 5 deg within the window");
    side = wheel[first] > offset ? 1 : -1;
    begin = t[first - 1] + (t[first] - t[first - 1]) *
                               (kStart - side * (wheel[first - 1] - offset)) /
                               (side * (wheel[first] - wheel[first - 1]));
    reversal = first;
    while (reversal < t.size() && side * (wheel[reversal] - offset) > 0) ++reversal;
    if (reversal == t.size()) throw NoValue("the steering wheel does not change sides");
    // Back at zero: within a hundredth of the angle, and it stays there.
    const double size = max_size(wheel);
    std::size_t last = t.size();
    while (last > reversal && std::abs(wheel[last - 1] - offset) < 0.01 * size) --last;
    if (last == t.size() || last == reversal)
      throw NoValue("the steering wheel does not come back to zero within the window");
    end = t[last];
  }

  Series t, wheel;
  std::size_t first = 0, reversal = 0;
  double side = 1;            // of the first half: 1 to the left
  double begin = 0, end = 0;  // BOS and COS [s]
};

// (1)
double yaw_rate_ratio(const FigureView& view, double after) {
  const DwellSteer steer(view);
  const Series rate = view.column(kYawRate);
  if (steer.end + after > steer.t.back())
    throw NoValue("the window ends too early after the completion of steer");
  double peak = 0;
  for (std::size_t i = steer.reversal; i < rate.size() && steer.t[i] <= steer.end; ++i)
    peak = std::max(peak, -steer.side * rate[i]);
  if (peak < 1e-3) throw NoValue("the vehicle does not answer the second half of the steering");
  return -steer.side * value_at(steer.t, rate, steer.end + after) / peak;
}

// (2)
double dwell_displacement(const FigureView& view) {
  constexpr double kTime = 1.07;  // [s]
  const DwellSteer steer(view);
  if (steer.begin + kTime > steer.t.back()) throw NoValue("the window ends before BOS + 1.07 s");
  const Track track(view);
  const double yaw = value_at(steer.t, track.yaw, steer.begin);
  const auto aside = [&](double time) {
    return std::cos(yaw) * value_at(steer.t, track.y, time) -
           std::sin(yaw) * value_at(steer.t, track.x, time);
  };
  return steer.side * (aside(steer.begin + kTime) - aside(steer.begin));
}

double steering_wheel_at_0_3_g(const FigureView& view) {
  const Series wheel = view.column(kWheel), lateral = view.column(kAcceleration);
  const double sign = lateral.back() < 0 ? -1 : 1;
  std::vector<double> x, y;
  double furthest = 0;
  for (std::size_t i = 0; i < wheel.size(); ++i) {
    const double a = sign * lateral[i] / kGravity;
    furthest = std::max(furthest, a);
    if (a < 0.1 || a > 0.375) continue;
    x.push_back(a);
    y.push_back(sign * wheel[i]);
  }
  if (furthest < 0.375 || x.size() < 10)
    throw NoValue("lateral acceleration does not rise from 0.1 to 0.375 g in the window");
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  return kToDegrees * (mean_y + regression_slope(x, y) * (0.3 - mean_x));
}

/// A steady turn in which a pedal moves.
struct PedalInTurn {
  explicit PedalInTurn(const FigureView& view) : t(view.times()) {
    const Series brake = view.column(record::channel::kBrakePedal),
                 throttle = view.column(record::channel::kThrottlePedal);
    // The brake is applied, or the throttle is closed at once.
    constexpr double kLift = 0.02;
    while (++first < t.size()) {
      const bool brakes = brake[first] > 0 && brake[first - 1] == 0;
      const bool lifts = throttle[first] == 0 && throttle[first - 1] > kLift;
      if (brakes || lifts) break;
    }
    if (first >= t.size()) throw NoValue("no pedal moves in the window");
    time = view.parameter("time");
    start = t[first];
    if (start + time > t.back()) throw NoValue("the window ends too early after the pedal moves");
    // The steady turn: the last half second before.
    constexpr double kBefore = 0.5;  // [s]
    const auto from =
        static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), start - kBefore) - t.begin());
    if (first < from + 5) throw NoValue("the window does not show the turn before the pedal moves");
    const std::size_t count = first - from;
    const auto before = [&](std::string_view name) {
      return mean(t.subspan(from, count), view.column(name).subspan(from, count));
    };
    speed = before(kSpeed);
    yaw_rate = before(kYawRate);
    if (std::abs(yaw_rate) < 0.02)
      throw NoValue("the vehicle does not turn before the pedal moves");
    side = yaw_rate > 0 ? 1 : -1;
    radius = std::abs(speed / yaw_rate);
  }

  double at(Series series, double after) const { return value_at(t, series, start + after); }

  Series t;
  std::size_t first = 0;
  double start = 0, time = 0;                // [s]
  double speed = 0, yaw_rate = 0, side = 1;  // before; side 1: to the left
  double radius = 0;                         // [m]
};

// (3)
double turn_yaw_rate_ratio(const FigureView& view) {
  const PedalInTurn turn(view);
  const double speed = turn.at(view.column(kSpeed), turn.time);
  if (speed < 1) throw NoValue("the vehicle is slower than 1 m/s then");
  return turn.side * turn.at(view.column(kYawRate), turn.time) * turn.radius / speed;
}

/// The center of the old circle is to the side of the velocity at the start.
double turn_path_deviation(const FigureView& view) {
  const PedalInTurn turn(view);
  const Track track(view);
  const auto place = [&](double after) {
    return std::pair{turn.at(track.x, after), turn.at(track.y, after)};
  };
  const double dt = turn.t[1] - turn.t[0];
  const auto [x0, y0] = place(0);
  const auto [xb, yb] = place(-dt);
  const double course = std::atan2(y0 - yb, x0 - xb) + 0.5 * turn.yaw_rate * dt;
  const double cx = x0 - turn.side * turn.radius * std::sin(course),
               cy = y0 + turn.side * turn.radius * std::cos(course);
  const auto [x1, y1] = place(turn.time);
  return turn.radius - std::hypot(x1 - cx, y1 - cy);
}

double turn_sideslip_change(const FigureView& view) {
  const PedalInTurn turn(view);
  const Series forward = view.column(kSpeed), rate = view.column(kYawRate),
               at_origin = view.column(record::channel::kLateralSpeed);
  const auto slip = [&](std::size_t i) {
    return turn.side * std::atan2(at_origin[i] + view.context().center_x * rate[i], forward[i]);
  };
  const double before = slip(turn.first);
  double change = 0;
  for (std::size_t i = turn.first; i < forward.size() && turn.t[i] <= turn.start + turn.time; ++i)
    if (std::abs(slip(i) - before) > std::abs(change)) change = slip(i) - before;
  return kToDegrees * change;
}

double turn_deceleration(const FigureView& view) {
  const PedalInTurn turn(view);
  return (turn.at(view.column(kSpeed), 0) - turn.at(view.column(kSpeed), turn.time)) / turn.time;
}

FigureParameter time_after_pedal() { return {"time", "s", "after the pedal moves", 1}; }

}  // namespace

std::vector<FigureRow> maneuver_figures() {
  using View = const FigureView&;
  constexpr std::string_view kBrake = record::channel::kBrakePedal,
                             kThrottle = record::channel::kThrottlePedal;
  return {
      {{"yaw_rate_ratio_1_00",
        "1",
        "sine with dwell, 49 CFR 571.126 S5.2.1: yaw rate 1.00 s after the completion of steer "
        "over "
        "its peak after the steering wheel changed sides",
        {kYawRate, kWheel}},
       [](View v) { return yaw_rate_ratio(v, 1.00); }},
      {{"yaw_rate_ratio_1_75",
        "1",
        "sine with dwell, 49 CFR 571.126 S5.2.2: the same after 1.75 s",
        {kYawRate, kWheel}},
       [](View v) { return yaw_rate_ratio(v, 1.75); }},
      {{"dwell_displacement",
        "m",
        "sine with dwell, 49 CFR 571.126 S5.2.3: lateral displacement of the center of mass 1.07 s "
        "after the steering wheel passed 5 deg",
        {record::channel::kPosition, record::channel::kYaw, kWheel}},
       dwell_displacement},
      {{"steering_wheel_at_0_3_g_deg",
        "deg",
        "slowly increasing steer, 49 CFR 571.126 S7.6: angle of the steering wheel at 0.3 g, by a "
        "line through 0.1 to 0.375 g",
        {kAcceleration, kWheel}},
       steering_wheel_at_0_3_g},
      {{"turn_yaw_rate_ratio",
        "1",
        "ISO 7975, ISO 9816: yaw rate at `time` over that of the old circle at the new speed; "
        "above "
        "1: it turns in",
        {kYawRate, kSpeed, kBrake, kThrottle},
        {time_after_pedal()}},
       turn_yaw_rate_ratio},
      {{"turn_path_deviation",
        "m",
        "ISO 7975, ISO 9816: distance of the center of mass from the old circle at `time`, to its "
        "inside +",
        {record::channel::kPosition, record::channel::kYaw, kYawRate, kSpeed, kBrake, kThrottle},
        {time_after_pedal()}},
       turn_path_deviation},
      {{"turn_sideslip_change_deg",
        "deg",
        "ISO 7975, ISO 9816: largest change of the sideslip angle up to `time`; negative: the nose "
        "goes to the inside",
        {record::channel::kVelocity, kYawRate, kBrake, kThrottle},
        {time_after_pedal()}},
       turn_sideslip_change},
      {{"turn_deceleration",
        "m/s^2",
        "ISO 7975, ISO 9816: mean loss of speed up to `time`",
        {kSpeed, kYawRate, kBrake, kThrottle},
        {time_after_pedal()}},
       turn_deceleration},
  };
}

}  // namespace camber::figures::internal
