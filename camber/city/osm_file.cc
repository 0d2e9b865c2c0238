// OpenStreetMap XML, API 0.6. Streets are flat and have no kerbs: the data does not say where they
// are.
#include "camber/city/osm_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <unordered_map>

#include "camber/city/polygons.h"
#include "camber/city/xml_reader.h"
#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/math/wgs84.h"

namespace camber::city {
namespace {

using internal::XmlFile;
using pugi::xml_node;

constexpr double kDegree = std::numbers::pi / 180;
constexpr std::size_t kMaxNodes = 5'000'000, kMaxWayNodes = 2000;
constexpr double kMaxReach = 20e3;  // of a node from the middle [m]
constexpr double kLevel = 3.1;      // height of a building's level [m]
constexpr double kBelow = 0.02;     // land lies this much below streets [m]

using Tags = std::map<std::string, std::string, std::less<>>;

std::string find(const Tags& tags, std::string_view key) {
  const auto found = tags.find(key);
  return found == tags.end() ? std::string() : found->second;
}
/// The number that a value starts with ("12 m", "3"), or the fallback; in (0, high].
double number_of(const std::string& text, double fallback, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !(value > 0 && value <= high)) return fallback;
  return std::strncmp(end, " ft", 3) == 0 ? 0.3048 * value : value;
}

/// Lanes in all, width of one and speed limit of kinds of streets.
struct StreetKind {
  const char* name;
  int lanes;
  double width, speed;
};
constexpr StreetKind kKinds[] = {
    {"motorway", 2, 3.6, 36.1},     {"trunk", 2, 3.5, 27.8},       {"primary", 2, 3.4, 13.9},
    {"secondary", 2, 3.3, 13.9},    {"tertiary", 2, 3.2, 13.9},    {"unclassified", 2, 3.0, 13.9},
    {"residential", 2, 2.9, 8.33},  {"living_street", 2, 2.6, 2},  {"service", 1, 3.2, 5.6},
    {"motorway_link", 1, 3.6, 22},  {"trunk_link", 1, 3.5, 16.7},  {"primary_link", 1, 3.4, 13.9},
    {"secondary_link", 1, 3.3, 11}, {"tertiary_link", 1, 3.2, 11}, {"road", 2, 3.0, 13.9}};

struct Street {
  std::vector<long long> nodes;
  int forward = 1, backward = 1;  // lanes
  double width = 3, speed = 10;   // of a lane [m], [m/s]
  double half() const { return 0.5 * width * (forward + backward); }
};

class Importer {
 public:
  Importer(const XmlFile& file, const std::string& name) : file_(file), name_(name) {}

  City import() {
    const xml_node root = file_.root("osm");
    read_nodes(root);
    city_.name = name_;
    city_.attribution =
        "map data (c) OpenStreetMap contributors, ODbL 1.0, openstreetmap.org/copyright";
    city_.blocks.emplace_back();
    for (const xml_node node : root.children("way")) read_way(node);
    cut_streets();
    build_streets();
    add_land(root);
    complete(&city_.lanes);
    return std::move(city_);
  }

