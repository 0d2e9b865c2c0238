// Several simulations of one scenario, stepped together in lanes and on all cores.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include <pybind11/stl.h>

#include "camber/core/hash.h"
#include "camber/run/lane_batch.h"
#include "camber/scenario/build_scenario.h"
#include "python/src/arrays.h"
#include "python/src/drive.h"

namespace camber::python {
namespace {

/// Calls work(i) for every i below `count`, on `threads` threads; the caller's also calls between()
/// after each piece of work. The first exception stops it and is thrown again. Python is not held.
template <class Work, class Between>
void for_each(std::size_t count, std::size_t threads, const Work& work, const Between& between) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr problem;
  std::mutex mutex;
  const auto run = [&](bool is_caller) {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
        if (is_caller) between();
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!problem) problem = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> helpers;
  for (std::size_t k = 1; k < std::min(threads, count); ++k) helpers.emplace_back(run, false);
  run(true);
  for (std::thread& helper : helpers) helper.join();
  if (problem) std::rethrow_exception(problem);
}

/// What is kept of a member, if the batch is recorded.
struct Record {
  run::RunSource source;
  std::unique_ptr<run::DriveRun> run;
  std::unique_ptr<run::MemoryRecorder> recorder;
};

class Batch {
 public:
  Batch(const ModelText& model, const std::vector<std::vector<std::string>>& settings,
        std::size_t threads, bool has_lanes, bool is_recorded)
      : threads_(threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : threads) {
    require(!settings.empty(), "a batch needs one member at least");
    const py::gil_scoped_release release;
    Interrupts interrupts;
    std::vector<std::unique_ptr<run::Simulation>> members(settings.size());
    records_.resize(is_recorded ? settings.size() : 0);
    for_each(
        members.size(), threads_,
        [&](std::size_t i) {
          ModelText own = model;
          own.overrides.insert(own.overrides.end(), settings[i].begin(), settings[i].end());
          scenario::Scenario scenario = read_scenario(own);
          const std::string text = scenario.source.text;
          members[i] = std::make_unique<run::Simulation>(
              scenario::build_scenario(std::move(scenario), &cache_));
          if (is_recorded) records_[i] = make_record(own, text, members[i].get());
        },
        [&] { interrupts.check(); });
    for (const auto& member : members) asked_for_.push_back(member->time());
    batch_ =
        std::make_unique<run::LaneBatch>(std::move(members), has_lanes ? run::default_lanes() : 0);
  }

  std::size_t size() const { return asked_for_.size(); }
  std::size_t threads() const { return threads_; }
  const std::string& hindrance(std::size_t i) const { return batch_->hindrance(i); }
  run::Simulation& member(std::size_t i) {
    require(i < size(), "batch: there is no member ", i, "; it has ", size());
    require(!is_running_, "the batch is running in another thread");
    return batch_->member(i);
  }

  /// In pieces so that Ctrl-C is seen. An exception leaves members at different times: those that
  /// are behind make up for it in the next step.
  void step(double dt, const std::vector<autonomy::Command>* commands) {
    require(dt >= 0, "dt: must be >= 0 s, got ", dt);
    double longest = 0;  // [s]
    for (std::size_t i = 0; i < size(); ++i) {
      run::Simulation& one = member(i);
      if (one.is_done()) continue;
      if (commands != nullptr) one.command((*commands)[i]);
      asked_for_[i] = std::min(asked_for_[i] + dt, one.duration());
      longest = std::max(longest, asked_for_[i] - one.time());
    }
    is_running_ = true;
    struct Rest {
      bool* flag;
      ~Rest() { *flag = false; }
    } const rest{&is_running_};
    const py::gil_scoped_release release;
    Interrupts interrupts;
    std::vector<double> until(size());
    for (double left = longest; left > 0 && !is_done();) {
      left = std::max(0.0, left - kPiece);
      for (std::size_t i = 0; i < size(); ++i) until[i] = asked_for_[i] - left;
      for_each(
          batch_->part_count(), threads_,
          [&](std::size_t part) { batch_->advance_part(part, until); },
          [&] { interrupts.check(); });
    }
  }
  void restore(std::size_t i, const run::SimulationState& state) {
    member(i);
    batch_->restore(i, state);
    asked_for_[i] = state.time;
    if (!records_.empty()) records_[i].recorder->rewind(state.time);
  }

  RunData record(std::size_t i) {
    run::Simulation& simulation = member(i);
    require_recorded();
    const py::gil_scoped_release release;
    return {std::make_shared<const run::RecordedRun>(
        records_[i].recorder->finish(records_[i].source, simulation.result()))};
  }
  /// Key figures of all members, by name; NaN where a member has no value.
  py::dict figures() {
    require_recorded();
    std::vector<std::pair<std::string, std::vector<double>>> columns;
    {
      std::vector<std::vector<report::KeyFigure>> found(size());
      for (std::size_t i = 0; i < size(); ++i) member(i);
      const py::gil_scoped_release release;
      for_each(
          size(), threads_,
          [&](std::size_t i) {
            found[i] = run::calc_figures(batch_->member(i).built(), records_[i].recorder->log());
          },
          [] {});
      for (std::size_t i = 0; i < size(); ++i)
        for (const report::KeyFigure& figure : found[i]) {
          auto column = std::ranges::find(columns, figure.name,
                                          &std::pair<std::string, std::vector<double>>::first);
          if (column == columns.end())
            column = columns.insert(
                column, {figure.name,
                         std::vector<double>(size(), std::numeric_limits<double>::quiet_NaN())});
          column->second[i] = figure.value;
        }
    }
    py::dict result;
    for (auto& [name, values] : columns) result[py::str(name)] = to_array(std::move(values));
    return result;
  }

