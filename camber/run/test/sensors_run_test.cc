// Sensors of a simulation: they change nothing, they continue after a restore, and their mistakes have
// places.

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/hash.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/record/log_reader.h"
#include "camber/report/folder_report.h"
#include "camber/run/drive_run.h"
#include "camber/run/record_run.h"
#include "camber/run/simulation.h"
#include "camber/scenario/scenario_file.h"
#include "camber/sensors/camera.h"
#include "camber/sensors/ground_map.h"
#include "camber/sensors/point_cloud.h"
#include "camber/sensors/scan_file.h"
#include "camber/terrain/soil_grid.h"

namespace camber::run {
namespace {

constexpr const char* kDrive = R"(kind = "scenario"
name = "test"
[vehicle]
model = "../models/hmmwv.toml"
start = { speed = 8, gear = 2 }
[ground]
terrain = "../terrains/posts.toml"
[driver.steering]
kind = "preview"
[driver.path]
kind = "lane_change"
[[driver.path.change]]
distance = 10.5
offset = 3
duration = 3
[driver.speed]
kind = "hold"
target = 8
[run]
duration = 2.2
)";

constexpr const char* kSensors = R"(
[[sensor]]
name = "lidar"
model = "lidar-16-beam"
rate = 20
files = "both"
save_every = 4
mount = { position = [0, 0, 1.98] }
[[sensor]]
name = "imu"
model = "imu-industrial"
rate = 250
mount = { position = [0.4, -0.2, 0.5], pitch_deg = 3 }
[[sensor]]
name = "truth"
sensor = "imu"
rate = 1000
fidelity = "ideal"
[[sensor]]
name = "gnss"
model = "gnss-urban"
[[sensor]]
name = "ideal_gnss"
sensor = "gnss"
rate = 1000
fidelity = "ideal"
[[sensor]]
name = "odometry"
model = "wheel-encoder"
[[sensor]]
name = "bus"
model = "vehicle-bus"
[[sensor]]
name = "radar"
model = "radar-medium-range"
mount = { position = [2.4, 0, 0.2] }
)";

Simulation load(const std::string& text, const Overrides& overrides = {}) {
  return Simulation(
      scenario::build_scenario(scenario::parse_scenario(text, "scenarios/test.toml", overrides)));
}

