#include "camber/report/folder_report.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <nlohmann/json.hpp>

#include "camber/core/file.h"
#include "camber/core/json_file.h"
#include "camber/core/require.h"
#include "camber/record/log_reader.h"

namespace camber::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxSummaryBytes = 64 << 20;
constexpr std::size_t kManyUnitless = 16;  // columns; beyond it nobody reads single components

Json to_json(const std::vector<SummaryValue>& values) {
  Json list = Json::array();
  for (const SummaryValue& value : values)
    list.push_back({{"name", value.name}, {"value", value.value}, {"unit", value.unit}});
  return list;
}

Json to_json(const GroundPoint& point) { return {point.x, point.y}; }

Json to_json(const GroundObstacle& obstacle) {
  if (obstacle.outline.empty())
    return {{"center", to_json(obstacle.center)}, {"radius", obstacle.radius}};
  Json outline = Json::array();
  for (const GroundPoint& point : obstacle.outline) outline.push_back(to_json(point));
  return {{"name", obstacle.name}, {"outline", outline}};
}

Json to_json(const GroundPlan& plan) {
  Json json{{"target", Json::array()},
            {"gates", Json::array()},
            {"obstacles", Json::array()},
            {"tracks", Json::array()}};
  for (const GroundPoint& point : plan.target) json["target"].push_back(to_json(point));
  for (const GroundGate& gate : plan.gates)
    json["gates"].push_back({to_json(gate.left), to_json(gate.right)});
  for (const GroundObstacle& obstacle : plan.obstacles)
    json["obstacles"].push_back(to_json(obstacle));
  for (const GroundTrack& track : plan.tracks) {
    Json points = Json::array();
    for (const GroundPoint& point : track.points) points.push_back(to_json(point));
    json["tracks"].push_back({{"name", track.name}, {"points", std::move(points)}});
  }
  for (const GroundLines& set : plan.lines) {
    Json lines = Json::array();
    for (const std::vector<GroundPoint>& line : set.lines) {
      Json points = Json::array();
      for (const GroundPoint& point : line) points.push_back(to_json(point));
      lines.push_back(std::move(points));
    }
    json["lines"].push_back({{"label", set.label},
                             {"color", set.color},
                             {"dots", set.is_dots},
                             {"lines", std::move(lines)}});
  }
  for (const GroundMark& mark : plan.marks)
    json["marks"].push_back({{"at", to_json(mark.at)}, {"text", mark.text}});
  return json;
}

/// An entry, or an empty value of its type.
template <class T>
T get(const Json& json, const char* key, T fallback = {}) {
  const auto found = json.find(key);
  return found != json.end() && !found->is_null() ? found->get<T>() : fallback;
}

Json list(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : Json::array();
}

std::vector<SummaryValue> read_values(const Json& values) {
  std::vector<SummaryValue> read;
  for (const Json& value : values)
    read.push_back({get<std::string>(value, "name"), get<std::string>(value, "value"),
                    get<std::string>(value, "unit")});
  return read;
}

GroundPoint read_point(const Json& json) { return {json.at(0), json.at(1)}; }

GroundPlan read_plan(const Json& json) {
  GroundPlan plan;
  for (const Json& point : list(json, "target")) plan.target.push_back(read_point(point));
  for (const Json& gate : list(json, "gates"))
    plan.gates.push_back({read_point(gate.at(0)), read_point(gate.at(1))});
  for (const Json& obstacle : list(json, "obstacles")) {
    GroundObstacle read{.name = get<std::string>(obstacle, "name")};
    for (const Json& point : list(obstacle, "outline")) read.outline.push_back(read_point(point));
    if (read.outline.empty()) read.center = read_point(obstacle.at("center"));
    read.radius = get<double>(obstacle, "radius", 0);
    plan.obstacles.push_back(std::move(read));
  }
  for (const Json& track : list(json, "tracks")) {
    plan.tracks.push_back({.name = get<std::string>(track, "name")});
    for (const Json& point : list(track, "points"))
      plan.tracks.back().points.push_back(read_point(point));
  }
  for (const Json& set : list(json, "lines")) {
    plan.lines.push_back({.label = get<std::string>(set, "label"),
                          .color = get(set, "color", -1),
                          .is_dots = get(set, "dots", false)});
    for (const Json& line : list(set, "lines")) {
      plan.lines.back().lines.emplace_back();
      for (const Json& point : line) plan.lines.back().lines.back().push_back(read_point(point));
    }
  }
  for (const Json& mark : list(json, "marks"))
    plan.marks.push_back({read_point(mark.at("at")), get<std::string>(mark, "text")});
  return plan;
}

PageData read_page(const Json& json) {
  PageData page;
  page.title = get<std::string>(json, "title");
  page.notes = get<std::vector<std::string>>(json, "notes");
  page.values = read_values(list(json, "values"));
  page.settings = read_values(list(json, "settings"));
  page.events = read_values(list(json, "events"));
  page.channels = get<std::vector<std::string>>(json, "channels");
  for (const Json& picture : list(json, "pictures"))
    page.pictures.push_back(
        {get<std::string>(picture, "caption"), get<std::string>(picture, "file")});
  page.plan = read_plan(json.value("plan", Json::object()));
  return page;
}

