// Inertial unit, satellite receiver, encoders and bus: what they measure, and what their errors are.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "camber/sensors/noise.h"
#include "camber/sensors/satellites.h"
#include "camber/sensors/sensor.h"
#include "camber/sensors/sensor_file.h"
#include "camber/sensors/test/made_motion.h"

namespace camber::sensors {
namespace {

using test::MadeMotion;
using test::norm;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kGravity = 9.81;

/// At rest from t = 0 to `end`.
MotionTrack make_rest(const Pose& pose, double end) {
  MotionTrack track(2);
  Motion state;
  state.pose = pose;
  track.push(state);
  state.time = end;
  track.push(state);
  return track;
}

/// Takes samples until `end`; rows of values.
std::vector<std::vector<double>> take_all(Sensor* sensor, const Readings& in, double end) {
  std::vector<std::vector<double>> rows;
  while (sensor->due() <= end + 1e-9) rows.push_back(sensor->take(in).values);
  return rows;
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t k) {
  std::vector<double> out;
  for (const auto& row : rows) out.push_back(row[k]);
  return out;
}

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}
double deviation(const std::vector<double>& x) {
  const double m = mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - m) * (v - m);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

/// Overlapping Allan deviation of rates at averaging over n samples [IEEE Std 952-1997, C.1].
double allan(const std::vector<double>& rate, double period, std::size_t n) {
  std::vector<double> angle(rate.size() + 1);
  for (std::size_t i = 0; i < rate.size(); ++i) angle[i + 1] = angle[i] + rate[i] * period;
  const double tau = static_cast<double>(n) * period;
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i + 2 * n < angle.size(); ++i, ++count) {
    const double d = angle[i + 2 * n] - 2 * angle[i + n] + angle[i];
    sum += d * d;
  }
  return std::sqrt(sum / (2 * tau * tau * static_cast<double>(count)));
}

SensorSpec make_spec(SensorKind kind, double rate) {
  SensorSpec spec;
  spec.name = "under_test";
  spec.timing.rate = rate;
  spec.kind = std::move(kind);
  return spec;
}

// --- Inertial unit ---

// At rest on tilted ground it reads -R^T g to 1e-9.
TEST(Check35, ImuAtRestReadsGravity) {
  Pose pose;
  pose.rotation = rotation_of_vector({0.21, -0.13, 1.9});
  SensorSpec spec = make_spec(ImuSpec{}, 100);
  spec.fidelity = Fidelity::kIdeal;
  spec.mount.pose.position = {0.7, -0.2, 0.5};
  spec.mount.pose.rotation = rotation_of_vector({0.1, 0.4, -0.3});
  const auto imu = make_sensor(spec, {.gravity = kGravity}, 1);
  const MotionTrack track = make_rest(pose, 1);
  const Sample& sample = imu->take({.motion = &track});
  const Mat3<double> R = pose.rotation * spec.mount.pose.rotation;
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(sample.values[k], R(2, k) * kGravity, 1e-9);
    EXPECT_NEAR(sample.values[3 + k], 0, 1e-12);
  }
}

// On a turntable with constant acceleration: f = (alpha x r + w x (w x r)) + g up, by hand.
TEST(Imu, FeelsItsLeverArm) {
  const double w = 0.9, alpha = 1.7, x = 1.3, y = -0.4;
  MotionTrack track(4);
  for (int k = 0; k < 3; ++k) {
    const double t = 0.01 * k;
    Motion m;
    m.time = t;
    m.pose.rotation = rotation_of_vector({0, 0, w * t + 0.5 * alpha * t * t});
    m.angular_velocity = {0, 0, w + alpha * t};
    m.angular_acceleration = {0, 0, alpha};
    track.push(m);
  }
  SensorSpec spec = make_spec(ImuSpec{}, 100);
  spec.fidelity = Fidelity::kIdeal;
  spec.mount.pose.position = {x, y, 0.6};
  const auto imu = make_sensor(spec, {.gravity = kGravity}, 1);
  const Sample& sample = imu->take({.motion = &track});
  EXPECT_NEAR(sample.values[0], -alpha * y - w * w * x, 1e-12);
  EXPECT_NEAR(sample.values[1], alpha * x - w * w * y, 1e-12);
  EXPECT_NEAR(sample.values[2], kGravity, 1e-12);
  EXPECT_NEAR(sample.values[5], w, 1e-12);
}

