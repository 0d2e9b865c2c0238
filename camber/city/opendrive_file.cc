// Ground, lanes and things of an OpenDRIVE network [ASAM 2021].
#include "camber/city/opendrive_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <tuple>

#include "camber/city/opendrive_records.h"
#include "camber/city/polygons.h"
#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::city {
namespace {

using internal::LaneRecord;
using internal::Road;
using internal::RoadLink;
using internal::Section;
using internal::XmlFile;
using pugi::xml_node;

constexpr std::size_t kMaxFacets = 10'000'000;

bool is_driven(const std::string& type) {
  return type == "driving" || type == "entry" || type == "exit" || type == "onRamp" ||
         type == "offRamp" || type == "connectingRamp" || type == "bidirectional" ||
         type == "slipLane";
}

class Importer {
 public:
  Importer(const XmlFile& file, const std::string& name) : file_(file), name_(name) {}

  City import() {
    const xml_node root = file_.root("OpenDRIVE");
    internal::RoadFile read = read_roads(file_, root);
    roads_ = std::move(read.roads), numbers_ = std::move(read.numbers);
    city_.name = name_;
    city_.blocks.emplace_back();
    for (std::size_t r = 0; r < roads_.size(); ++r) build_road(r);
    link_lanes(root);
    complete(&city_.lanes);
    add_land();
    return std::move(city_);
  }

 private:
  // --- Ground and lanes ---

  /// A point `t` left of the reference line, `lift` above the road.
  Point3 point_at(const Road& road, double s, double t, double lift) const {
    const planning::Pose p = eval(road.line, s);
    const double roll = eval(road.roll, s);
    const double flat = t * std::cos(roll);
    return {p.x - flat * std::sin(p.heading), p.y + flat * std::cos(p.heading),
            eval(road.elevation, s) + t * std::sin(roll) + lift};
  }

  static std::vector<double> make_stations(const Road& road, const Section& section) {
    std::vector<double> at = {section.s};
    for (const Piece& piece : road.line) {
      const bool is_plain =
          piece.is_straight() && road.elevation.size() <= 1 && road.roll.size() <= 1;
      const double step = is_plain ? 10 : 2;
      const int parts = std::max(1, static_cast<int>(std::ceil(piece.length / step)));
      for (int p = 0; p <= parts; ++p) {
        const double s = piece.s + piece.length * p / parts;
        if (s > at.back() + 1e-3 && s < section.end - 1e-3) at.push_back(s);
      }
    }
    if (section.end > at.back()) at.push_back(section.end);
    return at;
  }

  void build_road(std::size_t number) {
    const Road& road = roads_[number];
    Block& block = city_.blocks[0];
    for (std::size_t k = 0; k < road.sections.size(); ++k) {
      const Section& section = road.sections[k];
      if (!(section.end > section.s)) continue;
      const std::vector<double> stations = make_stations(road, section);
      // Edges of all lanes at each station, outward.
      std::vector<std::vector<double>> inner(section.lanes.size()), outer(section.lanes.size());
      for (const double s : stations) {
        double left = eval(road.offset, s), right = left;
        for (std::size_t n = 0; n < section.lanes.size(); ++n) {
          const LaneRecord& lane = section.lanes[n];
          const double width = std::max(0.0, eval(lane.widths, s - section.s));
          double* at = lane.id > 0 ? &left : &right;
          inner[n].push_back(*at);
          *at += lane.id > 0 ? width : -width;
          outer[n].push_back(*at);
        }
      }
      double last_lift[2] = {0, 0};
      for (std::size_t n = 0; n < section.lanes.size(); ++n) {
        const LaneRecord& lane = section.lanes[n];
        const Surface surface =
            lane.type == "sidewalk" || lane.type == "walking" ? Surface::kSidewalk
            : lane.type == "none" || lane.type == "border" || lane.type == "median" ||
                    lane.type == "restricted" || lane.type == "curb"
                ? Surface::kCourtyard
                : Surface::kAsphalt;
        double* before = &last_lift[lane.id > 0 ? 1 : 0];
        for (std::size_t p = 0; p + 1 < stations.size(); ++p) {
          if (block.ground.size() > kMaxFacets)
            file_.fail(road.node, "more than 10 million triangles");
          const double a = stations[p], b = stations[p + 1];
          const Point3 ai = point_at(road, a, inner[n][p], lane.inner),
                       bi = point_at(road, b, inner[n][p + 1], lane.inner);
          const Point3 ao = point_at(road, a, outer[n][p], lane.outer),
                       bo = point_at(road, b, outer[n][p + 1], lane.outer);
          add_quad(ai, bi, bo, ao, surface, &block.ground);
          if (std::abs(lane.inner - *before) > 1e-6) {
            add_quad(ai, bi, point_at(road, b, inner[n][p + 1], *before),
                     point_at(road, a, inner[n][p], *before), Surface::kKerb, &block.faces);
          }
        }
        *before = lane.outer;
        if (is_driven(lane.type)) add_lane(number, k, n, stations, inner[n], outer[n]);
      }
      add_markings(road, section, stations, inner, outer);
    }
    add_objects(road);
  }

