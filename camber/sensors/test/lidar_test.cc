// LIDAR: where and when its rays go, what comes back, and what its errors are.

#include "camber/sensors/lidar.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/temporary_folder.h"
#include "camber/sensors/drive_scene.h"
#include "camber/sensors/lane_random.h"
#include "camber/sensors/lidar_lanes.h"
#include "camber/sensors/noise.h"
#include "camber/sensors/point_cloud.h"
#include "camber/sensors/sensor.h"
#include "camber/sensors/sensor_file.h"
#include "camber/sensors/test/made_motion.h"
#include "camber/sensors/test/made_stage.h"

namespace camber::sensors {
namespace {

using test::at_height;
using test::MadeMotion;
using test::make_box;
using test::make_rest;
using test::norm;
using test::Stage;

constexpr double kDegree = std::numbers::pi / 180;

SensorSpec load(const char* name) {
  SensorSpec spec = load_sensor(std::string("models/sensors/") + name + ".toml");
  spec.name = name;
  return spec;
}

LidarSpec& lidar_of(SensorSpec* spec) { return std::get<LidarSpec>(spec->kind); }

// --- Pattern ---

// Velodyne VLP-16 User Manual, section 8.1: firings every 55.296 us, lasers 2.304 us apart, in the
// order -15, 1, -13, 3 ... deg.
TEST(LidarPattern, FiresAsTheManualSays) {
  const SensorSpec spec = load("lidar-16-beam");
  const auto pattern = make_lidar_pattern(std::get<LidarSpec>(spec.kind), 10);
  ASSERT_EQ(pattern->rays.size(), 1808U * 16);
  const double order[] = {-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15};
  for (const int n : {0, 1, 900, 1807})
    for (int k = 0; k < 16; ++k) {
      const LidarPattern::Ray& ray = pattern->rays[n * 16 + k];
      const double time = 55.296e-6 * n + 2.304e-6 * k;
      EXPECT_NEAR(ray.time, time, 1e-15);
      EXPECT_NEAR(ray.elevation, order[k] * kDegree, 1e-12);
      const double azimuth = -360 * kDegree * 10 * time;  // clockwise
      EXPECT_NEAR(std::remainder(ray.azimuth - azimuth, 2 * std::numbers::pi), 0, 1e-9);
      EXPECT_NEAR(std::atan2(ray.direction[1], ray.direction[0]), ray.azimuth, 1e-12);
      EXPECT_NEAR(std::asin(ray.direction[2]), ray.elevation, 1e-12);
      EXPECT_NEAR(ray.ring, (order[k] + 15) / 2, 1e-12);
    }
}

// Two lasers in a slot; 694,444 points a second.
TEST(LidarPattern, ThirtyTwoBeamsFireInPairs) {
  const SensorSpec spec = load("lidar-32-beam");
  const auto pattern = make_lidar_pattern(std::get<LidarSpec>(spec.kind), 10);
  EXPECT_NEAR(static_cast<double>(pattern->rays.size()) * 10, 694444, 400);
  EXPECT_DOUBLE_EQ(pattern->rays[5].time, pattern->rays[4].time);
  EXPECT_NEAR(pattern->rays[31].time, 15 * 1.152e-6, 1e-15);
}

TEST(LidarPattern, SixtyFourBeamsMakeAFan) {
  const SensorSpec spec = load("lidar-64-beam");
  const auto pattern = make_lidar_pattern(std::get<LidarSpec>(spec.kind), 10);
  EXPECT_NEAR(static_cast<double>(pattern->rays.size()) * 10, 1.3e6, 0.05e6);
  double low = 1, high = -1;
  for (int k = 0; k < 64; ++k) {
    low = std::min(low, pattern->rays[k].azimuth);
    high = std::max(high, pattern->rays[k].azimuth);
  }
  EXPECT_NEAR(low, -8.5214 * kDegree, 1e-9);
  EXPECT_NEAR(high, 9.9437 * kDegree, 1e-9);
}

// Pixels of a flash are uniform in the tangent of their angles and all at once.
TEST(LidarPattern, FlashIsAPicture) {
  const SensorSpec spec = load("lidar-flash");
  const auto pattern = make_lidar_pattern(std::get<LidarSpec>(spec.kind), 20);
  ASSERT_EQ(pattern->rays.size(), 128U * 128);
  EXPECT_EQ(pattern->duration, 0);
  const auto left = [&](int column) {
    const Vec3<double>& d = pattern->rays[64 * 128 + column].direction;
    return d[1] / d[0];
  };
  EXPECT_NEAR(left(3) - left(4), left(100) - left(101), 1e-12);
  EXPECT_NEAR(left(0), std::tan(22.5 * kDegree) * 127 / 128, 1e-12);
}

TEST(LidarPattern, EveryRayIsCastOnce) {
  for (const char* name : {"lidar-16-beam", "lidar-flash", "lidar-solid-state"}) {
    const SensorSpec spec = load(name);
    const auto pattern = make_lidar_pattern(std::get<LidarSpec>(spec.kind), 10);
    std::vector<std::uint32_t> sorted = pattern->order;
    std::ranges::sort(sorted);
    for (std::uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
    for (std::uint32_t i = 0; i < sorted.size(); ++i)
      ASSERT_EQ(pattern->order[pattern->place[i]], i);
  }
}

TEST(LidarPattern, TablesGiveTimesAndAngles) {
  LidarSpec spec;
  spec.pattern = LidarSpec::Pattern::kTable;
  spec.table = {{0, 0.1, -0.2}, {0.01, -0.4, 0.05}};
  const auto pattern = make_lidar_pattern(spec, 10);
  EXPECT_DOUBLE_EQ(pattern->rays[1].time, 0.01);
  EXPECT_NEAR(std::asin(pattern->rays[1].direction[2]), 0.05, 1e-12);
  spec.table.push_back({0.005, 0, 0});
  EXPECT_THROW(make_lidar_pattern(spec, 10), std::invalid_argument);
}

// --- Geometry ---

// In a box, ranges, angles and times of every return are exact. The expected
// range is that of a ray from inside a rectangular room, by hand.
TEST(Check33, RangesInABoxAreExact) {
  SensorSpec spec = load("lidar-16-beam");
  spec.fidelity = Fidelity::kIdeal;
  lidar_of(&spec).min_range = 0;
  const double z = 1.7, x0 = -7.5, x1 = 9.25, y0 = -6.1, y1 = 5.3;
  Pose pose = at_height(z);
  pose.rotation = rotation_of_vector({0, 0, 0.37});
  Stage stage(make_rest(pose, 1), {},
              {make_box(x1, y0 - 1, x1 + 1, y1 + 1, 9), make_box(x0 - 1, y0 - 1, x0, y1 + 1, 9),
               make_box(x0 - 1, y1, x1 + 1, y1 + 1, 9), make_box(x0 - 1, y0 - 1, x1 + 1, y0, 9)});
  const auto lidar = make_sensor(spec, {}, 1);
  const Sample& sample = lidar->take(stage.readings());
  const PointCloud& cloud = *lidar->cloud(sample);
  ASSERT_EQ(cloud.points.size(), cloud.pattern->rays.size());
  double worst = 0;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const LidarPattern::Ray& ray = cloud.pattern->rays[cloud.points[i].ray];
    ASSERT_EQ(cloud.points[i].ray, i);
    EXPECT_EQ(cloud.time(i), ray.time);
    const Vec3<double> o = pose.position + pose.rotation * ray.origin,
                       d = pose.rotation * ray.direction;
    double range = d[2] < 0 ? -o[2] / d[2] : 1e9;
    range = std::min(range, ((d[0] > 0 ? x1 : x0) - o[0]) / d[0]);
    range = std::min(range, ((d[1] > 0 ? y1 : y0) - o[1]) / d[1]);
    worst = std::max(worst, std::abs(range - cloud.points[i].range));
  }
  EXPECT_LT(worst, 1e-9);
}

// A wall and the ground, seen at 10 m/s from a vehicle that
// turns, pitches and rolls, are planes to 1e-6 m once each point is placed by the pose of its time.
// The poses here come from the formulas, not from the track that the sensor interpolates.
TEST(Check33, MovingScanUndistortsToAPlane) {
  SensorSpec spec = load("lidar-16-beam");
  spec.fidelity = Fidelity::kIdeal;
  spec.mount.pose.position = {0.6, -0.1, 1.1};
  spec.mount.pose.rotation = rotation_of_vector({0.02, 0.05, -0.2});
  const MadeMotion made{.speed = 10};
  Stage stage(made.track(0, 0.2, 1e-3), {}, {make_box(20, -60, 21, 60, 30)});
  const auto lidar = make_sensor(spec, {}, 1);
  lidar->take(stage.readings());
  const Sample& sample = lidar->take(stage.readings());  // from 0.1 s on
  const PointCloud& cloud = *lidar->cloud(sample);
  ASSERT_GT(cloud.points.size(), 15000U);
  double wall = 0, ground = 0, distorted = 0, placed = 0;
  int on_wall = 0;
  const Motion start = find_mounted_motion(made.at(0.1), spec.mount.pose);
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const Motion at = find_mounted_motion(made.at(cloud.time(i)), spec.mount.pose);
    const Vec3<double> p = at.pose.position + at.pose.rotation * cloud.position(i);
    const Vec3<double> naive = start.pose.position + start.pose.rotation * cloud.position(i);
    const bool is_ground = cloud.points[i].instance == -1;
    on_wall += is_ground ? 0 : 1;
    double& error = is_ground ? ground : wall;
    error = std::max(error, std::abs(is_ground ? p[2] : p[0] - 20));
    if (!is_ground) distorted = std::max(distorted, std::abs(naive[0] - 20));
    placed = std::max(placed, norm(p - cloud.points[i].world));
  }
  EXPECT_GT(on_wall, 2000);
  EXPECT_LT(wall, 1e-6);
  EXPECT_LT(ground, 1e-6);
  EXPECT_LT(placed, 1e-6);
  EXPECT_GT(distorted, 0.3);  // what the motion does to a scan that is taken for one instant
}

// A thing that moves is met where it is at the time of the ray: a box that comes at 12 m/s, within
// the half millisecond that poses of things are held.
TEST(Lidar, SeesThingsWhereTheyAre) {
  SensorSpec spec = load("lidar-16-beam");
  spec.fidelity = Fidelity::kIdeal;
  world::MovingThing car = make_box(0, -20, 4, 20, 5);
  car.track = {{0, 30, 0, 0}, {1, 18, 0, 0}};
  Stage stage(make_rest(at_height(1.5), 1), {}, {car});
  const auto lidar = make_sensor(spec, {}, 1);
  lidar->take(stage.readings());
  const Sample& sample = lidar->take(stage.readings());
  const PointCloud& cloud = *lidar->cloud(sample);
  int count = 0;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const CloudPoint& point = cloud.points[i];
    if (point.instance == -1 || point.world[2] > 4.99) continue;
    if (std::abs(point.world[1]) > 19.9) continue;
    EXPECT_EQ(cloud.labels[point.label], "car");
    EXPECT_NEAR(point.world[0], 30 - 12 * cloud.time(i), 12 * 0.6e-3);
    ++count;
  }
  EXPECT_GT(count, 500);
}

