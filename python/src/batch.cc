// Several simulations of one scenario, stepped together on all cores.

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <pybind11/stl.h>

#include "camber/core/hash.h"
#include "camber/scenario/build_scenario.h"
#include "python/src/arrays.h"
#include "python/src/drive.h"

namespace camber::python {
namespace {

/// Calls work(i) for every i below `count`, on `threads` threads. The first exception stops it and
/// is thrown again. Python is not held.
template <class Work>
void for_each(std::size_t count, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr problem;
  std::mutex mutex;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!problem) problem = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> helpers;
  for (std::size_t k = 1; k < std::min(threads, count); ++k) helpers.emplace_back(run);
  run();
  for (std::thread& helper : helpers) helper.join();
  if (problem) std::rethrow_exception(problem);
}

/// Members are simulations of their own, in the order in which they were given. This is the place
/// where groups of equal vehicles can be stepped in lanes instead: a member's numbers may not depend
/// on how it is stepped.
class Batch {
 public:
  Batch(const ModelText& model, const std::vector<std::vector<std::string>>& settings,
        std::size_t threads)
      : threads_(threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads) {
    require(!settings.empty(), "a batch needs one member at least");
    const py::gil_scoped_release release;
    members_.resize(settings.size());
    for_each(members_.size(), threads_, [&](std::size_t i) {
      ModelText own = model;
      own.overrides.insert(own.overrides.end(), settings[i].begin(), settings[i].end());
      members_[i] =
          std::make_unique<run::Simulation>(scenario::build_scenario(read_scenario(own), &cache_));
    });
    asked_for_.assign(members_.size(), 0);
    for (std::size_t i = 0; i < members_.size(); ++i) asked_for_[i] = members_[i]->time();
  }

  std::size_t size() const { return members_.size(); }
  std::size_t threads() const { return threads_; }
  run::Simulation& member(std::size_t i) {
    require(i < members_.size(), "batch: there is no member ", i, "; it has ", members_.size());
    require(!is_running_, "the batch is running in another thread");
    return *members_[i];
  }

  void step(double dt, const std::vector<autonomy::Command>* commands) {
    require(dt >= 0, "dt: must be >= 0 s, got ", dt);
    require(!is_running_, "the batch is running in another thread");
    is_running_ = true;
    struct Rest {
      bool* flag;
      ~Rest() { *flag = false; }
    } const rest{&is_running_};
    const py::gil_scoped_release release;
    for_each(members_.size(), threads_, [&](std::size_t i) {
      run::Simulation& one = *members_[i];
      if (one.is_done()) return;
      if (commands != nullptr) one.command((*commands)[i]);
      asked_for_[i] += dt;
      one.advance_to(asked_for_[i]);
    });
  }
  void restore(std::size_t i, const run::SimulationState& state) {
    member(i).restore(state);
    asked_for_[i] = state.time;
  }

 private:
  std::size_t threads_;
  scenario::PartsCache cache_;
  std::vector<std::unique_ptr<run::Simulation>> members_;
  std::vector<double> asked_for_;  // [s]
  bool is_running_ = false;        // read and written while Python is held
};

/// One number for all, or one for each.
void take_column(const py::object& given, const char* name, double low, double high,
                 std::vector<autonomy::Command>* commands, double autonomy::Command::*field) {
  if (given.is_none()) return;
  const auto values = given.cast<Numbers>();
  const bool is_one = values.ndim() == 0;
  require(
      is_one || (values.ndim() == 1 && static_cast<std::size_t>(values.size()) == commands->size()),
      name, ": must be a number or have ", commands->size(), " numbers, got ", values.size());
  for (std::size_t i = 0; i < commands->size(); ++i) {
    const double x = values.data()[is_one ? 0 : i];
    require(x >= low && x <= high, name, ": must be ", low, " to ", high, ", got ", x,
            is_one ? std::string() : concat(" for member ", i));
    (*commands)[i].*field = x;
  }
}

template <class T, class Read>
py::array gather(Batch& batch, const Read& read) {
  std::vector<T> values(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) values[i] = read(batch.member(i));
  return to_array(std::move(values));
}

py::dict view(Batch& batch) {
  using View = autonomy::VehicleView;
  constexpr std::pair<const char*, double View::*> kFields[] = {
      {"time", &View::time},
      {"x", &View::x},
      {"y", &View::y},
      {"z", &View::z},
      {"yaw", &View::yaw},
      {"roll", &View::roll},
      {"pitch", &View::pitch},
      {"speed", &View::speed},
      {"lateral_speed", &View::lateral_speed},
      {"yaw_rate", &View::yaw_rate},
      {"acceleration", &View::acceleration},
      {"steer", &View::steer},
      {"grade", &View::grade}};
  py::dict result;
  for (const auto& [name, field] : kFields)
    result[name] = gather<double>(
        batch, [&](run::Simulation& one) { return one.world().vehicle(0).view().*field; });
  return result;
}

}  // namespace

