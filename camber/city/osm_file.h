#pragma once

#include <string>
#include <string_view>

#include "camber/city/city.h"

namespace camber::city {

/// A map of OpenStreetMap as XML (.osm): streets with lanes, buildings, trees and lamps, on level
/// ground about the middle of its bounds (x east, y north). Buildings without a height have their
/// levels times 3.1 m, or levels drawn by their number. The attribution that the license (ODbL)
/// requires is in the result. Throws FileError with line and element for a file that is broken or
/// has more than 5 million nodes, or reaches over more than 40 km.
City load_osm(const std::string& path);
/// The same for text in memory; `name` is what messages show.
City parse_osm(std::string_view text, const std::string& name);

}  // namespace camber::city
