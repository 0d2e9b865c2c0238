#include "camber/dynamics/body_contact.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace camber::dynamics {
namespace {

using terrain::Plane;
using terrain::Terrain;

const BodyContactLaw kLaw = {
    .stiffness = 4.2e5, .damping = 0.7, .max_depth = 0.09, .friction = 0.37, .soft_speed = 0.03};

Ground make_ground(const Terrain& terrain) { return {&terrain, RigidGround{}, 1}; }

math::Mat3<double> rotation_about_z(double a) {
  const double c = std::cos(a), s = std::sin(a);
  return {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};  // columns
}

// On a slope of 0.3 and 0.2, by hand: depth along the normal, force along it, friction downhill's
// opposite, torque by the arm.
TEST(BodyContact, PushesAlongTheNormalOfASlope) {
  Terrain terrain;
  terrain.base = Plane{.height = 1.3, .slope_x = 0.3, .slope_y = 0.2};
  terrain.friction = terrain::RegionMap<double>(0.8);
  Ground ground = make_ground(terrain);
  const Vec3<double> p(1.1, -0.4, -0.2);
  const BodyContact contact({p}, kLaw);
  BodyMotion body;
  body.p_WB = {2.0, 5.0, 1.3 + 0.3 * 3.1 + 0.2 * 4.6 + 0.2 - 0.05};  // 5 cm below, measured upward
  body.v_WB = {0.6, 0.1, -0.4};
  body.w_WB = {0.2, -0.3, 0.5};
  const BodyContactLoad load = contact.calc(body, &ground);

  const double root = std::sqrt(1 + 0.09 + 0.04);
  const Vec3<double> n(-0.3 / root, -0.2 / root, 1 / root);
  // v + w x p
  const Vec3<double> v(0.6 + (-0.3 * -0.2 - 0.5 * -0.4), 0.1 + (0.5 * 1.1 - 0.2 * -0.2),
                       -0.4 + (0.2 * -0.4 + 0.3 * 1.1));
  const double vn = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
  const double N = 4.2e5 * (0.05 / root) * (1 - 0.7 * vn);
  const Vec3<double> s(v[0] - vn * n[0], v[1] - vn * n[1], v[2] - vn * n[2]);
  const double share =
      0.37 * 0.8 * N / std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 0.03 * 0.03);
  const Vec3<double> F(N * n[0] - share * s[0], N * n[1] - share * s[1], N * n[2] - share * s[2]);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(load.force[k], F[k], 1e-9 * N) << k;
  EXPECT_NEAR(load.torque[0], -0.4 * F[2] + 0.2 * F[1], 1e-9 * N);
  EXPECT_NEAR(load.torque[1], -0.2 * F[0] - 1.1 * F[2], 1e-9 * N);
  EXPECT_NEAR(load.torque[2], 1.1 * F[1] + 0.4 * F[0], 1e-9 * N);
  EXPECT_NEAR(load.power, F[0] * v[0] + F[1] * v[1] + F[2] * v[2], 1e-9 * N);
  EXPECT_NEAR(load.depth, 0.05 / root, 1e-14);
}

TEST(BodyContact, IsTheSameInARotatedWorld) {
  const double a = 0.83, c = std::cos(a), s = std::sin(a);
  Terrain one, other;
  one.base = Plane{.slope_x = 0.21, .slope_y = -0.12};
  other.base = Plane{.slope_x = c * 0.21 + s * 0.12, .slope_y = s * 0.21 - c * 0.12};
  Ground ground = make_ground(one), rotated = make_ground(other);
  const BodyContact contact({{1.2, 0.3, -0.25}, {-0.9, -0.5, -0.31}, {0.1, 0.7, -0.28}}, kLaw);
  const math::Mat3<double> R = rotation_about_z(a);
  BodyMotion body;
  body.p_WB = {0.4, 0.2, 0.22};
  body.v_WB = {1.5, -0.7, -0.3};
  body.w_WB = {-0.2, 0.4, 0.1};
  BodyMotion turned = body;
  turned.R_WB = R;
  turned.p_WB = R * body.p_WB;
  turned.v_WB = R * body.v_WB;
  turned.w_WB = R * body.w_WB;
  const BodyContactLoad here = contact.calc(body, &ground), there = contact.calc(turned, &rotated);
  ASSERT_GT(here.depth, 0.01);
  const Vec3<double> force = R * here.force, torque = R * here.torque;
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(there.force[k], force[k], 1e-9 * kLaw.stiffness);
    EXPECT_NEAR(there.torque[k], torque[k], 1e-9 * kLaw.stiffness);
  }
  EXPECT_NEAR(there.power, here.power, 1e-9 * kLaw.stiffness);
}

