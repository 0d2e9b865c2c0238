#pragma once

// The roads of an OpenDRIVE file, before ground and lanes are made from them.

#include <map>
#include <string>
#include <vector>

#include "camber/city/reference_line.h"
#include "camber/city/xml_reader.h"

namespace camber::city::internal {

struct LaneRecord {
  int id = 0;
  std::string type = {};
  std::vector<Cubic> widths = {};  // from the section's start
  double inner = 0, outer = 0;     // heights above the road [m]
  int predecessor = 0, successor = 0;
  bool has_predecessor = false, has_successor = false;
};
struct Section {
  double s = 0, end = 0;
  std::vector<LaneRecord> lanes = {};  // without the middle one; left (id > 0) outward, then right
};
struct RoadLink {
  bool is_there = false, is_junction = false, is_start = true;
  std::string id = {};
};
struct Road {
  pugi::xml_node node;
  std::string id = {}, junction = {};
  double length = 0, speed = 13.89;
  bool drives_left = false;
  std::vector<Piece> line = {};
  std::vector<Cubic> elevation = {}, roll = {}, offset = {};
  std::vector<Section> sections = {};
  RoadLink predecessor = {}, successor = {};
};

struct RoadFile {
  std::vector<Road> roads = {};
  std::map<std::string, std::size_t> numbers = {};  // of roads, by id
};

constexpr std::size_t kMaxOpenDriveRecords = 2'000'000;  // of one kind
constexpr double kMaxOpenDriveLength = 2e6;              // of all roads [m]

/// Reads all roads. Throws FileError with line and element.
RoadFile read_roads(const XmlFile& file, const pugi::xml_node& root);

}  // namespace camber::city::internal