TEST(Lidar, SeesItsOwnVehicleWhenAsked) {
  SensorSpec spec = load("lidar-16-beam");
  spec.fidelity = Fidelity::kIdeal;
  lidar_of(&spec).min_range = 0;
  spec.mount.pose.position = {0, 0, 0.8};
  VehicleLook look;
  look.boxes = {{{-2.5, -1.1, -0.4}, {2.5, 1.1, 0.5}}};  // the roof is 0.3 m below the sensor
  const MadeMotion made{.speed = 9};
  for (const bool sees : {true, false}) {
    lidar_of(&spec).sees_own_vehicle = sees;
    Stage stage(made.track(0, 0.2, 1e-3), {}, {}, look);
    const auto lidar = make_sensor(spec, {}, 1);
    const PointCloud& cloud = *lidar->cloud(lidar->take(stage.readings()));
    int own = 0;
    for (std::size_t i = 0; i < cloud.points.size(); ++i) {
      if (cloud.points[i].instance != 0) continue;
      ++own;
      EXPECT_NEAR(cloud.position(i)[2], -0.3, 1e-9);  // moves with the sensor
    }
    EXPECT_EQ(own > 1000, sees);
    EXPECT_EQ(own == 0, !sees);
  }
}

// --- Signal ---

TEST(LidarSignal, FollowsTheRangeLaw) {
  LidarSpec spec;
  spec.max_range = 100;
  EXPECT_NEAR(calc_signal(spec, 0.8, 1, 100, 0), 1, 1e-12);
  EXPECT_NEAR(calc_signal(spec, 0.8, 1, 50, 0), 4, 1e-12);
  // A target of 10 % at 0.354 of the range of one of 80 %.
  EXPECT_NEAR(calc_signal(spec, 0.1, 1, 100 * std::sqrt(0.125), 0), 1, 1e-12);
  EXPECT_NEAR(calc_signal(spec, 0.8, 0.5, 50, 0.01), 2 * std::exp(-1.0), 1e-12);
  EXPECT_NEAR(calc_detection(1), 0.5, 1e-12);
  EXPECT_GT(calc_detection(2), 0.99);
  EXPECT_LT(calc_detection(0.5), 0.01);
}

