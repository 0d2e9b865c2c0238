#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "camber/terrain/procedural.h"
#include "camber/terrain/surface_point.h"

namespace camber::terrain {

/// A road of the OpenCRG format, as read from a file: a reference line of short straight pieces
/// with heading, slope and banking, and heights over a grid of u (along) and v (across, left
/// positive).
struct CrgData {
  double u_begin = 0.0, u_step = 1.0;           // [m]
  double x = 0.0, y = 0.0, z = 0.0, phi = 0.0;  // of the line's start [m], [rad]
  std::vector<double> heading = {};             // of each piece [rad]; one less than rows
  std::vector<double> slope = {};               // of each piece, dz/du; empty: level
  std::vector<double> banking = {};             // at each row, dz/dv; empty: none
  std::vector<double> v = {};                   // positions of the long sections, increasing [m]
  std::vector<float> heights = {};  // rows * v.size(), row by row; NaN where there is no road [m]
  int rows() const { return static_cast<int>(heading.size()) + 1; }
};

/// Throws FileError if it is not a CRG file, with the line or byte; manual/terrain.md lists what is
/// supported.
CrgData load_crg(const std::string& path);
CrgData parse_crg(const std::string& text, const std::string& name);

/// The road as a surface. Heights between grid points are bilinear in (u, v), as the format defines
/// them: continuous, with slopes that jump at grid lines. Beside the road and beyond its ends the
/// nearest height is used. Copies share the data.
class CrgRoad {
 public:
  /// Throws std::invalid_argument for data that contradict each other.
  explicit CrgRoad(CrgData data);

  SurfaceSample sample(double x, double y) const;
  bool contains(double x, double y) const;

  /// Place along and across the road of a point near it.
  struct Place {
    int piece = 0;
    double t = 0.0, v = 0.0;  // part of the piece [-], to the left [m]
    bool inside = false;
  };
  Place locate(double x, double y) const;
  const CrgData& data() const;
  /// A point of a line beside the reference line.
  struct LinePoint {
    double x = 0, y = 0, heading = 0;  // [m], [rad]
  };
  /// Points of the line `offset` [m] to the left of the reference line, from its start to its end, about
  /// `spacing` [m] apart.
  std::vector<LinePoint> find_line(double spacing, double offset = 0) const;
  /// The rectangle that the road covers.
  Box2 extent() const;

 private:
  struct Road;
  std::shared_ptr<const Road> road_;
};

}  // namespace camber::terrain
