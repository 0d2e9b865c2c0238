#pragma once

#include <vector>

#include "camber/live/exchange.h"
#include "camber/run/simulation.h"
#include "camber/terrain/terrain.h"
#include "camber/view/ground_tiles.h"

namespace camber::live {

/// The soil that wheels have changed, for the page: the loop copies the soil below the wheels, the
/// network thread reads it.
class RutViews {
 public:
  explicit RutViews(run::Simulation* simulation);

  /// In the loop, at a tick.
  void look(run::Simulation* simulation);
  /// New data, or null. Network thread.
  const std::vector<view::RutTile>* read() { return tiles_.read(); }

 private:
  bool is_needed_;
  double next_ = 0;  // [s]
  terrain::TerrainCache cache_;
  TripleBuffer<std::vector<view::RutTile>> tiles_;
};

}  // namespace camber::live
