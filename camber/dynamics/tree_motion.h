#pragma once

#include <span>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/dynamics/mechanism_chassis.h"

namespace camber::dynamics {

/// The motion of a vehicle in the joint coordinates of all its bodies, by `ce`: for energies and
/// for drawing. Generated code has the independent coordinates only. The search for the others
/// starts from the last result, because far from the design position a search that starts there may
/// end at another closure of the same loops.
class TreeMotion {
 public:
  explicit TreeMotion(const vehicle::VehicleMechanism& mechanism);
  /// With the vehicle's chassis by `ce` at its start.
  explicit TreeMotion(MechanismChassis embedded);

  /// Finds the motion that belongs to a chassis' state. False if a loop stays open: then nothing
  /// below has a value.
  template <class Chassis>
  bool follow(Chassis* chassis, double t, std::span<const double> q, std::span<const double> v);

  /// From now on positions are those found when closing the loops: this saves a third of the time
  /// and changes the last digits.
  void set_quick() { is_quick_ = true; }

  /// After follow().
  MechanismChassis& chassis() { return chassis_; }
  const MechanismChassis& chassis() const { return chassis_; }

  /// Start of the last search: from there the same search finds the same bits.
  void save(StateWriter* out) const { out->write(start_); }
  void restore(StateReader* in) { in->read(q_); }

  /// Sets the start of the next search, too: for a time that is not the last one of follow().
  void save_search(StateWriter* out) const {
    out->write(start_);
    out->write(q_);
  }
  void restore_search(StateReader* in) {
    in->read(start_);
    in->read(q_);
  }

  /// roll_back() returns to the last mark().
  void mark() { marked_ = start_; }
  void roll_back() { q_ = marked_; }

 private:
  MechanismChassis chassis_;
  std::vector<double> q_, v_, start_, marked_;
  bool is_quick_ = false;
};

}  // namespace camber::dynamics
