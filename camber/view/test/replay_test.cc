#include "camber/view/replay.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/temporary_folder.h"
#include "camber/lagrange/model_file.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/record/channel_names.h"
#include "camber/run/drive_run.h"
#include "camber/run/input_files.h"
#include "camber/run/lagrangian_run.h"
#include "camber/run/mechanism_run.h"
#include "camber/run/record_run.h"
#include "camber/scenario/scenario_file.h"
#include "camber/sensors/point_cloud.h"
#include "camber/sensors/suite.h"
#include "camber/view/clip.h"
#include "camber/view/scan_message.h"

namespace camber::view {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Live frames of a drive at its samples, and its folder.
struct Driven {
  std::vector<double> times;
  std::vector<std::vector<double>> frames;  // as decode_frame() gives them
  FrameLayout layout;
};

Driven drive(const std::string& scenario, double duration, const std::string& path) {
  scenario::Scenario loaded = scenario::load_scenario(scenario);
  loaded.run.duration = duration;
  run::Simulation simulation(scenario::build_scenario(std::move(loaded)));
  const std::vector<std::string> overrides;
  const record::RunFolder folder = record::RunFolder::make_at(path);
  run::copy_input_files(simulation, overrides, folder);
  StateFrame frame(&simulation);
  Driven out;
  out.layout = frame.layout();
  std::vector<std::byte> bytes(frame.size());
  run::DriveRun run(&simulation);
  const run::RunSource source{.model_file = scenario,
                              .model_text = simulation.scenario().source.text,
                              .program = "camber test",
                              .overrides = overrides};
  run::record_run(source, folder, &run, {.go_on = [&](double time) {
                    frame.write({}, &simulation, bytes);
                    out.times.push_back(time);
                    out.frames.emplace_back(frame.layout().value_count());
                    decode_frame(frame.layout(), bytes, out.frames.back());
                    return true;
                  }});
  return out;
}

// Positions, quaternions: what a viewer of the recorded run sees is what one of the drive saw.
TEST(Replay, HasThePosesOfTheDrive) {
  for (const char* scenario :
       {"scenarios/double-lane-change.toml", "scenarios/car-with-trailer-lane-change.toml"}) {
    SCOPED_TRACE(scenario);
    const TemporaryFolder temporary;
    const std::string folder = temporary.path().string() + "/run";
    const Driven live = drive(scenario, 3, folder);
    Replay replay({folder});
    EXPECT_TRUE(replay.notes().empty()) << replay.notes().front();
    const Answer answer = replay.answer("/api/clip?run=0&from=0&to=3&rate=1000");
    ASSERT_EQ(answer.status, 200) << answer.body;
    const Clip clip = decode_clip(answer.body);
    ASSERT_EQ(replay.run(0).layout().bodies, live.layout.bodies);
    std::size_t k = 0;
    double worst_place = 0, worst_turn = 0;
    for (std::size_t sample = 0; sample < clip.columns[0].values.size(); ++sample) {
      while (k < live.times.size() && live.times[k] < clip.columns[0].values[sample] - 1e-5) ++k;
      if (k == live.times.size() || std::abs(live.times[k] - clip.columns[0].values[sample]) > 1e-5)
        continue;
      std::size_t c = 0;
      for (const int bodies : live.layout.bodies)
        for (int b = 0; b < bodies; ++b, c += 7) {
          for (std::size_t i = 0; i < 3; ++i)
            worst_place = std::max(worst_place, std::abs(clip.columns[c + i + 1].values[sample] -
                                                         live.frames[k][c + i]));
          double dot = 0;
          for (std::size_t i = 3; i < 7; ++i)
            dot += clip.columns[c + i + 1].values[sample] * live.frames[k][c + i];
          for (std::size_t i = 3; i < 7; ++i)
            worst_turn = std::max(
                worst_turn, std::abs((dot < 0 ? -1 : 1) * clip.columns[c + i + 1].values[sample] -
                                     live.frames[k][c + i]));
        }
    }
    EXPECT_GT(k, 200U);
    EXPECT_LT(worst_place, 0.51 * kPositionStep);
    EXPECT_LT(worst_turn, 0.51 * kQuaternionStep);
  }
}

TEST(Replay, HasEventsFiguresAndChannels) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string() + "/run";
  drive("scenarios/acceleration.toml", 6, folder);
  Replay replay({folder});
  const Json hello = replay.hello("camber test");
  const Json& run = hello["runs"][0];
  EXPECT_EQ(hello["kind"], "replay");
  EXPECT_TRUE(run["has_poses"].get<bool>());
  EXPECT_NEAR(run["end"].get<double>(), 6, 0.011);
  EXPECT_FALSE(run["figures"].empty());
  bool has_gear = false;
  for (const Json& event : run["events"]) has_gear = has_gear || event["kind"] == "gear";
  EXPECT_TRUE(has_gear);
  // A slice of the speed is what the log holds.
  std::size_t column = 0;
  for (const Json& channel : run["channels"])
    if (channel["name"] == record::channel::kVelocity) column = channel["first"];
  const Answer answer = replay.answer("/api/slice?run=0&column=" + std::to_string(column) +
                                      "&from=2&to=3&points=5000");
  ASSERT_EQ(answer.status, 200);
  std::uint32_t count = 0, kind = 9;
  std::memcpy(&count, answer.body.data(), 4);
  std::memcpy(&kind, answer.body.data() + 4, 4);
  EXPECT_EQ(kind, 0U);
  ASSERT_EQ(answer.body.size(), 8 + 12 * count);
  const record::LogReader log(folder + "/log.h5");
  const std::vector<double> times = log.read("time"), speed = log.read(record::channel::kVelocity);
  for (std::size_t k = 0; k < count; ++k) {
    double t = 0;
    float v = 0;
    std::memcpy(&t, answer.body.data() + 8 + 8 * k, 8);
    std::memcpy(&v, answer.body.data() + 8 + 8 * count + 4 * k, 4);
    const auto at = std::ranges::find(times, t) - times.begin();
    EXPECT_EQ(v, static_cast<float>(speed[static_cast<std::size_t>(3 * at)]));
  }
  // Few points: each bucket's min and max are those of its samples, and nothing is lost.
  const Answer coarse = replay.answer("/api/slice?column=" + std::to_string(column) + "&points=20");
  std::memcpy(&count, coarse.body.data(), 4);
  std::memcpy(&kind, coarse.body.data() + 4, 4);
  EXPECT_EQ(kind, 1U);
  ASSERT_EQ(count, 20U);
  float low = 1e9F, high = -1e9F;
  for (std::size_t k = 0; k < count; ++k) {
    float pair[2];
    std::memcpy(pair, coarse.body.data() + 8 + 8 * count + 8 * k, 8);
    low = std::min(low, pair[0]), high = std::max(high, pair[1]);
  }
  double least = 1e9, most = -1e9;
  for (std::size_t k = 0; k < speed.size(); k += 3)
    least = std::min(least, speed[k]), most = std::max(most, speed[k]);
  EXPECT_EQ(low, static_cast<float>(least));
  EXPECT_EQ(high, static_cast<float>(most));
}

