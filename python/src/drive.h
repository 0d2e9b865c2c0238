#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <pybind11/numpy.h>

#include "camber/core/require.h"
#include "camber/run/drive_run.h"
#include "camber/run/recorded_run.h"
#include "camber/run/simulation.h"
#include "camber/scenario/parts_cache.h"
#include "python/src/run_data.h"

namespace camber::python {

class FreshParts;

/// Reads the scenario of a model's text or file. Throws ModelFileError.
scenario::Scenario read_scenario(const ModelText& model);

/// A simulation that Python steps. One thread at a time may use it: a second one gets an error.
class Drive {
 public:
  /// `cache` or `parts` may be null; the first counts.
  Drive(const ModelText& model, bool is_recorded, scenario::PartsCache* cache, FreshParts* parts);

  /// Throws if the drive is closed or runs in another thread.
  run::Simulation& use() {
    require(simulation_ != nullptr, "the drive is closed");
    require(!is_running_.load(std::memory_order_relaxed),
            "the drive is running in another thread; one drive belongs to one thread at a time");
    return *simulation_;
  }
  void close() {
    use();
    recorder_.reset();
    run_.reset();
    simulation_.reset();
  }
  bool is_closed() const { return simulation_ == nullptr; }

  /// Without the GIL, in pieces so that Ctrl-C is seen.
  void advance_to(double time);
  void step(double dt);
  /// A controller in Python at the driver's rate, until `time` or the end.
  void run(double time, const py::object& controller, int vehicle);
  void restore(const run::SimulationState& state);
  double asked_for() const { return asked_for_; }

  /// What was recorded so far. Throws if the drive is not recorded.
  RunData result();
  bool is_recorded() const { return recorder_ != nullptr; }
  const run::RunSource& source() const { return source_; }

 private:
  void move(double time);

  run::RunSource source_;
  std::unique_ptr<run::Simulation> simulation_;
  std::unique_ptr<run::DriveRun> run_;
  std::unique_ptr<run::MemoryRecorder> recorder_;
  std::atomic<bool> is_running_ = false;
  double asked_for_ = 0;  // [s]
};

/// A vehicle of the drive by its number; throws for one that is not there.
dynamics::Vehicle& find_vehicle(Drive* drive, int vehicle);

/// A View of Python; null with its error set if there is no memory.
PyObject* new_view(const autonomy::VehicleView& view);
inline py::object to_view(const autonomy::VehicleView& view) {
  PyObject* made = new_view(view);
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

/// Drive.view and Drive.step: what a controller in Python calls at every step, without the detours of
/// pybind11.
void bind_quick_calls(py::handle drive_type);

py::array to_vector(const math::Vec3<double>& v);
py::array to_rotation(const math::Mat3<double>& R);

/// A command from numbers that may be left out; checks their ranges.
struct CommandWish {
  std::optional<double> steer = {}, throttle = {}, brake = {}, parking_brake = {};
  std::optional<int> selector = {}, gear = {};
  bool empty() const {
    return !steer && !throttle && !brake && !parking_brake && !selector && !gear;
  }
  autonomy::Command on(autonomy::Command held) const;
};

}  // namespace camber::python
