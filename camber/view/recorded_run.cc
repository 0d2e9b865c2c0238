#include "camber/view/recorded_run.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "camber/autonomy/goal_view.h"
#include "camber/core/file.h"
#include "camber/core/json_file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/record/channel_names.h"
#include "camber/run/input_files.h"
#include "camber/scenario/scenario_file.h"
#include "camber/view/clip.h"
#include "camber/view/json_values.h"
#include "camber/view/mechanism_drawing.h"
#include "camber/view/run_description.h"

namespace camber::view {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxSummaryBytes = 64 << 20;
constexpr std::size_t kMaxEvents = 2000;
constexpr const char* kBodyPoses = "bodies/poses";

std::string text_attribute(const record::Attributes& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return "";
  const auto* text = std::get_if<std::string>(&found->second);
  return text != nullptr ? *text : "";
}

/// Rotation of roll, pitch and yaw, about z, then y, then x.
math::Mat3<double> rotation_of(double roll, double pitch, double yaw) {
  const double cr = std::cos(roll), sr = std::sin(roll), cp = std::cos(pitch), sp = std::sin(pitch),
               cy = std::cos(yaw), sy = std::sin(yaw);
  return {{{cy * cp, sy * cp, -sp},
           {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
           {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}}};
}

}  // namespace

RecordedRun::RecordedRun(const std::string& folder) : folder_(folder) {
  std::error_code error;
  const fs::file_type type = fs::status(folder, error).type();
  require(type != fs::file_type::not_found, folder,
          ": there is no such folder; `camber run` makes those of runs");
  require(type == fs::file_type::directory, folder, ": is a file; expected the folder of a run");
  require(fs::exists(fs::path(folder) / "log.h5", error), folder,
          ": is not the folder of a run: there is no log.h5 in it");
  read_summary();
  open_log();
  kind_ = summary_.value("kind", "");
  if (kind_.empty())
    for (const record::Channel& channel : channels_)
      if (channel.name == record::channel::kPosition) kind_ = "drive";
  if (kind_ == "drive")
    build_drive();
  else if (log_->find_channel(kBodyPoses) != nullptr)
    open_mechanism();
  else if (kind_ == "lagrangian")
    open_model();
}

void RecordedRun::read_summary() {
  const std::string path = (fs::path(folder_) / "summary.json").string();
  std::error_code error;
  summary_ = Json::object();
  if (!fs::exists(path, error)) {
    notes_.push_back(path + ": is missing: the run was killed, or goes on; it has no figures");
    return;
  }
  try {
    summary_ = Json::parse(read_json_file(path, kMaxSummaryBytes), nullptr, false);
  } catch (const FileError& problem) {
    throw std::invalid_argument(problem.what());
  }
  require(summary_.is_object(), path, ": is not a JSON object, as the summary of a run is");
  for (const char* key : {"kind", "name", "about", "file", "status", "reason"})
    require(!summary_.contains(key) || summary_[key].is_string(), path, ": ", key,
            ": must be text, is ", summary_.contains(key) ? summary_[key].dump() : "");
}

void RecordedRun::open_log() {
  const std::string path = (fs::path(folder_) / "log.h5").string();
  try {
    log_ = std::make_unique<record::LogReader>(path);
    times_ = log_->read("time");
  } catch (const FileError& problem) {
    throw std::invalid_argument(problem.what());
  }
  require(!times_.empty(), path, ": the log has no samples",
          log_->is_complete() ? "" : "; its run was killed before the first was written");
  for (std::size_t k = 1; k < times_.size(); ++k)
    require(times_[k] >= times_[k - 1], path, ": time: goes back at sample ", k, ", from ",
            times_[k - 1], " to ", times_[k], " s");
  if (!log_->is_complete())
    notes_.push_back(
        concat(path, ": the log was cut off at t = ", short_text(times_.back()), " s"));
  for (const record::Channel& channel : log_->channels())
    if (channel.entries() > 0) channels_.push_back(channel);
  blocks_.resize(channels_.size());
  for (std::size_t c = 0; c < channels_.size(); ++c)
    for (std::size_t i = 0; i < channels_[c].entries(); ++i) places_.emplace_back(c, i);
  columns_.resize(places_.size());
  layout_.sample_size = static_cast<int>(places_.size());
}

const std::vector<double>& RecordedRun::block(std::size_t channel) {
  Block& block = blocks_[channel];
  if (!block.is_read) {
    block.values = log_->read(channels_[channel].name);
    block.is_read = true;
  }
  return block.values;
}

const std::vector<double>* RecordedRun::find_block(const std::string& name) {
  for (std::size_t c = 0; c < channels_.size(); ++c)
    if (channels_[c].name == name) return &block(c);
  return nullptr;
}

const ColumnPyramid& RecordedRun::column(std::size_t k) {
  std::optional<ColumnPyramid>& column = columns_.at(k);
  if (!column) {
    const auto [channel, entry] = places_[k];
    column.emplace(std::span(block(channel)).subspan(entry), channels_[channel].entries());
  }
  return *column;
}

// The scenario once more, from the copies in the folder or, without them, from where it was.
void RecordedRun::build_drive() {
  layout_.bodies = {1};
  std::string why;
  const auto build = [&](const std::string& path, const std::vector<std::string>& overrides) {
    try {
      simulation_ =
          std::make_unique<run::Simulation>(run::Simulation::load(path, Overrides(overrides)));
    } catch (const std::exception& error) {
      why = error.what();
    }
  };
  run::InputFiles files;
  try {
    files = run::find_input_files(folder_);
  } catch (const FileError& problem) {
    throw std::invalid_argument(problem.what());
  }
  if (!files.scenario.empty()) build(files.scenario, files.overrides);
  const std::string original = text_attribute(log_->attributes(), "model_file");
  std::error_code error;
  if (!simulation_ && !original.empty() && fs::exists(original, error)) {
    std::vector<std::string> overrides = files.overrides;
    if (const auto list = summary_.find("overrides"); list != summary_.end() && list->is_array()) {
      overrides.clear();
      for (const Json& value : *list)
        if (value.is_string()) overrides.push_back(value.get<std::string>());
    }
    build(original, overrides);
    if (simulation_ &&
        simulation_->scenario().source.text != text_attribute(log_->attributes(), "model_text"))
      notes_.push_back(concat(original, ": has changed since the run of ", folder_,
                              ": shapes and ground may differ"));
  }
  if (!simulation_) {
    notes_.push_back(concat(folder_, ": the files of its scenario cannot be used",
                            why.empty() ? "" : ": ", why,
                            "; a box stands for the vehicle, a plane for the ground"));
    return;
  }
  cache_ = simulation_->world().terrain().make_cache();
  scans_ = std::make_unique<RecordedScans>(folder_, simulation_->scenario().sensors);
  notes_.insert(notes_.end(), scans_->notes().begin(), scans_->notes().end());
  const StateFrame frame(simulation_.get());
  layout_.bodies = frame.layout().bodies;
  layout_.things = frame.layout().things;
  for (int i = 0; i < simulation_->world().vehicle_count(); ++i) {
    poses_.emplace_back(static_cast<std::size_t>(layout_.bodies[static_cast<std::size_t>(i)]) + 1);
    const std::string prefix =
        i == 0 ? "" : concat("vehicles/", simulation_->world().vehicle_name(i), "/");
    const record::Channel* q = log_->find_channel(prefix + record::channel::kCoordinates);
    const std::size_t expected = simulation_->world().vehicle(i).layout().coordinates.size();
    has_coordinates_.push_back(q != nullptr && expected > 0 && q->entries() == expected);
  }
}

void RecordedRun::open_mechanism() {
  const record::Channel& channel = *log_->find_channel(kBodyPoses);
  require(channel.shape.size() == 2 && channel.shape[1] == 7, folder_, "/log.h5: ", kBodyPoses,
          ": must have 7 numbers per body");
  mechanism_ = describe_mechanism(summary_.value("name", "mechanism"), channel.row_names,
                                  text_attribute(log_->attributes(), "model_text"),
                                  text_attribute(log_->attributes(), "model_file"));
  layout_.bodies = {static_cast<int>(channel.shape[0]) + 1};
}

// A model whose frames have no values, such as one with quasi-coordinates, is shown by its channels.
void RecordedRun::open_model() {
  std::vector<std::string> overrides;
  if (const auto list = summary_.find("overrides"); list != summary_.end() && list->is_array())
    for (const Json& value : *list)
      if (value.is_string()) overrides.push_back(value.get<std::string>());
  try {
    model_ = std::make_unique<LagrangianDrawing>(text_attribute(log_->attributes(), "model_text"),
                                                 text_attribute(log_->attributes(), "model_file"),
                                                 overrides);
  } catch (const std::exception& error) {
    notes_.push_back(concat(folder_, ": its bodies are not drawn: ", error.what()));
    return;
  }
  const record::Channel* q = log_->find_channel(record::channel::kCoordinates);
  if (q == nullptr || q->entries() != model_->coordinate_count()) {
    notes_.push_back(concat(folder_, ": its bodies are not drawn: log.h5 has not the ",
                            model_->coordinate_count(), " coordinates of its model"));
    model_.reset();
    return;
  }
  mechanism_ = model_->describe(summary_.value("name", "model"));
  layout_.bodies = {model_->body_count()};
}

void RecordedRun::fill_vehicle(int vehicle, std::size_t sample, std::span<double> values) {
  const auto v = static_cast<std::size_t>(vehicle);
  const std::string prefix =
      vehicle == 0 ? "" : concat("vehicles/", simulation_->world().vehicle_name(vehicle), "/");
  if (simulation_ && has_coordinates_[v]) {
    const std::vector<double>& q = *find_block(prefix + record::channel::kCoordinates);
    const std::size_t count = simulation_->world().vehicle(vehicle).layout().coordinates.size();
    if (simulation_->world().vehicle(vehicle).find_poses_at(
            times_[sample], std::span(q).subspan(sample * count, count), poses_[v])) {
      internal::write_relative_poses(poses_[v], values);
      return;
    }
  }
  const std::vector<double>* p = find_block(prefix + record::channel::kPosition);
  const std::vector<double>* a = find_block(prefix + record::channel::kAttitude);
  dynamics::BodyPose pose;
  if (p != nullptr && a != nullptr) {
    const double* at = &(*p)[3 * sample];
    const double* angles = &(*a)[3 * sample];
    pose = {{at[0], at[1], at[2]}, rotation_of(angles[0], angles[1], angles[2])};
  }
  const std::vector<dynamics::BodyPose> all(values.size() / 7 + 1, pose);
  internal::write_relative_poses(all, values);
}

void RecordedRun::fill_poses(std::size_t sample, std::span<double> values) {
  if (model_) {
    const std::vector<double>& q = *find_block(record::channel::kCoordinates);
    const std::size_t count = model_->coordinate_count();
    model_->find_poses(times_[sample], std::span(q).subspan(sample * count, count), values);
    return;
  }
  if (!mechanism_.is_null()) {
    const std::vector<double>& poses = *find_block(kBodyPoses);
    const std::size_t count = static_cast<std::size_t>(layout_.bodies[0]) - 1;
    std::fill_n(values.begin(), 7, 0.0);
    values[6] = 1;  // body 0 is the world
    for (std::size_t b = 0; b < count; ++b) {
      const double* from = &poses[7 * (sample * count + b)];
      double* to = &values[7 * (b + 1)];
      std::copy_n(from, 3, to);
      std::copy_n(from + 4, 3, to + 3);  // w is first in logs, last here
      to[6] = from[3];
    }
    return;
  }
  std::size_t first = 0;
  for (std::size_t v = 0; v < layout_.bodies.size(); ++v) {
    const std::size_t count = 7 * static_cast<std::size_t>(layout_.bodies[v]);
    fill_vehicle(static_cast<int>(v), sample, values.subspan(first, count));
    first += count;
  }
  if (!simulation_) return;
  for (const world::MovingThing& thing : simulation_->world().things()) {
    const world::MovingThing::Point at = thing.at(times_[sample]);
    values[first] = at.x, values[first + 1] = at.y, values[first + 3] = at.yaw;
    values[first + 2] = simulation_->world().terrain().sample(at.x, at.y, &cache_).h;
    first += 4;
  }
}

std::string RecordedRun::make_clip(int run, double from, double to, std::size_t stride,
                                   int compression) {
  ClipWriter clip(layout_, run);
  const auto index = [&](double t) {
    return static_cast<std::size_t>(std::ranges::lower_bound(times_, t) - times_.begin());
  };
  std::size_t first = index(from);
  if (first > 0 && (first == times_.size() || times_[first] > from)) --first;
  first -= first % stride;  // the same samples whatever is asked for
  const std::size_t last = std::min(index(to), times_.size() - 1);
  std::vector<double> values(layout_.value_count());
  const std::size_t poses = values.size() - places_.size();
  for (std::size_t c = 0; c < channels_.size(); ++c) block(c);
  for (std::size_t k = first;; k += stride) {
    const std::size_t sample = std::min(k, times_.size() - 1);
    fill_poses(sample, std::span(values).first(poses));
    std::size_t place = poses;
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const std::size_t count = channels_[c].entries();
      std::copy_n(&blocks_[c].values[sample * count], count, &values[place]);
      place += count;
    }
    clip.append(times_[sample], values);
    if (sample >= last) break;
  }
  return clip.finish(compression);
}