std::string find_mistakes(const std::string& sensor) {
  try {
    scenario::parse_scenario(std::string(kDrive) + sensor, "scenarios/test.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

// The world's state has the same bits with and without sensors.
TEST(SensorsOfADrive, DoNotChangeIt) {
  Simulation without = load(kDrive), with = load(std::string(kDrive) + kSensors);
  without.run();
  with.run();
  EXPECT_EQ(without.state_values(), with.state_values());
  EXPECT_EQ(with.sensors().size(), 8U);
  EXPECT_EQ(with.sensors().find("lidar")->last()->number, 43);
}

/// All samples from now to the end, in one list.
std::vector<double> gather(Simulation* simulation) {
  std::vector<double> all;
  simulation->set_sensor_listener([&](const sensors::Sensor& sensor,
                                      const sensors::Sample& sample) {
    all.insert(all.end(), {static_cast<double>(sample.number), sample.measured, sample.available});
    for (const double value : sample.values) all.push_back(std::isnan(value) ? -1 : value);
    if (const sensors::PointCloud* cloud = sensor.cloud(sample))
      for (const sensors::CloudPoint& point : cloud->points) all.push_back(point.range);
  });
  simulation->run();
  return all;
}

// A drive through sand, then a scan: behind the vehicle the points are on the soil's own nodes, and
// on straight lines between them.
TEST(SensorsOfADrive, LidarSeesTheRutsOfTheWheels) {
  Simulation simulation = load(R"(kind = "scenario"
name = "test"
[vehicle]
model = "../models/hmmwv.toml"
start = { speed = 5, gear = 2 }
[ground]
soil = "LETE_sand"
soil_level = "grid"
soil_spacing = 0.04
[driver.steering]
kind = "preview"
[driver.path]
kind = "straight"
[driver.speed]
kind = "hold"
target = 5
[run]
duration = 3
[[sensor]]
name = "lidar"
model = "lidar-16-beam"
fidelity = "ideal"
mount = { position = [-2.6, 0, 1.2] }
)");
  const sensors::Sensor* lidar = simulation.sensors().find("lidar");
  simulation.run();
  auto* soil = const_cast<terrain::SoilGrid*>(simulation.world().vehicle(0).soil());
  ASSERT_NE(soil, nullptr);
  double rear = HUGE_VAL;
  for (const auto& wheel : simulation.vehicle().wheels) rear = std::min(rear, wheel.center[0]);
  const double spacing = 0.04;
  int in_ruts = 0;
  double worst = 0, deepest = 0;
  const sensors::PointCloud* cloud = lidar->cloud(*lidar->last());
  for (const sensors::CloudPoint& point : cloud->points) {
    const double x = point.world[0], y = point.world[1];
    if (point.instance != -1 || x > rear - 1.5 || x < 1 || std::abs(y) > 1.5) continue;
    const double i = std::floor(x / spacing), j = std::floor(y / spacing);
    const double u = x / spacing - i, v = y / spacing - j;
    const auto at = [&](double di, double dj) {
      return soil->height((i + di) * spacing, (j + dj) * spacing);
    };
    const double height =
        (at(0, 0) * (1 - u) + at(1, 0) * u) * (1 - v) + (at(0, 1) * (1 - u) + at(1, 1) * u) * v;
    worst = std::max(worst, std::abs(point.world[2] - height));
    deepest = std::max(deepest, -height);
    in_ruts += height < -0.002 ? 1 : 0;
  }
  EXPECT_GT(in_ruts, 50);
  EXPECT_GT(deepest, 0.004);  // firm sand
  EXPECT_LT(worst, 1e-4);
}

// Saved between two ticks and within a scan.
TEST(SensorsOfADrive, ContinueBitForBitAfterARestore) {
  const std::string text = std::string(kDrive) + kSensors;
  Simulation a = load(text);
  a.advance_to(1.3237);
  const SimulationState state = a.save();
  const std::vector<double> rest = gather(&a);
  Simulation b = load(text);
  b.restore(state);
  EXPECT_EQ(gather(&b), rest);
  EXPECT_GT(rest.size(), 50000U);
}

// Specific force of an ideal unit at the vehicle's origin, integrated, against the velocity of the
// drive; positions of an ideal receiver, differentiated, against the same: three ways to one motion.
TEST(SensorsOfADrive, AgreeOnTheMotion) {
  Simulation drive = load(std::string(kDrive) + kSensors);
  std::vector<math::Vec3<double>> places;
  math::Vec3<double> integrated, before;
  bool is_first = true;
  const math::Vec3<double> start_velocity = drive.vehicle().frame.velocity;
  drive.set_sensor_listener([&](const sensors::Sensor& sensor, const sensors::Sample& sample) {
    const std::vector<double>& v = sample.values;
    if (sensor.name() == "ideal_gnss") places.push_back({v[6], v[7], v[8]});
    if (sensor.name() != "truth") return;
    const math::Mat3<double> R = drive.vehicle().rotation;
    const math::Vec3<double> a =
        R * math::Vec3<double>(v[0], v[1], v[2]) - math::Vec3<double>(0, 0, 9.81);
    if (!is_first) integrated += (a + before) * 0.0005;
    is_first = false;
    before = a;
  });
  drive.run();
  const math::Vec3<double> gained = drive.vehicle().frame.velocity - start_velocity;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(integrated[k], gained[k], 2e-3) << k;
  const math::Vec3<double> slope = (places[1000] - places[998]) * 500.0;
  EXPECT_NEAR(slope[0], 8, 0.3);
  EXPECT_EQ(places.size(), 2201U);
  const math::Vec3<double> end = drive.vehicle().position - places.back();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(end[k], 0, 1e-9);
}

TEST(SensorsOfADrive, AreInTheLogAndTheFolder) {
  const TemporaryFolder temporary;
  const std::string path = (temporary.path() / "run").string();
  const record::RunFolder folder = record::RunFolder::make_at(path);
  Simulation drive = load(std::string(kDrive) + kSensors);
  DriveRun run(&drive, {.scan_folder = path + "/sensors"});
  record_run({}, folder, &run, {});
  const record::LogReader log(folder.log_path());
  EXPECT_EQ(log.samples(), 221U);
  const record::Series* imu = log.find_series("sensors/imu");
  ASSERT_NE(imu, nullptr);
  EXPECT_EQ(imu->chunk_samples, 551U);
  const std::vector<double> time = log.read_series("sensors/imu", "time"),
                            available = log.read_series("sensors/imu", "available"),
                            force = log.read_series("sensors/imu", "specific_force");
  EXPECT_DOUBLE_EQ(time[100], 0.4);
  EXPECT_GE(available[100], 0.403);
  EXPECT_NEAR(force[3 * 100 + 2], 9.81, 2);
  const std::string scans = path + "/sensors/lidar/";
  EXPECT_TRUE(std::filesystem::exists(scans + "index.csv"));
  const auto raw = sensors::load_scan(scans + "000008.pcd"),
             placed = sensors::load_scan(scans + "000008.las");
  EXPECT_EQ(raw.size(), placed.size());
  EXPECT_EQ(static_cast<double>(raw.size()), log.read_series("sensors/lidar", "points")[8]);
  EXPECT_FALSE(std::filesystem::exists(scans + "000009.pcd"));
  // Views of the LIDAR over the drive are in the report.
  EXPECT_TRUE(std::filesystem::exists(path + "/views/lidar-0.png"));
  const std::string page = report::make_folder_report(path);
  EXPECT_NE(page.find("<figcaption>lidar, t = 0 s</figcaption>"), std::string::npos);
  EXPECT_NE(page.find("src=\"data:image/png;base64,iVBORw0KGgo"), std::string::npos);
  // Points of the ground are at height 0, some of the posts are seen.
  int posts = 0;
  for (const sensors::ScanPoint& p : placed) {
    if (p.instance == -1) {
      EXPECT_NEAR(p.position[2], 0, 0.1);
    }
    posts += p.instance > 0 ? 1 : 0;
  }
  EXPECT_GT(posts, 20);
  // What the run has seen, as ground to drive on: flat, without the posts.
  std::vector<sensors::ScanPoint> all;
  for (const char* name : {"000000", "000008", "000016", "000024", "000032", "000040"}) {
    const auto more = sensors::load_scan(scans + name + ".las");
    all.insert(all.end(), more.begin(), more.end());
  }
  const terrain::HeightGrid grid = sensors::make_ground_map(all, {});
  for (const float h : grid.heights) EXPECT_NEAR(h, 0, 0.1);
}

TEST(SensorsOfADrive, MistakesHaveTheirPlaces) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(find_mistakes("[[sensor]]\nname = \"imu\"\nsensor = \"imu\"\nrate = 2500\n"),
      "scenarios/test.toml:24:8: sensor[0].rate: no step can serve a rate of 2500 Hz: must be <= "
      "1/run.step = 1000 Hz");
  has(find_mistakes("[[sensor]]\nname = \"a\"\nsensor = \"imu\"\n[[sensor]]\nname = \"a\"\nsensor "
                    "= \"imu\"\n"),
      "sensor[1].name: there is another sensor \"a\"");
  has(find_mistakes("[[sensor]]\nname = \"a\"\nmodel = \"lidar-16-beam\"\nrate = 30000\n"),
      "sensor[0].rate: no step can serve");
  has(find_mistakes("[[sensor]]\nname = \"a\"\nmodel = \"lidar-16-beam\"\nelevation_deg = []\n"),
      "a spinning one needs elevations");
}

/// A satellite receiver without errors at a wheel's center, on the body that carries the wheel.
std::string make_wheel_sensor(const Simulation& drive, std::size_t wheel, const std::string& kind) {
  const vehicle::VehicleMechanism& mechanism = drive.built().parts->mechanism;
  const vehicle::Corner& corner = mechanism.corners[wheel];
  const Vector3& p = corner.points.wheel;
  return concat("[[sensor]]\nname = \"wheel\"\nsensor = \"", kind,
                "\"\nrate = 200\nfidelity = \"ideal\"\nmount = { body = \"",
                mechanism.mechanism.bodies[corner.carrier.value].name, "\", position = [", p.x(),
                ", ", p.y(), ", ", p.z(), "] }\n");
}

// On any body: a receiver on a wheel's carrier is where the wheel is, and a restore continues it bit
// for bit.
TEST(SensorsOfADrive, MayBeOnAnyBody) {
  const std::string text = std::string(kDrive) + make_wheel_sensor(load(kDrive), 1, "gnss");
  Simulation drive = load(text);
  for (int k = 1; k <= 40; ++k) {
    drive.advance_to(0.025 * k);
    const sensors::Sample* sample = drive.sensors().find("wheel")->last();
    ASSERT_NEAR(sample->measured, drive.time(), 1e-9);
    const math::Vec3<double>& center = drive.vehicle().wheels[1].center;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(sample->values[6 + i], center[static_cast<int>(i)], 1e-6);
  }
  const SimulationState state = drive.save();
  const std::vector<double> rest = gather(&drive);
  Simulation again = load(text);
  again.restore(state);
  EXPECT_EQ(gather(&again), rest);
  Simulation without = load(kDrive);
  without.run();
  EXPECT_EQ(without.state_values(), again.state_values());
}

TEST(SensorsOfADrive, NameTheBodyThatIsNotThere) {
  const std::string sensor =
      "[[sensor]]\nname = \"a\"\nsensor = \"imu\"\nmount = { body = \"chasis\" }\n";
  const auto why = [&](const std::string& text) -> std::string {
    try {
      load(text);
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "";
  };
  const std::string full = why(std::string(kDrive) + sensor);
  EXPECT_NE(full.find("scenarios/test.toml:24:"), std::string::npos) << full;
  EXPECT_NE(full.find("sensor[0].mount.body: the vehicle has no body \"chasis\"; did you mean "
                      "\"chassis\"?"),
            std::string::npos)
      << full;
}

// A camera on a trailer that looks forward sees the car that draws it, and the car's shape is a mesh.
TEST(SensorsOfADrive, LookFromATrailerAtItsCar) {
  scenario::Scenario scenario =
      scenario::load_scenario("scenarios/car-with-trailer-lane-change.toml");
  scenario.run.duration = 1;
  sensors::SensorSpec spec;
  spec.name = "camera";
  spec.fidelity = sensors::Fidelity::kIdeal;
  spec.timing.rate = 5;
  spec.mount.body = "trailer_chassis";
  spec.mount.pose.position = {1.3, 0, 1.2};
  spec.kind = sensors::CameraSpec{.width = 120, .height = 80, .has_flow = true};
  scenario.sensors = {spec};
  Simulation drive(scenario::build_scenario(scenario));
  ASSERT_TRUE(drive.built().parts->vehicle.shape.mesh);
  drive.run();
  const sensors::Sensor* camera = drive.sensors().find("camera");
  const sensors::CameraImage& image = *camera->image(*camera->last());
  int pixels = 0;
  double nearest = 1e9, fastest = 0;
  for (std::size_t k = 0; k < image.instance.size(); ++k) {
    if (image.instance[k] != 0) continue;
    ++pixels;
    nearest = std::min(nearest, static_cast<double>(image.depth[k]));
    fastest = std::max(fastest, std::hypot(static_cast<double>(image.flow[k][0]),
                                           static_cast<double>(image.flow[k][1])));
  }
  EXPECT_GT(pixels, 200);
  // From the camera over the drawbar to the car's tail: 2.4 - 1.3 m to the ball, then the car.
  EXPECT_GT(nearest, 0.5);
  EXPECT_LT(nearest, 3);
  EXPECT_LT(fastest, 60);  // it hardly moves in the picture, while the road does
}

// Inside the body's box every ray ends there.
TEST(SensorsOfADrive, WarnsOfASensorInsideTheBody) {
  const Simulation drive = load(std::string(kDrive) +
                                "[[sensor]]\nname = \"top\"\nmodel = \"lidar-16-beam\"\n"
                                "mount = { position = [1, 0, 0.5] }\n");
  ASSERT_FALSE(drive.built().notes.empty());
  EXPECT_NE(drive.built().notes.back().find("sensor[0] \"top\": 100 % of its rays end at its own "
                                            "vehicle, the nearest after 0."),
            std::string::npos)
      << drive.built().notes.back();
}

// The other levels carry sensors at the same places of the vehicle.
TEST(SensorsOfADrive, WorkOnEveryLevel) {
  const std::string sensor =
      "[[sensor]]\nname = \"gnss\"\nsensor = \"gnss\"\nfidelity = \"ideal\"\n"
      "mount = { position = [0.3, 0.1, 1.2] }\n"
      "[[sensor]]\nname = \"lidar\"\nmodel = \"lidar-16-beam\"\nmount = { position = [0, 0, 1.9] "
      "}\n";
  std::vector<math::Vec3<double>> starts;
  math::Vec3<double> full;  // where the receiver of the full vehicle starts [m]
  for (const char* level : {"full", "single_track", "point_mass"}) {
    Simulation drive =
        load(std::string(kDrive) + sensor, Overrides({std::string("vehicle.level=") + level}));
    const dynamics::VehicleSnapshot& start = drive.vehicle();
    if (starts.empty()) full = start.position + start.rotation * math::Vec3<double>(0.3, 0.1, 1.2);
    drive.set_sensor_listener([&](const sensors::Sensor& s, const sensors::Sample& sample) {
      if (s.name() == "gnss" && sample.number == 0)
        starts.push_back({sample.values[6], sample.values[7], sample.values[8]});
    });
    drive.advance_to(0.3);
    EXPECT_GT(drive.sensors().find("lidar")->last()->values[0], 5000);
  }
  ASSERT_EQ(starts.size(), 3U);
  // The full vehicle stands on its springs, pitched by them; the others are at their design height.
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(starts[0][k], full[k], 1e-9);
  for (const std::size_t level : {1U, 2U}) {
    EXPECT_NEAR(starts[level][0], starts[0][0], 0.05);
    EXPECT_NEAR(starts[level][1], 0.1, 1e-9);
    EXPECT_NEAR(starts[level][2], 0.511 + 1.2, 1e-9);
  }
}

}  // namespace
}  // namespace camber::run
