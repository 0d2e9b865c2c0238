#include "camber/codegen/write.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "camber/codegen/interpreter.h"
#include "camber/codegen/test/compiled.h"
#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/test/random_expr.h"
#include "camber/symbolic/user_function.h"

namespace camber::codegen {
namespace {

using symbolic::symbol;
using symbolic::variable;
using symbolic::test::RandomExpr;
using test::Compiled;

constexpr Language kLanguages[] = {Language::kC99, Language::kCpp, Language::kFortran};

std::vector<double> random_inputs(const Program& program, RandomStream* random) {
  std::vector<double> inputs(program.input_size());
  for (double& x : inputs) {
    x = random->uniform(0.2, 1.7) * (random->integer(0, 1) == 0 ? 1 : -1);
  }
  return inputs;
}

/// The same status and outputs, to 1e-13 of their size or of `floor`, at random points.
void expect_same_as_interpreter(const Program& program, const Compiled& compiled,
                                std::uint64_t seed, double floor) {
  Interpreter<double> interpreter(program);
  RandomStream random(seed);
  for (int point = 0; point < 20; ++point) {
    SCOPED_TRACE(testing::Message() << "point " << point);
    const std::vector<double> inputs = random_inputs(program, &random);
    std::vector<double> expected(program.output_size());
    std::vector<double> actual(program.output_size());
    EXPECT_EQ(compiled.run(inputs, actual), interpreter.run(inputs, expected));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::isnan(expected[i])) {
        EXPECT_TRUE(std::isnan(actual[i])) << "output " << i << " is " << actual[i];
      } else if (actual[i] != expected[i]) {  // infinities are equal, and have no difference
        EXPECT_NEAR(actual[i], expected[i], 1e-13 * std::max(floor, std::abs(expected[i])))
            << "output " << i;
      }
    }
  }
}

void expect_same_in_all_languages(const Program& program, std::uint64_t seed,
                                  const WriteOptions& options = {}, const std::string& helpers = "",
                                  double floor = 0) {
  for (const Language language : kLanguages) {
    SCOPED_TRACE(testing::Message() << symbolic::language_name(language) << ", seed " << seed);
    expect_same_as_interpreter(program, Compiled(program, language, options, helpers), seed, floor);
  }
}

Program random_program(std::uint64_t seed, int outputs) {
  RandomExpr random(seed);
  ProgramBuilder builder("random_functions");
  std::vector<Expr> values;
  values.reserve(outputs);
  for (int i = 0; i < outputs; ++i) {
    values.push_back(random());
  }
  return builder.add_output("y", values).add_remaining_inputs("x").build();
}

TEST(Write, GivesTheInterpretersValuesForRandomExpressionsOfAllFunctions) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    expect_same_in_all_languages(random_program(seed, 60), seed);
  }
}

TEST(Write, GivesTheInterpretersValuesWhenSplit) {
  for (const int chunk_size : {1, 7, 50}) {
    SCOPED_TRACE(testing::Message() << "chunks of " << chunk_size);
    expect_same_in_all_languages(random_program(11, 40), 11, {.chunk_size = chunk_size});
  }
}

/// Distance in units of the last place of the exact value.
double ulps(double actual, long double exact) {
  if (std::isnan(exact) && std::isnan(actual)) return 0;
  const double size = std::abs(static_cast<double>(exact));
  return static_cast<double>(std::abs(actual - exact) / (std::nextafter(size, INFINITY) - size));
}

