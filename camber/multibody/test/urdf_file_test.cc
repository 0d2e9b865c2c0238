#include "camber/multibody/urdf_file.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::multibody {
namespace {

bool has_urdf() {
  try {
    parse_urdf("<robot name=\"r\"><link name=\"world\"/></robot>", "r.urdf");
    return true;
  } catch (const ModelFileError&) {
    return false;
  }
}

#define SKIP_WITHOUT_URDF() \
  if (!has_urdf()) GTEST_SKIP() << "built without liburdfdom"

std::string complaints(const std::string& text) {
  try {
    parse_urdf(text, "bad.urdf");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kInertial =
    "<inertial><mass value='2.5'/>"
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1.5' iyz='0' izz='2'/></inertial>";

std::string robot(const std::string& inside) {
  return "<robot name='r'>\n" + inside + "</robot>\n";
}
std::string link(const std::string& name) {
  return "<link name='" + name + "'>" + kInertial + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& rest = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + rest + "</joint>\n";
}

TEST(UrdfFile, ReadsARobotArm) {
  SKIP_WITHOUT_URDF();
  const Mechanism arm = load_urdf("models/robot-arm.urdf", {.stop_stiffness = 500});
  EXPECT_EQ(arm.name, "robot_arm");
  ASSERT_EQ(arm.bodies.size(), 9u);
  ASSERT_EQ(arm.joints.size(), 8u);
  EXPECT_EQ(arm.joints[0].name, "base_link");
  EXPECT_EQ(arm.joints[0].type, JointType::kFixed);

  const Body& column = arm.bodies[arm.find_body("column").value];
  EXPECT_EQ(column.mass, 4.2);
  EXPECT_LT((column.p_BoBcm_B - Vector3(0.01, -0.02, 0.11)).norm(), 1e-15);
  Matrix3 I;
  I << 0.031, 0.0012, -0.0008, 0.0012, 0.029, 0.0005, -0.0008, 0.0005, 0.017;
  const Matrix3 R = Eigen::AngleAxisd(0.1, Vector3::UnitZ()).toRotationMatrix();
  EXPECT_LT((column.I_BBcm_B - R * I * R.transpose()).norm(), 1e-15);

  const Joint& elbow = arm.joints[arm.find_joint("elbow").value];
  EXPECT_EQ(elbow.type, JointType::kRevolute);
  EXPECT_EQ(elbow.parent, arm.find_body("upper_arm"));
  EXPECT_EQ(elbow.child, arm.find_body("forearm"));
  const Vector3 axis = Vector3(0.1, -1, 0.05).normalized();
  EXPECT_LT((elbow.X_BM.linear().col(2) - axis).norm(), 1e-15);
  EXPECT_LT(elbow.X_BM.translation().norm(), 1e-15);
  // At zero the child's frame stands where <origin> says.
  const Isometry3 X_PB = elbow.X_PF * elbow.X_BM.inverse();
  EXPECT_LT((X_PB.translation() - Vector3(0.36, 0, 0)).norm(), 1e-15);
  const Matrix3 pitch = Eigen::AngleAxisd(0.05, Vector3::UnitY()).toRotationMatrix();
  EXPECT_LT((X_PB.linear() - pitch).norm(), 1e-14);
  ASSERT_EQ(elbow.axes.size(), 1u);
  EXPECT_EQ(elbow.axes[0].damping, 0.3);
  EXPECT_EQ(elbow.axes[0].friction, 0.15);
  EXPECT_EQ(elbow.axes[0].lower, -2.4);
  EXPECT_EQ(elbow.axes[0].upper, 0.2);
  EXPECT_EQ(elbow.axes[0].stop_stiffness, 500);
  EXPECT_FALSE(arm.joints[arm.find_joint("turntable").value].axes[0].lower);

  ASSERT_EQ(arm.couplers.size(), 1u);  // right = 0.98 left + 0.001
  const Coupler& mimic = arm.couplers[0];
  EXPECT_EQ(mimic.terms[0].joint, arm.find_joint("right_slide"));
  EXPECT_EQ(mimic.terms[0].factor, 1);
  EXPECT_EQ(mimic.terms[1].joint, arm.find_joint("left_slide"));
  EXPECT_EQ(mimic.terms[1].factor, -0.98);
  EXPECT_EQ(mimic.offset, 0.001);
}

TEST(UrdfFile, KnowsEveryJointType) {
  SKIP_WITHOUT_URDF();
  const std::string text = robot(
      "<link name='world'/>\n" + link("a") + link("b") + link("c") + link("d") + link("e") +
      joint("a", "floating", "world", "a") + joint("b", "planar", "a", "b", "<axis xyz='0 1 0'/>") +
      joint("c", "prismatic", "b", "c", "<limit lower='0' upper='0' effort='1' velocity='1'/>") +
      joint("d", "continuous", "c", "d", "<axis xyz='0 0 2'/>") + joint("e", "fixed", "d", "e"));
  const Mechanism m = parse_urdf(text, "r.urdf");
  ASSERT_EQ(m.joints.size(), 5u);  // the root is the world itself
  EXPECT_EQ(m.bodies.size(), 6u);
  EXPECT_EQ(m.joints[0].type, JointType::kFree);
  EXPECT_EQ(m.joints[0].parent, kWorld);
  EXPECT_EQ(m.joints[1].type, JointType::kPlanar);
  EXPECT_EQ(m.joints[2].type, JointType::kPrismatic);
  EXPECT_LT((m.joints[2].X_PF.linear().col(2) - Vector3::UnitX()).norm(), 1e-15) << "the default";
  EXPECT_FALSE(m.joints[2].axes[0].upper);
  EXPECT_EQ(m.joints[3].type, JointType::kRevolute);
  EXPECT_EQ(m.joints[4].type, JointType::kFixed);

  const Mechanism floating = parse_urdf(robot(link("base")), "r.urdf", {.floating_base = true});
  ASSERT_EQ(floating.joints.size(), 1u);
  EXPECT_EQ(floating.joints[0].type, JointType::kFree);
  EXPECT_EQ(floating.joints[0].name, "base");
}

TEST(UrdfFile, SaysWhatIsWrongAndPrintsNothing) {
  SKIP_WITHOUT_URDF();
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const std::string hinge = "<axis xyz='0 0 1'/>";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"<robot name='r'>\n<link name='a'>\n</robot>", "bad.urdf:3:1: is not XML: "},
      {"", "is not XML: "},
      {"<model/>", "bad.urdf: has no <robot>"},
      {robot(""), "bad.urdf:1:1: robot: No link elements found in urdf file"},
      {robot(link("a") + joint("j", "continuous", "a", "b", hinge)),
       "bad.urdf:3:1: joint j: Failed to build tree: child link [b] of joint [j] not found"},
      {robot(link("a") + link("a")), "bad.urdf:3:1: link a: link 'a' is not unique."},
      {robot(link("a") + link("b")), "Two root links found: [a] and [b]"},
      {robot("<link name='a'><inertial><mass value='x'/></inertial></link>"),
       "bad.urdf:2:1: link a: Could not parse inertial element for Link [a]"},
      {robot(link("a") + "<link name='b'><inertial><mass value='2.5'/><inertia ixx='nan' ixy='0' "
                         "ixz='0' iyy='1.5' iyz='0' izz='2'/></inertial></link>"),
       "bad.urdf:3:1: link b: Inertial: inertia element ixx is not a valid double"},
      {robot(link("a") + link("b") + joint("j", "foo", "a", "b")),
       "bad.urdf:4:1: joint j: Joint [j] has no known type [foo]"},
      {robot(link("a") + link("b") + joint("j", "revolute", "a", "b", hinge)),
       "bad.urdf:4:1: joint j: Joint [j] is of type REVOLUTE but it does not specify limits"},
      {robot(link("a") + link("b") + link("c") + joint("i", "continuous", "a", "b", hinge) +
             joint("k", "fixed", "c", "a") + joint("j", "continuous", "b", "c", hinge)),
       "bad.urdf:7:1: joint j: closes a cycle of links, "},
      {robot("<link name='a'/>\n<link name='b'/>\n" + joint("j", "continuous", "a", "b", hinge)),
       "bad.urdf:4:1: joint j: moves no mass; link \"b\" needs an <inertial>"},
      {robot(link("a") + link("b") + joint("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>")),
       "bad.urdf:4:1: joint j: its axis must be a direction, its length is 0"},
      {robot(link("a") + link("b") +
             joint("j", "prismatic", "a", "b",
                   "<limit lower='2' upper='1' effort='1' velocity='1'/>")),
       "bad.urdf:4:1: joint j: limits: the lower one must be below the upper, got 2 and 1"},
      {robot(link("a") + link("b") +
             joint("j", "continuous", "a", "b", hinge + "<mimic joint='i'/>")),
       "bad.urdf:4:1: joint j: mimics joint \"i\", which does not exist"},
      {robot(link("a") + link("b") + link("c") + joint("i", "continuous", "a", "b", hinge) +
             joint("j", "continuous", "b", "c", hinge) + joint("k", "continuous", "a", "c", hinge)),
       "bad.urdf:6:1: joint j: link \"c\" is already the child of another joint"},
      {robot(link("a") + link("b") + link("c") + joint("i", "continuous", "b", "c", hinge) +
             joint("j", "continuous", "c", "b", hinge)),
       "bad.urdf:3:1: link b: is not connected to the root, or is in a cycle"},
      {robot(link("a") +
             "<link name='b'><inertial><mass value='-2'/><inertia ixx='1' ixy='0' "
             "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>" +
             joint("j", "continuous", "a", "b", hinge)),
       "bad.urdf:3:1: link b: mass: must be >= 0 kg, got -2"},
      {std::string("<robot>\0</robot>", 16), "bad.urdf: has a NUL byte, is not XML"},
      {[] {
         std::string deep;
         for (int i = 0; i < 100000; ++i) deep += "<a>";
         return deep;
       }(),
       "bad.urdf: elements are nested too deeply"},
      {[] {  // neither comments nor attributes close an element
         std::string deep;
         for (int i = 0; i < 100000; ++i) deep += "<a b='/>'><!-- </a> -->";
         return deep;
       }(),
       "bad.urdf: elements are nested too deeply"},
  };
  std::string wrong;
  for (const auto& [text, message] : cases) {
    const std::string said = complaints(text);
    if (said.find(message) == std::string::npos) wrong += concat(text, "\n=> ", said, "\n");
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(wrong, "");
  EXPECT_THROW(load_urdf("models/no-such.urdf"), ModelFileError);
}

// Comments and attributes may hold what looks like elements: it was counted as such.
std::string link_of(const std::string& name, const std::string& mass, const std::string& inertia) {
  return "<link name='" + name + "'><inertial><mass value='" + mass + "'/><inertia " + inertia +
         "/></inertial></link>\n";
}

// Robots of the world have dummy inertias (all six numbers the same), moments off the triangle
// inequality, inertia without mass, and <mimic> left over on a fixed joint: each was refused once.
TEST(UrdfFile, AcceptsUnsoundInertiasAndTagsWithANoteUnlessStrict) {
  SKIP_WITHOUT_URDF();
  const std::string hinge = "<axis xyz='0 0 1'/>";
  const std::string dummy = "ixx='1e-6' ixy='1e-6' ixz='1e-6' iyy='1e-6' iyz='1e-6' izz='1e-6'";
  const std::string thin = "ixx='0.1' ixy='0' ixz='0' iyy='0.2' iyz='0' izz='0.7'";
  const std::string tiny = "ixx='1e-4' ixy='0' ixz='0' iyy='1e-4' iyz='0' izz='1e-4'";
  const std::string text =
      robot(link_of("a", "1.5", dummy) + link_of("b", "2.5", thin) + link_of("c", "0", tiny) +
            joint("i", "continuous", "a", "b", hinge) +
            joint("j", "fixed", "b", "c", "<mimic joint='i'/>"));
  UrdfNotes notes;
  const Mechanism mechanism = parse_urdf(text, "r.urdf", {}, nullptr, &notes);
  Matrix3 I = Matrix3::Zero();
  I.diagonal() << 0.1, 0.2, 0.7;
  EXPECT_EQ(mechanism.bodies[mechanism.find_body("b").value].I_BBcm_B, I);  // as the file has it
  EXPECT_TRUE(mechanism.couplers.empty());
  ASSERT_EQ(notes.size(), 4u);
  EXPECT_EQ(notes[0],
            "r.urdf:6:1: joint j: is fixed and cannot mimic joint \"i\"; its <mimic> is ignored");
  EXPECT_EQ(notes[1].substr(0, 63),
            "r.urdf:2:1: link a: inertia: no body has these principal moment");
  EXPECT_EQ(
      notes[2],
      "r.urdf:3:1: link b: inertia: no body has these principal moments: 0.1 + 0.2 < 0.7 kg m^2");
  EXPECT_EQ(notes[3], "r.urdf:4:1: link c: inertia: a body without mass has none");
  EXPECT_NO_THROW(check(mechanism));  // the dynamics accept it, too

  try {
    parse_urdf(text, "r.urdf", {.is_strict = true});
    ADD_FAILURE() << "not refused";
  } catch (const ModelFileError& error) {
    EXPECT_EQ(error.diagnostics().size(), 4u) << error.what();
  }
  // A negative moment makes the mass matrix indefinite: never accepted.
  EXPECT_NE(complaints(robot(link_of("a", "1", "ixx='-1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'")))
                .find("must not be negative about any axis"),
            std::string::npos);
}

TEST(UrdfFile, SettingsGiveStartAndLoadsOfJoints) {
  SKIP_WITHOUT_URDF();
  const Overrides settings({"joints.elbow.position_deg=30", "joints.elbow.speed=-0.4",
                            "joints.elbow.torque=2.5", "joints.elbow.friction=0.125"});
  const Mechanism arm = load_urdf("models/robot-arm.urdf", {.settings = settings});
  const Joint& elbow = arm.joints[arm.find_joint("elbow").value];
  ASSERT_EQ(elbow.q0.size(), 1u);
  EXPECT_NEAR(elbow.q0[0], 0.5235987755982988, 1e-15);
  EXPECT_EQ(elbow.v0, std::vector<double>{-0.4});
  EXPECT_EQ(elbow.axes[0].force, 2.5);
  EXPECT_EQ(elbow.axes[0].friction, 0.125);

  const auto said = [](const std::string& assignment,
                       const std::string& more = "joints.elbow.damping=0.5") -> std::string {
    try {
      load_urdf("models/robot-arm.urdf", {.settings = Overrides({assignment, more})});
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(said("joints.elbo.speed=1"),
            "--set joints.elbo.speed=1: joints.elbo: the robot has no such joint; did you mean "
            "\"elbow\"?");
  EXPECT_NE(said("joints.elbow.sped=1").find("did you mean \"speed\"?"), std::string::npos);
  EXPECT_NE(said("name=arm").find("unknown key"), std::string::npos);
  EXPECT_NE(said("joints.elbow.position=1", "joints.elbow.position_deg=30").find("already given"),
            std::string::npos);
}

TEST(UrdfFile, TakesNoTextForElements) {
  SKIP_WITHOUT_URDF();
  std::string comment = "<!-- ", attribute;
  for (int i = 0; i < 300; ++i) comment += "a <b ";
  for (int i = 0; i < 300; ++i) attribute += "<b";
  const std::string text = robot(comment + "-->\n<note text=\"" + attribute + "\"/>" + link("a"));
  EXPECT_EQ(complaints(text), "no error");
}

// Links and joints have names of their own; the joint that holds the root to the world is ours.
TEST(UrdfFile, AJointMayHaveTheRootsName) {
  SKIP_WITHOUT_URDF();
  const Mechanism m =
      parse_urdf(robot(link("base") + link("arm") +
                       joint("base", "continuous", "base", "arm", "<axis xyz='0 0 1'/>")),
                 "r.urdf");
  ASSERT_EQ(m.joints.size(), 2u);
  EXPECT_EQ(m.joints[0].name, "base_base");
  EXPECT_EQ(m.joints[0].type, JointType::kFixed);
  EXPECT_EQ(m.joints[1].name, "base");
  EXPECT_EQ(m.joints[1].type, JointType::kRevolute);
}

TEST(UrdfFile, SurvivesRandomChanges) {
  SKIP_WITHOUT_URDF();
  const std::string original = read_file("models/robot-arm.urdf", 1 << 20);
  RandomStream random(11);
  int good = 0, bad = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string text = original;
    for (auto change = random.integer(1, 3); change > 0; --change) {
      const auto at = static_cast<std::size_t>(random.integer(0, std::ssize(text) - 1));
      const auto from = static_cast<std::size_t>(random.integer(0, std::ssize(original) - 1));
      const auto length = static_cast<std::size_t>(random.integer(0, 15));
      text.replace(at, random.uniform() < 0.5 ? length : 0, original.substr(from, length));
    }
    SCOPED_TRACE(text);
    try {
      EXPECT_TRUE(find_problems(parse_urdf(text, "r.urdf")).empty());
      ++good;
    } catch (const ModelFileError&) {
      ++bad;
    }
  }
  EXPECT_GT(good, 50);
  EXPECT_GT(bad, 100);
}

}  // namespace
}  // namespace camber::multibody