 private:
  void read_nodes(const xml_node& root) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    const auto extend = [&](double latitude, double longitude) {
      low[0] = std::min(low[0], latitude), high[0] = std::max(high[0], latitude);
      low[1] = std::min(low[1], longitude), high[1] = std::max(high[1], longitude);
    };
    const xml_node bounds = root.child("bounds");
    if (bounds) {
      extend(file_.number(bounds, "minlat", -90, 90), file_.number(bounds, "minlon", -180, 180));
      extend(file_.number(bounds, "maxlat", -90, 90), file_.number(bounds, "maxlon", -180, 180));
    }
    std::size_t count = 0;
    for (const xml_node node : root.children("node")) {
      if (++count > kMaxNodes) file_.fail(node, "more than 5 million nodes");
      if (std::strcmp(node.attribute("action").value(), "delete") == 0) continue;
      const double latitude = file_.number(node, "lat", -90, 90);
      const double longitude = file_.number(node, "lon", -180, 180);
      if (!bounds) extend(latitude, longitude);
    }
    if (count == 0) file_.fail(root, "has no <node>");
    const math::LocalFrame frame(
        {0.5 * (low[0] + high[0]) * kDegree, 0.5 * (low[1] + high[1]) * kDegree, 0});
    for (const xml_node node : root.children("node")) {
      if (std::strcmp(node.attribute("action").value(), "delete") == 0) continue;
      const auto p = frame.from_geodetic(
          {file_.number(node, "lat") * kDegree, file_.number(node, "lon") * kDegree, 0});
      if (std::hypot(p[0], p[1]) > kMaxReach) {
        // Ways of an extract may leave its bounds.
        if (!bounds) file_.fail(node, "is farther than 20 km from the middle of the map");
        continue;
      }
      places_[file_.integer(node, "id")] = {p[0], p[1]};
      if (!node.child("tag")) continue;
      const Tags tags = read_tags(node);
      const auto add = [&](ThingKind kind) {
        city_things_.push_back({kind, p[0], p[1], -kBelow, 0, 1, 0});
      };
      if (find(tags, "natural") == "tree") add(ThingKind::kTree);
      if (find(tags, "highway") == "street_lamp") add(ThingKind::kLamp);
      if (find(tags, "highway") == "traffic_signals") continue;
      if (find(tags, "barrier") == "bollard") add(ThingKind::kBollard);
    }
  }

  Tags read_tags(const xml_node& node) {
    Tags tags;
    for (const xml_node tag : node.children("tag")) {
      if (tags.size() < 500) tags[tag.attribute("k").value()] = tag.attribute("v").value();
    }
    return tags;
  }

  void read_way(const xml_node& node) {
    if (std::strcmp(node.attribute("action").value(), "delete") == 0) return;
    std::vector<long long> ids;
    for (const xml_node nd : node.children("nd")) {
      if (ids.size() >= kMaxWayNodes) file_.fail(node, "has more than 2,000 nodes");
      const long long id = file_.integer(nd, "ref");
      if (!places_.contains(id)) continue;  // outside of the extract
      if (ids.empty() || ids.back() != id) ids.push_back(id);
    }
    const Tags tags = read_tags(node);
    const std::string highway = find(tags, "highway");
    const std::string building = find(tags, "building");
    if (!building.empty() && building != "no" && ids.size() >= 4 && ids.front() == ids.back()) {
      add_building(node, tags, ids);
    }
    const auto* kind =
        std::ranges::find_if(kKinds, [&](const StreetKind& k) { return highway == k.name; });
    if (kind == std::end(kKinds) || ids.size() < 2 || find(tags, "area") == "yes") return;
    Street street;
    street.nodes = std::move(ids);
    const std::string oneway = find(tags, "oneway");
    const bool is_one_way = oneway == "yes" || oneway == "1" || oneway == "true" ||
                            oneway == "-1" || highway == "motorway" ||
                            find(tags, "junction") == "roundabout";
    if (oneway == "-1") std::ranges::reverse(street.nodes);
    const int lanes = static_cast<int>(number_of(
        find(tags, "lanes"), is_one_way ? std::max(1, kind->lanes / 2) : kind->lanes, 12));
    street.forward = is_one_way ? std::max(1, lanes) : std::max(1, (lanes + 1) / 2);
    street.backward = is_one_way ? 0 : std::max(1, lanes / 2);
    const double width = number_of(find(tags, "width"), 0, 60);
    street.width =
        width > 0 ? std::clamp(width / (street.forward + street.backward), 2.2, 6.0) : kind->width;
    const std::string limit = find(tags, "maxspeed");
    const double value = number_of(limit, 0, 300);
    street.speed = value > 0 ? value * (limit.ends_with("mph") ? 0.44704 : 1 / 3.6) : kind->speed;
    streets_.push_back(std::move(street));
  }