// Rain of 10 mm/h: 1.076 R^0.67 dB/km (ITU-R P.1814). Fog: 3.912/V at 550 nm by definition.
TEST(LidarSignal, ExtinctionIsThatOfTheSources) {
  const double db_per_km = calc_extinction({.rain = 10}, 905e-9) * 1000 * 10 / std::log(10.0);
  EXPECT_NEAR(db_per_km, 1.076 * std::pow(10, 0.67), 0.003);
  EXPECT_NEAR(calc_extinction({.visibility = 200}, 550e-9), 3.912 / 200, 1e-12);
  EXPECT_NEAR(calc_extinction({.visibility = 3000}, 905e-9),
              3.912 / 3000 * std::pow(905.0 / 550, -(0.16 * 3 + 0.34)), 1e-12);
  EXPECT_NEAR(calc_extinction({.dust = 0.03}, 905e-9), 0.03, 1e-12);
}

/// A head-on wall at `range`, seen by a flash of one spot; many scans.
struct Spot {
  SensorSpec spec;
  double range = 20;

  Spot() {
    LidarSpec lidar;
    lidar.pattern = LidarSpec::Pattern::kFlash;
    lidar.columns = lidar.rows = 100;
    lidar.azimuth_range = lidar.elevation_range = {-0.001, 0.001};
    lidar.quantum = 0;
    lidar.dropout = 0;
    lidar.divergence = {0, 0};
    spec.name = "spot";
    spec.timing.rate = 10;
    spec.kind = lidar;
  }
  LidarSpec& lidar() { return std::get<LidarSpec>(spec.kind); }
  std::vector<CloudPoint> take(int scans) const {
    Stage stage(make_rest(at_height(5), 1000), {}, {make_box(range, -9, range + 1, 9, 20)});
    const auto sensor = make_sensor(spec, {}, 31);
    std::vector<CloudPoint> points;
    for (int k = 0; k < scans; ++k) {
      const auto& cloud = *sensor->cloud(sensor->take(stage.readings()));
      points.insert(points.end(), cloud.points.begin(), cloud.points.end());
    }
    return points;
  }
};

