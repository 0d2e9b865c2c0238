#include "camber/symbolic/identifier_table.h"

#include <cctype>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::symbolic {
namespace {

TEST(IdentifierTable, SpellsDerivativesAndDots) {
  IdentifierTable names(Language::kC99);
  EXPECT_EQ(names.of(variable("q")), "q");
  EXPECT_EQ(names.of(variable("q", 1)), "q_dot");
  EXPECT_EQ(names.of(variable("q", 2)), "q_ddot");
  EXPECT_EQ(names.of(variable("q", 3)), "q_d3");
  EXPECT_EQ(names.of(symbol("wheel.left.r")), "wheel_left_r");
  EXPECT_EQ(names.of(named("T.kin", symbol("a") * symbol("b"))), "T_kin");
  EXPECT_EQ(names.of(variable("q", 1)), "q_dot");  // asked again
}

TEST(IdentifierTable, GivesTheLaterNameASuffix) {
  IdentifierTable names(Language::kCpp);
  EXPECT_EQ(names.of(symbol("a_b")), "a_b");
  EXPECT_EQ(names.of(symbol("a.b")), "a_b_2");
  EXPECT_EQ(names.of(symbol("a_b_2")), "a_b_2_2");
  EXPECT_EQ(names.of(symbol("q_dot")), "q_dot");
  EXPECT_EQ(names.of(variable("q", 1)), "q_dot_2");
  EXPECT_EQ(names.make("a.b"), "a_b_3");
}

TEST(IdentifierTable, AvoidsWordsOfTheLanguage) {
  IdentifierTable c(Language::kC99);
  EXPECT_EQ(c.of(symbol("double")), "double_2");
  EXPECT_EQ(c.of(symbol("sin")), "sin_2");
  EXPECT_EQ(c.of(symbol("class")), "class_2");  // the same name in C++
  EXPECT_EQ(c.of(symbol("typeof")), "typeof_2");
  EXPECT_EQ(c.of(symbol("end")), "end");
  IdentifierTable fortran(Language::kFortran);
  EXPECT_EQ(fortran.of(symbol("END")), "END_2");
  EXPECT_EQ(fortran.of(symbol("class")), "class_2");
  EXPECT_EQ(fortran.of(symbol("switch")), "switch");
}

TEST(IdentifierTable, AvoidsMacrosOfTheHeadersOfC) {
  for (const Language language : {Language::kC99, Language::kCpp}) {
    for (const char* macro : {"M_E",         "M_Ef64x",         "M_PI",        "M_PI_2",
                              "M_SQRT1_2l",  "FLT_EVAL_METHOD", "DBL_EPSILON", "LDBL_MAX",
                              "FP_ZERO",     "FP_NAN",          "MATH_ERRNO",  "math_errhandling",
                              "HUGE_VAL",    "HUGE_VALF",       "MAXFLOAT",    "DECIMAL_DIG",
                              "INT64_MAX",   "UINT_FAST8_MAX",  "UINT64_C",    "SIZE_MAX",
                              "PTRDIFF_MIN", "WCHAR_MAX",       "RAND_MAX"}) {
      EXPECT_NE(IdentifierTable(language).of(symbol(macro)), macro);
    }
    for (const char* name : {"M_X", "M_x", "M_el", "FP_x", "INT", "INTAKE", "I_MAX", "V_MAX"}) {
      EXPECT_EQ(IdentifierTable(language).of(symbol(name)), name);
    }
  }
  IdentifierTable c(Language::kC99);
  EXPECT_EQ(c.of(symbol("M_PI")), "x_M_PI");
  EXPECT_EQ(c.of(symbol("x_M_PI")), "x_M_PI_2");
  EXPECT_EQ(c.make("FP"), "FP");
  EXPECT_EQ(c.make("FP"), "x_FP_2");  // FP_2 is kept for math.h
  EXPECT_EQ(c.make("FP"), "x_FP_3");
  EXPECT_EQ(IdentifierTable(Language::kFortran).of(symbol("M_PI")), "M_PI");
}

TEST(IdentifierTable, TellsLettersApartAsTheLanguageDoes) {
  IdentifierTable c(Language::kC99);
  EXPECT_EQ(c.of(symbol("R")), "R");
  EXPECT_EQ(c.of(symbol("r")), "r");
  IdentifierTable fortran(Language::kFortran);
  EXPECT_EQ(fortran.of(symbol("R")), "R");
  EXPECT_EQ(fortran.of(symbol("r")), "r_2");
}

TEST(IdentifierTable, KeepsReservedNamesFree) {
  IdentifierTable names(Language::kC99);
  EXPECT_TRUE(names.reserve("workspace"));
  EXPECT_FALSE(names.reserve("workspace"));
  EXPECT_FALSE(names.reserve("return"));
  EXPECT_EQ(names.of(symbol("workspace")), "workspace_2");
}

TEST(IdentifierTable, RefusesWhatHasNoName) {
  IdentifierTable names(Language::kC99);
  EXPECT_THROW(names.of(symbol("a") + symbol("b")), std::invalid_argument);
}

bool is_legal(const std::string& name) {
  if (name.empty() || name.size() > 63 || !std::isalpha(static_cast<unsigned char>(name[0])))
    return false;
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return name.find("__") == std::string::npos;
}

TEST(IdentifierTable, MakesLegalUniqueNamesOfAnyNames) {
  const std::string letters = "aAbB_.1";
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random = RandomStream(seed).substream("names");
    IdentifierTable names(Language::kFortran);
    std::set<std::string> seen;
    std::set<std::string> given;
    for (int i = 0; i < 300; ++i) {
      std::string wanted = "a";
      const std::int64_t length = i % 50 == 0 ? 80 : random.integer(0, 4);
      for (std::int64_t k = 0; k < length; ++k)
        wanted += letters[static_cast<std::size_t>(random.integer(0, 6))];
      std::string name = names.of(symbol(wanted));
      EXPECT_TRUE(is_legal(name)) << wanted << " -> " << name;
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      EXPECT_EQ(seen.insert(name).second, given.insert(wanted).second) << wanted << " -> " << name;
    }
  }
  IdentifierTable names(Language::kC99);
  EXPECT_TRUE(is_legal(names.of(symbol("_"))));
  EXPECT_TRUE(is_legal(names.of(symbol("__x"))));
  EXPECT_TRUE(is_legal(names.make("1st result")));
}

TEST(FunctionIdentifier, AppendsTheOrders) {
  EXPECT_EQ(function_identifier("engine.map", std::vector<int>{0, 0}), "engine_map");
  EXPECT_EQ(function_identifier("engine.map", std::vector<int>{1, 0}), "engine_map_d10");
  EXPECT_EQ(function_identifier("f", std::vector<int>{10, 2}), "f_d10_2");
}

}  // namespace
}  // namespace camber::symbolic
