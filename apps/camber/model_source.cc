#include "apps/camber/model_source.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/dynamics/equipment_file.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/scenario/scenario_file.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::app {

ModelSource::ModelSource(const std::string& path, const Overrides& overrides)
    : path_(path), overrides_(overrides) {
  constexpr std::size_t kMaxBytes = 8 << 20;
  try {
    text_ = read_file(path, kMaxBytes);
  } catch (const FileError& error) {
    throw ModelFileError({path}, error.reason());
  }
  open();
}

ModelSource::ModelSource(const std::string& path, std::string text, const Overrides& overrides)
    : path_(path), text_(std::move(text)), overrides_(overrides) {
  open();
}

void ModelSource::open() {
  if (path_.ends_with(".urdf")) {
    kind_ = "urdf";  // overrides are of its joints: read_mechanism() hands them on
    overrides_.require_parts({});
    TomlFile settings = parse_toml("", path_);
    overrides_.apply("", &settings);
    run_table_ = read_run_table(settings.root());
    return;
  }
  if (path_.ends_with(".tir")) {
    kind_ = "tire";
    overrides_.refuse("", "a .tir file takes no --set: only TOML files do");
    return;
  }
  file_.emplace(parse_toml(text_, path_));
  overrides_.apply("", &*file_);
  if (const TomlNode node = file_->root().find("kind")) {
    kind_ = node.text();
    if (!node.is_text()) file_->diagnostics().throw_if_any();
  }
  if (kind_ == "scenario") return;
  overrides_.require_parts({});
  if (is_mechanism() || kind_ == "lagrangian" || kind_ == "rolling_wheel")
    run_table_ = read_run_table(file_->root());
}

void ModelSource::require_known_kind() {
  const std::vector<std::string> kinds = {"scenario",   "mechanism",     "vehicle", "equipment",
                                          "lagrangian", "rolling_wheel", "scene",   "terrain",
                                          "tire",       "plan",          "city",    "study"};
  if (is_urdf() || std::ranges::find(kinds, kind_) != kinds.end()) return;
  std::string list;
  for (const std::string& kind : kinds) list += concat(list.empty() ? "" : ", ", kind);
  const TomlNode node = file_->root().find("kind");
  if (!node) throw ModelFileError({path_, 0, 0, "kind"}, concat("missing; it is one of ", list));
  throw ModelFileError(node.position(),
                       concat("there is no kind \"", kind_, "\"", did_you_mean(kind_, kinds),
                              "; it is one of ", list));
}

void ModelSource::refuse_kind(std::string_view takes) const {
  throw ModelFileError(
      {path_},
      concat(kind_.empty() ? "has no kind" : concat("is of kind \"", kind_, "\""), "; ", takes));
}

void ModelSource::check_generated() {
  if (!is_vehicle()) return;
  const TomlNode axles = file_->root().find("axles");
  if (!axles || !axles.is_table()) return;
  for (const TomlNode& axle : axles.entries()) {
    if (!axle.is_table()) continue;
    const TomlNode wheel = axle.find("wheel");
    if (!wheel || !wheel.is_table()) continue;
    if (const TomlNode tire = wheel.find("tire"))
      tire.error(
          "generated code does not support wheel.tire (relaxed rolling): use --formulation uk, "
          "remove wheel.tire and parking_brake, or use --standing");
  }
  file_->diagnostics().throw_if_any();
}

multibody::Mechanism ModelSource::read_mechanism(bool is_standing) {
  require(is_vehicle() || !is_standing, "--standing is for vehicles, not for ", path_);
  if (is_vehicle()) return read_vehicle_mechanism(is_standing).mechanism;
  if (file_) return multibody::read_mechanism(take_file(), &places_);
  return multibody::parse_urdf(text_, path_, {.settings = overrides_}, &places_, &notes_);
}

namespace {

/// A wheel without a spring under it would go down, and the vehicle with it until others held it.
void check_standing(const vehicle::Vehicle& car, TomlFile file) {
  for (const vehicle::Axle& axle : car.axles) {
    if (axle.wheel.vertical_stiffness > 0) continue;
    TomlNode node = file.root();
    for (const std::string& part :
         {std::string("axles"), axle.name, std::string("wheel"), std::string("vertical_stiffness")})
      if (const TomlNode next = node.find(part)) node = next;
    node.error("must be > 0 N/m for a vehicle that is --standing on its tires' springs");
  }
  file.diagnostics().throw_if_any();
}

}  // namespace

vehicle::VehicleMechanism ModelSource::read_vehicle_mechanism(bool is_standing) {
  const vehicle::Vehicle car = read_vehicle();
  if (is_standing) {
    TomlFile again = parse_toml(text_, path_);
    overrides_.apply("", &again);
    check_standing(car, std::move(again));
  }
  return vehicle::expand(car, {.is_standing = is_standing});
}

TomlFile ModelSource::take_file() {
  if (!file_) throw ModelFileError({path_}, "expected a TOML file");
  return std::move(*file_);
}

vehicle::Vehicle ModelSource::read_vehicle() { return vehicle::read_vehicle(take_file()); }

lagrange::LagrangianModel ModelSource::read_lagrangian() {
  return lagrange::read_lagrangian(take_file());
}

rolling_wheel::WheelScenario ModelSource::read_wheel() {
  return rolling_wheel::read_wheel_scenario(take_file());
}

terrain::Terrain ModelSource::read_terrain() {
  return terrain::read_terrain_file(take_file(), path_);
}

planning::PlanProblem ModelSource::read_plan() {
  TomlFile file = take_file();
  return planning::read_plan(&file);
}

tire::TireFile ModelSource::read_tire() {
  return file_ ? tire::read_tire_file(take_file(), path_) : tire::load_tir_tire(path_);
}

dynamics::Equipment ModelSource::read_equipment() { return dynamics::read_equipment(take_file()); }

scenario::Scenario ModelSource::read_scenario() {
  return scenario::parse_scenario(text_, path_, overrides_);
}

std::string describe_loose_limits(const multibody::Mechanism& mechanism) {
  std::string names;
  for (const multibody::Joint& joint : mechanism.joints) {
    for (const multibody::JointAxis& axis : joint.axes) {
      if ((!axis.lower && !axis.upper) || axis.stop_stiffness > 0) continue;
      names += concat(names.empty() ? "\"" : ", \"", joint.name, "\"");
    }
  }
  if (names.empty()) return "";
  return concat("limits of ", names,
                " do not hold: URDF gives them no stiffness; --set robot.stop_stiffness=... does");
}

multibody::MechanismDynamics make_dynamics(const ModelSource& source,
                                           const multibody::Mechanism& mechanism,
                                           multibody::Formulation formulation,
                                           const multibody::Stabilization& stabilization) {
  try {
    return multibody::MechanismDynamics(mechanism, formulation, stabilization);
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(multibody::find_place(source.places(), source.path(), error),
                         error.what());
  }
}

}  // namespace camber::app
