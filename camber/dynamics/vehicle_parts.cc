#include "camber/dynamics/vehicle_parts.h"

#include <map>
#include <utility>

#include "camber/core/diagnostics.h"
#include "camber/core/require.h"
#include "camber/dynamics/equipment_file.h"

namespace camber::dynamics {
namespace {

tire::TireFile load_any_tire(const std::string& path, const Overrides& overrides,
                             std::string_view part) {
  if (!path.ends_with(".tir")) return tire::load_tire(path, overrides, part);
  overrides.refuse(part, "a .tir file has no keys that --set could change");
  return tire::load_tir_tire(path);
}

/// The two tires of a file, for the left and for the right side; one pointer where they are equal.
struct TirePair {
  WheelTire left, right;
};

TirePair make_pair(const tire::TireFile& tire, const std::string& file) {
  TirePair pair;
  pair.left = {std::make_shared<const tire::RollingTire>(tire.tire), tire.model, file};
  pair.right = pair.left;
  if (tire.right) pair.right.tire = std::make_shared<const tire::RollingTire>(*tire.right);
  return pair;
}

}  // namespace

std::vector<driveline::AxleWheels> number_wheels(const vehicle::Vehicle& vehicle) {
  std::vector<driveline::AxleWheels> axles;
  int next = 0;
  for (const vehicle::Axle& axle : all_axles(vehicle)) {
    driveline::AxleWheels one{
        .name = axle.name, .left = next++, .is_towed = axles.size() >= vehicle.axles.size()};
    if (axle.is_mirrored) one.right = next++;
    axles.push_back(std::move(one));
  }
  return axles;
}

VehicleTires load_tires(const vehicle::Vehicle& vehicle, const Overrides& overrides,
                        std::string_view part) {
  VehicleTires tires;
  std::map<std::string, TirePair> loaded;
  std::vector<Diagnostic> mistakes;
  const auto load = [&](const std::string& file) -> const TirePair& {
    const auto found = loaded.find(file);
    if (found != loaded.end()) return found->second;
    TirePair pair;
    try {
      const tire::TireFile read = load_any_tire(file, overrides, part);
      tires.notes.insert(tires.notes.end(), read.short_notes.begin(), read.short_notes.end());
      pair = make_pair(read, file);
    } catch (const ModelFileError& error) {
      mistakes.insert(mistakes.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
    return loaded[file] = std::move(pair);
  };
  for (const vehicle::Axle& axle : all_axles(vehicle)) {
    require(!axle.tire.empty(), "vehicle \"", vehicle.name, "\": axle \"", axle.name,
            "\" names no tire; expected tire = \"FILE\"");
    tires.wheels.push_back(load(axle.tire).left);
    if (axle.is_mirrored)
      tires.wheels.push_back(load(axle.right_tire.empty() ? axle.tire : axle.right_tire).right);
  }
  if (!mistakes.empty()) throw ModelFileError(std::move(mistakes));
  return tires;
}

VehicleTires share_tire(const vehicle::Vehicle& vehicle, const tire::TireFile& tire,
                        const std::string& file) {
  VehicleTires tires;
  tires.notes = tire.short_notes;
  const TirePair pair = make_pair(tire, file);
  for (const vehicle::Axle& axle : all_axles(vehicle)) {
    tires.wheels.push_back(pair.left);
    if (axle.is_mirrored) tires.wheels.push_back(pair.right);
  }
  return tires;
}

std::vector<std::shared_ptr<const GroundModel>> make_rigid_models(
    const vehicle::VehicleMechanism& mechanism, const VehicleTires& tires,
    const ContactOptions& contact) {
  require(tires.wheels.size() == mechanism.corners.size(),
          "make_rigid_models: ", mechanism.corners.size(), " wheels, ", tires.wheels.size(),
          " tires");
  std::map<const tire::RollingTire*, std::shared_ptr<const GroundModel>> made;
  std::vector<std::shared_ptr<const GroundModel>> models;
  for (std::size_t i = 0; i < tires.wheels.size(); ++i) {
    auto& model = made[tires.wheels[i].tire.get()];
    if (!model)
      model = std::make_shared<const GroundModel>(
          RigidGround{.tire = *tires.wheels[i].tire, .contact = contact});
    models.insert(models.end(), mechanism.corners[i].dual_spacing > 0 ? 2 : 1, model);
  }
  return models;
}

Equipment load_equipment(const vehicle::Vehicle& vehicle) {
  require(!vehicle.equipment.empty(), "vehicle \"", vehicle.name,
          "\" names no equipment; expected equipment = \"FILE\"");
  return load_equipment(vehicle.equipment, number_wheels(vehicle));
}

}  // namespace camber::dynamics