// The folder alone is enough: the scenario's own files may be gone or different.
TEST(Replay, NeedsTheFolderAlone) {
  const TemporaryFolder temporary;
  fs::create_directories(temporary.path().string() + "/in/scenarios");
  fs::copy("models", temporary.path().string() + "/in/models", fs::copy_options::recursive);
  const std::string scenario = temporary.path().string() + "/in/scenarios/step-steer.toml";
  fs::copy_file("scenarios/step-steer.toml", scenario);
  drive(scenario, 1, temporary.path().string() + "/run");
  fs::remove_all(temporary.path().string() + "/in");
  fs::rename(temporary.path().string() + "/run", temporary.path().string() + "/moved");
  Replay replay({temporary.path().string() + "/moved"});
  EXPECT_TRUE(replay.notes().empty()) << replay.notes().front();
  EXPECT_GT(replay.run(0).layout().bodies[0], 20);
  // Without the copies a box stands for it, and the user is told.
  fs::remove_all(temporary.path().string() + "/moved/files");
  Replay plain({temporary.path().string() + "/moved"});
  EXPECT_EQ(plain.run(0).layout().bodies[0], 1);
  ASSERT_EQ(plain.notes().size(), 1U);
  EXPECT_NE(plain.notes()[0].find("box stands for the vehicle"), std::string::npos);
  EXPECT_EQ(plain.answer("/api/clip?from=0&to=1").status, 200);
}

