#pragma once

#include <string>
#include <vector>

#include "camber/report/key_figure.h"
#include "camber/report/run_report.h"

namespace camber::report {

/// A place on the ground, x and y of the world [m].
struct GroundPoint {
  double x = 0, y = 0;
};

/// Two cones between which the drive is to pass.
struct GroundGate {
  GroundPoint left, right;
};

/// A disk, or the area of its outline.
struct GroundObstacle {
  std::string name = {};
  GroundPoint center = {};
  double radius = 0;                      // [m]
  std::vector<GroundPoint> outline = {};  // instead of center and radius, if not empty
};

/// Path of another vehicle or a thing.
struct GroundTrack {
  std::string name = {};
  std::vector<GroundPoint> points = {};
};

/// Lines or dots of one meaning: obstacles that a pilot saw, its candidates.
struct GroundLines {
  std::string label = {};  // in the legend
  int color = -1;          // in the palette
  bool is_dots = false;
  std::vector<std::vector<GroundPoint>> lines = {};
};

/// A point with a word.
struct GroundMark {
  GroundPoint at = {};
  std::string text = {};
};

/// A picture in the run's folder.
struct PagePicture {
  std::string caption = {};
  std::string file = {};  // relative to the folder
};

/// Surroundings of the drive's path.
struct GroundPlan {
  std::vector<GroundPoint> target = {};  // the path that the driver was to follow
  std::vector<GroundPoint> cones = {};
  std::vector<GroundGate> gates = {};
  std::vector<GroundObstacle> obstacles = {};
  std::vector<GroundTrack> tracks = {};  // of others
  std::vector<GroundLines> lines = {};
  std::vector<GroundMark> marks = {};

  bool empty() const {
    return target.empty() && cones.empty() && gates.empty() && obstacles.empty() &&
           tracks.empty() && lines.empty() && marks.empty();
  }
};

struct DriveReport {
  std::string scenario;      // "Double lane change at 20 m/s"
  std::string about = {};    // what is driven and why
  std::string failure = {};  // why the drive ended early; empty if it did not
  std::vector<KeyFigure> figures = {};
  std::vector<std::string> warnings = {};
  std::vector<double> times = {};  // [s]
  std::vector<RunChannel> channels =
      {};  // of docs/manual/running.md; those that are there are drawn
  GroundPlan ground = {};
  std::vector<SummaryValue> events = {};    // of a pilot: time, behavior, reason
  std::vector<PagePicture> pictures = {};   // `file` is the PNG itself
  std::vector<SummaryValue> settings = {};  // vehicle, ground, driver, steps, seed
  std::vector<SummaryValue> versions = {};  // of the program and what it was built with
};

/// "Passed: all 7 requirements are met", or what is not so.
std::string verdict_text(const DriveReport& report);
/// No early end, and no failed figure.
bool has_passed(const DriveReport& report);

/// One self-contained HTML page: verdict and key figures, then charts of the drive in the order
/// speed, attitude, lateral acceleration, yaw rate, wheels, path over ground, driver, drivetrain,
/// suspension, energy, then settings. Angles are in degrees, engine speeds in revolutions per
/// minute. Charts whose channels are missing are left out. Throws std::invalid_argument if the size
/// of a channel is not columns times samples.
std::string make_drive_report(const DriveReport& report);

/// The same into a file, whole or not at all. Throws FileError.
void write_drive_report(const std::string& path, const DriveReport& report);

}  // namespace camber::report
