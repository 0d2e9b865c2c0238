#pragma once

#include <functional>
#include <string>
#include <vector>

#include "camber/sim/drive_setup.h"
#include "camber/sim/mechanism_run.h"

namespace camber::sim {

/// What was logged of a drive, in memory: channels of the world, and the path's deviation where
/// there is a path.
struct DriveRecord {
  std::vector<record::Channel> channels;
  std::vector<double> times;                // [s]
  std::vector<std::vector<double>> values;  // of each channel, sample after sample
};

/// How a drive ended: as any run, and what else there is to say.
struct DriveResult : RunResult {
  std::string stop;                 // the condition that ended it, as it should; else empty
  std::vector<double> final_state;  // time, then the world's
  bool is_broken = false;           // by an exception: a file that could not be read, a full disk
};

/// A moment from which a drive can be gone on with, bit by bit.
struct DriveCheckpoint {
  double time = 0;  // [s]
  std::vector<double> world, pilot;
  std::vector<double> stops;  // since when each condition's wheel is lifted [s]
};

struct DriveObserver {
  /// A sample: all channels' values one behind the other. At the begin, at every sample interval,
  /// at the end, and at the last good state of a drive that fails.
  std::function<void(double t, std::span<const double> values)> sample = {};
  /// At every sample of the driver; false ends the drive with a sample there.
  std::function<bool(double t)> go_on = {};
  /// Every `checkpoint_interval` seconds of simulated time; 0: never.
  double checkpoint_interval = 0;
  std::function<void(const DriveCheckpoint& checkpoint)> checkpoint = {};
};

/// Channels in the order of DriveObserver::sample's values.
std::vector<record::Channel> list_channels(const Drive& drive);

/// From where the drive's world is to the scenario's duration.
DriveResult run_drive(Drive* drive, const DriveObserver& observer = {});

/// Goes on from a checkpoint of the same scenario. Throws std::invalid_argument where it is none.
void restore(const DriveCheckpoint& checkpoint, Drive* drive);

}  // namespace camber::sim
