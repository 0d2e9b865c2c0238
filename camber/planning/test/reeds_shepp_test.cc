#include "camber/planning/reeds_shepp.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::planning {
namespace {

Pose random_pose(RandomStream* random, double size) {
  return {random->uniform(-size, size), random->uniform(-size, size), random->uniform(-4, 4)};
}

/// Straight pieces of a path, 1e-4 of it each, at the heading of their middle.
Pose integrate(const CurvePath& path, Pose at) {
  for (int k = 0; k < path.count; ++k) {
    constexpr int kSteps = 4000;
    const double step = path.segments[k].length / kSteps;
    const double turn = path.segments[k].steer * step / path.radius;
    // The chord of an arc is shorter than the arc by sin(x) / x.
    const double chord = turn == 0 ? step : step * std::sin(turn / 2) / (turn / 2);
    for (int i = 0; i < kSteps; ++i) {
      at.x += chord * std::cos(at.heading + turn / 2);
      at.y += chord * std::sin(at.heading + turn / 2);
      at.heading += turn;
    }
  }
  return at;
}

void expect_same(const Pose& a, const Pose& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(wrap_angle(a.heading - b.heading), 0, tolerance);
}

TEST(ReedsShepp, ReachesTheGoalByIntegration) {
  RandomStream random(21);
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 21, trial " << trial);
    const double radius = random.uniform(0.7, 9);
    const Pose from = random_pose(&random, 20), to = random_pose(&random, trial % 2 ? 20 : 3);
    const CurvePath path = find_reeds_shepp_path(from, to, radius);
    expect_same(integrate(path, from), to, 1e-9);
    expect_same(calc_end(path, from), to, 1e-9);
    expect_same(calc_pose(path, from, path.length), to, 1e-9);
    double length = 0;
    for (int k = 0; k < path.count; ++k) length += std::abs(path.segments[k].length);
    EXPECT_NEAR(length, calc_reeds_shepp_length(from, to, radius), 1e-10);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(Dubins, ReachesTheGoalByIntegrationAndOnlyForward) {
  RandomStream random(22);
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 22, trial " << trial);
    const double radius = random.uniform(0.7, 9);
    const Pose from = random_pose(&random, 20), to = random_pose(&random, trial % 2 ? 20 : 3);
    const CurvePath path = find_dubins_path(from, to, radius);
    expect_same(integrate(path, from), to, 1e-9);
    for (int k = 0; k < path.count; ++k) EXPECT_GE(path.segments[k].length, 0);
    EXPECT_NEAR(path.length, calc_dubins_length(from, to, radius), 1e-10);
    if (testing::Test::HasFailure()) break;
  }
}

// Driving back along a path is as long; left and right are alike; a car that may reverse needs no
// more than one that may not, and no car is faster than a straight line.
TEST(ReedsShepp, IsSymmetricAndBetweenEuclidAndDubins) {
  RandomStream random(23);
  for (int trial = 0; trial < 20'000; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 23, trial " << trial);
    const double radius = random.uniform(0.7, 9);
    const Pose a = random_pose(&random, 20), b = random_pose(&random, trial % 2 ? 20 : 3);
    const double length = calc_reeds_shepp_length(a, b, radius);
    ASSERT_NEAR(length, calc_reeds_shepp_length(b, a, radius), 1e-9);
    ASSERT_NEAR(length,
                calc_reeds_shepp_length({a.x, -a.y, -a.heading}, {b.x, -b.y, -b.heading}, radius),
                1e-9);
    ASSERT_GE(length, std::hypot(a.x - b.x, a.y - b.y) - 1e-9);
    ASSERT_LE(length, calc_dubins_length(a, b, radius) + 1e-9);
  }
}

// A length is a distance between poses: no detour over a third pose is shorter.
TEST(ReedsShepp, KeepsTheTriangleInequality) {
  RandomStream random(24);
  for (int trial = 0; trial < 20'000; ++trial) {
    const Pose a = random_pose(&random, 4), b = random_pose(&random, 4),
               c = random_pose(&random, 4);
    const double radius = 2.3;
    ASSERT_LE(calc_reeds_shepp_length(a, c, radius),
              calc_reeds_shepp_length(a, b, radius) + calc_reeds_shepp_length(b, c, radius) + 1e-9)
        << "seed 24, trial " << trial;
  }
}

TEST(ReedsShepp, KnowsSimpleCases) {
  const double r = 3.5, pi = std::numbers::pi;
  EXPECT_NEAR(calc_reeds_shepp_length({}, {7.1, 0, 0}, r), 7.1, 1e-12);
  EXPECT_NEAR(calc_reeds_shepp_length({}, {-7.1, 0, 0}, r), 7.1, 1e-12);
  EXPECT_NEAR(calc_reeds_shepp_length({}, {0, 0, 0}, r), 0, 1e-12);
  EXPECT_NEAR(calc_reeds_shepp_length({}, {0, 0, pi}, r), r * pi,
              1e-9);  // three arcs of 60 degrees
  EXPECT_NEAR(calc_reeds_shepp_length({}, {0, 2 * r, pi}, r), r * pi, 1e-9);
  EXPECT_NEAR(calc_reeds_shepp_length({}, {r, r, pi / 2}, r), r * pi / 2, 1e-12);
  EXPECT_NEAR(calc_reeds_shepp_length({}, {-r, r, -pi / 2}, r), r * pi / 2, 1e-12);
  EXPECT_NEAR(calc_dubins_length({}, {r, r, pi / 2}, r), r * pi / 2, 1e-12);
  EXPECT_NEAR(calc_dubins_length({}, {7.1, 0, 0}, r), 7.1, 1e-12);
  EXPECT_THROW(calc_reeds_shepp_length({}, {1, 2, 3}, 0), std::invalid_argument);
  EXPECT_THROW(find_dubins_path({}, {NAN, 2, 3}, 1), std::invalid_argument);
}

// --- The second route: every word, solved by Newton's method from many starts ---

struct Term {
  int steer;
  int sign;     // direction of travel
  int unknown;  // 0 .. 2, or -1 for a quarter circle
};
using Word = std::vector<Term>;

/// The words of [Sussmann and Tang 1991], which suffice: C|C|C, CC|C, C|CC, C|CcuC.., CSC and those
/// with quarter circles, in both directions of travel and both senses.
std::vector<Word> list_words() {
  std::vector<Word> words;
  for (const int d : {1, -1}) {
    for (const int l : {1, -1}) {
      const int r = -l, q = -1;
      words.push_back({{l, d, 0}, {r, -d, 1}, {l, d, 2}});
      words.push_back({{l, d, 0}, {r, d, 1}, {l, -d, 2}});
      words.push_back({{l, d, 0}, {r, -d, 1}, {l, -d, 2}});
      words.push_back({{l, d, 0}, {r, d, 1}, {l, -d, 1}, {r, -d, 2}});
      words.push_back({{l, d, 0}, {r, -d, 1}, {l, -d, 1}, {r, d, 2}});
      words.push_back({{l, d, 0}, {r, -d, q}, {0, -d, 1}, {l, -d, 2}});
      words.push_back({{l, d, 0}, {r, -d, q}, {0, -d, 1}, {r, -d, 2}});
      words.push_back({{l, d, 0}, {0, d, 1}, {r, d, q}, {l, -d, 2}});
      words.push_back({{l, d, 0}, {0, d, 1}, {l, d, q}, {r, -d, 2}});
      words.push_back({{l, d, 0}, {r, -d, q}, {0, -d, 1}, {l, -d, q}, {r, d, 2}});
      words.push_back({{l, d, 0}, {0, d, 1}, {l, d, 2}});
      words.push_back({{l, d, 0}, {0, d, 1}, {r, d, 2}});
    }
  }
  return words;
}

Eigen::Vector3d end_of(const Word& word, const Eigen::Vector3d& lengths) {
  Pose at;
  for (const Term& term : word) {
    const double length =
        term.sign * (term.unknown < 0 ? std::numbers::pi / 2 : lengths[term.unknown]);
    at = drive(at, term.steer, length);
  }
  return {at.x, at.y, at.heading};
}

double solve_word(const Word& word, const Pose& goal, RandomStream* random, int starts) {
  double best = INFINITY;
  for (int start = 0; start < starts; ++start) {
    Eigen::Vector3d x{random->uniform(0, 3.2), random->uniform(0, 5), random->uniform(0, 3.2)};
    for (int iteration = 0; iteration < 25; ++iteration) {
      Eigen::Vector3d residual = end_of(word, x) - Eigen::Vector3d(goal.x, goal.y, goal.heading);
      residual[2] = wrap_angle(residual[2]);
      if (residual.norm() < 1e-12) break;
      Eigen::Matrix3d J;
      for (int k = 0; k < 3; ++k) {
        Eigen::Vector3d plus = x, minus = x;
        plus[k] += 1e-6, minus[k] -= 1e-6;
        J.col(k) = (end_of(word, plus) - end_of(word, minus)) / 2e-6;
      }
      Eigen::Vector3d step = J.fullPivLu().solve(residual);
      if (step.norm() > 1) step *= 1 / step.norm();
      x -= step;
    }
    Eigen::Vector3d residual = end_of(word, x) - Eigen::Vector3d(goal.x, goal.y, goal.heading);
    residual[2] = wrap_angle(residual[2]);
    if (!(residual.norm() < 1e-10) || x.minCoeff() < -1e-10) continue;
    double length = 0;
    for (const Term& term : word) {
      length += term.unknown < 0 ? std::numbers::pi / 2 : x[term.unknown];
    }
    best = std::min(best, length);
  }
  return best;
}

TEST(ReedsShepp, EqualsTheShortestOfAllWordsSolvedByNewton) {
  RandomStream random(25);
  const std::vector<Word> words = list_words();
  ASSERT_EQ(words.size(), 48u);
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 25, trial " << trial);
    const Pose goal = random_pose(&random, trial % 2 ? 4 : 1.5);
    double best = INFINITY;
    for (const Word& word : words) best = std::min(best, solve_word(word, goal, &random, 25));
    EXPECT_NEAR(calc_reeds_shepp_length({}, goal, 1), best, 1e-9);
  }
}

}  // namespace
}  // namespace camber::planning
