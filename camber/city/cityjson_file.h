#pragma once

#include <string>
#include <string_view>

#include "camber/city/city.h"

namespace camber::city {

/// A model of CityJSON 1.0 to 2.0 (.city.json): surfaces of buildings, bridges, roads and reliefs,
/// the finest level of detail of each, about the middle of its vertices. Reliefs and roads are
/// ground; without them the ground is level at the lowest vertex. Throws FileError for a file that
/// is broken or has more than 20 million vertices.
City load_cityjson(const std::string& path);
/// The same for text in memory; `name` is what messages show.
City parse_cityjson(std::string_view text, const std::string& name);

}  // namespace camber::city