TEST(Replay, ShowsMechanisms) {
  const TemporaryFolder temporary;
  const record::RunFolder folder = record::RunFolder::make_at(temporary.path().string() + "/run");
  const std::string file = "models/four-bar.toml";
  multibody::MechanismDynamics dynamics(multibody::load_mechanism(file),
                                        multibody::Formulation::kCe);
  run::RunOptions options;
  options.duration = 1;
  run::MechanismRun run(options, &dynamics);
  run::record_run({.model_file = file, .model_text = read_file(file, 1 << 20), .program = "test"},
                  folder, &run);
  Replay replay({folder.path()});
  const Json hello = replay.hello("test");
  const Json& vehicle = hello["runs"][0]["vehicles"][0];
  EXPECT_EQ(vehicle["bodies"][0]["name"], "world");
  EXPECT_GE(vehicle["shapes"].size(), 4U);
  const Clip clip = decode_clip(replay.answer("/api/clip").body);
  const record::LogReader log(folder.log_path());
  const std::vector<double> poses = log.read("bodies/poses");
  const std::size_t bodies = vehicle["bodies"].size() - 1;
  for (std::size_t b = 0; b < bodies; ++b)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(clip.columns[1 + 7 * (b + 1) + i].values[10], poses[(10 * bodies + b) * 7 + i],
                  0.51 * kPositionStep);
}

// The tip of a double pendulum by trigonometry; gravity along -y of the model becomes down.
TEST(Replay, ShowsLagrangianModels) {
  const TemporaryFolder temporary;
  const record::RunFolder folder = record::RunFolder::make_at(temporary.path().string() + "/run");
  const std::string file = "models/double-pendulum.toml";
  const lagrange::LagrangianModel model = lagrange::load_lagrangian(file);
  run::RunOptions options;
  options.method = run::RunMethod::kDopri;
  options.duration = 1;
  run::LagrangianRun run(options, model);
  run::record_run({.model_file = file, .model_text = read_file(file, 1 << 20), .program = "test"},
                  folder, &run);
  Replay replay({folder.path()});
  EXPECT_TRUE(replay.notes().empty()) << replay.notes().front();
  ASSERT_EQ(replay.run(0).layout().bodies, std::vector<int>{3});
  const Clip clip = decode_clip(replay.answer("/api/clip").body);
  const std::vector<double> q = record::LogReader(folder.log_path()).read("coordinates/q");
  const auto value = [&](int body, int part, std::size_t sample) {
    return clip.columns[static_cast<std::size_t>(1 + 7 * body + part)].values[sample];
  };
  for (const std::size_t k : {0U, 30U, 70U}) {
    // The second frame stands at the elbow, in the model's axes.
    EXPECT_NEAR(value(2, 0, k), 0.9 * std::sin(q[2 * k]), 0.51 * kPositionStep);
    EXPECT_NEAR(value(2, 1, k), -0.9 * std::cos(q[2 * k]), 0.51 * kPositionStep);
    // Its quaternion is that of a turn about z by b.
    const double half = 0.5 * q[2 * k + 1];
    EXPECT_NEAR(std::abs(value(2, 5, k) * std::sin(half) + value(2, 6, k) * std::cos(half)), 1,
                1e-4);
    // Body 0 turns y up.
    const double x = value(0, 3, k), y = value(0, 4, k), z = value(0, 5, k), w = value(0, 6, k);
    EXPECT_NEAR(2 * (y * z + x * w), 1, 1e-3);
  }
}

