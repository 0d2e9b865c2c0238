#include "camber/lagrange/derivation_text.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace camber::lagrange {
namespace {

using Json = nlohmann::ordered_json;

class DerivationText : public testing::Test {
 protected:
  const LagrangianModel model_ = load_lagrangian("models/quarter-car.toml");
  const Equations equations_ = derive(model_.system);
};

// By hand: m z'' is the sum of the forces of springs and damper.
TEST_F(DerivationText, ShowsTheEquationsOfAQuarterCar) {
  const std::string text = to_text(describe(model_, equations_), Notation::kText);
  EXPECT_EQ(text.find("quarter_car: Sprung and unsprung mass over a road profile"), 0U);
  EXPECT_NE(text.find("\nEquations of motion\n"
                      "  zs':  c*(zs' - zu') + ks*(zs - zu) + ms*zs'' = 0\n"
                      "  zu':  mu*zu'' - c*(zs' - zu') - ks*(zs - zu) - kt*(zr - zu) = 0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nGenerated program:     "), std::string::npos);
}

TEST_F(DerivationText, PutsAllButEquationsAndHeadingsIntoCommentsOfLatex) {
  const std::string text = to_text(describe_linear(model_, equations_), Notation::kLatex);
  EXPECT_NE(text.find("\\[ E_{1,3} = \\mathit{ms} \\]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("% States x: zs, zu, zsdot, zudot\n"), std::string::npos);
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    const std::string line = text.substr(start, end - start);
    EXPECT_TRUE(line.empty() || line[0] == '%' || line[0] == '\\') << line;
    start = end + 1;
  }
}

TEST_F(DerivationText, GivesTheSameEquationsAsJson) {
  const Derivation derivation = describe(model_, equations_);
  const Json json = Json::parse(to_json(derivation, Notation::kText, "int x;"));
  EXPECT_EQ(json["model"], "quarter_car");
  EXPECT_EQ(json["code"], "int x;");
  const Json& section = json["sections"][0];
  EXPECT_EQ(section["title"], "Equations of motion");
  EXPECT_EQ(section["equations"][0]["name"], "zs'");
  EXPECT_EQ(section["equations"][0]["value"], "ms*zs'' + w1 + w2");
  EXPECT_EQ(section["definitions"].size(), 2U);
  EXPECT_EQ(json["operations"]["program"]["total"], derivation.program.count().total());
  EXPECT_FALSE(Json::parse(to_json(derivation, Notation::kText)).contains("code"));
}

TEST_F(DerivationText, ListsEntriesOfTheStateSpaceThatAreNotZero) {
  const Derivation linear = describe_linear(model_, equations_);
  ASSERT_EQ(linear.sections.size(), 2U);
  const Section& states = linear.sections[1];
  const auto is_named = [](const char* name) {
    return [=](const Label& label) { return label.text == name; };
  };
  EXPECT_TRUE(std::ranges::any_of(states.names, is_named("B(2,1)")));   // the road on the wheel
  EXPECT_FALSE(std::ranges::any_of(states.names, is_named("B(1,1)")));  // and not on the body
  EXPECT_EQ(states.names.size(), states.expressions.size());
}

TEST(DerivationTextOfConstraints, NamesMultipliersAndConstraints) {
  const LagrangianModel model = load_lagrangian("models/rolling-disc.toml");
  const Derivation derivation = describe(model, derive(model.system));
  EXPECT_NE(derivation.sections[0].title.text.find("(with multipliers "), std::string::npos);
  const auto is_constraints = [](const Section& s) { return s.title.text == "Constraints"; };
  const auto found = std::ranges::find_if(derivation.sections, is_constraints);
  ASSERT_NE(found, derivation.sections.end());
  ASSERT_EQ(found->names.size(), model.system.constraints.size());
  EXPECT_EQ(found->names[0].text, model.system.constraints[0].name);
}

}  // namespace
}  // namespace camber::lagrange
