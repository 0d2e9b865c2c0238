#pragma once

// Parts that a vehicle's file names: tires and equipment.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/overrides.h"
#include "camber/driveline/driveline_file.h"
#include "camber/dynamics/equipment.h"
#include "camber/dynamics/ground.h"
#include "camber/tire/tire_file.h"
#include "camber/vehicle/expand.h"

namespace camber::dynamics {

/// All axles with the indices of their wheels: axle by axle, left before right, a trailer's last.
std::vector<driveline::AxleWheels> number_wheels(const vehicle::Vehicle& vehicle);

/// The tire of a wheel. Wheels with equal tires share it.
struct WheelTire {
  std::shared_ptr<const tire::RollingTire> tire;
  std::string model = {};  // the word of its file: "tmeasy"
  std::string file = {};   // where it comes from
};

struct VehicleTires {
  std::vector<WheelTire> wheels;        // one per wheel
  std::vector<std::string> notes = {};  // notes about their files
};

/// The tires that the vehicle's file names for its axles. Throws ModelFileError with the mistakes
/// of all their files; std::invalid_argument that names an axle without a tire. `overrides` of this
/// `part` replace values of all these files.
VehicleTires load_tires(const vehicle::Vehicle& vehicle, const Overrides& overrides = {},
                        std::string_view part = "");

/// The same tire on all wheels, from a file.
VehicleTires share_tire(const vehicle::Vehicle& vehicle, const tire::TireFile& tire,
                        const std::string& file);

/// A model of rigid ground for each tire, in the order that DrivenVehicle requires: wheel by wheel,
/// two for a hub with dual tires. Equal tires share it.
std::vector<std::shared_ptr<const GroundModel>> make_rigid_models(
    const vehicle::VehicleMechanism& mechanism, const VehicleTires& tires,
    const ContactOptions& contact = {});

/// The equipment that the vehicle's file names. Throws ModelFileError with every mistake;
/// std::invalid_argument if it names none.
Equipment load_equipment(const vehicle::Vehicle& vehicle);

}  // namespace camber::dynamics