double deviation_from(const std::vector<CloudPoint>& points, double range) {
  double sum = 0;
  for (const CloudPoint& p : points) sum += (p.range - range) * (p.range - range);
  return std::sqrt(sum / static_cast<double>(points.size()));
}

TEST(LidarNoise, InLanesHasTheBitsOfOneByOne) {
  const RayRandom random(0x9d2c5680a1b2c3d4, 0x1234567890);
  std::vector<double> uniforms(40003), normals(40003);
  draw_uniforms_and_normals(random, 4294960000U, 16, uniforms, normals);  // the counter wraps
  int differences = 0;
  for (std::size_t k = 0; k < uniforms.size(); ++k) {
    const auto u = random.uniforms(4294960000U + static_cast<std::uint32_t>(k), 16);
    differences += uniforms[k] == u[0] && normals[k] == internal::normal_quantile(u[1]) ? 0 : 1;
  }
  EXPECT_EQ(differences, 0);
}

TEST(LidarNoise, PairsInLanesHaveTheBitsOfOneByOne) {
  const RayRandom random(0x9d2c5680a1b2c3d4, 0x1234567890);
  std::vector<double> a(40003), b(40003);
  draw_normals(random, 4294960000U, 1, a, b);
  int differences = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const auto x = random.normals(4294960000U + static_cast<std::uint32_t>(k), 1);
    differences += a[k] == x[0] && b[k] == x[1] ? 0 : 1;
  }
  EXPECT_EQ(differences, 0);
}

