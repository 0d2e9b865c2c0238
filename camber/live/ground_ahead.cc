#include "camber/live/ground_ahead.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

namespace camber::live {
namespace {

constexpr double kMargin = 12;        // around the vehicle's way [m]
constexpr double kStride = 8;         // between places on it [m]
constexpr double kTime = 3;           // how far it looks [s]
constexpr double kMaxDistance = 250;  // [m]
constexpr int kMaxAtOnce = 16;
constexpr std::chrono::milliseconds kNap{10};

terrain::Box2 around(double x, double y) {
  return {x - kMargin, y - kMargin, x + kMargin, y + kMargin};
}

}  // namespace

GroundAhead::GroundAhead(run::Simulation* simulation, const LiveDrive* drive)
    : drive_(drive), tiles_(simulation->world().shared_terrain()) {
  if (!tiles_.is_active()) return;
  const auto& start = simulation->vehicle().position;
  const terrain::Box2 box = around(start[0], start[1]);
  tiles_.make({box.x0 - kMargin, box.y0 - kMargin, box.x1 + kMargin, box.y1 + kMargin}, 64);
  thread_ = std::thread([this] { work(); });
}

GroundAhead::~GroundAhead() {
  ends_ = true;
  if (thread_.joinable()) thread_.join();
}

void GroundAhead::work() {
  while (!ends_) {
    const LiveDrive::Place place = drive_->place();
    const double speed = std::hypot(place.vx, place.vy);
    const double distance = std::min(kTime * speed, kMaxDistance);
    int made = 0;
    try {
      // Near ones first, and again from the start when some were made: the vehicle has moved.
      for (double s = 0; s <= distance && made < kMaxAtOnce && !ends_; s += kStride) {
        const double share = speed > 0 ? s / speed : 0;
        made += tiles_.make(around(place.x + share * place.vx, place.y + share * place.vy),
                            kMaxAtOnce - made);
      }
    } catch (const std::exception&) {  // a map that cannot be read: the drive itself says so
    }
    if (made == 0) std::this_thread::sleep_for(kNap);
  }
}

}  // namespace camber::live
