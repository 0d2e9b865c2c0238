#include "camber/world/obstacle_watch.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace camber::world {
namespace {

constexpr double kLook = 80;      // half of the square that the terrain is asked for [m]
constexpr double kThickest = 10;  // no trunk has a larger radius [m]

}  // namespace

bool ObstacleWatch::is_needed(const terrain::Terrain& terrain) {
  if (!terrain.obstacles.empty() || !terrain.prisms.empty()) return true;
  const auto* map = std::get_if<terrain::TiledMap>(&terrain.base);
  if (map == nullptr) return false;
  const auto* grown = std::get_if<terrain::ProceduralGround>(&map->source());
  return grown != nullptr && grown->spec().tree_density > 0;
}

ObstacleWatch::ObstacleWatch(const terrain::Terrain* terrain, const Outline& outline)
    : terrain_(terrain), outline_(outline) {}

ObstacleWatch::Nearest ObstacleWatch::find(double x, double y, double yaw) {
  const double extent = std::hypot(std::max(outline_.front, -outline_.rear),
                                   std::max(outline_.left, -outline_.right));
  const double slack = kLook - kReach - kThickest - extent;
  if (!(std::abs(x - x_) < slack && std::abs(y - y_) < slack)) {
    near_ = terrain_->find_obstacles({x - kLook, y - kLook, x + kLook, y + kLook});
    near_prisms_.clear();
    for (const int k : terrain_->find_prisms({x - kLook, y - kLook, x + kLook, y + kLook})) {
      NearPrism near{.prism = &terrain_->prisms[static_cast<std::size_t>(k)]};
      const auto n = static_cast<double>(near.prism->corners.size());
      for (const terrain::Point2& p : near.prism->corners) {
        near.corners.push_back({p.x, p.y});
        near.x += p.x / n, near.y += p.y / n;
      }
      for (const terrain::Point2& p : near.prism->corners)
        near.radius = std::max(near.radius, std::hypot(p.x - near.x, p.y - near.y));
      near_prisms_.push_back(std::move(near));
    }
    x_ = x, y_ = y;
  }
  const PlacedOutline here{outline_, x, y, yaw};
  Nearest nearest;
  for (const terrain::Obstacle& o : near_) {
    const double clearance = here.distance(o.x, o.y) - o.radius;
    if (clearance < nearest.clearance) nearest = {clearance, o};
  }
  if (near_prisms_.empty()) return nearest;
  planning::Polygon own;
  for (const auto& [cx, cy] : here.corners()) own.push_back({cx, cy});
  for (const NearPrism& near : near_prisms_) {
    // Most are too far away to be the nearest.
    if (here.distance(near.x, near.y) - near.radius >= nearest.clearance) continue;
    const double clearance = planning::calc_distance(own, near.corners);
    if (clearance < nearest.clearance) nearest = {.clearance = clearance, .prism = near.prism};
  }
  return nearest;
}

}  // namespace camber::world
