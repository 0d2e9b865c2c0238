// CityJSON [OGC 20-072r5]: vertices are integers with a transform; a surface is a list of rings of
// vertex numbers, the first outside, further ones holes.
#include "camber/city/cityjson_file.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "camber/city/polygons.h"
#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::city {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxBytes = 512 << 20, kMaxVertices = 20'000'000, kMaxRing = 5000;
constexpr int kMaxDepth = 64;

class Importer {
 public:
  Importer(const Json& json, const std::string& name) : json_(json), name_(name) {}

  City import() {
    if (!json_.is_object() || json_.value("type", Json()) != "CityJSON")
      fail("type", "must be \"CityJSON\"");
    read_vertices();
    city_.name = name_;
    city_.blocks.emplace_back();
    const Json& objects = at(json_, "CityObjects", "");
    if (!objects.is_object()) fail("CityObjects", "must be an object");
    for (const auto& [id, object] : objects.items()) read_object(id, object);
    Block& block = city_.blocks[0];
    if (block.ground.empty() && block.faces.empty())
      fail("CityObjects", "have no surface that is read");
    if (block.ground.empty()) add_land();
    return std::move(city_);
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw FileError(name_, concat(where, ": ", what));
  }
  const Json& at(const Json& json, const char* key, const std::string& where) const {
    const auto found = json.find(key);
    if (found == json.end()) fail(where.empty() ? key : concat(where, ".", key), "is missing");
    return *found;
  }
  double number(const Json& json, const std::string& where) const {
    if (!json.is_number()) fail(where, "must be a number");
    const double value = json.get<double>();
    if (!(std::abs(value) < 1e12)) fail(where, "must be less than 1e12");
    return value;
  }