  void add_lane(std::size_t number, std::size_t section, std::size_t n,
                const std::vector<double>& stations, const std::vector<double>& inner,
                const std::vector<double>& outer) {
    const Road& road = roads_[number];
    const LaneRecord& record = road.sections[section].lanes[n];
    Lane lane;
    for (std::size_t p = 0; p < stations.size(); ++p) {
      const Point3 q = point_at(road, stations[p], 0.5 * (inner[p] + outer[p]), 0);
      const Point at{q[0], q[1]};
      if (lane.center.empty() ||
          std::hypot(at.x - lane.center.back().x, at.y - lane.center.back().y) > 1e-6)
        lane.center.push_back(at);
      lane.width = std::max(lane.width, std::abs(outer[p] - inner[p]));
    }
    if (lane.center.size() < 2 || lane.width < 0.5) return;
    // The tangent of the lane at its ends, with what its offset adds.
    const auto heading = [&](double s) {
      const double e = std::min(1e-4, 0.5 * (stations.back() - stations.front()));
      const auto middle = [&](double x) {
        double t = eval(road.offset, x);
        double width = 0;
        for (const LaneRecord& l : road.sections[section].lanes) {
          if ((l.id > 0) != (record.id > 0) || std::abs(l.id) > std::abs(record.id)) continue;
          width = std::max(0.0, eval(l.widths, x - road.sections[section].s));
          t += (l.id > 0 ? 1 : -1) * (l.id == record.id ? 0.5 * width : width);
        }
        return point_at(road, x, t, 0);
      };
      const double s0 = std::max(s - e, stations.front()), s1 = std::min(s + e, stations.back());
      const Point3 a = middle(s0), b = middle(s1);
      return std::atan2(b[1] - a[1], b[0] - a[0]);
    };
    lane.start_heading = heading(stations.front()), lane.end_heading = heading(stations.back());
    const bool is_forward = (record.id < 0) != road.drives_left;
    if (!is_forward) {
      std::ranges::reverse(lane.center);
      std::swap(lane.start_heading, lane.end_heading);
      lane.start_heading = planning::wrap_angle(lane.start_heading + std::numbers::pi);
      lane.end_heading = planning::wrap_angle(lane.end_heading + std::numbers::pi);
    }
    lane.speed = road.speed;
    lane.is_turn = road.junction != "-1" && !road.junction.empty();
    lanes_[{number, section, record.id}] = static_cast<int>(city_.lanes.lanes.size());
    city_.lanes.lanes.push_back(std::move(lane));
  }

  /// A line between lanes, solid at the outer edges of the driven part.
  void add_markings(const Road& road, const Section& section, const std::vector<double>& stations,
                    const std::vector<std::vector<double>>& inner,
                    const std::vector<std::vector<double>>& outer) {
    if (road.junction != "-1" && !road.junction.empty()) return;
    constexpr double kHalf = 0.06, kLift = 0.003;
    for (std::size_t n = 0; n < section.lanes.size(); ++n) {
      if (!is_driven(section.lanes[n].type)) continue;
      const bool is_last = n + 1 >= section.lanes.size() ||
                           (section.lanes[n + 1].id > 0) != (section.lanes[n].id > 0) ||
                           !is_driven(section.lanes[n + 1].type);
      for (std::size_t p = 0; p + 1 < stations.size(); ++p) {
        const auto strip = [&](double a, double b, double ta, double tb) {
          add_quad(point_at(road, a, ta - kHalf, kLift), point_at(road, b, tb - kHalf, kLift),
                   point_at(road, b, tb + kHalf, kLift), point_at(road, a, ta + kHalf, kLift),
                   Surface::kWhitePaint, &city_.blocks[0].faces);
        };
        const double a = stations[p], b = stations[p + 1];
        if (is_last)
          strip(a, b, outer[n][p] - (section.lanes[n].id > 0 ? 0.15 : -0.15),
                outer[n][p + 1] - (section.lanes[n].id > 0 ? 0.15 : -0.15));
        if (std::abs(section.lanes[n].id) == 1 && section.lanes[n].id < 0)
          strip(a, b, inner[n][p], inner[n][p + 1]);
        else if (!is_last && p % 3 == 0)
          strip(a, std::min(b, a + 3), outer[n][p],
                outer[n][p] + (outer[n][p + 1] - outer[n][p]) * std::min(1.0, 3 / (b - a)));
      }
    }
  }

