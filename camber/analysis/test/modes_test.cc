#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/analysis/modes_analysis.h"
#include "camber/analysis/modes_report.h"
#include "camber/analysis/modes_text.h"
#include "camber/analysis/vehicle_modes.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::analysis {
namespace {

using Json = nlohmann::ordered_json;

const std::string kQuarterCar = "models/quarter-car.toml";

lagrange::LagrangianModel load_quarter_car(const std::string& damper) {
  const std::vector<std::string> assignments = {"parameters.c=" + damper};
  return lagrange::load_lagrangian(kQuarterCar, Overrides(assignments));
}

long count_lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

// Without damper det(K - w^2 M) = 0 is a quadratic equation in w^2.
TEST(ModesAnalysis, FindsTheFrequenciesOfAnUndampedQuarterCar) {
  const ModesAnalysis analysis = analyze_modes(load_quarter_car("0"));
  const double ms = 400, mu = 45, ks = 22000, kt = 190000;
  const double b = ms * (ks + kt) + mu * ks;
  std::vector<double> found;
  for (const auto& mode : analysis.modes) {
    EXPECT_LT(std::abs(mode.eigenvalue.real()), 1e-8);
    found.push_back(mode.eigenvalue.imag());
  }
  std::ranges::sort(found);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_NEAR(found[2], std::sqrt((b - std::sqrt(b * b - 4 * ms * mu * ks * kt)) / (2 * ms * mu)),
              1e-9);
  EXPECT_NEAR(found[3], std::sqrt((b + std::sqrt(b * b - 4 * ms * mu * ks * kt)) / (2 * ms * mu)),
              1e-9);
  EXPECT_EQ(stability_text(analysis, analysis.modes[0]), "neutral");
}

// A damper that drives instead of damping: the limit is at zero.
TEST(ModesAnalysis, FindsWhereTheQuarterCarBecomesStable) {
  const ModesAnalysis analysis =
      analyze_modes(load_quarter_car("1500"),
                    {.sweep = ModesRequest::Sweep{"c", {-75, -25, 25, 75}}, .responses = {}});
  ASSERT_TRUE(analysis.sweep.has_value());
  ASSERT_EQ(analysis.sweep->limits.size(), 2U);  // body and wheel
  for (const auto& limit : analysis.sweep->limits) {
    EXPECT_NEAR(limit.parameter, 0, 1e-6);
    EXPECT_TRUE(limit.becomes_stable);
  }
  EXPECT_NE(to_text(analysis).find("\nstability limits, c from -75 to 75\n"), std::string::npos);
  EXPECT_EQ(count_lines(make_modes_csv(analysis)), 1 + 4);
  EXPECT_EQ(make_figures(analysis).size(), 3U);
}

/// A disc that rolls on a circle [Neimark, Fufaev 1972]: its spin `w` follows from its lean.
std::string circle_with(const std::string& w, const std::string& motion) {
  return R"toml(kind = "lagrangian"
name = "disc_on_a_circle"
coordinates = ["x", "y", "psi", "phi", "theta"]
gravity = [0, 0, "-g"]
[parameters]
g = 9.81
m = 1
R = 0.5
A = "m*R^2/4"
C = "m*R^2/2"
phi0 = 0.3
Omega = -1.7
w = )toml" +
         w + R"toml(
[frames]
heading = { motion = [{ translate = ["x", "y", 0] }, { rotate = "psi", about = "z" }] }
leaning = { from = "heading", motion = [{ rotate = "phi", about = "x" }, { translate = [0, 0, "R"] }] }
disc = { from = "leaning", motion = [{ rotate = "theta", about = "y" }] }
[points]
contact = { frame = "disc", at = ["R*sin(theta)", 0, "-R*cos(theta)"] }
[bodies]
disc_body = { center = "disc", mass = "m", inertia = ["A", "C", "A"] }
[vectors]
slip = { velocity = "contact", kind = "eulerian", in = "heading" }
[constraints]
along = { nonholonomic = "slip.x" }
across = { nonholonomic = "slip.y" }
[linearization]
motion = )toml" +
         motion + R"toml(
[linearization.moving_frame]
variables = ["vx", "vy"]
rates = { "x'" = "vx*cos(psi) - vy*sin(psi)", "y'" = "vx*sin(psi) + vy*cos(psi)" }
)toml";
}

