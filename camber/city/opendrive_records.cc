// ASAM OpenDRIVE: [ASAM 2021] OpenDRIVE 1.7, chapters 8 to 13. Crossfall, shapes of lateral
// profiles and lane borders are not read; a lane that has borders alone is refused.
#include "camber/city/opendrive_records.h"

#include <algorithm>
#include <cstring>

#include "camber/core/require.h"

namespace camber::city::internal {
namespace {

using pugi::xml_node;

constexpr std::size_t kMaxRoads = 20'000;
constexpr double kSidewalk = 0.12;  // height of a sidewalk that says none [m]

class RoadReader {
 public:
  explicit RoadReader(const XmlFile& file) : file_(file) {}

  RoadFile read(const xml_node& root) {
    if (const xml_node header = root.child("header")) {
      const double major = file_.number_or(header, "revMajor", 1);
      if (major != 1) file_.fail(header, concat("revMajor must be 1, got ", major));
    }
    for (const xml_node node : root.children("road")) {
      if (out_.roads.size() >= kMaxRoads) file_.fail(node, "more than 20,000 roads");
      read_road(node);
    }
    if (out_.roads.empty()) file_.fail(root, "has no <road>");
    return std::move(out_);
  }

 private:
  std::vector<Cubic> read_cubics(const xml_node& parent, const char* element, const char* start) {
    std::vector<Cubic> list;
    for (const xml_node node : parent.children(element)) {
      if (++records_ > kMaxOpenDriveRecords) file_.fail(node, "too many records");
      list.push_back({file_.number(node, start), file_.number(node, "a"), file_.number(node, "b"),
                      file_.number(node, "c"), file_.number(node, "d")});
      if (list.size() > 1 && list.back().s < list[list.size() - 2].s)
        file_.fail(node, concat(start, " must not descend"));
    }
    return list;
  }

  void read_road(const xml_node& node) {
    Road road;
    road.node = node;
    road.id = node.attribute("id").value();
    if (road.id.empty()) file_.fail(node, "id is missing");
    if (!out_.numbers.emplace(road.id, out_.roads.size()).second)
      file_.fail(node, concat("id ", road.id, " is there twice"));
    road.junction = node.attribute("junction").as_string("-1");
    road.length = file_.number(node, "length", 0, kMaxOpenDriveLength);
    total_ += road.length;
    if (total_ > kMaxOpenDriveLength) file_.fail(node, "roads are longer than 2,000 km together");
    road.drives_left = std::strcmp(node.attribute("rule").as_string("RHT"), "LHT") == 0;
    const auto read_link = [&](const char* which, RoadLink* link) {
      const xml_node at = node.child("link").child(which);
      if (!at) return;
      link->is_there = true;
      link->is_junction =
          std::strcmp(at.attribute("elementType").as_string("road"), "junction") == 0;
      link->id = at.attribute("elementId").value();
      link->is_start = std::strcmp(at.attribute("contactPoint").as_string("start"), "start") == 0;
    };
    read_link("predecessor", &road.predecessor);
    read_link("successor", &road.successor);
    if (const xml_node speed = node.child("type").child("speed")) {
      const std::string max = speed.attribute("max").value();
      if (max != "no limit" && max != "undefined") {
        const std::string unit = speed.attribute("unit").as_string("m/s");
        const double scale = unit == "km/h" ? 1 / 3.6 : unit == "mph" ? 0.44704 : 1;
        road.speed = std::max(1.0, scale * file_.number(speed, "max", 0, 1000));
      }
    }
    for (const xml_node piece : node.child("planView").children("geometry"))
      read_piece(piece, &road);
    if (road.line.empty()) file_.fail(node, "has no <planView> with <geometry>");
    road.elevation = read_cubics(node.child("elevationProfile"), "elevation", "s");
    road.roll = read_cubics(node.child("lateralProfile"), "superelevation", "s");
    road.offset = read_cubics(node.child("lanes"), "laneOffset", "s");
    for (const xml_node section : node.child("lanes").children("laneSection"))
      read_section(section, &road);
    if (road.sections.empty()) file_.fail(node, "has no <laneSection>");
    for (std::size_t k = 0; k < road.sections.size(); ++k) {
      road.sections[k].end = k + 1 < road.sections.size() ? road.sections[k + 1].s : road.length;
    }
    out_.roads.push_back(std::move(road));
  }

