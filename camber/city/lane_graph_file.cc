#include "camber/city/lane_graph_file.h"

#include <nlohmann/json.hpp>

#include "camber/core/file.h"

namespace camber::city {

void write_lanes(const LaneGraph& graph, const std::string& path) {
  using Json = nlohmann::ordered_json;
  const auto points = [](const std::vector<Point>& list) {
    Json json = Json::array();
    for (const Point& p : list) json.push_back({p.x, p.y});
    return json;
  };
  Json json{{"lanes", Json::array()}, {"crossings", Json::array()}};
  for (const Lane& lane : graph.lanes) {
    json["lanes"].push_back({{"center", points(lane.center)},
                             {"start_heading", lane.start_heading},
                             {"end_heading", lane.end_heading},
                             {"width", lane.width},
                             {"speed", lane.speed},
                             {"length", lane.length},
                             {"is_turn", lane.is_turn},
                             {"successors", lane.successors},
                             {"left", lane.left},
                             {"right", lane.right}});
  }
  for (const Crossing& crossing : graph.crossings) {
    json["crossings"].push_back({{"area", points(crossing.area)}, {"lanes", crossing.lanes}});
  }
  write_file_atomically(path, json.dump(1) + '\n');
}

}  // namespace camber::city