// Integrating the noise-free signals gives the pose back, to 1e-3 m in 10 s. The
// integrator is plain: rotation by exp(w dt), velocity and position by the trapezoidal rule.
TEST(Check35, IntegratedImuGivesThePose) {
  const MadeMotion made{.speed = 4};
  const double rate = 1000, dt = 1 / rate;
  const MotionTrack track = made.track(0, 10, dt);
  SensorSpec spec = make_spec(ImuSpec{}, rate);
  spec.fidelity = Fidelity::kIdeal;
  spec.mount.pose.position = {0.9, 0.3, 0.7};
  spec.mount.pose.rotation = rotation_of_vector({0.02, -0.3, 0.8});
  const auto imu = make_sensor(spec, {.gravity = kGravity}, 1);
  const auto rows = take_all(imu.get(), {.motion = &track}, 10);
  const Motion start = find_mounted_motion(made.at(0), spec.mount.pose);
  Mat3<double> R = start.pose.rotation;
  Vec3<double> p = start.pose.position, v = start.velocity;
  const auto vec = [](const double* x) { return Vec3<double>(x[0], x[1], x[2]); };
  for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
    const Vec3<double> a0 = R * vec(&rows[k][0]) - Vec3<double>(0, 0, kGravity);
    R = R * rotation_of_vector((vec(&rows[k][3]) + vec(&rows[k + 1][3])) * (0.5 * dt));
    const Vec3<double> a1 = R * vec(&rows[k + 1][0]) - Vec3<double>(0, 0, kGravity);
    p += v * dt + (a0 * 2.0 + a1) * (dt * dt / 6);
    v += (a0 + a1) * (0.5 * dt);
  }
  const Motion end = find_mounted_motion(made.at(10), spec.mount.pose);
  EXPECT_LT(norm(p - end.pose.position), 1e-3);
  EXPECT_LT(test::distance(R, end.pose.rotation), 1e-5);
}

// Sigma of white noise within 3 % over 1e5 samples, slope of the Allan deviation
// -1/2 +- 0.03, and its value N / sqrt(tau).
TEST(Check34, ImuWhiteNoiseIsAsSpecified) {
  ImuSpec imu;
  imu.gyro.noise = 0.004 * kDegree;
  imu.accelerometer.noise = 60e-6 * 9.80665;
  const double rate = 200, end = 1e5 / rate;
  const auto sensor = make_sensor(make_spec(imu, rate), {.gravity = kGravity}, 77);
  const MotionTrack track = make_rest({}, end);
  const auto rows = take_all(sensor.get(), {.motion = &track}, end);
  for (std::size_t k = 0; k < 6; ++k) {
    const double density = k < 3 ? imu.accelerometer.noise : imu.gyro.noise;
    const std::vector<double> x = column(rows, k);
    EXPECT_NEAR(deviation(x) / (density * std::sqrt(rate)), 1, 0.03);
    for (const std::size_t n : {1, 8, 64})
      EXPECT_NEAR(allan(x, 1 / rate, n) / (density / std::sqrt(static_cast<double>(n) / rate)), 1,
                  0.06)
          << "axis " << k << ", " << n << " samples";
    const double slope = std::log(allan(x, 1 / rate, 16) / allan(x, 1 / rate, 1)) / std::log(16.0);
    EXPECT_NEAR(slope, -0.5, 0.03);
  }
}

// Units as they ship: at 0.1 s white noise rules, and the Allan deviation is the density of the data
// sheet over sqrt(tau). Deg/s/sqrt(Hz) and ug/sqrt(Hz) are read from the files by hand.
TEST(Check34, ShippedUnitsHaveTheAllanDeviationOfTheirDataSheets) {
  struct Sheet {
    const char* model;
    double gyro, accelerometer;  // [deg/s/sqrt(Hz)], [ug/sqrt(Hz)]
  };
  for (const Sheet& sheet : {Sheet{"imu-consumer", 0.01, 300}, Sheet{"imu-industrial", 0.004, 60},
                             Sheet{"imu-tactical", 0.0015, 50}}) {
    SCOPED_TRACE(sheet.model);
    SensorSpec spec = load_sensor(std::string("models/sensors/") + sheet.model + ".toml");
    spec.name = "imu";
    spec.timing.rate = 100;
    auto& imu = std::get<ImuSpec>(spec.kind);
    imu.gyro.quantum = imu.accelerometer.quantum = 0;
    const double end = 300;
    const auto sensor = make_sensor(spec, {.gravity = kGravity}, 9);
    const MotionTrack track = make_rest({}, end);
    const auto rows = take_all(sensor.get(), {.motion = &track}, end);
    for (std::size_t k = 0; k < 6; ++k) {
      const double density = k < 3 ? sheet.accelerometer * 9.80665e-6 : sheet.gyro * kDegree;
      EXPECT_NEAR(allan(column(rows, k), 0.01, 10) / (density / std::sqrt(0.1)), 1, 0.05) << k;
    }
  }
}