  void add_objects(const Road& road) {
    Block& block = city_.blocks[0];
    for (const xml_node node : road.node.child("objects").children("object")) {
      if (++records_ > internal::kMaxOpenDriveRecords) file_.fail(node, "too many objects");
      const double s = file_.number(node, "s", -10, internal::kMaxOpenDriveLength),
                   t = file_.number(node, "t", -1e5, 1e5);
      const double lift = file_.number_or(node, "zOffset", 0, -1e4, 1e4);
      const double radius = file_.number_or(node, "radius", 0, 0, 1e3),
                   height = file_.number_or(node, "height", 0, 0, 1e3);
      const double length = file_.number_or(node, "length", 0, 0, 1e4),
                   width = file_.number_or(node, "width", 0, 0, 1e4);
      const Point3 p = point_at(road, s, t, lift);
      const double yaw = eval(road.line, s).heading + file_.number_or(node, "hdg", 0, -100, 100);
      const std::string type = node.attribute("type").value();
      if (type == "tree" || type == "vegetation") {
        block.things.push_back({ThingKind::kTree, p[0], p[1], p[2], yaw,
                                std::clamp(height > 0 ? height / 7 : 1, 0.2, 5.0), 0});
      } else if (type == "pole" || type == "streetLamp") {
        block.things.push_back({ThingKind::kLamp, p[0], p[1], p[2], yaw,
                                std::clamp(height > 0 ? height / 7.7 : 1, 0.1, 4.0), 0});
      } else if (height > 0.05 && (radius > 0 || (length > 0 && width > 0))) {
        Building box;
        const double c = std::cos(yaw), sn = std::sin(yaw);
        const int corners = radius > 0 ? 12 : 4;
        for (int k = 0; k < corners; ++k) {
          const double angle = 2 * std::numbers::pi * k / corners;
          const double u =
              radius > 0 ? radius * std::cos(angle) : 0.5 * length * (k == 1 || k == 2 ? 1 : -1);
          const double v = radius > 0 ? radius * std::sin(angle) : 0.5 * width * (k >= 2 ? 1 : -1);
          box.footprint.push_back({p[0] + c * u - sn * v, p[1] + sn * u + c * v});
        }
        box.base = p[2], box.height = height;
        box.storeys = std::max(1, static_cast<int>(height / 3.1));
        box.wall = type == "building" ? Surface::kSandstone : Surface::kBarrierOrange;
        block.buildings.push_back(std::move(box));
      }
    }
    for (const xml_node node : road.node.child("signals").children("signal")) {
      if (++records_ > internal::kMaxOpenDriveRecords) file_.fail(node, "too many signals");
      const double s = file_.number(node, "s", -10, internal::kMaxOpenDriveLength),
                   t = file_.number(node, "t", -1e5, 1e5);
      const Point3 p = point_at(road, s, t, 0);
      const bool faces_back = std::strcmp(node.attribute("orientation").as_string("+"), "-") != 0;
      const bool is_light = std::strcmp(node.attribute("dynamic").as_string("no"), "yes") == 0;
      const double yaw = eval(road.line, s).heading + (faces_back ? std::numbers::pi : 0);
      block.things.push_back(
          {is_light ? ThingKind::kTrafficLight : ThingKind::kSign, p[0], p[1], p[2], yaw, 1, 0});
    }
  }

  // --- Links ---

  int find_lane(std::size_t road, std::size_t section, int id) const {
    const auto found = lanes_.find({road, section, id});
    return found == lanes_.end() ? -1 : found->second;
  }
  void link(int from, int to) {
    if (from < 0 || to < 0 || from == to) return;
    std::vector<int>& list = city_.lanes.lanes[static_cast<std::size_t>(from)].successors;
    if (std::ranges::find(list, to) == list.end()) list.push_back(to);
  }
  /// Traffic of lane `id` of a road goes along s.
  bool is_forward(const Road& road, int id) const { return (id < 0) != road.drives_left; }

