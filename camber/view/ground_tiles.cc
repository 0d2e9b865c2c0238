#include "camber/view/ground_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include <nlohmann/json.hpp>

#include "camber/terrain/soil_grid.h"
#include "camber/view/bytes.h"
#include "camber/view/json_values.h"

namespace camber::view {

using Json = nlohmann::ordered_json;
using terrain::Box2;

struct GroundTiles::Ruts {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<float>> tiles;
  std::int64_t version = 0;
  Box2 box{HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};  // of all changes
};

namespace {

constexpr double kPlaneReach = 4000;  // of a plane with bumps [m]
constexpr int kMaxLevels = 14;
constexpr std::int64_t kMaxIndex = 1 << 24;  // of tiles

/// The quantum of heights that a tile may have: powers of two, so that nodes that two tiles share
/// are the same numbers in both if their quanta are equal.
double find_quantum(double range) {
  constexpr double kFinest = 1.0 / 1024;  // 1 mm: finer steps are not seen, and take more bytes
  double quantum = kFinest;
  while (quantum * 65534 < range) quantum *= 2;
  return quantum;
}

Box2 extent_of(const terrain::CrgRoad& road) {
  const terrain::CrgData& data = road.data();
  double x = data.x, y = data.y;
  Box2 box{x, y, x, y};
  for (const double heading : data.heading) {
    x += data.u_step * std::cos(heading);
    y += data.u_step * std::sin(heading);
    box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x), std::max(box.y1, y)};
  }
  const double side =
      std::max(std::abs(data.v.front()), std::abs(data.v.back())) + 30;  // with the verge [m]
  return {box.x0 - side, box.y0 - side, box.x1 + side, box.y1 + side};
}

}  // namespace

GroundTiles::GroundTiles(std::shared_ptr<const terrain::Terrain> terrain,
                         const GroundOptions& options)
    : terrain_(std::move(terrain)),
      options_(options),
      cache_(terrain_->make_cache()),
      ruts_(std::make_shared<Ruts>()) {
  find_extent();
}

void GroundTiles::find_extent() {
  const auto* plane = std::get_if<terrain::Plane>(&terrain_->base);
  const bool has_bumps = !terrain_->bumps.empty();
  if (plane != nullptr) {
    kind_ = "plane";
    is_plane_ = !has_bumps && !options_.has_ruts;
    extent_ = {-kPlaneReach, -kPlaneReach, kPlaneReach, kPlaneReach};
    cell_ = 0.5;
  } else if (const auto* map = std::get_if<terrain::ElevationMap>(&terrain_->base)) {
    kind_ = "map";
    spacing_ = map->spacing();
    extent_ = {map->origin_x(), map->origin_y(), map->origin_x() + (map->nx() - 1) * spacing_,
               map->origin_y() + (map->ny() - 1) * spacing_};
    cell_ = std::clamp(spacing_, 0.125, 1.0);
  } else if (const auto* tiled = std::get_if<terrain::TiledMap>(&terrain_->base)) {
    kind_ = std::holds_alternative<terrain::ProceduralGround>(tiled->source()) ? "hills" : "map";
    spacing_ = tiled->spacing();
    extent_ = tiled->extent();
    cell_ = std::clamp(spacing_, 0.25, 1.0);
  } else if (const auto* road = std::get_if<terrain::CrgRoad>(&terrain_->base)) {
    kind_ = "road";
    extent_ = extent_of(*road);
    cell_ = 0.25;
  } else {
    kind_ = options_.city.empty() ? "map" : "city";
    extent_ = std::get<terrain::TriangleMap>(terrain_->base).extent();
    cell_ = 0.5;
  }
  // Bumps and ruts are small: they need small cells.
  if (has_bumps || options_.has_ruts) cell_ = std::min(cell_, 0.125);
  const double side = std::max(extent_.x1 - extent_.x0, extent_.y1 - extent_.y0);
  while (levels_ < kMaxLevels && 4 * kCells * cell_ * std::ldexp(1.0, levels_ - 1) < side)
    ++levels_;
  origin_x_ = std::isfinite(extent_.x0) ? extent_.x0 : 0;
  origin_y_ = std::isfinite(extent_.y0) ? extent_.y0 : 0;
}

