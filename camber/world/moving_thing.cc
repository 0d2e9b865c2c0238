#include "camber/world/moving_thing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"

namespace camber::world {

void MovingThing::check() const {
  require(!track.empty(), "moving thing \"", name, "\": its track has no point");
  for (std::size_t i = 1; i < track.size(); ++i)
    require(track[i].time > track[i - 1].time, "moving thing \"", name,
            "\": times must ascend, got ", track[i].time, " s after ", track[i - 1].time, " s");
}

MovingThing::Point MovingThing::at(double time) const {
  if (time <= track.front().time) return track.front();
  if (time >= track.back().time) return track.back();
  const auto after = std::ranges::upper_bound(track, time, {}, &Point::time);
  const Point &a = *(after - 1), &b = *after;
  const double share = (time - a.time) / (b.time - a.time);
  return {.time = time,
          .x = a.x + share * (b.x - a.x),
          .y = a.y + share * (b.y - a.y),
          .yaw = a.yaw + share * std::remainder(b.yaw - a.yaw, 2 * std::numbers::pi)};
}

PlacedOutline MovingThing::place(double time) const {
  const Point now = at(time);
  return {outline, now.x, now.y, now.yaw};
}

}  // namespace camber::world
