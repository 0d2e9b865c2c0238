#pragma once

#include <string>
#include <string_view>

#include "camber/city/city.h"

namespace camber::city {

/// A road network of ASAM OpenDRIVE 1.4 to 1.8 (.xodr): roads of lines, arcs, spirals, cubics and
/// parametric cubics with elevation, superelevation, lane offset, lane sections, widths and heights;
/// junctions; objects and signals. Throws FileError with line and element for a file that is broken,
/// or has more than 20,000 roads or 2,000 km.
City load_opendrive(const std::string& path);
/// The same for text in memory; `name` is what messages show.
City parse_opendrive(std::string_view text, const std::string& name);

}  // namespace camber::city
