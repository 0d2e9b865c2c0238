#pragma once

// Checks a vehicle at every tick of a drive for values that a sound drive does not have, at the
// cost of some comparisons, so that they are noticed without a figure.

#include <string>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/dynamics/snapshot.h"
#include "camber/math/vec3.h"
#include "camber/scenario/load_parts.h"

namespace camber::run {

/// A finding about a drive.
struct DriveFinding {
  std::string text;         // a clause with numbers and time
  bool is_unsound = false;  // the results are not those of a vehicle: the drive has failed
};

class DriveWatch {
 public:
  /// Keeps pointers to the parts and the ground. `is_full`: a vehicle with suspension and wheels.
  DriveWatch(const scenario::DriveParts& parts, bool is_full, const terrain::Terrain& terrain);

  /// At the start and at every tick. Allocates nothing.
  void look(const dynamics::VehicleSnapshot& now);

  /// The findings so far, unsound ones first.
  std::vector<DriveFinding> findings() const;

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  /// The largest value of a quantity, and its time.
  struct Peak {
    double value = 0;
    double time = 0;  // [s]
    int where = -1;   // wheel
    void take(double x, double t, int i = -1) {
      if (x > value) *this = {x, t, i};
    }
  };
  /// Calls `visit` with every number that changes in look().
  template <class Self, class Visit>
  static void visit_state(Self& self, const Visit& visit);

  void look_at_wheels(const dynamics::VehicleSnapshot& now);
  void look_at_energy(const dynamics::VehicleSnapshot& now);
  void look_at_ground(const dynamics::VehicleSnapshot& now);
  void look_at_underside(const dynamics::VehicleSnapshot& now);
  void look_at_driver(const dynamics::VehicleSnapshot& now);

  const scenario::DriveParts* parts_;
  const terrain::Terrain* terrain_;
  terrain::TerrainCache cache_;
  bool is_full_;
  bool is_flat_;             // one plane everywhere
  double mass_, weight_;     // with the trailer [kg], [N]
  double max_engine_speed_;  // where its table ends [rad/s]

  bool has_first_ = false;
  double last_time_ = 0;                         // [s]
  double last_x_ = 0, last_y_ = 0, last_z_ = 0;  // [m]
  Peak load_, deflection_, engine_, slope_, depth_, gain_;
  double first_energy_ = 0, work_ = 0, last_power_ = 0;  // [J], [J], [W]
  double max_energy_ = 0;                                // kinetic [J]
  double outside_since_ = -1;                            // [s] beyond the map; negative: never
  bool starts_outside_ = false;
  double last_steer_ = 0, last_change_ = 0;  // of the driver's command [rad]
  int reversals_ = 0;                        // of the steering, in a row
  Peak chatter_;                             // change of the command [rad]
};

}  // namespace camber::run