  void add_building(const xml_node& node, const Tags& tags, const std::vector<long long>& ids) {
    Building house;
    for (std::size_t k = 0; k + 1 < ids.size(); ++k) house.footprint.push_back(places_[ids[k]]);
    const double area = area_of(house.footprint);
    if (!(std::abs(area) > 1)) return;
    if (area < 0) std::ranges::reverse(house.footprint);
    RandomStream own =
        RandomStream(static_cast<std::uint64_t>(file_.integer(node, "id"))).substream("building");
    const double drawn = static_cast<double>(own.integer(2, 4));
    const double levels = number_of(find(tags, "building:levels"), drawn, 200);
    house.height = number_of(find(tags, "height"), levels * kLevel + 0.7, 1000);
    house.storeys = std::max(1, static_cast<int>(house.height / kLevel));
    house.base = -kBelow;
    constexpr Surface kWalls[] = {Surface::kBrickRed,     Surface::kBrickBrown,
                                  Surface::kPlasterWhite, Surface::kPlasterYellow,
                                  Surface::kPlasterGray,  Surface::kSandstone};
    house.wall = kWalls[own.integer(0, 5)];
    house.roof = house.footprint.size() == 4 && house.storeys <= 4 ? Roof::kHipped : Roof::kFlat;
    city_.blocks[0].buildings.push_back(std::move(house));
  }

  /// Streets end where others begin, end or cross.
  void cut_streets() {
    std::unordered_map<long long, int> uses;
    for (const Street& s : streets_) {
      for (const long long id : s.nodes) ++uses[id];
    }
    std::vector<Street> cut;
    for (const Street& s : streets_) {
      std::size_t first = 0;
      for (std::size_t k = 1; k < s.nodes.size(); ++k) {
        if (uses[s.nodes[k]] < 2 && k + 1 < s.nodes.size()) continue;
        Street part = s;
        part.nodes.assign(s.nodes.begin() + static_cast<std::ptrdiff_t>(first),
                          s.nodes.begin() + static_cast<std::ptrdiff_t>(k) + 1);
        cut.push_back(std::move(part));
        first = k;
      }
    }
    streets_ = std::move(cut);
  }

