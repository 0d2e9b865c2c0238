#pragma once

// A scenario that can be stepped: by the program, the page, Python, a study's worker. All use this
// class; none has its own loop.
//
//   run::Simulation simulation = run::Simulation::load("scenarios/step-steer.toml");
//   while (!simulation.is_done()) {
//     simulation.step(0.01);
//     std::cout << simulation.wheel("front_left").load << " N\n";
//   }
//
// Time is divided into control intervals, which end at samples of the driver and of the log and at
// the end of the run; each is divided into equal integration steps. step() and advance_to() make
// the integration steps that end by the requested time and never split one, so that the results do
// not depend on how the caller divides time: the same bits as `camber run`.
//
// At the end of an interval, in this order: the world is observed, drivers give commands, the log
// takes its sample, stop conditions are checked. Commands from outside are given between two calls;
// they are held and take effect when the next interval starts, like a driver's.

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/dynamics/snapshot.h"
#include "camber/run/clock.h"
#include "camber/run/drive_watch.h"
#include "camber/run/run_result.h"
#include "camber/scenario/build_scenario.h"

namespace camber::run {

/// A state from which a simulation of the same scenario continues bit for bit.
struct SimulationState {
  double time = 0;  // [s]
  std::vector<double> values;
};

class Simulation {
 public:
  /// Reads and builds a scenario. `overrides` are assignments as after --set:
  /// "vehicle.start.speed=25", "vehicle:chassis.mass=2200". Simulations that are loaded with one
  /// `cache` share their parts. Throws ModelFileError with file, line and key.
  static Simulation load(const std::string& path, const Overrides& overrides = {},
                         scenario::PartsCache* cache = nullptr);
  /// From parts in memory.
  explicit Simulation(scenario::BuiltScenario built);

  const scenario::Scenario& scenario() const { return *built_.scenario; }
  const scenario::BuiltScenario& built() const { return built_; }
  world::World& world() { return built_.world; }

  // --- Time ---

  /// Time of the last integration step [s].
  double time() const { return built_.world.time(); }
  double duration() const { return scenario().run.duration; }
  /// Ends of control intervals are ticks; the next one [s].
  double next_tick() const;

  /// Runs every integration step that ends by `time`. Throws std::invalid_argument for NaN.
  void advance_to(double time);
  /// Runs every integration step that ends within `dt` after the last requested time.
  void step(double dt) { advance_to(asked_for_ + dt); }
  /// One integration step, unless the run has ended. The same bits as by advance_to().
  void step_once();
  /// Whether time is at the end of a control interval, so that a command from outside takes effect
  /// now.
  bool is_at_tick() const { return !interval_.is_open(); }
  /// To the end.
  void run() { advance_to(duration()); }
  /// Ends the run here, as its user wishes.
  void stop();

  bool is_done() const { return result_.status != RunStatus::kRunning; }
  /// Status, reason, steps so far.
  RunResult result() const;
  /// Findings that make the drive unsound or doubtful: tires compressed beyond their section,
  /// energy without a source, ground in the body and more. Checked at every tick, whatever the
  /// figures are.
  std::vector<DriveFinding> findings() const;

  // --- Steps by another engine ---

  /// Integration steps of a control interval.
  struct StepPlan {
    double begin = 0, end = 0;  // [s]
    long count = 0;
    long done = 0;  // of them
    /// End of step k = 0, 1, ... [s].
    double end_of(long k) const;
    bool is_open() const { return done < count; }
    /// Whether the next step ends by `until` [s].
    bool has_step_by(double until) const;
  };
  /// Starts the next control interval, whose steps another engine makes (lane_driver.h); empty if
  /// time is at `until` [s] or the run has ended. Between this and finish_interval(), advance_to()
  /// makes the steps itself.
  std::optional<StepPlan> begin_interval(double until = std::numeric_limits<double>::infinity());
  /// The open interval; empty if there is none.
  std::optional<StepPlan> open_plan() const;
  /// The vehicles are within the open interval, after `done` steps.
  void arrive_inside(long done);
  /// Returns the vehicles to the start of the open interval, or to the state that was restored
  /// within it.
  void take_back();
  /// The vehicles have arrived at the interval's end.
  void finish_interval();

  // --- Commands ---

  /// Commands a vehicle from outside, in place of its driver, until release().
  void command(const autonomy::Command& command, int vehicle = 0);
  /// Gives a vehicle back to the scenario's driver.
  void release(int vehicle = 0);
  bool is_commanded(int vehicle = 0) const { return controls_[vehicle].is_outside; }
  /// The last command from outside, whether it is in effect yet or not.
  const autonomy::Command& outside_command(int vehicle = 0) const {
    return controls_[vehicle].command;
  }
  bool has_observers() const { return !observers_.empty(); }