// Detection, range and intensity of each ray by the functions of one; signals from none to far more
// than enough, many of them where detection is a matter of luck.
TEST(LidarReturns, InLanesHaveTheBitsOfOneByOne) {
  LidarSpec spec = std::get<LidarSpec>(load("lidar-16-beam").kind);
  RandomStream random(11);
  int found_count = 0, by_luck = 0;
  for (int round = 0; round < 20000; ++round) {
    spec.dropout = round % 3 == 0 ? 0.2 : 0.002;
    spec.quantum = round % 5 == 0 ? 0 : 0.002;
    const double bias = random.uniform(-0.02, 0.02), min_cosine = 0.08;
    EchoColumns echoes;
    for (int l = 0; l < 8; ++l) {
      echoes.range[l] = random.uniform() < 0.1 ? INFINITY : random.uniform(0.5, 130);
      echoes.cosine[l] = random.uniform();
      echoes.reflectivity[l] = random.uniform() < 0.1 ? 0 : random.uniform();
      echoes.retroreflection[l] = random.uniform() < 0.8 ? 0 : random.uniform(0, 0.1);
      echoes.chance[l] = random.uniform();
      echoes.noise[l] = random.normal();
    }
    ReturnColumns returns;
    const unsigned found = measure_returns(spec, bias, min_cosine, echoes, &returns);
    for (int l = 0; l < 8; ++l) {
      SCOPED_TRACE(testing::Message() << "round " << round << ", lane " << l);
      const double diffuse = echoes.reflectivity[l] * echoes.cosine[l],
                   retro = echoes.retroreflection[l];
      const double signal = calc_signal(spec, diffuse + 100 * retro, 1, echoes.range[l], 0);
      const double luck = (echoes.chance[l] - spec.dropout) / (1 - spec.dropout);
      const double range = quantize(signal * echoes.range[l] / signal + bias +
                                        calc_range_sigma(spec, signal) * echoes.noise[l],
                                    spec.quantum);
      const bool is_found = std::isfinite(echoes.range[l]) && echoes.cosine[l] >= min_cosine &&
                            echoes.chance[l] >= spec.dropout && luck < calc_detection(signal) &&
                            range >= spec.min_range;
      ASSERT_EQ((found >> l & 1U) != 0, is_found);
      if (!is_found) continue;
      ++found_count;
      by_luck += calc_detection(signal) < 0.999;
      ASSERT_EQ(returns.range[l], range);
      ASSERT_EQ(returns.intensity[l], std::round(retro > 0.02 ? 101 + std::min(154.0, 154 * retro)
                                                              : std::min(100.0, 100 * diffuse)));
    }
  }
  EXPECT_GT(found_count, 50000);
  EXPECT_GT(by_luck, 2000);
}

// Sigma of the range within 3 % over 1e5 samples, at a strong signal.
TEST(Check34, RangeNoiseIsAsSpecified) {
  Spot spot;
  spot.lidar().sigma = 0.015;
  spot.lidar().max_range = 1000;  // so that the signal is strong
  const auto points = spot.take(10);
  ASSERT_EQ(points.size(), 100000U);
  EXPECT_NEAR(deviation_from(points, 20) / 0.015, 1, 0.03);
}

// Near the limit of detection noise is twice as large, and half of the pulses come back.
TEST(Lidar, WeakSignalsAreNoisyAndLost) {
  Spot spot;
  spot.lidar().sigma = 0.015;
  spot.lidar().max_range = 20;
  spot.lidar().reference_reflectivity = 0.6;  // that of the wall's paint
  const auto points = spot.take(10);
  EXPECT_NEAR(static_cast<double>(points.size()) / 1e5, 0.5, 0.01);
  EXPECT_NEAR(deviation_from(points, 20) / 0.030, 1, 0.03);
}

