#pragma once

// Drawing of a vehicle: its bodies, corners and shapes, from its own file. Points of a body are in
// the numbers of the vehicle's frame in the design position (docs/theory/page-protocol.md, section
// 3).

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "camber/scenario/load_parts.h"
#include "camber/scenario/scenario.h"
#include "camber/view/mesh_book.h"

namespace camber::view {

/// A vehicle's entry in hello. Meshes of its body are added to the book.
nlohmann::ordered_json describe_vehicle(const std::string& name, const scenario::Scenario& scenario,
                                        const scenario::DriveParts& parts, MeshBook* meshes);

/// Number of bodies with poses in frames: 1 for levels with only a vehicle frame.
int count_bodies(const scenario::Scenario& scenario, const scenario::DriveParts& parts);

}  // namespace camber::view
