#pragma once

#include <string>
#include <vector>

#include "camber/city/city.h"

namespace camber::city {

/// A car or a walker with its path over time.
struct Mover {
  struct Point {
    double time = 0, x = 0, y = 0, yaw = 0;  // [s], [m], [rad]
  };
  std::string name = {};
  double length = 0, width = 0, height = 0;  // about its middle [m]
  std::vector<Point> track = {};
};

/// Traffic of the city from time 0 to `duration` [s], by simple rules, the same for the same seed:
/// cars keep to lanes and their speed limits, follow the car ahead by the intelligent driver model,
/// take turns at crossings one at a time and wait for walkers on zebras; walkers wait for a gap of
/// cars and cross. They do not see vehicles of a drive.
std::vector<Mover> make_traffic(const City& city, double duration);

}  // namespace camber::city
