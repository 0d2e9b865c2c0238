// The models that come along, each against its published or exact result. Nonlinear motions are in
// tests/simulation.

#include <cmath>
#include <complex>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "camber/lagrange/frequency_response.h"
#include "camber/lagrange/linear_model.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/modes.h"
#include "camber/lagrange/numeric_state_space.h"
#include "camber/lagrange/root_locus.h"
#include "camber/lagrange/state_space.h"
#include "camber/math/dense.h"

namespace camber::lagrange {
namespace {

/// A model from its file, ready for numbers.
class NumericModel {
 public:
  explicit NumericModel(const std::string& name)
      : model_(load_lagrangian("models/" + name + ".toml")),
        program_(make_state_space(make_linear_model(model_.system, model_.linearization))) {}

  NumericStateSpace at(const std::map<std::string, double>& set = {}) {
    return program_.evaluate(parameter_values(model_.system, set));
  }
  std::vector<Mode> modes(const std::map<std::string, double>& set = {}) {
    const NumericStateSpace s = at(set);
    return calc_modes(s.E, s.A);
  }
  double parameter(const std::string& name) {
    return parameter_values(model_.system).at(symbolic::symbol(name)).number().to_double();
  }
  double largest_real_part(const std::map<std::string, double>& set) {
    double largest = -1e300;
    for (const Mode& mode : modes(set)) largest = std::max(largest, mode.eigenvalue.real());
    return largest;
  }

 private:
  LagrangianModel model_;
  StateSpaceProgram program_;
};

// The undamped frequencies are the roots of ms mu w^4 - (ms (ks + kt) + mu ks) w^2 + ks kt = 0.
TEST(Models, QuarterCarHasItsBounceAndWheelHop) {
  NumericModel car("quarter-car");
  const double ms = car.parameter("ms"), mu = car.parameter("mu"), ks = car.parameter("ks"),
               kt = car.parameter("kt");
  const double b = ms * (ks + kt) + mu * ks, root = std::sqrt(b * b - 4 * ms * mu * ks * kt);
  const double bounce = std::sqrt((b - root) / (2 * ms * mu)),
               hop = std::sqrt((b + root) / (2 * ms * mu));
  std::vector<double> found;
  for (const Mode& mode : car.modes({{"c", 0.0}})) {
    if (mode.eigenvalue.imag() > 0) found.push_back(mode.eigenvalue.imag());
  }
  std::sort(found.begin(), found.end());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], bounce, 1e-10 * bounce);
  EXPECT_NEAR(found[1], hop, 1e-10 * hop);
}

// At w^2 = kt/mu the body's response to the road is independent of the damper: the invariant point
// of [Hedrick, Butsuen 1990], here for the acceleration: |zs'' / zr''| = mu / ms.
TEST(Models, QuarterCarHasItsInvariantPoint) {
  NumericModel car("quarter-car");
  const double w = std::sqrt(car.parameter("kt") / car.parameter("mu"));
  for (const double c : {300.0, 1500.0, 4000.0}) {
    const auto response = calc_frequency_response(car.at({{"c", c}}), 0, {w / (2 * M_PI)});
    EXPECT_NEAR(std::abs(response[0].states[0]), car.parameter("mu") / car.parameter("ms"), 1e-9)
        << "c = " << c;
  }
}

// With lf kf = lr kr bounce and pitch do not know of each other: w^2 = (kf + kr)/m and (kf lf^2 +
// kr lr^2)/J.
TEST(Models, HalfCarUncouplesBounceAndPitchWhenTheSpringsBalance) {
  NumericModel car("half-car");
  const double lf = car.parameter("lf"), lr = car.parameter("lr"), kf = car.parameter("kf"),
               m = car.parameter("m"), J = car.parameter("J");
  const double kr = kf * lf / lr;
  std::vector<double> expected = {std::sqrt((kf + kr) / m),
                                  std::sqrt((kf * lf * lf + kr * lr * lr) / J)},
                      found;
  for (const Mode& mode : car.modes({{"kr", kr}, {"cf", 0.0}, {"cr", 0.0}})) {
    if (mode.eigenvalue.imag() > 0) found.push_back(mode.eigenvalue.imag());
  }
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(found.size(), 2U);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(found[i], expected[i], 1e-9 * expected[i]);
}

