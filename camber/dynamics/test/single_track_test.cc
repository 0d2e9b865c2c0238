// The single track against tables, closed forms and the law of energy.

#include "camber/dynamics/single_track.h"

#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/dynamics/test/hmmwv.h"
#include "camber/tire/scalars.h"
#include "camber/tire/test/hmmwv_tires.h"

namespace camber::dynamics {
namespace {

using tire::Dual;
constexpr double kDegree = std::numbers::pi / 180;

std::vector<std::vector<double>> read_table(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || std::isdigit(static_cast<unsigned char>(line[0])) == 0) continue;
    std::vector<double> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    rows.push_back(row);
  }
  return rows;
}

/// Lateral speed and yaw rate around straight rolling: x' = A x + B delta.
struct Linearized {
  double A[2][2], B[2];
};

Linearized linearize(const SingleTrack& vehicle, double speed) {
  SingleTrackState<Dual> state;
  const SingleTrackState<double> rolling = make_rolling_state(vehicle, speed);
  // Neutral: with the engine braking, load goes to the front and a steered wheel pulls sideways.
  const driveline::GearState gear{.gear = 0};
  state.forward = speed;
  state.engine_speed = rolling.engine_speed;
  state.left = Dual::variable(0, 0);
  state.turn = Dual::variable(0, 1);
  const auto rates = calc_single_track(vehicle, state, {}, gear, SimpleGround<Dual>{}).rates;
  Linearized system{{{rates.left.partial(0), rates.left.partial(1)},
                     {rates.turn.partial(0), rates.turn.partial(1)}},
                    {0, 0}};
  // The angle is a double: by differences of odd functions, exact to 1e-10 for 1e-5 rad.
  const double h = 1e-5;
  const auto steered = [&](double steer) {
    return calc_single_track(vehicle, rolling, {.steer = steer}, gear, {}).rates;
  };
  system.B[0] = (steered(h).left - steered(-h).left) / (2 * h);
  system.B[1] = (steered(h).turn - steered(-h).turn) / (2 * h);
  return system;
}

double yaw_gain(const Linearized& s) {
  const double det = s.A[0][0] * s.A[1][1] - s.A[0][1] * s.A[1][0];
  return (s.A[1][0] * s.B[0] - s.A[0][0] * s.B[1]) / det;
}

TEST(SingleTrack, HasTheTablesGainsAndPoles) {
  const SingleTrack vehicle = load_hmmwv_linear_single_track();
  const auto rows = read_table("tests/data/single_track.csv");
  ASSERT_EQ(rows.size(), 6U);
  for (const auto& row : rows) {
    SCOPED_TRACE(row[0]);
    const Linearized s = linearize(vehicle, row[0]);
    const double tolerance = 4e-6;  // the table's stiffnesses have six digits, and b / C_f - a /
                                    // C_r loses some of them
    const double det = s.A[0][0] * s.A[1][1] - s.A[0][1] * s.A[1][0];
    const double trace = s.A[0][0] + s.A[1][1];
    EXPECT_NEAR(yaw_gain(s), row[1], tolerance * row[1]);
    EXPECT_NEAR(yaw_gain(s) * row[0], row[2], tolerance * row[2]);
    EXPECT_NEAR(std::sqrt(det), row[3], tolerance * row[3]);
    EXPECT_NEAR(-trace / (2 * std::sqrt(det)), row[4], tolerance * row[4]);
  }
}

// TMeasy's tires at the static load have the stiffness that the table was made with; with them the
// gain in the linear range (below 1 m/s^2) stays within 5 % of it.
TEST(SingleTrack, WithSaturatingTiresStartsLinear) {
  const SingleTrack vehicle = load_hmmwv_single_track();
  const auto tmeasy = tire::load_hmmwv_tmeasy();
  EXPECT_NEAR(2 * tire::calc_slip_stiffness(tmeasy, 6561.9, 1.0).Ky, 98822.3, 10);
  EXPECT_NEAR(2 * tire::calc_slip_stiffness(tmeasy, 6177.0, 1.0).Ky, 93331.6, 10);
  for (const auto& row : read_table("tests/data/single_track.csv")) {
    SCOPED_TRACE(row[0]);
    EXPECT_NEAR(yaw_gain(linearize(vehicle, row[0])), row[1], 0.01 * row[1]);
    const double steer = 1.0 / row[2];  // 1 m/s^2
    SingleTrackState<double> state = make_rolling_state(vehicle, row[0]);
    const driveline::GearState gear{.gear = 0};
    // Lateral motion alone to its steady state, the speed held.
    for (int i = 0; i < 6000; ++i) {
      const auto rates = calc_single_track(vehicle, state, {.steer = steer}, gear, {}).rates;
      state.left += 1e-3 * rates.left;
      state.turn += 1e-3 * rates.turn;
    }
    EXPECT_NEAR(state.turn / steer, row[1], 0.05 * row[1]);
  }
}

