#pragma once

// Kerbs and sidewalks: rows of points along a kerb, from its edge inward.

#include <array>
#include <vector>

#include "camber/city/block.h"
#include "camber/city/street_plan.h"

namespace camber::city {

/// Rows of a sidewalk: edge of the kerb, kerb stone's back, end of the ramps, back of the sidewalk.
constexpr int kRows = 4;
constexpr double kKerbStone = 0.15;  // width [m]
constexpr double kLip = 0.02;        // what is left of a kerb at a ramp [m]

/// Points of all rows at one place along a kerb.
struct Station {
  std::array<Point, kRows> points = {};
  bool is_ramp = false;  // the first row is lowered to the lip
};

/// Depths of the rows from the kerb's edge [m].
std::array<double, kRows> row_depths(const CitySpec& spec);
/// Width of a crossing's zebra, and where it starts after the mouth [m].
constexpr double kZebra = 3.0, kZebraGap = 0.6;
/// Length of street after a mouth that is kept free of bays, trees and lamps [m].
constexpr double kKeepFree = 6.5;

/// Stations of the corner after arm k of a junction, in the order of a walk counterclockwise around
/// the block there: from arm k + 1 to arm k.
std::vector<Station> corner_stations(const Junction& junction, std::size_t k,
                                     const std::array<double, kRows>& depths);

/// Stations between the corners of one side of a street, from the arm's node on; `side` is 1 for
/// the left side. Ramps are at the ends that are crossings.
std::vector<Station> side_stations(const Junction& from, const Arm& arm, const Junction& to,
                                   const Arm& back, int side,
                                   const std::array<double, kRows>& depths);

/// A point of row r of a station, at its height.
Point3 point_at(const Station& station, int row, double kerb,
                const std::array<double, kRows>& depths);

/// Sidewalk and kerb's face between two stations.
void add_sidewalk(const Station& a, const Station& b, double kerb,
                  const std::array<double, kRows>& depths, Block* block);

}  // namespace camber::city
