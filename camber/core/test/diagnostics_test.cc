#include "camber/core/diagnostics.h"

#include <string>

#include <gtest/gtest.h>

#include "camber/core/require.h"

namespace camber {
namespace {

std::string what_of(const Diagnostics& diagnostics) {
  try {
    diagnostics.throw_if_any();
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(Diagnostic, NamesFileLineColumnAndKey) {
  const ModelFileError error({"models/mule.toml", 41, 3, "wheels.front_left.radius"},
                             "must be > 0 m, got -0.31");
  EXPECT_STREQ(error.what(),
               "models/mule.toml:41:3: wheels.front_left.radius: must be > 0 m, got -0.31");
  ASSERT_EQ(error.diagnostics().size(), 1u);
  EXPECT_EQ(error.diagnostics()[0].where.line, 41);
}

TEST(Diagnostic, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(to_text(Position{"a.toml", 7, 0, "mass"}), "a.toml:7: mass");
  EXPECT_EQ(to_text(Position{"a.toml"}), "a.toml");
  EXPECT_EQ(to_text(Position{"", 2, 5}), ":2:5");
  EXPECT_EQ(to_text(Diagnostic{Severity::kError, {}, "is empty"}), "is empty");
  EXPECT_EQ(to_text(Diagnostic{Severity::kWarning, {"a.toml", 7, 0, "mass"}, "is 7 t"}),
            "a.toml:7: mass: warning: is 7 t");
}

TEST(Diagnostics, GathersAllMistakesInTheOrderOfTheFile) {
  Diagnostics diagnostics;
  diagnostics.error({"b.toml", 58, 1, "driveline.ratio"}, "missing");
  diagnostics.error({"b.toml", 9, 12, "mass"}, "must be > 0 kg, got -3");
  diagnostics.warning({"b.toml", 9, 4, "name"}, "is empty");
  diagnostics.error({"a.toml", 77, 2, "kind"}, "expected text");
  diagnostics.error({"b.toml", 9, 12, "mass"}, "must be > 0 kg, got -3");  // the same again
  EXPECT_EQ(diagnostics.error_count(), 4u);
  EXPECT_EQ(diagnostics.warning_count(), 1u);
  EXPECT_EQ(what_of(diagnostics),
            "a.toml:77:2: kind: expected text\n"
            "b.toml:9:4: name: warning: is empty\n"
            "b.toml:9:12: mass: must be > 0 kg, got -3\n"
            "b.toml:58:1: driveline.ratio: missing");
}

TEST(Diagnostics, DoesNotThrowForWarningsAlone) {
  Diagnostics diagnostics;
  diagnostics.warning({"a.toml", 3, 1, "name"}, "is empty");
  EXPECT_NO_THROW(diagnostics.throw_if_any());
  EXPECT_EQ(diagnostics.sorted().size(), 1u);
}

TEST(Diagnostics, CountsWhatItDoesNotKeep) {
  Diagnostics diagnostics;
  for (int line = 1; line <= 1234; ++line) {
    diagnostics.error({"a.toml", line, 2, "x"}, concat("mistake ", line));
  }
  const auto sorted = diagnostics.sorted();
  ASSERT_EQ(sorted.size(), Diagnostics::kMaxKept + 1);
  EXPECT_EQ(to_text(sorted.back()), "a.toml: and 1134 more");
}

}  // namespace
}  // namespace camber
