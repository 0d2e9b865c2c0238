// The linear motorcycle of 001 sections 4.1 to 4.4 against what the paper prints, and against the
// same in 40-digit arithmetic.

#include <complex>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "camber/codegen/program.h"
#include "camber/lagrange/frequency_response.h"
#include "camber/lagrange/modes.h"
#include "camber/lagrange/numeric_state_space.h"
#include "camber/lagrange/root_locus.h"
#include "camber/lagrange/test/sharp_model.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/simplify.h"

namespace camber::lagrange {
namespace {

using Complex = std::complex<double>;

const LinearModel& linear_model() {
  static const LinearModel model =
      make_linear_model(make_motorcycle().system, make_straight_running());
  return model;
}

const StateSpace& state_space() {
  static const StateSpace result = make_state_space(linear_model());
  return result;
}

NumericStateSpace numbers_at(double V) {
  static StateSpaceProgram program(state_space());
  return program.evaluate(sharp_data(V));
}

std::vector<Mode> modes_at(double V) {
  const NumericStateSpace s = numbers_at(V);
  return calc_modes(s.E, s.A);
}

/// A printed matrix: one row per line, entries separated by commas.
MatrixX printed(const char* text) {
  std::vector<std::vector<Expr>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream entries(line);
    rows.emplace_back();
    for (std::string entry; std::getline(entries, entry, ',');)
      rows.back().push_back(symbolic::parse(entry));
  }
  MatrixX M(static_cast<int>(rows.size()), static_cast<int>(rows[0].size()));
  for (int i = 0; i < M.rows(); ++i) {
    for (int j = 0; j < M.cols(); ++j) M(i, j) = rows[i][j];
  }
  return M;
}

// 001 section 4.3, as printed.
MatrixX printed_a() {
  return printed(
      "mf + mr, 0, 0, 0, 0, mf*k, mf*e, mf*j + mr*h\n"
      "mf*k, 0, 0, 0, 0, mf*k^2 + Irz + Ifx - Ifx*cos(epsilon)^2 + Ifz*cos(epsilon)^2, mf*e*k + "
      "Ifz*cos(epsilon), -Ifx*cos(epsilon)*sin(epsilon) + mf*j*k + Ifz*cos(epsilon)*sin(epsilon) + "
      "Crxz\n"
      "mf*e, 0, 0, 0, 0, mf*e*k + Ifz*cos(epsilon), Ifz + mf*e^2, Ifz*sin(epsilon) + mf*e*j\n"
      "mf*j + mr*h, 0, 0, 0, 0, -Ifx*cos(epsilon)*sin(epsilon) + mf*j*k + "
      "Ifz*cos(epsilon)*sin(epsilon) + Crxz, Ifz*sin(epsilon) + mf*e*j, Irx + mr*h^2 - "
      "Ifz*cos(epsilon)^2 + Ifx*cos(epsilon)^2 + Ifz + mf*j^2\n"
      "0, 0, 0, sigma/V, 0, 0, 0, 0\n"
      "0, 0, 0, 0, sigma/V, 0, 0, 0\n"
      "0, -1, 0, 0, 0, 0, 0, 0\n"
      "0, 0, -1, 0, 0, 0, 0, 0");
}

MatrixX printed_b() {
  return printed(
      "0, 0, 0, 1, 1, -mf*V - mr*V, 0, 0\n"
      "0, 0, 0, -b, -an/cos(epsilon) + a/cos(epsilon), -mf*V*k, ify*V*sin(epsilon)/Rf, iry*V/Rr + "
      "ify*V/Rf\n"
      "0, -Zf*sin(epsilon)*an + mf*e*g*sin(epsilon), -Zf*an + mf*e*g, 0, -an, -mf*e*V - "
      "ify*V*sin(epsilon)/Rf, -Cdelta, cos(epsilon)*ify*V/Rf\n"
      "0, -Zf*an + mf*e*g, mf*g*j + mr*h*g, 0, 0, -mf*V*j - iry*V/Rr - ify*V/Rf - mr*h*V, "
      "-cos(epsilon)*ify*V/Rf, 0\n"
      "-Cr1/V, 0, Cr2, -1, 0, Cr1*b/V, 0, 0\n"
      "-Cf1/V, cos(epsilon)*Cf1 + Cf2*sin(epsilon), Cf2, 0, -1, Cf1*an/(cos(epsilon)*V) - "
      "Cf1*a/(cos(epsilon)*V), Cf1*an/V, 0\n"
      "0, 0, 0, 0, 0, 0, -1, 0\n"
      "0, 0, 0, 0, 0, 0, 0, -1");
}

MatrixX printed_c() { return printed("0\n0\n1\n0\n0\n0\n0\n0"); }

void expect_same(const MatrixX& derived, const MatrixX& expected) {
  ASSERT_EQ(derived.rows(), expected.rows());
  ASSERT_EQ(derived.cols(), expected.cols());
  const Substitution relations = make_straight_running().relations;
  for (int i = 0; i < derived.rows(); ++i) {
    for (int j = 0; j < derived.cols(); ++j) {
      const Expr difference = symbolic::substitute(derived(i, j) - expected(i, j), relations);
      EXPECT_TRUE(symbolic::simplify(difference).is_zero())
          << "entry " << i + 1 << ", " << j + 1 << " is " << derived(i, j) << ", printed is "
          << expected(i, j);
    }
  }
}

TEST(SharpMotorcycle, HasThePrintedStates) {
  std::string names;
  for (const Expr& state : state_space().states) names += state.to_string() + " ";
  EXPECT_EQ(names, "y1dot delta phi Yr Yf psidot deltadot phidot ");  // 001 eq. 16
}

TEST(SharpMotorcycle, GivesThePrintedMatricesEntryByEntry) {
  expect_same(state_space().E, printed_a());
  expect_same(state_space().A, printed_b());
  expect_same(state_space().B, printed_c());
}

TEST(SharpMotorcycle, PrintsNoEntryLongerThanThePaper) {
  for (const auto& [ours, theirs] :
       {std::pair(state_space().E, printed_a()), std::pair(state_space().A, printed_b())}) {
    for (int i = 0; i < ours.size(); ++i) {
      EXPECT_LE(symbolic::count_operations(*(ours.data() + i)).total(),
                symbolic::count_operations(*(theirs.data() + i)).total())
          << *(ours.data() + i);
    }
  }
}

TEST(SharpMotorcycle, HasThePrintedLinearConstraintsAndProjection) {
  const LinearModel& model = linear_model();
  ASSERT_EQ(model.constraints.size(), 4U);
  const Expr psi = symbolic::variable("psi"), delta = symbolic::variable("delta"),
             phi = symbolic::variable("phi"), psi4 = symbolic::variable("psi4"),
             phi4 = symbolic::variable("phi4"), epsilon = symbolic::symbol("epsilon");
  EXPECT_EQ(model.constraints[2], psi + delta * cos(epsilon) - psi4);
  EXPECT_EQ(model.constraints[3], phi4 - sin(epsilon) * delta - phi);
  const MatrixX RR = printed(
      "1, 0, 0, 0, 0\n0, 1, 0, 0, 0\n0, 0, 1, 0, 0\n0, 0, 0, 1, 0\n0, 0, 0, 0, 1\n"
      "0, 0, 1, cos(epsilon), 0\n0, 0, 0, sin(epsilon), 1\n-1/Rr, 0, 0, 0, 0\n-1/Rf, 0, 0, 0, 0");
  expect_same(model.reduction.R, RR);
}

// 001 eq. 9 is another mechanics for the rolling wheels, but not to first order about straight
// running with zero multipliers.
TEST(SharpMotorcycle, IsTheSameWithThePapersMultipliers) {
  for (const auto method :
       {DerivationOptions::Method::kVakonomic, DerivationOptions::Method::kLagrangian}) {
    const StateSpace other = make_state_space(
        make_linear_model(make_motorcycle().system, make_straight_running(), {method}));
    expect_same(other.E, printed_a());
    expect_same(other.A, printed_b());
  }
}

std::uint64_t program_size(const codegen::ProgramBuilder& builder) {
  codegen::ProgramBuilder complete = builder;
  return complete.add_remaining_inputs("in").build().count().total();
}

// Bars: 157 for the nine linear equations of motion, 92 for both matrices; where we are keeps them
// from rising again.
TEST(SharpMotorcycle, TakesFewOperations) {
  EXPECT_LE(
      program_size(codegen::ProgramBuilder("linear").add_output("r", linear_model().dynamics)),
      150U);
  EXPECT_LE(program_size(codegen::ProgramBuilder("matrices")
                             .add_output("A", state_space().E)
                             .add_output("B", state_space().A)),
            70U);
}

double relative_error(Complex value, Complex expected) {
  return std::abs(value - expected) / std::abs(expected);
}

TEST(SharpMotorcycle, ReproducesTheEigenvaluesAt20) {
  const std::vector<Complex> paper = {{-79.59720348, 0},
                                      {-59.95186627, 0},
                                      {-20.4335086, 0},
                                      {-5.825609713, -54.18205262},
                                      {-5.825609713, 54.18205262},
                                      {-4.042301331, -15.80136627},
                                      {-4.042301331, 15.80136627},
                                      {.09266159593, 0}};
  const std::vector<Complex> exact = {{-79.597203477239891, 0},
                                      {-59.951866254374850, 0},
                                      {-20.433508608804592, 0},
                                      {-5.8256097189029713, -54.182052621366449},
                                      {-5.8256097189029713, 54.182052621366449},
                                      {-4.0423013318117901, -15.801366269771247},
                                      {-4.0423013318117901, 15.801366269771247},
                                      {0.092661595348083293, 0}};
  const std::vector<Mode> modes = modes_at(20);
  ASSERT_EQ(modes.size(), exact.size());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "eigenvalue " << i + 1);
    EXPECT_LE(relative_error(modes[i].eigenvalue, paper[i]), 1e-8);
    EXPECT_LE(relative_error(modes[i].eigenvalue, exact[i]), 1e-12);
  }
}

