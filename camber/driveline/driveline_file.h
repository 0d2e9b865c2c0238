#pragma once

#include <span>
#include <string>
#include <vector>

#include "camber/core/toml_reader.h"
#include "camber/driveline/driveline.h"

namespace camber::driveline {

/// An axle of a vehicle: its name in files and the indices of its wheels.
struct AxleWheels {
  std::string name = {};
  int left = -1, right = -1;  // right is -1 where the axle has one wheel
  bool is_towed = false;      // it belongs to a trailer: no shaft leads there
};

/// The number of wheels of all axles.
int count_wheels(std::span<const AxleWheels> axles);

/// Reads the tables [engine], [converter], [gearbox] and [driveline] of a file of equipment
/// (docs/manual/equipment.md). Notes mistakes in the node's file.
Driveline read_driveline(const TomlNode& root, std::span<const AxleWheels> axles);

}  // namespace camber::driveline
