#include "bench/symbolic/comparison.h"

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "bench/symbolic/camber_engine.h"
#include "bench/symbolic/mechanisms.h"
#include "bench/symbolic/report.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

nlohmann::json figures_json(const std::string& engine, double seconds, long operations,
                            std::vector<double> values) {
  return {{"engine", engine},
          {"version", "1.2"},
          {"problem", "chain"},
          {"n", 6},
          {"build_s", 0.25 * seconds},
          {"differentiate_s", 0.75 * seconds},
          {"generate_s", 0.3},
          {"memory_kb", 512},
          {"operations", {{"total", operations}}},
          {"nodes", 321},
          {"values", std::move(values)}};
}

const Check& find_check(const std::vector<Check>& checks, const std::string& part) {
  for (const Check& check : checks) {
    if (check.name.find(part) != std::string::npos) return check;
  }
  throw std::out_of_range("no check about " + part);
}

Leaves<double> leaves_at_point(const Problem& problem) {
  Leaves<double> leaves;
  for (int i = 0; i < problem.n; ++i) {
    leaves.q.push_back(problem.point.at(concat("q", i)));
    leaves.qd.push_back(problem.point.at(concat("qd", i)));
  }
  leaves.parameter = [point = problem.point](const std::string& name) { return point.at(name); };
  return leaves;
}

TEST(GrowthExponent, FindsThePowerLaw) {
  const std::vector<double> x{2, 3, 5, 8, 13};
  std::vector<double> y;
  y.reserve(x.size());
  for (const double value : x) y.push_back(0.37 * std::pow(value, 1.73));
  EXPECT_NEAR(growth_exponent(x, y), 1.73, 1e-12);
  EXPECT_THROW(growth_exponent({2.0}, {3.0}), std::invalid_argument);
  EXPECT_THROW(growth_exponent({2.0, 3.0}, {5.0, 0.0}), std::invalid_argument);
}

TEST(LargestDifference, IsRelativeForLargeValuesAndSeesWhatIsMissing) {
  EXPECT_NEAR(largest_difference({0.25, 400.0}, {0.25, 400.2}), 0.2 / 400.2, 1e-12);
  EXPECT_NEAR(largest_difference({0.25, 400.0}, {0.35, 400.0}), 0.1, 1e-12);
  EXPECT_TRUE(std::isinf(largest_difference({0.25}, {0.25, 0.5})));
  EXPECT_TRUE(std::isinf(largest_difference({0.25, 0.5}, {std::nan(""), 0.5})));
}

TEST(Checks, SeeWhoDisagreesAndWhoIsSlow) {
  const std::vector<Figures> figures{Figures(figures_json("camber", 0.002, 1100, {3.5, -7.25})),
                                     Figures(figures_json("ginac", 0.0198, 3300, {3.5, -7.25})),
                                     Figures(figures_json("sympy", 2.4, 1050, {3.5, -7.26}))};
  const std::vector<Check> checks = find_checks(figures);
  EXPECT_TRUE(find_check(checks, "values of ginac").holds());
  EXPECT_FALSE(find_check(checks, "values of sympy").holds());
  EXPECT_FALSE(find_check(checks, "faster than ginac").holds());  // 9.9 times
  EXPECT_TRUE(find_check(checks, "faster than sympy").holds());   // 1200 times
  EXPECT_TRUE(find_check(checks, "fewer than ginac").holds());
  EXPECT_TRUE(find_check(checks, "fewer than SymEngine").holds());
  EXPECT_FALSE(find_check(checks, "fewer than sympy").holds());
}

Comparison make_comparison() {
  Comparison comparison;
  comparison.cpu = "Some CPU, 3 GHz";
  comparison.engines = {{"camber", {"camber-bench-symbolic"}, ""}, {"sympy", {}, "no python3"}};
  comparison.figures = {Figures(figures_json("camber", 0.002, 1100, {3.5})),
                        Figures(figures_json("ginac", 0.05, 3300, {3.5}))};
  comparison.checks = find_checks(comparison.figures);
  return comparison;
}

TEST(Report, TellsProgramsEveryFigureTheRatiosAndWhoIsMissing) {
  const nlohmann::json json = to_json(make_comparison());
  EXPECT_EQ(json.at("cpu"), "Some CPU, 3 GHz");
  EXPECT_EQ(json.at("engines").at(1).at("missing"), "no python3");
  const nlohmann::json& ginac = json.at("figures").at(1);
  EXPECT_EQ(ginac.at("operations").at("total"), 3300);
  EXPECT_DOUBLE_EQ(ginac.at("equations_times_camber"), 25.0);
  EXPECT_FALSE(ginac.contains("values"));
  EXPECT_EQ(json.at("checks").size(), make_comparison().checks.size());
}

TEST(Report, TellsPeopleWhoIsMissingAndWhatWasMissed) {
  Comparison comparison = make_comparison();
  comparison.checks.push_back({.name = "an invented bar", .value = 7.5, .bar = 2.5});
  std::ostringstream table;
  print_table(comparison, table);
  EXPECT_NE(table.str().find("sympy: no python3"), std::string::npos) << table.str();
  EXPECT_NE(table.str().find("MISSED  an invented bar 7.5 (<= 2.5)"), std::string::npos)
      << table.str();
}

