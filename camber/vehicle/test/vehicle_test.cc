// Vehicles as mechanisms: the paper's counts, three formulations on one vehicle, mirror symmetry,
// momentum in free flight, static loads and ride modes.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/math/dense.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/fully_augmented.h"
#include "camber/multibody/linearize.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/test/spans.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/problems.h"
#include "camber/vehicle/rig_sweep.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::vehicle {
namespace {

using multibody::Formulation, multibody::MechanismDynamics, multibody::Model, multibody::to_eigen;
using multibody::in, multibody::out;

constexpr const char* kFiles[] = {"models/hmmwv.toml", "models/hmmwv-3d.toml"};

/// Near the design position, loops closed, moving.
void make_random_state(MechanismDynamics* ce, std::uint64_t seed, VectorX<double>* q,
                       VectorX<double>* v) {
  RandomStream random = RandomStream(seed).substream("state");
  *q = ce->initial_q();
  *v = VectorX<double>::Zero(ce->nv());
  VectorX<double> step = *v;
  for (int k = 0; k < ce->nv(); ++k) {
    step[k] = random.uniform(-0.08, 0.08);
    (*v)[k] = random.uniform(-1.2, 1.2);
  }
  move_positions(ce->model(), step, q);
  ASSERT_TRUE(ce->project(0, out(q), out(v))) << ce->why();
}

TEST(Hmmwv, HasThePapersCounts) {
  const VehicleMechanism hmmwv = expand(load_vehicle("models/hmmwv.toml"));
  EXPECT_EQ(hmmwv.mechanism.bodies.size(), 36 + 1U);
  const MechanismDynamics ce(hmmwv.mechanism), ta(hmmwv.mechanism, Formulation::kTa),
      fa(hmmwv.mechanism, Formulation::kFa);
  EXPECT_EQ(fa.coordinate_count(), 216);
  EXPECT_EQ(fa.constraint_count(), 201);
  EXPECT_EQ(ta.coordinate_count(), 45);
  EXPECT_EQ(ta.constraint_count(), 30);
  EXPECT_EQ(ce.coordinate_count(), 15);
  EXPECT_EQ(ce.constraint_count(), 0);
}

TEST(Hmmwv, HasOneDegreeLessWithAGivenSteeringAngle) {
  Vehicle vehicle = load_vehicle("models/hmmwv.toml");
  vehicle.steering->motion = 0.2 * sin(1.3 * symbolic::symbol("t"));
  EXPECT_EQ(MechanismDynamics(expand(vehicle).mechanism).coordinate_count(), 14);
}

TEST(Hmmwv, IsClosedInClosedForm) {
  for (const char* file : kFiles) {
    const MechanismDynamics ce(expand(load_vehicle(file)).mechanism);
    ASSERT_FALSE(ce.partition().parts.empty());
    for (const auto& part : ce.partition().parts) EXPECT_FALSE(part.plan.empty()) << file;
  }
}

TEST(Hmmwv, AcceleratesAlikeInEveryFormulation) {
  for (const char* file : kFiles) {
    const VehicleMechanism hmmwv = expand(load_vehicle(file), {.is_standing = true});
    MechanismDynamics ce(hmmwv.mechanism), ta(hmmwv.mechanism, Formulation::kTa);
    multibody::FullyAugmented fa(ce.tree(), ce.initial_q());
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      SCOPED_TRACE(testing::Message() << file << ", seed " << seed);
      VectorX<double> q, v, a(ce.nv()), b(ce.nv()), q_fa, v_fa, a_fa, c;
      make_random_state(&ce, seed, &q, &v);
      ASSERT_TRUE(ce.calc_accelerations(0, in(q), in(v), out(&a))) << ce.why();
      ASSERT_TRUE(ta.calc_accelerations(0, in(q), in(v), out(&b))) << ta.why();
      EXPECT_LT((a - b).norm(), 1e-9 * (1 + a.norm()));
      fa.take_state(ce.tree(), q, v, &q_fa, &v_fa);
      a_fa = VectorX<double>::Zero(v_fa.size());
      ASSERT_EQ(fa.calc_accelerations(q_fa, v_fa, {}, &a_fa), multibody::EvaluationStatus::kOk);
      fa.give_accelerations(ce.tree(), q, v, a_fa, &c);
      EXPECT_LT((a - c).norm(), 1e-9 * (1 + a.norm()));
    }
  }
}

/// The state of the mirrored vehicle: left and right exchanged, the chassis in a mirror.
class Mirror {
 public:
  explicit Mirror(const MechanismDynamics& ce) : ce_(ce) {}

  VectorX<double> of_speeds(const VectorX<double>& v) const {
    VectorX<double> image(v.size());
    const auto& names = ce_.tree().v_names;
    for (int k = 0; k < v.size(); ++k)
      image[k] = sign(names[k]) * v[find(names, swapped(names[k]))];
    return image;
  }

