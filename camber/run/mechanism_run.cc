#include "camber/run/mechanism_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/run/mechanical_system.h"

namespace camber::run {
namespace {

using Json = nlohmann::ordered_json;
using multibody::Formulation;
using multibody::MechanismDynamics;
using multibody::Observation;
using multibody::Stabilization;

// A failed run ends with a state whose kinetic and elastic energy are at most this many times those
// of its samples; more is the failure itself.
constexpr double kAbsurd = 1e4;

// Steps after which its user may look, also in the middle of a long sample interval.
constexpr long kStepsPerLook = 100;

constexpr int kFewCoordinates = 16;  // more come last in a report

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

RunFacts make_facts(const RunOptions& options, const MechanismDynamics& dynamics,
                    const MechanismRunSetup& setup) {
  const bool is_fixed = has_fixed_steps(options.method);
  return {.kind = "mechanism",
          .name = dynamics.tree().mechanism.name,
          .formulation = setup.formulation.empty() ? multibody::to_text(dynamics.formulation())
                                                   : setup.formulation,
          .method = to_text(options.method),
          .step = is_fixed ? options.step : 0,
          .tolerance = is_fixed ? 0 : options.tolerance,
          .absolute_tolerance = is_fixed ? 0 : 0.01 * options.tolerance,
          .duration = options.duration,
          .sample_interval = options.sample_interval};
}

std::vector<record::Channel> list_channels(const MechanismDynamics& dynamics) {
  const CoordinateNames names = name_coordinates(dynamics);
  const std::size_t nq = names.q.size(), nv = names.v.size();
  std::vector<std::string> bodies;
  for (std::size_t b = 1; b < dynamics.model().bodies.size(); ++b)
    bodies.push_back(dynamics.tree().mechanism.bodies[b].name);
  std::vector<record::Channel> channels = {
      {.name = "coordinates/q",
       .shape = {nq},
       .units = names.q_units,
       .names = names.q,
       .description =
           "Coordinates; a quaternion rotates the joint's outer frame into its inner one."},
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
       .description = "Max error of all loop equations: a distance or a cosine."},
      {.name = "constraints/speed_error",
       .units = {"m/s or 1/s"},
       .description = "Max rate of all loop equations."},
      {.name = "energies",
       .shape = {4},
       .units = {"J"},
       .names = {"kinetic", "gravity", "elastic", "total"},
       .description =
           "Energies of all bodies and springs; gravity counts from the world's origin."}};
  if (dynamics.has_reactions()) {
    std::vector<std::string> joints;
    for (const auto& joint : dynamics.tree().mechanism.joints) joints.push_back(joint.name);
    channels.push_back(
        {.name = "joints/reactions",
         .shape = {joints.size(), 6},
         .units = {std::begin(kWrenchUnits), std::end(kWrenchUnits)},
         .names = {std::begin(kWrenchNames), std::end(kWrenchNames)},
         .row_names = joints,
         .description =
             "Force and torque on each joint's child at the joint, in the world's axes."});
  }
  return channels;
}

/// Keeps the figures up to date while samples come.
void gather(double t, bool is_first, const Observation& o, MechanismFigures* figures) {
  const auto grow = [](double x, double* max) {
    if (x > *max) *max = x;  // false for NaN
  };
  const double energy = o.kinetic_energy + o.gravity_energy + o.elastic_energy;
  grow(o.position_error, &figures->position_error);
  grow(o.speed_error, &figures->speed_error);
  if (is_first) figures->first_energy = energy;
  if (std::isfinite(energy)) figures->last_energy = energy;
  grow(std::abs(energy - figures->first_energy), &figures->energy_drift);
  if (energy - figures->first_energy > figures->energy_gain) {
    figures->energy_gain = energy - figures->first_energy;
    figures->time_of_gain = t;
  }
  grow(o.kinetic_energy, &figures->energy_scale);
}

bool is_finite(const Observation& o) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return finite(o.kinetic_energy) && finite(o.elastic_energy) && finite(o.gravity_energy) &&
         std::ranges::all_of(o.poses, finite);
}

