#include "camber/integrate/coordinates.h"

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/integrate/test/rigid_body.h"

namespace camber::integrate {
namespace {

using Kind = CoordinateBlock::Kind;

/// A slider before the pose and one after it, so that no index starts at zero; v[7] has no
/// position.
Coordinates make_coordinates() {
  return {9, 9, {{Kind::kVector, 0, 8, 1}, {Kind::kPose, 1, 0}, {Kind::kVector, 8, 6, 1}}};
}

std::array<double, 9> random_position(std::mt19937* random) {
  std::normal_distribution<double> normal;
  std::array<double, 9> q;
  for (double& entry : q) {
    entry = normal(*random);
  }
  make_coordinates().normalize(q);
  return q;
}

std::array<double, 9> random_speeds(std::mt19937* random, double size) {
  std::normal_distribution<double> normal;
  std::array<double, 9> v;
  for (double& entry : v) {
    entry = size * normal(*random);
  }
  return v;
}

/// exp of the 4 x 4 matrix [[w] v; 0 0]: its series at 2^-20 of the size, then squared 20 times.
struct Motion {
  Matrix3 R;
  Vector3 p;
};
Motion exponential(const Vector3& w, const Vector3& v) {
  const double s = std::ldexp(1.0, -20);
  const Matrix3 W{Vector3{0, -s * w[2], s * w[1]}, Vector3{s * w[2], 0, -s * w[0]},
                  Vector3{-s * w[1], s * w[0], 0}};
  const Matrix3 W2 = W * W;
  Motion motion{{Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}},
                s * v + 0.5 * s * (W * v) + s / 6 * (W2 * v)};
  // Without the identity, whose rounding the squaring would multiply by a million.
  Matrix3 D;
  const Matrix3 W3 = W2 * W;
  for (int i = 0; i < 3; ++i) {
    D[i] = W[i] + 0.5 * W2[i] + 1. / 6 * W3[i];
  }
  for (int n = 0; n < 20; ++n) {
    motion.p = 2.0 * motion.p + D * motion.p;
    const Matrix3 D2 = D * D;
    for (int i = 0; i < 3; ++i) {
      D[i] = 2.0 * D[i] + D2[i];
    }
  }
  for (int i = 0; i < 3; ++i) {
    motion.R[i] = motion.R[i] + D[i];
  }
  return motion;
}

TEST(Coordinates, AdvanceAlongTheMatrixExponential) {
  const Coordinates coordinates = make_coordinates();
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    // Both sides of the angle where series take over, down to nothing.
    const double size = std::pow(10, -4.0 + 5.0 * seed / 200);
    const auto q = random_position(&random), xi = random_speeds(&random, size);
    std::array<double, 9> moved;
    coordinates.advance(q, xi, moved);
    const auto [R, p] = exponential(triple(xi), triple(xi, 3));
    const Matrix3 R_WB = matrix_of(std::span(q).subspan(1));
    const Matrix3 expected = R_WB * R, got = matrix_of(std::span(moved).subspan(1));
    const Vector3 p_expected = triple(q, 5) + R_WB * p;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(moved[5 + i], p_expected[i], 1e-13 * (1 + 10 * size));
      for (int j = 0; j < 3; ++j) {
        EXPECT_NEAR(got[i][j], expected[i][j], 2e-14 * (1 + 10 * size));
      }
    }
    EXPECT_EQ(moved[0], q[0] + xi[8]);
    EXPECT_EQ(moved[8], q[8] + xi[6]);
  }
}

TEST(Coordinates, AdvanceInPlace) {
  std::mt19937 random(11);
  const auto q = random_position(&random), xi = random_speeds(&random, 0.8);
  std::array<double, 9> out, same = q;
  make_coordinates().advance(q, xi, out);
  make_coordinates().advance(same, xi, same);
  EXPECT_EQ(out, same);
}

TEST(Coordinates, FindTheIncrementBetweenTwoPositions) {
  const Coordinates coordinates = make_coordinates();
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const double size = std::pow(10, -6.0 + 6.3 * seed / 200);
    const auto q = random_position(&random);
    auto xi = random_speeds(&random, size);
    xi[7] = 0;  // of no position
    if (norm(triple(xi)) > 3) {
      continue;  // not the shortest
    }
    std::array<double, 9> moved, found;
    coordinates.advance(q, xi, moved);
    for (int k = 1; k < 5 && seed % 2 == 1; ++k) {
      moved[k] = -moved[k];  // the same attitude
    }
    coordinates.calc_increment(q, moved, found);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(found[i], xi[i], 1e-13 * (1 + size));
    }
  }
}

// N(q) v is the derivative of q (+) h v, and of q (+) xi(t) when xi has the rate that v gives it.
TEST(Coordinates, RatesMatchFiniteDifferences) {
  const Coordinates coordinates = make_coordinates();
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto q = random_position(&random), v = random_speeds(&random, 1.3);
    const auto difference = [&](auto&& at) {
      const double h = 1e-3;  // with Richardson's extrapolation, an error of order h^4
      std::array<double, 9> a, b, c, d, result;
      at(-h, a), at(h, b), at(-2 * h, c), at(2 * h, d);
      for (std::size_t i = 0; i < 9; ++i) {
        result[i] = (8 * (b[i] - a[i]) - (d[i] - c[i])) / (12 * h);
      }
      return result;
    };
    std::array<double, 9> q_dot;
    coordinates.calc_q_dot(q, v, q_dot);
    const auto along = difference([&](double h, std::span<double> out) {
      auto xi = v;
      for (double& entry : xi) {
        entry *= h;
      }
      coordinates.advance(q, xi, out);
    });
    // The series is cut off after the second commutator: an error of order |xi|^4.
    auto xi0 = random_speeds(&random, 0.02);
    std::array<double, 9> xi_dot, q_there, rate_there;
    coordinates.calc_increment_rate(xi0, v, xi_dot);
    coordinates.advance(q, xi0, q_there);
    coordinates.calc_q_dot(q_there, v, rate_there);
    const auto with_rate = difference([&](double h, std::span<double> out) {
      auto xi = xi0;
      for (std::size_t i = 0; i < 9; ++i) {
        xi[i] += h * xi_dot[i];
      }
      coordinates.advance(q, xi, out);
    });
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(along[i], q_dot[i], 1e-9);
      EXPECT_NEAR(with_rate[i], rate_there[i], 3e-7);
    }
  }
}

TEST(Coordinates, SayWhichEntryIsMissing) {
  const auto message = [](int nq, int nv, std::vector<CoordinateBlock> blocks) -> std::string {
    try {
      Coordinates coordinates(nq, nv, std::move(blocks));
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message(8, 6, {{Kind::kPose, 0, 0}}), "Coordinates: q[7] is not in any block");
  EXPECT_EQ(message(7, 5, {{Kind::kPose, 0, 0}}),
            "Coordinates: a block has v[0] to v[5], v has 5 entries");
  EXPECT_EQ(message(5, 4, {{Kind::kQuaternion, 0, 0}, {Kind::kVector, 4, 2, 1}}),
            "Coordinates: v[2] is in two blocks");
  EXPECT_EQ(message(0, 3, {}), "");
}

}  // namespace
}  // namespace camber::integrate