  void link_lanes(const xml_node& root) {
    for (std::size_t r = 0; r < roads_.size(); ++r) {
      const Road& road = roads_[r];
      const std::size_t last = road.sections.size() - 1;
      for (std::size_t k = 0; k <= last; ++k) {
        for (const LaneRecord& lane : road.sections[k].lanes) {
          const int own = find_lane(r, k, lane.id);
          if (own < 0) continue;
          for (const int end : {0, 1}) {  // at the section's start, at its end
            const bool has = end == 0 ? lane.has_predecessor : lane.has_successor;
            const int id = end == 0 ? lane.predecessor : lane.successor;
            if (!has) continue;
            int other = -1;
            if (end == 0 ? k > 0 : k < last) {
              other = find_lane(r, end == 0 ? k - 1 : k + 1, id);
            } else {
              const RoadLink& next = end == 0 ? road.predecessor : road.successor;
              const auto found = numbers_.find(next.id);
              if (!next.is_there || next.is_junction || found == numbers_.end()) continue;
              const Road& there = roads_[found->second];
              other = find_lane(found->second, next.is_start ? 0 : there.sections.size() - 1, id);
            }
            const bool leaves = is_forward(road, lane.id) == (end == 1);
            leaves ? link(own, other) : link(other, own);
          }
        }
      }
    }
    for (const xml_node junction : root.children("junction")) {
      for (const xml_node connection : junction.children("connection")) {
        const auto in = numbers_.find(connection.attribute("incomingRoad").value());
        const auto way = numbers_.find(connection.attribute("connectingRoad").value());
        if (in == numbers_.end() || way == numbers_.end()) continue;
        const Road &from = roads_[in->second], &to = roads_[way->second];
        const bool at_start =
            std::strcmp(connection.attribute("contactPoint").as_string("start"), "start") == 0;
        // The end of the incoming road that touches this junction.
        const std::string id = junction.attribute("id").value();
        const bool at_end =
            from.successor.is_there && from.successor.is_junction && from.successor.id == id;
        for (const xml_node pair : connection.children("laneLink")) {
          const int a = static_cast<int>(file_.number(pair, "from", -1000, 1000)),
                    b = static_cast<int>(file_.number(pair, "to", -1000, 1000));
          const int own = find_lane(in->second, at_end ? from.sections.size() - 1 : 0, a);
          const int other = find_lane(way->second, at_start ? 0 : to.sections.size() - 1, b);
          // Along the lanes' own directions.
          const bool leaves = is_forward(from, a) == at_end;
          leaves ? link(own, other) : link(other, own);
        }
      }
    }
  }

  /// Land around flat networks, a little below the lowest road.
  void add_land() {
    Block& block = city_.blocks[0];
    if (block.ground.empty()) file_.fail(roads_[0].node, "no lane of any road has a width");
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Facet& f : block.ground) {
      for (const Point3& p : f.corners) low = std::min(low, p[2]), high = std::max(high, p[2]);
    }
    if (high - low > 0.6) return;
    const terrain::Box2 box = extent_of(block);
    constexpr double kRim = 30, kBelow = 0.04;  // [m]
    if (box.x1 - box.x0 > 40e3 || box.y1 - box.y0 > 40e3) return;
    const double z = low - kBelow;
    add_quad({box.x0 - kRim, box.y0 - kRim, z}, {box.x1 + kRim, box.y0 - kRim, z},
             {box.x1 + kRim, box.y1 + kRim, z}, {box.x0 - kRim, box.y1 + kRim, z}, Surface::kGrass,
             &block.ground);
  }

  const XmlFile& file_;
  std::string name_;
  City city_;
  std::vector<Road> roads_;
  std::map<std::string, std::size_t> numbers_;
  std::map<std::tuple<std::size_t, std::size_t, int>, int> lanes_;
  std::size_t records_ = 0;
};

}  // namespace

City parse_opendrive(std::string_view text, const std::string& name) {
  const XmlFile file(std::string(text), name);
  return Importer(file, name).import();
}

City load_opendrive(const std::string& path) {
  return parse_opendrive(read_file(path, 256 << 20), path);
}

}  // namespace camber::city