// The motion is a solution for one spin alone. That spin as an expression, as a number, and in the
// motion itself: all are accepted, with the same modes; another spin is not.
TEST(ModesAnalysis, TakesMotionsThatAreSolutionsAtTheValues) {
  const std::string spin =
      "((A*Omega^2*sin(phi0)*cos(phi0) - m*g*R*sin(phi0))/((C + m*R^2)*Omega*cos(phi0)) - "
      "Omega*sin(phi0))";
  const std::string motion = R"({ psi = "Omega*t", phi = "phi0", theta = "w*t", vx = "w*R" })";
  const auto analyze = [](const std::string& text) {
    return analyze_modes(lagrange::parse_lagrangian(text, "circle.toml"));
  };
  const auto fastest = [](const ModesAnalysis& analysis) {
    double largest = 0;
    for (const lagrange::Mode& mode : analysis.modes)
      largest = std::max(largest, mode.eigenvalue.imag());
    return largest;
  };
  const ModesAnalysis defined = analyze(circle_with('"' + spin + '"', motion));
  EXPECT_NEAR(fastest(defined), 1.6604168, 1e-7);
  EXPECT_NE(defined.model.notes[0].find("by the definitions"), std::string::npos);
  const ModesAnalysis number = analyze(circle_with("2.7987231230999594", motion));
  EXPECT_NEAR(fastest(number), fastest(defined), 1e-9);
  EXPECT_NE(number.model.notes[0].find("at the values of the parameters"), std::string::npos);
  const std::string inside =
      R"({ psi = "Omega*t", phi = "phi0", theta = ")" + spin + R"(*t", vx = ")" + spin + R"(*R" })";
  EXPECT_NEAR(fastest(analyze(circle_with("1", inside))), fastest(defined), 1e-9);

  const auto refusal = [&](const std::string& text, const ModesRequest& request = {}) {
    try {
      analyze_modes(lagrange::parse_lagrangian(text, "circle.toml"), request);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string wrong = refusal(circle_with("2.79", motion));
  EXPECT_NE(wrong.find("not a solution"), std::string::npos) << wrong;
  EXPECT_LT(wrong.size(), 500U);
  // A sweep leaves the value at which it was shown.
  EXPECT_NE(refusal(circle_with("2.7987231230999594", motion),
                    {.sweep = ModesRequest::Sweep{"phi0", {0.3, 0.4}}, .responses = {}})
                .find("break"),
            std::string::npos);
}

// Relations between dimensions replace these in the matrices: other values would give a mixture of
// two geometries.
TEST(ModesAnalysis, RefusesValuesThatBreakARelation) {
  const auto load = [](const std::string& set) {
    return lagrange::load_lagrangian("models/motorcycle.toml", Overrides({set}));
  };
  EXPECT_NO_THROW(analyze_modes(load("parameters.V=25")));
  try {
    analyze_modes(load("parameters.epsilon=0.5236"));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("break the relation a = "), std::string::npos)
        << error.what();
  }
}

// A road that is lifted very slowly lifts body and wheel alike.
TEST(ModesAnalysis, FollowsASlowRoad) {
  const ModesAnalysis analysis = analyze_modes(
      load_quarter_car("1500"),
      {.sweep = {}, .responses = ModesRequest::Responses{"zr", {"zs", "travel"}, {0.0, 1.5}}});
  ASSERT_TRUE(analysis.responses.has_value());
  EXPECT_NEAR(std::abs(analysis.responses->values[0][0] - 1.0), 0, 1e-12);
  EXPECT_NEAR(std::abs(analysis.responses->values[1][0]), 0, 1e-12);
  EXPECT_GT(std::abs(analysis.responses->values[0][1]), 1);  // near the body's own frequency
  EXPECT_EQ(make_responses_csv(*analysis.responses).find("frequency_hz,zs_re,zs_im,travel_re"), 0U);
}

TEST(ModesAnalysis, SuggestsNamesThatTheModelHas) {
  const lagrange::LagrangianModel model = load_quarter_car("1500");
  const auto message = [&](const ModesRequest& request) {
    try {
      analyze_modes(model, request);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using Responses = ModesRequest::Responses;
  EXPECT_EQ(message({.sweep = {}, .responses = Responses{"zrr", {"zs"}, {1.0}}}),
            "the linear model has no input \"zrr\"; did you mean \"zr\"?");
  EXPECT_EQ(message({.sweep = {}, .responses = Responses{"zr", {"travle"}, {1.0}}}),
            "the linear model has no output or state \"travle\"; did you mean \"travel\"?");
}

TEST(ModesText, HasEveryNumberInJson) {
  const ModesAnalysis analysis = analyze_modes(load_quarter_car("1500"));
  const Json json = Json::parse(to_json(analysis));
  EXPECT_EQ(json["model"], "quarter_car");
  EXPECT_EQ(json["parameters"]["c"], 1500);
  ASSERT_EQ(json["modes"].size(), analysis.modes.size());
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) {
    EXPECT_EQ(json["eigenvalues"][k][0], analysis.modes[k].eigenvalue.real());
    EXPECT_EQ(json["modes"][k]["frequency_hz"], analysis.modes[k].frequency());
  }
  const std::string text = to_text(analysis);
  EXPECT_EQ(text.find("quarter_car: 4 states (zs, zu, zsdot, zudot)\n"), 0U) << text;
  EXPECT_EQ(count_lines(make_modes_csv(analysis)), 1 + 4);
  const std::string page = make_modes_report(analysis);
  EXPECT_NE(page.find("Modes of quarter_car"), std::string::npos);
  EXPECT_NE(page.find("Linear model E x' = A x + B u"), std::string::npos);
}

// The sum of the eigenvalues is the trace of A.
TEST(ModesAnalysis, OfAMechanismHasTheTraceOfItsMatrix) {
  multibody::MechanismDynamics platform(multibody::load_mechanism("models/stewart-platform.toml"));
  const ModesAnalysis analysis = analyze_modes(&platform, LinearizedAt::kEquilibrium);
  ASSERT_EQ(analysis.modes.size(), 12U);
  std::complex<double> sum = 0;
  for (const auto& mode : analysis.modes) sum += mode.eigenvalue;
  EXPECT_NEAR(std::abs(sum - analysis.A.trace()), 0, 1e-9 * analysis.A.norm());
  EXPECT_EQ(analysis.model.notes.at(0).find("at the equilibrium "), 0U);
  EXPECT_EQ(Json::parse(to_json(analysis))["A"].size(), 12U);
}

TEST(ModesAnalysis, SaysWhenAMechanismDoesNotRest) {
  multibody::MechanismDynamics four_bar(multibody::load_mechanism("models/four-bar.toml"));
  const ModesAnalysis analysis = analyze_modes(&four_bar);
  ASSERT_EQ(analysis.model.notes.size(), 1U);
  EXPECT_EQ(analysis.model.notes[0].find("the initial state is not an equilibrium (speeds up to "),
            0U);
  EXPECT_NE(to_text(analysis).find("\nnote: the initial state is not an equilibrium"),
            std::string::npos);
}

ModesAnalysis analyze_standing(const vehicle::Vehicle& car) {
  multibody::MechanismDynamics dynamics(expand(car, {.is_standing = true}).mechanism,
                                        multibody::Formulation::kCe);
  ModesAnalysis analysis = analyze_modes(&dynamics, LinearizedAt::kEquilibrium);
  name_vehicle_modes(car, &analysis);
  return analysis;
}

// A symmetric vehicle's modes are even or odd in y. Hop, bounce and pitch are even: the chassis does
// not roll in them. Tramp and roll are odd: it neither rises nor pitches. Names come from the sums of
// participations and from the arms, so this is a second way to tell them apart.
TEST(VehicleModes, AreNamedAfterWhatMoves) {
  const ModesAnalysis analysis =
      analyze_standing(vehicle::load_vehicle("models/mcpherson-car.toml"));
  const auto size_of = [&](std::size_t k, const std::string& state) {
    const auto found = std::ranges::find(analysis.states, state);
    return std::abs(analysis.modes[k].shape[found - analysis.states.begin()]);
  };
  std::vector<std::string> names;
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) {
    const std::string& name = analysis.mode_names[k];
    if (name == kRigidBodyMode || analysis.modes[k].eigenvalue.imag() <= 0) continue;
    SCOPED_TRACE(name);
    names.push_back(name);
    const double roll = size_of(k, "chassis.wx'");
    const double even = size_of(k, "chassis.vz'") + size_of(k, "chassis.wy'");
    if (name.ends_with("hop") || name == "bounce" || name == "pitch") {
      EXPECT_LT(roll, 1e-6 * even);
    }
    if (name.ends_with("tramp") || name == "roll") {
      EXPECT_LT(even, 1e-6 * roll);
    }
  }
  std::ranges::sort(names);
  EXPECT_EQ(names,
            (std::vector<std::string>{"bounce", "front hop", "front tramp", "pitch", "rear hop",
                                      "rear tramp", "roll", "steering", "steering wheel"}));
}

TEST(VehicleModes, OfATrailerAreNamedToo) {
  const ModesAnalysis analysis =
      analyze_standing(vehicle::load_vehicle("models/mcpherson-car-with-trailer.toml"));
  for (const char* name : {"trailer_axle hop", "trailer_axle tramp", "trailer roll"})
    EXPECT_EQ(std::ranges::count(analysis.mode_names, name), 2) << name;  // a pair
}

TEST(VehicleModes, LeaveTheRigidBodyOutOfTheTextOnly) {
  const ModesAnalysis analysis = analyze_standing(vehicle::load_vehicle("models/hmmwv.toml"));
  EXPECT_EQ(std::ranges::count(analysis.mode_names, kRigidBodyMode), 14);
  const std::string text = to_text(analysis);
  EXPECT_NE(text.find("14 eigenvalues of the rigid body left out"), std::string::npos);
  EXPECT_EQ(text.find("neutral"), std::string::npos);
  const Json json = Json::parse(to_json(analysis));
  EXPECT_EQ(json["modes"].size(), 30u);
  EXPECT_EQ(json["modes"][0]["name"], analysis.mode_names[0]);
  EXPECT_NE(make_modes_report(analysis).find("front tramp"), std::string::npos);
}

}  // namespace
}  // namespace camber::analysis