// delta = L / R + K a_y with K = m / L (b / C_f - a / C_r), the closed form; by settling on it.
TEST(SingleTrack, UndersteersAsTheClosedFormSays) {
  SingleTrack vehicle = load_hmmwv_linear_single_track();
  vehicle.front_tire = LinearAxle{71000};
  vehicle.rear_tire = LinearAxle{113000};
  const double L = vehicle.front + vehicle.rear, u = 17;
  const double K = vehicle.mass / L * (vehicle.rear / 71000 - vehicle.front / 113000);
  const double gain = yaw_gain(linearize(vehicle, u));  // r per delta
  const double by_closed_form = u / (L + K * u * u);
  EXPECT_NEAR(gain, by_closed_form, 1e-9 * gain);
  // The HMMWV's own: 0.025 degrees per g.
  const double own = 2597.14 / 3.302 * (1.7009 / 98822.3 - 1.6011 / 93331.6);
  EXPECT_NEAR(own * 9.81 / kDegree, 0.025, 5e-4);
}

// Kinetic energy changes by the power of what acts, at the points where it acts.
TEST(SingleTrack, KeepsTheLawOfEnergy) {
  RandomStream random(81);
  for (const SingleTrack& vehicle : {load_hmmwv_single_track(), load_hmmwv_linear_single_track()}) {
    for (int i = 0; i < 300; ++i) {
      SCOPED_TRACE(testing::Message() << "seed 81, " << i);
      SingleTrackState<double> s;
      s.yaw = random.uniform(-3, 3);
      s.forward = random.uniform(-2, 30);
      s.left = random.uniform(-2, 2);
      s.turn = random.uniform(-0.6, 0.6);
      s.engine_speed = random.uniform(70, 350);
      s.brake_twist = random.uniform(-0.004, 0.004);
      s.brake_pressure = random.uniform(0, 1);
      const SimpleInputs inputs{.steer = random.uniform(-0.4, 0.4),
                                .throttle = random.uniform(0, 1),
                                .brake = random.uniform(0, 1),
                                .parking_brake = random.uniform(0, 1),
                                .is_low_range = i % 2 == 1};
      const SimpleGround<double> ground{.slope_x = random.uniform(-0.3, 0.3),
                                        .slope_y = random.uniform(-0.3, 0.3),
                                        .friction = random.uniform(0.3, 1)};
      const auto out = calc_single_track(vehicle, s, inputs, {.gear = 2}, ground);
      const double wheels = vehicle.wheel_inertia / std::pow(vehicle.rolling_radius, 2);
      const double rate = (vehicle.mass + wheels) * s.forward * out.rates.forward +
                          vehicle.mass * s.left * out.rates.left +
                          vehicle.yaw_inertia * s.turn * out.rates.turn;
      const double c = std::cos(inputs.steer), d = std::sin(inputs.steer);
      const double vf = s.left + vehicle.front * s.turn, vr = s.left - vehicle.rear * s.turn;
      const double front = out.front.along * (s.forward * c + vf * d) +
                           out.front.across * (vf * c - s.forward * d),
                   rear = out.rear.along * s.forward + out.rear.across * vr;
      const double slope = ground.slope_x * out.rates.x + ground.slope_y * out.rates.y;
      const double ahead = ground.slope_x * std::cos(s.yaw) + ground.slope_y * std::sin(s.yaw);
      const double left = ground.slope_y * std::cos(s.yaw) - ground.slope_x * std::sin(s.yaw);
      const double gravity =
          -vehicle.mass * 9.81 * slope / std::sqrt(1 + ahead * ahead + left * left);
      const double power = front + rear + gravity - out.resistance * s.forward;
      EXPECT_NEAR(rate, power, 1e-9 * (std::abs(front) + std::abs(rear) + std::abs(gravity)));
      // Tires only ever take by slipping sideways.
      EXPECT_LE(out.front.across * (vf * c - s.forward * d), 0);
      EXPECT_LE(out.rear.across * vr, 0);
      EXPECT_GE(out.resistance * s.forward, 0);
    }
  }
}

