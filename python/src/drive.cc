// Drives that Python steps.

#include "python/src/drive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <pybind11/stl.h>

#include "camber/core/hash.h"
#include "camber/core/overrides.h"
#include "camber/scenario/build_scenario.h"
#include "camber/scenario/scenario_file.h"
#include "python/src/arrays.h"
#include "python/src/fresh_parts.h"
#include "python/src/sensors.h"

namespace camber::python {
namespace {

using autonomy::Command;
using autonomy::VehicleView;
using run::SimulationState;

/// Longest simulated time between two looks for Ctrl-C [s].
constexpr double kPiece = 0.1;

/// (steer, throttle, brake), with parking_brake, selector and gear if they are there; a Command;
/// None.
std::optional<Command> to_command(const py::object& answer) {
  if (answer.is_none()) return {};
  if (py::isinstance<Command>(answer)) return answer.cast<Command>();
  if (!py::isinstance<py::sequence>(answer) || py::isinstance<py::str>(answer))
    throw py::type_error("a controller returns (steer, throttle, brake), a Command or None");
  const auto list = answer.cast<py::sequence>();
  const std::size_t n = py::len(list);
  require(n >= 3 && n <= 6,
          "a controller returns (steer, throttle, brake), with parking_brake, selector and gear if "
          "it likes, got ",
          n, " values");
  CommandWish wish{.steer = list[0].cast<double>(),
                   .throttle = list[1].cast<double>(),
                   .brake = list[2].cast<double>()};
  if (n > 3) wish.parking_brake = list[3].cast<double>();
  if (n > 4) wish.selector = list[4].cast<int>();
  if (n > 5) wish.gear = list[5].cast<int>();
  return wish.on({});
}

dynamics::Actuation to_actuation(std::size_t wheels,
                                 const std::optional<std::vector<double>>& brake_pressure,
                                 const std::optional<std::vector<double>>& wheel_torque, int gear,
                                 double lock, double steer, double max_throttle) {
  dynamics::Actuation actuation(wheels);
  const auto take = [&](const std::optional<std::vector<double>>& values, const char* name,
                        double low, double high, double dynamics::Actuation::Wheel::*member) {
    if (!values) return;
    require(values->size() == wheels, name, ": the vehicle has ", wheels, " wheels, got ",
            values->size(), " numbers");
    for (std::size_t i = 0; i < wheels; ++i) {
      const double x = (*values)[i];
      require(x >= low && x <= high, name, ": must be ", low, " to ", high, ", got ", x);
      actuation.wheels[i].*member = x;
    }
  };
  const auto in_range = [](double x, double low, double high, const char* name) {
    require(x >= low && x <= high, name, ": must be ", low, " to ", high, ", got ", x);
    return x;
  };
  take(brake_pressure, "brake_pressure", 0, 1, &dynamics::Actuation::Wheel::pressure);
  take(wheel_torque, "wheel_torque", -1e6, 1e6, &dynamics::Actuation::Wheel::drive_torque);
  actuation.gear = static_cast<int>(in_range(gear, 0, 20, "gear"));
  actuation.lock = in_range(lock, 0, 1, "lock");
  actuation.steer = in_range(steer, -1.5, 1.5, "steer");
  actuation.max_throttle = in_range(max_throttle, 0, 1, "max_throttle");
  return actuation;
}

}  // namespace

namespace {

scenario::BuiltScenario build_with(scenario::Scenario scenario, scenario::PartsCache* cache,
                                   FreshParts* parts) {
  if (cache == nullptr && parts != nullptr) return parts->build(std::move(scenario));
  return scenario::build_scenario(std::move(scenario), cache);
}

}  // namespace

scenario::Scenario read_scenario(const ModelText& model) {
  const Overrides overrides(model.overrides);
  return model.text ? scenario::parse_scenario(*model.text, model.path, overrides)
                    : scenario::load_scenario(model.path, overrides);
}

Drive::Drive(const ModelText& model, bool is_recorded, scenario::PartsCache* cache,
             FreshParts* parts) {
  const py::gil_scoped_release release;
  scenario::Scenario scenario = read_scenario(model);
  source_ = {.model_file = model.path,
             .model_text = scenario.source.text,
             .program = program_name(),
             .overrides = model.overrides};
  simulation_ = std::make_unique<run::Simulation>(build_with(std::move(scenario), cache, parts));
  asked_for_ = simulation_->time();
  if (!is_recorded) return;
  run_ = std::make_unique<run::DriveRun>(simulation_.get());
  recorder_ = std::make_unique<run::MemoryRecorder>(run_.get());
}

void Drive::move(double time) {
  run::Simulation& simulation = use();
  require(!std::isnan(time), "the time to go to is NaN");
  is_running_ = true;
  struct Rest {
    std::atomic<bool>* flag;
    ~Rest() { *flag = false; }
  } const rest{&is_running_};
  const py::gil_scoped_release release;
  Interrupts interrupts;
  for (double next = simulation.time() + kPiece; next < time && !simulation.is_done();
       next += kPiece) {
    simulation.advance_to(next);
    interrupts.check();
  }
  simulation.advance_to(time);
}

void Drive::advance_to(double time) {
  move(time);
  asked_for_ = std::max(asked_for_, time);
}

void Drive::step(double dt) {
  require(dt >= 0, "dt: must be >= 0 s, got ", dt);
  advance_to(asked_for_ + dt);
}

void Drive::run(double time, const py::object& controller, int vehicle) {
  require(!std::isnan(time), "until: must be a time [s], got NaN");
  if (controller.is_none()) return advance_to(std::min(time, use().duration()));
  find_vehicle(this, vehicle);
  const double end = std::min(time, use().duration());
  double next = use().time();
  while (!use().is_done() && use().time() < end) {
    run::Simulation& simulation = use();
    const VehicleView view = simulation.world().vehicle(vehicle).view();
    if (const auto wish = to_command(controller(to_view(view), view.time)))
      use().command(*wish, vehicle);  // the controller may have closed the drive
    next = std::min(end, std::max(use().next_tick(), next));
    advance_to(next);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void Drive::restore(const SimulationState& state) {
  use().restore(state);
  asked_for_ = state.time;
  if (recorder_) recorder_->rewind(state.time);
}

dynamics::Vehicle& find_vehicle(Drive* drive, int vehicle) {
  world::World& world = drive->use().world();
  require(vehicle >= 0 && vehicle < world.vehicle_count(), "vehicle: must be 0 to ",
          world.vehicle_count() - 1, ", got ", vehicle);
  return world.vehicle(vehicle);
}

RunData Drive::result() {
  use();
  require(recorder_ != nullptr,
          "the drive was not recorded: make it with record=True, before time goes on");
  const py::gil_scoped_release release;
  return {
      std::make_shared<const run::RecordedRun>(recorder_->finish(source_, simulation_->result()))};
}

void bind_drive(py::module_& module) {
  py::class_<scenario::PartsCache, std::shared_ptr<scenario::PartsCache>>(
      module, "PartsCache",
      "Vehicle, tires and ground that several drives share. It assumes that files do not change.")
      .def(py::init<>());

  py::class_<Drive> drive_type(module, "Drive", "A scenario that is stepped.");
  bind_quick_calls(drive_type);
  drive_type
      .def(py::init([](const ModelText& source, bool record,
                       const std::shared_ptr<scenario::PartsCache>& cache,
                       const std::shared_ptr<FreshParts>& parts) {
             return std::make_unique<Drive>(source, record, cache.get(), parts.get());
           }),
           py::arg("source"), py::arg("record") = false, py::arg("cache") = py::none(),
           py::arg("parts") = py::none())
      .def_property_readonly(
          "time", [](Drive& d) { return d.use().time(); }, "Time of the last integration step [s].")
      .def_property_readonly(
          "duration", [](Drive& d) { return d.use().duration(); }, "Of the scenario [s].")
      .def_property_readonly(
          "next_tick", [](Drive& d) { return d.use().next_tick(); },
          "End of the current control interval [s].")
      .def_property_readonly(
          "done", [](Drive& d) { return d.use().is_done(); }, "Whether the drive has ended.")
      .def_property_readonly(
          "status", [](Drive& d) { return std::string(to_text(d.use().result().status)); },
          "\"running\", \"done\", \"stopped\" or \"failed\".")
      .def_property_readonly(
          "reason", [](Drive& d) { return d.use().result().reason; },
          "Why it failed; empty if it did not.")
      .def_property_readonly(
          "ended_by", [](Drive& d) { return d.use().result().stop; },
          "The stop condition that ended it; empty if none did.")
      .def_property_readonly(
          "steps", [](Drive& d) { return d.use().result().statistics.steps; },
          "Integration steps so far.")
      .def_property_readonly("closed", &Drive::is_closed, "Whether close() was called.")
      .def("close", &Drive::close, "Frees everything; later calls raise camber.Error.")
      .def("advance_to", &Drive::advance_to, py::arg("time"),
           "Makes every integration step that ends by `time` [s].")
      .def(
          "command",
          [](Drive& d, const Command& c, int vehicle) {
            find_vehicle(&d, vehicle);
            d.use().command(c, vehicle);
          },
          py::arg("command"), py::arg("vehicle") = 0,
          "Commands a vehicle in place of its driver, until release().")
      .def(
          "release",
          [](Drive& d, int vehicle) {
            find_vehicle(&d, vehicle);
            d.use().release(vehicle);
          },
          py::arg("vehicle") = 0, "Gives a vehicle back to the scenario's driver.")
      .def("run", &Drive::run, py::arg("until") = std::numeric_limits<double>::infinity(),
           py::arg("controller") = py::none(), py::arg("vehicle") = 0,
           "Runs until a time [s] or the end. A controller is called as controller(view, time) at "
           "each control interval and returns (steer, throttle, brake), a Command, or None to "
           "leave the command as it is.")
      .def(
          "stop", [](Drive& d) { d.use().stop(); }, "Ends the drive here.")
      .def(
          "view_of",
          [](Drive& d, int vehicle) { return to_view(find_vehicle(&d, vehicle).view()); },
          py::arg("vehicle"), "The view of another vehicle.")
      .def(
          "actuate",
          [](Drive& d, const std::optional<std::vector<double>>& brake_pressure,
             const std::optional<std::vector<double>>& wheel_torque, int gear, double lock,
             double steer, double max_throttle, int vehicle) {
            const std::size_t wheels = find_vehicle(&d, vehicle).layout().wheels.size();
            d.use().actuate(
                to_actuation(wheels, brake_pressure, wheel_torque, gear, lock, steer, max_throttle),
                vehicle);
          },
          py::kw_only(), py::arg("brake_pressure") = py::none(),
          py::arg("wheel_torque") = py::none(), py::arg("gear") = 0, py::arg("lock") = 0.0,
          py::arg("steer") = 0.0, py::arg("max_throttle") = 1.0, py::arg("vehicle") = 0,
          "Adds to the commands from now on, one number for each wheel: brake_pressure from 0 to 1 "
          "in "
          "place of the pedal's, wheel_torque [N m]; a gear to hold, a lock of differentials from "
          "0 to "
          "1, an angle of the steered wheels [rad], a limit of the throttle. Without arguments: "
          "nothing.")
      .def(
          "snapshot", [](Drive& d, int vehicle) { return find_vehicle(&d, vehicle).snapshot(); },
          py::arg("vehicle") = 0, "Everything about a vehicle now.")
      .def(
          "wheel",
          [](Drive& d, const std::string& name, int vehicle) {
            find_vehicle(&d, vehicle);
            return d.use().wheel(name, vehicle);
          },
          py::arg("name"), py::arg("vehicle") = 0, "A wheel by its name, \"front_left\".")
      .def_property_readonly(
          "wheel_names", [](Drive& d) { return d.use().world().vehicle(0).layout().wheels; },
          "Names of the wheels of the first vehicle.")
      .def_property_readonly(
          "vehicle_count", [](Drive& d) { return d.use().world().vehicle_count(); },
          "Vehicles in the world.")
      .def(
          "path_deviation",
          [](Drive& d, int vehicle) {
            find_vehicle(&d, vehicle);
            return d.use().path_deviation(vehicle);
          },
          py::arg("vehicle") = 0, "Distance from the driver's path, to the left [m].")
      .def(
          "body_poses",
          [](Drive& d, int vehicle) {
            find_vehicle(&d, vehicle);
            py::dict result;
            for (const auto& pose : d.use().body_poses(vehicle))
              result[py::str(pose.name.data(), pose.name.size())] =
                  py::make_tuple(to_vector(pose.position), to_rotation(pose.rotation));
            return result;
          },
          py::arg("vehicle") = 0, "Position [m] and rotation in W of each body, by name.")
      .def_property_readonly(
          "sensor_names", [](Drive& d) { return list_sensors(d.use()); },
          "Names of the sensors of the scenario.")
      .def(
          "sensor_sample",
          [](Drive& d, const std::string& name) { return find_sample(d.use(), name); },
          py::arg("name"), "The newest sample of a sensor that has arrived, or None.")
      .def(
          "state", [](Drive& d) { return d.use().save(); }, "The state, to be restored later.")
      .def("restore", &Drive::restore, py::arg("state"),
           "Continues from a state of this scenario bit for bit.")
      .def_property_readonly(
          "state_hash", [](Drive& d) { return hash_values(d.use().state_values()); },
          "Hash of the state, as final_state_hash in summary.json.")
      .def_property_readonly(
          "findings",
          [](Drive& d) {
            std::vector<std::string> texts;
            for (const auto& finding : d.use().findings()) texts.push_back(finding.text);
            return texts;
          },
          "What the drive did that a sound one does not do.")
      .def("record", &Drive::result,
           "What was recorded so far, of a drive that was made with record=True.");

  module.def(
      "run_scenario",
      [](const ModelText& model, const std::string& folder, const std::optional<double>& duration,
         const std::shared_ptr<scenario::PartsCache>& cache,
         const std::shared_ptr<FreshParts>& parts) {
        std::unique_ptr<run::Simulation> simulation;
        run::RunSource source;
        {
          const py::gil_scoped_release release;
          scenario::Scenario scenario = read_scenario(model);
          if (duration) {
            require(*duration > 0 && *duration <= 1e300, "duration: must be > 0 s, got ",
                    *duration);
            scenario.run.duration = *duration;
          }
          source = {.model_file = model.path,
                    .model_text = scenario.source.text,
                    .program = program_name(),
                    .overrides = model.overrides};
          simulation = std::make_unique<run::Simulation>(
              build_with(std::move(scenario), cache.get(), parts.get()));
        }
        run::DriveRunOptions options;
        if (!folder.empty()) options.scan_folder = folder + "/sensors";
        run::DriveRun drive(simulation.get(), options);
        return run_to_end(source, &drive, folder);
      },
      py::arg("source"), py::arg("folder") = "", py::arg("duration") = py::none(),
      py::arg("cache") = py::none(), py::arg("parts") = py::none(),
      "Runs a scenario to its end as `camber run` does.");
}

}  // namespace camber::python