// Sines and arctangents are our own in C and C++. The long double functions of the C library have
// 11 bits more than they have to be compared with.
TEST(Write, ComputesSinesCosinesAndArctangentsToTheLastPlace) {
  const std::vector<Expr> x = {symbol("x0"), symbol("x1"), symbol("x2")};
  std::vector<Expr> values;
  for (const Expr& e : x) values.insert(values.end(), {sin(e), cos(e), atan(e)});
  const Program program =
      ProgramBuilder("functions").add_input("x", x).add_output("y", values).build();
  RandomStream random(5);
  std::vector<double> arguments = {0.0,
                                   -0.0,
                                   1e-300,
                                   5e-324,
                                   1e5,
                                   -1e5,
                                   100000.001,
                                   1e22,
                                   1e300,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   2.414213562373095,
                                   0.41421356237309503};
  for (const double size : {1e-3, 0.8, 3.0, 30.0, 1e4, 1e5, 1e9}) {
    for (int i = 0; i < 3000; ++i) arguments.push_back(random.uniform(-size, size));
  }
  for (int k = -2000; k < 2000; ++k) arguments.push_back(k * std::acos(0.0));  // where they vanish
  while (arguments.size() % 3 != 0) arguments.push_back(0.25);
  for (const Language language : {Language::kC99, Language::kCpp}) {
    SCOPED_TRACE(symbolic::language_name(language));
    const Compiled compiled(program, language);
    double worst[3] = {};
    for (std::size_t i = 0; i < arguments.size(); i += 3) {
      std::vector<double> y(9);
      compiled.run(std::span(arguments).subspan(i, 3), y);
      for (std::size_t k = 0; k < 3; ++k) {
        const long double v = arguments[i + k];
        const long double exact[] = {std::sin(v), std::cos(v), std::atan(v)};
        for (int f = 0; f < 3; ++f) worst[f] = std::max(worst[f], ulps(y[3 * k + f], exact[f]));
      }
    }
    EXPECT_LT(worst[0], 1.0) << "sin";
    EXPECT_LT(worst[1], 1.0) << "cos";
    EXPECT_LT(worst[2], 2.0) << "atan";
  }
  double minus_zero[9];
  Compiled(program, Language::kC99).run(std::vector{-0.0, -0.0, -0.0}, minus_zero);
  EXPECT_TRUE(std::signbit(minus_zero[2])) << "atan(-0)";
}

/// Conditions that several values use, and that cross from one part to the next.
TEST(Write, HandsConditionsOnBetweenParts) {
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  const symbolic::Condition c = (x < y && !(x < Expr(-0.5))) || symbolic::equal(x, Expr(0.25));
  const Program program = ProgramBuilder("conditions")
                              .add_input(x)
                              .add_input(y)
                              .add_output("a", symbolic::select(c, sin(x) * y, cos(y)))
                              .add_output("b", symbolic::select(c, x + 3 * y, exp(x * y)))
                              .build();
  for (const int chunk_size : {1, 2, 0}) {
    SCOPED_TRACE(testing::Message() << "chunks of " << chunk_size);
    expect_same_in_all_languages(program, 5, {.chunk_size = chunk_size});
  }
}

/// Scalars, arrays, vectors and a matrix that is not square: each in its place.
TEST(Write, PutsArgumentsAndMatrixEntriesInTheirPlaces) {
  const Expr m = symbol("m");
  const std::vector<Expr> q = {variable("q1"), variable("q2"), variable("q1", 1)};
  std::vector<Expr> matrix;
  matrix.reserve(6);
  for (int i = 0; i < 6; ++i) {
    matrix.push_back(Expr(i + 2) * sin(q[i % 3]) + m * q[(i + 1) % 3]);
  }
  const Program program = ProgramBuilder("places")
                              .add_input("q", q)
                              .add_input(m)
                              .add_input(symbol("unused"))
                              .add_output("A", 2, 3, matrix)
                              .add_output("energy", m * q[2] * q[2] / 2)
                              .add_output("v", {q[2], m * q[0]})
                              .build();
  expect_same_in_all_languages(program, 3);
}

/// Names that are keywords, differ in case alone, or have dots and primes.
TEST(Write, MakesEveryNameLegalAndUnique) {
  const std::vector<Expr> awkward = {symbol("double"), symbol("R"),       symbol("r"),
                                     symbol("end"),    symbol("front.k"), symbol("front_k"),
                                     variable("sin"),  variable("t1", 2), symbol("work"),
                                     symbol("status"), symbol("T"),       symbol("x")};
  std::vector<Expr> values;
  for (std::size_t i = 0; i < awkward.size(); ++i) {
    values.push_back(
        symbolic::named("real", awkward[i] * awkward[(i + 1) % awkward.size()] + Expr(3)) *
        sin(awkward[i]));
  }
  const Program program = ProgramBuilder("int_names")
                              .add_input("in", std::span(awkward).first(6))
                              .add_output("y", values)
                              .add_output("Y", values[0] + values[1])
                              .add_remaining_inputs()
                              .build();
  expect_same_in_all_languages(program, 8);
  expect_same_in_all_languages(program, 8, {.chunk_size = 5});
}