/// Drift over the max kinetic energy; 0 if nothing moved.
double relative_drift(const MechanismFigures& figures) {
  return figures.energy_scale > 0 ? figures.energy_drift / figures.energy_scale : 0;
}

}  // namespace

Stabilization choose_stabilization(RunMethod method, Formulation formulation,
                                   const std::optional<Stabilization>& requested) {
  const bool needs_it = method == RunMethod::kAdams && formulation != Formulation::kCe;
  if (!requested) {
    return {.kind = needs_it ? Stabilization::Kind::kBaumgarte : Stabilization::Kind::kProjection};
  }
  require(!needs_it || requested->kind != Stabilization::Kind::kProjection,
          "adams steps cannot be projected on the constraints of ", to_text(formulation),
          ": take stabilization baumgarte, another method, or ce");
  return *requested;
}

std::vector<std::string> find_warnings(RunMethod method, const MechanismDynamics& dynamics,
                                       const MechanismFigures& figures) {
  std::vector<std::string> warnings;
  if (!dynamics.warning().empty()) warnings.push_back(dynamics.warning());
  // Share of the max kinetic energy; the energy of methods of low order oscillates by more.
  const bool is_coarse = method == RunMethod::kEuler || method == RunMethod::kMidpoint;
  const double limit = is_coarse ? 0.05 : 1e-3;
  if (figures.energy_gain > limit * figures.energy_scale && is_conservative(dynamics)) {
    warnings.push_back(concat("the energy, which nothing feeds, rose by ", figures.energy_gain,
                              " J until t = ", figures.time_of_gain,
                              " s, with a kinetic energy of at most ", figures.energy_scale,
                              " J: steps are too long, or a singular configuration was passed"));
  }
  return warnings;
}

MechanismRun::MechanismRun(const RunOptions& options, MechanismDynamics* dynamics,
                           MechanismRunSetup setup)
    : options_(options),
      dynamics_(dynamics),
      setup_(std::move(setup)),
      facts_(make_facts(options_, *dynamics, setup_)) {
  check(options_);
  require(dynamics->nv() > 0, "mechanism \"", facts_.name, "\" has no joint that moves");
  state_ = setup_.stepped ? *setup_.stepped : make_stepped_state(dynamics);
  motion_ = make_motion(options_, state_);
  channels_ = list_channels(*dynamics);
  q_.resize(static_cast<std::size_t>(dynamics->nq()));
  v_.resize(static_cast<std::size_t>(dynamics->nv()));
  if (has_fixed_steps(options_.method)) {
    const double interval = std::min(options_.sample_interval, options_.duration);
    result_.step = interval / std::ceil(interval / options_.step * (1 - 1e-12));
  }
}

record::Attributes MechanismRun::attributes() const {
  record::Attributes attributes;
  const Stabilization& stabilization = setup_.stabilization;
  if (dynamics_->formulation() != Formulation::kCe) {
    attributes["integrator.stabilization"] = to_text(stabilization.kind);
    if (stabilization.kind == Stabilization::Kind::kBaumgarte)
      attributes["integrator.stabilization_rate"] = stabilization.rate;
  }
  const CoordinateNames names = name_coordinates(*dynamics_);
  for (std::size_t i = 0; i < names.q.size(); ++i)
    attributes["start.q." + names.q[i]] = dynamics_->initial_q()[static_cast<Eigen::Index>(i)];
  for (std::size_t i = 0; i < names.v.size(); ++i)
    attributes["start.v." + names.v[i]] = dynamics_->initial_v()[static_cast<Eigen::Index>(i)];
  return attributes;
}

void MechanismRun::fail(const std::string& reason) {
  result_.status = RunStatus::kFailed;
  if (result_.reason.empty()) result_.reason = reason;
}

