#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "camber/dynamics/mechanism_chassis.h"
#include "camber/dynamics/steering_map.h"
#include "camber/multibody/mechanism.h"

namespace camber::scenario {

/// Steering maps that were made before. A map depends on joints, hardpoints and the lock, not on
/// masses and rates: vehicles that differ in those alone share it. Threads may share it.
class SteeringMaps {
 public:
  /// The map of a vehicle with the same kinematics, bit for bit, and the same lock; null if there is
  /// none.
  std::shared_ptr<const dynamics::SteeringMap> find(const dynamics::MechanismChassis& chassis,
                                                    double lock);
  void add(const std::shared_ptr<const dynamics::MechanismChassis>& chassis, double lock,
           const dynamics::SteeringMap& map);

 private:
  struct Entry {
    std::shared_ptr<const dynamics::MechanismChassis> chassis;
    double lock;
    std::shared_ptr<const dynamics::SteeringMap> map;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;  // the latest last
};

/// Whether everything is equal, bit for bit, that the closing of loops reads: all but masses,
/// inertias and forces.
bool has_same_kinematics(const dynamics::MechanismChassis& a, const dynamics::MechanismChassis& b);

}  // namespace camber::scenario
