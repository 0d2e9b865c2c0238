#pragma once

#include <nlohmann/json_fwd.hpp>

#include "camber/run/simulation.h"
#include "camber/view/mesh_book.h"

namespace camber::view {

/// A drive's entry in the list `runs` of hello: channels, vehicles, things, sensors, path. Events,
/// figures and controls are added elsewhere. Meshes of vehicles are added to the book.
nlohmann::ordered_json describe_run(const run::Simulation& simulation, MeshBook* meshes);

/// The channels of a sample, with the number of their first value.
nlohmann::ordered_json describe_channels(const std::vector<record::Channel>& channels);

/// Names of the values of one channel, one per entry: "x", or "front_left x" with two axes.
std::vector<std::string> column_names(const record::Channel& channel);

}  // namespace camber::view