/// A box of 800 kg with points at its bottom corners, dropped and thrown along the ground. Semi-implicit
/// steps; it does not rotate.
struct Slide {
  double min_energy_change = 0, max_energy_change = 0;  // per step [J]
  double distance = 0, speed = 0, height = 0;
};
Slide throw_box(double drop, double speed, double friction) {
  Terrain terrain;
  terrain.base = Plane{};
  Ground ground = make_ground(terrain);
  constexpr double kMass = 800, kGravity = 9.80665, kStep = 1e-4;
  BodyContactLaw law = make_body_contact_law(kMass * kGravity);
  law.friction = friction;
  const BodyContact contact({{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0}}, law);
  BodyMotion body;
  body.p_WB = {0, 0, drop};
  body.v_WB = {speed, 0, 0};
  Slide slide;
  const auto stored = [&] {
    const double depth = std::max(0.0, -body.p_WB[2]);
    return 0.5 * kMass * dot(body.v_WB, body.v_WB) + kMass * kGravity * body.p_WB[2] +
           4 * 0.5 * law.stiffness * depth * depth;
  };
  double before = stored();
  for (int i = 0; i < 60000; ++i) {
    const BodyContactLoad load = contact.calc(body, &ground);
    body.v_WB += (load.force * (1 / kMass) + Vec3<double>(0, 0, -kGravity)) * kStep;
    body.p_WB += body.v_WB * kStep;
    const double now = stored();
    slide.max_energy_change = std::max(slide.max_energy_change, now - before);
    slide.min_energy_change = std::min(slide.min_energy_change, now - before);
    before = now;
  }
  slide.distance = body.p_WB[0];
  slide.speed = body.v_WB[0];
  slide.height = body.p_WB[2];
  return slide;
}

// The energy of a dropped body, its springs' included, never grows; it comes to rest where its four
// points carry its weight: a quarter of 2 cm deep.
TEST(BodyContact, TakesTheEnergyOfABodyThatFalls) {
  const Slide slide = throw_box(0.4, 0, 0.4);
  EXPECT_LT(slide.max_energy_change, 2e-2);  // the step's error; 3,100 J fell
  EXPECT_LT(slide.min_energy_change, -1);
  EXPECT_NEAR(slide.height, -0.005, 1e-5);
}

// Coulomb: v^2 / (2 mu g).
TEST(BodyContact, SlidesAsFarAsFrictionLetsIt) {
  const Slide slide = throw_box(-0.005, 6, 0.4);
  EXPECT_NEAR(slide.distance, 36 / (2 * 0.4 * 9.80665), 0.02);
  EXPECT_LT(std::abs(slide.speed), 1e-3);
}

// Beyond max_depth the body crushes.
TEST(BodyContact, HasABoundedForce) {
  Terrain terrain;
  terrain.base = Plane{.height = 3};
  Ground ground = make_ground(terrain);
  const BodyContact contact({{0, 0, 0}}, kLaw);
  BodyMotion body;
  body.v_WB = {0, 0, -20};
  EXPECT_DOUBLE_EQ(contact.calc(body, &ground).force[2], 4.2e5 * 0.09 * 3);
}

TEST(BodyContact, LooksAheadByTheReach) {
  Terrain plane, bumpy;
  plane.base = Plane{.slope_x = 0.1};
  bumpy.base = Plane{.slope_x = 0.1};
  bumpy.bumps = {{.shape = terrain::BumpShape::kStep, .x = 50, .height = 1}};
  const BodyContact contact({{1.5, 0.2, -0.3}}, kLaw);
  for (const Terrain* terrain : {&plane, &bumpy}) {
    Ground ground = make_ground(*terrain);
    BodyMotion body;
    body.p_WB = {0, 0, 0.15 + 0.3 + 0.08};
    EXPECT_TRUE(contact.is_near(body, 0.0801, &ground));
    EXPECT_FALSE(contact.is_near(body, 0.0799, &ground));
  }
  Ground ground = make_ground(plane);
  EXPECT_FALSE(BodyContact().is_near({}, 100, &ground));
}

