#include "camber/multibody/mechanism_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/multibody/test/mechanism_mistakes.h"
#include "camber/symbolic/evaluate.h"

namespace camber::multibody {
namespace {

using Matrix = MatrixX<double>;
constexpr double kPi = std::numbers::pi;

const std::string kHead = "kind = \"mechanism\"\nname = \"test\"\n";

Mechanism read(const std::string& text) { return parse_mechanism(kHead + text, "test.toml"); }

/// What the reader says about a text, all of it.
std::string complaints(const std::string& text) {
  try {
    parse_mechanism(text, "bad.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}

template <class A, class B>
void expect_near(const A& a, const B& b) {
  EXPECT_LT((Matrix(a) - Matrix(b)).norm(), 1e-14) << a;
}

Matrix3 turn(double angle, const Vector3& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

// --- Good files ---

TEST(MechanismFile, ReadsAFourBarFromItsHardpoints) {
  const Mechanism m = load_mechanism("models/four-bar.toml");
  EXPECT_EQ(m.name, "four_bar");
  EXPECT_EQ(m.independent, std::vector<std::string>{"crank"});
  EXPECT_EQ(m.gravity, Vector3(0, 0, -9.81));
  ASSERT_EQ(m.bodies.size(), 4u);
  EXPECT_EQ(m.bodies[0].name, "world");
  const Body& crank = m.bodies[1];
  EXPECT_EQ(crank.name, "crank");
  EXPECT_EQ(crank.mass, 0.82);
  EXPECT_EQ(crank.p_BoBcm_B, Vector3(0.032, 0.004, 0.048));
  Matrix3 I;
  I << 0.0013, 0.0001, -0.0004, 0.0001, 0.0016, 0.0001, -0.0004, 0.0001, 0.0007;
  EXPECT_EQ(crank.I_BBcm_B, I);

  ASSERT_EQ(m.joints.size(), 4u);
  const Joint& knee = m.joints[1];
  EXPECT_EQ(knee.name, "knee");
  EXPECT_EQ(knee.type, JointType::kRevolute);
  EXPECT_EQ(knee.parent, m.find_body("crank"));
  EXPECT_EQ(knee.child, m.find_body("coupler"));
  for (const Isometry3& X : {knee.X_PF, knee.X_BM}) {
    EXPECT_EQ(X.translation(), Vector3(0.06, 0, 0.11));
    EXPECT_EQ(X.linear().col(0), Vector3::UnitX());
    EXPECT_EQ(X.linear().col(2), -Vector3::UnitY());
  }
  EXPECT_TRUE(knee.axes.empty());
  EXPECT_TRUE(knee.q0.empty());
  EXPECT_FALSE(knee.cut);
  EXPECT_TRUE(m.joints[3].cut);

  const Joint& drive = m.joints[0];
  EXPECT_EQ(drive.v0, std::vector<double>{4});
  ASSERT_EQ(drive.axes.size(), 1u);
  EXPECT_EQ(drive.axes[0].stiffness, 2.5);
  EXPECT_NEAR(drive.axes[0].rest, 50 * kPi / 180, 1e-15);
  EXPECT_EQ(drive.axes[0].damping, 0.01);
}

TEST(MechanismFile, RefusesLongChainsOfNames) {
  std::string parameters = "kind = \"mechanism\"\nname = \"m\"\n[parameters]\n";
  std::string points = "kind = \"mechanism\"\nname = \"m\"\n[points]\n";
  for (int i = 0; i < 20'000; ++i) {
    const std::string next = std::to_string(i + 1);
    parameters += "a" + std::to_string(i) + " = \"a" + next + " + 1\"\n";
    points += "P" + std::to_string(i) + " = { between = [\"P" + next + "\", \"O\"] }\n";
  }
  parameters += "a20000 = 1\n[bodies]\nb = { mass = \"a0\" }\n";
  points += "P20000 = [1, 2, 3]\nO = [0, 0, 1]\n[bodies]\nb = { mass = 1 }\n";
  for (const std::string& text : {parameters, points})
    EXPECT_NE(complaints(text).find("chain of more than 1000"), std::string::npos);
}

TEST(MechanismFile, PlacesJointsOnBodiesThatHaveTheirOwnFrame) {
  const Mechanism m = read(R"toml(
[points]
P = [0.3, 0.4, 0.5]
[bodies.a]
frame = { at = [0.1, 0.2, 0.3], euler_deg = [0, 0, 90] }
mass = 2
center = "P"
[bodies.b]
frame = { at = { body = "a", at = [1, 0, 0] }, quaternion = [0.5, 0.5, 0.5, 0.5] }
mass = 2
[joints]
a = { type = "fixed", child = "a" }
ab = { type = "revolute", parent = "a", child = "b", at = "P", axis = { body = "a", axis = "x" } }
)toml");
  // a stands at (0.1, 0.2, 0.3), turned so that its x is the world's y and its y the world's -x.
  const auto& ab = m.joints[1];
  expect_near(ab.X_PF.translation(), Vector3(0.2, -0.2, 0.2));
  expect_near(ab.X_PF.linear().col(2), Vector3::UnitX());
  expect_near(m.bodies[1].p_BoBcm_B, Vector3(0.2, -0.2, 0.2));
  // b stands 1 m further along a's x; its axes x, y, z are the world's y, z, x.
  expect_near(ab.X_BM.translation(), Vector3(0.4 - 1.2, 0.5 - 0.3, 0.3 - 0.1));
  expect_near(ab.X_BM.linear().col(2), Vector3::UnitX());
  // In the design configuration the joint's two frames are one.
  Isometry3 X_WA = Isometry3::Identity(), X_WB = Isometry3::Identity();
  X_WA.linear() = turn(kPi / 2, Vector3::UnitZ());
  X_WA.translation() = Vector3(0.1, 0.2, 0.3);
  X_WB.linear() << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  X_WB.translation() = Vector3(0.1, 1.2, 0.3);
  EXPECT_LT(((X_WA * ab.X_PF).matrix() - (X_WB * ab.X_BM).matrix()).norm(), 1e-14);
  expect_near(m.joints[0].X_PF.translation(), X_WA.translation());
  expect_near(m.joints[0].X_BM.translation(), Vector3::Zero());
}

TEST(MechanismFile, TakesFramesOnEachBodyAsTheyAre) {
  const Mechanism m = read(R"toml(
[bodies]
arm = { frame = { at = [5, 6, 7] }, mass = 1.5 }
[joints.shoulder]
type = "cylindrical"
child = "arm"
parent_frame = { at = [0.1, 0.2, 0.3], euler = [0.4, -0.3, 0.2] }
child_frame = { at = [-0.1, 0.05, 0.02], axis = [0, 3, 4], x_axis = "x" }
position = [0.7, -0.2]
speed = [1.5, 2.5]
)toml");
  const Joint& joint = m.joints[0];
  expect_near(joint.X_PF.translation(), Vector3(0.1, 0.2, 0.3));
  expect_near(joint.X_PF.linear(), turn(0.2, Vector3::UnitZ()) * turn(-0.3, Vector3::UnitY()) *
                                       turn(0.4, Vector3::UnitX()));
  expect_near(joint.X_BM.translation(), Vector3(-0.1, 0.05, 0.02));
  Matrix3 R;
  R << 1, 0, 0, 0, 0.8, 0.6, 0, -0.6, 0.8;
  expect_near(joint.X_BM.linear(), R);
  EXPECT_EQ(joint.q0, (std::vector<double>{0.7, -0.2}));
  EXPECT_EQ(joint.v0, (std::vector<double>{1.5, 2.5}));
}

// A frame's axis is its z, of every joint: in frames on each body, in a common one, and by at and
// axis the same joint.
TEST(MechanismFile, TurnsAUniversalJointAboutTheAxisOfItsFrame) {
  const auto read_joint = [](const std::string& keys) {
    return read(concat("[bodies]\narm = { mass = 1.5 }\n[joints.shoulder]\ntype = \"universal\"\n"
                       "child = \"arm\"\n",
                       keys, "\n"))
        .joints[0];
  };
  const std::string frame = "{ at = [0.1, 0.2, 0.3], axis = [0, 3, 4], x_axis = [1, 0, 0] }";
  const Joint by_axis =
      read_joint("at = [0.1, 0.2, 0.3]\naxis = [0, 3, 4]\nsecond_axis = [1, 0, 0]");
  expect_near(by_axis.X_PF.linear().col(0), Vector3(0, 0.6, 0.8));  // Joint turns about x, then y
  expect_near(by_axis.X_PF.linear().col(1), Vector3(1, 0, 0));
  for (const std::string& keys :
       {concat("frame = ", frame), concat("parent_frame = ", frame, "\nchild_frame = ", frame)}) {
    const Joint joint = read_joint(keys);
    EXPECT_LT((joint.X_PF.matrix() - by_axis.X_PF.matrix()).norm(), 1e-15) << keys;
    EXPECT_LT((joint.X_BM.matrix() - by_axis.X_BM.matrix()).norm(), 1e-15) << keys;
  }
}

TEST(MechanismFile, FreeBodiesStartWhereTheyAreDesigned) {
  const Mechanism m = read(R"toml(
[bodies]
a = { frame = { at = [1, 2, 3], euler_deg = [0, 90, 0] }, mass = 1.5 }
b = { mass = 1.5 }
[joints]
a = { type = "free", child = "a" }
b = { type = "free", child = "b", position = { at = [4, 5, 6], euler_deg = [60, 0, 0] } }
)toml");
  const double half = std::sqrt(0.5);
  const std::vector<double> a = {half, 0, half, 0, 1, 2, 3},
                            b = {std::sqrt(0.75), 0.5, 0, 0, 4, 5, 6};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(m.joints[0].q0.at(i), a[i], 1e-15);
    EXPECT_NEAR(m.joints[1].q0.at(i), b[i], 1e-15);
  }
  EXPECT_EQ(m.joints[0].X_PF.matrix(), Isometry3::Identity().matrix());
}

TEST(MechanismFile, ComputesTheInertiaOfShapes) {
  const Mechanism m = read(R"toml(
[points]
P = [1, 2, 3]
Q = [1.3, 2.4, 3]
[bodies]
box = { mass = 12, box = [1, 2, 3] }
ball = { mass = 5, sphere = 0.2, center = [0.1, 0.2, 0.3] }
shaft = { mass = 12, cylinder = { radius = 0.2, length = 0.6, axis = "y" } }
bar = { mass = 12, rod = { from = "P", to = "Q", radius = 0.1 } }
turned = { mass = 12, box = [1, 2, 3], inertia_axes = { euler_deg = [0, 0, 90] } }
full = { mass = 12, inertia = [[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]] }
point = { mass = 12 }
)toml");
  expect_near(m.bodies[1].I_BBcm_B, Matrix3(Vector3(13, 10, 5).asDiagonal()));
  expect_near(m.bodies[2].I_BBcm_B, Matrix3(0.08 * Matrix3::Identity()));
  expect_near(m.bodies[3].I_BBcm_B, Matrix3(Vector3(0.48, 0.24, 0.48).asDiagonal()));
  // The bar lies along (0.6, 0.8, 0): 0.06 about its line, 0.28 across.
  Matrix3 bar;
  bar << 0.28 - 0.22 * 0.36, -0.22 * 0.48, 0, -0.22 * 0.48, 0.28 - 0.22 * 0.64, 0, 0, 0, 0.28;
  expect_near(m.bodies[4].I_BBcm_B, bar);
  expect_near(m.bodies[4].p_BoBcm_B, Vector3(1.15, 2.2, 3));
  expect_near(m.bodies[5].I_BBcm_B, Matrix3(Vector3(10, 13, 5).asDiagonal()));
  EXPECT_EQ(m.bodies[6].I_BBcm_B(1, 2), 0.3);
  EXPECT_EQ(m.bodies[7].I_BBcm_B, Matrix3::Zero());
}

TEST(MechanismFile, EvaluatesExpressionsInAnyOrder) {
  const Mechanism m = read(R"toml(
gravity = [0, "-g", "B.z - 2*L"]
[parameters]
L = "2*half"
half = "sqrt(A.x^2 + A.y^2)"
g = 9.8
[points]
B = ["A.x + L", "A.y", 1]
A = [0.3, "0.4", 0]
M = { between = ["A", "B"], part = 0.25 }
[bodies]
a = { mass = "L^2 + 1", center = "M" }
)toml");
  expect_near(m.gravity, Vector3(0, -9.8, -1));
  EXPECT_NEAR(m.bodies[1].mass, 2, 1e-15);
  expect_near(m.bodies[1].p_BoBcm_B, Vector3(0.55, 0.4, 0.25));
}

TEST(MechanismFile, ReadsWhatActsOnTheAxesOfJoints) {
  const Mechanism m = read(R"toml(
[parameters]
w = 3
[bodies]
a = { mass = 1.5 }
b = { mass = 1.5 }
c = { mass = 1.5 }
d = { mass = 1.5 }
[joints.a]
type = "revolute"
child = "a"
at = [0, 0, 0]
axis = "z"
friction = 0.4
friction_speed = 0.05
lower_deg = -90
upper = 0.5
stop_stiffness = 700
stop_damping = 8
torque = 1.25
motion = "0.3*sin(w*t)"
[joints.b]
type = "cylindrical"
child = "b"
at = [0, 0, 0]
axis = "z"
axes = [{ stiffness = 3, rest_deg = 180 }, { lower = -0.2, stop_stiffness = 1e4, force = 6 }]
[joints.c]
type = "spherical"
child = "c"
at = [0, 0, 0]
damping = 0.7
position = [0.6, 0, 0.8, 0]
[joints.d]
type = "screw"
child = "d"
at = [0, 0, 0]
axis = "z"
lead = 0.25
)toml");
  const JointAxis& a = m.joints[0].axes.at(0);
  EXPECT_EQ(a.friction, 0.4);
  EXPECT_EQ(a.friction_speed, 0.05);
  EXPECT_NEAR(a.lower.value(), -kPi / 2, 1e-15);
  EXPECT_EQ(a.upper, 0.5);
  EXPECT_EQ(a.stop_stiffness, 700);
  EXPECT_EQ(a.stop_damping, 8);
  EXPECT_EQ(a.force, 1.25);
  ASSERT_TRUE(a.motion);
  EXPECT_NEAR(symbolic::evaluate(*a.motion, {{symbolic::symbol("t"), 0.7}}),
              0.3 * std::sin(3 * 0.7), 1e-15);
  const std::vector<JointAxis>& b = m.joints[1].axes;
  ASSERT_EQ(b.size(), 2u);
  EXPECT_NEAR(b[0].rest, kPi, 1e-15);
  EXPECT_EQ(b[0].stiffness, 3);
  EXPECT_FALSE(b[0].lower);
  EXPECT_EQ(b[1].lower, -0.2);
  EXPECT_FALSE(b[1].upper);
  EXPECT_EQ(b[1].force, 6);
  ASSERT_EQ(m.joints[2].axes.size(), 3u);
  for (const JointAxis& axis : m.joints[2].axes) EXPECT_EQ(axis.damping, 0.7);
  EXPECT_EQ(m.joints[2].q0, (std::vector<double>{0.6, 0, 0.8, 0}));
  EXPECT_NEAR(m.joints[3].pitch, 0.25 / (2 * kPi), 1e-16);
}

const std::string kTwoBodies = R"toml(
[bodies]
a = { mass = 1.5, frame = { at = [1, 2, 3] } }
b = { mass = 2.5, frame = { at = [0, 0, 1], euler_deg = [0, 0, 90] } }
[joints]
a = { type = "revolute", child = "a", at = [0, 0, 0], axis = "z" }
b = { type = "universal", parent = "a", child = "b", at = [0, 0, 0], axis = "z" }
)toml";

TEST(MechanismFile, ReadsWhatClosesLoops) {
  const Mechanism m = read(kTwoBodies + R"toml(
[rods]
tie = { a = "a", b = "b", points = [[1.5, 2, 3], { body = "b", at = [0.1, 0.2, 0.3] }] }
strut = { b = "b", points = [[0, 0, 0], [0, 1, 1]], length = 0.9 }
[couplers]
sum = { terms = { a = 2, "b.1" = -3 }, offset = 0.4 }
box = { gear = ["a", "b.0"], ratio = 3.5 }
mesh = { gear = ["b.1", "a"], teeth = [20, 31] }
[rolling.wheel]
wheel = "b"
ground = "a"
center = [0, 0, 1]
axis = "x"
radius = 0.35
plane = [0, 0, 3]
normal = [0, 3, 4]
)toml");
  ASSERT_EQ(m.rods.size(), 2u);
  const Rod& tie = m.rods[0];
  EXPECT_EQ(tie.a, m.find_body("a"));
  expect_near(tie.p_AP_A, Vector3(0.5, 0, 0));
  expect_near(tie.p_BQ_B, Vector3(0.1, 0.2, 0.3));
  EXPECT_NEAR(tie.length, (Vector3(1.5, 2, 3) - Vector3(-0.2, 0.1, 1.3)).norm(), 1e-15);
  EXPECT_EQ(m.rods[1].a, kWorld);
  EXPECT_EQ(m.rods[1].length, 0.9);
  expect_near(m.rods[1].p_BQ_B, Vector3(1, 0, 0));

  ASSERT_EQ(m.couplers.size(), 3u);
  const auto& terms = m.couplers[0].terms;
  EXPECT_EQ(m.couplers[0].offset, 0.4);
  EXPECT_EQ(terms[0].joint, m.find_joint("a"));
  EXPECT_EQ(terms[0].factor, 2);
  EXPECT_EQ(terms[1].joint, m.find_joint("b"));
  EXPECT_EQ(terms[1].axis, 1);
  EXPECT_EQ(terms[1].factor, -3);
  EXPECT_EQ(m.couplers[1].terms[0].factor, 1);  // a = 3.5 b.0
  EXPECT_EQ(m.couplers[1].terms[1].factor, -3.5);
  EXPECT_EQ(m.couplers[2].terms[0].factor, 20);  // 20 b.1 + 31 a = 0
  EXPECT_EQ(m.couplers[2].terms[1].factor, 31);

  const Rolling& rolling = m.rollings.at(0);
  EXPECT_EQ(rolling.wheel, m.find_body("b"));
  EXPECT_EQ(rolling.ground, m.find_body("a"));
  expect_near(rolling.p_BC_B, Vector3::Zero());
  expect_near(rolling.axis_B, Vector3(0, -1, 0));
  expect_near(rolling.p_GP_G, Vector3(-1, -2, 0));
  expect_near(rolling.normal_G, Vector3(0, 0.6, 0.8));
  EXPECT_EQ(rolling.radius, 0.35);
}

TEST(MechanismFile, ReadsWhatPushes) {
  const Mechanism m = read(kTwoBodies + R"toml(
[springs.coil]
a = "a"
b = "b"
points = [[1, 2, 3], [0, 0, 1]]
stiffness = 700
damping = 8
preload = 9
spring = { deflection = [-0.1, 0, 0.2], force = [-70, 0, "3*50"] }
damper = { speed = [-1, 1], force = [-20, 30] }
[bushings]
soft = { a = "a", b = "b", frame = { at = [1, 2, 4] }, stiffness = [1, 2, 3, 4, 5, 6] }
[bushings.full]
b = "b"
a_frame = { at = [0.1, 0.2, 0.3] }
b_frame = { at = [0.4, 0.5, 0.6] }
stiffness = [[1, 2, 0, 0, 0, 0], [2, 9, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0], [0, 0, 0, 4, 0, 0],
             [0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 6]]
damping = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
[wrenches]
push = { body = "b", at = [0, 1, 1], force = [1, 2, 3], torque = [4, 5, 6] }
thrust = { body = "b", force = [1, 2, 3], in = "body" }
)toml");
  const SpringDamper& coil = m.springs.at(0);
  EXPECT_NEAR(coil.free_length, 3, 1e-15);
  EXPECT_EQ(coil.stiffness, 700);
  EXPECT_EQ(coil.damping, 8);
  EXPECT_EQ(coil.preload, 9);
  ASSERT_TRUE(coil.spring && coil.damper);
  EXPECT_EQ(coil.spring->x, (std::vector<double>{-0.1, 0, 0.2}));
  EXPECT_EQ(coil.spring->y, (std::vector<double>{-70, 0, 150}));
  EXPECT_EQ(coil.damper->y, (std::vector<double>{-20, 30}));
  expect_near(coil.p_AP_A, Vector3::Zero());

  const Bushing &soft = m.bushings.at(0), &full = m.bushings.at(1);
  expect_near(soft.X_AP.translation(), Vector3(0, 0, 1));
  expect_near(soft.X_BQ.translation(), Vector3(2, -1, 3));
  EXPECT_EQ(soft.stiffness.diagonal()[5], 6);
  EXPECT_EQ(soft.stiffness(0, 1), 0);
  EXPECT_EQ(soft.damping, Matrix6::Zero());
  EXPECT_EQ(full.stiffness(0, 1), 2);
  EXPECT_EQ(full.stiffness(1, 1), 9);
  EXPECT_EQ(full.damping(3, 3), 0.4);
  expect_near(full.X_BQ.translation(), Vector3(0.4, 0.5, 0.6));

  expect_near(m.wrenches.at(0).p_BQ_B, Vector3(1, 0, 0));
  EXPECT_EQ(m.wrenches[0].torque, Vector3(4, 5, 6));
  EXPECT_TRUE(m.wrenches[0].in_world);
  EXPECT_FALSE(m.wrenches.at(1).in_world);
}

TEST(MechanismFile, TheManualsExampleIsAMechanism) {
  const std::string manual = read_file("docs/manual/mechanism-files.md", 1 << 20);
  const std::size_t begin = manual.find("```toml\n") + 8;
  const std::string text = manual.substr(begin, manual.find("```", begin) - begin);
  const Mechanism m = parse_mechanism(text, "manual.toml");
  EXPECT_EQ(m.bodies.size(), 4u);
  EXPECT_EQ(m.joints.size(), 4u);
}

// --- Bad files ---

TEST(MechanismFile, SaysWhatIsWrongAndWhere) {
  for (const Mistake& mistake : kMistakes) {
    std::string message = complaints(kHead + mistake.text);
    for (std::size_t at; (at = message.find("bad.toml:")) != std::string::npos;)
      message.erase(at, 9);
    EXPECT_EQ(message, mistake.message) << mistake.text;
  }
}

// Frames refused it, joints made something of it.
TEST(MechanismFile, RefusesAQuaternionWhoseLengthIsNotOne) {
  const auto free_body = [](const std::string& quaternion) {
    return complaints(kHead +
                      "[bodies]\nb = { mass = 1, inertia = [1, 1, 1] }\n[joints]\n"
                      "j = { type = \"free\", child = \"b\", position = [" +
                      quaternion + ", 0, 0, 0] }\n");
  };
  EXPECT_EQ(free_body("0.5, 0.5, -0.5, 0.5"), "no error");
  EXPECT_EQ(free_body("0.7071, 0, 0.7071, 0"), "no error");  // rounded
  EXPECT_NE(free_body("1, 2, 3, 4").find("whose length must be 1, got 5.477"), std::string::npos)
      << free_body("1, 2, 3, 4");
}

// Its second derivative has no value; the error came later, without a place.
TEST(MechanismFile, RefusesAMotionWithoutAccelerations) {
  const std::string message =
      complaints(kHead +
                 "[bodies]\nb = { mass = 1, inertia = [1, 1, 1] }\n[joints]\n"
                 "j = { type = \"revolute\", child = \"b\", at = [0, 0, 0], axis = \"y\", "
                 "motion = \"sin(1e300*t)\" }\n");
  EXPECT_NE(message.find("joints.j.motion: a number left the range of double"), std::string::npos)
      << message;
}

// --- The files in models/ ---

std::vector<std::string> mechanism_files() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("models")) {
    const std::string path = entry.path().string();
    if (path.ends_with(".toml") &&
        read_file(path, 1 << 20).find("kind = \"mechanism\"") != std::string::npos)
      paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(MechanismFile, ModelsAreSoundAndMostHaveLoops) {
  int with_loops = 0;
  for (const std::string& path : mechanism_files()) {
    SCOPED_TRACE(path);
    Mechanism m;
    ASSERT_NO_THROW(m = load_mechanism(path));
    EXPECT_TRUE(find_problems(m).empty());
    const std::size_t ties =
        m.joints.size() + m.rods.size() + m.couplers.size() + m.rollings.size();
    EXPECT_GE(ties, m.bodies.size() - 1) << "some body hangs on nothing";
    with_loops += ties > m.bodies.size() - 1;
  }
  EXPECT_GE(with_loops, 16);
}

// Whatever a file holds, the reader ends with a mechanism or with a list of mistakes.
TEST(MechanismFile, SurvivesRandomChangesToTheModels) {
  const std::string_view pieces[] = {
      "\"",  "[", "]",         "{ ",        " }", "=",  ",",      "-",    "1e999",
      "nan", "0", "\"world\"", "true",      "x",  ".",  "\n",     "axis", "[joints]",
      "(",   "^", "\"A\"",     "[0, 0, 0]", "{}", "[]", "1e-320", "-1"};
  int good = 0, bad = 0;
  for (const std::string& path : mechanism_files()) {
    const std::string original = read_file(path, 1 << 20);
    RandomStream random = RandomStream(2026).substream(path);
    for (int round = 0; round < 300; ++round) {
      std::string text = original;
      const auto changes = random.integer(1, 3);
      for (int change = 0; change < changes; ++change) {
        const auto at =
            static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()) - 1));
        const auto length = static_cast<std::size_t>(random.integer(0, 12));
        const auto piece =
            pieces[static_cast<std::size_t>(random.integer(0, std::ssize(pieces) - 1))];
        switch (random.integer(0, 3)) {
          case 0:
            text.erase(at, length);
            break;
          case 1:
            text.insert(at, piece);
            break;
          case 2:
            text.replace(at, length, piece);
            break;
          default: {  // a number or word from elsewhere in the file
            const auto from = static_cast<std::size_t>(
                random.integer(0, static_cast<std::int64_t>(original.size()) - 1));
            text.insert(at, original.substr(from, length));
          }
        }
      }
      SCOPED_TRACE(concat(path, "\n", text));
      try {
        const Mechanism m = parse_mechanism(text, path);
        EXPECT_TRUE(find_problems(m).empty());
        ++good;
      } catch (const ModelFileError& error) {
        EXPECT_FALSE(error.diagnostics().empty());
        ++bad;
      }
    }
  }
  EXPECT_GT(good, 500) << "the changes are too wild to say much";
  EXPECT_GT(bad, 1000);
}

}  // namespace
}  // namespace camber::multibody
