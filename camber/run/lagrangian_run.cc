#include "camber/run/lagrangian_run.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::run {
namespace {

using Json = nlohmann::ordered_json;
using Kind = lagrange::Quantity::Kind;

RunFacts make_facts(const RunOptions& options, const lagrange::LagrangianModel& model) {
  return {.kind = "lagrangian",
          .name = model.system.name,
          .about = model.about,
          .formulation = "lagrangian",
          .method = to_text(options.method),
          .tolerance = options.tolerance,
          .absolute_tolerance = 0.01 * options.tolerance,
          .duration = options.duration,
          .sample_interval = options.sample_interval};
}

/// Quantities of one kind, which are one channel of the log. In the order of the kinds, so that a
/// sample of the motion is a sample of the log.
struct Group {
  Kind kind;
  const char* name;
  const char* description;
};
constexpr const char* kEnergies = "energies";
constexpr Group kGroups[] = {
    {Kind::kCoordinate, "coordinates/q", "Coordinates, in the units of the model."},
    {Kind::kSpeed, "coordinates/v", "Speeds, in the units of the model."},
    {Kind::kExtra, "coordinates/extra", "Variables with equations of their own."},
    {Kind::kMultiplier, "constraints/multipliers", "Constraint forces."},
    {Kind::kInput, "inputs", "Inputs, functions of time."},
    {Kind::kOutput, "outputs", "Outputs of the model."},
    {Kind::kEnergy, kEnergies, "Energies of all bodies and potentials."},
    {Kind::kQuality, "constraints/error", "Max residual of positions and speeds."},
};

std::vector<record::Channel> group_channels(const std::vector<lagrange::Quantity>& quantities) {
  std::vector<record::Channel> channels;
  for (const Group& group : kGroups) {
    record::Channel channel{.name = group.name, .description = group.description};
    for (const lagrange::Quantity& quantity : quantities)
      if (quantity.kind == group.kind) channel.names.push_back(quantity.name);
    if (channel.names.empty()) continue;
    channel.shape = {channel.names.size()};
    if (group.kind == Kind::kEnergy) channel.units = {"J"};
    channels.push_back(std::move(channel));
  }
  return channels;
}

/// Total energy of a recorded run [J].
struct EnergyFigures {
  double first = 0, last = 0;
  double drift = 0;  // max difference from the first one
};

EnergyFigures calc_energies(const record::Table& log) {
  EnergyFigures figures;
  const std::vector<double>* values = log.find_values(kEnergies);
  if (values == nullptr || values->empty()) return figures;
  const std::size_t columns = values->size() / log.samples();  // the total is the last one
  figures.first = (*values)[columns - 1];
  figures.last = values->back();
  for (std::size_t i = columns - 1; i < values->size(); i += columns)
    if (!(std::abs((*values)[i] - figures.first) <= figures.drift))  // NaN stays
      figures.drift = std::abs((*values)[i] - figures.first);
  return figures;
}

}  // namespace

LagrangianRun::LagrangianRun(const RunOptions& options, const lagrange::LagrangianModel& model)
    : options_((check(options), options)),
      facts_(make_facts(options, model)),
      motion_(model, {.integrator = make_integrator_options(options, "a lagrangian model")}),
      channels_(group_channels(motion_.quantities())),
      not_finite_since_(motion_.quantities().size(), NAN) {}

/// Remembers what is not finite; false if that is part of the state.
bool LagrangianRun::check_finite(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const lagrange::Quantity& quantity = motion_.quantities()[i];
    if (quantity.kind == Kind::kCoordinate || quantity.kind == Kind::kSpeed ||
        quantity.kind == Kind::kExtra || quantity.kind == Kind::kMultiplier) {
      result_.status = RunStatus::kFailed;
      result_.reason = concat(quantity.name, " is not finite at t = ", motion_.time(), " s");
      return false;
    }
    if (std::isnan(not_finite_since_[i])) not_finite_since_[i] = motion_.time();
  }
  return true;
}

std::vector<std::string> LagrangianRun::warnings() const {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < not_finite_since_.size(); ++i) {
    if (std::isnan(not_finite_since_[i])) continue;
    const lagrange::Quantity& quantity = motion_.quantities()[i];
    warnings.push_back(concat(quantity.kind == Kind::kEnergy ? "the energy \"" : "\"",
                              quantity.name, "\" has no finite value at t = ", not_finite_since_[i],
                              " s, nor perhaps later"));
  }
  return warnings;
}

void LagrangianRun::take_sample() {
  const std::span<const double> values = motion_.sample();
  if (!check_finite(values)) return;
  constraint_error_ = std::max(constraint_error_, values.back());
  result_.time = motion_.time();
  ++result_.samples;
  if (sink_) sink_(result_.time, values);
}

void LagrangianRun::advance() {
  if (is_done()) return;
  if (result_.samples == 0) take_sample();
  const integrate::StepResult step = motion_.advance_to(sample_time(options_, result_.samples));
  if (!step.ok()) {
    result_.status = RunStatus::kFailed;
    result_.reason = step.text;
    return;
  }
  take_sample();
  if (result_.samples > count_intervals(options_)) result_.status = RunStatus::kDone;
}

void LagrangianRun::stop() {
  if (is_done()) return;
  if (result_.samples == 0) take_sample();
  result_.status = RunStatus::kStopped;
}

RunResult LagrangianRun::result() const {
  RunResult result = result_;
  result.statistics = motion_.statistics();
  return result;
}

void LagrangianRun::finish(const record::Table& log, Json* summary, report::PageData* page) {
  const EnergyFigures energy = calc_energies(log);
  (*summary)["largest_constraint_error"] = constraint_error_;
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  (*summary)["energy"] = {{"first", number(energy.first)},
                          {"last", number(energy.last)},
                          {"drift", number(energy.drift)}};
  (*summary)["warnings"] = warnings();
  for (const std::string& warning : warnings()) page->notes.push_back("Warning: " + warning + ".");
  page->values.push_back({"max constraint error", short_text(constraint_error_, 3)});
  page->values.push_back({"change of energy", short_text(energy.last - energy.first, 4), "J"});
  for (const record::Channel& channel : channels_) page->channels.push_back(channel.name);
}

std::vector<std::string> LagrangianRun::describe(const RunResult& result) const {
  return {concat(facts_.name, ": ", describe_time(facts_, result)),
          concat("max constraint error: ", short_text(constraint_error_, 2))};
}

}  // namespace camber::run
