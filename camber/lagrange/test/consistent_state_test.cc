#include "camber/lagrange/consistent_state.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace camber::lagrange {
namespace {

using symbolic::variable;

std::string message_of(SimulationModel* model, const std::vector<InitialValue>& given) {
  try {
    find_consistent_state(model, 0.3, given);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

// A four-bar linkage by the angles of its links and two closure constraints.
System make_four_bar() {
  System system;
  system.name = "four-bar";
  const Expr a = system.add_coordinate("a"), b = system.add_coordinate("b"),
             c = system.add_coordinate("c");
  for (const Expr& angle : {a, b, c}) {
    system.bodies.push_back(
        make_body(std::string(angle.name()), origin(rotate(Axis::kZ, angle)), 1.2, 0, 0, 0.7));
  }
  system.constraints = {{"close_x", 0.4 * cos(a) + 1.1 * cos(b) - 0.9 * cos(c) - 1.0},
                        {"close_y", 0.4 * sin(a) + 1.1 * sin(b) - 0.9 * sin(c)}};
  return system;
}

TEST(ConsistentState, ClosesALoopAroundWhatIsGiven) {
  SimulationModel model(make_four_bar());
  const auto x = find_consistent_state(&model, 0,
                                       std::vector<InitialValue>{{variable("a"), 0.8},
                                                                 {variable("c"), 1.4},
                                                                 {variable("b"), 0.3},
                                                                 {variable("a", 1), 2.5}});
  EXPECT_LT(model.constraint_error(0, x), 1e-13);
  EXPECT_NEAR(0.4 * std::cos(x[0]) + 1.1 * std::cos(x[1]) - 0.9 * std::cos(x[2]), 1.0, 1e-13);
  EXPECT_DOUBLE_EQ(x[3], 2.5);  // the other two speeds could follow alone
  EXPECT_NEAR(0.4 * std::cos(x[0]) * x[3] + 1.1 * std::cos(x[1]) * x[4],
              0.9 * std::cos(x[2]) * x[5], 1e-12);
}

TEST(ConsistentState, MovesWhatIsNotGivenFirstAndWhatIsFixedNever) {
  SimulationModel model(make_four_bar());
  // One angle given: it is kept, as the others can close the loop.
  const auto kept =
      find_consistent_state(&model, 0, std::vector<InitialValue>{{variable("a"), 0.8}});
  EXPECT_DOUBLE_EQ(kept[0], 0.8);
  // All given but not compatible: only the fixed one stays.
  const auto moved = find_consistent_state(
      &model, 0,
      std::vector<InitialValue>{
          {variable("a"), 0.8, true}, {variable("b"), 0.5}, {variable("c"), 1.2}});
  EXPECT_DOUBLE_EQ(moved[0], 0.8);
  EXPECT_GT(std::abs(moved[1] - 0.5) + std::abs(moved[2] - 1.2), 1e-3);
  EXPECT_LT(model.constraint_error(0, moved), 1e-13);
}

// A heavy cart on a light wheel: given the cart's speed, the wheel rotates, and the cart does not
// rise.
TEST(ConsistentState, MovesAsFewVariablesAsWillDoAndTheLightestOnes) {
  System system;
  system.name = "cart";
  const Expr lift = system.add_coordinate("lift"), x = system.add_coordinate("x"),
             turn = system.add_coordinate("turn");
  system.bodies = {
      make_body("cart", origin(translate(x, 0, lift)), 310, 0, 0, 0),
      make_body("wheel", origin(translate(x, 0, lift) * rotate(Axis::kY, turn)), 9, 0, 0.8, 0)};
  system.constraints = {{"rolls",
                         variable("x", 1) - 0.3 * variable("turn", 1) + 0.2 * variable("lift", 1),
                         Constraint::Kind::kNonholonomic}};
  SimulationModel model(system);
  const auto rolling =
      find_consistent_state(&model, 0, std::vector<InitialValue>{{variable("x", 1), 4.5}});
  EXPECT_DOUBLE_EQ(rolling[3], 0);
  EXPECT_DOUBLE_EQ(rolling[4], 4.5);
  EXPECT_NEAR(rolling[5], 15, 1e-12);
}

TEST(ConsistentState, NamesConflictingPositionsAndSpeeds) {
  SimulationModel model(make_four_bar());
  const std::string positions = message_of(
      &model, {{variable("a"), 0.8, true}, {variable("b"), 0.5, true}, {variable("c"), 1.2, true}});
  for (const char* part : {"four-bar", "no initial position", "\"close_x\" (off by", "\"close_y\"",
                           "with a, b and c fixed"}) {
    EXPECT_NE(positions.find(part), std::string::npos) << part << " in: " << positions;
  }
  const std::string speeds = message_of(
      &model, {{variable("a"), 0.8}, {variable("a", 1), 2.0, true}, {variable("b", 1), 0.3, true}});
  for (const char* part :
       {"no initial speeds", "\"close_x\"", "\"close_y\"", "with a' and b' fixed"}) {
    EXPECT_NE(speeds.find(part), std::string::npos) << part << " in: " << speeds;
  }
}

TEST(ConsistentState, NamesRedundantConstraintsOfTheStateFound) {
  System system = make_four_bar();
  // Dependent where both hold, not elsewhere: no look at the expressions finds it.
  const Expr close_x = system.constraints[0].expression;
  system.constraints.push_back({"close_x_again", close_x * (2 + variable("b"))});
  SimulationModel model(system);
  const std::string text = message_of(&model, {{variable("a"), 0.8}});
  for (const char* part : {"\"close_x\"", "\"close_x_again\"", "redundant"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  }
  EXPECT_EQ(text.find("close_y"), std::string::npos) << text;
}

TEST(ConsistentState, RefusesUnknownAndRepeatedVariables) {
  SimulationModel model(make_four_bar());
  EXPECT_NE(message_of(&model, {{variable("d"), 0.1}}).find("d is not part of the state"),
            std::string::npos);
  EXPECT_NE(message_of(&model, {{variable("a"), 0.1}, {variable("a"), 0.2}}).find("given twice"),
            std::string::npos);
  EXPECT_NE(message_of(&model, {{variable("a"), NAN}}).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace camber::lagrange
