#pragma once

#include <cstdint>
#include <string>

namespace camber::city {

/// From and to, both included.
struct Range {
  double low = 0, high = 0;
};

/// Streets cross at right angles, or at nodes that are moved, some of them missing.
enum class Layout { kGrid, kIrregular };

/// What a page of TOML says about a city (docs/manual/city.md). Everything else follows from the
/// seed.
struct CitySpec {
  std::string name = "city";
  std::uint64_t seed = 1;
  double width = 600, depth = 600;  // along x and y; the middle street crossing is the origin [m]

  // Streets
  Layout layout = Layout::kGrid;
  Range block = {80, 120};                 // from one street's middle to the next [m]
  double jitter = 10;                      // of an irregular layout's nodes, each way [m]
  double merged = 0.5;                     // fraction of 2 x 2 groups with a street missing [-]
  int avenue_every = 3;                    // every n-th street is an avenue; 0: none
  int avenue_lanes = 2, street_lanes = 1;  // per direction
  double lane_width = 3.3;                 // [m]
  double parking = 2.2;                    // width of bays at both sides; 0: none [m]
  double crown = 0.02;                     // cross slope to both sides [-]
  Range kerb = {0.12, 0.16};               // height, by block [m]
  Range corner_radius = {5, 8};            // of kerbs, by crossing [m]
  double sidewalk = 3;                     // [m]
  double street_speed = 8.33, avenue_speed = 13.89;  // [m/s]

  // Blocks
  Range storeys = {2, 9};              // the higher, the nearer to the middle
  double storey_height = 3.1;          // [m]
  double parks = 0.1, squares = 0.06;  // shares of blocks

  // Things
  double parked = 0.6;         // fraction of parking bays with a car
  double tree_spacing = 10;    // along sidewalks; 0: none [m]
  double lamp_spacing = 30;    // [m]
  double cylinders = 0;        // in the road, per kilometer of street
  double construction = 0.03;  // fraction of streets with a closed lane

  // Traffic
  int cars = 0, pedestrians = 0;
};

}  // namespace camber::city
