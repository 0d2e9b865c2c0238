#include "camber/lagrange/frame.h"

#include <string>

#include <gtest/gtest.h>

#include "camber/lagrange/test/random_point.h"
#include "camber/symbolic/derivative.h"

namespace camber::lagrange {
namespace {

using symbolic::Bindings;
using symbolic::variable;

const std::vector<std::string> kSequences = {"XYX", "XYZ", "XZX", "XZY", "YXY", "YXZ",
                                             "YZX", "YZY", "ZXY", "ZXZ", "ZYX", "ZYZ"};

Expr q(int i) { return variable("q" + std::to_string(i)); }

/// A path of random steps with coordinates in all of them.
Frame random_frame(RandomStream* random, int steps) {
  Frame frame;
  for (int i = 0; i < steps; ++i) {
    const int kind = static_cast<int>(random->integer(0, 3));
    if (kind == 3) {
      frame = frame * translate(q(i), Expr(1) / 3 + q(i + 1), symbolic::symbol("l") * q(i));
    } else {
      frame = frame * rotate(static_cast<Axis>(kind), q(i) * Expr(3) / 2);
    }
  }
  return frame;
}

/// The matrix a moment later, by moving every coordinate along its rate.
Bindings later(const Bindings& now, double dt) {
  Bindings result = now;
  for (auto& [leaf, value] : result) {
    const auto rate = now.find(variable(leaf.name(), leaf.order() + 1));
    if (leaf.kind() == symbolic::Kind::kVariable && rate != now.end()) value += dt * rate->second;
  }
  return result;
}

TEST(Frame, ComposesLikeItsMatrices) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const Frame a = random_frame(&random, 5);
    const Frame b = random_frame(&random, 4);
    std::vector<Expr> all = entries(a.matrix());
    for (const Expr& e : entries(b.matrix())) all.push_back(e);
    const Bindings point = random_point(all, &random);
    const Eigen::Matrix4d A = value(a.matrix(), point);
    const Eigen::Matrix4d B = value(b.matrix(), point);
    EXPECT_NEAR((value((a * b).matrix(), point) - A * B).norm(), 0, 1e-12);
    EXPECT_NEAR((value(inverse(a).matrix(), point) - A.inverse()).norm(), 0, 1e-12);
    EXPECT_NEAR((value(relative(a, a * b).matrix(), point) - B).norm(), 0, 1e-12);
    EXPECT_EQ(relative(a, a), Frame()) << "what both share cancels without arithmetic";
  }
}

TEST(Frame, MergesAndCancelsNeighboringSteps) {
  const Expr a = symbolic::symbol("a"), b = symbolic::symbol("b");
  EXPECT_EQ(rotate(Axis::kY, a) * rotate(Axis::kY, b), rotate(Axis::kY, a + b));
  EXPECT_EQ(rotate(Axis::kY, a) * rotate(Axis::kY, -a), Frame());
  EXPECT_EQ(rotate(Axis::kX, a) * translate(b, 0, 0), translate(b, 0, 0) * rotate(Axis::kX, a))
      << "a translation along the axis of a rotation commutes with it";
  EXPECT_EQ(
      inverse(rotate(Axis::kX, a) * translate(0, b, a)) * rotate(Axis::kX, a) * translate(0, b, a),
      Frame());
}

// w = (R^T R')_vee for every Euler sequence: the difference quotient of the matrix shares no code
// with twist().
TEST(Frame, TwistIsTheRateOfTheMatrix) {
  const double dt = 1e-6;
  for (const std::string& sequence : kSequences) {
    SCOPED_TRACE(sequence);
    const Frame frame = translate(q(0), q(1), q(2)) * euler_angles(sequence, q(3), q(4), q(5)) *
                        translate(q(6), 2 * q(7), q(8)) *
                        euler_parameters(q(9), q(10), q(11), q(12));
    RandomStream random(17);
    const Twist twist = frame.twist();
    std::vector<Expr> all = entries(frame.matrix());
    for (int i = 0; i < 13; ++i) all.push_back(variable("q" + std::to_string(i), 1));
    Bindings point = random_point(all, &random);
    // A unit quaternion, moving so that it stays one.
    Eigen::Vector4d e, e_dot;
    for (int i = 0; i < 4; ++i) {
      e[i] = point[q(9 + i)];
      e_dot[i] = point[variable("q" + std::to_string(9 + i), 1)];
    }
    e.normalize();
    e_dot -= e * e.dot(e_dot);
    for (int i = 0; i < 4; ++i) {
      point[q(9 + i)] = e[i];
      point[variable("q" + std::to_string(9 + i), 1)] = e_dot[i];
    }
    const Eigen::Matrix4d T = value(frame.matrix(), point);
    const Eigen::Matrix4d T_dot =
        (value(frame.matrix(), later(point, dt)) - value(frame.matrix(), later(point, -dt))) /
        (2 * dt);
    const Eigen::Matrix3d R = T.topLeftCorner<3, 3>();
    const Eigen::Matrix3d W = R.transpose() * T_dot.topLeftCorner<3, 3>();
    const Eigen::Vector3d w(W(2, 1), W(0, 2), W(1, 0));
    EXPECT_NEAR((value(twist.w, point) - w).norm(), 0, 1e-8);
    EXPECT_NEAR((value(twist.v, point) - R.transpose() * T_dot.topRightCorner<3, 1>()).norm(), 0,
                1e-8);
  }
}