// Left and right are the same vehicle, exactly.
TEST(SingleTrack, IsItsOwnMirrorImage) {
  const SingleTrack vehicle = load_hmmwv_single_track();
  SingleTrackState<double> left = make_rolling_state(vehicle, 17.3), right = left;
  driveline::GearState gear = make_rolling_gear(vehicle, 17.3), gear_right = gear;
  for (int i = 0; i < 5000; ++i) {
    const double steer = 0.08 * std::sin(1.3e-3 * i);
    advance(vehicle, {.steer = steer, .throttle = 0.3}, LevelGround{}, 1e-3, &left, &gear);
    advance(vehicle, {.steer = -steer, .throttle = 0.3}, LevelGround{}, 1e-3, &right, &gear_right);
    ASSERT_EQ(left.y, -right.y);
    ASSERT_EQ(left.forward, right.forward);
  }
  EXPECT_GT(std::abs(left.y), 1);
}

// 0-50 mph in 14.5 s at 2597 kg, a straight-line integration of the same engine by others; top
// speed 29-32 m/s. Then it brakes to rest on a slope of 15 % and stays.
TEST(SingleTrack, AcceleratesBrakesAndHolds) {
  const SingleTrack vehicle = load_hmmwv_single_track();
  SingleTrackState<double> state = make_rolling_state(vehicle, 0);
  driveline::GearState gear = make_rolling_gear(vehicle, 0);
  double to_50_mph = 0;
  for (int i = 0; i < 90000; ++i) {
    advance(vehicle, {.throttle = 1}, LevelGround{}, 1e-3, &state, &gear);
    if (to_50_mph == 0 && state.forward > 22.352) to_50_mph = i * 1e-3;
  }
  EXPECT_NEAR(to_50_mph, 14.5, 1.0);
  EXPECT_GT(state.forward, 29);
  EXPECT_LT(state.forward, 32);
  const auto slope = [](double, double) { return SimpleGround<double>{.slope_x = 0.15}; };
  for (int i = 0; i < 10000; ++i) advance(vehicle, {.brake = 1}, slope, 1e-3, &state, &gear);
  const double x = state.x;
  for (int i = 0; i < 60000; ++i) advance(vehicle, {.brake = 1}, slope, 1e-3, &state, &gear);
  EXPECT_NEAR(state.x, x, 2e-3);
  EXPECT_NEAR(state.forward, 0, 1e-4);
}

// Tires divide by the friction: every rate was NaN.
TEST(SingleTrack, SlidesOnGroundWithoutFriction) {
  const SingleTrack vehicle = load_hmmwv_single_track();
  SingleTrackState<double> state = make_rolling_state(vehicle, 12);
  driveline::GearState gear = make_rolling_gear(vehicle, 12);
  const auto ice = [](double, double) { return SimpleGround<double>{.friction = 0}; };
  const double drag = vehicle.rolling * vehicle.gravity + vehicle.drag * 144 / vehicle.mass;
  for (int i = 0; i < 2000; ++i)
    advance(vehicle, {.steer = 0.1, .brake = 1}, ice, 1e-3, &state, &gear);
  EXPECT_NEAR(state.y, 0, 0.01);
  EXPECT_NEAR(state.turn, 0, 0.01);
  EXPECT_NEAR(state.forward, 12, 2 * drag + 0.01);  // neither steering nor brakes act
}

TEST(SingleTrack, GivesTheSameInLanesAndDuals) {
  const SingleTrack vehicle = load_hmmwv_single_track();
  SingleTrackState<double> s = make_rolling_state(vehicle, 14);
  s.left = 0.3;
  s.turn = 0.21;
  s.yaw = 0.4;
  const SimpleInputs inputs{.steer = 0.07, .throttle = 0.4, .brake = 0.1};
  const auto expected = calc_single_track(vehicle, s, inputs, {.gear = 2}, {}).rates;
  const auto check = [&](auto one) {
    using T = decltype(one);
    SingleTrackState<T> state;
    state.yaw = T(s.yaw);
    state.forward = T(s.forward);
    state.left = T(s.left);
    state.turn = T(s.turn);
    state.engine_speed = T(s.engine_speed);
    return calc_single_track(vehicle, state, inputs, {.gear = 2}, SimpleGround<T>{}).rates;
  };
  EXPECT_NEAR(check(Dual(1)).turn.value, expected.turn, 1e-12);
  EXPECT_NEAR(check(Dual(1)).forward.value, expected.forward, 1e-12);
  EXPECT_NEAR(check(tire::Lanes(1)).left.lane(2), expected.left, 1e-9);
}

}  // namespace
}  // namespace camber::dynamics