std::vector<KeyFigure> read_figures(const Json& summary) {
  std::vector<KeyFigure> figures;
  const auto bound = [](const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<double>())
                                                     : std::nullopt;
  };
  for (const Json& json : list(summary, "key_figures"))
    figures.push_back({.name = get<std::string>(json, "name"),
                       .value = get(json, "value", std::numeric_limits<double>::quiet_NaN()),
                       .unit = get<std::string>(json, "unit"),
                       .lower = bound(json, "lower"),
                       .upper = bound(json, "upper"),
                       .passed = get(json, "passed", true),
                       .source = get<std::string>(json, "source")});
  return figures;
}

/// A channel as it is drawn. Of many quaternions nobody reads the components.
RunChannel make_drawn_channel(const record::LogReader& log, const record::Channel& channel) {
  RunChannel drawn{.name = channel.name,
                   .names = channel.names,
                   .units = channel.units,
                   .values = log.read(channel.name),
                   .description = channel.description};
  if (drawn.names.empty()) drawn.names = {""};
  if (static_cast<std::size_t>(std::ranges::count(drawn.units, "1")) <= kManyUnitless) return drawn;
  const std::size_t columns = drawn.names.size();
  const auto is_kept = [&](std::size_t i) { return channel.units[i % columns] != "1"; };
  const auto keep = [&](auto* values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values->size(); ++i)
      if (is_kept(i)) (*values)[kept++] = (*values)[i];
    values->resize(kept);
  };
  keep(&drawn.values);
  keep(&drawn.names);
  keep(&drawn.units);
  drawn.description += " Quaternions are in the log, but not drawn.";
  return drawn;
}

std::vector<RunChannel> read_channels(const record::LogReader& log,
                                      const std::vector<std::string>& order) {
  std::vector<RunChannel> channels;
  const auto add = [&](const record::Channel& channel) {
    if (channel.shape.size() > 1 || channel.entries() == 0) return;
    channels.push_back(make_drawn_channel(log, channel));
    if (channels.back().names.empty()) channels.pop_back();  // quaternions only
  };
  for (const std::string& name : order)
    if (const record::Channel* channel = log.find_channel(name)) add(*channel);
  if (order.empty())
    for (const record::Channel& channel : log.channels()) add(channel);
  return channels;
}

/// Pictures of a folder, read. A picture that somebody has deleted is left out, and so is one that is
/// not in the folder.
std::vector<PagePicture> read_pictures(const std::string& folder,
                                       const std::vector<PagePicture>& pictures) {
  constexpr std::size_t kMaxBytes = 4 << 20;
  std::vector<PagePicture> read;
  for (const PagePicture& picture : pictures) {
    const std::filesystem::path path = std::filesystem::path(picture.file).lexically_normal();
    if (path.is_absolute() || path.empty() || *path.begin() == ".." || path.extension() != ".png")
      continue;
    try {
      read.push_back({picture.caption, read_file(folder + "/" + path.string(), kMaxBytes)});
    } catch (const FileError&) {
    }
  }
  return read;
}

std::string make_drive_page(const std::string& folder, const Json& summary, const PageData& page,
                            const record::LogReader& log) {
  DriveReport report;
  report.scenario = page.title;
  report.about = get<std::string>(summary, "about");
  const std::string status = get<std::string>(summary, "status");
  if (status == "stopped") report.failure = "stopped by hand";
  if (status == "failed") report.failure = get<std::string>(summary, "reason");
  if (report.failure.empty() && !get(summary, "sound", true))
    report.failure = "the drive is unsound (below)";
  report.figures = read_figures(summary);
  report.warnings = get<std::vector<std::string>>(summary, "warnings");
  report.times = log.read("time");
  report.channels = read_channels(log, page.channels);
  report.ground = page.plan;
  report.events = page.events;
  report.pictures = read_pictures(folder, page.pictures);
  report.settings = page.settings;
  if (const auto versions = summary.find("versions"); versions != summary.end())
    for (const auto& [name, value] : versions->items())
      report.versions.push_back({name, value.get<std::string>()});
  return make_drive_report(report);
}

}  // namespace

Json to_json(const PageData& page) {
  Json json{{"title", page.title},
            {"notes", page.notes},
            {"values", to_json(page.values)},
            {"settings", to_json(page.settings)},
            {"channels", page.channels}};
  const GroundPlan& plan = page.plan;
  if (!page.events.empty()) json["events"] = to_json(page.events);
  for (const PagePicture& picture : page.pictures)
    json["pictures"].push_back({{"caption", picture.caption}, {"file", picture.file}});
  if (!plan.empty()) json["plan"] = to_json(plan);
  return json;
}

std::string make_folder_report(const std::string& folder) {
  const std::string summary_path = folder + "/summary.json";
  try {
    const Json summary = Json::parse(read_json_file(summary_path, kMaxSummaryBytes));
    PageData page = read_page(summary.value("page", Json::object()));
    const std::string name = std::filesystem::weakly_canonical(folder).filename().string();
    page.settings.push_back({"to see the motion", "camber view " + name});
    const record::LogReader log(folder + "/log.h5");
    if (get<std::string>(summary, "kind") == "drive")
      return make_drive_page(folder, summary, page, log);
    return make_run_report({.title = page.title,
                            .notes = page.notes,
                            .summary = page.values,
                            .settings = page.settings,
                            .times = log.read("time"),
                            .channels = read_channels(log, page.channels)});
  } catch (const Json::exception& error) {
    throw std::invalid_argument(concat(summary_path, ": not the summary of a run: ", error.what()));
  }
}

}  // namespace camber::report
