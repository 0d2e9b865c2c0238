#include "camber/lagrange/model_file.h"

#include <string>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/lagrange/equations.h"
#include "camber/lagrange/test/motorcycle.h"

namespace camber::lagrange {
namespace {

/// What the reader says about a text, all of it.
std::string complaints(const std::string& text) {
  try {
    parse_lagrangian(text, "bad.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kPendulum = R"(kind = "lagrangian"
name = "pendulum"
coordinates = ["q"]
gravity = [0, "-g", 0]
[parameters]
g = 9.81
l = 0.7
m = "2*l"
[frames]
rod = { motion = [{ rotate = "q", about = "z" }] }
[points]
tip = { frame = "rod", at = [0, "-l", 0] }
[bodies]
bob = { center = "tip", mass = "m" }
)";

TEST(LagrangianFile, ReadsAPendulum) {
  const LagrangianModel model = parse_lagrangian(kPendulum, "pendulum.toml");
  const Expr q = symbolic::variable("q"), m = symbolic::symbol("m"), l = symbolic::symbol("l"),
             g = symbolic::symbol("g");
  EXPECT_EQ(derive(model.system).dynamics[0],
            l * m * (l * symbolic::variable("q", 2) + g * sin(q)));
  const auto values = parameter_values(model.system, {{"l", 0.25}});
  EXPECT_EQ(values.at(m), Expr(0.5)) << "a derived parameter follows the one that was set";
  EXPECT_THROW(parameter_values(model.system, {{"L", 1.0}}), std::invalid_argument);
}

TEST(LagrangianFile, TakesDotProductsOfVectorsInAnyFrames) {
  const LagrangianModel model = parse_lagrangian(kPendulum + R"toml([vectors]
along = { frame = "rod", components = [0, -1, 0] }
down = { components = [0, -1, 0] }
[definitions]
cosine = { dot = ["along", "down"] }
[outputs]
lift = "l*(1 - cosine)"
)toml",
                                                 "p.toml");
  EXPECT_EQ(model.system.outputs[0].expression,
            symbolic::symbol("l") * (1 - cos(symbolic::variable("q"))));
  EXPECT_NE(complaints(kPendulum + "[definitions]\nd = { dot = [\"a\"] }\n").find("two vectors"),
            std::string::npos);
}

TEST(LagrangianFile, TakesProductsOfInertiaInBothConventions) {
  const std::string body = "brick = { center = \"rod\", inertia = [1, 2, 3], ";
  const auto inertia = [&](const std::string& products) {
    return parse_lagrangian(kPendulum + body + products + " }\n", "p.toml")
        .system.bodies[1]
        .inertia;
  };
  const Matrix3 J = inertia("products = [0.1, 0.2, 0.3]");
  EXPECT_EQ(J(1, 2), Expr(0.1));
  EXPECT_EQ(J(0, 2), Expr(0.2));
  EXPECT_EQ(J(0, 1), Expr(0.3));
  EXPECT_EQ(J, inertia("product_integrals = [-0.1, -0.2, -0.3]"));
  EXPECT_NE(complaints(kPendulum + body + "products = [0, 0, 1], product_integrals = [0, 0, 1] }\n")
                .find("bodies.brick: has both"),
            std::string::npos);
}

TEST(LagrangianFile, MotorcycleIsTheOneBuiltInCode) {
  const LagrangianModel model = load_lagrangian("models/motorcycle.toml");
  const Motorcycle built = make_motorcycle();
  const Equations read = derive(model.system), expected = derive(built.system);
  EXPECT_EQ(read.dynamics, expected.dynamics);
  EXPECT_EQ(read.constraints, expected.constraints);
  ASSERT_EQ(read.extra.size(), expected.extra.size());
  for (std::size_t i = 0; i < read.extra.size(); ++i)
    EXPECT_EQ(read.extra[i].equation, expected.extra[i].equation);
}

TEST(LagrangianFile, NamesUnknownSymbolsWithTheirPlace) {
  std::string text = kPendulum;
  text.replace(text.find("\"-l\""), 4, "\"-l*L\"");
  const std::string message = complaints(text);
  EXPECT_NE(message.find("bad.toml:12"), std::string::npos) << message;
  EXPECT_NE(message.find("points.tip.at"), std::string::npos) << message;
  EXPECT_NE(message.find('L'), std::string::npos) << message;
}

// `camber check` passed any name, which `camber derive` then refused without saying where it stood.
TEST(LagrangianFile, RefusesANameThatCodeCannotBear) {
  std::string text = kPendulum;
  text.replace(text.find("pendulum"), 8, "../pendulum 2");
  EXPECT_EQ(complaints(text),
            "bad.toml:2:8: name: a name is a letter or '_', then letters, digits, '_' or '.'; got "
            "\"../pendulum 2\"");
  text = kPendulum;
  text.replace(text.find("\"pendulum\""), 10, "7");
  EXPECT_EQ(complaints(text), "bad.toml:2:8: name: expected a text, found integer 7");
}

TEST(LagrangianFile, NamesFramesInACycle) {
  std::string text = kPendulum;
  text.replace(text.find("rod = {"), 7, "rod = { from = \"arm\",");
  text.replace(text.find("[points]"), 8, "arm = { from = \"rod\", motion = [] }\n[points]");
  const std::string message = complaints(text);
  EXPECT_NE(message.find("is defined by itself, through \"arm\", \"rod\""), std::string::npos)
      << message;
}

TEST(LagrangianFile, NamesAForceOnABodyThatDoesNotExist) {
  const std::string message = complaints(
      kPendulum +
      "[forces]\npush = { components = [1, 2, 3], point = \"tip\", acting = \"bop\" }\n");
  EXPECT_NE(message.find("forces.push.acting: no body or frame \"bop\"; did you mean \"bob\"?"),
            std::string::npos)
      << message;
}

TEST(LagrangianFile, ReportsAllMistakesAtOnce) {
  const std::string message =
      complaints(kPendulum +
                 "[torques]\nt1 = { components = [1, 2], acting = \"bob\" }\n"
                 "[constraints]\nc = { holonomic = \"q' - 2\" }\n[outputs]\ny = "
                 "\"sin(q\"\nextra_key = \"q\"\n[wrong]\nz = 1\n");
  for (const char* part :
       {"torques.t1.components", "three components, got 2",
        "a holonomic constraint has no speeds; this one has q'", "outputs.y", "wrong"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << "\nnot in\n" << message;
  }
}

// A point given in the ground's coordinates once became a point of the ground: the masses centered
// there left the equations and no-slip conditions vanished, both without a word.
TEST(LagrangianFile, NamingCoordinatesDoesNotChangeWhatAPointIs) {
  std::string in_ground = kPendulum;
  const std::string at = "at = [0, \"-l\", 0]";
  in_ground.replace(in_ground.find(at), at.size(), at + ", in = \"ground\"");
  const std::string rest = R"toml(inner = { center = "middle", mass = 1.3, inertia = [0, 0, 0.2] }
[points.middle]
from = "tip"
plus = "back"
[vectors]
back = { frame = "rod", components = [0, 0.3, 0] }
material = { velocity = "tip", kind = "eulerian", in = "rod" }
seen = { velocity = "tip", kind = "relative", in = "rod" }
[outputs]
height = "tip.y"
speed = "material.x"
relative = "seen.x"
)toml";
  const LagrangianModel a = parse_lagrangian(kPendulum + rest, "own.toml");
  const LagrangianModel b = parse_lagrangian(in_ground + rest, "ground.toml");
  EXPECT_EQ(derive(a.system).dynamics, derive(b.system).dynamics);
  EXPECT_EQ(a.points.at("tip").frame, b.points.at("tip").frame);
  const Expr l = symbolic::symbol("l");
  EXPECT_EQ(a.system.outputs[0].expression, -l);
  EXPECT_EQ(b.system.outputs[0].expression, -l * cos(symbolic::variable("q")));
  for (const LagrangianModel* model : {&a, &b}) {
    EXPECT_EQ(model->system.outputs[1].expression, l * symbolic::variable("q", 1));
    EXPECT_TRUE(model->system.outputs[2].expression.is_zero()) << "fixed in the rod";
  }
}

TEST(LagrangianFile, RefusesBodiesAndConstraintsWithoutEffect) {
  const auto with = [](const std::string& line) { return complaints(kPendulum + line); };
  EXPECT_EQ(
      with("post = { center = \"ground\", mass = 3 }\n"),
      "bad.toml:15:8: bodies.post: no coordinate moves it, so it has no part in the equations "
      "of motion");
  EXPECT_NE(with("ghost = { center = \"tip\" }\n").find("neither mass nor inertia"),
            std::string::npos);
  EXPECT_EQ(with("wheel = { center = \"rod\", inertia = [0, 0, 2] }\n"), "no error");
  EXPECT_NE(
      with("wheel = { center = \"rod\", mass = 4, inertia = [3, 2, 0] }\n").find("no coordinate"),
      std::string::npos)
      << "a body whose moment about the axis it turns about is zero";
  for (const char* empty :
       {"holonomic = \"l - 0.7\"", "nonholonomic = \"sin(q)\"",
        "nonholonomic = \"q'*sin(q)^2 + q'*cos(q)^2 - q'\"", "holonomic = \"q - q + t\""}) {
    EXPECT_NE(with(std::string("[constraints]\nc = { ") + empty + " }\n").find("demands nothing"),
              std::string::npos)
        << empty;
  }
}

TEST(LagrangianFile, TimeIsNotAParameter) {
  std::string text = kPendulum;
  text.replace(text.find("l = 0.7"), 7, "l = 0.7\nt = 3");
  EXPECT_EQ(complaints(text),
            "bad.toml:8:5: parameters.t: is the time already; a parameter needs another name");
}

// Such a constraint's multiplier would act along a direction that depends on the speed, which is not a
// longer d'Alembert's principle.
TEST(LagrangianFile, NonholonomicConstraintsAreLinearInTheSpeeds) {
  const auto with = [](const std::string& constraint) {
    return complaints(kPendulum + "[constraints]\nc = { nonholonomic = \"" + constraint + "\" }\n");
  };
  EXPECT_EQ(with("q'^2 - 1"),
            "bad.toml:16:22: constraints.c.nonholonomic: must be linear in the speeds; its "
            "derivative by q' depends on q'");
  for (const char* bent : {"sin(q')", "abs(q')", "q/q'", "q'*(q' - 1)"})
    EXPECT_NE(with(bent).find("must be linear in the speeds"), std::string::npos) << bent;
  EXPECT_NE(with("q'' + q'").find("has no accelerations; this one has q''"), std::string::npos);
  for (const char* straight :
       {"q'*sin(q) - 3", "(q' + l)^2 - q'^2", "q'^2*(sin(q)^2 + cos(q)^2 - 1) + q'"})
    EXPECT_EQ(with(straight), "no error") << straight;
}

TEST(LagrangianFile, QuasiVelocitiesAreSpeedsToo) {
  const std::string text = R"toml(kind = "lagrangian"
name = "block"
coordinates = ["x", "y", "z", "a", "b", "c"]
[frames]
block = { quasi = ["x", "y", "z", "a", "b", "c"], motion = [{ translate = ["x", "y", "z"] }, { rotate = "a", about = "z" }, { rotate = "b", about = "y" }, { rotate = "c", about = "x" }] }
[points]
middle = { frame = "block", at = [0, 0, 0] }
[bodies]
block = { center = "middle", mass = 3, inertia = [2, 3, 4] }
[constraints]
k = { nonholonomic = "block.vx*CONSTRAINT" }
)toml";
  std::string good = text, bad = text;
  good.replace(good.find("CONSTRAINT"), 10, "cos(a)");
  bad.replace(bad.find("CONSTRAINT"), 10, "a'");
  EXPECT_EQ(complaints(good), "no error");
  EXPECT_NE(complaints(bad).find("must be linear in the speeds"), std::string::npos);
}

TEST(LagrangianFile, ParametersDefinedInACircleAreNamed) {
  std::string text = kPendulum;
  text.replace(text.find("l = 0.7"), 7, "l = \"m/3\"");
  EXPECT_NE(complaints(text).find("bad.toml:5:1: parameters: parameters that are defined by each "
                                  "other: "),
            std::string::npos)
      << complaints(text);
}

// Chains of 20,000 definitions overflowed the stack; parameters took time that grew with the square
// of their number.
TEST(LagrangianFile, RefusesLongChainsOfDefinitions) {
  std::string text = kPendulum + "[definitions]\n";
  for (int i = 0; i < 20'000; ++i)
    text += "a" + std::to_string(i) + " = \"a" + std::to_string(i + 1) + " + 1\"\n";
  text += "a20000 = 1\n";
  EXPECT_NE(complaints(text).find("chain of more than 1000"), std::string::npos);
}

TEST(LagrangianFile, ResolvesLongChainsOfParameters) {
  std::string parameters;
  constexpr int kCount = 20'000;
  for (int i = 0; i < kCount; ++i)
    parameters += "p" + std::to_string(i) + " = \"p" + std::to_string(i + 1) + " + 1\"\n";
  parameters += "p" + std::to_string(kCount) + " = 0.5\n";
  std::string text = kPendulum;
  text.insert(text.find("[frames]"), parameters);
  const auto values = parameter_values(parse_lagrangian(text, "long.toml").system);
  EXPECT_EQ(values.at(symbolic::symbol("p0")), Expr(kCount + 0.5));
}

}  // namespace
}  // namespace camber::lagrange
