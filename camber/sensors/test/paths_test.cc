// Ways of signals over walls and over the ground: satellites and radar.

#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/sensors/gnss_paths.h"
#include "camber/sensors/radar.h"
#include "camber/sensors/satellites.h"
#include "camber/sensors/test/made_motion.h"
#include "camber/sensors/test/made_stage.h"

namespace camber::sensors {
namespace {

using test::at_height;
using test::make_box;
using test::make_rest;
using test::norm;
using test::Stage;

constexpr double kDegree = std::numbers::pi / 180;

Vec3<double> direction(double azimuth_deg, double elevation_deg) {  // from x to y
  const double a = azimuth_deg * kDegree, e = elevation_deg * kDegree;
  return {std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)};
}

// One wall to the left, 7 m away, from x = -40 to 60 m, 25 m high. A satellite at the right, 35 deg
// high, is seen directly and by the wall. The length of the reflected way by hand: through the mirror
// image of the antenna, projected on the satellite's direction.
TEST(SignalPath, ReflectsAtAWallAsTheMirrorImageSays) {
  const Stage stage(make_rest(at_height(0), 1), {}, {make_box(-40, 7, 60, 8, 25)});
  const Vec3<double> antenna(1.3, 0.4, 1.9);
  const auto walls = find_walls(*stage.scene, antenna, 300);
  ASSERT_EQ(walls.size(), 1U);
  EXPECT_NEAR(walls[0].distance, 6.6, 1e-9);
  const Vec3<double> s = direction(-50, 35);
  const SignalPath path = find_path(*stage.scene, antenna, walls, s, 300);
  EXPECT_TRUE(path.is_direct);
  ASSERT_TRUE(path.is_reflected);
  const Vec3<double> image(antenna[0], 2 * 7 - antenna[1], antenna[2]);
  EXPECT_NEAR(path.detour, dot(antenna - image, s), 1e-9);
  // Too high: the mirrored ray passes above the wall's upper edge.
  EXPECT_FALSE(find_path(*stage.scene, antenna, walls, direction(-90, 78), 300).is_reflected);
  // Behind the wall: hidden, and not reflected.
  const SignalPath behind = find_path(*stage.scene, antenna, walls, direction(90, 30), 300);
  EXPECT_FALSE(behind.is_direct);
  EXPECT_FALSE(behind.is_reflected);
}

// In a street between two walls a satellite behind one of them is heard by the other alone: its range
// is too long by the detour.
TEST(SignalPath, HearsHiddenSatellitesByTheOtherSideOfAStreet) {
  const Stage stage(make_rest(at_height(0), 1), {},
                    {make_box(-90, 9, 90, 10, 20), make_box(-90, -10, 90, -9, 20)});
  const Vec3<double> antenna(0, 0, 2);
  const auto walls = find_walls(*stage.scene, antenna, 300);
  ASSERT_EQ(walls.size(), 2U);
  // 18 m to rise over 9 m: direct is hidden below 63 deg; by the other wall it comes over 27 m.
  const Vec3<double> s = direction(90, 50);
  const SignalPath path = find_path(*stage.scene, antenna, walls, s, 300);
  EXPECT_FALSE(path.is_direct);
  ASSERT_TRUE(path.is_reflected);
  EXPECT_NEAR(path.detour, 2 * 9 * s[1], 1e-9);
  EXPECT_DOUBLE_EQ(calc_range_error(path, 0.4), path.detour);
}

// Both ways together: never more than the envelope a/(1 - a) detour, zero without a reflection, and odd
// about half a wavelength.
TEST(SignalPath, ErrorsStayInTheEnvelope) {
  double largest = 0, smallest = 0;
  for (double detour = 0.5; detour < 20; detour += 0.0131) {
    const double error = calc_range_error({true, true, detour}, 0.4);
    EXPECT_LE(error, 0.4 / 1.4 * detour + 1e-12);
    EXPECT_GE(error, -0.4 / 0.6 * detour - 1e-12);
    largest = std::max(largest, error / detour);
    smallest = std::min(smallest, error / detour);
  }
  EXPECT_NEAR(largest, 0.4 / 1.4, 1e-3);
  EXPECT_NEAR(smallest, -0.4 / 0.6, 1e-3);
  EXPECT_EQ(calc_range_error({true, false, 7}, 0.4), 0);
}

// Ranges that belong to a receiver elsewhere, and to a wrong clock, give its place.
TEST(Satellites, PositionErrorsAreThoseOfLeastSquares) {
  const std::vector<Vec3<double>> lines = {direction(10, 20), direction(95, 55), direction(170, 33),
                                           direction(-60, 71), direction(-120, 12)};
  const Vec3<double> moved(2.1, -0.7, 3.4);
  std::vector<double> errors;
  for (const Vec3<double>& s : lines) errors.push_back(-dot(s, moved) + 5.5);
  EXPECT_NEAR(norm(find_position_error(lines, errors) - moved), 0, 1e-12);
  EXPECT_EQ(norm(find_position_error(std::span(lines).first(3), std::span(errors).first(3))), 0);
}

// A receiver in a street is farther off than under the open sky, with the same draws of noise.
TEST(Gnss, MultipathMovesItInAStreet) {
  GnssSpec gnss;
  gnss.has_sky_mask = true;
  SensorSpec spec;
  spec.name = "gnss";
  spec.timing.rate = 1;
  const auto take = [&](bool has_multipath) {
    gnss.has_multipath = has_multipath;
    spec.kind = gnss;
    Stage stage(make_rest(at_height(2), 10), {},
                {make_box(-200, 12, 200, 13, 18), make_box(-200, -13, 200, -12, 18)});
    const auto sensor = make_sensor(spec, {}, 3);
    return sensor->take(stage.readings()).values;
  };
  const auto without = take(false), with = take(true);
  ASSERT_EQ(without[11], 1);
  EXPECT_GT(with[12], without[12]);  // those that come by reflection alone
  const double moved = std::hypot(with[6] - without[6], with[7] - without[7], with[8] - without[8]);
  EXPECT_GT(moved, 0.5);
  EXPECT_LT(moved, 100);
}

// --- Radar ---

TEST(RadarPattern, HasAQuarterAtHalfItsWidthThereAndBack) {
  const RadarSpec spec{.beam_width = {0.2, 0.1}};
  EXPECT_DOUBLE_EQ(calc_antenna_pattern(spec, 0, 0), 1);
  EXPECT_NEAR(calc_antenna_pattern(spec, 0.1, 0), 0.25, 1e-12);
  EXPECT_NEAR(calc_antenna_pattern(spec, 0, -0.05), 0.25, 1e-12);
  EXPECT_NEAR(calc_antenna_pattern(spec, 0.1, 0.05), 0.0625, 1e-12);
  EXPECT_EQ(calc_antenna_pattern(RadarSpec{}, 1, 1), 1);
}

// Fresnel: -1 at grazing incidence, (n - 1)/(n + 1) straight down, none at Brewster's angle
// tan(grazing) = 1/n.
TEST(GroundMultipath, ReflectsByFresnel) {
  RadarSpec spec{.ground_permittivity = 4, .ground_roughness = 0};
  EXPECT_NEAR(calc_ground_reflection(spec, 1e-9), -1, 1e-8);
  EXPECT_NEAR(calc_ground_reflection(spec, 90 * kDegree), 1.0 / 3, 1e-12);
  EXPECT_NEAR(calc_ground_reflection(spec, std::atan(0.5)), 0, 1e-12);
  // Ament: exp(-2 (k s sin)^2) is left of it.
  const double smooth = calc_ground_reflection(spec, 0.3);
  spec.ground_roughness = 5e-4;
  const double phase = 2 * std::numbers::pi / spec.wavelength * 5e-4 * std::sin(0.3);
  EXPECT_NEAR(calc_ground_reflection(spec, 0.3) / smooth, std::exp(-2 * phase * phase), 1e-12);
}

// The sum of both ways as complex numbers, with lengths from coordinates; and for smooth ground far
// away the known law (2 sin(2 pi h1 h2 / (lambda R)))^4.
TEST(GroundMultipath, IsTheInterferenceOfBothWays) {
  const RadarSpec spec{.wavelength = 12.3e-3, .ground_permittivity = 6, .ground_roughness = 2e-4};
  for (double R = 5; R < 300; R *= 1.07) {
    const double h1 = 0.53, h2 = 0.81, k = 2 * std::numbers::pi / spec.wavelength;
    const double direct = std::hypot(R, h2 - h1), over = std::hypot(R, h2 + h1);
    const std::complex<double> sum =
        1.0 + calc_ground_reflection(spec, std::atan((h1 + h2) / R)) *
                  std::exp(std::complex<double>(0, k * (over - direct)));
    EXPECT_NEAR(calc_ground_multipath(spec, h1, h2, R), std::norm(sum) * std::norm(sum), 1e-9);
  }
  const RadarSpec smooth{.ground_permittivity = 5, .ground_roughness = 0};
  for (const double R : {3000.0, 4111.0, 9000.0}) {
    const double sine = std::sin(2 * std::numbers::pi * 0.5 * 0.7 / (smooth.wavelength * R));
    EXPECT_NEAR(calc_ground_multipath(smooth, 0.5, 0.7, R), std::pow(2 * sine, 4), 0.02);
  }
}

// The share of scans in which a car is detected follows the interference: with multipath it is another
// one, and where the ground is hidden by a low wall there is none.
TEST(GroundMultipath, NeedsTheWayOverTheGround) {
  RadarSpec own{.range = {0.2, 60}, .azimuth_range = {-0.1, 0.1}, .elevation_range = {-0.1, 0.1}};
  own.ray_spacing = 0.004;
  own.has_fluctuation = false;
  own.range_sigma = own.azimuth_sigma = own.speed_sigma = 0;
  SensorSpec spec;
  spec.name = "radar";
  spec.mount.pose.position = {0, 0, 0.7};
  const auto section = [&](bool has_multipath, bool has_wall) {
    own.has_ground_multipath = has_multipath;
    spec.kind = own;
    world::MovingThing car = make_box(-2, -0.9, 2, 0.9, 1.4);
    car.name = "car";
    car.track = {{0, 20, 0, 0}};
    std::vector<world::MovingThing> things = {car};
    if (has_wall) things.push_back(make_box(8, -3, 8.2, 3, 0.15));
    Stage stage(make_rest(Pose{}, 10), {}, things);
    const auto radar = make_sensor(spec, {}, 1);
    for (int k = 0; k < 50; ++k) {
      const Sample& sample = radar->take(stage.readings());
      for (int i = 0; i < sample.values[0]; ++i)
        if (sample.values[1 + 4 * 64 + i] == 1) return sample.values[1 + 3 * 64 + i];
    }
    return -999.0;
  };
  const double without = section(false, false), with = section(true, false);
  EXPECT_NEAR(without, 10, 1e-9);
  ASSERT_GT(with, -900);
  EXPECT_GT(std::abs(with - without), 0.1);
  EXPECT_NEAR(section(true, true), without, 1e-6);
}

// Doppler speed against the difference of ranges at two times, for a post at rest seen from a vehicle
// that drives and turns, with the radar at a corner of it.
TEST(RadarDoppler, IsTheRateOfTheRange) {
  RadarSpec own{.azimuth_range = {-0.9, 0.9}, .elevation_range = {-0.02, 0.02}};
  own.ray_spacing = 0.002;
  SensorSpec spec;
  spec.name = "radar";
  spec.fidelity = Fidelity::kIdeal;
  spec.mount.pose.position = {2.1, 0.8, 0};
  spec.mount.pose.rotation = rotation_of_vector({0, 0, 0.3});
  spec.kind = own;
  const test::MadeMotion motion{.speed = 12, .wobble = 0};
  // A thin post: what is seen of it is a point.
  const Vec3<double> post(25, 9, 0);
  world::MovingThing thing = make_box(-0.02, -0.02, 0.02, 0.02, 4);
  thing.track = {{0, post[0], post[1], 0}};
  const auto range_at = [&](double t) {
    const Motion at = find_mounted_motion(motion.at(t), spec.mount.pose);
    return std::hypot(post[0] - at.pose.position[0], post[1] - at.pose.position[1]);
  };
  for (const double t : {0.1, 0.37, 0.8}) {
    spec.timing.phase = t;
    Stage stage(motion.track(0, 1, 1e-3), {}, {thing});
    const auto radar = make_sensor(spec, {}, 1);
    const Sample& sample = radar->take(stage.readings());
    ASSERT_EQ(sample.values[0], 1) << t;
    EXPECT_NEAR(sample.values[1 + 128], (range_at(t + 1e-4) - range_at(t - 1e-4)) / 2e-4, 0.02);
  }
}

// A thin post that drives beside a wall is seen twice: where it is, and in the mirror of the wall, at the
// mirror image's range and azimuth, with the rate of that way's length. Without the wall, or with a
// curb too low to be in the way, there is no ghost.
TEST(RadarGhosts, AreAtTheMirrorImageWithTheRateOfItsRange) {
  RadarSpec own{.range = {0.2, 80}, .azimuth_range = {-0.9, 0.9}, .elevation_range = {-0.02, 0.02}};
  own.ray_spacing = 0.0007;
  own.has_ghosts = true;
  SensorSpec spec;
  spec.name = "radar";
  spec.fidelity = Fidelity::kIdeal;
  spec.mount.pose.position = {2.1, 0.3, 0.6};
  const test::MadeMotion motion{.speed = 12, .wobble = 0};
  const auto post_at = [](double t) { return std::array<double, 2>{24 - 3 * t, -2 + 1.5 * t}; };
  world::MovingThing post = make_box(-0.03, -0.03, 0.03, 0.03, 4);
  constexpr double kWall = 9.4;
  const auto ghost_range_at = [&](double t) {
    const Motion at = find_mounted_motion(motion.at(t), spec.mount.pose);
    const auto [x, y] = post_at(t);
    return std::hypot(x - at.pose.position[0], 2 * kWall - y - at.pose.position[1]);
  };
  const auto at = [&](const Sample& sample, int quantity, int k) {
    return sample.values[1 + 64 * quantity + k];
  };
  for (const double t : {0.1, 0.45}) {
    spec.timing.phase = t;
    spec.kind = own;
    // The stage shows things where their tracks start.
    post.track = {{0, post_at(t)[0], post_at(t)[1], 0},
                  {2, post_at(t + 2)[0], post_at(t + 2)[1], 0}};
    Stage stage(motion.track(0, 1, 1e-3), {}, {make_box(-20, kWall, 70, kWall + 0.5, 6), post});
    const auto radar = make_sensor(spec, {}, 1);
    const Sample& sample = radar->take(stage.readings());
    ASSERT_EQ(sample.values[0], 3) << t;  // wall, post, ghost of the post
    EXPECT_EQ(at(sample, 5, 0) + at(sample, 5, 1), 0);
    EXPECT_EQ(at(sample, 5, 2), 1);
    EXPECT_EQ(at(sample, 4, 2), 2);  // the post
    EXPECT_NEAR(at(sample, 0, 2), ghost_range_at(t), 0.05);
    const Motion from = find_mounted_motion(motion.at(t), spec.mount.pose);
    const Vec3<double> line = transpose_times(
        from.pose.rotation,
        Vec3<double>(post_at(t)[0], 2 * kWall - post_at(t)[1], 0.6) - from.pose.position);
    EXPECT_NEAR(at(sample, 1, 2), std::atan2(line[1], line[0]), 0.003);
    EXPECT_NEAR(at(sample, 2, 2), (ghost_range_at(t + 1e-4) - ghost_range_at(t - 1e-4)) / 2e-4,
                0.05);

    Stage open(motion.track(0, 1, 1e-3), {}, {make_box(-20, kWall, 70, kWall + 0.5, 0.1), post});
    const auto other = make_sensor(spec, {}, 1);
    EXPECT_EQ(other->take(open.readings()).values[0], 1) << t;
  }
}

// A ghost's cross section is that of the object less four reflections of the amplitude; none of it
// changes what is received directly.
TEST(RadarGhosts, LoseThePowerOfTheirReflections) {
  RadarSpec own{.range = {0.2, 60}, .azimuth_range = {-0.9, 0.9}, .elevation_range = {-0.02, 0.02}};
  own.ray_spacing = 0.003;
  own.has_fluctuation = false;
  own.reference_cross_section = -40;  // everything is detected
  SensorSpec spec;
  spec.name = "radar";
  world::MovingThing car = make_box(-2, -0.9, 2, 0.9, 1.4);
  car.name = "car";
  car.track = {{0, 22, -2, 0}};
  const auto take = [&](bool has_ghosts, double reflection) {
    own.has_ghosts = has_ghosts;
    own.wall_reflection = reflection;
    spec.kind = own;
    Stage stage(make_rest(at_height(0.7), 10), {}, {make_box(-20, 8, 70, 8.5, 6), car});
    return make_sensor(spec, {}, 1)->take(stage.readings()).values;
  };
  const std::vector<double> plain = take(false, 0.4), with = take(true, 0.4),
                            weak = take(true, 0.1);
  ASSERT_EQ(plain[0], 2);
  ASSERT_EQ(with[0], 3);
  for (int quantity = 0; quantity < 5; ++quantity)
    for (int k = 0; k < 2; ++k)
      EXPECT_EQ(with[1 + 64 * quantity + k], plain[1 + 64 * quantity + k]);
  EXPECT_NEAR(with[1 + 64 * 3 + 2], 10 + 40 * std::log10(0.4), 1e-9);
  EXPECT_NEAR(weak[1 + 64 * 3 + 2], 10 + 40 * std::log10(0.1), 1e-6);
}

}  // namespace
}  // namespace camber::sensors