  void read_piece(const xml_node& node, Road* road) {
    if (++records_ > kMaxOpenDriveRecords) file_.fail(node, "too many records");
    Piece piece;
    piece.s = file_.number(node, "s", 0, kMaxOpenDriveLength);
    piece.x = file_.number(node, "x"), piece.y = file_.number(node, "y");
    piece.heading = file_.number(node, "hdg", -1e4, 1e4);
    piece.length = file_.number(node, "length", 0, kMaxOpenDriveLength);
    constexpr double kSharpest = 1e3;  // [1/m]
    if (node.child("line")) {
      piece.shape = LinePiece{};
    } else if (const xml_node arc = node.child("arc")) {
      piece.shape = ArcPiece{file_.number(arc, "curvature", -kSharpest, kSharpest)};
    } else if (const xml_node spiral = node.child("spiral")) {
      piece.shape = SpiralPiece{file_.number(spiral, "curvStart", -kSharpest, kSharpest),
                                file_.number(spiral, "curvEnd", -kSharpest, kSharpest)};
    } else if (const xml_node cubic = node.child("poly3")) {
      piece.shape = Poly3Piece{file_.number(cubic, "a"), file_.number(cubic, "b"),
                               file_.number(cubic, "c"), file_.number(cubic, "d")};
    } else if (const xml_node param = node.child("paramPoly3")) {
      ParamPoly3Piece p;
      const char* keys[2][4] = {{"aU", "bU", "cU", "dU"}, {"aV", "bV", "cV", "dV"}};
      for (std::size_t k = 0; k < 4; ++k) {
        p.u[k] = file_.number(param, keys[0][k]), p.v[k] = file_.number(param, keys[1][k]);
      }
      p.is_normalized =
          std::strcmp(param.attribute("pRange").as_string("normalized"), "arcLength") != 0;
      piece.shape = p;
    } else {
      file_.fail(node, "expected <line>, <arc>, <spiral>, <poly3> or <paramPoly3>");
    }
    if (!road->line.empty() && piece.s < road->line.back().s)
      file_.fail(node, "s must not descend");
    road->line.push_back(piece);
  }

  void read_section(const xml_node& node, Road* road) {
    Section section;
    section.s = file_.number(node, "s", 0, kMaxOpenDriveLength);
    if (!road->sections.empty() && section.s < road->sections.back().s)
      file_.fail(node, "s must not descend");
    for (const char* side : {"left", "right"}) {
      for (const xml_node lane : node.child(side).children("lane")) {
        if (++records_ > kMaxOpenDriveRecords) file_.fail(lane, "too many lanes");
        LaneRecord record;
        record.id = static_cast<int>(file_.number(lane, "id", -1000, 1000));
        if ((side[0] == 'l') != (record.id > 0) || record.id == 0)
          file_.fail(lane, "lanes on the left have id > 0, on the right id < 0");
        record.type = lane.attribute("type").as_string("none");
        record.widths = read_cubics(lane, "width", "sOffset");
        if (lane.child("border") && record.widths.empty())
          file_.fail(lane, "<border> is not read; expected <width>");
        if (const xml_node height = lane.child("height")) {
          record.inner = file_.number_or(height, "inner", 0, -10, 10);
          record.outer = file_.number_or(height, "outer", 0, -10, 10);
        } else if (record.type == "sidewalk") {
          record.inner = record.outer = kSidewalk;
        }
        const auto link = [&](const char* which, int* id, bool* has) {
          const xml_node at = lane.child("link").child(which);
          if (!at) return;
          *has = true;
          *id = static_cast<int>(file_.number(at, "id", -1000, 1000));
        };
        link("predecessor", &record.predecessor, &record.has_predecessor);
        link("successor", &record.successor, &record.has_successor);
        section.lanes.push_back(std::move(record));
      }
    }
    std::ranges::stable_sort(section.lanes, {},
                             [](const LaneRecord& l) { return l.id > 0 ? l.id : 10'000 - l.id; });
    for (std::size_t k = 1; k < section.lanes.size(); ++k) {
      if (section.lanes[k].id == section.lanes[k - 1].id)
        file_.fail(node, concat("lane ", section.lanes[k].id, " is there twice"));
    }
    road->sections.push_back(std::move(section));
  }

  const XmlFile& file_;
  RoadFile out_;
  double total_ = 0;
  std::size_t records_ = 0;
};

}  // namespace

RoadFile read_roads(const XmlFile& file, const xml_node& root) {
  return RoadReader(file).read(root);
}

}  // namespace camber::city::internal
