#pragma once

#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "camber/record/log_layout.h"
#include "camber/report/drive_report.h"
#include "camber/run/runnable.h"
#include "camber/sensors/suite.h"

namespace camber::run {

/// The series of a log for the samples of all sensors, in their order: sensors/NAME with time (of
/// the measurement), available, and the sensor's quantities.
std::vector<record::Series> list_sensor_series(const sensors::SensorSuite& sensors);

/// Passes samples to the log, and writes scans and pictures to FOLDER/NAME with an index.csv of
/// their times.
class SensorRecorder {
 public:
  /// An empty folder: scans and pictures are not written.
  SensorRecorder(const sensors::SensorSuite& sensors, SeriesSink sink, std::string folder);

  /// Throws FileError.
  void take(const sensors::Sensor& sensor, const sensors::Sample& sample);
  /// Closes the indices. Throws FileError if one could not be written.
  void finish();
  /// A few views of each LIDAR and camera over the drive, for its report: finish() has written them
  /// to FOLDER/../views.
  const std::vector<report::PagePicture>& pictures() const { return pictures_; }
  /// Where satellites said that the first receiver's antenna was, once a second.
  const std::vector<report::GroundPoint>& fixes() const { return fixes_; }
  /// Samples of each sensor so far.
  std::map<std::string, long> counts() const;

 private:
  struct Entry {
    const sensors::Sensor* sensor = nullptr;
    long count = 0;
    std::ofstream index;
    /// Views that are kept: at most kMaxViews, then every second one is dropped, and the next ones
    /// have twice the time between them.
    struct View {
      double time = 0;
      std::string png;
    };
    std::vector<View> views;
    double view_spacing = 1, next_view = 0;  // [s]
  };
  void keep_view(Entry* entry, const sensors::Sample& sample);
  void keep_fix(const Entry& entry, const sensors::Sample& sample);
  void write_scan(Entry* entry, const sensors::Sample& sample);

  SeriesSink sink_;
  std::string folder_;
  std::vector<Entry> entries_;
  std::vector<double> row_;
  std::vector<report::PagePicture> pictures_;
  std::vector<report::GroundPoint> fixes_;
  double next_fix_ = 0;  // [s]
};

}  // namespace camber::run