 private:
  static std::string swapped(std::string name) {
    for (const auto& [from, to] : {std::pair{"_left", "_right"}, std::pair{"_right", "_left"}}) {
      if (const auto at = name.find(from); at != std::string::npos)
        return name.replace(at, std::string(from).size(), to);
    }
    return name;
  }
  static double sign(const std::string& name) {
    // Turns about x and z and the way along y go the other way.
    for (const char* odd : {"chassis.wx", "chassis.wz", "chassis.vy"}) {
      if (name.starts_with(odd)) return -1;
    }
    return 1;
  }
  static int find(const std::vector<std::string>& names, const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    EXPECT_NE(at, names.end()) << name;
    return static_cast<int>(at - names.begin());
  }
  const MechanismDynamics& ce_;
};

// From the design position, which is its own mirror image, with speeds and their image. The
// steering linkage itself has no mirror image: its parts are given their speed zero and left out.
TEST(Hmmwv, MirrorsItsMotion) {
  for (const char* file : kFiles) {
    Vehicle vehicle = load_vehicle(file);
    vehicle.steering.reset();
    vehicle.chassis.center[1] = 0;  // the idler's mass was taken off on one side
    vehicle.chassis.inertia = Matrix3(vehicle.chassis.inertia.diagonal().asDiagonal());
    const VehicleMechanism hmmwv = expand(vehicle, {.is_standing = true});
    MechanismDynamics ce(hmmwv.mechanism);
    const Mirror mirror(ce);
    VectorX<double> q = ce.initial_q(), v(ce.nv()), a(ce.nv()), b(ce.nv());
    for (int k = 0; k < ce.nv(); ++k) v[k] = std::sin(1.3 * k + 0.7);
    ASSERT_TRUE(ce.project(0, out(&q), out(&v)));
    const VectorX<double> w = mirror.of_speeds(v);
    VectorX<double> p = q, w_closed = w;
    ASSERT_TRUE(ce.project(0, out(&p), out(&w_closed)));
    EXPECT_LT((w - w_closed).cwiseAbs().maxCoeff(), 1e-13);
    ASSERT_TRUE(ce.calc_accelerations(0, in(q), in(v), out(&a)));
    ASSERT_TRUE(ce.calc_accelerations(0, in(q), in(w), out(&b)));
    EXPECT_LT((mirror.of_speeds(a) - b).cwiseAbs().maxCoeff(), 1e-12 * a.cwiseAbs().maxCoeff())
        << file;
  }
}

// In free flight only gravity acts: whatever arms, springs and wheels do.
TEST(Hmmwv, KeepsItsMomentumInFreeFlight) {
  for (const char* file : kFiles) {
    MechanismDynamics ce(expand(load_vehicle(file)).mechanism);
    const Model<double>& model = ce.model();
    VectorX<double> q, v, a(ce.nv());
    make_random_state(&ce, 4, &q, &v);
    ASSERT_TRUE(ce.calc_accelerations(0, in(q), in(v), out(&a)));
    const double h = 1e-5;
    const auto momentum = [&](double t) {
      multibody::PositionKinematics<double> pos(model);
      multibody::VelocityKinematics<double> vel(model);
      VectorX<double> q_t = q;
      move_positions(model, VectorX<double>(v * t + 0.5 * t * t * a), &q_t);
      calc_position_kinematics(model, q_t, &pos);
      calc_velocity_kinematics(model, pos, VectorX<double>(v + t * a),
                               static_cast<VectorX<double>*>(nullptr), &vel);
      return calc_momentum(model, pos, vel);
    };
    const auto before = momentum(-h), after = momentum(h);
    const Vector3 force = to_eigen(after.linear - before.linear) / (2 * h);
    const Vector3 torque = to_eigen(after.angular - before.angular) / (2 * h);
    const double weight = 2597.138 * 9.81;
    EXPECT_LT((force - Vector3(0, 0, -weight)).norm(), 1e-5 * weight) << file;
    EXPECT_LT(torque.norm(), 1e-5 * weight) << file;
  }
}

/// Standing on its tires, at rest; loads of front and rear wheels and the vehicle's natural modes.
struct Standing {
  double front = 0, rear = 0;  // [N]
  VectorX<std::complex<double>> eigenvalues;
};

Standing stand(const char* file, bool is_damped) {
  Vehicle vehicle = load_vehicle(file);
  vehicle.steering->motion = symbolic::Expr(0);
  if (!is_damped) {
    for (Axle& axle : vehicle.axles) {
      axle.shock = {};
      axle.wheel.vertical_damping = 0;
    }
  }
  const VehicleMechanism hmmwv = expand(vehicle, {.is_standing = true});
  MechanismDynamics ce(hmmwv.mechanism);
  VectorX<double> q = ce.initial_q();
  EXPECT_TRUE(find_equilibrium(ce.tree(), ce.partition(), &q).found);
  const Model<double>& model = ce.model();
  multibody::PositionKinematics<double> pos(model);
  calc_position_kinematics(model, q, &pos);
  Standing result;
  for (const Corner& corner : hmmwv.corners) {
    const auto pose = calc_body_pose(model, pos, corner.carrier);
    const double z = (pose.p_WB + pose.R_WB * multibody::to_vec3(corner.points.wheel))[2];
    const Wheel& wheel = vehicle.axles[corner.axle].wheel;
    (corner.axle == 0 ? result.front : result.rear) +=
        0.5 * wheel.vertical_stiffness * (wheel.radius - z);
  }
  const VectorX<double> rest = VectorX<double>::Zero(ce.nv());
  result.eigenvalues = math::calc_eigen(linearize(ce.tree(), ce.partition(), q, rest).A).values;
  return result;
}