  /// A line parallel to the street, without `cut` meters at both ends.
  std::vector<Point> make_line(const Street& s, double left, double cut) {
    std::vector<Point> line;
    for (const long long id : s.nodes) line.push_back(places_[id]);
    const auto shorten = [&](std::vector<Point>* all) {
      double rest = cut;
      while (all->size() > 2) {
        const double d = std::hypot((*all)[1].x - (*all)[0].x, (*all)[1].y - (*all)[0].y);
        if (d > rest) break;
        rest -= d;
        all->erase(all->begin());
      }
      const Point a = (*all)[0], b = (*all)[1];
      const double d = std::hypot(b.x - a.x, b.y - a.y), t = d > 0 ? std::min(rest / d, 0.45) : 0;
      (*all)[0] = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    };
    shorten(&line);
    std::ranges::reverse(line);
    shorten(&line);
    std::ranges::reverse(line);
    std::vector<Point> moved;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const Point a = line[k > 0 ? k - 1 : 0], b = line[std::min(k + 1, line.size() - 1)],
                  c = line[k];
      const auto normal = [](Point p, Point q) {
        const double d = std::max(1e-9, std::hypot(q.x - p.x, q.y - p.y));
        return Point{-(q.y - p.y) / d, (q.x - p.x) / d};
      };
      const Point n0 = k > 0 ? normal(a, c) : normal(c, b),
                  n1 = k + 1 < line.size() ? normal(c, b) : normal(a, c);
      const double cosine = n0.x * n1.x + n0.y * n1.y;
      const double gain = left / std::max(0.5, 1 + cosine);  // a miter, cut where it is sharp
      moved.push_back({c.x + gain * (n0.x + n1.x), c.y + gain * (n0.y + n1.y)});
    }
    return moved;
  }

  void build_streets() {
    Block& block = city_.blocks[0];
    block.things = std::move(city_things_);
    std::map<long long, std::vector<int>> arriving, leaving;
    for (const Street& s : streets_) {
      const std::vector<Point> left = make_line(s, s.half(), 0), right = make_line(s, -s.half(), 0);
      for (std::size_t k = 0; k + 1 < left.size(); ++k) {
        const auto at = [](Point p) { return Point3{p.x, p.y, 0}; };
        add_quad(at(right[k]), at(right[k + 1]), at(left[k + 1]), at(left[k]), Surface::kAsphalt,
                 &block.ground);
      }
      // Round ends fill the gaps of crossings.
      for (const long long id : {s.nodes.front(), s.nodes.back()}) {
        const Point c = places_[id];
        constexpr int kSides = 12;
        for (int k = 0; k < kSides; ++k) {
          const auto at = [&](int n) {
            const double angle = 2 * std::numbers::pi * n / kSides;
            return Point3{c.x + s.half() * std::cos(angle), c.y + s.half() * std::sin(angle), 0};
          };
          block.ground.push_back({{Point3{c.x, c.y, 0}, at(k), at(k + 1)}, Surface::kAsphalt});
        }
      }
      const double middle = 0.5 * s.width * (s.forward - s.backward);  // of the two directions
      for (int direction = 0; direction < 2; ++direction) {
        const int count = direction == 0 ? s.forward : s.backward;
        int before = -1;
        for (int k = 0; k < count; ++k) {
          Lane lane;
          const double offset = middle + (direction == 0 ? -1 : 1) * (k + 0.5) * s.width;
          lane.center = make_line(s, offset, 8);
          if (direction == 1) std::ranges::reverse(lane.center);
          std::vector<Point> clean;
          for (const Point& p : lane.center) {
            if (clean.empty() || std::hypot(p.x - clean.back().x, p.y - clean.back().y) > 1e-3)
              clean.push_back(p);
          }
          if (clean.size() < 2) continue;
          lane.center = std::move(clean);
          const std::size_t n = lane.center.size();
          const auto heading = [&](Point a, Point b) { return std::atan2(b.y - a.y, b.x - a.x); };
          lane.start_heading = heading(lane.center[0], lane.center[1]);
          lane.end_heading = heading(lane.center[n - 2], lane.center[n - 1]);
          lane.width = s.width, lane.speed = s.speed;
          const int number = static_cast<int>(city_.lanes.lanes.size());
          lane.left = before;
          if (before >= 0) city_.lanes.lanes[static_cast<std::size_t>(before)].right = number;
          before = number;
          city_.lanes.lanes.push_back(std::move(lane));
          arriving[direction == 0 ? s.nodes.back() : s.nodes.front()].push_back(number);
          leaving[direction == 0 ? s.nodes.front() : s.nodes.back()].push_back(number);
        }
      }
    }
    // Turns from every lane to the lanes that leave its end, but not back along its own street
    // unless nothing else is there.
    for (const auto& [id, lanes] : arriving) {
      const auto found = leaving.find(id);
      if (found == leaving.end()) continue;
      for (const int from : lanes) {
        std::vector<int> ways, back;
        for (const int to : found->second) {
          const Lane &a = city_.lanes.lanes[static_cast<std::size_t>(from)],
                     &b = city_.lanes.lanes[static_cast<std::size_t>(to)];
          const bool is_back =
              std::abs(planning::wrap_angle(b.start_heading - a.end_heading)) > 2.8;
          (is_back ? back : ways).push_back(to);
        }
        for (const int to : ways.empty() ? back : ways) connect(from, to, &city_.lanes);
      }
    }
  }

  void add_land(const xml_node& root) {
    Block& block = city_.blocks[0];
    terrain::Box2 box = extent_of(block);
    if (box.x0 > box.x1) file_.fail(root, "has no street and no building");
    constexpr double kRim = 30;
    const double z = -kBelow;
    add_quad({box.x0 - kRim, box.y0 - kRim, z}, {box.x1 + kRim, box.y0 - kRim, z},
             {box.x1 + kRim, box.y1 + kRim, z}, {box.x0 - kRim, box.y1 + kRim, z},
             Surface::kCourtyard, &block.ground);
  }

  const XmlFile& file_;
  std::string name_;
  City city_;
  std::vector<Thing> city_things_;
  std::unordered_map<long long, Point> places_;
  std::vector<Street> streets_;
};

}  // namespace

City parse_osm(std::string_view text, const std::string& name) {
  const XmlFile file(std::string(text), name);
  return Importer(file, name).import();
}

City load_osm(const std::string& path) { return parse_osm(read_file(path, 256 << 20), path); }

}  // namespace camber::city