TEST(Report, WritesRowsUnderTheColumnsOfTheKeptTable) {
  std::ifstream kept("bench/results.csv");
  std::string heading;
  ASSERT_TRUE(std::getline(kept, heading));
  EXPECT_EQ(
      heading,
      "commit,cpu,suite,problem,n,engine,version,build_s,differentiate_s,generate_s,memory_kb,"
      "nodes,operations");
  std::ostringstream rows;
  print_csv(make_comparison(), "abc1234", rows);
  EXPECT_EQ(
      rows.str(),
      "abc1234,\"Some CPU, 3 GHz\",symbolic,chain,6,camber,1.2,0.0005,0.0015,0.3,512,321,1100\n"
      "abc1234,\"Some CPU, 3 GHz\",symbolic,chain,6,ginac,1.2,0.0125,0.0375,0.3,512,321,3300\n");
}

TEST(ReadProblem, NamesTheFileThatIsNone) {
  try {
    read_problem("bench/results.csv");
    FAIL() << "read a table as a problem";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("bench/results.csv"), std::string::npos)
        << error.what();
  }
}

// The energies' template at plain numbers against positions and their difference quotients: the
// recursion of velocities shares nothing with those.
TEST(PendulumEnergies, MatchMovingPoints) {
  const Problem problem = make_pendulum(4);
  const Leaves<double> leaves = leaves_at_point(problem);

  const auto place = [&](double dt, int body) {
    double x = 0, y = 0;
    for (int i = 0; i <= body; ++i) {
      const double angle = leaves.q[i] + dt * leaves.qd[i];
      x += leaves("l", i) * std::sin(angle);
      y -= leaves("l", i) * std::cos(angle);
    }
    return std::pair(x, y);
  };
  constexpr double kStep = 1e-5;
  double kinetic = 0, potential = 0;
  for (int body = 0; body < problem.n; ++body) {
    const auto [x1, y1] = place(-kStep, body);
    const auto [x2, y2] = place(kStep, body);
    const double vx = (x2 - x1) / (2 * kStep), vy = (y2 - y1) / (2 * kStep);
    kinetic += 0.5 * leaves("m", body) * (vx * vx + vy * vy);
    potential += leaves("m", body) * leaves("g") * place(0, body).second;
  }
  const Energies<double> energies = pendulum_energies(leaves);
  EXPECT_NEAR(energies.kinetic, kinetic, 1e-7 * kinetic);
  EXPECT_NEAR(energies.potential, potential, 1e-12 * std::abs(potential));
}

struct BodyPose {
  Eigen::Matrix3d R_WB;
  Eigen::Vector3d p_WJ;  // of the body's joint
};

std::vector<BodyPose> find_poses(const std::string& axes, const Leaves<double>& leaves, double dt) {
  std::vector<BodyPose> poses;
  BodyPose pose{Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i > 0) pose.p_WJ += pose.R_WB.col(2) * leaves("l", static_cast<int>(i));
    const Eigen::Vector3d axis = Eigen::Vector3d::Unit(axes[i] - 'x');
    pose.R_WB =
        pose.R_WB * Eigen::AngleAxisd(leaves.q[i] + dt * leaves.qd[i], axis).toRotationMatrix();
    poses.push_back(pose);
  }
  return poses;
}

// The same for the chain: rotation matrices in the world, w from R^T dR/dt.
TEST(ChainEnergies, MatchMovingBodies) {
  const Problem problem = make_chain(6);
  const Leaves<double> leaves = leaves_at_point(problem);
  constexpr double kStep = 1e-5;
  const auto before = find_poses(problem.axes, leaves, -kStep);
  const auto now = find_poses(problem.axes, leaves, 0);
  const auto after = find_poses(problem.axes, leaves, kStep);
  double kinetic = 0, potential = 0;
  for (int i = 0; i < problem.n; ++i) {
    const auto center = [&](const BodyPose& pose) -> Eigen::Vector3d {
      return pose.p_WJ + pose.R_WB.col(2) * leaves("c", i);
    };
    const Eigen::Vector3d v = (center(after[i]) - center(before[i])) / (2 * kStep);
    const Eigen::Matrix3d W =
        now[i].R_WB.transpose() * (after[i].R_WB - before[i].R_WB) / (2 * kStep);
    const Eigen::Vector3d w(W(2, 1), W(0, 2), W(1, 0));
    const Eigen::Vector3d inertia(leaves("Ix", i), leaves("Iy", i), leaves("Iz", i));
    kinetic += 0.5 * leaves("m", i) * v.squaredNorm() + 0.5 * w.cwiseAbs2().dot(inertia);
    potential += leaves("m", i) * leaves("g") * center(now[i]).z();
  }
  const Energies<double> energies = chain_energies(problem.axes, leaves);
  EXPECT_NEAR(energies.kinetic, kinetic, 1e-7 * kinetic);
  EXPECT_NEAR(energies.potential, potential, 1e-12 * std::abs(potential));
}

TEST(ChainEnergies, RefuseAxesThatAreNone) {
  Leaves<double> leaves{{0.3, 0.4}, {0.1, 0.2}, [](const std::string&) { return 0.7; }};
  EXPECT_THROW(chain_energies("zw", leaves), std::invalid_argument);
  EXPECT_THROW(chain_energies("zyx", leaves), std::invalid_argument);
}

TEST(CamberEngine, GivesTheSameEquationsByBothRoutes) {
  const Problem problem = make_chain(4);
  const auto by_sweeps = measure_camber(problem, Route::kSweeps);
  const auto by_partials = measure_camber(problem, Route::kPartials);
  EXPECT_LT(largest_difference(by_sweeps.at("values"), by_partials.at("values")), 1e-12);
  EXPECT_LT(by_sweeps.at("operations").at("total"), by_partials.at("operations").at("total"));
}

}  // namespace
}  // namespace camber::bench
