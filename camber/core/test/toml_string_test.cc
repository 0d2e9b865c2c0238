#include "camber/core/toml_string.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/toml_limits.h"
#include "camber/core/toml_reader.h"

namespace camber {
namespace {

// Finds the marker '!' in the decoded text of `x`, and says where the file has it. Every case holds
// the character once, so the place in the file is known by plain search.
void expect_marker_is_found(const std::string& source) {
  SCOPED_TRACE(testing::PrintToString(source));
  TomlFile file = parse_toml(source, "a.toml");
  const TomlNode x = file.root().at("x");
  const std::size_t offset = x.text().find('!');
  ASSERT_NE(offset, std::string::npos);
  const Position expected = internal::position_at(source, "a.toml", source.find('!'));
  const Position found = x.position_in_text(offset);
  EXPECT_EQ(found.line, expected.line);
  EXPECT_EQ(found.column, expected.column);
  EXPECT_EQ(found.key, "x");
}

TEST(LocateInString, FindsACharacterInEveryKindOfString) {
  expect_marker_is_found("x = 'a + !'");
  expect_marker_is_found("y = 3\n\n  x   =\t\"!\"");
  expect_marker_is_found("x = \"a\\tb\\\\c\\\"d!\"");
  expect_marker_is_found("x = \"é\\u00e9\\u20ac\\U0001F600😀 !\"");
  expect_marker_is_found("# größer\n\"ключ\" = 'ü'\nx = 'm²·ω!'");
  expect_marker_is_found("x = '''a\nb '' !'''");
  expect_marker_is_found("x = '''\n  first\n  sec!ond'''");
  expect_marker_is_found("x = '''\r\nfirst\r\nsec!ond'''");
  expect_marker_is_found("x = \"\"\"\\\n   a \\  \n\n   b!\"\"\"");
  expect_marker_is_found("x = \"\"\"\r\na\\\r\n\r\n   !b\"\"\"");
  expect_marker_is_found("x = \"\"\"a\"\"\\\"!\"\"\"\"\"");
  expect_marker_is_found("x = \"\\\\n!\"");
}

TEST(LocateInString, GivesTheClosingQuotePastTheEnd) {
  TomlFile file = parse_toml("x = 'a + '\ny = ''", "a.toml");
  EXPECT_EQ(to_text(file.root().at("x").position_in_text(4)), "a.toml:1:10: x");
  EXPECT_EQ(to_text(file.root().at("x").position_in_text(400)), "a.toml:1:10: x");
  EXPECT_EQ(to_text(file.root().at("y").position_in_text(0)), "a.toml:2:6: y");
}

TEST(LocateInString, PointsIntoArraysAndInlineTables) {
  TomlFile file = parse_toml("f = ['a', {g = 'k*(x'}]", "a.toml");
  const auto elements = file.root().at("f").elements();
  EXPECT_EQ(to_text(elements[0].position_in_text(0)), "a.toml:1:7: f[0]");
  EXPECT_EQ(to_text(elements[1].at("g").position_in_text(2)), "a.toml:1:19: f[1].g");
}

TEST(LocateInString, GivesTheTableOfADefault) {
  TomlFile file = parse_toml("[tire]\nmu = 0.8\n['a b']\nk = 1", "a.toml");
  EXPECT_EQ(to_text(file.root().at("tire").get("law", "mu*F").position_in_text(2)),
            "a.toml:1:1: tire.law");
}

}  // namespace
}  // namespace camber
