// The rig: what it reads off the HMMWV is what tables and published figures say, its derivatives
// are differences of its positions, and its loops are closed wherever it goes.

#include "camber/vehicle/rig.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/multibody/close_loops.h"
#include "camber/multibody/forces.h"
#include "camber/vehicle/rig_sweep.h"
#include "camber/vehicle/test/drawn_vehicle.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::vehicle {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr const char* kModels[] = {"models/hmmwv.toml", "models/hmmwv-3d.toml",
                                   "models/mcpherson-car.toml"};

using Row = std::map<std::string, std::string>;

std::vector<Row> read_table(const std::string& name) {
  std::ifstream file("camber/vehicle/test/data/" + name);
  EXPECT_TRUE(file.good()) << name;
  std::vector<Row> rows;
  std::vector<std::string> head;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream cells(line);
    std::vector<std::string> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(cell);
    if (head.empty()) {
      head = values;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < head.size(); ++i) row[head[i]] = values.at(i);
    rows.push_back(row);
  }
  return rows;
}

/// A number and half a unit of its ninth digit, to which the tables are printed.
void expect_printed(double value, const std::string& printed, double inputs) {
  const double expected = std::stod(printed);
  EXPECT_NEAR(value, expected, 5e-9 * std::abs(expected) + inputs);
}

