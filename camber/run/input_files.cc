#include "camber/run/input_files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

#include "camber/core/file.h"
#include "camber/core/hash.h"
#include "camber/core/json_file.h"
#include "camber/core/require.h"

namespace camber::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxCopy = 8 << 20, kMaxIndex = 1 << 20;  // [bytes]

fs::path place_of(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return (error ? fs::path(path) : whole).lexically_normal();
}

/// The folder that all of these are in.
fs::path find_common_folder(const std::vector<fs::path>& paths) {
  fs::path common = paths.front().parent_path();
  for (const fs::path& path : paths) {
    fs::path next;
    auto a = common.begin();
    const fs::path folder = path.parent_path();
    for (auto b = folder.begin(); a != common.end() && b != folder.end() && *a == *b; ++a, ++b)
      next /= *a;
    common = next;
  }
  return common;
}

}  // namespace

void copy_input_files(const Simulation& simulation, const std::vector<std::string>& overrides,
                      const record::RunFolder& folder) {
  const scenario::ScenarioSource& source = simulation.scenario().source;
  std::vector<fs::path> paths = {place_of(source.file)};
  std::vector<std::string> names = {source.file};  // as they were given
  const auto add = [&](const std::string& path) {
    const fs::path place = place_of(path);
    if (std::ranges::find(paths, place) != paths.end()) return;
    paths.push_back(place);
    names.push_back(path);
  };
  for (const scenario::PartFile& file : simulation.built().parts->files) add(file.path);
  for (const scenario::BuiltOther& other : simulation.built().others)
    for (const scenario::PartFile& file : other.parts->files) add(file.path);
  for (const sensors::SensorSpec& sensor : simulation.scenario().sensors)
    if (!sensor.model.empty()) add(sensor.model);
  const fs::path common = find_common_folder(paths), to = fs::path(folder.path()) / "files";
  Json list = Json::array();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const fs::path relative = paths[i].lexically_relative(common);
    const fs::path copy = to / relative;
    std::error_code error;
    fs::create_directories(copy.parent_path(), error);
    if (error) throw FileError(copy.parent_path().string(), "cannot be made: " + error.message());
    Json entry{{"file", names[i]}, {"copy", relative.generic_string()}};
    if (i == 0) {  // as it was read: it may be a pipe
      write_file_atomically(copy.string(), source.text);
    } else if (const auto size = fs::file_size(paths[i], error); !error && size <= kMaxCopy) {
      write_file_atomically(copy.string(), read_file(paths[i].string(), kMaxCopy));
    } else {
      entry["copy"] = nullptr;
      entry["hash"] = hash_file(paths[i].string());
    }
    list.push_back(std::move(entry));
  }
  const Json index{{"kind", "run_files"},
                   {"scenario", paths.front().lexically_relative(common).generic_string()},
                   {"original", source.file},
                   {"overrides", overrides},
                   {"files", std::move(list)}};
  write_file_atomically((to / "index.json").string(),
                        index.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

InputFiles find_input_files(const std::string& run_folder) {
  const fs::path folder = fs::path(run_folder) / "files";
  const std::string path = (folder / "index.json").string();
  InputFiles out;
  std::error_code error;
  if (!fs::exists(path, error)) return out;
  const Json index = Json::parse(read_json_file(path, kMaxIndex), nullptr, false);
  if (!index.is_object() || index.value("kind", "") != "run_files")
    throw FileError(path, "is not the list of a run's files: kind must be \"run_files\"");
  const auto text = [&](const char* key) {
    const auto found = index.find(key);
    if (found == index.end() || !found->is_string())
      throw FileError(path, concat(key, ": must be text"));
    return found->get<std::string>();
  };
  // A name from a file must not lead out of the folder.
  const fs::path relative = fs::path(text("scenario")).lexically_normal();
  if (relative.is_absolute() || relative.empty() || *relative.begin() == "..")
    throw FileError(
        path, concat("scenario: must be a file of this folder, is \"", relative.string(), "\""));
  out.scenario = (folder / relative).string();
  out.original = text("original");
  if (const auto found = index.find("overrides"); found != index.end() && found->is_array())
    for (const Json& value : *found)
      if (value.is_string()) out.overrides.push_back(value.get<std::string>());
  if (const auto found = index.find("files"); found != index.end() && found->is_array())
    for (const Json& entry : *found)
      if (!entry.is_object() || !entry.contains("copy") || !entry["copy"].is_string())
        out.is_complete = false;
  return out;
}

}  // namespace camber::run
