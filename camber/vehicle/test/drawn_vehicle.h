#pragma once

// Vehicles as they are drawn: springs and wheels as the tables of their files have them, without what at_rest sets
// for a ride height. Published tables of the HMMWV's hardpoints are of this one.

#include <string>

#include "camber/core/file.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::vehicle {

inline Vehicle load_drawn_vehicle(const std::string& path) {
  std::string text = read_file(path, 1 << 16);
  for (std::size_t at = text.find(".at_rest]"); at != std::string::npos;
       at = text.find(".at_rest]")) {
    const std::size_t begin = text.rfind('[', at), end = text.find("\n[", at);
    text.erase(begin, end - begin);
  }
  return parse_vehicle(text, path);
}

}  // namespace camber::vehicle