int corner_named(const Rig& rig, const std::string& name) {
  for (std::size_t i = 0; i < rig.corners().size(); ++i) {
    if (rig.corners()[i].name == name) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no corner " << name;
  return 0;
}

double coordinate(const Rig& rig, const std::string& name) {
  const auto& names = rig.dynamics().tree().q_names;
  const auto found = std::find(names.begin(), names.end(), name);
  EXPECT_NE(found, names.end()) << name;
  return rig.q()[found - names.begin()];
}

// --- Tables and published figures ---

TEST(Rig, ReproducesTheTableOfTheHmmwvsArms) {
  Rig rig(load_drawn_vehicle("models/hmmwv-3d.toml"));
  const std::vector<Row> rows = read_table("hmmwv_double_wishbone.csv");
  ASSERT_EQ(rows.size(), 22u);
  for (Row row : rows) {
    SCOPED_TRACE(row["axle"] + " " + row["arm"]);
    const int corner = corner_named(rig, row["axle"] + "_left");
    rig.reset();
    ASSERT_TRUE(rig.turn_arm(corner, std::stod(row["arm"])));
    const WheelState wheel = rig.measure().wheels[corner];
    const Vector3 way = wheel.center - rig.corners()[corner].points.wheel;
    // The arm's angle is printed to 5e-10 rad; lengths and angles follow it by factors below 1.
    const double in = 1e-9;
    expect_printed(way[0], row["dx"], in);
    expect_printed(way[1], row["dy"], in);
    expect_printed(way[2], row["dz"], in);
    expect_printed(wheel.axis[0], row["axis_x"], in);
    expect_printed(wheel.axis[1], row["axis_y"], in);
    expect_printed(wheel.axis[2], row["axis_z"], in);
    expect_printed(wheel.camber / kDegree, row["camber_deg"], in / kDegree);
    expect_printed(wheel.toe / kDegree, row["toe_deg"], in / kDegree);
    expect_printed(wheel.spring_length, row["spring_length"], in);
    expect_printed(wheel.shock_length, row["shock_length"], in);
    expect_printed(coordinate(rig, row["axle"] + "_left_upper_arm"), row["upper_arm"], 2 * in);
    EXPECT_LT(rig.measure().closure_error, 1e-13);
  }
}

// Both variants have the same kingpins in the design position, and only they turn.
TEST(Rig, ReproducesTheTableOfTheHmmwvsSteering) {
  for (const char* model : {"models/hmmwv-3d.toml", "models/hmmwv.toml"}) {
    Rig rig(load_drawn_vehicle(model));
    const double wheelbase = rig.corners()[0].points.wheel[0] - rig.corners()[2].points.wheel[0];
    const std::vector<Row> rows = read_table("hmmwv_steering.csv");
    ASSERT_EQ(rows.size(), 8u);
    for (Row row : rows) {
      SCOPED_TRACE(std::string(model) + " " + row["pitman"]);
      rig.reset();
      ASSERT_TRUE(rig.steer(std::stod(row["pitman"])));
      const RigState state = rig.measure();
      // The linkage's points in the model have nine digits.
      const double in = 1e-8;
      EXPECT_NEAR(state.wheels[0].steer, std::stod(row["left"]), in);
      EXPECT_NEAR(state.wheels[1].steer, std::stod(row["right"]), in);
      // The table has a wheelbase of 3.302 m, the model 3.301984 m.
      const double scale = 3.302 / wheelbase, radius = std::stod(row["rear_radius"]);
      ASSERT_TRUE(state.turn);
      EXPECT_NEAR(state.turn->rear_radius * scale, radius, 1e-7 * radius * radius);
      EXPECT_NEAR(state.turn->ackermann * scale, std::stod(row["ackermann"]),
                  1e-7 * radius * radius);
      EXPECT_NEAR(state.turn->outer_radius, std::stod(row["outer_radius"]),
                  1e-5 * std::stod(row["outer_radius"]));
    }
  }
}

// Figures of the HMMWV's suspension as printed with its data set's hardpoints, to half a unit of
// the last digit: at the design position, and where it stands unladen.
TEST(Rig, ReproducesThePublishedFiguresOfTheHmmwv) {
  Vehicle car = load_drawn_vehicle("models/hmmwv-3d.toml");
  for (Axle& axle : car.axles) axle.spring.stop.reset();  // the figures are of springs alone
  Rig rig(car, {.loaded_radius = {0.44, 0.44}});
  const auto expect = [](const char* what, double value, double printed, double unit) {
    EXPECT_NEAR(value, printed, 0.5 * unit + 1e-12) << what;
  };
  struct Figures {
    int corner;
    double inclination, caster, scrub, trail, ratio, camber_gain, toe_gain, roll_center;  // design
    double travel, unladen_roll_center, rate, frequency;
  };
  for (const Figures& f :
       {Figures{0, 12.0, 3.0, 49, 23, 0.4517, -23.7, -5.1, 0.344, -0.047, 0.371, 31.9, 1.20},
        Figures{2, 12.0, 0.0, 49, 0, 0.4391, -34.8, 1.2, 0.400, -0.103, 0.454, 76.0, 1.92}}) {
    SCOPED_TRACE(rig.corners()[f.corner].name);
    rig.reset();
    RigState state = rig.measure();
    WheelState wheel = state.wheels[f.corner];
    const int axle = rig.corners()[f.corner].axle;
    expect("kingpin inclination", wheel.kingpin->inclination / kDegree, f.inclination, 0.1);
    expect("caster", wheel.kingpin->caster / kDegree, f.caster, 0.1);
    expect("scrub radius", 1000 * wheel.kingpin->scrub_radius, f.scrub, 1);
    expect("trail", 1000 * wheel.kingpin->trail, f.trail, 1);
    expect("spring ratio", wheel.spring_ratio, f.ratio, 0.0001);
    expect("camber gain", wheel.camber_gain / kDegree, f.camber_gain, 0.1);
    expect("toe gain", wheel.toe_gain / kDegree, f.toe_gain, 0.1);
    expect("roll center", state.axles[axle].roll_center_height, f.roll_center, 0.001);

    // The travel is printed to a millimeter: what it changes adds to the last digit's half.
    for (const int side : {0, 1}) ASSERT_TRUE(rig.lift(f.corner + side, f.travel));
    state = rig.measure();
    wheel = state.wheels[f.corner];
    expect("unladen roll center", state.axles[axle].roll_center_height, f.unladen_roll_center,
           0.001 + 0.001);
    expect("wheel rate", 1e-3 * wheel.rate, f.rate, 0.1 + 0.2);
    expect("ride frequency", wheel.ride_frequency, f.frequency, 0.01 + 0.01);
  }
}

TEST(Rig, FindsTheHmmwvStandingWhereItsSpringsCarryIt) {
  Vehicle car = load_drawn_vehicle("models/hmmwv-3d.toml");
  for (Axle& axle : car.axles) axle.spring.stop.reset();
  const RigResult result = run_rig(car, {.travel = RigRange{-0.01, 0.01, 0.01}});
  ASSERT_TRUE(result.standing && result.at_standing);
  EXPECT_NEAR(result.standing->travel[0], -0.047, 0.001);  // published, of springs alone
  EXPECT_NEAR(result.standing->travel[2], -0.103, 0.001);
  double weight = 0;
  for (const double load : result.standing->load) weight += load;
  EXPECT_NEAR(weight, 2597.14 * 9.81, 1e-6 * weight);
  // Virtual work on the rig and the tires' springs under the free vehicle; that one is pitched by
  // a degree, and the rig's ground is level.
  for (std::size_t i = 0; i < result.corners.size(); ++i)
    EXPECT_NEAR(result.at_standing->wheels[i].load, result.standing->load[i],
                0.005 * result.standing->load[i]);
}

// --- Laws ---

TEST(Rig, ClosesAllLoopsFromStopToStopAndLockToLock) {
  for (const char* model : kModels) {
    SCOPED_TRACE(model);
    const Vehicle car = load_vehicle(model);
    const bool is_rack = car.steering->type == SteeringType::kRack;
    const double lock = is_rack ? kUsualRack : kUsualPitman;
    const RigResult result = run_rig(car);
    EXPECT_LT(result.closure_error, 1e-13);
    Rig rig(car);
    const multibody::Partition& partition = rig.dynamics().partition();
    multibody::Partition by_newton = partition;
    for (auto& part : by_newton.parts) {
      EXPECT_FALSE(part.plan.empty());
      part.plan.clear();
    }
    const auto& mechanism = rig.dynamics().model();
    multibody::ClosureWork<double> work(mechanism, partition);
    multibody::PositionKinematics<double> pos(mechanism);
    double worst = 0;
    for (int i = 0; i <= 8; ++i) {
      for (int k = -4; k <= 4; ++k) {
        rig.reset();
        for (const AxleSweep& sweep : result.axles) {
          const double travel =
              sweep.range.first + i / 8.0 * (sweep.range.last - sweep.range.first);
          ASSERT_TRUE(rig.lift(sweep.left, travel) && rig.lift(sweep.right, travel));
        }
        ASSERT_TRUE(rig.steer(k / 4.0 * lock)) << "travel " << i << ", steering " << k;
        worst = std::max(worst, rig.measure().closure_error);
        // Newton's method from the closed form's position, its dependent part disturbed.
        VectorX<double> q = rig.q(), step = VectorX<double>::Zero(mechanism.nv);
        for (const auto& part : partition.parts) {
          for (const int v : part.dependent) step[v] = 0.002 * (v % 3 - 1.1);
        }
        move_positions(mechanism, step, &q);
        ASSERT_TRUE(close_loops(mechanism, by_newton, &work, &q, &pos).closed);
        EXPECT_LT((q - rig.q()).cwiseAbs().maxCoeff(), 1e-11);
      }
    }
    EXPECT_LT(worst, 1e-13);
  }
}

void expect_mirrored(const WheelState& left, const WheelState& right) {
  const double eps = 1e-11;
  EXPECT_NEAR(left.travel, right.travel, eps);
  EXPECT_NEAR(left.arm, right.arm, eps);
  EXPECT_NEAR(left.camber, right.camber, eps);
  EXPECT_NEAR(left.toe, right.toe, eps);
  EXPECT_NEAR(left.steer, -right.steer, eps);
  EXPECT_NEAR(left.contact[0], right.contact[0], eps);
  EXPECT_NEAR(left.contact[1], -right.contact[1], eps);
  EXPECT_NEAR(left.contact[2], right.contact[2], eps);
  EXPECT_NEAR(left.camber_gain, right.camber_gain, 1e-9);
  EXPECT_NEAR(left.toe_gain, right.toe_gain, 1e-9);
  EXPECT_NEAR(left.spring_ratio, right.spring_ratio, 1e-9);
  EXPECT_NEAR(left.rate, right.rate, 1e-6 * std::abs(left.rate));
  ASSERT_EQ(left.kingpin.has_value(), right.kingpin.has_value());
  if (!left.kingpin) return;
  EXPECT_NEAR(left.kingpin->caster, right.kingpin->caster, eps);
  EXPECT_NEAR(left.kingpin->inclination, right.kingpin->inclination, eps);
  EXPECT_NEAR(left.kingpin->scrub_radius, right.kingpin->scrub_radius, eps);
  EXPECT_NEAR(left.kingpin->trail, right.kingpin->trail, eps);
}

TEST(Rig, MirrorsLeftAndRight) {
  for (const char* model : kModels) {
    const RigResult result = run_rig(load_vehicle(model));
    for (const AxleSweep& sweep : result.axles) {
      SCOPED_TRACE(std::string(model) + ", axle " + std::to_string(sweep.axle));
      for (const RigState& state : sweep.parallel)
        expect_mirrored(state.wheels[sweep.left], state.wheels[sweep.right]);
      const std::size_t n = sweep.opposed.size();
      for (std::size_t i = 0; i < n; ++i) {
        const RigState &state = sweep.opposed[i], &image = sweep.opposed[n - 1 - i];
        const AxleState &axle = state.axles[sweep.axle], &other = image.axles[sweep.axle];
        EXPECT_NEAR(state.wheels[sweep.left].camber, image.wheels[sweep.right].camber, 1e-11);
        EXPECT_NEAR(axle.roll, -other.roll, 1e-11);
        EXPECT_NEAR(axle.roll_center_height, other.roll_center_height, 1e-9);
      }
    }
    const std::size_t n = result.steering.size();
    for (std::size_t i = 0; i < n; ++i) {
      const RigState &state = result.steering[i], &image = result.steering[n - 1 - i];
      EXPECT_NEAR(state.steering, -image.steering, 1e-12);
      EXPECT_NEAR(state.wheels[0].steer, -image.wheels[1].steer, 1e-10);
      EXPECT_NEAR(state.wheels[0].camber, image.wheels[1].camber, 1e-10);
    }
  }
}

// A gain is the slope of what it belongs to: fourth-order differences over the wheel's travel.
TEST(Rig, GivesTheDerivativesOfItsPositions) {
  for (const char* model : kModels) {
    Rig rig(load_vehicle(model));
    for (std::size_t c = 0; c < rig.corners().size(); ++c) {
      const int corner = static_cast<int>(c);
      for (const double travel : {-0.053, 0.017, 0.061}) {
        SCOPED_TRACE(testing::Message() << model << ' ' << rig.corners()[c].name << ' ' << travel);
        rig.reset();
        ASSERT_TRUE(rig.steer(0.031));
        const double h = 0.001;
        const auto at = [&](double z) {
          EXPECT_TRUE(rig.lift(corner, z));
          return rig.measure().wheels[corner];
        };
        const WheelState m2 = at(travel - 2 * h), m1 = at(travel - h), p1 = at(travel + h),
                         p2 = at(travel + 2 * h), here = at(travel);
        EXPECT_NEAR(here.travel, travel, 1e-14);
        const auto slope = [&](const std::function<double(const WheelState&)>& f) {
          return (8 * (f(p1) - f(m1)) - (f(p2) - f(m2))) / (12 * h);
        };
        EXPECT_NEAR(here.camber_gain, slope([](const auto& w) { return w.camber; }), 1e-8);
        EXPECT_NEAR(here.toe_gain, slope([](const auto& w) { return w.toe; }), 1e-8);
        EXPECT_NEAR(here.spring_ratio, -slope([](const auto& w) { return w.spring_length; }), 1e-8);
        EXPECT_NEAR(here.shock_ratio, -slope([](const auto& w) { return w.shock_length; }), 1e-8);
        for (int i = 0; i < 3; ++i)
          EXPECT_NEAR(here.center_slope[i], slope([&](const auto& w) { return w.center[i]; }),
                      1e-8);
        // The lowest point wanders along the tire, in the wheel's heading; across and up it moves
        // as the point of the carrier that it is.
        Vector3 contact_slope;
        for (int i = 0; i < 3; ++i)
          contact_slope[i] = slope([&](const auto& w) { return w.contact[i]; });
        const Vector3 wander = here.contact_slope - contact_slope;
        EXPECT_NEAR(wander[0] * here.axis[0] + wander[1] * here.axis[1], 0, 1e-8);
        EXPECT_NEAR(wander[2], 0, 1e-8);
        if (here.kingpin) {
          EXPECT_NEAR(here.caster_gain, slope([](const auto& w) { return w.kingpin->caster; }),
                      1e-8);
        }
        // One wheel alone: half of both alike and of one against the other.
        EXPECT_NEAR(0.5 * (here.rate + here.roll_rate),
                    slope([](const auto& w) { return w.spring_load; }), 1e-6 * here.roll_rate);
      }
    }
  }
}

// Work on the springs is the energy that they gain.
TEST(Rig, LoadsWheelsWithTheSlopeOfTheSpringsEnergy) {
  for (const char* model : kModels) {
    Rig rig(load_vehicle(model));
    const auto energy = [&] {
      multibody::PositionKinematics<double> pos(rig.dynamics().model());
      calc_position_kinematics(rig.dynamics().model(), rig.q(), &pos);
      return calc_elastic_energy(rig.dynamics().model(), pos, rig.q());
    };
    for (std::size_t c = 0; c < rig.corners().size(); ++c) {
      const int corner = static_cast<int>(c);
      SCOPED_TRACE(testing::Message() << model << ' ' << rig.corners()[c].name);
      const double h = 0.001, travel = 0.043;
      rig.reset();
      const auto at = [&](double z) {
        EXPECT_TRUE(rig.lift(corner, z));
        return energy();
      };
      const double slope =
          (8 * (at(travel + h) - at(travel - h)) - (at(travel + 2 * h) - at(travel - 2 * h))) /
          (12 * h);
      at(travel);
      EXPECT_NEAR(rig.measure().wheels[corner].spring_load, slope, 1e-7 * slope);
    }
  }
}

// Whatever the linkage in front of it does, steering turns a wheel about its kingpin.
TEST(Rig, SteersAboutTheKingpin) {
  for (const char* model : kModels) {
    SCOPED_TRACE(model);
    const RigResult result = run_rig(load_vehicle(model));
    Rig rig(load_vehicle(model));
    for (const int corner : {0, 1}) {
      const Hardpoints& p = rig.corners()[corner].points;
      const bool is_strut = rig.vehicle().axles[0].type == SuspensionType::kMcPherson;
      const Vector3 top = is_strut ? p.strut_top : p.upper_ball;
      const Vector3 axis = (top - p.lower_ball).normalized();  // arms held: it stays
      const WheelState& start = result.design.wheels[corner];
      for (const RigState& state : result.steering) {
        const WheelState& wheel = state.wheels[corner];
        EXPECT_NEAR(wheel.axis.dot(axis), start.axis.dot(axis), 1e-12);
        EXPECT_NEAR((wheel.center - p.lower_ball).dot(axis),
                    (start.center - p.lower_ball).dot(axis), 1e-12);
        EXPECT_NEAR((wheel.center - p.lower_ball).norm(), (start.center - p.lower_ball).norm(),
                    1e-12);
        EXPECT_NEAR(wheel.kingpin->caster, start.kingpin->caster, 1e-12);
      }
    }
  }
}

// [002]'s four-bar: where two circles meet, in plain arithmetic.
TEST(Rig, TurnsThePlanarUprightAsAFourBar) {
  const Vehicle car = load_vehicle("models/hmmwv.toml");
  Rig rig(car);
  const Hardpoints& p = rig.corners()[0].points;
  const auto flat = [](const Vector3& x) { return Eigen::Vector2d(x[1], x[2]); };
  const Eigen::Vector2d A = flat(p.lower_front), G = flat(0.5 * (p.upper_front + p.upper_back));
  const double DF = (flat(p.upper_ball) - flat(p.lower_ball)).norm(),
               FG = (flat(p.upper_ball) - G).norm();
  for (const double angle : {-0.21, -0.1, 0.13, 0.24}) {
    SCOPED_TRACE(angle);
    rig.reset();
    ASSERT_TRUE(rig.turn_arm(0, angle));
    const Eigen::Vector2d D = A + Eigen::Rotation2Dd(angle) * (flat(p.lower_ball) - A);
    const Eigen::Vector2d GD = D - G;
    const double d = GD.norm(), along = (FG * FG - DF * DF + d * d) / (2 * d);
    const double across = std::sqrt(FG * FG - along * along);
    const Eigen::Vector2d u = GD / d, F = G + along * u + across * Eigen::Vector2d(-u[1], u[0]);
    EXPECT_NEAR(rig.measure().wheels[0].kingpin->inclination, std::atan2(D[0] - F[0], F[1] - D[1]),
                1e-12);
  }
}

TEST(Rig, TurnsATrailingArmAboutItsHinge) {
  Rig rig(load_vehicle("models/mcpherson-car.toml"));
  const int corner = corner_named(rig, "rear_left");
  const Hardpoints& p = rig.corners()[corner].points;
  const Eigen::AngleAxisd turn(0.137, (p.arm_outer - p.arm_inner).normalized());
  ASSERT_TRUE(rig.turn_arm(corner, 0.137));
  const WheelState wheel = rig.measure().wheels[corner];
  const Vector3 center = p.arm_inner + turn * (p.wheel - p.arm_inner);
  const Vector3 axis = turn * rig.corners()[corner].wheel_axis;
  EXPECT_LT((wheel.center - center).norm(), 1e-14);
  EXPECT_LT((wheel.axis - axis).norm(), 1e-14);
  EXPECT_GT(wheel.travel, 0.05);  // a positive angle is bump
  EXPECT_FALSE(wheel.kingpin);
}

TEST(Rig, FeelsTheAntiRollBarInRollAlone) {
  const Vehicle with = load_vehicle("models/mcpherson-car.toml");
  Vehicle without = with;
  without.axles[0].anti_roll_bar.reset();
  Rig a(with), b(without);
  for (Rig* rig : {&a, &b}) ASSERT_TRUE(rig->lift(0, 0.021) && rig->lift(1, 0.021));
  const WheelState x = a.measure().wheels[0], y = b.measure().wheels[0];
  EXPECT_NEAR(x.rate, y.rate, 1e-7 * y.rate);
  EXPECT_NEAR(y.roll_rate, y.rate, 1e-9 * y.rate);
  EXPECT_GT(x.roll_rate, y.roll_rate + 2000);
}

TEST(Rig, TakesSoftBearingsAsIdealAndTheSteeringAsFree) {
  const Vehicle car = load_vehicle("models/hmmwv-3d.toml");
  Vehicle soft = car;
  soft.axles[0].soft_lower_hinge = soft.axles[0].soft_upper_hinge =
      SoftHinge{Vector3(2e7, 2.1e7, 1.9e7), Vector3(2e4, 2e4, 2e4), Vector3(5e4, 5e4, 10),
                Vector3(50, 50, 1)};
  soft.steering->motion = symbolic::symbol("t");
  Rig a(car), b(soft);
  for (Rig* rig : {&a, &b}) ASSERT_TRUE(rig->steer(0.2) && rig->lift(0, 0.05));
  EXPECT_EQ(a.measure().wheels[0].camber, b.measure().wheels[0].camber);
  EXPECT_EQ(a.measure().wheels[0].toe, b.measure().wheels[0].toe);
}

// --- Ends ---

TEST(Rig, StaysClosedWhereTheLinkageEnds) {
  Rig rig(load_vehicle("models/hmmwv-3d.toml"));
  EXPECT_FALSE(rig.lift(0, -0.5));
  const double end = rig.travel(0);
  EXPECT_NEAR(end, -0.1844, 1e-4);
  EXPECT_LT(rig.measure().closure_error, 1e-13);
  EXPECT_TRUE(rig.lift(0, end + 0.001));  // and comes back
  rig.reset();
  EXPECT_FALSE(rig.steer(1.5));
  EXPECT_LT(rig.measure().closure_error, 1e-13);
  EXPECT_TRUE(rig.steer(0.4));
}

TEST(RigSweep, NamesTheWheelThatDoesNotReach) {
  const Vehicle car = load_vehicle("models/hmmwv-3d.toml");
  const auto message = [&](const RigRequest& request) -> std::string {
    try {
      run_rig(car, request);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.travel = RigRange{-0.3, 0.1, 0.01}}),
            "a travel of -0.19 m is out of reach: front_left ends at -0.1844 m");
  EXPECT_EQ(message({.steering = RigRange{-0.2, 1.4, 0.1}}),
            "a steering of 63.0254 deg is out of reach: the linkage ends at 60.6026 deg");
}