/// The macros that the headers of a written program define, as far as a name could be one.
std::vector<std::string> macros_of_headers(const std::string& preprocess, const std::string& text) {
  TemporaryFolder folder;
  write_file_atomically((folder.path() / "program.h").string(), text);
  const ProcessResult result = run_process(
      {"sh", "-c", concat("cd ", folder.path().string(), " && ", preprocess, " -dM -E program.h")},
      ErrorOutput::kWithOutput);
  std::vector<std::string> names;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kDefine = "#define ";
    if (!line.starts_with(kDefine) || line[kDefine.size()] == '_') continue;
    const std::size_t end = line.find_first_of(" (", kDefine.size());
    names.push_back(line.substr(kDefine.size(), end - kDefine.size()));
  }
  return names;
}

/// An input called as a macro of math.h would be replaced by its value. The dumps are of the
/// compilers' own modes, which define the most.
TEST(Write, GivesNoNameThatIsAMacro) {
  const auto make_program = [](std::span<const std::string> names) {
    std::vector<Expr> values;
    for (const std::string& name : names) values.push_back(sin(symbol(name)) + cos(symbol(name)));
    return ProgramBuilder("macros").add_output("y", values).add_remaining_inputs().build();
  };
  const std::string plain[] = {"x"};
  for (const auto& [language, preprocess] :
       {std::pair(Language::kC99, "cc -x c"), {Language::kCpp, "c++ -x c++ -std=gnu++20"}}) {
    SCOPED_TRACE(symbolic::language_name(language));
    const std::vector<std::string> macros =
        macros_of_headers(preprocess, write_source(make_program(plain), language));
    EXPECT_GT(macros.size(), 100U);
    for (const std::string& macro : macros) {
      EXPECT_NE(symbolic::IdentifierTable(language).make(macro), macro);
    }
  }
  const std::string some[] = {"M_E",    "M_PI",   "FLT_EVAL_METHOD", "DBL_EPSILON", "FP_ZERO",
                              "FP_NAN", "typeof", "MATH_ERRNO",      "HUGE_VAL",    "INT64_MAX",
                              "NULL",   "M_X",    "math_errhandling"};
  expect_same_in_all_languages(make_program(some), 4);
}

TEST(Write, ReturnsTheNumberOfTheFirstGuardThatFails) {
  const Expr a = symbol("a");
  const Expr b = symbol("b");
  const Program program = ProgramBuilder("guarded")
                              .add_input("x", {a, b})
                              .add_output("y", {1 / (a * b + Expr(2)), b / (a - b)})
                              .add_guard(a - b, "pivot", Guard::kNonzero)
                              .add_guard(a * b + 2, "discriminant", Guard::kPositive)
                              .add_guard(a, "input", Guard::kPositive)
                              .build();
  const std::vector<std::pair<std::vector<double>, int>> cases = {
      {{1.5, 0.3}, 0},  {{0.75, 0.75}, 1}, {{-0.75, -0.75}, 1}, {{1.5, -2.5}, 2},
      {{-0.5, 0.4}, 3}, {{-3.0, 1.0}, 2},  {{NAN, 1.0}, 1}};
  for (const int chunk_size : {0, 1}) {
    for (const Language language : kLanguages) {
      SCOPED_TRACE(symbolic::language_name(language));
      const Compiled compiled(program, language, {.chunk_size = chunk_size});
      Interpreter<double> interpreter(program);
      for (const auto& [inputs, status] : cases) {
        std::vector<double> outputs(2);
        EXPECT_EQ(compiled.run(inputs, outputs), status) << inputs[0] << ", " << inputs[1];
        EXPECT_EQ(interpreter.run(inputs, outputs), status) << inputs[0] << ", " << inputs[1];
      }
    }
  }
}

