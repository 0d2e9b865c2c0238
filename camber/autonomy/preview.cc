// [MacAdam 1981] C. C. MacAdam: Application of an optimal preview control for simulation of
// closed-loop automobile driving. IEEE Trans. Systems, Man, Cybernetics 11(6).
// In fixed axes at the vehicle's present place (x ahead, y left) the linear single track is
//   y' = v + u psi,  psi' = r
//   m (v' + u r) = -C_f (v + a r) / u - C_r (v - b r) / u + C_f delta                        (1)
//   I r' = -a C_f (v + a r) / u + b C_r (v - b r) / u + a C_f delta
// and y at a time eta ahead is linear in v, r and the angle delta that is held from now on:
//   y(eta) = p_v(eta) v + p_r(eta) r + g(eta) delta                                          (2)
// With f(eta) the path's offset, the sum of (f - y)^2 over the horizon is minimal for
//   delta = sum g (f - p_v v - p_r r) / sum g^2                                              (3)
// A kinematic vehicle has no v and r to keep: p_v = p_r = 0, and it goes along an arc,
//   g(eta) = (u eta)^2 / (2 L).                                                             (3a)
// With the single track's p_r its driver would answer its own command of the last sample, and
// chatter from some 30 m/s on.
// Where wheels follow the command with a lag T, delta(t) = delta + (delta_now - delta) exp(-t / T),
//   y(eta) = p_v v + p_r r + p_d delta_now + g delta,                                       (2a)
// and the part of the angle that the wheels have counts as known, as v and r do.
// [MacAdam 1981] also has a driver's delay, as one more known angle; on the single track with
// commands 100 ms late, a longer horizon had the same effect and was better.
// Deviations that the wheels cannot correct at once are reduced. The correction for deviation e and
// course chi relative to the path is, as the curvature of an arc x^2 / 2,
//   kappa_c = 2 sum x^2 (e cos + x chi) / sum x^4,  x = u eta,                                (4)
// and its share of the angle is bounded with the same factor: approach.h. Near the path neither
// changes a bit. The angle itself cannot be bounded instead: with a short horizon it is many times
// what the curvature needs. v and y are those midway between the axles, as in VehicleView.

#include "camber/autonomy/preview.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

constexpr int kTimes = 32;          // over the horizon
constexpr int kSubsteps = 16;       // of the integration between two of them
constexpr double kSpeedStep = 1.0;  // between tables [m/s]
constexpr double kMinSpeed = 2.0;   // its table is used for lower speeds, too [m/s]
constexpr double kCenter = 0.75;    // of the distance ahead: sum g x / sum g for g = x^2
constexpr double kSteepest = 1.7;   // approach to the path, as a slope

struct Motion {
  double y = 0, psi = 0, v = 0, r = 0;  // v at the center of mass
};

Motion operator+(const Motion& a, const Motion& b) {
  return {a.y + b.y, a.psi + b.psi, a.v + b.v, a.r + b.r};
}
Motion operator*(double s, const Motion& a) { return {s * a.y, s * a.psi, s * a.v, s * a.r}; }

/// (1); y is taken midway between the axles, `ahead` of the center of mass.
Motion calc_rates(const PreviewFigures& f, double ahead, double u, const Motion& m, double steer) {
  const double front = f.front_stiffness * (steer - (m.v + f.front * m.r) / u),
               rear = -f.rear_stiffness * (m.v - f.rear * m.r) / u;
  return {.y = m.v + ahead * m.r + u * m.psi,
          .psi = m.r,
          .v = (front + rear) / f.mass - u * m.r,
          .r = (f.front * front - f.rear * rear) / f.yaw_inertia};
}

/// An angle over time: its first value, and the one that it approaches with the vehicle's lag.
struct SteerCourse {
  double first = 0, last = 0;

  double at(double time, double lag) const {
    return lag > 0 ? last + (first - last) * std::exp(-time / lag) : last;
  }
};

