#pragma once

// Drives of vehicles of one structure, side by side in the lanes of registers: the common part of
// LaneDriver and LaneBatch. Simulations open and close their control intervals; the integration
// steps between are made here.

#include <array>
#include <functional>
#include <utility>

#include "camber/dynamics/lane_vehicles.h"
#include "camber/run/simulation.h"

namespace camber::run::internal {

/// The simulation's vehicle, if lanes can drive it.
inline dynamics::GeneratedVehicle* lane_vehicle_of(Simulation* simulation) {
  return dynamic_cast<dynamics::GeneratedVehicle*>(&simulation->world().vehicle(0));
}

template <int N>
class LaneGroup {
 public:
  using Times = std::array<double, N>;

  /// `before_interval` is called with a lane before its simulation opens a control interval.
  explicit LaneGroup(dynamics::GeneratedVehicle* like,
                     std::function<void(int lane)> before_interval = {})
      : vehicles_(like), before_interval_(std::move(before_interval)) {}

  bool fits(Simulation* simulation) const {
    return vehicles_.structure() == dynamics::LaneStructure(lane_vehicle_of(simulation));
  }
  /// Returns a lane without a simulation, or -1 if all lanes are taken.
  int find_room() const {
    for (int i = 0; i < N; ++i)
      if (lanes_[place(i)].simulation == nullptr) return i;
    return -1;
  }
  bool is_empty() const { return count_ == 0; }
  Simulation* at(int lane) const { return lanes_[place(lane)].simulation; }

  /// Puts a simulation into a free lane. It must fit, and exist until it is taken out.
  void put(int i, Simulation* simulation) {
    Lane& lane = lanes_[place(i)];
    lane = {};
    lane.simulation = simulation;
    lane.vehicle = lane_vehicle_of(simulation);
    lane.vehicle->prepare_for_lanes();
    lane.state = lane.vehicle->state();
    ++count_;
    vehicles_.put(i, lane.vehicle);
    reload(i);
  }
  void take_out(int i) {
    vehicles_.take_out(i);
    lanes_[place(i)] = {};
    --count_;
  }
  /// The simulation of a lane was restored: the lane continues from there.
  void reload(int i) {
    Lane& lane = lanes_[place(i)];
    const auto plan = lane.simulation->open_plan();
    lane.plan = plan ? *plan : Simulation::StepPlan();
    lane.told = lane.plan.done;
    lane.is_stale = true;
  }

  /// One integration step of all lanes that have one to make by their times. False: none has.
  bool step(const Times& until) {
    bool has_any = false;
    for (int i = 0; i < N; ++i) {
      is_active_[place(i)] = has_step(i, until[place(i)]);
      has_any = has_any || is_active_[place(i)];
    }
    if (!has_any) return false;
    for (int i = 0; i < N; ++i) {
      Lane& lane = lanes_[place(i)];
      if (is_active_[place(i)]) {
        const double begin =
            lane.plan.done == 0 ? lane.plan.begin : lane.plan.end_of(lane.plan.done - 1);
        vehicles_.set_step(i, lane.plan.end_of(lane.plan.done) - begin);
      } else if (lane.simulation != nullptr && !lane.is_stale) {
        // Its registers step with the others; it continues from the state of its simulation.
        tell(i);
        lane.is_stale = true;
      }
    }
    const auto has_value = vehicles_.step();
    for (int i = 0; i < N; ++i) {
      if (!is_active_[place(i)]) continue;
      Lane& lane = lanes_[place(i)];
      if (!has_value[place(i)]) {
        drive_interval_in_doubles(i);
      } else if (++lane.plan.done == lane.plan.count) {
        finish(i);
      }
    }
    return true;
  }
  /// Whether the lane had a step to make in the last call of step().
  bool was_active(int lane) const { return is_active_[place(lane)]; }

  /// Advances the simulation of a lane to the state of the lane, within a control interval.
  void tell(int i) {
    Lane& lane = lanes_[place(i)];
    const long steps = lane.plan.done - lane.told;
    if (lane.is_stale || !lane.plan.is_open() || steps == 0) return;
    write_state(i, lane.plan.end_of(lane.plan.done - 1), steps);
    lane.simulation->arrive_inside(lane.plan.done);
    lane.told = lane.plan.done;
  }

  /// Control intervals of a lane that were driven in doubles, as a step was too long or failed.
  long scalar_intervals(int lane) const { return lanes_[place(lane)].scalar_intervals; }

 private:
  struct Lane {
    Simulation* simulation = nullptr;  // null: the lane is free
    dynamics::GeneratedVehicle* vehicle = nullptr;
    Simulation::StepPlan plan;
    long told = 0;          // steps of the interval that the simulation knows of
    bool is_stale = false;  // the registers hold something else than the vehicle's state
    long scalar_intervals = 0;
    dynamics::DriveState state;
  };

  static std::size_t place(int lane) { return static_cast<std::size_t>(lane); }

  bool has_step(int i, double until) {
    Lane& lane = lanes_[place(i)];
    if (lane.simulation == nullptr) return false;
    if (!lane.plan.is_open()) {
      if (lane.simulation->is_done()) return false;
      if (before_interval_) before_interval_(i);
      const auto plan = lane.simulation->begin_interval(until);
      if (!plan) return false;
      lane.plan = *plan;
      lane.told = 0;
      vehicles_.take_inputs(i);
    }
    if (!lane.plan.has_step_by(until)) return false;
    if (std::exchange(lane.is_stale, false)) vehicles_.take_state(i);
    return true;
  }

  void write_state(int i, double time, long steps) {
    Lane& lane = lanes_[place(i)];
    vehicles_.write_state(i, &lane.state);
    lane.vehicle->arrive(time, lane.state, steps, steps * vehicles_.evaluations_per_step());
  }

  void finish(int i) {
    Lane& lane = lanes_[place(i)];
    write_state(i, lane.plan.end, lane.plan.count - lane.told);
    lane.simulation->finish_interval();
  }

  /// Handles a lane whose step gave no value: the vehicle makes the step in doubles, or says why it fails.
  void drive_interval_in_doubles(int i) {
    Lane& lane = lanes_[place(i)];
    ++lane.scalar_intervals;
    lane.simulation->take_back();
    lane.simulation->advance_to(lane.plan.end);
    lane.plan.done = lane.plan.count;
    lane.is_stale = true;
  }

  dynamics::LaneVehicles<N> vehicles_;
  std::function<void(int)> before_interval_;
  std::array<Lane, N> lanes_;
  std::array<bool, N> is_active_ = {};
  int count_ = 0;
};

}  // namespace camber::run::internal