TEST(Write, CarriesTablesAndTheirDerivativesAlong) {
  using symbolic::Interpolation;
  const auto& curve = symbolic::register_table("torque.curve", {-1.1, -0.2, 0.4, 1.3},
                                               {2.5, -0.7, 1.9, 3.2}, Interpolation::kCubic);
  const auto& line =
      symbolic::register_table("line", {-0.9, 0.1, 0.8}, {1.5, -2.5, 0.3}, Interpolation::kLinear);
  const auto& surface = symbolic::register_table(
      "surface", {-1.0, 0.1, 0.9}, {-1.2, -0.3, 0.5, 1.4},
      {0.3, 1.2, -0.8, 2.2, 1.1, 0.7, 0.2, -1.3, 2.1, -0.4, 0.9, 1.6}, Interpolation::kCubic);
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  std::vector<Expr> values;
  for (const Expr& f : {curve(x * y), line(x), surface(x, y), surface(y, x) * curve(x)}) {
    for (const Expr& value : {f, diff(f, x), diff(diff(f, x), y), diff(f, y)}) {
      values.push_back(value);
    }
  }
  const Program program =
      ProgramBuilder("tables").add_input("x", {x, y}).add_output("f", values).build();
  // Horner's scheme rounds otherwise than the table's own sum of powers.
  expect_same_in_all_languages(program, 21, {}, "", 1.0);
  for (const Language language : kLanguages) {
    SCOPED_TRACE(symbolic::language_name(language));
    const Compiled compiled(program, language);
    Interpreter<double> interpreter(program);
    // Grid points, edges, beyond the edges, NaN.
    for (const double at : {-1.2, -1.1, -1.0, -0.2, 0.1, 0.9, 1.3, 1.4, 7.5, -7.5, double(NAN)}) {
      const std::vector<double> inputs = {at, 0.37};
      std::vector<double> expected(values.size());
      std::vector<double> actual(values.size());
      interpreter.run(inputs, expected);
      compiled.run(inputs, actual);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(expected[i])) {
          EXPECT_TRUE(std::isnan(actual[i])) << "output " << i << " at " << at;
        } else {
          EXPECT_NEAR(actual[i], expected[i], 1e-13 * (1 + std::abs(expected[i])))
              << "output " << i << " at " << at;
        }
      }
    }
  }
}

TEST(Write, CallsCodeByItsName) {
  const auto& f = symbolic::register_code(
      "user.map", 2, 1, [](std::span<const double> x, std::span<const int> orders) {
        if (orders[0] == 1) return 2 * x[0];
        if (orders[1] == 1) return -3.0;
        return x[0] * x[0] - 3 * x[1];
      });
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  const Expr value = f(x * y, y - x);
  const Program program = ProgramBuilder("calls")
                              .add_input("x", {x, y})
                              .add_output("f", {value, diff(value, x), diff(value, y)})
                              .build();
  expect_same_in_all_languages(
      program, 13, {},
      "double user_map(double x, double y) { return x*x - 3*y; }\n"
      "double user_map_d10(double x, double y) { return 2*x + 0*y; }\n"
      "double user_map_d01(double x, double y) { return -3 + 0*(x*y); }\n");
}

// Negation and products give -0, which atan2 of C and Fortran takes for a side of the cut.
TEST(Write, GivesAnglesTheSignOfNoZero) {
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  const Expr z = symbol("z");
  const std::vector<Expr> values = {atan2(y, -x),     atan2(-y, x),         atan2(-y, -x),
                                    atan2(x * y, z),  atan2(x, y * z),      atan2(y - x, -x * z),
                                    atan2(-y, z - 3), atan2(x * y, -1 - z), atan2(y, x)};
  const Program program =
      ProgramBuilder("angles").add_input("x", {x, y, z}).add_output("angle", values).build();
  const double pi = std::acos(-1.0);
  const auto expect_angles = [&](std::span<const double> angles, double end) {
    for (int i = 0; i < 9; ++i) {
      const bool backward = i == 6 || (i == 7 && end > 0) || (i == 3 && end < 0);
      EXPECT_EQ(angles[i], backward ? pi : 0.0) << "angle " << i << ", z = " << end;
    }
  };
  for (const double end : {1.5, -1.25}) {
    for (const double sign : {1.0, -1.0}) {
      const std::vector<double> inputs = {0.0, sign * 0.0, end};
      std::vector<double> angles(9);
      Interpreter<double>(program).run(inputs, angles);
      expect_angles(angles, end);
      for (const Language language : kLanguages) {
        SCOPED_TRACE(symbolic::language_name(language));
        Compiled(program, language).run(inputs, angles);
        expect_angles(angles, end);
      }
      const symbolic::Bindings at = {{x, 0.0}, {y, sign * 0.0}, {z, end}};
      std::transform(values.begin(), values.end(), angles.begin(),
                     [&](const Expr& e) { return evaluate(e, at); });
      expect_angles(angles, end);
    }
  }
}

