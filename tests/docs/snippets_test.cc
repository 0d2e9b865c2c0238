// The C++ that pages of the manual show beside the examples, compiled and run.
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/temporary_folder.h"
#include "camber/figures/key_figures.h"
#include "camber/figures/signals.h"
#include "camber/record/log_reader.h"
#include "camber/record/log_writer.h"
#include "camber/record/run_folder.h"
#include "camber/report/drive_report.h"
#include "camber/run/simulation.h"
#include "camber/scenario/scenario_file.h"
#include "camber/scene/scene_file.h"
#include "camber/sensors/point_cloud.h"

namespace camber {
namespace {

class Snippets : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = (folder_.path() / "run").string();
};

// docs/manual/drive-report.md
TEST_F(Snippets, WriteADriveReport) {
  const auto folder = record::RunFolder::make_at(path_);
  const std::vector<double> times = {0, 0.1, 0.2};
  const std::vector<double> rates(9, 0.04);
  // clang-format off
  using namespace camber::report;
  DriveReport report{.scenario = "Lane change at 20 m/s"};
  report.times = times;
  report.channels = {{.name = "chassis/rates", .names = {"roll", "pitch", "yaw"}, .units = {"rad/s"}, .values = rates}};
  report.figures = {make_key_figure("peak yaw rate", 0.065, "rad/s", {}, 0.2, "dry asphalt")};  // no lower bound, an upper one
  report.ground.gates = {{{580, 1.4}, {580, -1.4}}};
  folder.write_report(make_drive_report(report));
  // clang-format on
  EXPECT_GT(std::filesystem::file_size(folder.report_path()), 10000U);
  EXPECT_TRUE(has_passed(report));
}

// docs/manual/logs.md
TEST_F(Snippets, WriteALog) {
  const auto folder = record::RunFolder::make_at(path_);
  const std::string path = "models/mule.toml", text = "kind = \"mechanism\"";
  const double t = 0.7;
  const std::vector<double> q = {1.5, -0.2}, poses(21, 0.3);
  {
    // clang-format off
    using namespace camber::record;
    const LogLayout layout = {
        .channels = {{.name = "coordinates/q", .shape = {2}, .units = {"m", "rad"}, .names = {"x", "psi"}},
                     {.name = "bodies/poses", .shape = {3, 7}, .row_names = {"chassis", "axle", "wheel"}}},
        .attributes = to_attributes({.model_file = path, .model_text = text, .program = "camber 0.1.0", .formulation = "ce"})};
    LogWriter log(folder.log_path(), layout);
    log.append(t, {q, poses});  // once per sample
    log.close();
    // clang-format on
  }
  const record::LogReader log(folder.log_path());
  EXPECT_EQ(log.read("coordinates/q"), q);
}

// docs/manual/scenarios.md
TEST_F(Snippets, CalculateFiguresOfOwnSignals) {
  std::vector<double> times, values;
  for (int i = 0; i <= 1000; ++i) {
    times.push_back(0.01 * i);
    values.insert(values.end(), {20.0, 0.1, 0.0});
  }
  const Overrides overrides = {};
  // clang-format off
  const scenario::Scenario drive = scenario::load_scenario("scenarios/step-steer.toml", overrides);
  figures::Signals signals(times);
  signals.add("chassis/velocity", {"forward", "left", "up"}, values);   // as the log has them
  figures::FigureContext context;                                      // what figures must know of the vehicle
  context.wheelbase = 3.302;
  const auto results = figures::calc_key_figures(drive.figures, signals, context);
  // clang-format on
  EXPECT_EQ(results.size(), drive.figures.size());
}

// docs/manual/scene.md
TEST_F(Snippets, CastARay) {
  // clang-format off
  scene::SceneFile file = scene::load_scene("scenes/yard.toml");
  scene::Scene& scene = file.scene;
  std::vector<scene::Ray> rays = {{.origin = {-3, -1, -1.8}, .direction = {1, 0, 0}}};
  std::vector<scene::Hit> hits(rays.size());
  scene.cast(rays, hits);  // range, normal, instance, primitive, material, class
  // clang-format on
  EXPECT_NEAR(hits[0].range, 2.75, 1e-9);
}

// docs/manual/sensors.md
TEST_F(Snippets, ReadALidar) {
  // clang-format off
  run::Simulation simulation = run::Simulation::load("scenarios/posts-with-sensors.toml");
  simulation.step(0.5);
  const sensors::Sensor* lidar = simulation.sensors().find("lidar");
  if (const sensors::Sample* sample = lidar->find_latest(simulation.time()))   // what has arrived by now
    std::cout << sample->measured << " " << lidar->cloud(*sample)->points.size() << "\n";
  // clang-format on
  ASSERT_NE(lidar->find_latest(simulation.time()), nullptr);
  EXPECT_GT(lidar->cloud(*lidar->find_latest(simulation.time()))->points.size(), 1000U);
}

}  // namespace
}  // namespace camber
