#pragma once

// The ground as tiles of heights by level of detail, for a page
// (docs/theory/page-protocol.md, sections 2 and 7).
//
//   GroundTiles ground(world.shared_terrain(), {.has_soil_grid = false});
//   ground.describe()          // the field `ground` of hello
//   ground.make_tile(0, 3, -2) // bytes; empty outside the ground
//
// Tile (L, I, J) has 32 x 32 cells of cell * 2^L. Fine levels are what wheels feel, at nodes to half
// a quantum. Coarse ones are evaluated directly, without the map's own tiles (2 ms each): there
// procedural ground is its hills without roughness, and a paged file its nearest node.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "camber/terrain/terrain.h"

namespace camber::view {

struct GroundOptions {
  std::string city = {};      // the ground's triangles are among the static meshes: kind "city"
  bool has_ruts = false;      // a soil grid keeps ruts
  double rut_spacing = 0.04;  // of its nodes [m]
};

/// Heights of a tile's nodes minus those of the undisturbed ground, as a soil grid gives them.
struct RutTile {
  std::int64_t i = 0, j = 0;         // of terrain::SoilGrid::copy_displacements()
  std::vector<float> displacements;  // kTileSide * kTileSide [m]
};

/// Thread-safe. It keeps the terrain, which is constant, and a cache of its own.
class GroundTiles {
 public:
  static constexpr int kCells = 32, kNodes = kCells + 3;

  GroundTiles(std::shared_ptr<const terrain::Terrain> terrain, const GroundOptions& options);

  nlohmann::ordered_json describe() const;
  bool is_plane() const { return is_plane_; }
  int levels() const { return levels_; }
  double cell() const { return cell_; }
  const terrain::Box2& extent() const { return extent_; }

  /// The bytes of /api/tile/L/I/J; empty if the ground has no such tile.
  std::string make_tile(int level, std::int64_t i, std::int64_t j) const;
  /// The bytes of /api/trees/I/J: trees and posts of a square of 128 cells.
  std::string make_trees(std::int64_t i, std::int64_t j) const;
  /// Height of the undisturbed ground, as wheels feel it [m].
  double height(double x, double y) const;

  /// Takes the present state of some soil. Tiles that are made later show it.
  void take_ruts(const std::vector<RutTile>& tiles);
  /// The answer of /api/soil: rectangles of changed soil since the version before.
  nlohmann::ordered_json describe_ruts() const;

 private:
  void find_extent();
  bool is_exact(int level) const;
  /// Height of a node of a coarse level, without the map's tiles.
  double find_coarse(double x, double y) const;
  double find_rut(double x, double y) const;
  bool overlaps(double x0, double y0, double side) const;

  std::shared_ptr<const terrain::Terrain> terrain_;
  GroundOptions options_;
  std::string kind_;
  bool is_plane_ = false;
  terrain::Box2 extent_;
  double cell_ = 0.5;   // [m]
  double spacing_ = 0;  // of the terrain's own nodes; 0: none [m]
  int levels_ = 1;
  double origin_x_ = 0, origin_y_ = 0;

  struct Ruts;
  mutable std::mutex lock_;
  mutable terrain::TerrainCache cache_;
  std::shared_ptr<Ruts> ruts_;
};

}  // namespace camber::view
