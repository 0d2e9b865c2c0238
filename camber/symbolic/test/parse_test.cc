#include "camber/symbolic/parse.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {
namespace {

const Expr a = symbol("a"), b = symbol("b"), c = symbol("c"), x = symbol("x"), y = symbol("y");

std::string repeated(const std::string& part, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += part;
  return result;
}

/// "line:column: message" of the error that `text` gives.
std::string error_of(const std::string& text, const Vocabulary& vocabulary = Vocabulary::free()) {
  try {
    parse(text, vocabulary);
  } catch (const ParseError& error) {
    return std::to_string(error.line()) + ":" + std::to_string(error.column()) + ": " +
           error.message();
  }
  return "no error";
}

TEST(Parse, BindsAsInMathematics) {
  const std::vector<std::pair<std::string, Expr>> cases = {
      {"a + b*c", a + b * c},
      {"(a + b)*c", (a + b) * c},
      {"a - b - c", a - b - c},
      {"a/b/c", a / b / c},
      {"a/b*c", a / b * c},
      {"a/(b*c)", a / (b * c)},
      {"-x^2", -pow(x, 2)},
      {"(-x)^a", pow(-x, a)},
      {"x^a^b", pow(x, pow(a, b))},
      {"(x^a)^b", pow(pow(x, a), b)},
      {"x**3", pow(x, 3)},
      {"x^-2", pow(x, -2)},
      {"2^-x^2", pow(2, -pow(x, 2))},
      {"3*-x", -3 * x},
      {"a - -b", a + b},
      {"+a", a},
      {" a\n +\tb\r\n", a + b},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(parse(text), expected) << text;
}

TEST(Parse, KnowsEveryFunction) {
  const std::vector<std::pair<std::string, Expr>> cases = {
      {"sqrt(x)", sqrt(x)},
      {"exp(x)", exp(x)},
      {"log(x)", log(x)},
      {"sin(x)", sin(x)},
      {"cos(x)", cos(x)},
      {"tan(x)", tan(x)},
      {"asin(x)", asin(x)},
      {"acos(x)", acos(x)},
      {"atan(x)", atan(x)},
      {"sinh(x)", sinh(x)},
      {"cosh(x)", cosh(x)},
      {"tanh(x)", tanh(x)},
      {"abs(x)", abs(x)},
      {"sign(x)", sign(x)},
      {"min(x, y)", min(x, y)},
      {"max(x, y)", max(x, y)},
      {"min(x)", x},
      {"atan2(y, x)", atan2(y, x)},
      {"max(a, b, c)", max(max(a, b), c)},
      {"select(x < y, a, b)", select(x < y, a, b)},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(parse(text), expected) << text;
}

TEST(Parse, KeepsWholeNumbersAndTheirRatiosExact) {
  EXPECT_EQ(parse("7/3"), Expr(Number(7, 3)));
  EXPECT_EQ(parse("123456789012345678901234567890"),
            Expr(Number::from_digits("123456789012345678901234567890")));
  EXPECT_EQ(parse("0.7"), Expr(0.7));
  EXPECT_FALSE(parse("0.5").number().is_exact());
  EXPECT_EQ(parse(".5e1"), Expr(5));  // a whole double counts as exact
  EXPECT_EQ(parse("6.02214076E+23"), Expr(6.02214076e23));
  EXPECT_EQ(parse("3."), Expr(3));
  EXPECT_EQ(parse("pi"), Expr(std::numbers::pi));
}

// 3*(1/0.9) differs from 3/0.9 in the last bit.
TEST(Parse, CombinesNumbersFromTheLeft) {
  ASSERT_NE(3 * (1 / 0.9), 3 / 0.9);
  EXPECT_EQ(parse("3/0.9*x"), Expr(3 / 0.9) * x);
}

TEST(Parse, ReadsConditions) {
  const Vocabulary free = Vocabulary::free();
  const std::vector<std::pair<std::string, Condition>> cases = {
      {"x < y", x < y},
      {"x > y", y < x},
      {"x <= y + 1", x <= y + 1},
      {"x >= y", y <= x},
      {"x == y", equal(x, y)},
      {"x != y", !equal(x, y)},
      {"a < b or b < c and c < x", a < b || (b < c && c < x)},
      {"(a < b or b < c) and c < x", (a < b || b < c) && c < x},
      {"not a < b", !(a < b)},
      {"not a == b and b == c", !equal(a, b) && equal(b, c)},
      {"true and x < y", x < y},
      {"false", false},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(parse_condition(text, free), expected) << text;
}

TEST(Parse, TakesPrimedNamesForVariablesEverywhere) {
  const Expr q = variable("q"), m = symbol("m");
  EXPECT_EQ(parse("m*q'' + q*q'"), m * variable("q", 2) + q * variable("q", 1));
  EXPECT_EQ(parse("q"), symbol("q"));
}

TEST(Parse, GivesNamesTheMeaningOfTheVocabulary) {
  Vocabulary vocabulary;
  vocabulary.add_parameter("m");
  vocabulary.add_variable("s");
  vocabulary.define("T", symbol("m") * pow(variable("s", 1), 2) / 2);
  vocabulary.add("v", variable("s", 1));
  vocabulary.add_parameter("pi");
  EXPECT_EQ(parse("T*m", vocabulary),
            named("T", symbol("m") * pow(variable("s", 1), 2) / 2) * symbol("m"));
  EXPECT_EQ(parse("v'", vocabulary), variable("s", 2));
  EXPECT_EQ(parse("pi", vocabulary), symbol("pi"));
  EXPECT_EQ(error_of("mm + s", vocabulary), "1:1: unknown name \"mm\"; did you mean \"m\"?");
  EXPECT_EQ(error_of("s + m'", vocabulary),
            "1:5: \"m\" is not a function of time, so it has no derivative m'");
  EXPECT_EQ(error_of("m(s)", vocabulary), "1:1: \"m\" is not a function; a product needs its '*'");
}

TEST(Parse, RefusesAVocabularyWithTwoMeaningsForAName) {
  Vocabulary vocabulary;
  vocabulary.add_parameter("m");
  vocabulary.add_parameter("m");
  EXPECT_THROW(vocabulary.add_variable("m"), std::invalid_argument);
  EXPECT_THROW(vocabulary.add_parameter("and"), std::invalid_argument);
  EXPECT_THROW(vocabulary.add_parameter("2m"), std::invalid_argument);
  EXPECT_THROW(vocabulary_of(symbol("q") + variable("q")), std::invalid_argument);
}

TEST(Parse, CallsUserFunctionsAndTheirDerivatives) {
  const UserFunction& map = register_code(
      "torque_map", 2, 3, [](std::span<const double>, std::span<const int>) { return 0.25; });
  const Expr arguments[] = {x, y + 1};
  const int orders[] = {1, 0};
  EXPECT_EQ(parse("torque_map(x, y + 1)"), map(x, y + 1));
  EXPECT_EQ(parse("torque_map[1,0](x, y + 1)"), call(map, arguments, orders));

  Vocabulary strict;
  strict.add_parameter("x");
  EXPECT_EQ(error_of("torque_map(x, x)", strict), "1:1: unknown function \"torque_map\"");
  strict.add_function(map);
  EXPECT_EQ(parse("torque_map(x, x)", strict), map(x, x));
  EXPECT_EQ(error_of("torque_mip(x, x)", strict),
            "1:1: unknown function \"torque_mip\"; did you mean \"torque_map\"?");
  EXPECT_EQ(error_of("torque_map", strict),
            "1:1: \"torque_map\" is a function and needs its arguments");
  EXPECT_EQ(error_of("torque_map(x)", strict), "1:1: torque_map: takes 2 arguments, got 1");
  EXPECT_EQ(error_of("torque_map[1](x, x)", strict),
            "1:1: torque_map: needs 2 derivative orders, got 1");
  EXPECT_EQ(error_of("torque_map[a,0](x, x)", strict),
            "1:12: expected the order of a derivative, 0 to 1000, found the name \"a\"");
  EXPECT_EQ(error_of("torque_map[", strict),
            "1:12: expected the order of a derivative, 0 to 1000, found the end of the expression");
  EXPECT_EQ(error_of("sin[1](x)", strict), "1:4: sin takes no derivative orders in brackets");
}

TEST(Parse, SaysWhereAndWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "1:1: expected an expression, found nothing"},
      {"  ", "1:3: expected an expression, found nothing"},
      {"m*l*)", "1:5: expected a value, found ')'"},
      {"a +", "1:4: expected a value, found the end of the expression"},
      {"a + and", "1:5: expected a value, found 'and'"},
      {"2x",
       "1:2: expected an operator between the number 2 and the name \"x\"; a product needs its "
       "'*'"},
      {"x 3",
       "1:3: expected an operator between the name \"x\" and the number 3; a product needs its "
       "'*'"},
      {"(a)(b)", "1:4: expected an operator between ')' and '('; a product needs its '*'"},
      {"max(a b)",
       "1:7: expected an operator between the name \"a\" and the name \"b\"; a product needs its "
       "'*'"},
      {"(a + b", "1:7: expected ')', found the end of the expression"},
      {"a + b)", "1:6: ')' closes nothing"},
      {"a, b", "1:2: expected an operator or the end, found ','"},
      {"sin x", "1:1: \"sin\" is a function: write sin(...)"},
      {"sni(x)", "1:1: unknown function \"sni\"; did you mean \"sin\"?"},
      {"sin(x, y)", "1:1: sin takes 1 argument, got 2"},
      {"atan2(y)", "1:1: atan2 takes 2 arguments, got 1"},
      {"min()", "1:1: min takes at least 1 argument, got none"},
      {"x < y", "1:1: expected a value, found a condition"},
      {"a + (x < y)", "1:5: expected a value, found a condition"},
      {"select(x, a, b)", "1:1: expected a condition such as x < 1, found a value"},
      {"select(a < b < c, 1, 2)", "1:14: comparisons do not chain; write a < b and b < c"},
      {"select(a = b, 1, 2)", "1:10: unexpected '='; write == to compare"},
      {"select(a && b, 1, 2)", "1:10: write `and` and `or` between conditions"},
      {"x/(a - a)", "1:2: division by zero"},
      {"0^(-2)", "1:2: division by zero: 0^(-2)"},
      {"1e400", "1:1: the number 1e400 is outside the range of double"},
      {"1e-400", "1:1: the number 1e-400 is outside the range of double"},
      {"1e200*1e200", "1:6: a number left the range of double"},
      {"x + 'q", "1:5: expected a value, found '''"},
      {"x '", "1:3: a prime must follow the name of a variable directly: q'"},
      {"a # b", "1:3: unexpected '#'"},
      {"a\n + b\n + $", "3:4: unexpected '$'"},
      {"\u03b8 + 1",
       "1:1: unexpected '\u03b8'; names are made of the letters a-z and A-Z, digits, '_' and '.'"},
      {"2 \u00d7 x", "1:3: unexpected '\u00d7'; write *"},
      {std::string("a + \xff"), "1:5: byte 0xFF is not valid UTF-8"},
      {std::string("a\0b", 3), "1:2: unexpected control character 0x00"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(error_of(text), expected) << text;
}

TEST(ParseError, ShowsTheLineWithACaret) {
  try {
    parse("a +\n  b*)", Vocabulary::free(),
          {.origin = {"models/mule.toml", 41, 12, "springs[2].force"}});
    FAIL() << "no error";
  } catch (const ParseError& error) {
    EXPECT_STREQ(error.what(),
                 "models/mule.toml:42:5: springs[2].force: expected a value, found ')'\n"
                 "    b*)\n"
                 "      ^");
    EXPECT_EQ(error.offset(), 8U);
  }
}

// Columns are characters, offsets are bytes: the dot before the error takes two.
TEST(ParseError, CountsColumnsInCharactersFromItsOrigin) {
  try {
    parse("x \u00b7 y", Vocabulary::free(), {.origin = {"", 7, 20}});
    FAIL() << "no error";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.where().line, 7);
    EXPECT_EQ(error.where().column, 22);
    EXPECT_EQ(error.offset(), 2U);
  }
  const std::string text = "\u00b7";
  EXPECT_EQ(ParseError(text + text + ")", 4, {}, "").column(), 3);
}

TEST(ParseError, ShowsAWindowOfALongLine) {
  const std::string text = repeated("abcdefghi+", 1000) + "?" + repeated("+abcdefghi", 1000);
  try {
    parse(text);
    FAIL() << "no error";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.column(), 10001);
    const std::string what = error.what();
    EXPECT_LT(what.size(), 400U);
    const auto last = what.rfind('\n');
    const auto line = what.rfind('\n', last - 1);
    EXPECT_EQ(what[line + (what.find('^', last) - last)], '?');
  }
}

TEST(Parse, RefusesWhatWouldTakeTooLong) {
  const std::string too_deep = "nested deeper than 300 levels";
  for (const std::string& part : {std::string("("), std::string("x^"), std::string("sin(")}) {
    EXPECT_NE(error_of(repeated(part, 100'000) + "x").find(too_deep), std::string::npos) << part;
  }
  EXPECT_NE(error_of("select(" + repeated("not ", 100'000) + "a < b, 1, 2)").find(too_deep),
            std::string::npos);
  EXPECT_NE(error_of("max(" + repeated("x,", 100'000) + "x)").find(too_deep), std::string::npos);
  EXPECT_EQ(error_of(repeated("9", 100'000)),
            "1:1: the number has 100000 digits, at most 4932 are read");
  EXPECT_EQ(error_of(std::string(1'000'001, 'x')),
            "1:1000001: the text has 1000001 bytes, at most 1000000 are read");
  EXPECT_EQ(error_of("x" + repeated("'", 1001)),
            "1:2: a derivative of order 1001, at most 1000 is possible");
  EXPECT_EQ(error_of(repeated("9^999*", 10) + "x"),
            "1:30: an exact number needs more than 16384 bits");
}

// Each of the multiplications gives a new sum of all the terms, and expressions are permanent.
TEST(Parse, RefusesToBuildTooMuch) {
  std::string wide = "a1";
  for (int i = 2; i <= 60'000; ++i) wide += "+a" + std::to_string(i);
  EXPECT_NE(error_of(repeated("(", 290) + wide + repeated(")*2", 290)).find("too large"),
            std::string::npos);
}

TEST(Parse, LeavesHugePowersAsTheyAre) {
  EXPECT_EQ(parse("x^99999999999999999999"), pow(x, Number::from_digits("99999999999999999999")));
  EXPECT_EQ(parse("2^(10^9)").kind(), Kind::kProduct);
  EXPECT_EQ(parse("9^9^9^9").kind(), Kind::kProduct);
}

TEST(Parse, ReadsTextsNearItsLimits) {
  EXPECT_EQ(parse(repeated("(", 300) + "x" + repeated(")", 300)), x);
  EXPECT_EQ(parse(repeated("-", 100'001) + "x"), -x);
  EXPECT_EQ(parse("max(" + repeated("x,", 300) + "x)"), x);
  EXPECT_EQ(parse(repeated("9", 4931)) + 1, parse("1" + repeated("0", 4931)));
  EXPECT_EQ(error_of("9" + repeated("0", 4931)), "1:1: an exact number needs more than 16384 bits");
  EXPECT_EQ(error_of("1" + repeated("0", 4932)),
            "1:1: the number has 4933 digits, at most 4932 are read");
  const std::string many = repeated("x+", 499'000) + "x";
  EXPECT_EQ(parse(many), 499'001 * x);
}

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/expression")) {
    std::ifstream in(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  EXPECT_GT(texts.size(), 20U);
  return texts;
}

/// An error points into the text or at its end; anything but a ParseError fails the test.
void expect_expression_or_position(const std::string& text) {
  try {
    parse(text);
  } catch (const ParseError& error) {
    EXPECT_LE(error.offset(), text.size()) << text;
    EXPECT_GE(error.column(), 1) << text;
  }
}

TEST(Parse, SurvivesEveryPrefix) {
  for (const std::string& text : corpus()) {
    for (std::size_t length = 0; length <= text.size(); ++length)
      expect_expression_or_position(text.substr(0, length));
  }
}

TEST(Parse, SurvivesRandomMutations) {
  const std::string letters = "()[]'^*/+-,<=>! \n.0123456789eExqandornotsin\xce\xb8";
  for (const std::string& text : corpus()) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      RandomStream random = RandomStream(seed).substream("mutations");
      std::string mutant = text;
      for (int change = 0; change < 3; ++change) {
        const auto at = static_cast<std::size_t>(
            random.integer(0, static_cast<std::int64_t>(mutant.size()) - 1));
        const auto letter = static_cast<std::size_t>(
            random.integer(0, static_cast<std::int64_t>(letters.size()) - 1));
        mutant[at] = letters[letter];
      }
      expect_expression_or_position(mutant);
    }
  }
}

TEST(Parse, TellsTheNamesOfATextAlsoThoseThatCancel) {
  Vocabulary names;
  const Expr e = parse("x - x + sin(q) + q'*k - pi", Vocabulary::free(), {.names = &names});
  EXPECT_EQ(vocabulary_of(e).find("x"), nullptr);
  EXPECT_EQ(names.names(), (std::vector<std::string>{"k", "q", "x"}));
  EXPECT_EQ(*names.find("x"), symbol("x"));
  EXPECT_EQ(*names.find("q"), variable("q"));
}

}  // namespace
}  // namespace camber::symbolic