TEST(Lidar, DropsAndQuantizesRanges) {
  Spot spot;
  spot.lidar().max_range = 1000;
  spot.lidar().dropout = 0.2;
  spot.lidar().quantum = 0.05;
  const auto points = spot.take(10);
  EXPECT_NEAR(static_cast<double>(points.size()) / 1e5, 0.8, 0.01);
  for (const CloudPoint& p : points) ASSERT_NEAR(p.range / 0.05, std::round(p.range / 0.05), 1e-9);
}

TEST(Lidar, UnitsHaveABias) {
  Spot spot;
  spot.lidar().sigma = 0;
  spot.lidar().bias = 0.03;
  spot.lidar().max_range = 1000;
  const auto points = spot.take(1);
  const double bias = points[0].range - points[0].world[0];
  EXPECT_NE(points[0].range, 20);
  EXPECT_LT(std::abs(bias), 0.15);
  for (const CloudPoint& p : points) ASSERT_NEAR(p.range - 20, points[0].range - 20, 1e-4);
}

// Fog takes the far wall away and gives false returns near the sensor, marked as such.
TEST(Lidar, FogHidesAndScatters) {
  Spot spot;
  spot.range = 60;
  spot.lidar().max_range = 100;
  EXPECT_GT(spot.take(1).size(), 9900U);
  spot.lidar().weather.visibility = 50;
  const auto points = spot.take(10);
  int wall = 0, air = 0;
  for (const CloudPoint& p : points) {
    (p.instance == -2 ? air : wall) += 1;
    if (p.instance == -2) {
      EXPECT_LT(p.range, 30);
    }
  }
  EXPECT_LT(wall, 50);
  // The share of pulses that meet a particle within the range at which it is detected, by a sum
  // over the way; alpha = 3.912/50.
  const double beta = 0.02 * 3.912 / 50;
  double expected = 0;
  const double dr = 0.01;
  for (double r = 0.5 * dr; r < 60; r += dr)
    if (r >= spot.lidar().min_range)
      expected += beta * std::exp(-beta * r) * dr *
                  calc_detection(calc_signal(spot.lidar(), 0.05, 1, r, 3.912 / 50));
  EXPECT_NEAR(air / 1e5, expected, 0.05 * expected);
}

// Half of the beam on a post, the other half on a wall: as one return between both if they are
// closer than the pulse is long, as two if not.
TEST(Lidar, EdgesGiveMixedPixelsAndSecondReturns) {
  for (const double gap : {0.4, 3.0}) {
    SensorSpec spec;
    spec.name = "edge";
    spec.timing.rate = 10;
    LidarSpec lidar;
    lidar.pattern = LidarSpec::Pattern::kTable;
    lidar.table = {{0, 0, 0}};
    lidar.divergence = {0.02, 0.02};
    lidar.sub_rays = 4;
    lidar.sigma = lidar.quantum = lidar.dropout = 0;
    lidar.pulse_length = 0.75;
    lidar.max_range = 1000;
    lidar.returns = LidarSpec::Returns::kDual;
    spec.kind = lidar;
    Stage stage(make_rest(at_height(2), 1), {},
                {make_box(10, 0, 10.05, 9, 5), make_box(10 + gap, -9, 11 + gap, 9, 5)});
    const auto sensor = make_sensor(spec, {}, 1);
    const PointCloud& cloud = *sensor->cloud(sensor->take(stage.readings()));
    if (gap < 0.75) {
      ASSERT_EQ(cloud.points.size(), 1U);
      EXPECT_GT(cloud.points[0].range, 10.1);
      EXPECT_LT(cloud.points[0].range, 10 + gap - 0.1);
    } else {
      ASSERT_EQ(cloud.points.size(), 2U);
      EXPECT_NEAR(cloud.points[0].range, 10, 1e-3);  // stronger, as it is nearer
      EXPECT_NEAR(cloud.points[1].range, 10 + gap, 1e-3);
      EXPECT_EQ(cloud.points[1].return_number, 2);
      EXPECT_EQ(cloud.points[1].return_count, 2);
    }
  }
}