Json GroundTiles::describe() const {
  const terrain::Soil& soil = terrain_->soils.front();
  const bool is_rigid = soil.name == "rigid";
  Json json{{"kind", kind_},
            {"extent", {extent_.x0, extent_.y0, extent_.x1, extent_.y1}},
            {"levels", levels_},
            {"cell", cell_},
            {"origin", {origin_x_, origin_y_}}};
  if (is_plane_) {
    const auto& plane = std::get<terrain::Plane>(terrain_->base);
    json["plane"] = {{"z", plane.height}, {"slope_x", plane.slope_x}, {"slope_y", plane.slope_y}};
  }
  json["soil"] = is_rigid ? "" : soil.name;
  json["soft"] = options_.has_ruts;
  const bool is_sand = soil.name.find("sand") != std::string::npos;
  json["look"] = !is_rigid                            ? (is_sand ? "sand" : "soil")
                 : kind_ == "hills" || kind_ == "map" ? "grass"
                                                      : "asphalt";
  json["friction"] = terrain_->friction.at(0, 0);
  return json;
}

bool GroundTiles::is_exact(int level) const {
  const bool is_tiled = std::holds_alternative<terrain::TiledMap>(terrain_->base);
  return !is_tiled || cell_ * std::ldexp(1.0, level) <= 4 * spacing_;
}

bool GroundTiles::overlaps(double x0, double y0, double side) const {
  return x0 < extent_.x1 && y0 < extent_.y1 && x0 + side > extent_.x0 && y0 + side > extent_.y0;
}

double GroundTiles::find_coarse(double x, double y) const {
  const auto& map = std::get<terrain::TiledMap>(terrain_->base);
  const double cx = std::clamp(x, extent_.x0, extent_.x1) - extent_.x0;
  const double cy = std::clamp(y, extent_.y0, extent_.y1) - extent_.y0;
  double h = 0;
  if (const auto* ground = std::get_if<terrain::ProceduralGround>(&map.source())) {
    const terrain::FractalNoise& hills = ground->spec().hills;
    if (hills.octaves > 0 && hills.amplitude != 0) h = terrain::fractal_height(hills, cx, cy);
  } else {
    float node = 0;
    std::get<terrain::RawHeightFile>(map.source())
        .read_block(std::llround(cx / spacing_), std::llround(cy / spacing_), 1, 1, &node);
    h = static_cast<double>(node);
  }
  for (const terrain::Bump& bump : terrain_->bumps) h += terrain::sample_bump(bump, x, y).h;
  return h;
}

double GroundTiles::find_rut(double x, double y) const {
  if (ruts_->tiles.empty()) return 0;
  constexpr int kSide = terrain::SoilGrid::kTileSide;
  const auto i = std::llround(x / options_.rut_spacing), j = std::llround(y / options_.rut_spacing);
  const auto floor_of = [](std::int64_t a) {
    return a >= 0 ? a / kSide : -((kSide - 1 - a) / kSide);
  };
  const auto found = ruts_->tiles.find({floor_of(i), floor_of(j)});
  if (found == ruts_->tiles.end()) return 0;
  const std::int64_t column = i - floor_of(i) * kSide, row = j - floor_of(j) * kSide;
  return static_cast<double>(found->second[static_cast<std::size_t>(row * kSide + column)]);
}

double GroundTiles::height(double x, double y) const {
  const std::lock_guard guard(lock_);
  return terrain_->sample(x, y, &cache_).h;
}

