#include "apps/camber/check_file.h"

#include <exception>
#include <functional>
#include <utility>

#include <nlohmann/json.hpp>

#include "apps/camber/model_source.h"
#include "camber/city/city_file.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/lagrange/motion.h"
#include "camber/multibody/relaxed_dynamics.h"
#include "camber/scenario/build_scenario.h"
#include "camber/scenario/describe.h"
#include "camber/scene/scene_file.h"
#include "camber/study/check_study.h"
#include "camber/vehicle/problems.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;

ModelSource open_source(const std::string& path, const CheckOptions& options) {
  const Overrides overrides(options.overrides);
  return options.text ? ModelSource(path, *options.text, overrides) : ModelSource(path, overrides);
}

MechanismResult check_mechanism(const ModelSource& source, const multibody::Mechanism& mechanism) {
  using multibody::Formulation;
  MechanismResult result;
  std::vector<Formulation> formulations = {Formulation::kFa, Formulation::kTa, Formulation::kCe};
  if (has_relaxation(mechanism)) formulations = {Formulation::kUk};
  {
    const auto dynamics = make_dynamics(source, mechanism, formulations.back());
    result.mobility = dynamics.mobility();
    result.assembly = dynamics.assembly();
  }
  // The analysis of `fa` grows with more than the third power of its 6 coordinates per body.
  constexpr std::size_t kMaxBodiesForFa = 300;
  for (const Formulation formulation : formulations) {
    FormulationSize size{.name = to_text(formulation)};
    if (formulation == Formulation::kFa && mechanism.bodies.size() > kMaxBodiesForFa) {
      size.problem = concat("not analyzed: more than ", kMaxBodiesForFa, " bodies");
      result.formulations.push_back(std::move(size));
      continue;
    }
    try {
      const multibody::MechanismDynamics dynamics(mechanism, formulation);
      size.coordinates = dynamics.coordinate_count();
      size.constraints = dynamics.constraint_count();
    } catch (const std::exception& error) {
      size.problem = error.what();
      if (size.problem.starts_with(size.name + ": ")) size.problem.erase(0, size.name.size() + 2);
    }
    result.formulations.push_back(std::move(size));
  }
  return result;
}

/// A raw map is read where one drives: here every height of it is.
void check_heights(const terrain::Terrain& ground, const std::function<Position()>& find_place) {
  const auto* map = std::get_if<terrain::TiledMap>(&ground.base);
  const auto* raw = map ? std::get_if<terrain::RawHeightFile>(&map->source()) : nullptr;
  if (raw == nullptr) return;
  try {
    raw->require_heights();
  } catch (const FileError& error) {
    throw ModelFileError(find_place(), error.what());
  }
}

}  // namespace

CheckResult check_file(const std::string& path, const CheckOptions& options) {
  CheckResult result;
  result.file = path;
  try {
    ModelSource source = open_source(path, options);
    result.kind = source.kind();
    source.require_known_kind();
    if (source.is_mechanism()) {
      const multibody::Mechanism mechanism = source.read_mechanism();
      if (source.is_urdf()) result.note = describe_loose_limits(mechanism);
      result.notes = source.notes();
      result.mechanism = check_mechanism(source, mechanism);
      if (source.is_vehicle()) {
        const vehicle::Vehicle car = open_source(path, options).read_vehicle();
        for (const vehicle::VehicleProblem& doubt : vehicle::find_unlikely(car))
          result.notes.push_back(doubt.place + " " + doubt.text);
        result.data_sheet = analysis::make_data_sheet(car);
        for (const std::string& note : result.data_sheet->notes) result.notes.push_back(note);
      }
    } else if (result.kind == "lagrangian") {
      lagrange::check_dynamics(source.read_lagrangian());
    } else if (result.kind == "rolling_wheel") {
      source.read_wheel();
    } else if (result.kind == "terrain") {
      check_heights(source.read_terrain(), [&] {
        TomlFile file = parse_toml(source.text(), path);
        return file.root().at("terrain").at("file").position();
      });
    } else if ((result.kind == "scene" || result.kind == "city") && options.text) {
      source.refuse_kind("scenes and cities are checked from files, not from text in memory");
    } else if (result.kind == "scene") {
      scene::load_scene(path, Overrides(options.overrides));
    } else if (result.kind == "city") {
      city::make_terrain(city::load_city(path, Overrides(options.overrides)));
    } else if (result.kind == "plan") {
      source.read_plan();
    } else if (result.kind == "tire") {
      result.notes = source.read_tire().notes;
    } else if (result.kind == "equipment") {
      source.read_equipment();
    } else if (result.kind == "study") {
      require(options.overrides.empty(), "--set: studies take none; their key `set` does the same");
      study::check_study(path, options.text);
    } else if (result.kind == "scenario") {
      result.scenario = source.read_scenario();
      const scenario::BuiltScenario built = scenario::build_scenario(*result.scenario);
      check_heights(built.world.terrain(), [&] {
        return scenario::find_key(*result.scenario, "terrain", result.scenario->ground.terrain,
                                  {"terrain", "file"});
      });
      result.notes = built.notes;
    }
  } catch (const ModelFileError& error) {
    result.diagnostics = error.diagnostics();
  }
  return result;
}

