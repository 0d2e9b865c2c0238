#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "camber/sensors/lidar_pattern.h"
#include "camber/sensors/sensor_spec.h"
#include "camber/view/answer.h"

namespace camber::view {

/// Scans and pictures that a run wrote to FOLDER/sensors/NAME, by their times. LIDAR scans are read
/// from PCD files, which have the ring of each point; LAS files alone are not shown.
class RecordedScans {
 public:
  RecordedScans(const std::string& folder, const std::vector<sensors::SensorSpec>& sensors);

  bool has(std::string_view name) const { return shelves_.contains(name); }
  /// The last one up to `time` [s]; 204 if there is none, 404 for a sensor without any.
  Answer answer_scan(std::string_view name, double time) const;
  Answer answer_image(std::string_view name, double time) const;
  /// Files that cannot be used.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Entry {
    double time = 0;  // [s]
    std::string file;
  };
  struct Shelf {
    std::string folder;
    std::vector<Entry> entries;                                        // by time
    std::shared_ptr<const sensors::LidarPattern> pattern;              // null: a camera
    std::vector<std::vector<const sensors::LidarPattern::Ray*>> rays;  // by ring, by time
  };
  void read_index(const std::string& name, Shelf* shelf);
  static const Entry* find_entry(const Shelf& shelf, double time);

  std::map<std::string, Shelf, std::less<>> shelves_;
  std::vector<std::string> notes_;
};

}  // namespace camber::view