// Rate random walk: K sqrt(tau / 3) [IEEE Std 952-1997, C.1.3]. Means over three axes and ten units.
TEST(Imu, BiasWalkHasItsAllanDeviation) {
  ImuSpec imu;
  imu.gyro.bias_walk = 3e-4;
  const double rate = 20, end = 2000;
  for (const std::size_t n : {40, 200}) {
    double square = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const auto sensor = make_sensor(make_spec(imu, rate), {}, seed);
      const MotionTrack track = make_rest({}, end);
      const auto rows = take_all(sensor.get(), {.motion = &track}, end);
      for (std::size_t k = 3; k < 6; ++k) {
        const double a = allan(column(rows, k), 1 / rate, n);
        square += a * a / 30;
      }
    }
    const double tau = static_cast<double>(n) / rate;
    EXPECT_NEAR(std::sqrt(square) / (imu.gyro.bias_walk * std::sqrt(tau / 3)), 1, 0.06);
  }
}

// The peak of the Allan deviation of the bias instability is the data sheet's figure.
TEST(Imu, BiasInstabilityIsThePeakOfItsAllanDeviation) {
  ImuSpec imu;
  imu.gyro.bias_instability = 8 * kDegree / 3600;
  imu.instability_time = 20;
  const double rate = 5, end = 20000;
  double square = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const auto sensor = make_sensor(make_spec(imu, rate), {}, seed);
    const MotionTrack track = make_rest({}, end);
    const auto rows = take_all(sensor.get(), {.motion = &track}, end);
    for (std::size_t k = 3; k < 6; ++k) {
      const double a = allan(column(rows, k), 1 / rate, static_cast<std::size_t>(1.89 * 20 * rate));
      square += a * a / 24;
    }
  }
  EXPECT_NEAR(std::sqrt(square) / imu.gyro.bias_instability, 1, 0.05);
}

// Over many units: bias at switch-on, scale and misalignment have their deviations.
TEST(Imu, UnitsDifferByBiasScaleAndMisalignment) {
  ImuSpec imu;
  imu.gyro.bias = 0.01;
  imu.accelerometer.scale = 0.005;
  imu.misalignment = 0.002;
  Pose upright;
  std::vector<double> bias, scale, cross_axis;
  const MotionTrack track = make_rest(upright, 1);
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    const auto sensor = make_sensor(make_spec(imu, 10), {.gravity = kGravity}, seed);
    const Sample& s = sensor->take({.motion = &track});
    bias.push_back(s.values[3]);
    scale.push_back(s.values[2] / kGravity - 1);
    cross_axis.push_back(s.values[0] / kGravity);
  }
  EXPECT_NEAR(deviation(bias) / 0.01, 1, 0.05);
  EXPECT_NEAR(deviation(scale) / 0.005, 1, 0.05);
  EXPECT_NEAR(deviation(cross_axis) / 0.002, 1, 0.05);
}

TEST(Imu, SaturatesAndQuantizes) {
  ImuSpec imu;
  imu.accelerometer.range = 5;
  imu.gyro.quantum = 0.25;
  Motion state;
  state.angular_velocity = {0.8, -0.3, 0.1};
  MotionTrack track(2);
  track.push(state);
  const auto sensor = make_sensor(make_spec(imu, 10), {.gravity = kGravity}, 3);
  const Sample& s = sensor->take({.motion = &track});
  EXPECT_DOUBLE_EQ(s.values[2], 5);
  EXPECT_DOUBLE_EQ(s.values[3], 0.75);
  EXPECT_DOUBLE_EQ(s.values[4], -0.25);
  EXPECT_DOUBLE_EQ(s.values[5], 0);
}

