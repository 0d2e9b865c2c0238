#include "camber/sensors/motion_track.h"

#include <gtest/gtest.h>

#include "camber/sensors/test/made_motion.h"

namespace camber::sensors {
namespace {

using test::distance;
using test::MadeMotion;
using test::norm;

// The formulas of MadeMotion themselves, by central differences: everything below rests on them.
TEST(MadeMotion, HasConsistentDerivatives) {
  const MadeMotion made;
  const double h = 1e-5;
  for (const double t : {0.13, 1.71, 4.02}) {
    const Motion a = made.at(t - h), m = made.at(t), b = made.at(t + h);
    EXPECT_LT(norm((b.pose.position - a.pose.position) * (0.5 / h) - m.velocity), 1e-8);
    EXPECT_LT(norm((b.velocity - a.velocity) * (0.5 / h) - m.acceleration), 1e-8);
    EXPECT_LT(norm((b.angular_velocity - a.angular_velocity) * (0.5 / h) - m.angular_acceleration),
              1e-7);
    for (int k = 0; k < 3; ++k)
      EXPECT_LT(norm((b.pose.rotation.c[k] - a.pose.rotation.c[k]) * (0.5 / h) -
                     cross(m.angular_velocity, m.pose.rotation.c[k])),
                1e-8);
  }
}

TEST(MotionTrack, HasTheStatesThemselves) {
  const MadeMotion made;
  const MotionTrack track = made.track(0.2, 0.3, 1e-3);
  const Motion state = made.at(0.2 + 1e-3 * 37), found = track.at(0.2 + 1e-3 * 37);
  EXPECT_EQ(norm(found.pose.position - state.pose.position), 0);
  EXPECT_EQ(norm(found.acceleration - state.acceleration), 0);
}

// Between states 1 ms apart the error is far below what sensors see.
TEST(MotionTrack, FollowsTheMotionBetweenStates) {
  const MadeMotion made;
  const MotionTrack track = made.track(0, 0.5, 1e-3);
  double position = 0, attitude = 0, velocity = 0, rate = 0;
  for (double t = 0.00037; t < 0.5; t += 0.00061) {
    const Motion truth = made.at(t), found = track.at(t);
    position = std::max(position, norm(found.pose.position - truth.pose.position));
    attitude = std::max(attitude, distance(found.pose.rotation, truth.pose.rotation));
    velocity = std::max(velocity, norm(found.velocity - truth.velocity));
    rate = std::max(rate, norm(found.angular_velocity - truth.angular_velocity));
  }
  EXPECT_LT(position, 1e-12);
  EXPECT_LT(attitude, 1e-12);
  EXPECT_LT(velocity, 1e-8);
  EXPECT_LT(rate, 1e-8);
}

TEST(MotionTrack, ErrorFallsSixteenfoldWhenTheStepHalves) {
  const MadeMotion made{.speed = 7, .wobble = 0.3, .bend = 0.9};
  const auto error = [&](double step) {
    const MotionTrack track = made.track(0, 1.2, step);
    double worst = 0;
    for (double t = 0.0031; t < 1.2; t += 0.0057)
      worst = std::max(worst, norm(track.at(t).pose.position - made.at(t).pose.position) +
                                  distance(track.at(t).pose.rotation, made.at(t).pose.rotation));
    return worst;
  };
  const double ratio = error(0.04) / error(0.02);
  EXPECT_GT(ratio, 14);
  EXPECT_LT(ratio, 18);
}

// Pose and velocity have no jump at a state, also where the states come from a rough motion.
TEST(MotionTrack, IsSmoothAcrossStates) {
  const MadeMotion made{.speed = 3, .wobble = 0.4, .bend = 1.1};
  const MotionTrack track = made.track(0, 0.6, 0.05);
  const double e = 1e-9;
  for (int k = 1; k < 12; ++k) {
    const Motion before = track.at(0.05 * k - e), after = track.at(0.05 * k + e);
    EXPECT_LT(norm(before.pose.position - after.pose.position), 1e-7);
    EXPECT_LT(norm(before.velocity - after.velocity), 1e-6);
    EXPECT_LT(norm(before.angular_velocity - after.angular_velocity), 1e-6);
  }
}

TEST(MotionTrack, VelocitiesAreDerivativesOfThePose) {
  const MadeMotion made{.speed = 3, .wobble = 0.4, .bend = 1.1};
  const MotionTrack track = made.track(0, 0.6, 0.05);
  const double h = 1e-6;
  for (double t = 0.013; t < 0.58; t += 0.0571) {
    const Motion a = track.at(t - h), m = track.at(t), b = track.at(t + h);
    EXPECT_LT(norm((b.pose.position - a.pose.position) * (0.5 / h) - m.velocity), 1e-7);
    for (int k = 0; k < 3; ++k)
      EXPECT_LT(norm((b.pose.rotation.c[k] - a.pose.rotation.c[k]) * (0.5 / h) -
                     cross(m.angular_velocity, m.pose.rotation.c[k])),
                1e-7);
  }
}

// Velocity and acceleration of a point off the origin, against differences of its positions.
TEST(MotionTrack, MountedPointsFollowFromDifferences) {
  const MadeMotion made;
  Pose mount;
  mount.position = {1.4, -0.6, 0.8};
  mount.rotation = rotation_of_vector({0.2, -0.1, 0.7});
  const double h = 1e-4, t = 0.83;
  const auto at = [&](double s) { return find_mounted_motion(made.at(s), mount); };
  const Motion a = at(t - h), m = at(t), b = at(t + h);
  EXPECT_LT(norm((b.pose.position - a.pose.position) * (0.5 / h) - m.velocity), 1e-5);
  EXPECT_LT(norm((a.pose.position + b.pose.position - m.pose.position * 2.0) * (1 / (h * h)) -
                 m.acceleration),
            1e-4);
}

// From velocities at unequal steps: the error falls fourfold when the steps halve.
TEST(MotionTrack, EstimatesAccelerationsToSecondOrder) {
  const MadeMotion motion;
  const auto error = [&](double h) {
    MotionTrack track(3);
    track.push(motion.at(0.7 - 1.6 * h));
    track.push(motion.at(0.7 - h));
    Motion next = motion.at(0.7);
    const Motion truth = next;
    estimate_accelerations(track, &next);
    return norm(next.acceleration - truth.acceleration) +
           norm(next.angular_acceleration - truth.angular_acceleration);
  };
  EXPECT_NEAR(error(2e-3) / error(1e-3), 4, 0.1);
  EXPECT_LT(error(1e-3), 1e-3);
}

TEST(MotionTrack, KeepsTheLastStatesAndRestoresThem) {
  const MadeMotion made;
  MotionTrack track(8);
  for (int k = 0; k < 21; ++k) track.push(made.at(0.01 * k));
  EXPECT_EQ(track.size(), 8U);
  EXPECT_DOUBLE_EQ(track.begin(), 0.13);
  StateWriter out;
  track.save(&out);
  MotionTrack other(8);
  StateReader in(out.values());
  other.restore(&in);
  in.finish();
  EXPECT_EQ(norm(track.at(0.1777).pose.position - other.at(0.1777).pose.position), 0);
  EXPECT_EQ(distance(track.at(0.1777).pose.rotation, other.at(0.1777).pose.rotation), 0);
}

}  // namespace
}  // namespace camber::sensors
