#include "apps/camber/model_source.h"

#include <stdexcept>

#include "camber/core/diagnostics.h"
#include "camber/core/toml_reader.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/urdf_file.h"

namespace camber::app {

std::string find_model_kind(const std::string& path) {
  if (path.ends_with(".urdf")) return "urdf";
  TomlFile file = load_toml(path);
  std::string kind;
  if (const TomlNode node = file.root().find("kind")) kind = node.text();
  file.diagnostics().throw_if_any();
  return kind;
}

bool is_mechanism_kind(const std::string& kind) { return kind == "mechanism" || kind == "urdf"; }

multibody::Mechanism load_mechanism_source(const std::string& path, const std::string& kind) {
  return kind == "urdf" ? multibody::load_urdf(path) : multibody::load_mechanism(path);
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