TEST(Frame, TwistRateIsTheRateOfTheTwistSeenFromTheGround) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const Frame frame = random_frame(&random, 7);
    const Twist twist = frame.twist();
    const TwistRate rate = frame.twist_rate();
    std::vector<Expr> all;
    for (const Vector3& v : {twist.w, twist.v, rate.w_dot, rate.v_dot})
      all.insert(all.end(), v.begin(), v.end());
    const auto component_rates = [](const Vector3& v) -> Vector3 {
      return v.unaryExpr([](const Expr& e) { return symbolic::time_derivative(e); });
    };
    const Vector3 w_rate = component_rates(twist.w), v_rate = component_rates(twist.v);
    all.insert(all.end(), w_rate.begin(), w_rate.end());
    all.insert(all.end(), v_rate.begin(), v_rate.end());
    const Bindings point = random_point(all, &random);
    const Eigen::Vector3d w = value(twist.w, point);
    EXPECT_NEAR((value(rate.w_dot, point) - value(w_rate, point)).norm(), 0, 1e-11);
    EXPECT_NEAR(
        (value(rate.v_dot, point) - value(v_rate, point) - w.cross(value(twist.v, point))).norm(),
        0, 1e-10);
  }
}

TEST(Frame, OriginVelocityIsTheSameVectorInAnyAxes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const Frame wheel = anchored_at(random_frame(&random, 5)) * rotate(Axis::kZ, q(11)) *
                        translate(q(12), 0, q(11));
    const Frame axes = random_frame(&random, 4);
    const Vector3 v = origin_velocity(wheel, axes);
    const Vector3 p = wheel.origin();
    const Vector3 p_dot = p.unaryExpr([](const Expr& e) { return symbolic::time_derivative(e); });
    std::vector<Expr> all = entries(axes.matrix());
    all.insert(all.end(), v.begin(), v.end());
    all.insert(all.end(), p_dot.begin(), p_dot.end());
    const Bindings point = random_point(all, &random);
    const Eigen::Matrix3d R = value(axes.rotation(), point);
    EXPECT_NEAR((value(v, point) - R.transpose() * value(p_dot, point)).norm(), 0, 1e-10);
  }
}

// [Craig, Introduction to Robotics] has another order; ours is Denavit's: Rz(theta) Tz(d) Tx(a)
// Rx(alpha).
TEST(Frame, DenavitHartenbergIsTheProductOfItsFourMotions) {
  const Expr a = q(0), alpha = q(1), d = q(2), theta = q(3);
  RandomStream random(3);
  const Frame frame = denavit_hartenberg(a, alpha, d, theta);
  const Bindings point = random_point(entries(frame.matrix()), &random);
  const double ca = std::cos(point.at(alpha)), sa = std::sin(point.at(alpha)),
               ct = std::cos(point.at(theta)), st = std::sin(point.at(theta));
  Eigen::Matrix4d expected;
  expected << ct, -st * ca, st * sa, point.at(a) * ct, st, ct * ca, -ct * sa, point.at(a) * st, 0,
      sa, ca, point.at(d), 0, 0, 0, 1;
  EXPECT_NEAR((value(frame.matrix(), point) - expected).norm(), 0, 1e-14);
}

TEST(Frame, RefusesWhatIsNoEulerSequence) {
  EXPECT_THROW(euler_angles("XXY", q(0), q(1), q(2)), std::invalid_argument);
  EXPECT_THROW(euler_angles("XY", q(0), q(1), q(2)), std::invalid_argument);
  EXPECT_THROW(euler_angles("XYW", q(0), q(1), q(2)), std::invalid_argument);
}

}  // namespace
}  // namespace camber::lagrange
