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
  if (!terrain.obstacles.empty()) return true;
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
    x_ = x, y_ = y;
  }
  const PlacedOutline here{outline_, x, y, yaw};
  Nearest nearest;
  for (const terrain::Obstacle& o : near_) {
    const double clearance = here.distance(o.x, o.y) - o.radius;
    if (clearance < nearest.clearance) nearest = {clearance, o};
  }
  return nearest;
}

}  // namespace camber::world