// gfortran evaluates functions of literals and takes a NaN or an overflow for a mistake.
TEST(Write, GivesNoValueWhereAConstantIsOutsideTheDomain) {
  const Expr x = symbol("x");
  const Expr none[] = {log(Expr(-2)),        log(Expr(0)),        asin(Expr(3)),
                       acos(Expr(-3)),       sqrt(Expr(-1)),      pow(Expr(-2), Number(1, 3)),
                       exp(Expr(1000)),      cosh(Expr(1000)),    pow(Expr(10.5), 400),
                       pow(Expr(1e-200), 3), asin(log(Expr(-2))), log(Expr(-2)) * log(Expr(-3))};
  std::vector<Expr> values;
  for (const Expr& e : none) {
    values.push_back(e + x);
    values.push_back(symbolic::select(x < Expr(0), e, x));
  }
  const Program program = ProgramBuilder("outside").add_input(x).add_output("y", values).build();
  expect_same_in_all_languages(program, 6);
  expect_same_in_all_languages(program, 6, {.chunk_size = 3});
}

TEST(Write, CopesWithTrivialPrograms) {
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  expect_same_in_all_languages(ProgramBuilder("empty").build(), 1);
  expect_same_in_all_languages(ProgramBuilder("ignores").add_input(x).build(), 1);
  expect_same_in_all_languages(
      ProgramBuilder("constants")
          .add_output("c", {Expr(0), Number(-7, 3), Expr(0.1), sqrt(Expr(2))})
          .add_output("one", Expr(1))
          .build(),
      1);
  const Program copies = ProgramBuilder("copies")
                             .add_input("in", {x, y})
                             .add_output("out", {y, x, y, -x})
                             .add_output("twice", {x * y + 3, x * y + 3})
                             .build();
  expect_same_in_all_languages(copies, 2);
  expect_same_in_all_languages(copies, 2, {.chunk_size = 1});
}

/// The C++ form takes any scalar: here four numbers at a time, which find their functions by
/// argument-dependent lookup.
TEST(Write, RunsTheCppFormOnLanes) {
  const auto& table = symbolic::register_table("lane_table", {-0.8, 0.1, 0.9}, {1.5, -2.5, 0.3},
                                               symbolic::Interpolation::kCubic);
  RandomExpr random(31, {.depth = 3});
  std::vector<Expr> values;
  values.reserve(14);
  for (int i = 0; i < 12; ++i) {
    values.push_back(random());
  }
  const Expr a = random.leaves()[0];
  const Expr b = random.leaves()[1];
  values.push_back(table(a) * diff(table(b), b));
  values.push_back(abs(a) + sign(b) * symbolic::select(a < b, sin(a), cos(a) + sin(a)));
  const Program program = ProgramBuilder("lanes")
                              .add_input("x", random.leaves())
                              .add_output("y", values)
                              .add_guard(a * a + 1 - b, "g", Guard::kPositive)
                              .build();
  TemporaryFolder folder;
  write_source_file(program, Language::kCpp, folder.path() / "program.h");
  write_file_atomically((folder.path() / "lanes.cc").string(), R"(
#include <cmath>
namespace simd {
typedef double V __attribute__((vector_size(32)));
typedef long long M __attribute__((vector_size(32)));
struct Mask { M m; };
struct Lanes {
  V v;
  Lanes() = default;
  Lanes(V x) : v(x) {}
  explicit Lanes(double x) : v{x, x, x, x} {}
};
inline Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
inline Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
inline Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
inline Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
inline Lanes operator-(Lanes a) { return -a.v; }
inline Mask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
inline Mask operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
inline Mask operator>(Lanes a, Lanes b) { return {a.v > b.v}; }
inline Mask operator==(Lanes a, Lanes b) { return {a.v == b.v}; }
inline Mask operator||(Mask a, Mask b) { return {a.m | b.m}; }
inline Mask operator&&(Mask a, Mask b) { return {a.m & b.m}; }
inline Mask operator!(Mask a) { return {~a.m}; }
inline bool all(Mask a) { return a.m[0] && a.m[1] && a.m[2] && a.m[3]; }
inline Lanes select(Mask c, Lanes a, Lanes b) { return c.m ? a.v : b.v; }
inline Lanes abs(Lanes a) { return a.v < 0 ? -a.v : a.v; }
inline Lanes min(Lanes a, Lanes b) { return b.v < a.v ? b.v : a.v; }
inline Lanes max(Lanes a, Lanes b) { return a.v < b.v ? b.v : a.v; }
#define EACH(f) inline Lanes f(Lanes a) { for (int i = 0; i < 4; ++i) a.v[i] = std::f(a.v[i]); return a; }
EACH(sin) EACH(cos) EACH(tan) EACH(asin) EACH(acos) EACH(atan) EACH(sinh) EACH(cosh) EACH(tanh)
EACH(exp) EACH(log) EACH(sqrt)
inline Lanes pow(Lanes a, Lanes b) { for (int i = 0; i < 4; ++i) a.v[i] = std::pow(a.v[i], b.v[i]); return a; }
inline Lanes atan2(Lanes a, Lanes b) { for (int i = 0; i < 4; ++i) a.v[i] = std::atan2(a.v[i], b.v[i]); return a; }
}  // namespace simd
#include "program.h"
// Four points, one after the other in memory.
extern "C" int four(const double* in, double* out, int inputs, int outputs) {
  simd::Lanes x[64], y[64];
  for (int lane = 0; lane < 4; ++lane)
    for (int i = 0; i < inputs; ++i) x[i].v[lane] = in[lane * inputs + i];
  const int status = generated::lanes(x, y);
  for (int lane = 0; lane < 4; ++lane)
    for (int i = 0; i < outputs; ++i) out[lane * outputs + i] = y[i].v[lane];
  return status;
}
)");
  // -Wpsabi: passing vectors by value without AVX enabled is only slow.
  test::run_command("cd " + folder.path().string() + " && " + test::kCompileCpp +
                    "-Wno-psabi lanes.cc -shared -o lanes.so");
  const SharedObject object(folder.path() / "lanes.so");
  const auto four =
      reinterpret_cast<int (*)(const double*, double*, int, int)>(object.symbol("four"));
  Interpreter<double> interpreter(program);
  RandomStream stream(77);
  for (int round = 0; round < 10; ++round) {
    std::vector<double> in;
    std::vector<double> expected;
    int status = 0;
    for (int lane = 0; lane < 4; ++lane) {
      const std::vector<double> point = random_inputs(program, &stream);
      std::vector<double> outputs(program.output_size());
      status = std::max(status, interpreter.run(point, outputs));
      in.insert(in.end(), point.begin(), point.end());
      expected.insert(expected.end(), outputs.begin(), outputs.end());
    }
    std::vector<double> actual(expected.size());
    EXPECT_EQ(four(in.data(), actual.data(), program.input_size(), program.output_size()), status);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(actual[i], expected[i], 1e-13 * std::abs(expected[i])) << "entry " << i;
    }
  }
}

