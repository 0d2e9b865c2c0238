#pragma once

// Runs scenarios in memory: a file with overrides in, signals and key figures out.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/hash.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/figures/signals.h"
#include "camber/run/drive_run.h"
#include "camber/scenario/scenario_file.h"

namespace camber::drive_test {

/// A drive that was run, with everything that it logged.
struct Trip {
  run::RunResult result;
  std::vector<double> final_state;
  figures::Signals signals;
  std::vector<report::KeyFigure> figures;
  figures::FigureContext context;

  bool is_done() const { return result.status == run::RunStatus::kDone; }
  const std::vector<double>& times() const { return signals.times(); }
  /// "chassis/velocity.forward".
  const std::vector<double>& column(const std::string& name) const {
    const std::vector<double>* found = signals.find_column(name);
    require(found != nullptr, "no column ", name);
    return *found;
  }
  double last(const std::string& name) const { return column(name).back(); }
  /// Greatest magnitude within a window of time.
  double peak(const std::string& name, double after = 0, double before = 1e9) const {
    double peak = 0;
    for (std::size_t i = 0; i < times().size(); ++i)
      if (times()[i] >= after && times()[i] <= before)
        peak = std::max(peak, std::abs(column(name)[i]));
    return peak;
  }
  double mean(const std::string& name, double after, double before = 1e9) const {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < times().size(); ++i) {
      if (times()[i] < after || times()[i] > before) continue;
      sum += column(name)[i];
      ++count;
    }
    return sum / count;
  }
  double figure(const std::string& name) const {
    for (const report::KeyFigure& figure : figures)
      if (figure.name == name) return figure.value;
    throw std::invalid_argument("no figure " + name);
  }
  /// A figure that the scenario does not ask for.
  double calc(const std::string& name, double after) const {
    figures::FigureRequest request;
    request.figure = name;
    request.after = after;
    return calc_key_figures(std::vector{std::move(request)}, signals, context)
        .front()
        .value.value();
  }
  std::string hash() const { return hash_values(final_state); }
};

inline Trip run(scenario::Scenario scenario) {
  run::Simulation simulation(scenario::build_scenario(std::move(scenario)));
  run::DriveRun drive(&simulation);
  const record::Table table = run::run_in_memory(&drive);
  Trip trip;
  trip.result = simulation.result();
  trip.final_state = simulation.state_values();
  trip.figures = run::calc_figures(simulation.built(), table);
  trip.context = simulation.built().context;
  trip.signals = figures::Signals(table);
  return trip;
}

/// What a channel of all wheels has at one sample.
inline std::vector<double> wheel_values(const Trip& trip, const std::string& channel,
                                        std::size_t sample) {
  std::vector<double> values;
  for (const auto* column : trip.signals.find_columns(channel)) values.push_back((*column)[sample]);
  return values;
}

/// Into the test's report.
inline void record_value(const std::string& name, double value) {
  std::ostringstream text;
  text << value;
  testing::Test::RecordProperty(name, text.str());
}

using Overrides = std::vector<std::string>;

/// A file of scenarios/, its name without the ending; all of it, or its first seconds.
inline Trip run_file(const std::string& name, const Overrides& overrides = {},
                     double duration = 0) {
  scenario::Scenario scenario = scenario::load_scenario("scenarios/" + name + ".toml", overrides);
  if (duration > 0) scenario.run.duration = duration;
  return run(std::move(scenario));
}

/// A scenario's text behind kind and vehicle, as if it lay in scenarios/.
inline Trip run_text(const std::string& text, const Overrides& overrides = {}) {
  return run(scenario::parse_scenario(
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n" + text,
      "scenarios/test.toml", overrides));
}

/// A file, models/hmmwv.toml if no other, with each text of `changes` replaced by its second, in a
/// folder of its own.
class ChangedVehicle {
 public:
  using Changes = std::vector<std::pair<std::string, std::string>>;

  explicit ChangedVehicle(const Changes& changes, const std::string& file = "models/hmmwv.toml") {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    std::string all = text.str();
    for (const auto& [from, to] : changes) {
      std::size_t at = all.find(from);
      require(at != std::string::npos, file, " has no ", from);
      for (; at != std::string::npos; at = all.find(from, at + to.size()))
        all.replace(at, from.size(), to);
    }
    // Files that it names stay where they are.
    const std::string folder = std::filesystem::absolute(file).parent_path().string() + "/";
    for (const char* part : {"\"equipment/", "\"shapes/", "\"tires/"}) {
      const std::string named(part), moved = "\"" + folder + named.substr(1);
      for (std::size_t at = all.find(named); at != std::string::npos;
           at = all.find(named, at + moved.size()))
        all.replace(at, named.size(), moved);
    }
    std::ofstream(folder_.path() / "hmmwv.toml") << all;
  }
  std::string path() const { return (folder_.path() / "hmmwv.toml").string(); }
  /// For overrides.
  std::string model() const { return "vehicle.model=\"" + path() + "\""; }

 private:
  TemporaryFolder folder_;
};

/// The HMMWV with everything that is not the same on both sides made so: 0.25 mm of the chassis'
/// center of mass, its products of inertia, and an idler arm that is 76 mm farther
/// out than the pitman and only has its mass.
inline ChangedVehicle make_symmetric_vehicle() {
  return ChangedVehicle(
      {{"0.000251154", "0"},
       {"-0.652499, -0.288963, 0.068945", "0, -0.288963, 0"},
       {"-0.325", "-0.249"},
       {"idler = { mass = 1.605 }",
        "idler = { mass = 1.605, center = [1.30567271, -0.249, 0.081014502], inertia = "
        "[0.005888671, 0.00756, 0.001991329, 0, -0.001468429, 0] }"}});
}

}  // namespace camber::drive_test
