// [vehicle] and [tire].

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "camber/core/file_reference.h"
#include "camber/core/require.h"
#include "camber/scenario/tables.h"

namespace camber::scenario::internal {
namespace {

void read_start(const TomlNode& node, TableReading* in, dynamics::Start* start) {
  start->x = number_or(node, "x", 0, -kFar, kFar, "m");
  start->y = number_or(node, "y", 0, -kFar, kFar, "m");
  start->heading = read_degrees(node.get("heading_deg", 0.0), 360);
  start->speed = number_or(node, "speed", 0, -kFast, kFast, "m/s");
  const std::size_t mistakes = in->found->error_count();
  start->has_gear = static_cast<bool>(node.find("gear"));
  start->gear = static_cast<int>(node.get("gear", std::int64_t{1}).integer(-1, 20));
  in->is_gear_valid = in->found->error_count() == mistakes;
}

/// The model of a file of kind "tire"; empty if there is no such word or file.
std::optional<TireModel> find_model_of(const std::string& path) {
  if (path.empty()) return {};
  try {
    TomlFile file = load_toml(path);
    const TomlNode table = file.root().find("tire");
    if (!table || !table.is_table()) return {};
    const TomlNode model = table.find("model");
    if (!model || !model.is_text()) return {};
    const auto* found =
        std::find(std::begin(kTireModelWords), std::end(kTireModelWords), model.text());
    if (found == std::end(kTireModelWords)) return {};
    return static_cast<TireModel>(found - std::begin(kTireModelWords));
  } catch (const ModelFileError&) {
    return {};  // the reader of the tire reports what is wrong
  }
}

}  // namespace

void read_vehicle(TableReading* in, Scenario* scenario) {
  const TomlNode node = in->root.at("vehicle");
  VehicleSetup& vehicle = scenario->vehicle;
  vehicle.model = read_file_reference(node.at("model"), in->folder, "vehicle");
  if (const auto file = node.find("equipment"))
    vehicle.equipment = read_file_reference(file, in->folder, "equipment");
  vehicle.level = read_word_or(node, "level", kVehicleLevelWords, vehicle.level);
  if (const auto formulation = node.find("formulation")) {
    vehicle.formulation = read_word<Formulation>(formulation, kFormulationWords);
    vehicle.has_formulation = true;
  }
  if (const auto list = node.find("payload")) {
    for (const TomlNode& load : list.tables()) {
      const std::vector<double> at = load.at("at").numbers(3, "m");
      vehicle.payload.push_back({load.at("mass").in_range(0, 1e6, "kg"), {at[0], at[1], at[2]}});
    }
  }
  if (const auto list = node.find("assist"))
    for (const TomlNode& word : list.elements())
      vehicle.assist.push_back(word.choice(std::span<const std::string_view>(kAssistWords)));
  if (const auto height = node.find("center_of_mass_height"))
    vehicle.center_of_mass_height = height.in_range(0.01, 10, "m");
  if (const auto start = node.find("start")) read_start(start, in, &vehicle.start);
}

void choose_contact(const TableReading& in, const Ground& ground, VehicleLevel level,
                    TireSetup* tire) {
  const TomlNode node = in.root.find("tire");
  const bool is_given = node && node.find("contact");
  if (!ground.city.empty() && level == VehicleLevel::kFull && !is_given)
    tire->contact = dynamics::ContactMode::kEnvelope;
}

void read_tire(const TableReading& in, TireSetup* tire) {
  const TomlNode node = in.root.find("tire");
  if (!node) return;
  tire->contact = read_word_or(node, "contact", kContactModeWords, tire->contact);
  tire->friction = number_or(node, "friction", tire->friction, 0, 10, "");
  tire->slip_speed = number_or(node, "slip_speed", tire->slip_speed, 1e-6, kFast, "m/s");
  const TomlNode file = node.find("file"), model = node.find("model");
  const bool is_tir = file && file.is_text() && file.text().ends_with(".tir");
  if (file) tire->file = read_file_reference(file, in.folder, is_tir ? "" : "tire");
  const std::optional<TireModel> own =
      is_tir ? TireModel::kMagicFormula : find_model_of(tire->file);
  tire->model = own.value_or(tire->model);
  if (!model) return;
  tire->has_model = true;
  tire->model = read_word<TireModel>(model, kTireModelWords);
  if (tire->model == TireModel::kMagicFormula) node.at("file");
  // A rolling constraint takes the size and spring of any tire.
  const bool agrees = !own || tire->model == *own || tire->model == TireModel::kRelaxedRolling;
  if (agrees || !model.is_text() || model.text() != word_of(tire->model, kTireModelWords)) return;
  model.error(concat("is \"", word_of(tire->model, kTireModelWords), "\", but ", tire->file,
                     " is of \"", word_of(*own, kTireModelWords),
                     "\": expected the same, no tire.model, or another tire.file"));
}

}  // namespace camber::scenario::internal