double RecordedRun::find_floor() {
  if (mechanism_.is_null()) return 0;
  constexpr std::size_t kLooks = 300;
  const std::size_t stride = std::max<std::size_t>(1, times_.size() / kLooks);
  std::vector<double> values(7 * static_cast<std::size_t>(layout_.bodies[0]));
  const double size = mechanism_.value("wheelbase", 1.0);
  double lowest = 0;
  for (std::size_t k = 0; k < times_.size(); k += stride) {
    fill_poses(k, values);
    const double x = values[3], y = values[4], z = values[5], w = values[6];  // of body 0
    for (std::size_t b = 1; 7 * b < values.size(); ++b) {
      const double* p = &values[7 * b];
      const double height = 2 * (x * z - y * w) * p[0] + 2 * (y * z + x * w) * p[1] +
                            (1 - 2 * (x * x + y * y)) * p[2];
      lowest = std::min(lowest, height);
    }
  }
  // Wheels that roll do so on the plane z = 0 of the world.
  for (const Json& shape : mechanism_["shapes"])
    if (shape["kind"] == "wheel") return 0;
  // What stands on z = 0 keeps its floor there.
  return std::isfinite(lowest) && lowest < -0.05 * size ? lowest - 1.2 * size : 0;
}

std::vector<double> RecordedRun::list_positions() {
  std::vector<double> out;
  const std::vector<double>* p = find_block(record::channel::kPosition);
  for (std::size_t k = 0; p != nullptr && k + 2 < p->size(); k += 3)
    out.insert(out.end(), {(*p)[k], (*p)[k + 1]});
  return out;
}

