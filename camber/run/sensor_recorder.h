#pragma once

#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "camber/record/log_layout.h"
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
  /// Samples of each sensor so far.
  std::map<std::string, long> counts() const;

 private:
  struct Entry {
    const sensors::Sensor* sensor = nullptr;
    long count = 0;
    std::ofstream index;
  };
  void write_scan(Entry* entry, const sensors::Sample& sample);

  SeriesSink sink_;
  std::string folder_;
  std::vector<Entry> entries_;
  std::vector<double> row_;
};

}  // namespace camber::run
