#include "camber/run/sensor_recorder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/sensors/camera.h"
#include "camber/sensors/point_cloud.h"
#include "camber/sensors/range_picture.h"
#include "camber/terrain/raster_file.h"

namespace camber::run {

std::vector<record::Series> list_sensor_series(const sensors::SensorSuite& sensors) {
  std::vector<record::Series> list;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const sensors::Sensor& sensor = sensors.sensor(i);
    record::Series series{.group = "sensors/" + sensor.name(), .channels = {}};
    series.chunk_samples =
        static_cast<std::size_t>(std::clamp(std::ceil(sensor.spec().timing.rate), 1.0, 256.0));
    series.channels.push_back({.name = "available",
                               .units = {"s"},
                               .description = "Time at which the sample can be used"});
    for (const sensors::Quantity& quantity : sensor.quantities()) {
      record::Channel channel{.name = quantity.name,
                              .units = quantity.units,
                              .names = quantity.names,
                              .description = quantity.description};
      if (!quantity.names.empty()) channel.shape = {quantity.names.size()};
      series.channels.push_back(std::move(channel));
    }
    list.push_back(std::move(series));
  }
  return list;
}

SensorRecorder::SensorRecorder(const sensors::SensorSuite& sensors, SeriesSink sink,
                               std::string folder)
    : sink_(std::move(sink)), folder_(std::move(folder)), entries_(sensors.size()) {
  for (std::size_t i = 0; i < sensors.size(); ++i) entries_[i].sensor = &sensors.sensor(i);
}

void SensorRecorder::take(const sensors::Sensor& sensor, const sensors::Sample& sample) {
  const auto found = std::ranges::find(entries_, &sensor, &Entry::sensor);
  row_.assign(1, sample.available);
  row_.insert(row_.end(), sample.values.begin(), sample.values.end());
  sink_(static_cast<std::size_t>(found - entries_.begin()), sample.measured, row_);
  if (!folder_.empty() && sensor.spec().files != sensors::ScanFiles::kNone &&
      found->count % sensor.spec().save_every == 0)
    write_scan(&*found, sample);
  if (!folder_.empty()) keep_view(&*found, sample);
  keep_fix(*found, sample);
  ++found->count;
}

void SensorRecorder::keep_view(Entry* entry, const sensors::Sample& sample) {
  constexpr std::size_t kMaxViews = 6;
  constexpr double kTolerance = 1e-9;  // [s]
  if (sample.measured < entry->next_view - kTolerance) return;
  const sensors::PointCloud* cloud = entry->sensor->cloud(sample);
  const sensors::CameraImage* image = entry->sensor->image(sample);
  std::string png;
  if (cloud != nullptr) {
    const int beams = std::max(1, cloud->pattern->rings);
    const sensors::ScanPicture picture =
        sensors::draw_ranges(*cloud, 900, std::clamp(128 / beams, 1, 8));
    png = terrain::encode_png(picture.width, picture.height, 3, picture.rgb);
  } else if (image != nullptr) {
    png = terrain::encode_png(image->width, image->height, 3, image->rgb);
  } else {
    return;
  }
  if (entry->views.size() == kMaxViews) {
    for (std::size_t k = 0; k < kMaxViews / 2; ++k)
      entry->views[k] = std::move(entry->views[2 * k]);
    entry->views.resize(kMaxViews / 2);
    entry->view_spacing *= 2;
  }
  entry->views.push_back({sample.measured, std::move(png)});
  entry->next_view = sample.measured + entry->view_spacing;
}

void SensorRecorder::keep_fix(const Entry& entry, const sensors::Sample& sample) {
  if (!std::holds_alternative<sensors::GnssSpec>(entry.sensor->spec().kind)) return;
  const auto first = std::ranges::find_if(entries_, [](const Entry& e) {
    return std::holds_alternative<sensors::GnssSpec>(e.sensor->spec().kind);
  });
  const bool has_fix = sample.values[11] != 0;
  if (&*first != &entry || !has_fix || sample.measured < next_fix_) return;
  fixes_.push_back({sample.values[6], sample.values[7]});
  next_fix_ = sample.measured + 1;
}

void SensorRecorder::write_scan(Entry* entry, const sensors::Sample& sample) {
  const sensors::Sensor& sensor = *entry->sensor;
  const sensors::PointCloud* cloud = sensor.cloud(sample);
  const sensors::CameraImage* image = sensor.image(sample);
  if (cloud == nullptr && image == nullptr) return;
  const std::string folder = folder_ + "/" + sensor.name();
  if (!entry->index.is_open()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw FileError(folder, "cannot make the folder: " + error.message());
    entry->index.open(folder + "/index.csv");
    entry->index << "file,measured,available,points\n";
  }
  std::string name = std::to_string(sample.number);
  name.insert(0, name.size() < 6 ? 6 - name.size() : 0, '0');
  const sensors::ScanFiles files = sensor.spec().files;
  std::string file;
  if (cloud != nullptr && files != sensors::ScanFiles::kLas)
    sensors::write_pcd(folder + "/" + (file = name + ".pcd"), *cloud);
  if (cloud != nullptr && files != sensors::ScanFiles::kPcd)
    sensors::write_las(folder + "/" + (file = name + ".las"), *cloud);
  if (cloud != nullptr && files == sensors::ScanFiles::kBoth) file = name + ".pcd";
  if (image != nullptr) {
    sensors::write_image(folder + "/" + name, *image);
    file = name + ".png";
  }
  entry->index << concat(file, ",", sample.measured, ",", sample.available, ",",
                         cloud != nullptr ? cloud->points.size() : 0, "\n");
  if (!entry->index) throw FileError(folder + "/index.csv", "cannot write");
}

void SensorRecorder::finish() {
  for (Entry& entry : entries_) {
    if (!entry.index.is_open()) continue;
    entry.index.close();
    if (!entry.index)
      throw FileError(folder_ + "/" + entry.sensor->name() + "/index.csv", "cannot write");
  }
  pictures_.clear();
  if (folder_.empty()) return;
  const std::filesystem::path views = std::filesystem::path(folder_).parent_path() / "views";
  for (const Entry& entry : entries_) {
    if (entry.views.empty()) continue;
    std::error_code error;
    std::filesystem::create_directories(views, error);
    if (error) throw FileError(views.string(), "cannot make the folder: " + error.message());
    const std::string& name = entry.sensor->name();
    for (std::size_t k = 0; k < entry.views.size(); ++k) {
      const std::string file = concat(name, "-", k, ".png");
      write_file_atomically((views / file).string(), entry.views[k].png);
      pictures_.push_back(
          {concat(name, ", t = ", short_text(entry.views[k].time, 4), " s"), "views/" + file});
    }
  }
}

std::map<std::string, long> SensorRecorder::counts() const {
  std::map<std::string, long> counts;
  for (const Entry& entry : entries_) counts[entry.sensor->name()] = entry.count;
  return counts;
}

}  // namespace camber::run
