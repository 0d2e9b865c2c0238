#include "camber/sim/mechanism_record.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/record/log_reader.h"
#include "camber/report/run_report.h"
#include "camber/sim/run_record.h"

namespace camber::sim {
namespace {

using Json = nlohmann::ordered_json;
using multibody::MechanismDynamics;
using multibody::Observation;
using multibody::Stabilization;
using report::short_text;

constexpr std::chrono::seconds kFlushInterval{1};
constexpr int kFewCoordinates = 16;  // that come first in a report, and are drawn all

const char* const kPoseNames[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
const char* const kPoseUnits[] = {"m", "m", "m", "1", "1", "1", "1"};
const char* const kWrenchNames[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
const char* const kWrenchUnits[] = {"N", "N", "N", "N m", "N m", "N m"};

const char* to_text(Stabilization::Kind kind) {
  switch (kind) {
    case Stabilization::Kind::kProjection:
      return "projection";
    case Stabilization::Kind::kBaumgarte:
      return "baumgarte";
    case Stabilization::Kind::kNone:
      return "none";
  }
  return "";
}

std::string formulation_text(const RunSource& source, const MechanismDynamics& dynamics) {
  return source.formulation.empty() ? multibody::to_text(dynamics.formulation())
                                    : source.formulation;
}

/// Of the energy that moves; 0 where nothing did.
double relative_drift(const RunResult& result) {
  return result.energy_scale > 0 ? result.energy_drift / result.energy_scale : 0;
}

double real_time_factor(const RunResult& result) {
  return result.wall_time > 0 ? result.time / result.wall_time : 0;
}

std::string count_text(long n) { return std::to_string(n); }

std::vector<report::SummaryValue> summary_values(const RunOptions& options,
                                                 const MechanismDynamics& dynamics,
                                                 const RunResult& result) {
  std::vector<report::SummaryValue> values = {
      {"status", to_text(result.status)},
      {"simulated time", short_text(result.time), "s"},
      {"wall time", short_text(result.wall_time, 3), "s"},
      {"real-time factor", short_text(real_time_factor(result), 3)},
      {"steps", count_text(result.statistics.steps)},
      {"evaluations of the accelerations", count_text(result.statistics.evaluations)},
      {"largest position error of a constraint", short_text(result.position_error, 3), "m or 1"},
      {"largest speed error of a constraint", short_text(result.speed_error, 3), "m/s or 1/s"}};
  if (is_conservative(dynamics)) {
    values.push_back({"energy drift", short_text(result.energy_drift, 3), "J"});
    values.push_back(
        {"energy drift / largest kinetic energy", short_text(relative_drift(result), 3)});
  } else {
    values.push_back(
        {"change of energy", short_text(result.last_energy - result.first_energy, 4), "J"});
  }
  if (!has_fixed_steps(options.method))
    values.push_back({"steps tried in vain", count_text(result.statistics.rejected)});
  return values;
}

std::vector<report::SummaryValue> setting_values(const record::LogReader& log,
                                                 const MechanismDynamics& dynamics) {
  std::vector<report::SummaryValue> values = {
      {"degrees of freedom", std::to_string(dynamics.mobility().degrees_of_freedom)},
      {"coordinates", std::to_string(dynamics.coordinate_count())},
      {"constraints", std::to_string(dynamics.constraint_count())},
      {"redundant constraints", std::to_string(dynamics.mobility().redundant.size())}};
  for (const auto& [name, value] : log.attributes()) {
    if (name == "model_text" || name.starts_with("start.")) continue;  // long; in the log
    const auto* text = std::get_if<std::string>(&value);
    values.push_back({name, text != nullptr ? *text : short_text(std::get<double>(value))});
  }
  return values;
}

/// A channel of the log as it is drawn. Of many quaternions nobody reads the components.
report::RunChannel make_drawn_channel(const record::LogReader& log, const std::string& name) {
  const record::Channel& channel = *log.find_channel(name);
  report::RunChannel drawn{.name = channel.name,
                           .names = channel.names,
                           .units = channel.units,
                           .values = log.read(name),
                           .description = channel.description};
  if (drawn.names.empty()) drawn.names = {""};
  if (std::ranges::count(drawn.units, "1") <= kFewCoordinates) return drawn;
  const std::size_t columns = drawn.names.size();
  const auto is_kept = [&](std::size_t i) { return channel.units[i % columns] != "1"; };
  const auto keep = [&](auto* list) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (is_kept(i)) (*list)[kept++] = (*list)[i];
    }
    list->resize(kept);
  };
  keep(&drawn.values);
  keep(&drawn.names);
  keep(&drawn.units);
  drawn.description += " Quaternions are in the log, but not drawn.";
  return drawn;
}

}  // namespace

record::LogLayout make_log_layout(const RunSource& source, const RunOptions& options,
                                  const MechanismDynamics& dynamics,
                                  const Stabilization& stabilization) {
  const CoordinateNames names = name_coordinates(dynamics);
  const std::size_t nq = names.q.size(), nv = names.v.size();
  std::vector<std::string> bodies;
  for (std::size_t b = 1; b < dynamics.model().bodies.size(); ++b) {
    bodies.push_back(dynamics.tree().mechanism.bodies[b].name);
  }
  record::LogLayout layout;
  layout.channels = {
      {.name = "coordinates/q",
       .shape = {nq},
       .units = names.q_units,
       .names = names.q,
       .description =
           "Coordinates; a quaternion turns the joint's outer frame into its inner one."},
      {.name = "coordinates/v",
       .shape = {nv},
       .units = names.v_units,
       .names = names.v,
       .description = "Speeds; those of ball and free joints in the axes of the outer frame."},
      {.name = "coordinates/v_dot",
       .shape = {nv},
       .units = names.v_dot_units,
       .names = names.v,
       .description = "Rates of the speeds."},
      {.name = "bodies/poses",
       .shape = {bodies.size(), 7},
       .units = {std::begin(kPoseUnits), std::end(kPoseUnits)},
       .names = {std::begin(kPoseNames), std::end(kPoseNames)},
       .row_names = bodies,
       .description = "Position and unit quaternion of each body in the world."},
      {.name = "constraints/position_error",
       .units = {"m or 1"},
       .description = "Largest error of all loops' equations: a distance or a cosine."},
      {.name = "constraints/speed_error",
       .units = {"m/s or 1/s"},
       .description = "Largest rate of all loops' equations."},
      {.name = "energies",
       .shape = {4},
       .units = {"J"},
       .names = {"kinetic", "gravity", "elastic", "total"},
       .description = "Of all bodies and springs; gravity counts from the world's origin."}};
  if (dynamics.has_reactions()) {
    std::vector<std::string> joints;
    for (const auto& joint : dynamics.tree().mechanism.joints) joints.push_back(joint.name);
    layout.channels.push_back(
        {.name = "joints/reactions",
         .shape = {joints.size(), 6},
         .units = {std::begin(kWrenchUnits), std::end(kWrenchUnits)},
         .names = {std::begin(kWrenchNames), std::end(kWrenchNames)},
         .row_names = joints,
         .description =
             "Force and torque on each joint's child at the joint, in the world's axes."});
  }

  record::Attributes integrator = {{"method", to_text(options.method)}};
  if (has_fixed_steps(options.method)) {
    integrator["step"] = options.step;
  } else {
    integrator["rtol"] = options.tolerance;
    integrator["atol"] = 0.01 * options.tolerance;
  }
  if (dynamics.formulation() != multibody::Formulation::kCe) {
    integrator["stabilization"] = to_text(stabilization.kind);
    if (stabilization.kind == Stabilization::Kind::kBaumgarte)
      integrator["stabilization_rate"] = stabilization.rate;
  }
  record::Attributes start;
  for (std::size_t i = 0; i < nq; ++i) {
    start["q." + names.q[i]] = dynamics.initial_q()[static_cast<Eigen::Index>(i)];
  }
  for (std::size_t i = 0; i < nv; ++i) {
    start["v." + names.v[i]] = dynamics.initial_v()[static_cast<Eigen::Index>(i)];
  }
  layout.attributes = record::to_attributes({.model_file = source.model_file,
                                             .model_text = source.model_text,
                                             .program = source.program,
                                             .formulation = formulation_text(source, dynamics),
                                             .integrator = std::move(integrator),
                                             .start = std::move(start)});
  return layout;
}

MechanismRecorder::MechanismRecorder(const record::RunFolder& folder,
                                     const record::LogLayout& layout, const RunOptions& options)
    : log_(folder.log_path(), layout,
           {.expected_samples =
                static_cast<std::size_t>(options.duration / options.sample_interval) + 2}),
      last_flush_(Clock::now()),
      energies_(4) {}

void MechanismRecorder::append(double t, const Observation& o) {
  energies_ = {o.kinetic_energy, o.gravity_energy, o.elastic_energy,
               o.kinetic_energy + o.gravity_energy + o.elastic_energy};
  std::vector<std::span<const double>> values = {o.q,
                                                 o.v,
                                                 o.v_dot,
                                                 o.poses,
                                                 std::span(&o.position_error, 1),
                                                 std::span(&o.speed_error, 1),
                                                 energies_};
  if (!o.reactions.empty()) values.emplace_back(o.reactions);
  log_.append(t, values);
  if (const auto now = Clock::now(); now - last_flush_ >= kFlushInterval) {
    log_.flush();
    last_flush_ = now;
  }
}

std::string make_summary(const RunSource& source, const RunOptions& options,
                         const MechanismDynamics& dynamics, const RunResult& result) {
  const multibody::Mobility& mobility = dynamics.mobility();
  Json summary{{"status", to_text(result.status)}};
  if (!result.reason.empty()) summary["reason"] = result.reason;
  summary["model"] = dynamics.tree().mechanism.name;
  summary["model_file"] = source.model_file;
  summary["program"] = source.program;
  summary["formulation"] = formulation_text(source, dynamics);
  summary["degrees_of_freedom"] = mobility.degrees_of_freedom;
  summary["coordinates"] = dynamics.coordinate_count();
  summary["constraints"] = dynamics.constraint_count();
  summary["redundant"] = mobility.redundant;
  summary["driven"] = mobility.driven;
  summary["method"] = to_text(options.method);
  if (has_fixed_steps(options.method)) {
    summary["step"] = result.step;
  } else {
    summary["tolerance"] = options.tolerance;
  }
  internal::add_result(result, options.duration, &summary);
  summary["partition_changes"] = dynamics.partition_changes();
  summary["warnings"] = find_warnings(options, dynamics, result);
  summary["passages"] = dynamics.passages();
  summary["largest_loss"] = {{"share", dynamics.largest_loss()}, {"time", dynamics.time_of_loss()}};
  summary["largest_position_error"] = result.position_error;
  summary["largest_speed_error"] = result.speed_error;
  summary["energy"] = {{"conservative", is_conservative(dynamics)},
                       {"first", result.first_energy},
                       {"last", result.last_energy},
                       {"drift", result.energy_drift},
                       {"relative_drift", relative_drift(result)}};
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string make_report(const record::RunFolder& folder, const RunOptions& options,
                        const MechanismDynamics& dynamics, const RunResult& result) {
  const record::LogReader log(folder.log_path());
  report::RunReport report{.title = "Run of " + dynamics.tree().mechanism.name};
  if (result.status == RunStatus::kFailed) {
    report.notes.push_back("The run failed: " + result.reason + ". What follows ends at the " +
                           "last good state, t = " + short_text(result.time) + " s.");
  } else if (result.status == RunStatus::kStopped) {
    report.notes.push_back(concat("The run was stopped at t = ", short_text(result.time), " s of ",
                                  short_text(options.duration), " s."));
  }
  for (const std::string& warning : find_warnings(options, dynamics, result))
    report.notes.push_back("Warning: " + warning + ".");
  report.summary = summary_values(options, dynamics, result);
  report.settings = setting_values(log, dynamics);
  report.times = log.read("time");
  std::vector<const char*> names = {"coordinates/q", "coordinates/v", "energies",
                                    "constraints/position_error", "constraints/speed_error"};
  if (dynamics.nq() > kFewCoordinates) std::rotate(names.begin(), names.begin() + 2, names.end());
  for (const char* name : names) {
    report.channels.push_back(make_drawn_channel(log, name));
    if (report.channels.back().names.empty()) report.channels.pop_back();  // ball joints only
  }
  return make_run_report(report);
}

RunResult record_mechanism_run(const RunSource& source, const RunOptions& options,
                               const Stabilization& stabilization, const record::RunFolder& folder,
                               MechanismDynamics* dynamics, const RunObserver& observer,
                               const SteppedState* stepped) {
  MechanismRecorder recorder(folder, make_log_layout(source, options, *dynamics, stabilization),
                             options);
  RunObserver recording = observer;
  recording.sample = [&](double t, const Observation& observation) {
    recorder.append(t, observation);
    if (observer.sample) observer.sample(t, observation);
  };
  RunResult result = run_mechanism(options, dynamics, recording, stepped);
  recorder.close();
  folder.write_summary(make_summary(source, options, *dynamics, result));
  folder.write_report(make_report(folder, options, *dynamics, result));
  return result;
}

}  // namespace camber::sim