/// One step of the classical Runge-Kutta method, from `time` on.
Motion advance(const PreviewFigures& f, double ahead, double u, const Motion& m,
               const SteerCourse& steer, double time, double dt) {
  const auto rates = [&](const Motion& x, double passed) {
    return calc_rates(f, ahead, u, x, steer.at(time + passed, f.lag));
  };
  const Motion k1 = rates(m, 0), k2 = rates(m + 0.5 * dt * k1, 0.5 * dt),
               k3 = rates(m + 0.5 * dt * k2, 0.5 * dt), k4 = rates(m + dt * k3, dt);
  return m + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

double horizon_at(const PreviewFigures& f, double speed) {
  return std::max(f.horizon, f.min_distance / speed);
}

void require_positive(double value, const char* name) {
  require(value > 0 && std::isfinite(value), "PreviewFigures: ", name, " must be > 0, got ", value);
}

}  // namespace

PreviewSteering::PreviewSteering(const PreviewFigures& figures) : figures_(figures) {
  require_positive(figures.mass, "mass");
  require_positive(figures.yaw_inertia, "yaw_inertia");
  require_positive(figures.front, "front");
  require_positive(figures.rear, "rear");
  require_positive(figures.front_stiffness, "front_stiffness");
  require_positive(figures.rear_stiffness, "rear_stiffness");
  require_positive(figures.horizon, "horizon");
  require_positive(figures.min_distance, "min_distance");
  require(figures.lag >= 0 && figures.steer_gain > 0, "PreviewFigures: lag must be >= 0, got ",
          figures.lag, ", steer_gain > 0, got ", figures.steer_gain);
  require(figures.top_speed > kMinSpeed + kSpeedStep && figures.top_speed < 1000,
          "PreviewFigures: top_speed must be from 3 to 1000 m/s, got ", figures.top_speed);

  const auto speeds = 2 + static_cast<std::size_t>((figures.top_speed - kMinSpeed) / kSpeedStep);
  responses_.resize(speeds * kTimes);
  is_known_.resize(speeds);
}

void PreviewSteering::fill_table(int speed) const {
  const PreviewFigures& f = figures_;
  const double ahead = 0.5 * (f.front - f.rear);
  const double u = kMinSpeed + speed * kSpeedStep;
  is_known_[speed] = 1;
  if (f.is_kinematic) {  // (3a)
    for (int i = 0; i < kTimes; ++i) {
      const double distance = u * horizon_at(f, u) * (i + 1) / kTimes;
      responses_[speed * kTimes + i] = {.steer = 0.5 * distance * distance / (f.front + f.rear)};
    }
    return;
  }
  const double dt = horizon_at(f, u) / (kTimes * kSubsteps);
  // Each cause alone. A lateral speed midway between the axles is one of the center of mass.
  Motion by_v{.v = 1}, by_r{.v = -ahead, .r = 1}, by_steer, by_present;
  for (int i = 0; i < kTimes * kSubsteps; ++i) {
    const double time = i * dt;
    by_v = advance(f, ahead, u, by_v, {0, 0}, time, dt);
    by_r = advance(f, ahead, u, by_r, {0, 0}, time, dt);
    by_steer = advance(f, ahead, u, by_steer, {0, 1}, time, dt);
    if (f.lag > 0) by_present = advance(f, ahead, u, by_present, {1, 0}, time, dt);
    if ((i + 1) % kSubsteps == 0)
      responses_[speed * kTimes + i / kSubsteps] = {by_v.y, by_r.y, by_steer.y,
                                                    by_present.y / f.steer_gain};
  }
}

PreviewSteering::Place PreviewSteering::find_place(double speed) const {
  const int tables = static_cast<int>(responses_.size()) / kTimes;
  const double place =
      std::clamp((speed - kMinSpeed) / kSpeedStep, 0.0, static_cast<double>(tables - 1));
  const int first = std::min(static_cast<int>(place), tables - 2);
  for (const int k : {first, first + 1})
    if (is_known_[k] == 0) fill_table(k);
  return {first, place - first, kMinSpeed + kSpeedStep * place};
}