 private:
  /// Longest simulated time between two looks for Ctrl-C [s].
  static constexpr double kPiece = 0.25;

  static Record make_record(const ModelText& model, const std::string& text,
                            run::Simulation* simulation) {
    Record record;
    record.source = {.model_file = model.path,
                     .model_text = text,
                     .program = program_name(),
                     .overrides = model.overrides};
    record.run = std::make_unique<run::DriveRun>(simulation);
    record.recorder = std::make_unique<run::MemoryRecorder>(record.run.get());
    return record;
  }
  void require_recorded() const {
    require(!records_.empty(), "the batch was not recorded: make it with record=True");
  }
  bool is_done() {
    for (std::size_t i = 0; i < size(); ++i)
      if (!batch_->member(i).is_done()) return false;
    return true;
  }

  std::size_t threads_;
  scenario::PartsCache cache_;
  std::unique_ptr<run::LaneBatch> batch_;
  std::vector<Record> records_;    // empty: it is not recorded
  std::vector<double> asked_for_;  // [s]
  bool is_running_ = false;        // read and written while Python is held
};

/// One number for all, or one for each.
void take_column(const py::object& given, const char* name, double low, double high,
                 std::vector<autonomy::Command>* commands, double autonomy::Command::*field) {
  if (given.is_none()) return;
  py::detail::make_caster<Numbers> caster;
  if (!caster.load(given, true))
    throw py::type_error(concat(name, ": must be a number or have ", commands->size(),
                                " numbers, got ", std::string(py::str(py::type::of(given)))));
  const auto& values = py::detail::cast_op<Numbers&>(caster);
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

template <class Read>
py::object gather_flags(Batch& batch, const Read& read) {
  return gather<std::uint8_t>(
             batch, [&](run::Simulation& one) -> std::uint8_t { return read(one) ? 1 : 0; })
      .attr("view")("bool");
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
  std::vector<std::vector<double>> columns(std::size(kFields), std::vector<double>(batch.size()));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const View& one = batch.member(i).world().vehicle(0).view();
    for (std::size_t k = 0; k < std::size(kFields); ++k) columns[k][i] = one.*kFields[k].second;
  }
  py::dict result;
  for (std::size_t k = 0; k < std::size(kFields); ++k)
    result[kFields[k].first] = to_array(std::move(columns[k]));
  return result;
}

/// run::drive_batch(): the yardstick of `camber bench python`.
std::vector<std::string> drive_batch(const std::string& scenario,
                                     const std::vector<std::vector<std::string>>& settings) {
  const py::gil_scoped_release release;
  std::vector<Overrides> overrides;
  for (const std::vector<std::string>& one : settings) overrides.emplace_back(one);
  std::vector<std::string> hashes;
  for (const run::BatchDrive& drive :
       run::drive_batch(scenario, overrides, {.keeps_logs = false})) {
    require(drive.problem.empty(), drive.problem);
    hashes.push_back(drive.final_state_hash);
  }
  return hashes;
}

}  // namespace

void bind_batch(py::module_& module) {
  py::class_<Batch>(module, "Batch", "Simulations of one scenario, stepped together.")
      .def(py::init<const ModelText&, const std::vector<std::vector<std::string>>&, std::size_t,
                    bool, bool>(),
           py::arg("source"), py::arg("settings"), py::arg("threads") = 0, py::arg("lanes") = true,
           py::arg("record") = false)
      .def("__len__", &Batch::size)
      .def_property_readonly("threads", &Batch::threads, "Threads that it steps on.")
      .def("hindrance", &Batch::hindrance, py::arg("member"),
           "Why a member is driven in doubles; empty if it is in a lane.")
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
            return gather_flags(batch, [](run::Simulation& one) { return one.is_done(); });
          },
          "Which members have ended.")
      .def_property_readonly(
          "failed",
          [](Batch& batch) {
            return gather_flags(batch, [](run::Simulation& one) {
              return one.result().status == run::RunStatus::kFailed;
            });
          },
          "Which members have failed.")
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
           "Continues a member from a state of its scenario.")
      .def("record", &Batch::record, py::arg("member"),
           "What was recorded of a member so far, of a batch that was made with record=True.")
      .def("figures", &Batch::figures,
           "Key figures of all members by name, of a batch that was made with record=True.");
  module.def(
      "drive_batch", &drive_batch, py::arg("scenario"), py::arg("settings"),
      "Drives a scenario with each list of settings to its end, in lanes on one core; hashes "
      "of the final states.");
}

}  // namespace camber::python
