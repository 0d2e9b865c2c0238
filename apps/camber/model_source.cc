#include "apps/camber/model_source.h"

#include <stdexcept>
#include <utility>

#include "camber/core/diagnostics.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/urdf_file.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::app {

ModelSource::ModelSource(const std::string& path) : path_(path) {
  if (path.ends_with(".urdf")) {
    kind_ = "urdf";
    return;
  }
  file_.emplace(load_toml(path));
  if (const TomlNode node = file_->root().find("kind")) kind_ = node.text();
  file_->diagnostics().throw_if_any();
}

multibody::Mechanism ModelSource::read_mechanism() {
  if (kind_ == "vehicle") return vehicle::expand(read_vehicle()).mechanism;
  return file_ ? multibody::read_mechanism(std::move(*file_)) : multibody::load_urdf(path_);
}

vehicle::Vehicle ModelSource::read_vehicle() { return vehicle::read_vehicle(std::move(*file_)); }

lagrange::LagrangianModel ModelSource::read_lagrangian() {
  return lagrange::read_lagrangian(std::move(*file_));
}

contact::WheelScenario ModelSource::read_wheel() {
  return contact::read_wheel_scenario(std::move(*file_));
}

terrain::Terrain ModelSource::read_terrain() {
  return terrain::read_terrain_file(std::move(*file_), path_);
}

multibody::MechanismDynamics make_dynamics(const std::string& path,
                                           const multibody::Mechanism& mechanism,
                                           multibody::Formulation formulation,
                                           const multibody::Stabilization& stabilization) {
  try {
    return multibody::MechanismDynamics(mechanism, formulation, stabilization);
  } catch (const multibody::AssemblyError& error) {
    throw ModelFileError(Position{.file = path}, error.what());
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(Position{.file = path}, error.what());
  }
}

}  // namespace camber::app
