#include "camber/report/load_run.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include "camber/core/file.h"
#include "camber/core/json_file.h"
#include "camber/core/require.h"
#include "camber/record/log_reader.h"

namespace camber::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxSummaryBytes = 64 << 20;

std::string column_name(const record::Channel& channel, std::size_t column) {
  if (channel.names.empty()) return channel.columns() == 1 ? "" : std::to_string(column + 1);
  return channel.names[column];
}

/// All entries of a sample as columns, those of two axes with the row's name first.
RunChannel flatten(const record::LogReader& log, const record::Channel& channel) {
  RunChannel flat{.name = channel.name, .values = log.read(channel.name)};
  const std::size_t columns = channel.columns();
  for (std::size_t i = 0; i < channel.entries(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    std::string name = column_name(channel, column);
    if (channel.shape.size() > 1) {
      const std::string row_name =
          row < channel.row_names.size() ? channel.row_names[row] : std::to_string(row + 1);
      name = concat(row_name, name.empty() ? "" : " ", name);
    }
    flat.names.push_back(std::move(name));
    flat.units.push_back(channel.units.empty()       ? ""
                         : channel.units.size() == 1 ? channel.units.front()
                                                     : channel.units[column]);
  }
  return flat;
}

/// All numbers of a summary, by the names of the objects that they are in.
void add_numbers(const Json& json, const std::string& prefix,
                 std::vector<ComparedFigure>* figures) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_number())
      figures->push_back({.name = prefix + name, .value = value.get<double>()});
    if (value.is_object()) add_numbers(value, prefix + name + ".", figures);
  }
}

void add_key_figures(const Json& list, std::vector<ComparedFigure>* figures) {
  for (const Json& figure : list) {
    if (!figure.is_object() || !figure.contains("name") || !figure["name"].is_string()) continue;
    const Json value = figure.value("value", Json()), unit = figure.value("unit", Json());
    figures->push_back({.name = figure["name"].get<std::string>(),
                        .value = value.is_number() ? value.get<double>()
                                                   : std::numeric_limits<double>::quiet_NaN(),
                        .unit = unit.is_string() ? unit.get<std::string>() : ""});
  }
}

void read_summary(const std::string& path, ComparedRun* run) {
  std::error_code error;
  if (!fs::exists(path, error)) return;  // of a run that was killed, or is still going on
  const Json summary = Json::parse(read_json_file(path, kMaxSummaryBytes), nullptr, false);
  require(summary.is_object(), path, ": is not a JSON object, as the summary of a run is");
  const auto key_figures = summary.find("key_figures");
  if (key_figures != summary.end() && key_figures->is_array()) {
    add_key_figures(*key_figures, &run->figures);
    // How long the computer took says nothing about the vehicle.
    if (const auto time = summary.find("time"); time != summary.end() && time->is_number())
      run->figures.push_back({.name = "time", .value = time->get<double>(), .unit = "s"});
  } else {
    add_numbers(summary, "", &run->figures);
  }
}

void check_folder(const std::string& folder) {
  const auto find_type = [&](const fs::path& path) {
    std::error_code error;
    const fs::file_type type = fs::status(path, error).type();
    require(type != fs::file_type::none, folder, ": cannot be read: ", error.message());
    return type;
  };
  const fs::file_type type = find_type(folder);
  require(type != fs::file_type::not_found, folder,
          ": there is no such folder; `camber run` makes those of runs");
  require(type == fs::file_type::directory, folder, ": is a file; expected the folder of a run");
  require(find_type(fs::path(folder) / "log.h5") != fs::file_type::not_found, folder,
          ": is not the folder of a run: there is no log.h5 in it");
}

/// The last `parts` parts of a path.
std::string tail_of(const fs::path& path, std::size_t parts) {
  std::vector<std::string> names;
  for (const fs::path& part : path) {
    if (!part.empty()) names.push_back(part.string());
  }
  fs::path tail;
  for (std::size_t i = names.size() - std::min(parts, names.size()); i < names.size(); ++i) {
    tail /= names[i];
  }
  return tail.string();
}

}  // namespace

ComparedRun load_run(const std::string& folder) {
  check_folder(folder);
  ComparedRun run{.name = tail_of(fs::canonical(folder), 1)};
  try {
    const record::LogReader log((fs::path(folder) / "log.h5").string());
    run.is_complete = log.is_complete();
    run.times = log.read("time");
    for (const record::Channel& channel : log.channels()) {
      if (channel.entries() > 0) run.channels.push_back(flatten(log, channel));
    }
    read_summary((fs::path(folder) / "summary.json").string(), &run);
  } catch (const FileError& error) {
    throw std::invalid_argument(error.what());
  }
  require(!run.times.empty(), folder, ": the log has no samples",
          run.is_complete ? "" : "; its run was killed before the first was written");
  return run;
}

std::vector<ComparedRun> load_runs(const std::vector<std::string>& folders) {
  std::vector<ComparedRun> runs;
  std::vector<fs::path> paths;
  for (const std::string& folder : folders) {
    runs.push_back(load_run(folder));
    paths.push_back(fs::canonical(folder));
  }
  const std::size_t different = std::set<fs::path>(paths.begin(), paths.end()).size();
  std::set<std::string> names;
  for (std::size_t parts = 1; names.size() < different; ++parts) {
    names.clear();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      runs[i].name = tail_of(paths[i], parts);
      names.insert(runs[i].name);
    }
  }
  // The same folder twice, to see that nothing differs.
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto before = std::count(paths.begin(), paths.begin() + static_cast<long>(i), paths[i]);
    if (before > 0) runs[i].name += concat(" (", before + 1, ")");
  }
  return runs;
}

}  // namespace camber::report