TEST(SharpMotorcycle, ReproducesTheFrequencyResponsesAt2Hz) {
  const std::vector<Complex> paper = {
      {-.005962934704, .0009441006142}, {.0008071948120, .001106083910},
      {.001878696559, .0008710549705},  {12.72890345, 1.739597837},
      {6.415211800, 6.932925052},       {.01382901938, .008641966714},
      {-.01389946035, .01014350917},    {-.01094599959, .02360839724}};
  const std::vector<Complex> exact = {{-0.0059629346967861346, 0.00094410061211608349},
                                      {0.00080719481138140346, 0.0011060839114535197},
                                      {0.0018786965582279393, 0.00087105497273716234},
                                      {12.728903436678140, 1.7395978446192767},
                                      {6.4152117955686652, 6.9329250585004110},
                                      {0.013829019369029606, 0.0086419667152666360}};
  const auto response = calc_frequency_response(numbers_at(20), 0, {2.0})[0];
  for (std::size_t i = 0; i < paper.size(); ++i) {
    EXPECT_LE(relative_error(response.states[i], paper[i]), 1e-8) << i;
  }
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LE(relative_error(response.states[i], exact[i]), 1e-12) << i;
  }
}

/// A table of numbers with one line of comment and one of names before it.
std::vector<std::vector<double>> read_table(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream entries(line);
    rows.emplace_back();
    for (std::string entry; std::getline(entries, entry, ',');) {
      rows.back().push_back(std::stod(entry));
    }
  }
  return rows;
}

