#include "camber/live/sensor_views.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "camber/sensors/camera.h"
#include "camber/sensors/point_cloud.h"
#include "camber/sensors/suite.h"
#include "camber/terrain/raster_file.h"
#include "camber/view/scan_message.h"

namespace camber::live {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGoalInterval = 0.2;  // [s]
constexpr double kMaxPlanAge = 2.5;    // [s]
constexpr std::size_t kMaxSeen = 4000;

/// The nearest return of each ray.
void encode_scan(const sensors::PointCloud& cloud, std::string* out) {
  const sensors::LidarPattern& pattern = *cloud.pattern;
  view::ScanMessage scan(pattern, cloud.begin, cloud.pose.position,
                         view::internal::to_quaternion(cloud.pose.rotation), out);
  for (const sensors::CloudPoint& point : cloud.points)
    scan.add(pattern.rays[point.ray], point.range);
}

}  // namespace

SensorViews::SensorViews(const run::Simulation& simulation) {
  const sensors::SensorSuite& suite = simulation.sensors();
  for (std::size_t i = 0; i < suite.size(); ++i) {
    const sensors::SensorSpec& spec = suite.sensor(i).spec();
    const bool is_camera = std::holds_alternative<sensors::CameraSpec>(spec.kind);
    const bool is_lidar = std::holds_alternative<sensors::LidarSpec>(spec.kind);
    sensors_.push_back(is_camera || is_lidar ? std::make_unique<Watched>() : nullptr);
    if (!sensors_.back()) continue;
    sensors_.back()->name = spec.name;
    sensors_.back()->is_camera = is_camera;
  }
  const auto& pilot = simulation.built().drivers.front();
  has_goal_ = pilot && pilot->goal() != nullptr;
}

void SensorViews::look(const run::Simulation& simulation,
                       const std::function<void(std::string_view, long)>& tell) {
  if (!is_watched_.load(std::memory_order_relaxed)) return;
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    if (!sensors_[i]) continue;
    Watched& watched = *sensors_[i];
    const sensors::Sensor& sensor = simulation.sensors().sensor(i);
    const sensors::Sample* sample = sensor.last();
    if (sample == nullptr || sample->number == watched.number) continue;
    watched.number = sample->number;
    View& view = watched.views.to_fill();
    if (watched.is_camera) {
      const sensors::CameraImage* image = sensor.image(*sample);
      if (image == nullptr) continue;
      view.width = image->width;
      view.height = image->height;
      view.bytes.assign(reinterpret_cast<const char*>(image->rgb.data()), image->rgb.size());
    } else {
      const sensors::PointCloud* cloud = sensor.cloud(*sample);
      if (cloud == nullptr) continue;
      encode_scan(*cloud, &view.bytes);
    }
    watched.views.publish();
    tell(watched.name, sample->number);
  }
  const auto& pilot = simulation.built().drivers.front();
  if (has_goal_ && std::abs(simulation.time() - goal_time_) >= kGoalInterval)
    look_at_goal(*pilot->goal(), simulation.time());
}

void SensorViews::look_at_goal(const autonomy::GoalView& goal, double time) {
  goal_time_ = time;
  Goal& to = goals_.to_fill();
  to.behavior = goal.behavior;
  to.x = goal.target_x;
  to.y = goal.target_y;
  to.cell = goal.cell;
  to.candidates.clear();
  // Pilots keep one plan now and then, and no more after some time: old ones are not shown.
  if (!goal.pictures.empty() && time - goal.pictures.back().time < kMaxPlanAge)
    to.candidates = goal.pictures.back().candidates;
  const std::size_t count = std::min(goal.seen.size(), kMaxSeen);
  to.seen.assign(goal.seen.end() - static_cast<std::ptrdiff_t>(count), goal.seen.end());
  goals_.publish();
}

// ---------------------------------------------------------------------------- the other thread --

SensorViews::Watched* SensorViews::find(std::string_view name, bool is_camera) {
  for (const auto& sensor : sensors_)
    if (sensor && sensor->name == name && sensor->is_camera == is_camera) return sensor.get();
  return nullptr;
}

server::Answer SensorViews::answer_scan(std::string_view name) {
  Watched* sensor = find(name, false);
  if (sensor == nullptr) return {404, "text/plain; charset=utf-8", "no such LIDAR\n"};
  if (const View* view = sensor->views.read()) sensor->newest = view;
  if (sensor->newest == nullptr) return {204, "", ""};
  return {200, "application/octet-stream", sensor->newest->bytes};
}

server::Answer SensorViews::answer_image(std::string_view name) {
  Watched* sensor = find(name, true);
  if (sensor == nullptr) return {404, "text/plain; charset=utf-8", "no such camera\n"};
  if (const View* view = sensor->views.read()) sensor->newest = view;
  if (sensor->newest == nullptr) return {204, "", ""};
  const View& view = *sensor->newest;
  return {200, "image/png",
          terrain::encode_png(view.width, view.height, 3, {view.bytes.begin(), view.bytes.end()})};
}

server::Answer SensorViews::answer_goal() {
  if (const Goal* goal = goals_.read()) newest_goal_ = goal;
  if (newest_goal_ == nullptr) return {204, "", ""};
  const Goal& goal = *newest_goal_;
  Json candidates = Json::array(), obstacles = Json::array();
  for (const autonomy::Candidate& candidate : goal.candidates) {
    Json points = Json::array();
    for (const planning::Point& p : candidate.points) points.push_back({p.x, p.y});
    candidates.push_back({{"points", std::move(points)},
                          {"taken", candidate.is_taken},
                          {"blocked", candidate.is_blocked}});
  }
  for (const planning::Point& p : goal.seen) obstacles.push_back({p.x, p.y});
  const Json json{{"behavior", autonomy::kBehaviorWords[static_cast<std::size_t>(goal.behavior)]},
                  {"target", {goal.x, goal.y}},
                  {"candidates", std::move(candidates)},
                  {"obstacles", std::move(obstacles)},
                  {"cell", goal.cell}};
  return {200, "application/json; charset=utf-8", json.dump()};
}

}  // namespace camber::live