namespace {

/// A finding in the file that is checked, in one that it names, or in an option.
Json to_json(const Diagnostic& diagnostic, const std::string& checked) {
  const Position& where = diagnostic.where;
  const bool is_option = where.file.starts_with("--set ");
  Json json = {{"severity", diagnostic.severity == Severity::kError ? "error" : "warning"}};
  if (where.file != checked) json[is_option ? "option" : "file"] = where.file;
  json["line"] = is_option ? Json() : Json(where.line);
  json["column"] = is_option ? Json() : Json(where.column);
  json["key"] = where.key;
  json["text"] = diagnostic.text;
  return json;
}

void add_json(const MechanismResult& mechanism, Json* file) {
  Json formulations;
  for (const FormulationSize& size : mechanism.formulations) {
    if (size.problem.empty()) {
      formulations[size.name] = {{"coordinates", size.coordinates},
                                 {"constraints", size.constraints}};
    } else {
      formulations[size.name] = {{"problem", size.problem}};
    }
  }
  (*file)["degrees_of_freedom"] = mechanism.mobility.degrees_of_freedom;
  (*file)["formulations"] = formulations;
  (*file)["redundant"] = mechanism.mobility.redundant;
  (*file)["driven"] = mechanism.mobility.driven;
  (*file)["assembly"] = {{"steps", mechanism.assembly.iterations},
                         {"error", mechanism.assembly.error}};
}

void add_json(const scenario::Scenario& scenario, Json* file) {
  Json lines = Json::object();
  // What a scenario may have several of.
  for (const char* list : {"sensors", "others", "things", "stops"}) lines[list] = Json::array();
  for (const auto& [part, text] : describe(scenario)) {
    if (part == "figure") continue;
    if (const auto list = lines.find(part + "s"); list != lines.end())
      list->push_back(text);
    else
      lines[part] = text;
  }
  lines["figures"] = Json::array();
  for (const figures::FigureRequest& request : scenario.figures) {
    Json figure = {{"figure", request.figure}, {"name", request.name}};
    const auto add = [&](const char* key, const std::optional<double>& value) {
      if (value) figure[key] = *value;
    };
    add("after", request.after);
    add("before", request.before);
    add("min", request.min);
    add("max", request.max);
    lines["figures"].push_back(figure);
  }
  (*file)["scenario"] = lines;
}

}  // namespace

std::string to_json(const std::vector<CheckResult>& results) {
  Json files = Json::array();
  for (const CheckResult& result : results) {
    Json diagnostics = Json::array();
    for (const Diagnostic& diagnostic : result.diagnostics) {
      diagnostics.push_back(to_json(diagnostic, result.file));
    }
    files.push_back({{"file", result.file},
                     {"ok", result.ok()},
                     {"kind", result.kind.empty() ? Json() : Json(result.kind)},
                     {"diagnostics", diagnostics}});
    if (!result.note.empty()) files.back()["note"] = result.note;
    if (result.scenario || result.kind == "tire" || !result.notes.empty())
      files.back()["notes"] = result.notes;
    if (result.mechanism) add_json(*result.mechanism, &files.back());
    if (result.data_sheet)
      files.back()["data_sheet"] = Json::parse(analysis::to_json(*result.data_sheet));
    if (result.scenario) add_json(*result.scenario, &files.back());
  }
  // A file name may hold any bytes; JSON may not.
  const Json all = files.size() == 1 ? files[0] : Json{{"files", files}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace camber::app
