// What cameras add to a picture: optical flow, blur, daylight; and animated PNG.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/temporary_folder.h"
#include "camber/scene/daylight.h"
#include "camber/sensors/animated_png.h"
#include "camber/sensors/camera.h"
#include "camber/sensors/test/made_motion.h"
#include "camber/sensors/test/made_stage.h"
#include "camber/terrain/raster_file.h"

namespace camber::sensors {
namespace {

using test::at_height;
using test::MadeMotion;
using test::make_box;
using test::make_rest;
using test::Stage;

constexpr double kDegree = std::numbers::pi / 180;

SensorSpec make_camera_spec(const CameraSpec& camera) {
  SensorSpec spec;
  spec.name = "camera";
  spec.fidelity = Fidelity::kIdeal;
  spec.timing.phase = 0.4;
  spec.mount.pose.position = {0.3, -0.2, 1.1};
  spec.mount.pose.rotation = rotation_of_vector({0.02, 0.05, -0.1});
  spec.kind = camera;
  return spec;
}

/// Where a point of the world is in a picture that is taken at a time: the projection by hand.
std::array<double, 2> project(const CameraSpec& spec, const MadeMotion& motion, const Pose& mount,
                              const Vec3<double>& point, double time) {
  const Motion at = find_mounted_motion(motion.at(time), mount);
  const Vec3<double> X = transpose_times(at.pose.rotation, point - at.pose.position);
  const auto [x, y] = distort(spec, -X[1] / X[0], -X[2] / X[0]);
  const double f = focal_length(spec);
  return {0.5 * spec.width + f * x, 0.5 * spec.height + f * y};
}

// Optical flow against differences of the projection of the point that a pixel shows: on the ground,
// which is at rest, on a car that drives and turns, and for the sky. The camera drives, turns, has a
// lens with distortion and a rolling shutter.
TEST(OpticalFlow, IsTheDerivativeOfTheProjection) {
  const MadeMotion motion{.speed = 9};
  CameraSpec own{.width = 120, .height = 80, .field_of_view = 75 * kDegree, .readout = 0.03};
  own.k1 = -0.2, own.k2 = 0.05, own.p1 = 0.003, own.p2 = -0.002;
  own.has_flow = true;
  const SensorSpec spec = make_camera_spec(own);
  world::MovingThing car = make_box(-2.1, -0.9, 2.1, 0.9, 1.6);
  car.track = {{0, 15, 5, -0.6}, {2, 22, 1, 0.2}};
  Stage stage(motion.track(0, 1, 1e-3), {}, {car});
  const auto camera = make_sensor(spec, {}, 1);
  const CameraImage& image = *camera->image(camera->take(stage.readings()));
  ASSERT_EQ(image.flow.size(), image.depth.size());
  constexpr double h = 1e-4;  // [s]
  int on_car = 0, on_ground = 0, in_sky = 0;
  for (int v = 0; v < own.height; ++v)
    for (int u = 0; u < own.width; ++u) {
      const int k = v * own.width + u;
      const double time = 0.4 + own.readout * v / own.height;
      const Motion at = find_mounted_motion(motion.at(time), spec.mount.pose);
      const Vec3<double> d = at.pose.rotation * pixel_direction(own, u + 0.5, v + 0.5);
      const double depth = image.depth[k];
      const bool is_sky = std::isinf(depth), is_car = image.instance[k] == 1;
      const double range =
          is_sky ? 1e9 : depth / pixel_direction(own, u + 0.5, v + 0.5)[0];  // the sky is far away
      const Vec3<double> point = at.pose.position + d * range;
      const auto where = [&](double t) {  // of the point at another time
        if (!is_car) return point;
        const auto a = car.at(time), b = car.at(t);
        const double turn = b.yaw - a.yaw, c = std::cos(turn), s = std::sin(turn);
        const double x = point[0] - a.x, y = point[1] - a.y;
        return Vec3<double>(b.x + c * x - s * y, b.y + s * x + c * y, point[2]);
      };
      const auto a = project(own, motion, spec.mount.pose, where(time - h), time - h),
                 b = project(own, motion, spec.mount.pose, where(time + h), time + h);
      // Depth is a float: 6e-8 of it, over a car that is 10 m away.
      const double size = 1 + std::hypot(image.flow[k][0], image.flow[k][1]);
      EXPECT_NEAR(image.flow[k][0], (b[0] - a[0]) / (2 * h), 2e-4 * size) << u << " " << v;
      EXPECT_NEAR(image.flow[k][1], (b[1] - a[1]) / (2 * h), 2e-4 * size) << u << " " << v;
      (is_car ? on_car : is_sky ? in_sky : on_ground) += 1;
    }
  EXPECT_GT(on_car, 100);
  EXPECT_GT(on_ground, 1000);
  EXPECT_GT(in_sky, 1000);
}

// What is fixed to the camera's own vehicle stands still in the picture.
TEST(OpticalFlow, IsZeroOnTheOwnVehicle) {
  CameraSpec own{.width = 60, .height = 40, .field_of_view = 80 * kDegree};
  own.has_flow = true;
  SensorSpec spec = make_camera_spec(own);
  VehicleLook look;
  look.boxes = {{{0.8, -0.9, 0.2}, {2.5, 0.9, 0.7}}};
  Stage stage(MadeMotion{}.track(0, 1, 1e-3), {}, {}, look);
  const auto camera = make_sensor(spec, {}, 1);
  const CameraImage& image = *camera->image(camera->take(stage.readings()));
  int own_pixels = 0;
  for (std::size_t k = 0; k < image.flow.size(); ++k)
    if (image.instance[k] == 0) {
      EXPECT_EQ(image.flow[k], (std::array<float, 2>{0, 0}));
      ++own_pixels;
    }
  EXPECT_GT(own_pixels, 200);
}

TEST(OpticalFlow, FilesHaveTheDisplacementsUntilTheNextPicture) {
  TemporaryFolder folder;
  CameraImage image;
  image.width = 2, image.height = 1, image.period = 0.1;
  image.rgb.resize(6), image.depth = {3, 4}, image.label = {0, 1}, image.instance = {-1, 2};
  image.flow = {{10, -20}, {0.5F, 7}};
  write_image((folder.path() / "a").string(), image);
  const std::string text = read_file((folder.path() / "a-flow.flo").string(), 1000);
  ASSERT_EQ(text.size(), 12U + 16U);
  EXPECT_EQ(text.substr(0, 4), "PIEH");
  float values[4];
  std::memcpy(values, text.data() + 12, sizeof values);
  EXPECT_FLOAT_EQ(values[0], 1);
  EXPECT_FLOAT_EQ(values[1], -2);
  EXPECT_FLOAT_EQ(values[2], 0.05F);
  EXPECT_FLOAT_EQ(values[3], 0.7F);
}

// A post that is passed at v = 8 m/s, d = 6 m away, sweeps over f v T / d = 17 pixels in an exposure of
// T = 40 ms. Where it passes a pixel for part of the time only, the pixel is a mixture of both: the
// post's darkness in a line, summed over its pixels, is the same with and without blur.
TEST(Camera, BlursWhatMovesDuringTheExposure) {
  CameraSpec own{.width = 300, .height = 8, .field_of_view = 60 * kDegree, .readout = 0};
  const double f = focal_length(own);
  SensorSpec spec = make_camera_spec(own);
  spec.timing.phase = 0.1;
  spec.mount.pose = {};
  spec.mount.pose.position = {0, 0, 1.5};
  spec.mount.pose.rotation = rotation_of_vector({0, 0, std::numbers::pi / 2});
  const auto take = [&](double exposure, int samples) {
    std::get<CameraSpec>(spec.kind).exposure_time = exposure;
    std::get<CameraSpec>(spec.kind).blur_samples = samples;
    MotionTrack track(400);
    for (int k = 0; k < 400; ++k) {
      Motion m;
      m.time = 1e-3 * k;
      m.pose.position = {8 * m.time, 0, 0};
      m.velocity = {8, 0, 0};
      track.push(m);
    }
    Stage stage(std::move(track), {}, {make_box(0.7, 6, 1.1, 6.3, 9)});
    const auto camera = make_sensor(spec, {}, 1);
    const CameraImage image = *camera->image(camera->take(stage.readings()));
    std::vector<double> line;  // darkness of the post against the sky, in linear light
    for (int u = 0; u < own.width; ++u) {
      const double s = image.rgb[3 * u] / 255.0;  // the highest line: sky
      line.push_back(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
    }
    const double sky = line[10];
    for (double& value : line) value = sky - value;
    return line;
  };
  // At rest in time: the middle of the exposure.
  const std::vector<double> sharp = take(0.04, 1), blurred = take(0.04, 32);
  const auto width = [](const std::vector<double>& line) {
    return static_cast<double>(
        std::ranges::count_if(line, [](double x) { return std::abs(x) > 0.01; }));
  };
  const auto sum = [](const std::vector<double>& line) {
    double total = 0;
    for (const double x : line) total += x;
    return total;
  };
  const double sweep = f * 8 * 0.04 / 6;
  EXPECT_NEAR(width(blurred) - width(sharp), sweep * 31 / 32, 1.6);
  EXPECT_NEAR(sum(blurred) / sum(sharp), 1, 0.03);
}

TEST(Camera, AutomaticExposureMakesAMiddleGray) {
  CameraSpec own{.width = 64, .height = 48, .readout = 0};
  own.has_auto_exposure = true;
  own.date = scene::parse_utc("2026-06-21T01:25");  // dusk in Michigan
  SensorSpec spec = make_camera_spec(own);
  Stage stage(make_rest(at_height(1), 2), {}, {});
  const auto camera = make_sensor(spec, {}, 1);
  const CameraImage& image = *camera->image(camera->take(stage.readings()));
  double sum = 0;
  for (const std::uint8_t byte : image.rgb) {
    const double s = byte / 255.0;
    sum += s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  }
  EXPECT_NEAR(sum / static_cast<double>(image.rgb.size()), 0.18, 0.02);
}

// Against the same picture without it, in linear light: 1 at the axis, cos^4 of the angle to it in
// the corners, half of the loss for half of the key.
TEST(Camera, VignettingFollowsTheFourthPowerOfTheCosine) {
  CameraSpec own{.width = 64, .height = 48, .field_of_view = 80 * kDegree, .readout = 0};
  own.exposure = 0.6;
  const auto take = [&](double vignetting) {
    own.vignetting = vignetting;
    Stage stage(make_rest(at_height(1), 2), {}, {});
    const auto camera = make_sensor(make_camera_spec(own), {}, 1);
    std::vector<double> light;
    for (const std::uint8_t byte : camera->image(camera->take(stage.readings()))->rgb) {
      const double s = byte / 255.0;
      light.push_back(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
    }
    return light;
  };
  const std::vector<double> even = take(0), half = take(0.5), full = take(1);
  int compared = 0;
  const double f = 32 / std::tan(40 * kDegree);
  for (int v = 0; v < 48; ++v) {
    for (int u = 0; u < 64; ++u) {
      const double across = std::hypot(u + 0.5 - 32, v + 0.5 - 24) / f;
      const double cosine = 1 / std::sqrt(1 + across * across);
      for (int c = 0; c < 3; ++c) {
        const std::size_t k = 3 * (64 * v + u) + c;
        if (even[k] < 0.2 || even[k] > 0.98) continue;  // steps of 8 bits; saturated
        EXPECT_NEAR(full[k] / even[k], std::pow(cosine, 4), 0.03) << u << ", " << v;
        EXPECT_NEAR(half[k] / even[k], 0.5 + 0.5 * std::pow(cosine, 4), 0.03);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

// --- Animated PNG ---

TEST(AnimatedPng, HasEveryPictureWithItsPixels) {
  std::vector<std::string> pictures;
  for (int k = 0; k < 3; ++k) {
    std::vector<std::uint8_t> bytes(3 * 4 * 5);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(37 * i + k);
    pictures.push_back(terrain::encode_png(4, 5, 3, bytes));
  }
  const std::string text = join_png(pictures, 0.25);
  // The first picture alone is the file without its animation chunks.
  std::string kinds, data;
  for (std::size_t at = 8; at < text.size();) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
    const std::size_t length =
        static_cast<std::size_t>(byte(0)) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
    kinds += text.substr(at + 4, 4) + " ";
    if (text.substr(at + 4, 4) == "fdAT") data += text.substr(at + 12, length - 4);
    at += 12 + length;
  }
  EXPECT_EQ(kinds, "IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND ");
  const auto pixels_of = [](const std::string& png) {
    const std::size_t at = png.find("IDAT") + 4;
    return png.substr(at, png.find("IEND") - 8 - at);
  };
  EXPECT_EQ(data, pixels_of(pictures[1]) + pixels_of(pictures[2]));
}

TEST(AnimatedPng, RefusesWhatDoesNotGoTogether) {
  const std::vector<std::uint8_t> bytes(3 * 4 * 5);
  const std::string small = terrain::encode_png(4, 5, 3, bytes),
                    other = terrain::encode_png(5, 4, 3, bytes);
  std::string broken = small;
  broken[small.find("IDAT") + 6] ^= 1;
  const auto why = [](const std::vector<std::string>& pictures) -> std::string {
    try {
      join_png(pictures, 0.1);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(why({}).find("no pictures"), std::string::npos);
  EXPECT_NE(why({small, other}).find("another size"), std::string::npos);
  EXPECT_NE(why({"GIF89a"}).find("not a PNG"), std::string::npos);
  EXPECT_NE(why({small.substr(0, 30)}).find("cut off"), std::string::npos);
  EXPECT_NE(why({broken}).find("damaged"), std::string::npos);
}

}  // namespace
}  // namespace camber::sensors
