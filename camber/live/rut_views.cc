#include "camber/live/rut_views.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "camber/terrain/soil_grid.h"

namespace camber::live {
namespace {

constexpr double kInterval = 0.2;  // [s]
constexpr std::size_t kNodes =
    static_cast<std::size_t>(terrain::SoilGrid::kTileSide) * terrain::SoilGrid::kTileSide;

}  // namespace

RutViews::RutViews(run::Simulation* simulation)
    : is_needed_(simulation->world().vehicle(0).soil() != nullptr),
      tiles_(std::vector<view::RutTile>()) {
  if (is_needed_) cache_ = simulation->world().terrain().make_cache();
}

void RutViews::look(run::Simulation* simulation) {
  const double time = simulation->time();
  if (!is_needed_ || (time < next_ && time > next_ - 2 * kInterval)) return;
  next_ = time + kInterval;
  const terrain::SoilGrid* soil = simulation->world().vehicle(0).soil();
  if (soil == nullptr) return;
  const double side = terrain::SoilGrid::kTileSide * soil->options().spacing;
  std::vector<view::RutTile>& tiles = tiles_.to_fill();
  std::size_t count = 0;
  const auto take = [&](double x, double y) {
    const auto i = static_cast<std::int64_t>(std::floor(x / side));
    const auto j = static_cast<std::int64_t>(std::floor(y / side));
    const auto end = tiles.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::any_of(tiles.begin(), end, [&](const auto& t) { return t.i == i && t.j == j; }))
      return;
    if (tiles.size() == count) tiles.emplace_back();
    view::RutTile& tile = tiles[count];
    tile.i = i;
    tile.j = j;
    tile.displacements.resize(kNodes);
    if (soil->copy_displacements(i, j, &cache_, tile.displacements)) ++count;
  };
  // Below each wheel, and half a tile to all sides: ruts are wider than a point.
  for (const auto& wheel : simulation->vehicle().wheels)
    for (const auto& [dx, dy] :
         {std::pair(-0.5, -0.5), std::pair(0.5, -0.5), std::pair(-0.5, 0.5), std::pair(0.5, 0.5)})
      take(wheel.center[0] + dx * side * 0.5, wheel.center[1] + dy * side * 0.5);
  tiles.resize(count);
  tiles_.publish();
}

}  // namespace camber::live
