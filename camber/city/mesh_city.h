#pragma once

#include <string>
#include <vector>

#include "camber/city/city.h"
#include "camber/scene/mesh_file.h"

namespace camber::city {

/// How the ground of a mesh is told from what stands on it.
struct MeshCityOptions {
  scene::MeshOptions mesh = {};
  std::vector<Point3> ground = {};  // places that are ground; empty: the lowest surface [m]
  double spacing = 0.5;             // of the places that are looked at [m]
  double max_step = 0.4;   // ground rises or falls at most this from place to place, beside
  double max_slope = 0.5;  // ... this slope [m], rise over run
  double headroom = 2.5;   // what is higher above the ground is passed under [m]
};

/// A city from triangles without meaning. Ground is what can be reached from the places that are
/// ground by small steps, so that roofs, cars and bridges above a road are not; where it lies above
/// itself, as on a bridge, the way that is shorter counts. All else is drawn, and what reaches between
/// `max_step` and `headroom` above the ground is an obstacle, in squares of `spacing`. Throws
/// std::invalid_argument if no place is on a surface, or if there are more than 4e7 places.
City make_mesh_city(const scene::Mesh& mesh, const MeshCityOptions& options);

/// The same from an OBJ, PLY, STL or glTF file. Throws FileError.
City load_mesh_city(const std::string& path, const MeshCityOptions& options);

}  // namespace camber::city