// Beams of a flash that scatter about the way ahead: their ranges to a wall follow from the angles.
TEST(Lidar, AnglesScatterAsSpecified) {
  Spot spot;
  spot.lidar().sigma = 0;
  spot.lidar().angle_sigma = 0.01;
  spot.lidar().max_range = 1000;
  const auto points = spot.take(10);
  ASSERT_EQ(points.size(), 100000U);
  // 1/cos of two angles: the mean of the excess is sigma^2, its deviation the same.
  double sum = 0, squares = 0;
  for (const CloudPoint& p : points) {
    const double excess = p.range / 20 - 1;
    sum += excess, squares += excess * excess;
  }
  const double mean = sum / 1e5, variance = squares / 1e5 - mean * mean;
  EXPECT_NEAR(mean / 1e-4, 1, 0.03);
  EXPECT_NEAR(std::sqrt(variance) / 1e-4, 1, 0.05);
}

// --- Same bits ---

TEST(Lidar, GivesTheSameBitsForAnyNumberOfThreads) {
  terrain::Terrain ground;
  ground.base = terrain::Plane{.slope_x = 0.03, .slope_y = -0.02};
  RandomStream random(7);
  for (int k = 0; k < 60; ++k)
    ground.obstacles.push_back(
        {random.uniform(-60, 60), random.uniform(-60, 60), random.uniform(0.1, 0.6), 4});
  const MadeMotion made{.speed = 10};
  std::vector<PointCloud> clouds;
  for (const int threads : {1, 2, 4}) {
    SensorSpec spec = load("lidar-16-beam");
    spec.threads = threads;
    lidar_of(&spec).sub_rays = 4;
    lidar_of(&spec).weather.rain = 20;
    lidar_of(&spec).angle_sigma = 1e-4;
    Stage stage(made.track(0, 0.2, 1e-3), ground, {});
    const auto lidar = make_sensor(spec, {}, 5);
    clouds.push_back(*lidar->cloud(lidar->take(stage.readings())));
  }
  ASSERT_GT(clouds[0].points.size(), 10000U);
  for (const std::size_t c : {1U, 2U}) {
    ASSERT_EQ(clouds[c].points.size(), clouds[0].points.size());
    for (std::size_t i = 0; i < clouds[0].points.size(); ++i) {
      ASSERT_EQ(clouds[c].points[i].range, clouds[0].points[i].range);
      ASSERT_EQ(clouds[c].points[i].ray, clouds[0].points[i].ray);
      ASSERT_EQ(clouds[c].points[i].instance, clouds[0].points[i].instance);
    }
  }
}

TEST(Lidar, ContinuesAfterRestore) {
  SensorSpec spec = load("lidar-16-beam");
  spec.timing.latency = 0.12;
  const MadeMotion made;
  Stage stage(made.track(0, 0.7, 1e-3), {}, {make_box(15, -3, 16, 4, 3)});
  const auto a = make_sensor(spec, {}, 3), b = make_sensor(spec, {}, 3);
  for (int k = 0; k < 4; ++k) a->take(stage.readings());
  StateWriter out;
  a->save(&out);
  StateReader in(out.values());
  b->restore(&in);
  in.finish();
  const Sample *x = a->find_latest(0.45), *y = b->find_latest(0.45);
  ASSERT_NE(x, nullptr);
  ASSERT_NE(y, nullptr);
  EXPECT_EQ(x->number, y->number);
  ASSERT_EQ(a->cloud(*x)->points.size(), b->cloud(*y)->points.size());
  EXPECT_EQ(a->cloud(*x)->points[777].range, b->cloud(*y)->points[777].range);
  const PointCloud &p = *a->cloud(a->take(stage.readings())),
                   &q = *b->cloud(b->take(stage.readings()));
  ASSERT_EQ(p.points.size(), q.points.size());
  for (std::size_t i = 0; i < p.points.size(); ++i) ASSERT_EQ(p.points[i].range, q.points[i].range);
}

// --- Files ---

template <class T>
T read_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

PointCloud make_cloud() {
  SensorSpec spec = load("lidar-16-beam");
  const MadeMotion made;
  Stage stage(made.track(0, 0.2, 1e-3), {}, {make_box(15, -3, 16, 4, 3)});
  const auto lidar = make_sensor(spec, {}, 3);
  return *lidar->cloud(lidar->take(stage.readings()));
}