// In the design position the loads follow from masses and places alone. The data set has 6561.9 and
// 6177.0 N from a center of mass that it rounds to 0.1 mm, which is 0.4 N.
TEST(Hmmwv, HasTheLoadsOfItsMasses) {
  for (const char* file : kFiles) {
    const VehicleMechanism hmmwv = expand(load_vehicle(file));
    const MechanismDynamics ce(hmmwv.mechanism);
    multibody::PositionKinematics<double> pos(ce.model());
    calc_position_kinematics(ce.model(), ce.initial_q(), &pos);
    const auto center = calc_mass_center(ce.model(), pos);
    const double front = hmmwv.corners[0].points.wheel[0], rear = hmmwv.corners[2].points.wheel[0];
    const double share = (center.p_WC[0] - rear) / (front - rear);
    EXPECT_NEAR(center.mass, 2597.138, 1e-9) << file;
    EXPECT_NEAR(center.p_WC[1], 0, 2e-4) << file;  // pitman and idler are not alike
    EXPECT_NEAR(0.5 * center.mass * 9.81 * share, 6561.9, 0.4) << file;
    EXPECT_NEAR(0.5 * center.mass * 9.81 * (1 - share), 6177.0, 0.4) << file;
  }
}

// Unladen it stands nearly level: the axles carry what the levers of the design position give.
TEST(Hmmwv, StandsOnItsTires) {
  for (const char* file : kFiles) {
    const Standing standing = stand(file, true);
    EXPECT_NEAR(2 * (standing.front + standing.rear), 2597.138 * 9.81, 1e-6 * 2597) << file;
    EXPECT_NEAR(standing.front, 6561.9, 0.001 * 6561.9) << file;
  }
}

/// The textbook's model of seven degrees of freedom: a rigid body's bounce, roll and pitch on four
/// wheels that move vertically, with the rig's wheel rates between and tires below. Half of each
/// arm and tie rod counts to the wheel. [Hz], in increasing order.
std::vector<double> find_ride_frequencies(const Vehicle& vehicle) {
  const RigResult rig = run_rig(vehicle, {.travel = RigRange{-0.01, 0.01, 0.01}});
  EXPECT_TRUE(rig.at_standing);
  const MechanismDynamics ce(expand(vehicle).mechanism);
  multibody::PositionKinematics<double> pos(ce.model());
  calc_position_kinematics(ce.model(), ce.initial_q(), &pos);
  const auto center = calc_mass_center(ce.model(), pos);
  MatrixX<double> M = MatrixX<double>::Zero(7, 7), K = M;
  double sprung = center.mass;
  for (int i = 0; i < 4; ++i) {
    const Axle& axle = vehicle.axles[i / 2];
    const double unsprung = axle.wheel.part.mass + axle.upright.mass + axle.spindle.mass +
                            0.5 * (axle.lower_arm.mass + axle.lower_shock.mass +
                                   axle.upper_arm.mass + axle.tie_rod.mass);
    const Vector3 wheel = rig.corners[i].points.wheel;
    VectorX<double> stretch = VectorX<double>::Zero(7);
    stretch.head<3>() << 1, wheel[1], center.p_WC[0] - wheel[0];
    stretch[3 + i] = -1;
    K += rig.at_standing->wheels[i].rate * stretch * stretch.transpose();
    K(3 + i, 3 + i) += axle.wheel.vertical_stiffness;
    M(3 + i, 3 + i) = unsprung;
    sprung -= unsprung;
  }
  M.diagonal().head<3>() << sprung, vehicle.chassis.inertia(0, 0), vehicle.chassis.inertia(1, 1);
  const VectorX<double> squares = math::calc_generalized_symmetric_eigen(K, M).value().values;
  std::vector<double> frequencies;
  for (const double square : squares)
    frequencies.push_back(std::sqrt(square) / (2 * std::numbers::pi));
  return frequencies;
}

// Without shocks: bounce, pitch and roll of the body on springs and tires, and four wheel hops.
TEST(Hmmwv, HasTheRideModesOfItsSprings) {
  for (const char* file : kFiles) {
    SCOPED_TRACE(file);
    const Standing standing = stand(file, false);
    std::vector<double> frequencies;
    for (const std::complex<double>& e : standing.eigenvalues) {
      if (e.imag() > 1e-2) frequencies.push_back(e.imag() / (2 * std::numbers::pi));
      EXPECT_LT(std::abs(e.real()), 1e-2);
    }
    std::sort(frequencies.begin(), frequencies.end());
    const std::vector<double> expected = find_ride_frequencies(load_vehicle(file));
    ASSERT_EQ(frequencies.size(), expected.size());
    // The textbook's wheels have no arms that turn, and no rate that their loads bring.
    for (int i = 0; i < 7; ++i)
      EXPECT_NEAR(frequencies[i], expected[i], (i < 3 ? 0.06 : 0.08) * expected[i]) << i;
  }
}