// Against the eight corners one by one.
TEST(BodyContact, FindsTheLowestCornerOfABox) {
  using math::Lanes;
  const BodyBox box{{-1.9, -0.8, -0.31}, {2.3, 0.7, 0.15}};
  const PlaneGround<double> plane{.height = 0.4, .slope_x = 0.11, .slope_y = -0.23};
  const PlaneGround<Lanes<4>> lane_plane{plane.height, plane.slope_x, plane.slope_y};
  const BasicBodyBox<Lanes<4>> lane_box{{box.min[0], box.min[1], box.min[2]},
                                        {box.max[0], box.max[1], box.max[2]}};
  std::mt19937 random(31);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 50; ++round) {
    const math::Mat3<double> R = math::rotation_of_quaternion(normal(random), normal(random),
                                                              normal(random), normal(random));
    const Vec3<double> p(normal(random), normal(random), normal(random));
    double lowest = HUGE_VAL;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3<double> at = p + R * Vec3<double>((corner & 1 ? box.max : box.min)[0],
                                                   (corner & 2 ? box.max : box.min)[1],
                                                   (corner & 4 ? box.max : box.min)[2]);
      lowest = std::min(lowest, at[2] - (0.4 + 0.11 * at[0] - 0.23 * at[1]));
    }
    EXPECT_NEAR(calc_lowest_height(plane, R, p, box), lowest, 1e-13) << round;
    math::Mat3<Lanes<4>> lane_R;
    Vec3<Lanes<4>> lane_p;
    for (int i = 0; i < 3; ++i) {
      lane_p.e[i] = p[i];
      for (int k = 0; k < 3; ++k) lane_R.c[i].e[k] = R.c[i][k];
    }
    EXPECT_EQ(calc_lowest_height(lane_plane, lane_R, lane_p, lane_box).lane(2),
              calc_lowest_height(plane, R, p, box));
  }
}

// Edges of the outline belong to it; places of wheels do not.
TEST(BodyContact, FindsTheUndersideOfAShape) {
  const vehicle::Shape shape{.boxes = {{.min = {-2, -0.8, -0.2}, .max = {2, 0.8, 0.6}},
                                       {.min = {-2, -0.8, -0.5}, .max = {-1.5, 0.8, 0}}}};
  const std::vector<WheelRoom> wheels = {{.x = 1.2, .y = 0.8, .radius = 0.4, .half_width = 0.1}};
  const std::vector<Vec3<double>> points = find_underside(shape, wheels);
  double front = 0, lowest = 0;
  int at_wheel = 0;
  for (const Vec3<double>& p : points) {
    front = std::max(front, p[0]);
    lowest = std::min(lowest, p[2]);
    at_wheel += std::abs(p[0] - 1.2) <= 0.4 && p[1] > 0.7 ? 1 : 0;
    EXPECT_DOUBLE_EQ(p[2], p[0] < -1.5 ? -0.5 : -0.2);
  }
  EXPECT_NEAR(front, 2, 1e-5);
  EXPECT_DOUBLE_EQ(lowest, -0.5);
  EXPECT_EQ(at_wheel, 0);
  EXPECT_GE(points.size(), 36U);
  EXPECT_TRUE(find_underside({}, wheels).empty());
}

TEST(BodyContact, RefusesLawsThatCannotBe) {
  EXPECT_THROW(BodyContact({{0, 0, 0}}, {.stiffness = 0}), std::invalid_argument);
  EXPECT_THROW(BodyContact({{0, 0, 0}}, {.stiffness = 1e5, .friction = -0.1}),
               std::invalid_argument);
  EXPECT_THROW(BodyContact({{0, 0, 0}}, {.stiffness = std::numeric_limits<double>::quiet_NaN()}),
               std::invalid_argument);
}

}  // namespace
}  // namespace camber::dynamics
