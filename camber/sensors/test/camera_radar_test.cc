// Cameras and radars: geometry by hand, noise by statistics.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/sensors/camera.h"
#include "camber/sensors/test/made_motion.h"
#include "camber/sensors/test/made_stage.h"

namespace camber::sensors {
namespace {

using test::at_height;
using test::MadeMotion;
using test::make_box;
using test::make_rest;
using test::Stage;

constexpr double kDegree = std::numbers::pi / 180;

SensorSpec make_spec(SensorKind kind) {
  SensorSpec spec;
  spec.name = "it";
  spec.fidelity = Fidelity::kIdeal;
  spec.kind = std::move(kind);
  return spec;
}

// 1280 pixels over 70 deg: 914.0.
TEST(Camera, HasTheFocalLengthOfItsFieldOfView) {
  EXPECT_NEAR(focal_length({.width = 1280, .field_of_view = 70 * kDegree}), 914.0, 0.05);
}

TEST(Camera, UndistortInvertsDistort) {
  const CameraSpec spec{.k1 = -0.28, .k2 = 0.08, .p1 = 0.002, .p2 = -0.001};
  for (double x = -0.6; x < 0.61; x += 0.13)
    for (double y = -0.35; y < 0.36; y += 0.07) {
      const auto [a, b] = distort(spec, x, y);
      const auto [u, v] = undistort(spec, a, b);
      EXPECT_NEAR(u, x, 1e-11);
      EXPECT_NEAR(v, y, 1e-11);
    }
}

// A point of the world, projected by hand with u = cx - f Y/X, v = cy - f Z/X, is where the pixel's
// ray goes.
TEST(Camera, PixelsLookWhereTheyShould) {
  const CameraSpec spec{.width = 640, .height = 360, .field_of_view = 70 * kDegree};
  const double f = 640 / (2 * std::tan(35 * kDegree));
  const double X = 12.3, Y = 2.1, Z = -0.9;
  const Vec3<double> d = pixel_direction(spec, 320 - f * Y / X, 180 - f * Z / X);
  EXPECT_NEAR(d[1] / d[0], Y / X, 1e-12);
  EXPECT_NEAR(d[2] / d[0], Z / X, 1e-12);
}

// Depth is along the axis: the same for every pixel of a wall across it. Classes and objects are
// those of what is there; the sky has none.
TEST(Camera, SeesDepthClassAndObject) {
  SensorSpec spec = make_spec(
      CameraSpec{.width = 160, .height = 90, .field_of_view = 70 * kDegree, .readout = 0});
  Stage stage(make_rest(at_height(1.5), 1), {}, {make_box(15, -4, 16, 4, 3)});
  const auto camera = make_sensor(spec, {}, 1);
  const CameraImage& image = *camera->image(camera->take(stage.readings()));
  const double f = focal_length(std::get<CameraSpec>(spec.kind));
  int wall = 0, ground = 0, sky = 0;
  for (int v = 0; v < 90; ++v)
    for (int u = 0; u < 160; ++u) {
      const int k = v * 160 + u;
      const double left = (80 - u - 0.5) / f, up = (45 - v - 0.5) / f;
      const bool is_wall = std::abs(15 * left) < 4 && 1.5 + 15 * up < 3 && 1.5 + 15 * up > 0;
      if (image.instance[k] == 1) {
        EXPECT_TRUE(is_wall);
        EXPECT_NEAR(image.depth[k], 15, 1e-4);
        EXPECT_EQ(image.labels[image.label[k]], "car");  // what a box without a name counts as
        ++wall;
      } else if (image.instance[k] == -1) {
        EXPECT_NEAR(image.depth[k], 1.5 / -up, 1e-4 * image.depth[k]);
        ++ground;
      } else {
        EXPECT_TRUE(std::isinf(image.depth[k]));
        EXPECT_GT(up, -0.02);
        ++sky;
      }
    }
  EXPECT_GT(wall, 500);
  EXPECT_GT(ground, 3000);
  EXPECT_GT(sky, 3000);
}

// Rolling shutter: from a vehicle that drives at 10 m/s past a post that is 10 m to its side, lower
// lines see it later, so that its edge leans by v t f / d pixels over the picture.
TEST(Camera, LinesAreTakenOneAfterTheOther) {
  SensorSpec spec = make_spec(
      CameraSpec{.width = 400, .height = 200, .field_of_view = 60 * kDegree, .readout = 0.05});
  spec.mount.pose.position = {0, 0, 2};
  spec.mount.pose.rotation = rotation_of_vector({0, 0, std::numbers::pi / 2});
  MotionTrack track(200);
  for (int k = 0; k < 150; ++k) {
    Motion m;
    m.time = 1e-3 * k;
    m.pose.position = {10 * m.time, 0, 0};
    m.velocity = {10, 0, 0};
    track.push(m);
  }
  Stage stage(std::move(track), {}, {make_box(0, 10, 3, 11, 9)});
  const auto camera = make_sensor(spec, {}, 1);
  const CameraImage& image = *camera->image(camera->take(stage.readings()));
  const double f = focal_length(std::get<CameraSpec>(spec.kind));
  const auto edge = [&](int line) {  // first pixel from the left that shows it
    for (int u = 0; u < 400; ++u)
      if (image.instance[line * 400 + u] == 1) return u;
    return -1;
  };
  const int high = edge(20), low = edge(95);
  ASSERT_GT(high, 0);
  ASSERT_GT(low, 0);
  // The camera looks to the left (+y), forward (+x) is to the right in the picture.
  const double expected = 10 * 0.05 * 75 / 200 * f / 10;
  EXPECT_NEAR(high - low, expected, 1.01);
}

TEST(Camera, StereoDisparityHasItsNoise) {
  CameraSpec own{.width = 320, .height = 200, .field_of_view = 20 * kDegree, .readout = 0};
  own.baseline = 0.3;
  own.disparity_sigma = 0.25;
  SensorSpec spec = make_spec(own);
  spec.fidelity = Fidelity::kFull;
  Stage stage(make_rest(at_height(6), 1), {}, {make_box(20, -30, 21, 30, 20)});
  const auto camera = make_sensor(spec, {}, 1);
  const CameraImage& image = *camera->image(camera->take(stage.readings()));
  const double truth = focal_length(own) * 0.3 / 20;
  double sum = 0, square = 0;
  for (const float d : image.disparity) {
    sum += d - truth;
    square += (d - truth) * (d - truth);
  }
  const double n = static_cast<double>(image.disparity.size());
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(std::sqrt(square / n), 0.25, 0.0075);
  EXPECT_EQ(image.right.size(), image.rgb.size());
}

// --- Radar ---

// A car ahead that drives away, by hand: range to its rear, azimuth of what is seen of it, and the
// difference of the speeds along the line.
TEST(Radar, MeasuresRangeAzimuthAndDoppler) {
  RadarSpec own{.azimuth_range = {-0.8, 0.8}, .elevation_range = {-0.05, 0.05}};
  own.ray_spacing = 0.004;
  SensorSpec spec = make_spec(own);
  spec.timing.phase = 0.5;
  spec.mount.pose.position = {2, 0, 0.6};
  world::MovingThing car = make_box(-2, -0.9, 2, 0.9, 1.5);
  car.track = {{0, 30, 8, 0}, {10, 180, 8, 0}};  // 15 m/s
  MotionTrack track(1100);
  for (int k = 0; k <= 1000; ++k) {
    Motion m;
    m.time = 1e-3 * k;
    m.pose.position = {9 * m.time, 0, 0};
    m.velocity = {9, 0, 0};
    track.push(m);
  }
  Stage stage(std::move(track), {}, {car});
  stage.scene->set_time(0.5, stage.motions);
  const auto radar = make_sensor(spec, {}, 1);
  const Sample& sample = radar->take(stage.readings());
  ASSERT_EQ(sample.values[0], 1);
  const double ahead = 30 + 7.5 - 4.5 - 2;  // to the car's middle at t = 0.5 s
  const double nearest = std::hypot(ahead - 2, 8 - 0.9);
  EXPECT_NEAR(sample.values[1], nearest, 0.2);
  const double azimuth = sample.values[1 + 64];
  EXPECT_GT(azimuth, std::atan2(7.1, ahead + 2));
  EXPECT_LT(azimuth, std::atan2(8.9, ahead - 2));
  EXPECT_NEAR(sample.values[1 + 128], 6 * std::cos(azimuth), 0.02);
  EXPECT_EQ(sample.values[1 + 256], 1);
}

// A class of -5 dBsm is seen half of the time at Rmax (sigma/sigma0)^(1/4), without fluctuation.
TEST(Radar, DetectsByTheRadarEquation) {
  RadarSpec own{.range = {0.2, 80}, .azimuth_range = {-0.1, 0.1}, .elevation_range = {-0.03, 0.03}};
  own.ray_spacing = 0.002;
  own.has_fluctuation = false;
  own.reference_cross_section = 10;
  SensorSpec spec = make_spec(own);
  spec.fidelity = Fidelity::kFull;
  const double range = 80 * std::pow(10, 0.1 * (-5 - 10) / 4);
  world::MovingThing person = make_box(-0.25, -0.25, 0.25, 0.25, 1.8);
  person.track = {{0, range + 0.25, 0, 0}};
  Stage stage(make_rest(at_height(1), 1000), {}, {person});
  const auto radar = make_sensor(spec, {}, 4);
  int seen = 0;
  double sum = 0;
  for (int k = 0; k < 2000; ++k) {
    const Sample& sample = radar->take(stage.readings());
    if (sample.values[0] == 0) continue;
    ++seen;
    sum += (sample.values[1] - range) * (sample.values[1] - range);
  }
  EXPECT_NEAR(seen / 2000.0, 0.5, 0.04);
  EXPECT_NEAR(std::sqrt(sum / seen) / 0.4, 1, 0.06);
}

}  // namespace
}  // namespace camber::sensors