// --- Mistakes ---

std::string mistakes_of(const std::string& from, const std::string& to,
                        const std::string& also_from = "", const std::string& also_to = "") {
  std::string text = read_file("models/hmmwv-3d.toml", 1000000);
  for (const auto& [a, b] : {std::pair{from, to}, std::pair{also_from, also_to}}) {
    const auto at = text.find(a);
    EXPECT_NE(at, std::string::npos) << a;
    text.replace(at, a.size(), b);
  }
  try {
    parse_vehicle(text, "models/car.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(VehicleFile, SaysWhichPointOfWhichAxleIsWrong) {
  EXPECT_NE(mistakes_of("lower_back = [-0.223266,", "lower_back = [0.223266,")
                .find("axles.front.points.lower_back: is where lower_front is"),
            std::string::npos);
  EXPECT_NE(mistakes_of("spring_bottom = [0.0972058, 0.543179, -0.046609]",
                        "spring_bottom = [0.104013, 0.509778, 0.197485]")
                .find("axles.front.points.spring_bottom: is where spring_top is"),
            std::string::npos);
  EXPECT_NE(mistakes_of("axle = \"front\"", "axle = \"fornt\"")
                .find("steering.axle: there is no axle \"fornt\""),
            std::string::npos);
  EXPECT_NE(
      mistakes_of("free_length = 0.339", "free_length = 0").find("axles.front.spring.free_length"),
      std::string::npos);
  EXPECT_NE(mistakes_of("suspension = \"double_wishbone\"", "suspension = \"double_wishbon\"")
                .find("did you mean \"double_wishbone\"?"),
            std::string::npos);
}

// Numbers that no vehicle has: in millimeters, without end, or none at all.
TEST(VehicleFile, RefusesFiguresOfNoVehicle) {
  for (const auto& [from, to, message] : std::vector<std::array<std::string, 3>>{
           {"lower_ball = [-0.03556, 0.786511,", "lower_ball = [-0.03556, 786.511,",
            "axles.front.points.lower_ball: is 786.511 m from the vehicle's frame: at most 100 m; "
            "points are in meters"},
           {"lower_ball = [-0.03556,", "lower_ball = [nan,",
            "axles.front.points.lower_ball[0]: must be finite, got nan"},
           {"wheel = [-0.040386, 0.909701,", "wheel = [-0.040386, 1e300,",
            "axles.front.points.wheel: is 1e+300 m from"},
           {"mass = 71.105", "mass = 1e200", "axles.front.wheel.mass: must be > 0 and at most"},
           {"stiffness = 167070.94", "stiffness = -5",
            "axles.front.spring.stiffness: must be >= 0 and at most 1e+12 N/m, got -5"},
           {"stiffness = 167070.94", "stiffness = inf",
            "axles.front.spring.stiffness: must be finite, got inf"},
           {"rebound = 22460.008", "rebound = -1", "axles.front.shock.rebound: must be >= 0"}}) {
    EXPECT_NE(mistakes_of(from, to).find(message), std::string::npos) << to << "\n"
                                                                      << mistakes_of(from, to);
  }
}

// Planar arms turn about one axis, which bushings would tilt.
TEST(VehicleFile, RefusesSoftHingesThatASuspensionHasNot) {
  const std::string soft =
      "soft_upper_hinge = { stiffness = [7e6, 7e6, 1e6], damping = [3500, 3500, 500], "
      "turning_stiffness = [7e4, 7e4, 300], turning_damping = [35, 35, 1] }\n";
  const auto complaint = [&](const std::string& file) {
    std::string text = read_file(file, 1000000);
    text.insert(text.find("suspension = "), soft);
    try {
      parse_vehicle(text, "models/car.toml");
    } catch (const ModelFileError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(complaint("models/hmmwv.toml")
                .find("axles.front.soft_upper_hinge: a suspension of type "
                      "\"planar_double_wishbone\" has no such hinge"),
            std::string::npos);
  EXPECT_NE(complaint("models/mcpherson-car.toml").find("mcpherson"), std::string::npos);
  EXPECT_EQ(complaint("models/hmmwv-3d.toml"), "none");
}

// What no corner can do: stand outside its stops, be held by a rod without lever, have half a bar.
TEST(VehicleFile, NamesThePointOfACornerThatCannotWork) {
  EXPECT_NE(mistakes_of("spring_top = [0.104013, 0.509778, 0.197485]",
                        "spring_top = [0.104013, 0.509778, 0.897485]")
                .find("axles.front.points.spring_top: the wheel is outside its travel: the spring "
                      "is 0.944"),
            std::string::npos);
  // On the line from the kingpin's lower ball through the rod's outer end.
  EXPECT_NE(mistakes_of("tie_rod_inner = [-0.250317, 0.448437, 0.054229]",
                        "tie_rod_inner = [-0.3160776, 0.8557006, 0.0854456]")
                .find("axles.front.points.tie_rod_inner: the tie rod points at the kingpin's axis"),
            std::string::npos);
  EXPECT_NE(mistakes_of("[axles.front.wheel]",
                        "[axles.front.anti_roll_bar]\nstiffness = 900\npivot = [0.3, 0.4, 0.02]\n"
                        "arm_end = [0.1, 0.46, 0]\nlink_end = [0.1, 0.52, -0.05]\nmass = 2.5\n\n"
                        "[axles.front.wheel]",
                        "suspension = \"double_wishbone\"",
                        "suspension = \"double_wishbone\"\nmirror = false")
                .find("axles.front.anti_roll_bar: needs a left and a right side"),
            std::string::npos);
}

// Beyond 0.36 m the shock has the rates of its stops, between 0.36 and 0.35 m of both; the plain
// arithmetic is beside.
TEST(VehicleFile, TakesHydraulicStopsOfShocks) {
  std::string text = read_file("models/hmmwv-3d.toml", 1000000);
  const std::string rebound = "rebound = 22460.008";
  text.insert(text.find(rebound),
              "hydraulic_stops = { shortest = 0.31, longest = 0.35, compression = 5900, rebound = "
              "60000, over = 0.01 }\n");
  const auto model =
      multibody::compile(expand(parse_vehicle(text, "models/car.toml")).mechanism).model;
  const auto& springs = model.springs;
  const auto shock =
      std::find_if(springs.begin(), springs.end(), [](const auto& s) { return !s.end_x.empty(); });
  ASSERT_NE(shock, springs.end());
  const auto pull = [&](double length, double rate) { return calc_tension(*shock, length, rate); };
  EXPECT_DOUBLE_EQ(pull(0.33, 0.5), 22460.008 * 0.5);
  EXPECT_DOUBLE_EQ(pull(0.37, 0.5), 60000 * 0.5);
  EXPECT_NEAR(pull(0.355, 0.5), 0.5 * (0.5 * 22460.008 + 0.5 * 60000), 1e-9);
  EXPECT_NEAR(pull(0.3075, -0.2), -0.2 * (0.75 * 12521.564 + 0.25 * 5900), 1e-9);
  EXPECT_DOUBLE_EQ(pull(0.29, -0.2), -0.2 * 5900);
  const std::string upside_down = "shortest = 0.31";
  text.replace(text.find(upside_down), upside_down.size(), "shortest = 0.41");
  try {
    parse_vehicle(text, "models/car.toml");
    FAIL();
  } catch (const ModelFileError& error) {
    EXPECT_NE(
        std::string(error.what())
            .find("axles.front.shock.hydraulic_stops.shortest: must be below longest, 0.35 m"),
        std::string::npos)
        << error.what();
  }
}

TEST(VehicleFile, TakesShocksAsTables) {
  std::string text = read_file("models/hmmwv-3d.toml", 1000000);
  const std::string rates = "compression = 12521.564";
  const auto begin = text.find(rates), end = text.find("rebound = 22460.008");
  text.replace(begin, text.find('\n', end) - begin,
               "table = [[-0.5, -4000], [0, 0], [0.2, 5000], [1, 9000]]");
  const Vehicle vehicle = parse_vehicle(text, "models/car.toml");
  const auto mechanism = expand(vehicle).mechanism;
  const auto shock = std::find_if(mechanism.springs.begin(), mechanism.springs.end(),
                                  [](const auto& s) { return s.name == "front_left_shock"; });
  ASSERT_NE(shock, mechanism.springs.end());
  ASSERT_TRUE(shock->damper);
  EXPECT_EQ(shock->damper->x, (std::vector<double>{-0.5, 0, 0.2, 1}));
  EXPECT_EQ(shock->damper->y, (std::vector<double>{-4000, 0, 5000, 9000}));
  EXPECT_NE(mistakes_of(rates, rates + "\ntable = [[0, 0], [1, 1]]")
                .find("axles.front.shock.compression: give the table or the two rates"),
            std::string::npos);
}

// --- Tires for standstill ---

/// Midpoint steps from the initial state.
void run_for(double duration, MechanismDynamics* dynamics, VectorX<double>* q, VectorX<double>* v) {
  *q = dynamics->initial_q();
  *v = dynamics->initial_v();
  const double h = 1e-3;
  const int nv = dynamics->nv();
  VectorX<double> a(nv), middle_q, middle_v(nv);
  for (int i = 0; i < std::lround(duration / h); ++i) {
    ASSERT_TRUE(dynamics->calc_accelerations(i * h, in(*q), in(*v), out(&a))) << dynamics->why();
    middle_q = *q;
    multibody::move_positions(dynamics->model(), VectorX<double>(0.5 * h * *v), &middle_q);
    middle_v = *v + 0.5 * h * a;
    ASSERT_TRUE(dynamics->calc_accelerations(i * h, in(middle_q), in(middle_v), out(&a)));
    multibody::move_positions(dynamics->model(), VectorX<double>(h * middle_v), q);
    *v += h * a;
  }
}

// On a slope of 20 degrees, tan = 0.364: with the brakes set and friction of 0.6 it stays, once it
// has settled on its springs; with 0.2 it slides as a block does.
TEST(ParkedCar, StaysBelowTheFrictionAngleAndSlidesAbove) {
  Vehicle vehicle = load_vehicle("scenarios/parked-car.toml");
  VectorX<double> q, v;
  MechanismDynamics parked(expand(vehicle).mechanism, Formulation::kUk);
  run_for(4, &parked, &q, &v);
  EXPECT_LT(v.norm(), 1e-4);  // it still settles
  EXPECT_LT(std::abs(v[3]), 1e-5);
  for (Axle& axle : vehicle.axles) axle.wheel.tire->friction = 0.2;
  MechanismDynamics sliding(expand(vehicle).mechanism, Formulation::kUk);
  run_for(2, &sliding, &q, &v);
  VectorX<double> a(sliding.nv());
  ASSERT_TRUE(sliding.calc_accelerations(3, in(q), in(v), out(&a)));
  const double expected = -3.3552 + 0.2 * 9.2184;
  EXPECT_NEAR(a[3], expected, 0.02);  // along x of the chassis, which still nods a little
}

std::string message_of_change(const std::string& from, const std::string& to) {
  std::string text = read_file("models/hmmwv-3d.toml", 1 << 16);
  EXPECT_NE(text.find(from), std::string::npos);
  text.replace(text.find(from), from.size(), to);
  try {
    parse_vehicle(text, "models/car.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

// With a sign that is wrong the arm closes in some other position.
TEST(VehicleFile, RefusesArmsThatLeadAwayFromTheWheel) {
  EXPECT_EQ(
      message_of_change("lower_ball = [-0.03556, 0.786511", "lower_ball = [-0.03556, -0.786511"),
      "models/car.toml:29:14: axles.front.points.lower_ball: the arm leads away from the wheel: "
      "its "
      "hinge is between lower_ball and wheel");
  EXPECT_NE(
      message_of_change("upper_ball = [-0.0530352, 0.715518", "upper_ball = [-0.0530352, -0.715518")
          .find("axles.front.points.upper_ball: the arm leads away from the wheel"),
      std::string::npos);
}

// 339 mm under a file in meters: a wheel load of 25 MN.
TEST(VehicleFile, RefusesSpringsOfAnotherUnit) {
  EXPECT_EQ(message_of_change("free_length = 0.339 ", "free_length = 339 "),
            "models/car.toml:47:15: axles.front.spring.free_length: is more than 5 times the "
            "0.2465 m from "
            "spring_top to spring_bottom: lengths are in meters, got 339");
  EXPECT_NE(
      message_of_change("bump_length = 0.15", "bump_length = 150").find("spring.bump_length: "),
      std::string::npos);
  EXPECT_NE(message_of_change("rebound_length = 0.3", "rebound_length = 300")
                .find("spring.rebound_length: is more than 5 times"),
            std::string::npos);
}

// As negative rates are. Gas under pressure pushes at all speeds and is not a mistake.
TEST(VehicleFile, RefusesShocksThatDrive) {
  const std::string rates = "rebound = 22460.008";
  const auto message = [&](const std::string& table) {
    std::string text = read_file("models/hmmwv-3d.toml", 1 << 16);
    const std::size_t compression = text.find("compression = 12521.564"),
                      rebound = text.find(rates, compression);
    text.replace(rebound, rates.size(), "");
    text.replace(compression, 23, "table = " + table);
    try {
      parse_vehicle(text, "models/car.toml");
    } catch (const ModelFileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("[[-1, -2100], [0, 0], [0.4, 700], [1, 900]]"), "");
  EXPECT_EQ(message("[[-1, -2300], [0, -200], [0.05, -100], [1, 900]]"), "");
  EXPECT_EQ(message("[[-1, -2100], [-0.5, -1800], [1, 3000]]"), "");
  EXPECT_EQ(message("[[-1, 2100], [0, 0], [1, -900]]"),
            "models/car.toml:54:9: axles.front.shock.table: drives instead of damping: 2100 N at "
            "-1 m/s, 0 "
            "N at rest; where the shock gets longer (speed > 0) it pulls (force > 0)");
  EXPECT_NE(message("[[-1, -2100], [0, 0], [1, -900]]").find("-900 N at 1 m/s"), std::string::npos);
}

std::string message_of_wheel(const std::string& from, const std::string& to) {
  std::string text = read_file("scenarios/parked-car.toml", 1 << 16);
  text.replace(text.find(from), from.size(), to);
  try {
    parse_vehicle(text, "models/car.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(ParkedCar, BadTiresAreFoundInTheFile) {
  EXPECT_NE(message_of_wheel("friction = 0.6", "friction = -0.6")
                .find("car.toml:48:46: axles.front.wheel.tire.friction: must be >= 0"),
            std::string::npos)
      << message_of_wheel("friction = 0.6", "friction = -0.6");
  EXPECT_NE(message_of_wheel("vertical_stiffness = 210e3", "vertical_stiffness = 0")
                .find("axles.front.wheel.vertical_stiffness: a tire needs one > 0 N/m, got 0"),
            std::string::npos);
  EXPECT_NE(message_of_wheel("slip_speed = 0.2", "slip_speed = 0")
                .find("axles.front.wheel.tire.slip_speed: must be > 0 m/s"),
            std::string::npos);
}

// --- Files that it names, shape, further axles, trailer ---

// The mesh of the small car, by the figures of its sections: from -1.98 to 2.05 m, 1.68 m wide, with its
// bottom 0.12 m below the wheels' centers, which rises to the nose.
TEST(VehicleFile, TakesAMeshAsShape) {
  const Shape shape = load_vehicle("models/mcpherson-car.toml").shape;
  ASSERT_TRUE(shape.mesh);
  EXPECT_TRUE(shape.boxes.empty());
  const Outline outline = shape.outline();
  EXPECT_NEAR(outline.rear, -1.98, 1e-6);
  EXPECT_NEAR(outline.front, 2.05, 1e-6);
  EXPECT_NEAR(outline.left, 0.84, 1e-6);
  EXPECT_NEAR(outline.right, -0.84, 1e-6);
  ASSERT_TRUE(shape.underbody(0.1, 0.3).has_value());
  EXPECT_NEAR(*shape.underbody(0.1, 0.3), -0.12, 1e-6);
  EXPECT_NEAR(*shape.underbody(1.925, 0.1), -0.05, 1e-6);  // midway between -0.10 and 0
  EXPECT_FALSE(shape.underbody(2.2, 0).has_value());
  EXPECT_FALSE(shape.underbody(0, 0.9).has_value());
  // Boxes beside it count as well.
  Shape both = shape;
  both.boxes.push_back({{-0.5, -0.2, -0.2}, {0.5, 0.2, 0.1}});
  EXPECT_NEAR(*both.underbody(0.1, 0.1), -0.2, 1e-12);
  EXPECT_NEAR(*both.underbody(0.1, 0.3), -0.12, 1e-6);
}

TEST(VehicleFile, NamesEquipmentTiresAndShape) {
  const Vehicle hmmwv = load_vehicle("models/hmmwv.toml");
  EXPECT_EQ(hmmwv.equipment, "models/equipment/hmmwv.toml");
  EXPECT_EQ(hmmwv.axles[1].tire, "models/tires/hmmwv-tmeasy.toml");
  EXPECT_EQ(hmmwv.axles[1].right_tire, "");
  const Outline outline = hmmwv.shape.outline();
  EXPECT_DOUBLE_EQ(outline.front - outline.rear, 4.57);
  EXPECT_DOUBLE_EQ(outline.left - outline.right, 2.16);
  ASSERT_TRUE(hmmwv.shape.underbody(0.3, -0.4).has_value());
  EXPECT_NEAR(*hmmwv.shape.underbody(0.3, -0.4) + hmmwv.height, 0.41, 1e-9);
  EXPECT_FALSE(hmmwv.shape.underbody(2.4, 0).has_value());
  const Vehicle truck = load_vehicle("models/truck-6x6.toml");
  EXPECT_EQ(truck.axles.size(), 3U);
  EXPECT_EQ(truck.axles[2].dual_spacing, 0.33);
  // The lowest of boxes above each other.
  EXPECT_DOUBLE_EQ(truck.shape.underbody(0, 0.1).value_or(9), -0.05);
  EXPECT_DOUBLE_EQ(truck.shape.underbody(0, 1.0).value_or(9), 0.6);
}

TEST(VehicleFile, SaysWhichFileIsNotThere) {
  EXPECT_NE(message_of_change("equipment/hmmwv.toml", "equipment/hmwv.toml")
                .find("equipment: there is no file models/equipment/hmwv.toml; did you mean "
                      "\"hmmwv.toml\"?"),
            std::string::npos);
  EXPECT_NE(message_of_change("tires/hmmwv-tmeasy.toml", "equipment/hmmwv.toml")
                .find("axles.front.tire: models/equipment/hmmwv.toml is not of kind \"tire\", but "
                      "of equipment"),
            std::string::npos);
  EXPECT_NE(message_of_change("max = [2.285, 1.08, 1.319]", "max = [2.285, -1.2, 1.319]")
                .find("each number must be above that of min"),
            std::string::npos);
}

TEST(VehicleFile, WorksWithoutEquipmentAndTires) {
  EXPECT_EQ(message_of_change("equipment = \"equipment/hmmwv.toml\"", ""), "");
}

std::string message_of_trailer(const std::string& table) {
  const std::string text = read_file("models/mcpherson-car-with-trailer.toml", 1 << 16);
  try {
    parse_vehicle(text.substr(0, text.find("[trailer]")) + table, "models/car.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(VehicleFile, SaysWhatIsWrongWithATrailer) {
  const std::string hitch = "hitch = [-2, 0, 0.1]\n";
  EXPECT_EQ(message_of_trailer("[trailer]\nfile = \"box-trailer.toml\"\n" + hitch), "");
  EXPECT_NE(message_of_trailer("[trailer]\nfile = \"box-trailr.toml\"\n" + hitch)
                .find("did you mean \"box-trailer.toml\"?"),
            std::string::npos);
  const std::string car = message_of_trailer("[trailer]\nfile = \"mcpherson-car.toml\"\n" + hitch);
  EXPECT_NE(car.find("models/mcpherson-car.toml has no [drawbar]"), std::string::npos) << car;
  EXPECT_NE(car.find("models/mcpherson-car.toml has [steering]"), std::string::npos) << car;
}

// The trailer's wheels come last; its bodies are those of its file under their own names.
TEST(Expand, AppendsATrailer) {
  const Vehicle car = load_vehicle("models/mcpherson-car.toml"),
                both = load_vehicle("models/mcpherson-car-with-trailer.toml");
  const VehicleMechanism alone = expand(car), joined = expand(both);
  const std::size_t own = alone.mechanism.bodies.size();
  ASSERT_EQ(joined.corners.size(), 6U);
  EXPECT_EQ(joined.corners[4].name, "trailer_axle_left");
  EXPECT_TRUE(joined.corners[5].is_towed);
  EXPECT_FALSE(joined.corners[3].is_towed);
  ASSERT_TRUE(joined.hitch.valid());
  EXPECT_FALSE(alone.hitch.valid());
  EXPECT_EQ(joined.mechanism.bodies[own].name, "trailer_chassis");
  EXPECT_EQ(joined.mechanism.bodies.size(), own + 5);
  EXPECT_EQ(joined.steered, (std::vector<int>{0, 1}));
  const multibody::Joint& hitch = joined.mechanism.joints[joined.hitch.value];
  EXPECT_EQ(hitch.type, multibody::JointType::kSpherical);
  // On a rig the chassis is held, and the trailer has no effect.
  EXPECT_EQ(expand(both, {.has_fixed_chassis = true}).corners.size(), 4U);
}

// A second steered axle follows the first by its ratio.
TEST(Expand, LinksTheSteeringOfAFurtherAxle) {
  Vehicle truck = load_vehicle("models/truck-6x6.toml");
  Axle second = truck.axles[0];
  second.name = "second";
  const Vector3 back(-1.5, 0, 0);
  for (const auto& [name, point] : all_points(&second.points)) *point += back;
  for (Part* part : all_parts(&second)) part->center += back;
  truck.axles[1] = second;
  Part rack = truck.steering->rack;
  rack.center += back;
  truck.steering->linked = {{.axle = "second", .ratio = 0.6, .rack = rack}};
  const VehicleMechanism linked = expand(truck);
  EXPECT_EQ(linked.steered, (std::vector<int>{0, 1}));
  multibody::Mechanism moved = linked.mechanism;
  multibody::MechanismDynamics dynamics(moved);
  const auto& joints = dynamics.tree().joints;
  const auto place = [&](const std::string& name) {
    for (std::size_t j = 0; j < moved.joints.size(); ++j)
      if (moved.joints[j].name == name) return joints[j].q_start;
    ADD_FAILURE() << name;
    return 0;
  };
  VectorX<double> q = dynamics.initial_q();
  q[place("rack")] += 0.03;
  ASSERT_TRUE(dynamics.close(0, std::span(q.data(), static_cast<std::size_t>(q.size()))))
      << dynamics.why();
  EXPECT_NEAR(q[place("second_rack")], 0.6 * q[place("rack")], 1e-9);
  truck.steering->linked[0].axle = "third";
  EXPECT_THROW(expand(truck), std::invalid_argument);  // trailing arms have no tie rods
}

// All points of both axles on the right side: it drove, with left and right wheels exchanged.
TEST(VehicleProblems, RefusesAnAxleThatIsGivenOnTheRight) {
  Vehicle car = load_vehicle("models/hmmwv.toml");
  for (Axle& axle : car.axles) {
    for (const auto& [name, point] : all_points(&axle.points)) point->y() = -point->y();
  }
  const auto problems = find_problems(car);
  const auto found =
      std::ranges::find(problems, "axles.front.points.wheel", &VehicleProblem::place);
  ASSERT_NE(found, problems.end());
  EXPECT_NE(found->text.find("is to the right"), std::string::npos) << found->text;
}

TEST(VehicleProblems, DoubtsFiguresThatNoVehicleHas) {
  for (const char* file :
       {"models/hmmwv.toml", "models/mcpherson-car.toml", "models/truck-6x6.toml"})
    EXPECT_TRUE(find_unlikely(load_vehicle(file)).empty()) << file;
  const auto doubt = [](const std::function<void(Vehicle*)>& change) {
    Vehicle car = load_vehicle("models/hmmwv.toml");
    change(&car);
    std::string all;
    for (const VehicleProblem& problem : find_unlikely(car))
      all += problem.place + " " + problem.text + "\n";
    return all;
  };
  EXPECT_NE(doubt([](Vehicle* car) { car->chassis.mass *= 1e-3; }).find("is it in t?"),
            std::string::npos);
  EXPECT_NE(doubt([](Vehicle* car) { car->chassis.inertia *= 1e3; }).find("chassis.inertia"),
            std::string::npos);
  EXPECT_NE(doubt([](Vehicle* car) { car->axles[0].spring.stiffness = 167; }).find("N/mm"),
            std::string::npos);
  EXPECT_NE(doubt([](Vehicle* car) { car->axles[1].wheel.radius = 469.9; }).find("is it in mm"),
            std::string::npos);
  EXPECT_NE(doubt([](Vehicle* car) {
              car->axles[0].points.tie_rod_outer.y() += 5;
            }).find("tie_rod_outer"),
            std::string::npos);
}

}  // namespace
}  // namespace camber::vehicle
