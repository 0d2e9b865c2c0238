#include "camber/live/hand_driver.h"

#include <cmath>

#include <gtest/gtest.h>

#include "camber/driveline/range_lever.h"
#include "camber/live/lease.h"

namespace camber::live {
namespace {

constexpr HandLimits kLimits{.lock = 0.6, .wheelbase = 3.3, .understeer = 0.003};
constexpr double kDt = 0.01;

autonomy::VehicleView at_speed(double speed) {
  autonomy::VehicleView view;
  view.speed = speed;
  return view;
}

HandInput keys(float steer, float throttle = 0, float brake = 0, std::uint32_t buttons = 0x10) {
  return {
      .is_driven = true, .steer = steer, .throttle = throttle, .brake = brake, .buttons = buttons};
}

/// The command after `seconds` of one input, from straight ahead.
autonomy::Command drive(const HandInput& input, double speed, double seconds, HandDriver* hand) {
  autonomy::Command command;
  const double start = hand->state().time;
  const int steps = static_cast<int>(std::lround(seconds / kDt));
  for (int i = 1; i <= steps; ++i) command = hand->update(input, at_speed(speed), start + i * kDt);
  return command;
}

HandDriver make_hand() {
  HandDriver hand(kLimits);
  hand.take_over(0, {}, false);
  return hand;
}

// Steady turning: a = v^2 / R and delta = l / R + K a, so that the lateral acceleration of a full
// key is the one that was asked for, at every speed that the lock does not limit.
TEST(HandDriver, AFullKeyAsksForTheSameLateralAccelerationAtEverySpeed) {
  for (const double speed : {6.0, 10.0, 17.0, 30.0}) {
    const double delta = hand::calc_steer_limit(kLimits, speed);
    const double a = delta / (kLimits.wheelbase / (speed * speed) + kLimits.understeer);
    EXPECT_NEAR(a, hand::kLateral, 1e-12) << speed;
  }
  for (const double speed : {0.0, 1.0, 4.0}) EXPECT_EQ(hand::calc_steer_limit(kLimits, speed), 0.6);
  HandDriver hand = make_hand();
  EXPECT_NEAR(drive(keys(1), 17, 5, &hand).steer, hand::calc_steer_limit(kLimits, 17), 1e-15);
  // With the key for full lock, or without assistance, it is the lock.
  EXPECT_NEAR(drive(keys(1, 0, 0, 0x12), 17, 5, &hand).steer, 0.6, 1e-15);
  EXPECT_NEAR(drive(keys(-1, 0, 0, 0x00), 17, 9, &hand).steer, -0.6, 1e-15);
}

// Straight lines over time: 0.6 rad/s out when slow, 1.5 times that back, twice through the center.
TEST(HandDriver, SteersAtTheRatesOfItsLaws) {
  HandDriver hand = make_hand();
  EXPECT_NEAR(drive(keys(1), 0, 0.5, &hand).steer, 0.30, 1e-12);
  EXPECT_NEAR(drive(keys(0), 0, 0.2, &hand).steer, 0.30 - 0.9 * 0.2, 1e-12);
  EXPECT_NEAR(drive(keys(1), 0, 0.3, &hand).steer, 0.12 + 0.6 * 0.3, 1e-12);
  EXPECT_NEAR(drive(keys(-1), 0, 0.25, &hand).steer, 0.0, 1e-12);       // 1.2 rad/s
  EXPECT_NEAR(drive(keys(-1), 0, 0.5, &hand).steer, -0.30, 2 * 0.012);  // then 0.6
  HandDriver fast = make_hand();
  EXPECT_NEAR(drive(keys(1, 0, 0, 0x12), 20, 1, &fast).steer, 0.2, 1e-12);
  EXPECT_NEAR(hand::calc_steer_rate(0, 1, 10), 0.4, 1e-12);
  EXPECT_NEAR(hand::calc_steer_rate(0, 1, 60), 0.2, 1e-12);
}

TEST(HandDriver, PressesPedalsAtTheRatesOfItsLaws) {
  HandDriver hand = make_hand();
  EXPECT_NEAR(drive(keys(0, 1), 5, 0.3, &hand).throttle, 0.6, 1e-12);
  EXPECT_NEAR(drive(keys(0, 1), 5, 0.3, &hand).throttle, 1.0, 1e-12);
  EXPECT_NEAR(drive(keys(0, 0), 5, 0.1, &hand).throttle, 0.6, 1e-12);
  EXPECT_NEAR(drive(keys(0, 0, 1), 5, 0.2, &hand).brake, 0.6, 1e-12);
  EXPECT_NEAR(drive(keys(0, 0, 0), 5, 0.05, &hand).brake, 0.3, 1e-12);
}

// y = (1 - e) x + e x^3 beyond the dead zone.
TEST(HandDriver, ShapesAStickAndTakesAWheelAsItIs) {
  EXPECT_EQ(hand::shape_stick(0.06), 0);
  EXPECT_EQ(hand::shape_stick(-0.05), 0);
  EXPECT_NEAR(hand::shape_stick(1), 1, 1e-15);
  EXPECT_NEAR(hand::shape_stick(-0.53), -(0.65 * 0.5 + 0.35 * 0.125), 1e-12);
  HandInput wheel = keys(0.4f, 0.7f, 0.2f, 0);
  wheel.device = Device::kWheel;
  HandDriver hand = make_hand();
  const autonomy::Command command = hand.update(wheel, at_speed(25), kDt);
  EXPECT_NEAR(command.steer, 0.4f * 0.6, 1e-12);
  EXPECT_NEAR(command.throttle, 0.7f, 1e-12);
  EXPECT_NEAR(command.brake, 0.2f, 1e-12);
}

TEST(HandDriver, HoldsThenBrakesWhenItsDriverIsSilent) {
  HandDriver hand = make_hand();
  drive(keys(1, 1), 10, 0.2, &hand);
  const double steer = hand.state().steer;
  HandInput silent = keys(1, 1);
  silent.silence = Silence::kHold;
  autonomy::Command command = drive(silent, 10, 0.5, &hand);
  EXPECT_EQ(command.steer, steer);
  EXPECT_EQ(command.throttle, 0);
  EXPECT_EQ(command.brake, 0);
  silent.silence = Silence::kBrake;
  command = drive(silent, 10, 0.5, &hand);
  EXPECT_EQ(command.steer, steer);
  EXPECT_NEAR(command.brake, hand::kSilentBrake, 1e-12);
}

TEST(HandDriver, MovesTheSelectorAtRestOnly) {
  HandDriver hand = make_hand();
  const HandInput reverse = keys(0, 0, 0, 0x18);
  EXPECT_EQ(hand.update(reverse, at_speed(3), 0.01).selector, 0);
  EXPECT_FALSE(hand.is_reverse());
  EXPECT_EQ(hand.update(reverse, at_speed(0.1), 0.02).selector, -1);
  EXPECT_TRUE(hand.is_reverse());
  EXPECT_EQ(hand.update(keys(0), at_speed(0.1), 0.03).selector, -1);
  EXPECT_EQ(hand.update(keys(0, 0, 0, 0x14), at_speed(0.1), 0.04).selector, 1);
}

// The lever of the transfer case moves at rest, once per choice, and stays through a change of drivers.
TEST(HandDriver, MovesTheRangeAtRestOnly) {
  HandDriver hand = make_hand();
  constexpr std::uint32_t kHigh = 1u << 6, kLow = 2u << 6;
  EXPECT_EQ(drive(keys(0, 0, 0, kLow), 3, 0.1, &hand).selector, 0);
  EXPECT_EQ(hand.range(), 0);
  EXPECT_EQ(drive(keys(0, 0, 0, kLow), 0, kDt, &hand).selector, driveline::kLowRange);
  EXPECT_EQ(drive(keys(0, 0, 0, kLow), 0, 0.2, &hand).selector, 1);
  EXPECT_EQ(hand.range(), 2);
  hand.release();
  hand.take_over(1, {}, false);
  EXPECT_EQ(hand.range(), 2);
  EXPECT_EQ(drive(keys(0, 0, 0, 0), 0, kDt, &hand).selector, 1);
  EXPECT_EQ(drive(keys(0, 0, 0, kHigh), 0, kDt, &hand).selector, driveline::kHighRange);
}

TEST(HandDriver, HoldsTheSpeedOnAGrade) {
  HandDriver hand = make_hand();
  double speed = 8, throttle = 0;
  drive(keys(0, 0.4f, 0, 0x20), speed, 0.5, &hand);
  // A vehicle that needs a throttle of 0.3 to keep its speed.
  for (int i = 0; i < 6000; ++i) {
    throttle = hand.update(keys(0, 0, 0, 0x20), at_speed(speed), 0.5 + i * kDt).throttle;
    speed += kDt * 4 * (throttle - 0.3);
  }
  EXPECT_NEAR(speed, 8, 0.01);
  EXPECT_NEAR(throttle, 0.3, 0.01);
}

TEST(HandDriver, GoesOnFromASavedStateBitForBit) {
  HandDriver hand = make_hand();
  drive(keys(0.7f, 0.5f), 7, 0.37, &hand);
  const HandDriver::State saved = hand.state();
  const autonomy::Command first = drive(keys(-1, 0, 1), 9, 0.5, &hand);
  hand.set_state(saved);
  const autonomy::Command second = drive(keys(-1, 0, 1), 9, 0.5, &hand);
  EXPECT_EQ(first.steer, second.steer);
  EXPECT_EQ(first.throttle, second.throttle);
  EXPECT_EQ(first.brake, second.brake);
}

TEST(Lease, BelongsToOneAndEndsBySilence) {
  Lease lease;
  EXPECT_TRUE(lease.take(3, false, 10));
  EXPECT_FALSE(lease.take(4, false, 10));
  EXPECT_FALSE(lease.may_control(4));
  HandInput input{.client = 4, .number = 1, .steer = 1};
  EXPECT_FALSE(lease.hear(input, 10));
  EXPECT_EQ(lease.input().steer, 0);
  input.client = 3;
  EXPECT_TRUE(lease.hear(input, 10.1));
  EXPECT_FALSE(lease.pass(10.39));
  EXPECT_EQ(lease.input().silence, Silence::kNone);
  EXPECT_FALSE(lease.pass(10.41));
  EXPECT_EQ(lease.input().silence, Silence::kHold);
  EXPECT_FALSE(lease.pass(11.11));
  EXPECT_EQ(lease.input().silence, Silence::kBrake);
  EXPECT_TRUE(lease.hear(input, 11.2));  // there again
  EXPECT_EQ(lease.input().silence, Silence::kNone);
  EXPECT_TRUE(lease.pass(16.3));
  EXPECT_EQ(lease.driver(), 0u);
  EXPECT_TRUE(lease.input().is_driven);  // it stays braked
  EXPECT_EQ(lease.input().silence, Silence::kBrake);
  EXPECT_TRUE(lease.release(9));  // anybody may give it to the scenario's driver
  EXPECT_FALSE(lease.input().is_driven);
  EXPECT_TRUE(lease.take(5, false, 20));
  EXPECT_TRUE(lease.take(6, true, 20));  // by force
  EXPECT_EQ(lease.driver(), 6u);
  lease.leave(6, 21);
  lease.pass(21);
  EXPECT_EQ(lease.input().silence, Silence::kHold);  // who is gone is silent at once
}

}  // namespace
}  // namespace camber::live