double PreviewSteering::between(const Place& place, int i, double Response::*member) const {
  const Response& low = responses_[place.first * kTimes + i];
  const Response& high = responses_[(place.first + 1) * kTimes + i];
  return low.*member + place.share * (high.*member - low.*member);
}

// (3) with f = -(deviation + distance * heading).
PreviewSteering::Gains PreviewSteering::calc_gains(double at_speed) const {
  const Place place = find_place(at_speed);
  const double horizon = horizon_at(figures_, place.speed);
  Gains gains;
  double sum_gg = 0;
  for (int i = 0; i < kTimes; ++i) {
    const double g = between(place, i, &Response::steer);
    const double distance = place.speed * horizon * (i + 1) / kTimes;
    sum_gg += g * g;
    gains.deviation -= g;
    gains.heading -= g * distance;
    gains.lateral_speed -= g * between(place, i, &Response::lateral_speed);
    gains.yaw_rate -= g * between(place, i, &Response::yaw_rate);
    gains.steer -= g * between(place, i, &Response::present);
  }
  for (double* gain :
       {&gains.deviation, &gains.heading, &gains.lateral_speed, &gains.yaw_rate, &gains.steer})
    *gain /= sum_gg;
  return gains;
}

double PreviewSteering::calc_steer(const VehicleView& view, const Path& path, const PathFoot& foot,
                                   const SteeringLimits& limits) const {
  const Place place = find_place(view.speed);
  const double speed = place.speed;
  // Between two tables times scale with the horizons: samples of the same number are interpolated.
  const double horizon = horizon_at(figures_, speed);
  const double c = std::cos(view.yaw), s = std::sin(view.yaw);

  // The law sees the path moved toward the vehicle: not at all near the path.
  const double wheelbase = figures_.front + figures_.rear;
  const Approach approach =
      make_approach(limits, wheelbase, speed, kCenter * speed * horizon, horizon, kSteepest);
  const double deviation = calc_seen_deviation(approach, foot.deviation);
  const double cosine = c * foot.point.tangent_x + s * foot.point.tangent_y,
               sine = s * foot.point.tangent_x - c * foot.point.tangent_y;  // of yaw - theta
  const double closer = (foot.deviation - deviation) * cosine;
  const double course = sine + view.lateral_speed / speed * cosine;
  double sum_gf = 0, sum_gg = 0, sum_gc = 0, sum_xc = 0, sum_xx = 0;
  int piece = foot.piece;
  for (int i = 0; i < kTimes; ++i) {
    const double distance = speed * horizon * (i + 1) / kTimes;
    const PathFoot seen = path.foot_at(foot.s + distance, piece);
    piece = seen.piece;
    const double f = c * (seen.point.y - view.y) - s * (seen.point.x - view.x);
    const double g = between(place, i, &Response::steer);
    double free = between(place, i, &Response::lateral_speed) * view.lateral_speed +
                  between(place, i, &Response::yaw_rate) * view.yaw_rate;
    if (figures_.lag > 0) free += between(place, i, &Response::present) * view.steer;
    sum_gf += g * (f + closer - free);
    sum_gg += g * g;
    const double off = deviation * cosine + distance * course;
    sum_gc += g * off;
    sum_xc += distance * distance * off;
    sum_xx += 0.5 * distance * distance * distance * distance;
  }
  const double correction = sum_xc / sum_xx,
               bounded = bound_correction(approach, correction);  // (4)
  const double excess = bounded == correction ? 0 : (1 - bounded / correction) * sum_gc / sum_gg;
  return sum_gf / sum_gg + excess;  // (3)
}

}  // namespace camber::autonomy
