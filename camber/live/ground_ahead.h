#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "camber/live/live_drive.h"
#include "camber/terrain/tiles_ahead.h"

namespace camber::live {

/// Makes the tiles of the ground in front of the vehicle, in a thread of its own, so that no step
/// of the drive has to.
class GroundAhead {
 public:
  /// Makes those around the start before it returns.
  GroundAhead(run::Simulation* simulation, const LiveDrive* drive);
  ~GroundAhead();
  GroundAhead(const GroundAhead&) = delete;
  GroundAhead& operator=(const GroundAhead&) = delete;

  bool is_needed() const { return tiles_.is_active(); }

 private:
  void work();

  const LiveDrive* drive_;
  terrain::TilesAhead tiles_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace camber::live
