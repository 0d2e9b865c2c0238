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
  const double extent = std::hypot(std::max(outline_.front, -outline_.rear), outline_.half_width);
  const double slack = kLook - kReach - kThickest - extent;
  if (!(std::abs(x - x_) < slack && std::abs(y - y_) < slack)) {
    near_ = terrain_->find_obstacles({x - kLook, y - kLook, x + kLook, y + kLook});
    x_ = x, y_ = y;
  }
  const double c = std::cos(yaw), s = std::sin(yaw);
  const double middle = 0.5 * (outline_.front + outline_.rear),
               half_length = 0.5 * (outline_.front - outline_.rear);
  Nearest nearest;
  for (const terrain::Obstacle& o : near_) {
    const double ahead = c * (o.x - x) + s * (o.y - y), left = c * (o.y - y) - s * (o.x - x);
    const double beyond = std::max(std::abs(ahead - middle) - half_length, 0.0),
                 beside = std::max(std::abs(left) - outline_.half_width, 0.0);
    const double clearance = std::hypot(beyond, beside) - o.radius;
    if (clearance < nearest.clearance) nearest = {clearance, o};
  }
  return nearest;
}

}  // namespace camber::world