Json RecordedRun::describe_plain_vehicle() const {
  constexpr double kLength = 4.5, kWidth = 1.9, kTop = 0.9, kBottom = -0.3;  // [m]
  return {{"name", "vehicle"},
          {"model", ""},
          {"level", "point_mass"},
          {"mass", 0},
          {"outline",
           {{"rear", -kLength / 2},
            {"front", kLength / 2},
            {"right", -kWidth / 2},
            {"left", kWidth / 2}}},
          {"height", 0},
          {"wheelbase", 2.7},
          {"track", 1.6},
          {"shell", {{"kind", "boxes"}}},
          {"eye", {0.1, 0.4, 0.7}},
          {"bodies", {{{"name", "vehicle"}, {"mass", 0}, {"center", {0, 0, 0}}}}},
          {"corners", Json::array()},
          {"shapes",
           {{{"kind", "box"},
             {"part", "body"},
             {"name", "body"},
             {"body", 0},
             {"min", {-kLength / 2, -kWidth / 2, kBottom}},
             {"max", {kLength / 2, kWidth / 2, kTop}}}}}};
}

Json RecordedRun::list_events() {
  std::vector<Json> events;
  const auto add = [&](double time, const char* kind, std::string text) -> Json& {
    events.push_back({{"type", "event"},
                      {"number", events.size()},
                      {"time", time},
                      {"kind", kind},
                      {"text", std::move(text)}});
    return events.back();
  };
  if (const std::vector<double>* gear = find_block(record::channel::kGear))
    for (std::size_t k = 1; k < gear->size() && events.size() < kMaxEvents; ++k)
      if ((*gear)[k] != (*gear)[k - 1])
        add(times_[k], "gear", concat("gear ", static_cast<int>((*gear)[k])))["gear"] = (*gear)[k];
  if (const std::vector<double>* load = find_block(record::channel::kWheelLoad)) {
    const record::Channel& channel = *log_->find_channel(record::channel::kWheelLoad);
    const std::size_t wheels = channel.entries();
    for (std::size_t k = 1; k < times_.size() && events.size() < kMaxEvents; ++k)
      for (std::size_t w = 0; w < wheels; ++w) {
        const bool was = (*load)[(k - 1) * wheels + w] > 0, is = (*load)[k * wheels + w] > 0;
        if (was == is) continue;
        std::string name = w < channel.names.size() ? channel.names[w] : std::to_string(w);
        std::ranges::replace(name, '_', ' ');
        add(times_[k], is ? "contact" : "lift",
            name + (is ? " touches the ground" : " lifts"))["wheel"] = w;
      }
  }
  if (const std::vector<double>* behavior = find_block(record::channel::kGoalBehavior))
    for (std::size_t k = 1; k < behavior->size() && events.size() < kMaxEvents; ++k) {
      const double now = (*behavior)[k];
      if (now == (*behavior)[k - 1] || !(now >= 0 && now < std::size(autonomy::kBehaviorWords)))
        continue;
      const std::string word(autonomy::kBehaviorWords[static_cast<std::size_t>(now)]);
      add(times_[k], "behavior", word)["behavior"] = word;
    }
  std::ranges::stable_sort(events, [](const Json& a, const Json& b) {
    return a["time"].get<double>() < b["time"].get<double>();
  });
  const std::string status = summary_.value("status", ""), reason = summary_.value("reason", "");
  if (status == "failed")
    add(times_.back(), "failed", reason);
  else if (!status.empty())
    add(times_.back(), "ended", "the run ends");
  for (std::size_t k = 0; k < events.size(); ++k) events[k]["number"] = k;
  return Json(events);
}