TEST(SharpMotorcycle, ReproducesFigure2) {
  const auto rows = read_table("tests/data/motorcycle_fig2.csv");
  ASSERT_EQ(rows.size(), 40U);
  for (const std::vector<double>& row : rows) {
    SCOPED_TRACE(testing::Message() << "V = " << row[0]);
    const std::vector<Mode> modes = modes_at(row[0]);
    ASSERT_EQ(modes.size(), 8U);
    for (std::size_t i = 0; i < modes.size(); ++i) {
      EXPECT_LE(relative_error(modes[i].eigenvalue, {row[2 * i + 1], row[2 * i + 2]}), 1e-9) << i;
    }
  }
}

TEST(SharpMotorcycle, ReproducesFigure3) {
  const auto rows = read_table("tests/data/motorcycle_fig3.csv");
  ASSERT_GT(rows.size(), 200U);
  std::vector<double> frequencies;
  for (const auto& row : rows) frequencies.push_back(row[0]);
  const auto responses = calc_frequency_response(numbers_at(20), 0, frequencies);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(testing::Message() << frequencies[i] << " Hz");
    EXPECT_LE(relative_error(responses[i].states[1], {rows[i][1], rows[i][2]}), 1e-9);
    EXPECT_LE(relative_error(responses[i].states[2], {rows[i][3], rows[i][4]}), 1e-9);
  }
}

TEST(SharpMotorcycle, FindsTheSpeedsOfCapsizeAndWeave) {
  std::vector<double> speeds;
  for (double V = 1; V <= 60; V += 0.5) speeds.push_back(V);
  const RootLocus locus = trace_root_locus(modes_at, speeds);
  const auto limits = find_stability_limits(modes_at, locus);
  ASSERT_EQ(limits.size(), 3U);
  EXPECT_NEAR(limits[0].parameter, 5.8948, 5e-5);  // weave
  EXPECT_TRUE(limits[0].becomes_stable);
  EXPECT_TRUE(limits[0].mode.is_oscillatory());
  EXPECT_NEAR(limits[1].parameter, 10.2989, 5e-5);  // capsize
  EXPECT_FALSE(limits[1].becomes_stable);
  EXPECT_FALSE(limits[1].mode.is_oscillatory());
  EXPECT_NEAR(limits[2].parameter, 52.4776, 5e-5);  // weave again
  EXPECT_FALSE(limits[2].becomes_stable);
  EXPECT_TRUE(limits[2].mode.is_oscillatory());
  for (const StabilityLimit& limit : limits) {
    EXPECT_NEAR(limit.mode.eigenvalue.real(), 0.0, 1e-10);
  }
}

}  // namespace
}  // namespace camber::lagrange
