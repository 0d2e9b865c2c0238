// Writes pages for page_test.mjs: usage: write_pages FOLDER
#include <iostream>
#include <string>

#include "camber/core/file.h"
#include "camber/report/compare_report.h"
#include "camber/report/drive_report.h"
#include "tests/page/lane_change.h"

namespace camber::testing {
namespace {

report::ComparedRun make_run(const std::string& name, const LaneChangeOptions& options) {
  const report::DriveReport drive = make_lane_change(options);
  report::ComparedRun run{.name = name, .times = drive.times, .channels = drive.channels};
  for (const report::KeyFigure& figure : drive.figures) {
    run.figures.push_back({figure.name, figure.value * options.speed / 20, figure.unit});
  }
  return run;
}

void write_pages(const std::string& folder) {
  write_drive_report(folder + "/drive.html", make_lane_change());
  report::DriveReport rough = make_lane_change({.roughness = 1, .seed = 7});
  rough.figures[0].passed = false;
  rough.scenario = "Rough ground";
  write_drive_report(folder + "/rough.html", rough);
  const std::vector<report::ComparedRun> runs = {
      make_run("lane-change-001", {.duration = 60}),
      make_run("lane-change-002", {.duration = 58, .speed = 19})};
  write_file_atomically(folder + "/compare.html", make_compare_report(runs, compare_runs(runs)));
}

}  // namespace
}  // namespace camber::testing

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_pages FOLDER\n";
    return 2;
  }
  try {
    camber::testing::write_pages(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