TEST(Write, TellsRecipeCountArgumentsAndGuardsInTheHead) {
  const Expr x = symbol("x");
  const Expr v = variable("q", 1);
  const Program program = ProgramBuilder("head")
                              .add_input("state", {x, v})
                              .add_output("J", 1, 2, std::vector<Expr>{x * v, x + v})
                              .add_guard(x, "pivot_3", Guard::kNonzero)
                              .set_recipe("recipes/head.cc\nby hand */ \\\nwhy?\?\?/\nhow??\\")
                              .build();
  for (const Language language : kLanguages) {
    const std::string text = write_source(program, language);
    const std::string head = text.substr(0, text.find("\n\n"));
    for (const char* part : {"recipes/head.cc", "by hand", "2 operations", "state(2): x q'",
                             "J(1, 2)", "1: pivot_3 is 0"}) {
      EXPECT_NE(head.find(part), std::string::npos) << part << " is not in\n" << head;
    }
    Compiled(program, language);  // the recipe did not break out of its comment
  }
}

TEST(Write, KeepsNamesOfNamedQuantities) {
  const Expr x = symbol("x");
  const Expr kinetic = symbolic::named("kinetic_energy", sin(x) * sin(x) * 3 + x);
  const Program program = ProgramBuilder("names")
                              .add_input(x)
                              .add_output("y", {kinetic * kinetic, kinetic + cos(x)})
                              .build();
  for (const Language language : kLanguages) {
    const std::string text = write_source(program, language);
    EXPECT_NE(text.find("kinetic_energy = "), std::string::npos) << text;
    EXPECT_NE(text.find("sin_x"), std::string::npos) << text;
  }
}

TEST(Write, LeavesNothingHalfWritten) {
  const Program program = random_program(3, 2);
  TemporaryFolder folder;
  EXPECT_THROW(write_source_file(program, Language::kC99, folder.path() / "missing" / "a.c"),
               FileError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  write_source_file(program, Language::kC99, folder.path() / "a.c");
  std::ifstream file(folder.path() / "a.c");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), write_source(program, Language::kC99));
}

TEST(Write, RefusesANegativeChunkSize) {
  EXPECT_THROW(write_source(random_program(3, 2), Language::kC99, {.chunk_size = -1}),
               std::invalid_argument);
}

}  // namespace
}  // namespace camber::codegen
