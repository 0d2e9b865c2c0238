#pragma once

#include "camber/autonomy/obstacle_map.h"

namespace camber::autonomy {

/// The map of ROAMS [004]: heights about the vehicle are taken from the true elevation map, and
/// ground that is higher than a threshold above the plane under the wheels is an obstacle. Here, so
/// is a step of as much from one cell to the next, up or down, and so are all objects on the ground.
/// The far side of a crowned road is below the plane under a vehicle on the near side: no obstacle.
class ElevationMapper : public ObstacleMapper {
 public:
  ElevationMapper(const MapSetup& setup, TrueGround ground);

  void update(const Estimate& estimate) override;

  void save(StateWriter* out) const override;
  void restore(StateReader* in) override;

 private:
  void ask(planning::Cell first, planning::Cell last);
  void mark_steps();

  TrueGround ground_;
  struct Heights {
    float low = 0, high = 0;  // of four points of a cell [m]
  };
  std::vector<Heights> heights_;
  std::vector<std::uint8_t> things_;  // cells with something on them
  std::vector<std::uint8_t> fixed_;   // cells with a thing or a step: blocked for any plane
  bool is_asked_ = false;
};

}  // namespace camber::autonomy