TEST(Replay, RefusesDamagedFolders) {
  const TemporaryFolder temporary;
  const auto expect = [&](const std::string& folder, const std::string& text) {
    try {
      Replay replay({folder});
      ADD_FAILURE() << folder << " is taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  expect(temporary.path().string() + "/none", "there is no such folder");
  expect(temporary.path().string(), "there is no log.h5");
  const std::string folder = temporary.path().string() + "/run";
  drive("scenarios/step-steer.toml", 0.5, folder);
  expect(folder + "/log.h5", "is a file");
  const std::string summary = read_file(folder + "/summary.json", 1 << 20);
  const auto write = [](const std::string& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
  };
  write(folder + "/summary.json", "[1, 2]");
  expect(folder, "summary.json: is not a JSON object");
  write(folder + "/summary.json", R"({"kind": "drive", "status": 3})");
  expect(folder, "summary.json: status: must be text, is 3");
  write(folder + "/summary.json", summary);
  const std::string index = read_file(folder + "/files/index.json", 1 << 20);
  write(folder + "/files/index.json", "{}");
  expect(folder, "index.json");
  write(folder + "/files/index.json",
        R"({"kind": "run_files", "scenario": "../../x.toml", "original": ""})");
  expect(folder, "scenario: must be a file of this folder");
  write(folder + "/files/index.json", index);
  EXPECT_NO_THROW(Replay({folder}));
  const std::string log = read_file(folder + "/log.h5", 64 << 20);
  write(folder + "/log.h5", log.substr(0, 700));
  expect(folder, "log.h5");
}

TEST(Replay, RefusesParametersThatAreNone) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string() + "/run";
  drive("scenarios/step-steer.toml", 0.5, folder);
  Replay replay({folder});
  for (const char* target :
       {"/api/slice", "/api/slice?column=-1", "/api/slice?column=999999", "/api/slice?column=1,",
        "/api/slice?column=0&run=1", "/api/slice?column=0&points=1", "/api/slice?column=0&from=x",
        "/api/slice?column=0&points=99999999", "/api/clip?run=-1", "/api/clip?rate=0",
        "/api/clip?from=0&to=61", "/api/clip?from=nan", "/api/tile/a/0/0", "/api/mesh/x"})
    EXPECT_EQ(replay.answer(target).status, 400) << target;
  for (const char* target : {"/api", "/api/nothing", "/api/mesh/99", "/", "/api/tile/0/0"})
    EXPECT_EQ(replay.answer(target).status, 404) << target;
  for (const char* target : {"/api/clip?from=9&to=10", "/api/clip?from=-5&to=-4", "/api/hello"})
    EXPECT_EQ(replay.answer(target).status, 200) << target;
  // Whatever comes, there is an answer.
  std::mt19937 random(3);
  const std::string letters = "/api?slceiptmh=&0123456789,.-%ex";
  for (int k = 0; k < 5000; ++k) {
    std::string target = k % 3 == 0   ? "/api/slice?column="
                         : k % 3 == 1 ? "/api/clip?from="
                                      : "/api/";
    for (auto i = random() % 20; i > 0; --i) target.push_back(letters[random() % letters.size()]);
    const int status = replay.answer(target).status;
    EXPECT_TRUE(status == 200 || status == 204 || status == 400 || status == 404) << target;
  }
}

// A scan that was written to a file and read again is that of the drive, ray by ray: the file has
// points as floats, so a range may differ by one step of 5 mm.
TEST(Replay, HasTheScansOfTheDrive) {
  const TemporaryFolder temporary;
  const std::string path = temporary.path().string() + "/run";
  scenario::Scenario loaded = scenario::load_scenario("scenarios/posts-with-sensors.toml");
  loaded.run.duration = 2.2;
  run::Simulation simulation(scenario::build_scenario(std::move(loaded)));
  const std::vector<std::string> overrides;
  const record::RunFolder folder = record::RunFolder::make_at(path);
  run::copy_input_files(simulation, overrides, folder);
  std::map<double, std::string> scans;
  run::DriveRun run(&simulation, {.scan_folder = path + "/sensors"});
  run::record_run({.model_file = "scenarios/posts-with-sensors.toml",
                   .model_text = simulation.scenario().source.text,
                   .program = "camber test",
                   .overrides = overrides},
                  folder, &run, {.go_on = [&](double) {
                    const sensors::Sensor& lidar = simulation.sensors().sensor(0);
                    const sensors::Sample* sample = lidar.last();
                    const sensors::PointCloud* cloud =
                        sample == nullptr ? nullptr : lidar.cloud(*sample);
                    if (cloud == nullptr) return true;
                    std::string& scan = scans[sample->measured];
                    ScanMessage message(*cloud->pattern, cloud->begin, cloud->pose.position,
                                        internal::to_quaternion(cloud->pose.rotation), &scan);
                    for (const sensors::CloudPoint& point : cloud->points)
                      message.add(cloud->pattern->rays[point.ray], point.range);
                    return true;
                  }});
  Replay replay({path});
  EXPECT_TRUE(replay.notes().empty()) << replay.notes().front();
  const Json hello = replay.hello("test");
  EXPECT_EQ(hello["runs"][0]["sensors"][0]["recorded"], true);
  EXPECT_EQ(hello["runs"][0]["sensors"][1]["recorded"], false);
  const Answer answer = replay.answer("/api/scan/lidar?at=1.7");  // one a second is in a file
  ASSERT_EQ(answer.status, 200) << answer.body;
  double time = 0;
  std::memcpy(&time, answer.body.data(), sizeof time);
  EXPECT_GT(time, 0.9);
  EXPECT_LE(time, 1.7);
  const auto live = scans.find(time);
  ASSERT_NE(live, scans.end()) << time;
  ASSERT_EQ(answer.body.size(), live->second.size());
  std::size_t returns = 0, misses = 0;
  for (std::size_t at = 44; at + 1 < answer.body.size(); at += 2) {
    std::uint16_t a = 0, b = 0;
    std::memcpy(&a, answer.body.data() + at, sizeof a);
    std::memcpy(&b, live->second.data() + at, sizeof b);
    returns += b > 0 ? 1 : 0;
    misses += std::abs(static_cast<int>(a) - static_cast<int>(b)) > 1 ? 1 : 0;
  }
  EXPECT_GT(returns, 1000U);
  EXPECT_EQ(misses, 0U) << "of " << returns;
  EXPECT_EQ(replay.answer("/api/scan/lidar?at=-1").status, 204);
  EXPECT_EQ(replay.answer("/api/scan/lidar?at=x").status, 400);
  for (const char* none :
       {"/api/scan/imu", "/api/scan/..", "/api/image/lidar", "/api/scan/lidar%2F.."})
    EXPECT_EQ(replay.answer(none).status, 404) << none;
  // An index that names a file elsewhere is not followed.
  std::ofstream(path + "/sensors/lidar/index.csv") << "file,measured,available,points\n"
                                                      "../../log.h5,0,0,1\n";
  Replay spoilt({path});
  ASSERT_EQ(spoilt.notes().size(), 1U);
  EXPECT_NE(spoilt.notes()[0].find("index.csv:2"), std::string::npos) << spoilt.notes()[0];
  EXPECT_EQ(spoilt.answer("/api/scan/lidar").status, 404);
}

TEST(Replay, WritesOneFileForItself) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string() + "/run";
  drive("scenarios/step-steer.toml", 1, folder);
  Replay replay({folder, folder});
  PageText page;
  page.index =
      "<html><head><link rel=\"stylesheet\" href=\"/style.css\">\n<script defer "
      "src=\"/app.js\"></script></head><body></body></html>";
  page.script = "const end = '</script>', open = '<!-- x';";
  page.style = "body { margin: 0 }";
  const std::string html = make_html(&replay, "camber test", page);
  EXPECT_EQ(html.find("href="), std::string::npos);
  EXPECT_EQ(html.find("src=\""), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(html.find(page.script), std::string::npos);  // compressed
  EXPECT_EQ(html.find("<!--"), std::string::npos);
  for (const char* id : {"camber-hello", "camber-clip-0", "camber-clip-1", "camber-files",
                         "camber-blob", "camber-app"})
    EXPECT_NE(html.find(std::string("id=\"") + id + "\""), std::string::npos) << id;
  // Its hello is JSON, and text from files cannot end its element.
  const std::string open = "id=\"camber-hello\">";
  const std::size_t from = html.find(open) + open.size(), to = html.find("</script>", from);
  const Json hello = Json::parse(html.substr(from, to - from));
  EXPECT_EQ(hello["kind"], "replay");
  EXPECT_EQ(hello["runs"].size(), 2U);
}

}  // namespace
}  // namespace camber::view
