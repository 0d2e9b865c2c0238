#include "camber/view/recorded_scans.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/sensors/scan_file.h"
#include "camber/view/scan_message.h"

namespace camber::view {
namespace {

namespace fs = std::filesystem;
using sensors::LidarPattern;

constexpr std::size_t kMaxIndexBytes = 64 << 20, kMaxFileBytes = 256 << 20;
constexpr double kTolerance = 1e-6;  // of times [s]

/// A file beside its index, and nothing else.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.find_first_of("/\\") == std::string::npos && name != "." &&
         name != "..";
}

/// Pose of the sensor at the first ray: the line VIEWPOINT of a PCD file.
bool read_viewpoint(const std::string& bytes, math::Vec3<double>* position,
                    internal::UnitQuaternion* q) {
  const std::size_t at = bytes.find("\nVIEWPOINT ");
  if (at == std::string::npos) return false;
  std::istringstream line(bytes.substr(at + 11, 400));
  for (int i = 0; i < 3; ++i) line >> position->e[i];
  line >> q->w >> q->x >> q->y >> q->z;
  return static_cast<bool>(line);
}

/// The ray of a ring that was sent at a time or, where a flash sends all at once, in a direction.
const LidarPattern::Ray* find_ray(const std::vector<const LidarPattern::Ray*>& ring,
                                  const sensors::ScanPoint& point) {
  if (ring.empty()) return nullptr;
  if (ring.front()->time < ring.back()->time) {
    const auto after = std::ranges::lower_bound(
        ring, point.time, {}, [](const LidarPattern::Ray* ray) { return ray->time; });
    if (after == ring.end()) return ring.back();
    if (after == ring.begin()) return *after;
    return (*after)->time - point.time < point.time - (*(after - 1))->time ? *after : *(after - 1);
  }
  return *std::ranges::max_element(ring, {}, [&](const LidarPattern::Ray* ray) {
    return dot(ray->direction, point.position - ray->origin);
  });
}

}  // namespace

RecordedScans::RecordedScans(const std::string& folder,
                             const std::vector<sensors::SensorSpec>& sensors) {
  for (const sensors::SensorSpec& spec : sensors) {
    const auto* lidar = std::get_if<sensors::LidarSpec>(&spec.kind);
    if (lidar == nullptr && !std::holds_alternative<sensors::CameraSpec>(spec.kind)) continue;
    Shelf shelf;
    shelf.folder = (fs::path(folder) / "sensors" / spec.name).string();
    read_index(spec.name, &shelf);
    if (shelf.entries.empty()) continue;
    if (lidar != nullptr) {
      shelf.pattern = sensors::make_lidar_pattern(*lidar, spec.timing.rate);
      shelf.rays.resize(static_cast<std::size_t>(shelf.pattern->rings));
      for (const LidarPattern::Ray& ray : shelf.pattern->rays)
        shelf.rays[static_cast<std::size_t>(ray.ring)].push_back(&ray);
    }
    shelves_.emplace(spec.name, std::move(shelf));
  }
}

void RecordedScans::read_index(const std::string& name, Shelf* shelf) {
  const std::string path = shelf->folder + "/index.csv";
  std::error_code error;
  if (!fs::exists(path, error)) return;
  std::istringstream index;
  try {
    index.str(read_file(path, kMaxIndexBytes));
  } catch (const FileError& problem) {
    notes_.emplace_back(problem.what());
    return;
  }
  std::string line;
  std::getline(index, line);  // the names of the columns
  for (int number = 2; std::getline(index, line); ++number) {
    const std::string file = line.substr(0, line.find(','));
    const char* text = line.c_str() + std::min(line.size(), file.size() + 1);
    char* end = nullptr;
    const double time = std::strtod(text, &end);
    if (!is_plain_name(file) || end == text || !std::isfinite(time)) {
      notes_.push_back(concat(path, ":", number, ": expected file,measured,...: the scans of ",
                              name, " from there on are not shown"));
      return;
    }
    // One of a drive that was gone back from is replaced by the later one.
    while (!shelf->entries.empty() && shelf->entries.back().time >= time - kTolerance)
      shelf->entries.pop_back();
    if (!file.ends_with(".las")) shelf->entries.push_back({time, file});
  }
}

const RecordedScans::Entry* RecordedScans::find_entry(const Shelf& shelf, double time) {
  const auto after = std::ranges::upper_bound(shelf.entries, time + kTolerance, {}, &Entry::time);
  return after == shelf.entries.begin() ? nullptr : &*(after - 1);
}

Answer RecordedScans::answer_scan(std::string_view name, double time) const {
  const auto found = shelves_.find(name);
  if (found == shelves_.end() || !found->second.pattern) return refuse(404, "no such scans");
  const Shelf& shelf = found->second;
  const Entry* entry = find_entry(shelf, time);
  if (entry == nullptr) return {204, "application/octet-stream", {}};
  const std::string path = shelf.folder + "/" + entry->file;
  std::string bytes;
  std::vector<sensors::ScanPoint> points;
  try {
    bytes = read_file(path, kMaxFileBytes);
    points = sensors::parse_pcd(bytes, path);
  } catch (const FileError& error) {
    return refuse(404, error.what());
  }
  math::Vec3<double> position;
  internal::UnitQuaternion q;
  if (!read_viewpoint(bytes, &position, &q)) return refuse(404, path + ": has no VIEWPOINT");
  std::string body;
  ScanMessage scan(*shelf.pattern, entry->time, position, q, &body);
  for (const sensors::ScanPoint& point : points) {
    if (point.ring < 0 || point.ring >= shelf.pattern->rings) continue;
    const LidarPattern::Ray* ray =
        find_ray(shelf.rays[static_cast<std::size_t>(point.ring)], point);
    if (ray != nullptr) scan.add(*ray, dot(ray->direction, point.position - ray->origin));
  }
  return {200, "application/octet-stream", std::move(body)};
}

Answer RecordedScans::answer_image(std::string_view name, double time) const {
  const auto found = shelves_.find(name);
  if (found == shelves_.end() || found->second.pattern) return refuse(404, "no such pictures");
  const Entry* entry = find_entry(found->second, time);
  if (entry == nullptr) return {204, "image/png", {}};
  try {
    return {200, "image/png", read_file(found->second.folder + "/" + entry->file, kMaxFileBytes)};
  } catch (const FileError& error) {
    return refuse(404, error.what());
  }
}

}  // namespace camber::view