void bind_batch(py::module_& module) {
  py::class_<Batch>(module, "Batch", "Simulations of one scenario, stepped together.")
      .def(py::init<const ModelText&, const std::vector<std::vector<std::string>>&, std::size_t>(),
           py::arg("source"), py::arg("settings"), py::arg("threads") = 0)
      .def("__len__", &Batch::size)
      .def_property_readonly("threads", &Batch::threads, "Threads that it steps on.")
      .def(
          "advance",
          [](Batch& batch, double dt, const py::object& steer, const py::object& throttle,
             const py::object& brake) {
            if (steer.is_none() && throttle.is_none() && brake.is_none()) {
              batch.step(dt, nullptr);
              return;
            }
            using autonomy::Command;
            std::vector<Command> commands(batch.size());
            for (std::size_t i = 0; i < batch.size(); ++i)
              if (batch.member(i).is_commanded()) commands[i] = batch.member(i).outside_command();
            take_column(steer, "steer", -1.5, 1.5, &commands, &Command::steer);
            take_column(throttle, "throttle", 0, 1, &commands, &Command::throttle);
            take_column(brake, "brake", 0, 1, &commands, &Command::brake);
            batch.step(dt, &commands);
          },
          py::arg("dt"), py::arg("steer") = py::none(), py::arg("throttle") = py::none(),
          py::arg("brake") = py::none(), "All members go on by dt [s].")
      .def("columns", &view, "What the drivers see, an array for each quantity; SI units.")
      .def_property_readonly(
          "done",
          [](Batch& batch) {
            return gather<std::uint8_t>(
                       batch, [](run::Simulation& one) -> std::uint8_t { return one.is_done(); })
                .attr("astype")("bool");
          },
          "Which members have ended.")
      .def(
          "member_status",
          [](Batch& batch, std::size_t i) {
            const run::RunResult result = batch.member(i).result();
            return py::make_tuple(std::string(to_text(result.status)), result.reason, result.stop);
          },
          py::arg("member"), "Status, reason and stop condition of a member.")
      .def(
          "path_deviation",
          [](Batch& batch) {
            return gather<double>(batch, [](run::Simulation& one) { return one.path_deviation(); });
          },
          "Distance of each member from its driver's path, to the left [m].")
      .def(
          "release",
          [](Batch& batch) {
            for (std::size_t i = 0; i < batch.size(); ++i) batch.member(i).release();
          },
          "Gives all members back to the scenario's driver.")
      .def(
          "state_hash",
          [](Batch& batch, std::size_t i) { return hash_values(batch.member(i).state_values()); },
          py::arg("member"), "Hash of a member's state.")
      .def(
          "state", [](Batch& batch, std::size_t i) { return batch.member(i).save(); },
          py::arg("member"), "State of a member, to be restored later.")
      .def("restore", &Batch::restore, py::arg("member"), py::arg("state"),
           "Continues a member from a state of its scenario.");
}

}  // namespace camber::python
