#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace camber::view {

/// A mechanism as a vehicle's entry in hello: body 0 is the world, then its bodies in the order of
/// `bodies`. Bars go from each body's center of mass to its joints, links stand for rods and springs,
/// wheels for rolling discs. `text` is its file; if it is not one of a mechanism, bodies are drawn as
/// cubes.
nlohmann::ordered_json describe_mechanism(const std::string& name,
                                          const std::vector<std::string>& bodies,
                                          const std::string& text, const std::string& file);

}  // namespace camber::view
