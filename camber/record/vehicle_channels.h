#pragma once

#include <string>
#include <vector>

#include "camber/dynamics/snapshot.h"
#include "camber/record/log_layout.h"

namespace camber::record {

/// The channels of one vehicle, under their names of channel_names.h with `prefix` before them: ""
/// for the vehicle of a drive, "vehicles/NAME/" for others in the same world.
std::vector<Channel> list_vehicle_channels(const dynamics::VehicleLayout& layout,
                                           const std::string& prefix = "");

/// Appends a snapshot's values in the order of these channels. Allocates nothing once `values` has
/// its capacity.
void append_vehicle_values(const dynamics::VehicleLayout& layout,
                           const dynamics::VehicleSnapshot& snapshot, std::vector<double>* values);

}  // namespace camber::record