TEST(RigSweep, NotesTheStopsThatItPasses) {
  const RigResult result =
      run_rig(load_vehicle("models/hmmwv-3d.toml"), {.travel = RigRange{-0.105, 0.05, 0.005}});
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0],
            "rear_left: a travel of -0.105 m is beyond the rebound stop, which begins at "
            "-0.0975 m");
}

// The rear bump stop of the data set begins at 366 mm, further than a wheel goes: the travel that
// counts was a third of every plot.
TEST(RigSweep, GoesFromStopToStopAsFarAsIsOfUse) {
  const RigResult result = run_rig(load_vehicle("models/hmmwv-3d.toml"));
  EXPECT_NEAR(result.axles[0].range.first, -0.1137, 1e-4);
  EXPECT_EQ(result.axles[0].range.last, kUsualTravel);
  EXPECT_NEAR(result.axles[1].range.first, -0.0975, 1e-4);
  EXPECT_EQ(result.axles[1].range.last, kUsualTravel);
  ASSERT_EQ(result.notes.size(), 2u);
  EXPECT_EQ(result.notes[1],
            "rear_left: shown to 0.13 m of travel; the bump stop begins at 0.3656 m, where "
            "--travel goes");
  Vehicle without_stops = load_vehicle("models/mcpherson-car.toml");
  for (Axle& axle : without_stops.axles)
    axle.spring.bump_length = axle.spring.rebound_length = std::nullopt;
  const RigResult usual = run_rig(without_stops);
  EXPECT_NEAR(usual.axles[1].range.first, -kUsualTravel, 1e-12);
  EXPECT_NEAR(usual.axles[1].range.last, kUsualTravel, 1e-12);
  EXPECT_TRUE(usual.notes.empty()) << usual.notes[0];
}

// A lower ball on the other side of the vehicle, as by a sign that is wrong: from stop to stop
// there was a range that ended before it began, and that was all that was said.
TEST(RigSweep, SaysWhichPointIsOnTheWrongSide) {
  Vehicle car = load_vehicle("models/hmmwv-3d.toml");
  car.axles[0].points.lower_ball[1] *= -1;
  try {
    run_rig(car);
    ADD_FAILURE() << "it ran";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what())
                  .find("axles.front.points.lower_ball: the arm leads away from the wheel"),
              std::string::npos)
        << error.what();
  }
}

TEST(RigSweep, StepsEvenlyThroughZeroAndBothEnds) {
  const std::vector<double> values = values_of({-0.011, 0.02, 0.005});
  ASSERT_EQ(values.size(), 8u);
  EXPECT_EQ(values.front(), -0.011);
  EXPECT_EQ(values[3], 0);
  EXPECT_EQ(values.back(), 0.02);
  EXPECT_THROW(values_of({0.1, 0.1, 0.01}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::vehicle