std::string GroundTiles::make_tile(int level, std::int64_t i, std::int64_t j) const {
  if (level < 0 || level >= levels_ || std::abs(i) > kMaxIndex || std::abs(j) > kMaxIndex)
    return {};
  const double step = cell_ * std::ldexp(1.0, level), side = kCells * step;
  const double x0 = origin_x_ + static_cast<double>(i) * side;
  const double y0 = origin_y_ + static_cast<double>(j) * side;
  if (!overlaps(x0, y0, side)) return {};
  const bool exact = is_exact(level), fine = level <= 1;
  std::array<double, static_cast<std::size_t>(kNodes) * kNodes> heights{};
  const std::lock_guard guard(lock_);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int b = 0; b < kNodes; ++b) {
    // Nodes that two tiles share are computed from the same numbers.
    const double y = origin_y_ + static_cast<double>(j * kCells + b - 1) * step;
    for (int a = 0; a < kNodes; ++a) {
      const double x = origin_x_ + static_cast<double>(i * kCells + a - 1) * step;
      double h = exact ? terrain_->sample(x, y, &cache_).h : find_coarse(x, y);
      if (fine) h += find_rut(x, y);
      heights[static_cast<std::size_t>(b * kNodes + a)] = h;
      low = std::min(low, h), high = std::max(high, h);
    }
  }
  const double quantum = find_quantum(high - low);
  const double z0 = std::floor(low / quantum) * quantum;
  std::string out;
  out.reserve(8 + 2 * heights.size());
  // Both are exact as floats: a power of two, and a multiple of it with less than 24 bits where
  // heights are below 2 km.
  internal::append(static_cast<float>(z0), &out);
  internal::append(static_cast<float>(quantum), &out);
  const auto base = static_cast<double>(static_cast<float>(z0));
  for (const double h : heights)
    internal::append(
        static_cast<std::uint16_t>(std::clamp(std::round((h - base) / quantum), 0.0, 65535.0)),
        &out);
  return out;
}

std::string GroundTiles::make_trees(std::int64_t i, std::int64_t j) const {
  std::string out;
  if (std::abs(i) > kMaxIndex || std::abs(j) > kMaxIndex) return out;
  const double side = 4 * kCells * cell_;
  const double x0 = origin_x_ + static_cast<double>(i) * side;
  const double y0 = origin_y_ + static_cast<double>(j) * side;
  if (!overlaps(x0, y0, side)) return out;
  const std::vector<terrain::Obstacle> found =
      terrain_->find_obstacles({x0, y0, x0 + side, y0 + side});
  const std::lock_guard guard(lock_);
  for (const terrain::Obstacle& o : found) {
    // On the side of a neighbor's square it is the neighbor's.
    if (o.x < x0 || o.y < y0 || o.x >= x0 + side || o.y >= y0 + side) continue;
    const double z = terrain_->sample(o.x, o.y, &cache_).h;
    for (const double value : {o.x - x0, o.y - y0, z, o.radius, o.height})
      internal::append(static_cast<float>(value), &out);
  }
  return out;
}

void GroundTiles::take_ruts(const std::vector<RutTile>& tiles) {
  if (tiles.empty()) return;
  const std::lock_guard guard(lock_);
  const double side = terrain::SoilGrid::kTileSide * options_.rut_spacing;
  for (const RutTile& tile : tiles) {
    ruts_->tiles[{tile.i, tile.j}] = tile.displacements;
    Box2& box = ruts_->box;
    box = {std::min(box.x0, static_cast<double>(tile.i) * side),
           std::min(box.y0, static_cast<double>(tile.j) * side),
           std::max(box.x1, static_cast<double>(tile.i + 1) * side),
           std::max(box.y1, static_cast<double>(tile.j + 1) * side)};
  }
  ++ruts_->version;
}

Json GroundTiles::describe_ruts() const {
  const std::lock_guard guard(lock_);
  Json boxes = Json::array();
  const double side = terrain::SoilGrid::kTileSide * options_.rut_spacing;
  for (const auto& [place, heights] : ruts_->tiles) {
    const double x = static_cast<double>(place.first) * side;
    const double y = static_cast<double>(place.second) * side;
    boxes.push_back({internal::round_length(x), internal::round_length(y),
                     internal::round_length(x + side), internal::round_length(y + side)});
  }
  return {{"version", ruts_->version}, {"cell", options_.rut_spacing}, {"boxes", std::move(boxes)}};
}

}  // namespace camber::view