Json RecordedRun::list_figures() const {
  Json list = Json::array();
  const auto found = summary_.find("key_figures");
  if (found == summary_.end() || !found->is_array()) return list;
  for (const Json& figure : *found) {
    if (!figure.is_object() || !figure.contains("name") || !figure["name"].is_string()) continue;
    Json json{{"name", figure["name"]},
              {"value", figure.value("value", Json())},
              {"unit", figure.value("unit", Json(""))}};
    if (figure.contains("passed")) json["passed"] = figure["passed"];
    std::string bounds;
    const auto bound = [&](const char* key, const char* words) {
      if (!figure.contains(key) || !figure[key].is_number()) return;
      bounds += concat(bounds.empty() ? "" : ", ", words, short_text(figure[key].get<double>()));
    };
    bound("lower", "at least ");
    bound("upper", "at most ");
    json["bounds"] = bounds;
    list.push_back(std::move(json));
  }
  return list;
}

Json RecordedRun::describe(MeshBook* meshes) {
  Json run;
  if (simulation_) {
    run = describe_run(*simulation_, meshes);
    run["has_poses"] = std::ranges::any_of(has_coordinates_, [](bool has) { return has; });
    for (Json& sensor : run["sensors"])
      sensor["recorded"] = scans_->has(sensor["name"].get<std::string>());
  } else {
    const std::string name = summary_.value("name", fs::path(folder_).filename().string());
    run = {{"name", name},
           {"about", summary_.value("about", "")},
           {"file", summary_.value("file", "")},
           {"begin", 0},
           {"end", 0},
           {"step", 0},
           {"sample_interval", 0},
           {"status", ""},
           {"reason", ""},
           {"has_poses", !mechanism_.is_null()}};
    run["vehicles"] = Json::array();
    if (!mechanism_.is_null())
      run["vehicles"].push_back(mechanism_);
    else if (kind_ == "drive")
      run["vehicles"].push_back(describe_plain_vehicle());
    run["things"] = Json::array();
    run["sensors"] = Json::array();
    run["path"] = Json::array();
  }
  run["kind"] = kind_;
  run["folder"] = fs::path(folder_).lexically_normal().filename().string();
  run["begin"] = times_.front();
  run["end"] = times_.back();
  if (times_.size() > 1)
    run["sample_interval"] =
        (times_.back() - times_.front()) / static_cast<double>(times_.size() - 1);
  run["status"] = summary_.value("status", log_->is_complete() ? "done" : "stopped");
  run["reason"] = summary_.value("reason", "");
  run["channels"] = describe_channels(channels_);
  run["sample_size"] = layout_.sample_size;
  run["events"] = list_events();
  run["figures"] = list_figures();
  if (const auto found = summary_.find("final_state_hash"); found != summary_.end())
    run["final_state_hash"] = *found;
  return run;
}

}  // namespace camber::view