TEST(Imu, DriftsAsItWarmsUp) {
  ImuSpec imu;
  imu.gyro.per_kelvin = 1e-4;
  imu.temperature_rise = 30;
  imu.temperature_time = 100;
  const auto sensor = make_sensor(make_spec(imu, 1), {}, 3);
  const MotionTrack track = make_rest({}, 200);
  const auto rows = take_all(sensor.get(), {.motion = &track}, 200);
  EXPECT_NEAR(rows[0][4], 0, 1e-15);
  EXPECT_NEAR(rows[100][4], 1e-4 * 30 * (1 - std::exp(-1.0)), 1e-12);
}

// --- Satellite receiver ---

// Sigma within 3 % over 1e5 samples, autocorrelation exp(-tau/T) within 5 %.
TEST(Check34, GnssErrorsAreAsSpecified) {
  GnssSpec gnss;
  gnss.horizontal = 1.5;
  gnss.vertical = 3;
  gnss.correlation_time = 2;
  gnss.white = 0;
  gnss.velocity = 0.05;
  const double rate = 1, end = 1e5;
  const auto sensor = make_sensor(make_spec(gnss, rate), {}, 12);
  const MotionTrack track = make_rest({}, end);
  const auto rows = take_all(sensor.get(), {.motion = &track}, end);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<double> x = column(rows, 6 + k);
    const double sigma = k < 2 ? 1.5 : 3;
    EXPECT_NEAR(deviation(x) / sigma, 1, 0.03) << "axis " << k;
    for (const std::size_t lag : {1, 2, 4}) {
      double sum = 0;
      for (std::size_t i = 0; i + lag < x.size(); ++i) sum += x[i] * x[i + lag];
      const double correlation = sum / static_cast<double>(x.size() - lag) / (sigma * sigma);
      EXPECT_NEAR(correlation, std::exp(-static_cast<double>(lag) / 2), 0.05);
    }
    EXPECT_NEAR(deviation(column(rows, 3 + k)) / 0.05, 1, 0.03);
  }
}

// Latitude and longitude against the local frame; velocity against the difference of positions.
TEST(Gnss, MeasuresTheAntenna) {
  const MadeMotion made{.speed = 8};
  const MotionTrack track = made.track(0, 2, 1e-3);
  GnssSpec gnss;
  gnss.origin = {48.1 * kDegree, 11.6 * kDegree, 520};
  gnss.heading = 0.6;
  SensorSpec spec = make_spec(gnss, 500);
  spec.fidelity = Fidelity::kIdeal;
  spec.mount.pose.position = {-0.4, 0.2, 1.9};
  const auto sensor = make_sensor(spec, {}, 1);
  const auto rows = take_all(sensor.get(), {.motion = &track}, 2);
  const LocalFrame site(gnss.origin);
  const auto enu = [&](const std::vector<double>& row) {
    return site.from_geodetic({row[0] * kDegree, row[1] * kDegree, row[2]});
  };
  for (const std::size_t k : {100U, 400U, 777U}) {
    const double t = static_cast<double>(k) / 500;
    const Vec3<double> p = find_mounted_motion(made.at(t), spec.mount.pose).pose.position;
    const double c = std::cos(0.6), s = std::sin(0.6);
    const Vec3<double> here = enu(rows[k]);
    EXPECT_NEAR(here[0], c * p[0] - s * p[1], 1e-6);
    EXPECT_NEAR(here[1], s * p[0] + c * p[1], 1e-6);
    EXPECT_NEAR(here[2], p[2], 1e-6);
    const Vec3<double> slope = (enu(rows[k + 1]) - enu(rows[k - 1])) * 250.0;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(rows[k][3 + i], slope[i], 2e-4);
  }
}

TEST(Gnss, RtkGrowsWithTheBaseline) {
  GnssSpec gnss;
  gnss.horizontal = 0.01;
  gnss.vertical = 0.02;
  gnss.white = 0;
  gnss.ppm = 1;
  gnss.baseline = 30000;
  const auto sensor = make_sensor(make_spec(gnss, 10), {}, 1);
  const MotionTrack track = make_rest({}, 1);
  const Sample& sample = sensor->take({.motion = &track});
  EXPECT_NEAR(sample.values[9], std::hypot(0.01, 0.03), 1e-12);
}