/// What the errors of fixed steps show, and the method that fits. A clause.
std::string MechanismRun::describe_doubt() const {
  const auto finding = motion_->doubt();
  if (!finding) return "";
  const std::string speed =
      finding->component < 0
          ? std::string("a speed")
          : integrate::component_name(state_.system, state_.system.nq + finding->component);
  const std::string what =
      finding->is_wild
          ? concat("diverge, ", speed, " first")
          : concat("do not follow the motion: the errors of ", speed, " add up to about ",
                   short_text(100 * finding->error, 2), " % of its largest value");
  return concat(
      "steps of ", short_text(result_.step, 4), " s ", what,
      "; a law is stiffer than the step (friction near rest, a hard stop or spring): take "
      "--method bdf, or a shorter --step");
}

/// Whether what was seen can be the last good state of a failed run.
bool MechanismRun::is_good() const {
  const Observation& o = seen_;
  const double energy = o.kinetic_energy + o.elastic_energy;
  if (!is_finite(o)) return false;
  const double expected = max_energy_ + std::abs(o.gravity_energy - last_gravity_);
  return expected == 0 || energy <= kAbsurd * expected;  // from rest there is no reference
}

void MechanismRun::take_sample() {
  const double t = motion_->time();
  state_.to_seen(motion_->q(), motion_->v(), q_, v_);
  const bool is_known = dynamics_->observe(t, q_, v_, &seen_);
  if (!is_known) fail(dynamics_->why());
  if (is_known && !is_finite(seen_))
    fail(concat("an energy or a pose is not finite at t = ", t, " s"));
  if (is_known && result_.samples > 0 && motion_->doubt() && !is_good()) {
    fail(concat("it diverges: the energy at t = ", t, " s is more than ", kAbsurd,
                " times that of the samples before; ", describe_doubt()));
  }
  const bool is_open = seen_.position_error > setup_.max_position_error;
  if (is_known && is_open) {
    result_.reason.clear();
    fail(concat("the loops are open by ", seen_.position_error, " at t = ", t,
                " s: equations that are left out as redundant are not met any more, or the "
                "stabilization is too weak"));
  }
  // The sample before may be the last good state of a failed run.
  if (result_.status == RunStatus::kFailed &&
      (result_.samples > 0 ? is_open || !is_good() : is_known && !is_finite(seen_)))
    return;
  std::swap(observation_, seen_);
  gather(t, result_.samples == 0, observation_, &figures_);
  last_gravity_ = observation_.gravity_energy;
  max_energy_ = std::max(max_energy_, observation_.kinetic_energy + observation_.elastic_energy);
  result_.time = t;
  ++result_.samples;
  log_sample();
}

void MechanismRun::log_sample() {
  if (!sink_) return;
  const Observation& o = observation_;
  sample_.clear();
  for (const std::vector<double>* part : {&o.q, &o.v, &o.v_dot, &o.poses})
    sample_.insert(sample_.end(), part->begin(), part->end());
  sample_.insert(sample_.end(),
                 {o.position_error, o.speed_error, o.kinetic_energy, o.gravity_energy,
                  o.elastic_energy, o.kinetic_energy + o.gravity_energy + o.elastic_energy});
  sample_.insert(sample_.end(), o.reactions.begin(), o.reactions.end());
  sink_(result_.time, sample_);
}

void MechanismRun::advance() {
  if (is_done()) return;
  if (result_.samples == 0) take_sample();
  if (is_done()) return;
  const double end = sample_time(options_, next_);
  const integrate::StepResult step = motion_->advance(end, kStepsPerLook);
  if (!step.ok()) {
    fail(motion_->doubt() ? concat(step.text, "; ", describe_doubt()) : step.text);
  } else if (motion_->time() < end) {
    return;
  }
  if (motion_->time() > result_.time) take_sample();
  if (!is_done() && next_ == count_intervals(options_)) result_.status = RunStatus::kDone;
  ++next_;
}

void MechanismRun::stop() {
  if (is_done()) return;
  if (result_.samples == 0 || motion_->time() > result_.time) take_sample();
  if (!is_done()) result_.status = RunStatus::kStopped;
}

RunResult MechanismRun::result() const {
  RunResult result = result_;
  result.statistics = motion_->statistics();
  return result;
}

