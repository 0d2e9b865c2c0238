#pragma once

#include <cstdint>
#include <vector>

#include "camber/terrain/soil_tiles.h"

namespace camber::terrain::internal {

/// Soil that moves over the surface: pushed up at the edge of a contact, sliding down where it is
/// too steep. Works on a copy of the heights of a block of nodes and writes the changes back; soil
/// that leaves one node arrives at another, so that volume is conserved to rounding.
class SoilFlow {
 public:
  SoilFlow(SoilTiles* tiles, double spacing) : tiles_(tiles), spacing_(spacing) {}

  /// Heights of nodes i0 <= i < i0 + nx, j0 <= j < j0 + ny; none of them is held by a body yet.
  void gather(std::int64_t i0, std::int64_t j0, int nx, int ny);
  /// Marks a node that a body is on: its height does not change.
  void hold(std::int64_t i, std::int64_t j);
  /// Spreads a sum of heights over the nodes next to held ones: in fresh ground if there is any,
  /// else in the rut.
  void deposit(double height);
  /// Lets soil that is steeper than the slope slide to lower neighbors.
  void slide(double slope, int sweeps);
  /// Writes the new heights back.
  void scatter();

  double sum() const;

 private:
  void exchange(std::size_t a, std::size_t b, double step);

  SoilTiles* tiles_;
  double spacing_;
  std::int64_t i0_ = 0, j0_ = 0;
  int nx_ = 0, ny_ = 0;
  std::vector<double> old_, height_;
  std::vector<char> held_, rutted_;
  std::vector<std::size_t> rim_;
};

/// Raises (or lowers) the ground at a node. Loose soil fills a rut: it is as soft as undisturbed
/// ground at the remaining depth.
void raise_node(SoilTile* tile, int node, double height);

}  // namespace camber::terrain::internal