// Walker constellations: ten to twenty satellites over a place, and dilutions as receivers show
// them; on a plane of four satellites there is no position.
TEST(Satellites, GiveUsualDilutions) {
  const LocalFrame site({0.74, -1.45, 190});
  for (double t = 0; t < 86400; t += 3600) {
    const auto seen = find_satellites(site, t, 10 * kDegree);
    EXPECT_GE(seen.size(), 9U);
    EXPECT_LE(seen.size(), 24U);
    const Dilution d = find_dilution(seen);
    ASSERT_TRUE(d.is_valid);
    EXPECT_GT(d.horizontal, 0.4);
    EXPECT_LT(d.horizontal, 2);
    EXPECT_GT(d.vertical, d.horizontal * 0.8);
  }
  std::vector<Vec3<double>> flat;
  for (int k = 0; k < 5; ++k) flat.push_back({std::cos(1.3 * k), std::sin(1.3 * k), 0});
  EXPECT_FALSE(find_dilution(flat).is_valid);
}

// One in the zenith, three at the horizon 120 deg apart: by hand, Q_ee = Q_nn = 2/3 and Q_uu = 4/3.
TEST(Satellites, DilutionByHand) {
  std::vector<Vec3<double>> lines = {{0, 0, 1}};
  for (int k = 0; k < 3; ++k)
    lines.push_back({std::cos(2.0943951023932 * k), std::sin(2.0943951023932 * k), 0});
  const Dilution d = find_dilution(lines);
  EXPECT_NEAR(d.horizontal, std::sqrt(4.0 / 3), 1e-9);
  EXPECT_NEAR(d.vertical, std::sqrt(4.0 / 3), 1e-9);
}

// --- Time ---

// A value delivered at t was measured at or before t - latency, in order.
TEST(Check36, SamplesArriveLateAndInOrder) {
  SensorSpec spec = make_spec(GnssSpec{}, 50);
  spec.timing.latency = 0.08;
  spec.timing.jitter = 0.05;
  const auto sensor = make_sensor(spec, {}, 5);
  const MotionTrack track = make_rest({}, 100);
  double before = 0;
  long number = -1;
  for (double now = 0; now < 20; now += 0.003) {
    while (sensor->due() <= now) {
      const Sample& s = sensor->take({.motion = &track});
      EXPECT_GE(s.available, s.measured + 0.08);
      EXPECT_LE(s.available, s.measured + 0.13 + 1e-12);
      EXPECT_GE(s.available, before);
      before = s.available;
    }
    const Sample* latest = sensor->find_latest(now);
    if (now < 0.07) {
      EXPECT_EQ(latest, nullptr);
    }
    if (latest == nullptr) continue;
    EXPECT_LE(latest->measured, now - 0.08 + 1e-9);
    EXPECT_GE(latest->measured, now - 0.13 - 0.02 - 1e-9);  // not older than needed
    EXPECT_GE(latest->number, number);
    number = latest->number;
  }
}

// Jitter is uniform: moments of the delay over 2e4 samples that are too far apart to wait for each
// other.
TEST(Sensor, JitterIsUniform) {
  SensorSpec spec = make_spec(GnssSpec{}, 10);
  spec.timing.latency = 0.02;
  spec.timing.jitter = 0.06;
  const auto sensor = make_sensor(spec, {}, 8);
  const MotionTrack track = make_rest({}, 1e4);
  std::vector<double> delays;
  for (int k = 0; k < 20000; ++k) {
    const Sample& s = sensor->take({.motion = &track});
    delays.push_back((s.available - s.measured - 0.02) / 0.06);
  }
  EXPECT_NEAR(mean(delays), 0.5, 0.01);
  EXPECT_NEAR(deviation(delays), std::sqrt(1.0 / 12), 0.005);
  EXPECT_GE(*std::ranges::min_element(delays), -1e-9);
  EXPECT_LE(*std::ranges::max_element(delays), 1 + 1e-9);
}

// Same seed, same stream; other sensors' draws do not change it.
TEST(Check34, StreamsAreIndependent) {
  ImuSpec imu;
  imu.gyro.noise = 1;
  const MotionTrack track = make_rest({}, 1000);
  const auto run = [&](const char* name, std::uint64_t seed) {
    SensorSpec spec = make_spec(imu, 10);
    spec.name = name;
    const auto sensor = make_sensor(spec, {}, seed);
    return column(take_all(sensor.get(), {.motion = &track}, 1000), 3);
  };
  const auto a = run("front", 1), b = run("front", 1), c = run("rear", 1), d = run("front", 2);
  EXPECT_EQ(a, b);
  for (const auto& other : {c, d}) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * other[i];
    EXPECT_LT(std::abs(sum / (deviation(a) * deviation(other))) / static_cast<double>(a.size()),
              0.03);
  }
}

