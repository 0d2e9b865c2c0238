#include "camber/core/toml_limits.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/core/toml_reader.h"

namespace camber {
namespace {

std::string repeat(const std::string& piece, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += piece;
  return text;
}

std::string message_of(const std::string& text) {
  try {
    parse_toml(text, "a.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

// Each of these ends toml++ 3.3.0 itself with a stack overflow, or would with a little more.
TEST(TomlLimits, StopBeforeTomlplusplusOverflowsItsStack) {
  constexpr int kMany = 150'000;
  EXPECT_EQ(message_of(repeat("a.", kMany) + "a = 1"), "a.toml:1:64: key of more than 32 parts");
  EXPECT_EQ(message_of("[" + repeat("a.", kMany) + "a]"), "a.toml:1:65: key of more than 32 parts");
  EXPECT_EQ(message_of("x = {" + repeat("a . ", kMany) + "a = 1}"),
            "a.toml:1:132: key of more than 32 parts");
  EXPECT_EQ(message_of(repeat("\"a\".", kMany) + "a = 1"),
            "a.toml:1:128: key of more than 32 parts");
  EXPECT_EQ(message_of("x = " + repeat("[", kMany)), "a.toml:1:37: nested more than 32 deep");
  EXPECT_EQ(message_of("x = " + repeat("[\n", kMany)), "a.toml:33:1: nested more than 32 deep");
  EXPECT_EQ(message_of("x = " + repeat("{a=", kMany)), "a.toml:1:101: nested more than 32 deep");
  EXPECT_EQ(message_of(repeat("k", kMany) + " = 1"),
            "a.toml:1:1025: key or value of more than 1024 bytes");
  EXPECT_EQ(message_of("'" + repeat("k", kMany) + "' = 1"),
            concat("a.toml:1:", kMany + 4, ": key or value of more than 1024 bytes"));
  EXPECT_EQ(message_of("x = " + repeat("1", kMany)),
            "a.toml:1:1029: key or value of more than 1024 bytes");
}

TEST(TomlLimits, LetThroughWhatIsJustWithinThem) {
  EXPECT_EQ(message_of(repeat("a.", 31) + "a = 1"), "");
  EXPECT_EQ(message_of("[" + repeat("a.", 31) + "a]\n" + repeat("b.", 31) + "b = 1.5"), "");
  EXPECT_EQ(message_of("x = " + repeat("[", 32) + repeat("]", 32)), "");
  EXPECT_EQ(message_of("x = " + repeat("[{a=", 16) + "7" + repeat("}]", 16)), "");
  EXPECT_EQ(message_of("'" + repeat("k", 1000) + "' = '" + repeat("v.", 100'000) + "'"), "");
}

// Text in a string or comment that looks like nesting or a long key does not count.
TEST(TomlLimits, LookInsideNoStringAndNoComment) {
  const std::string wild = repeat("[{a.", 500);
  EXPECT_EQ(message_of("x = '" + wild + "'"), "");
  EXPECT_EQ(message_of("x = \"" + wild + "\\\"" + wild + "\""), "");
  EXPECT_EQ(message_of("x = '''" + wild + "\n'' '" + wild + "'''"), "");
  EXPECT_EQ(message_of("x = \"\"\"" + wild + "\\\"\"\" \"\"" + wild + "\"\"\"\"\""), "");
  EXPECT_EQ(message_of("x = 3 # '''" + wild + "\ny = 4"), "");
}

// ... and what follows the end of a string is looked at again: a scanner that is wrong about where
// a string ends could be led past the limits.
TEST(TomlLimits, FindTheEndOfEveryKindOfString) {
  const std::string deep = repeat("[", 500);
  for (const std::string string :
       {"''", "\"\"", "'\\'", "\"\\\\\"", "\"\\\"'\"", "''''''", "'''''a'''", "'''a'''''",
        "\"\"\"\"\"\"", "\"\"\"a\\\"\"\"\"\"\"", "'''\n''\n'''", "\"'''\"", "'\"\"\"'"}) {
    SCOPED_TRACE(string);
    const std::string begin = concat("x = [", string);
    EXPECT_EQ(message_of(begin + "]"), "") << "the string itself must be valid";
    EXPECT_NE(message_of(concat(begin, ", ", deep)).find("nested more than 32 deep"),
              std::string::npos);
  }
}

TEST(TomlLimits, BoundTheSizeAndTheNumberOfValues) {
  EXPECT_EQ(message_of(std::string((8 << 20) + 1, ' ')), "a.toml: longer than 8388608 bytes");
  EXPECT_EQ(message_of(std::string(8 << 20, ' ')), "");
  EXPECT_EQ(message_of("x = [" + repeat("1,", 500'000) + "]"),
            "a.toml:1:1000005: more than 500000 values");
  EXPECT_EQ(message_of("x = [" + repeat("1,", 100'000) + "]"), "");
}

TEST(TomlLimits, RefuseNulAndWhatIsNotUtf8) {
  EXPECT_EQ(message_of(std::string("a = 1\nb = 'x\0y'", 15)), "a.toml:2:7: NUL byte in the text");
  EXPECT_EQ(message_of("# é\nb = 'ü\xff'"), "a.toml:2:7: not valid UTF-8");
  for (const std::string bad :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xF0\x9F\x98", "\xC3"}) {
    EXPECT_EQ(message_of("x='" + bad), "a.toml:1:4: not valid UTF-8")
        << testing::PrintToString(bad);
  }
  EXPECT_EQ(message_of("x = 'é€😀\uFFFD\U0010FFFF'"), "");
  EXPECT_EQ(message_of(std::string("\xFF\xFE\x61\x00", 4)),
            "a.toml:1:1: not valid UTF-8");  // UTF-16
}

// Found by fuzzing: toml++ 3.3.0 takes for granted that a key follows "[", which is undefined
// behavior in a release build and a failed assert in others.
TEST(TomlLimits, RefuseAHeaderWithoutAName) {
  const std::string what = ": not valid TOML: a table's name must follow \"[\" on the same line";
  EXPECT_EQ(message_of("a = 1\n[ \t\nb]"), "a.toml:2:1" + what);
  EXPECT_EQ(message_of("[["), "a.toml:1:1" + what);
  EXPECT_EQ(message_of("[\r\n'b']"), "a.toml:1:1" + what);
  EXPECT_EQ(message_of("a = [\n1]\n [ b ]\n"), "");
  for (const std::string bad : {"[=]", "[#]", "[[,]]", "[.a]", "[a.]", "[a.=]", "{=", "a = {,}"}) {
    EXPECT_NE(message_of(bad).find("not valid TOML"), std::string::npos) << bad;
  }
}

// Found by fuzzing: toml++ 3.3.0 asks whether a character is white space, and for U+00A1 to U+0499,
// U+FEF0 and others its table reaches a place that is marked unreachable.
TEST(TomlLimits, SurviveCharactersThatTomlplusplusThinksImpossible) {
  for (const std::string bad :
       {"\uFEF0", "maß = 3", "x = 0\"é", "x = -.'ȋ 1", "x = 1={{'ȋ", "x = \"\\é\""}) {
    EXPECT_NE(message_of(bad).find("not valid TOML"), std::string::npos) << bad;
  }
  EXPECT_EQ(message_of("\"maß\" = \"\"\"ü \\\n  über\"\"\" # ü"), "");
}

}  // namespace
}  // namespace camber
