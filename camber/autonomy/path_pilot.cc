#include "camber/autonomy/path_pilot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

constexpr double kStraight = 10;  // an open path continues straight beyond its ends [m]

}  // namespace

PathPilot::PathPilot(DriverSetup setup, std::vector<TimedLaneChange> changes)
    : changes_(std::move(changes)), driver_(std::move(setup)) {
  std::ranges::stable_sort(changes_, {}, &TimedLaneChange::time);
}

Path PathPilot::make_path(const Started& change) {
  return PathBuilder(0, 0, 0)
      .line(kStraight)
      .lane_change(change.length, change.offset)
      .line(kStraight)
      .build()
      .moved(change.x, change.y, change.heading);
}

// From the path's point below the vehicle, along the path's direction there.
void PathPilot::start_change(const VehicleView& view) {
  const TimedLaneChange& change = changes_[started_.size()];
  const PathFoot foot = path().project(view.x, view.y, driver_.foot());
  const double direction = heading(foot.point);
  started_.push_back({foot.point.x - kStraight * std::cos(direction),
                      foot.point.y - kStraight * std::sin(direction), direction,
                      std::max(1.0, view.speed) * change.duration, change.offset});
  Path path = make_path(started_.back());
  const PathFoot there = path.find_nearest(view.x, view.y);
  driver_.follow(std::move(path), there);
}

Command PathPilot::update(const VehicleView& view) {
  const Command command = driver_.update(view);
  if (started_.size() < changes_.size() && view.time >= changes_[started_.size()].time - 1e-9)
    start_change(view);
  return command;
}

void PathPilot::save(StateWriter* out) const {
  out->write_list(driver_.state());
  out->write(static_cast<double>(started_.size()));
  for (const Started& s : started_)
    for (const double value : {s.x, s.y, s.heading, s.length, s.offset}) out->write(value);
}

void PathPilot::restore(StateReader* in) {
  const std::vector<double> own = in->read_list();
  const int count = in->read_int();
  require(count >= 0 && static_cast<std::size_t>(count) <= changes_.size(), "the saved state has ",
          count, " lane changes, the driver ", changes_.size());
  started_.assign(static_cast<std::size_t>(count), {});
  for (Started& s : started_)
    for (double* value : {&s.x, &s.y, &s.heading, &s.length, &s.offset}) *value = in->read();
  if (!started_.empty()) driver_.follow(make_path(started_.back()), {});
  driver_.set_state(own);
}

}  // namespace camber::autonomy