// A sensor that is saved and restored continues bit for bit.
TEST(Sensor, ContinuesAfterRestore) {
  ImuSpec imu;
  imu.gyro = {.noise = 0.1, .bias = 0.2, .bias_walk = 0.03, .bias_instability = 0.4};
  SensorSpec spec = make_spec(imu, 100);
  spec.timing.latency = 0.05;
  spec.timing.jitter = 0.02;
  const MotionTrack track = make_rest({}, 10);
  const Readings in{.motion = &track};
  const auto a = make_sensor(spec, {}, 9), b = make_sensor(spec, {}, 9);
  for (int k = 0; k < 137; ++k) a->take(in);
  StateWriter out;
  a->save(&out);
  StateReader reader(out.values());
  b->restore(&reader);
  reader.finish();
  for (int k = 0; k < 50; ++k) {
    const Sample &x = a->take(in), &y = b->take(in);
    EXPECT_EQ(x.values, y.values);
    EXPECT_EQ(x.available, y.available);
    EXPECT_EQ(a->find_latest(x.measured)->number, b->find_latest(x.measured)->number);
  }
}

// --- Encoders and bus ---

dynamics::VehicleSnapshot make_snapshot(double t, double spin) {
  dynamics::VehicleSnapshot now;
  now.time = t;
  now.wheels.resize(4);
  for (std::size_t i = 0; i < 4; ++i) now.wheels[i].spin = spin * (i % 2 == 0 ? 0.98 : 1.02);
  now.steering_wheel_angle = 0.1;
  now.brake_pressure = 0.503;
  now.engine_speed = 210.03;
  now.gear = 3;
  return now;
}

TEST(Odometry, CountsTicks) {
  SignalTrack signals(4, 5000);
  const double spin = 21.7;
  for (int k = 0; k <= 4000; ++k) signals.push(make_snapshot(1e-3 * k, spin));
  Carrier carrier{.wheels = {"a", "b", "c", "d"}, .rolling_radius = 0.45};
  for (const double x : {1.0, -1.0})
    for (const double y : {0.8, -0.8}) carrier.wheel_positions.push_back({x, y, 0});
  OdometrySpec own{.ticks = 48};
  const auto sensor = make_sensor(make_spec(own, 10), carrier, 1);
  const MotionTrack track = make_rest({}, 4);
  const auto rows = take_all(sensor.get(), {.motion = &track, .signals = &signals}, 4);
  const auto& last = rows.back();
  EXPECT_DOUBLE_EQ(last[0], std::floor(spin * 0.98 * 4 * 48 / (2 * std::numbers::pi)));
  // A speed is known to a tick per period.
  const double tick = 2 * std::numbers::pi / 48 * 0.45 * 10;
  std::vector<double> speeds = column(rows, 4);
  speeds.erase(speeds.begin());
  for (const double v : speeds) EXPECT_NEAR(v, spin * 0.98 * 0.45, tick);
  EXPECT_NEAR(mean(speeds), spin * 0.98 * 0.45, tick / 30);
  std::vector<double> yaw = column(rows, 9);
  yaw.erase(yaw.begin());
  EXPECT_NEAR(mean(yaw), spin * 0.04 * 0.45 / 1.6, tick / 1.6 / 15);
}

TEST(Bus, QuantizesAndDelays) {
  SignalTrack signals(4, 100);
  for (int k = 0; k <= 50; ++k) signals.push(make_snapshot(1e-2 * k, 5));
  BusSpec bus{.steering_quantum = 0.03, .brake_quantum = 0.02, .engine_quantum = 0.5};
  SensorSpec spec = make_spec(bus, 20);
  spec.timing.latency = 0.03;
  const auto sensor = make_sensor(spec, {.wheels = {"a", "b", "c", "d"}}, 1);
  const MotionTrack track = make_rest({}, 1);
  const Sample& s = sensor->take({.motion = &track, .signals = &signals});
  EXPECT_NEAR(s.values[0], 0.09, 1e-12);
  EXPECT_NEAR(s.values[1], 0.5, 1e-12);
  EXPECT_DOUBLE_EQ(s.values[4], 3);
  EXPECT_DOUBLE_EQ(s.values[5], 210);
  EXPECT_DOUBLE_EQ(s.available, 0.03);
}

}  // namespace
}  // namespace camber::sensors