std::vector<std::string> MechanismRun::warnings() const {
  std::vector<std::string> warnings = find_warnings(options_.method, *dynamics_, figures_);
  if (motion_->doubt() && result_.status != RunStatus::kFailed)
    warnings.push_back(describe_doubt());
  return warnings;
}

void MechanismRun::finish(const record::Table& /*log*/, Json* summary, report::PageData* page) {
  const multibody::Mobility& mobility = dynamics_->mobility();
  const bool keeps_energy = is_conservative(*dynamics_);
  Json& out = *summary;
  if (result_.step > 0) out["step"] = result_.step;
  out["degrees_of_freedom"] = mobility.degrees_of_freedom;
  out["coordinates"] = dynamics_->coordinate_count();
  out["constraints"] = dynamics_->constraint_count();
  out["redundant"] = mobility.redundant;
  out["driven"] = mobility.driven;
  out["partition_changes"] = dynamics_->partition_changes();
  out["warnings"] = warnings();
  out["passages"] = dynamics_->passages();
  out["largest_loss"] = {{"share", dynamics_->largest_loss()}, {"time", dynamics_->time_of_loss()}};
  out["largest_position_error"] = figures_.position_error;
  out["largest_speed_error"] = figures_.speed_error;
  out["energy"] = {{"conservative", keeps_energy},
                   {"first", figures_.first_energy},
                   {"last", figures_.last_energy},
                   {"drift", figures_.energy_drift},
                   {"relative_drift", relative_drift(figures_)}};

  for (const std::string& warning : warnings()) page->notes.push_back("Warning: " + warning + ".");
  const auto add_value = [&](const char* name, double value, const char* unit) {
    page->values.push_back({name, short_text(value, 3), unit});
  };
  add_value("max position error of a constraint", figures_.position_error, "m or 1");
  add_value("max speed error of a constraint", figures_.speed_error, "m/s or 1/s");
  if (keeps_energy) {
    add_value("energy drift", figures_.energy_drift, "J");
    add_value("energy drift / max kinetic energy", relative_drift(figures_), "");
  } else {
    add_value("change of energy", figures_.last_energy - figures_.first_energy, "J");
  }
  const auto add_setting = [&](const char* name, const std::string& text) {
    page->settings.push_back({name, text});
  };
  if (dynamics_->formulation() != Formulation::kCe)
    add_setting("stabilization", to_text(setup_.stabilization.kind));
  add_setting("degrees of freedom", std::to_string(mobility.degrees_of_freedom));
  add_setting("coordinates", std::to_string(dynamics_->coordinate_count()));
  add_setting("constraints", std::to_string(dynamics_->constraint_count()));
  add_setting("redundant constraints", std::to_string(mobility.redundant.size()));
  page->channels = {"coordinates/q", "coordinates/v", "energies", "constraints/position_error",
                    "constraints/speed_error"};
  if (dynamics_->nq() > kFewCoordinates)
    std::rotate(page->channels.begin(), page->channels.begin() + 2, page->channels.end());
}

std::vector<std::string> MechanismRun::describe(const RunResult& result) const {
  const auto plural = [](long n, const char* one, const char* many) {
    return concat(n, " ", n == 1 ? one : many);
  };
  std::vector<std::string> lines = {
      concat(facts_.name, ", ", facts_.formulation, ": ",
             plural(dynamics_->mobility().degrees_of_freedom, "degree", "degrees"), " of freedom, ",
             plural(dynamics_->coordinate_count(), "coordinate", "coordinates"), ", ",
             plural(dynamics_->constraint_count(), "constraint", "constraints")),
      describe_time(facts_, result),
      concat("max constraint errors: position ", short_text(figures_.position_error, 2), ", speed ",
             short_text(figures_.speed_error, 2))};
  if (is_conservative(*dynamics_))
    lines.push_back(concat("energy drift: ", short_text(figures_.energy_drift, 3),
                           " J; max kinetic energy ", short_text(figures_.energy_scale, 3), " J"));
  return lines;
}

}  // namespace camber::run
