#include "camber/run/checkpoint.h"

#include <nlohmann/json.hpp>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/hash.h"
#include "camber/core/json_file.h"
#include "camber/core/require.h"

namespace camber::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxBytes = std::size_t{4} << 30;  // over 100 km of ruts

/// The first file that is not the same in both lists; empty if all are.
std::string find_changed_file(const Json& before, const std::vector<HashedFile>& now) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool is_same = i < now.size() && before[i].at("part") == now[i].part &&
                         before[i].at("hash") == now[i].hash;
    if (!is_same) return before[i].at("file").get<std::string>();
  }
  return now.size() > before.size() ? now[before.size()].path : "";
}

/// Checksum of time and state: a checkpoint that was changed or damaged is not continued.
std::string calc_checksum(const SimulationState& state) {
  std::vector<double> all = {state.time};
  all.insert(all.end(), state.values.begin(), state.values.end());
  return hash_values(all);
}

}  // namespace

std::vector<HashedFile> hash_files(const Simulation& simulation) {
  std::vector<HashedFile> hashed;
  for (const scenario::PartFile& file : simulation.built().parts->files)
    hashed.push_back({file.part, file.path, hash_file(file.path)});
  for (const scenario::BuiltOther& other : simulation.built().others)
    for (const scenario::PartFile& file : other.parts->files)
      hashed.push_back(
          {concat(other.scenario->source.name, ".", file.part), file.path, hash_file(file.path)});
  for (const sensors::SensorSpec& sensor : simulation.scenario().sensors)
    if (!sensor.model.empty())
      hashed.push_back({"sensor " + sensor.name, sensor.model, hash_file(sensor.model)});
  return hashed;
}

// Numbers are written with as many digits as it takes to read the same bits.
void write_checkpoint(const std::string& path, const SimulationState& state,
                      const RunSource& source, const std::vector<HashedFile>& files) {
  Json list = Json::array();
  for (const HashedFile& file : files)
    list.push_back({{"part", file.part}, {"file", file.path}, {"hash", file.hash}});
  const Json json{{"kind", "checkpoint"},
                  {"program", source.program},
                  {"scenario_file", source.model_file},
                  {"scenario_text", source.model_text},
                  {"overrides", source.overrides},
                  {"files", list},
                  {"checksum", calc_checksum(state)},
                  {"time", state.time},
                  {"state", state.values}};
  write_file_atomically(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

SimulationState read_checkpoint(const std::string& path, const RunSource& source,
                                const std::vector<HashedFile>& files) {
  const auto fail = [&](const std::string& text) {
    throw ModelFileError(Position{.file = path}, text);
  };
  SimulationState state;
  try {
    const Json json = Json::parse(read_json_file(path, kMaxBytes));
    if (json.at("kind") != "checkpoint") fail("kind must be \"checkpoint\"");
    const std::string what =
        concat("is a checkpoint of ", json.at("scenario_file").get<std::string>(), " with ");
    if (json.at("scenario_text") != source.model_text || json.at("overrides") != source.overrides)
      fail(concat(what, "other contents or --set than ", source.model_file, " has now"));
    const std::string changed = find_changed_file(json.at("files"), files);
    if (!changed.empty()) fail(concat(what, "another ", changed, " than there is now"));
    const auto program = json.at("program").get<std::string>();
    if (program != source.program)
      fail(concat(what, "\"", program, "\"; this is \"", source.program,
                  "\", whose states may differ"));
    state.time = json.at("time").get<double>();
    state.values = json.at("state").get<std::vector<double>>();
    if (json.at("checksum") != calc_checksum(state))
      fail("does not have the checksum of its time and state: it was changed or is damaged");
  } catch (const FileError& error) {
    fail(error.reason());
  } catch (const Json::parse_error& error) {
    fail(concat("is not a checkpoint: it is not valid JSON at byte ", error.byte));
  } catch (const Json::exception&) {
    fail("is not a checkpoint: a key is missing or has another kind of value");
  }
  return state;
}

}  // namespace camber::run