// Steady turning: yaw rate / steering angle = V / (l + K V^2) with K = m (lr Cr - lf Cf) / (l Cf
// Cr) [Riekert, Schunck 1940; Mitschke 1972]. These data oversteer: unstable above V^2 = -l/K.
TEST(Models, SingleTrackCarHasItsUndersteerGradientAndCriticalSpeed) {
  NumericModel car("single-track-car");
  const double lf = car.parameter("lf"), lr = car.parameter("lr"), l = lf + lr,
               m = car.parameter("m");
  const double Cf = car.parameter("Cf"), Cr = car.parameter("Cr");
  const double K = m * (lr * Cr - lf * Cf) / (l * Cf * Cr);
  ASSERT_LT(K, 0) << "oversteer";
  const double critical = std::sqrt(-l / K);
  for (const double V : {8.0, 15.0, 0.9 * critical}) {
    const auto response = calc_frequency_response(car.at({{"V", V}}), 0, {0.0});
    const double yaw_rate = response[0].outputs[0].real();
    EXPECT_NEAR(yaw_rate, V / (l + K * V * V), 1e-10 * std::abs(yaw_rate)) << "V = " << V;
  }
  EXPECT_LT(car.largest_real_part({{"V", 0.999 * critical}}), 0);
  EXPECT_GT(car.largest_real_part({{"V", 1.001 * critical}}), 0);
}

// Upright rolling is stable above V^2 = g m A R^3 / (C (C + m R^2)): g R / 3 for a disc, g R / 4
// for a hoop [Neimark, Fufaev 1972; Routh 1905].
TEST(Models, RollingDiscStaysUprightAboveItsExactSpeed) {
  NumericModel disc("rolling-disc");
  const double g = disc.parameter("g"), m = disc.parameter("m"), R = disc.parameter("R");
  struct Case {
    double A, C, critical_squared;
  };
  for (const Case& c :
       {Case{m * R * R / 4, m * R * R / 2, g * R / 3}, Case{m * R * R / 2, m * R * R, g * R / 4}}) {
    const auto fastest_growth = [&](double V) {
      return disc.largest_real_part({{"V", V}, {"A", c.A}, {"C", c.C}});
    };
    const double critical = std::sqrt(c.critical_squared);
    EXPECT_GT(fastest_growth(0.9999 * critical), 1e-3);
    EXPECT_LT(fastest_growth(1.0001 * critical), 1e-6) << "oscillates, undamped";
  }
}

// The same car and trailer with matrices written by hand in the velocities (vy, r, gamma') about
// the hitch: an independent route to the snaking speed.
TEST(Models, CarWithTrailerSnakesAboveTheSpeedOfAHandDerivedModel) {
  NumericModel car("car-with-trailer");
  const auto p = [&](const char* name) { return car.parameter(name); };
  const double m = p("m"), J = p("J"), lf = p("lf"), lr = p("lr"), lh = p("lh"), Cf = p("Cf"),
               Cr = p("Cr");
  const double mt = p("mt"), Jt = p("Jt"), lt = p("lt"), lc = p("lc"), Ct = p("Ct");
  const auto growth_by_hand = [&](double V) {
    // Velocity of each mass and tire across the vehicle is row . (vy, r, g') + V g * (trailer);
    // virtual power gives M and D.
    const Eigen::RowVector3d at_car(1, 0, 0), yaw(0, 1, 0), turn(0, 1, 1),
        at_trailer(1, -lh - lc, -lc);
    const Eigen::RowVector3d front(1, lf, 0), rear(1, -lr, 0), axle(1, -lh - lt, -lt);
    const Eigen::Matrix3d M = m * at_car.transpose() * at_car + J * yaw.transpose() * yaw +
                              mt * at_trailer.transpose() * at_trailer +
                              Jt * turn.transpose() * turn;
    // Centripetal terms: each mass accelerates across by its rate plus V r, in the car's axes to
    // first order.
    const Eigen::Matrix3d G =
        V * (m * at_car.transpose() * yaw + mt * at_trailer.transpose() * yaw);
    const Eigen::Matrix3d D = (Cf * front.transpose() * front + Cr * rear.transpose() * rear +
                               Ct * axle.transpose() * axle) /
                              V;
    // A trailer at the angle gamma runs across at V sin(gamma) against its own axes: its tire sees
    // vy_axle - V gamma.
    const Eigen::Vector3d K = -Ct * axle.transpose();
    Eigen::Matrix4d S = Eigen::Matrix4d::Zero();
    S.topLeftCorner<3, 3>() = -M.inverse() * (G + D);
    S.topRightCorner<3, 1>() = -M.inverse() * K;
    S(3, 2) = 1;
    double largest = -1e300;
    for (const auto& e : math::calc_eigen(S).values) largest = std::max(largest, e.real());
    return largest;
  };
  for (const double V : {8.0, 16.0, 24.0, 32.0, 40.0}) {
    EXPECT_NEAR(car.largest_real_part({{"V", V}}), growth_by_hand(V), 1e-9) << "V = " << V;
  }
  EXPECT_LT(growth_by_hand(10), 0);
  EXPECT_GT(growth_by_hand(60), 0) << "it does snake";
}

}  // namespace
}  // namespace camber::lagrange