  /// Adds a controller of your own to a vehicle (dynamics/controller.h), after those that it has. It
  /// acts from now on, at its own rate, and is part of save() and restore(). Throws
  /// std::invalid_argument for levels other than "full".
  void add_controller(std::shared_ptr<dynamics::Controller> controller, int vehicle = 0) {
    world().vehicle(vehicle).add_controller(std::move(controller));
  }
  /// Adds brake pressures, wheel torques, a gear and more to the commands, from now on: what a
  /// controller would say that acts after all others.
  void actuate(const dynamics::Actuation& actuation, int vehicle = 0) {
    world().vehicle(vehicle).actuate(actuation);
  }

  // --- Views ---

  /// The present state of a vehicle. Valid until the next step.
  const dynamics::VehicleSnapshot& vehicle(int i = 0) { return world().vehicle(i).snapshot(); }
  /// A wheel by its name, "front_left". Throws std::invalid_argument for a name that the vehicle
  /// does not have.
  const dynamics::VehicleSnapshot::Wheel& wheel(std::string_view name, int vehicle = 0);
  /// Poses of all bodies of a vehicle, for drawing.
  std::vector<dynamics::NamedPose> body_poses(int i = 0) { return world().vehicle(i).body_poses(); }
  /// Distance of a vehicle from its driver's path, to the left, as of the last tick [m]; 0 without
  /// a path.
  double path_deviation(int vehicle = 0) const;

  // --- Log ---

  /// The channels of a sample, in this order.
  const std::vector<record::Channel>& channels() const { return channels_; }
  /// The values of the last tick, in the order of channels(); empty before the first step.
  /// Observers may use these at no cost.
  std::span<const double> last_sample() const { return sample_; }
  /// Called with a sample at the start, at every sample interval, at the end, and at the last good
  /// state of a run that fails. To be set before the first step.
  void set_recorder(std::function<void(double time, std::span<const double> sample)> recorder);
  /// Called at the first integration step at or after every multiple of `interval` [s]. Observers
  /// do not change the results.
  void add_observer(double interval, std::function<void(Simulation&)> observer);

  // --- Sensors ---

  /// The sensors of the scenario. They are read after every integration step and do not change the
  /// results.
  const sensors::SensorSuite& sensors() const { return built_.sensors; }
  /// Called with each sample when it has been measured; it becomes available later.
  void set_sensor_listener(
      std::function<void(const sensors::Sensor&, const sensors::Sample&)> listener) {
    built_.sensors.set_listener(std::move(listener));
  }

  // --- State ---

  SimulationState save() const;
  /// Throws std::invalid_argument if the state is not one of this scenario.
  void restore(const SimulationState& state);
  /// Time and state of the world as plain numbers, for a hash.
  std::vector<double> state_values() const { return built_.world.state_values(); }

 private:
  struct Control {
    bool is_outside = false;
    autonomy::Command command;  // from outside
    bool is_pending = false;    // the interval before has ended, this one has not started
  };
  struct Interval : StepPlan {
    long marked = 0;  // steps that were done when the world was marked
  };
  struct Observer {
    Clock clock;
    std::function<void(Simulation&)> call;
  };

  void start();
  void open_interval();
  /// One integration step, if it ends by `until`; false if it does not, or if the run has ended.
  bool make_step_by(double until);
  void sense();
  void end_interval();
  void take_sample();
  void log_sample();
  void flush_pending();
  void notify();
  void fail(const std::string& reason);
  const scenario::StopCondition* find_stop();
  bool holds(std::size_t stop);
  template <class Action>
  void guard(const Action& action);

  scenario::BuiltScenario built_;
  std::vector<Control> controls_;     // one per vehicle
  std::vector<Clock> driver_clocks_;  // one per vehicle
  Clock log_clock_;
  Interval interval_;
  double asked_for_ = 0;  // [s]
  bool is_started_ = false, has_first_sample_ = false;
  bool is_logged_ = false;               // what take_sample() took last
  std::vector<double> lifted_since_;     // per stop condition [s]; negative: all wheels are down
  std::vector<world::Nearest> nearest_;  // per vehicle
  std::vector<record::Channel> channels_;
  std::vector<double> sample_;
  std::function<void(double, std::span<const double>)> recorder_;
  std::vector<Observer> observers_;
  std::vector<DriveWatch> watches_;  // one per vehicle
  RunResult result_;
};

}  // namespace camber::run
