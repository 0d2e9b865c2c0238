#pragma once

#include <string>

#include "camber/city/lane_graph.h"

namespace camber::city {

/// The lane graph as JSON: lanes with center lines, widths, speeds, successors and neighbors, and
/// zebra crossings (docs/manual/city.md). Throws FileError.
void write_lanes(const LaneGraph& graph, const std::string& path);

}  // namespace camber::city