  void read_vertices() {
    double scale[3] = {1, 1, 1}, shift[3] = {0, 0, 0};
    if (const auto transform = json_.find("transform");
        transform != json_.end() && transform->is_object()) {
      for (const auto& [key, values] : {std::pair{"scale", scale}, std::pair{"translate", shift}}) {
        const Json& list = at(*transform, key, "transform");
        if (!list.is_array() || list.size() != 3)
          fail(concat("transform.", key), "must have 3 numbers");
        for (std::size_t a = 0; a < 3; ++a) values[a] = number(list[a], concat("transform.", key));
      }
    }
    const Json& list = at(json_, "vertices", "");
    if (!list.is_array() || list.empty())
      fail("vertices", "must be a list with at least one vertex");
    if (list.size() > kMaxVertices) fail("vertices", "are more than 20 million");
    Point3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (!list[k].is_array() || list[k].size() != 3)
        fail(concat("vertices[", k, "]"), "must have 3 numbers");
      Point3 p;
      for (std::size_t a = 0; a < 3; ++a) {
        p[a] = shift[a] + scale[a] * number(list[k][a], concat("vertices[", k, "]"));
        low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
      }
      vertices_.push_back(p);
    }
    if (high[0] - low[0] > 40e3 || high[1] - low[1] > 40e3)
      fail("vertices", "reach over more than 40 km");
    // About the middle, on the lowest level.
    const Point3 origin = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), low[2]};
    for (Point3& p : vertices_) {
      for (std::size_t a = 0; a < 3; ++a) p[a] -= origin[a];
    }
  }

  void read_object(const std::string& id, const Json& object) {
    const std::string where = concat("CityObjects.", id.substr(0, 80));
    if (!object.is_object()) fail(where, "must be an object");
    const Json type_value = object.value("type", Json());
    const std::string type = type_value.is_string() ? type_value.get<std::string>() : "";
    const auto geometry = object.find("geometry");
    if (geometry == object.end() || !geometry->is_array()) return;
    // The finest level of detail.
    const Json* finest = nullptr;
    double best = -1;
    for (const Json& g : *geometry) {
      if (!g.is_object()) fail(where, "geometry must be a list of objects");
      const Json lod = g.value("lod", Json(0));
      double level = 0;
      if (lod.is_number()) level = lod.get<double>();
      if (lod.is_string()) level = std::atof(lod.get<std::string>().c_str());
      if (level > best) best = level, finest = &g;
    }
    if (finest == nullptr) return;
    const bool is_ground = type == "TINRelief" || type == "Road" || type == "Railway" ||
                           type == "LandUse" || type == "TransportSquare" || type == "WaterBody" ||
                           type == "PlantCover";
    kind_ = is_ground ? (type == "Road" || type == "TransportSquare" ? Surface::kAsphalt
                         : type == "PlantCover" || type == "LandUse" || type == "TINRelief"
                             ? Surface::kGrass
                             : Surface::kCourtyard)
                      : Surface::kPlasterWhite;
    is_ground_ = is_ground;
    footprint_ = {};
    low_ = HUGE_VAL, high_ = -HUGE_VAL;
    types_.clear();
    const Json semantics = finest->value("semantics", Json());
    if (semantics.is_object() && semantics.contains("surfaces") &&
        semantics["surfaces"].is_array()) {
      for (const Json& s : semantics["surfaces"]) {
        const Json t = s.is_object() ? s.value("type", Json()) : Json();
        types_.push_back(t.is_string() ? t.get<std::string>() : "");
      }
    }
    const Json values = semantics.is_object() ? semantics.value("values", Json()) : Json();
    walk(at(*finest, "boundaries", where), values, where, 0);
    if (!is_ground && footprint_.size() >= 3 && high_ > low_) {
      Building house;
      house.footprint =
          area_of(footprint_) < 0 ? Polygon(footprint_.rbegin(), footprint_.rend()) : footprint_;
      house.base = low_, house.height = high_ - low_;
      house.is_drawn = false;
      city_.blocks[0].buildings.push_back(std::move(house));
    }
  }

  /// Nested lists down to a surface, which is a list of rings of numbers.
  void walk(const Json& list, const Json& values, const std::string& where, int depth) {
    if (!list.is_array() || depth > 8) fail(where, "boundaries must be lists of at most 8 levels");
    if (list.empty()) return;
    const bool is_surface = list[0].is_array() && !list[0].empty() && list[0][0].is_number();
    if (is_surface) {
      add_surface(list, values, where);
      return;
    }
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Json own = values.is_array() && k < values.size() ? values[k]
                       : values.is_array()                    ? Json()
                                                              : values;
      walk(list[k], own, where, depth + 1);
    }
  }

  void add_surface(const Json& rings, const Json& value, const std::string& where) {
    std::vector<std::vector<Point3>> loops;
    for (const Json& ring : rings) {
      if (!ring.is_array() || ring.size() > kMaxRing)
        fail(where, "a ring must be a list of at most 5,000 vertices");
      std::vector<Point3> loop;
      for (const Json& n : ring) {
        if (!n.is_number_unsigned() || n.get<std::uint64_t>() >= vertices_.size())
          fail(where, concat("names vertex ", n.dump(), " of ", vertices_.size()));
        loop.push_back(vertices_[n.get<std::size_t>()]);
      }
      if (loop.size() >= 3) loops.push_back(std::move(loop));
    }
    if (loops.empty()) return;
    // Newell's normal, and the two axes that it is least along.
    double n[3] = {0, 0, 0};
    const auto& outer = loops[0];
    for (std::size_t k = 0; k < outer.size(); ++k) {
      const Point3 &a = outer[k], &b = outer[(k + 1) % outer.size()];
      n[0] += (a[1] - b[1]) * (a[2] + b[2]);
      n[1] += (a[2] - b[2]) * (a[0] + b[0]);
      n[2] += (a[0] - b[0]) * (a[1] + b[1]);
    }
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 1e-9)) return;
    std::size_t axis = 2;
    for (std::size_t a = 0; a < 2; ++a) {
      if (std::abs(n[a]) > std::abs(n[axis])) axis = a;
    }
    std::vector<Polygon> flat;
    std::vector<Point3> all;
    for (const auto& loop : loops) {
      Polygon polygon;
      for (const Point3& p : loop) {
        polygon.push_back({p[(axis + 1) % 3], p[(axis + 2) % 3]});
        all.push_back(p);
        low_ = std::min(low_, p[2]), high_ = std::max(high_, p[2]);
      }
      flat.push_back(std::move(polygon));
    }
    std::string type;
    if (value.is_number_unsigned() && value.get<std::size_t>() < types_.size())
      type = types_[value.get<std::size_t>()];
    Surface surface = kind_;
    const double up = n[2] / length;
    if (!is_ground_) {
      if (type == "RoofSurface" || (type.empty() && up > 0.3))
        surface = up > 0.98 ? Surface::kFlatRoof : Surface::kTileRoof;
      if (type == "GroundSurface" || (type.empty() && up < -0.9)) {
        if (std::abs(area_of(flat[0])) > std::abs(area_of(footprint_))) {
          footprint_.clear();
          for (const Point3& p : outer) footprint_.push_back({p[0], p[1]});
        }
      }
    }
    const std::vector<Polygon> holes(flat.begin() + 1, flat.end());
    Block& block = city_.blocks[0];
    for (const auto& [a, b, c] : triangulate(flat[0], holes)) {
      // The side of the ring stays outside.
      const Facet facet{{all[a], all[n[axis] > 0 ? b : c], all[n[axis] > 0 ? c : b]}, surface};
      (is_ground_ && std::abs(up) > 0.1 ? block.ground : block.faces).push_back(facet);
    }
  }

  void add_land() {
    Block& block = city_.blocks[0];
    const terrain::Box2 box = extent_of(block);
    constexpr double kRim = 60;
    add_quad({box.x0 - kRim, box.y0 - kRim, 0}, {box.x1 + kRim, box.y0 - kRim, 0},
             {box.x1 + kRim, box.y1 + kRim, 0}, {box.x0 - kRim, box.y1 + kRim, 0},
             Surface::kCourtyard, &block.ground);
  }

  const Json& json_;
  std::string name_;
  City city_;
  std::vector<Point3> vertices_;
  // Of the object that is read:
  Surface kind_ = Surface::kPlasterWhite;
  bool is_ground_ = false;
  Polygon footprint_;
  double low_ = 0, high_ = 0;
  std::vector<std::string> types_;
};

}  // namespace

City parse_cityjson(std::string_view text, const std::string& name) {
  if (text.size() > kMaxBytes) throw FileError(name, "is longer than 512 MB");
  Json json;
  try {
    const auto limit_depth = [&](int depth, Json::parse_event_t, Json&) {
      if (depth > kMaxDepth) throw FileError(name, "nests deeper than 64 levels");
      return true;
    };
    json = Json::parse(text.begin(), text.end(), limit_depth);
  } catch (const Json::exception& error) {
    throw FileError(name, concat("not JSON: ", error.what()));
  }
  return Importer(json, name).import();
}

City load_cityjson(const std::string& path) {
  return parse_cityjson(read_file(path, kMaxBytes), path);
}

}  // namespace camber::city