// Offsets of LAS 1.4 R15, tables 3 and 15, read by hand.
TEST(PointCloud, LasHasTheBytesOfTheStandard) {
  const TemporaryFolder folder;
  const PointCloud cloud = make_cloud();
  const std::string path = (folder.path() / "scan.las").string();
  write_las(path, cloud);
  const std::string b = read_all(path);
  EXPECT_EQ(b.substr(0, 4), "LASF");
  EXPECT_EQ(read_at<std::uint8_t>(b, 24), 1);
  EXPECT_EQ(read_at<std::uint8_t>(b, 25), 4);
  EXPECT_EQ(read_at<std::uint16_t>(b, 94), 375);
  EXPECT_EQ(read_at<std::uint8_t>(b, 104), 6);
  EXPECT_EQ(read_at<std::uint16_t>(b, 105), 30);
  const auto start = read_at<std::uint32_t>(b, 96);
  const auto count = read_at<std::uint64_t>(b, 247);
  ASSERT_EQ(count, cloud.points.size());
  ASSERT_EQ(b.size(), start + 30 * count);
  for (std::size_t i = 0; i < count; i += 97) {
    const std::size_t at = start + 30 * i;
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = read_at<std::int32_t>(b, at + 4 * k) * read_at<double>(b, 131 + 8 * k) +
                       read_at<double>(b, 155 + 8 * k);
      EXPECT_NEAR(x, cloud.points[i].world[static_cast<int>(k)], 5.01e-4);
      EXPECT_LE(x, read_at<double>(b, 179 + 16 * k) + 5e-4);
      EXPECT_GE(x, read_at<double>(b, 187 + 16 * k) - 5e-4);
    }
    EXPECT_EQ(read_at<std::uint8_t>(b, at + 14), 0x11);  // return 1 of 1
    EXPECT_EQ(read_at<std::uint8_t>(b, at + 16), cloud.points[i].label);
    EXPECT_DOUBLE_EQ(read_at<double>(b, at + 22), cloud.time(i));
  }
}

TEST(PointCloud, PcdHasItsFields) {
  const TemporaryFolder folder;
  const PointCloud cloud = make_cloud();
  const std::string path = (folder.path() / "scan.pcd").string();
  write_pcd(path, cloud);
  const std::string b = read_all(path);
  const std::size_t start = b.find("DATA binary\n") + 12;
  EXPECT_NE(b.find("FIELDS x y z intensity time ring return label instance\n"), std::string::npos);
  ASSERT_EQ(b.size(), start + 32 * cloud.points.size());
  for (std::size_t i = 0; i < cloud.points.size(); i += 89) {
    const std::size_t at = start + 32 * i;
    const Vec3<double> p = cloud.position(i);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(read_at<float>(b, at + 4 * k), static_cast<float>(p[static_cast<int>(k)]));
    EXPECT_EQ(read_at<std::uint16_t>(b, at + 20), cloud.pattern->rays[cloud.points[i].ray].ring);
    EXPECT_EQ(read_at<std::int32_t>(b, at + 28), cloud.points[i].instance);
  }
}

// --- Sky mask ---

// Beside a wall 30 m high, 3 m to the north: satellites behind it are lost, errors grow.
TEST(SkyMask, HidesSatellitesBehindAWall) {
  GnssSpec gnss;
  gnss.has_sky_mask = true;
  SensorSpec spec;
  spec.name = "gnss";
  spec.timing.rate = 1;
  spec.kind = gnss;
  const auto take = [&](std::vector<world::MovingThing> things) {
    Stage stage(make_rest(at_height(2), 10), {}, std::move(things));
    const auto sensor = make_sensor(spec, {}, 1);
    return sensor->take(stage.readings()).values;
  };
  const auto open = take({}), beside = take({make_box(-200, 3, 200, 4, 30)});
  const auto inside = take({make_box(-200, 3, 200, 4, 80), make_box(-200, -4, 200, -3, 80),
                            make_box(3, -4, 4, 4, 80), make_box(-4, -4, -3, 4, 80)});
  EXPECT_GE(open[12], 9);
  EXPECT_LT(beside[12], open[12]);
  EXPECT_GT(beside[9], open[9]);
  EXPECT_EQ(open[11], 1);
  EXPECT_EQ(inside[11], 0);
  EXPECT_TRUE(std::isnan(inside[0]));
}

}  // namespace
}  // namespace camber::sensors
