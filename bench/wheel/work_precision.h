#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/symbolic/comparison.h"
#include "camber/rolling_wheel/wheel_run.h"

namespace camber::bench {

/// One run of the wheel: what it cost, how far it was from Coulomb's law.
struct WheelFigures {
  rolling_wheel::WheelLaw law = rolling_wheel::WheelLaw::kRelaxed;
  integrate::Method method = integrate::Method::kBdf;
  double tolerance = 0, absolute_tolerance = 0;
  double slip_speed = 0;  // [m/s] sharpness; events have none
  long evaluations = 0;   // of the right-hand side; those of Jacobians are exact and apart
  double error = 0;       // largest of x [m] and x' [m/s] at 0.1, 0.2, ... s
};

/// The fewest evaluations of a law under a method with an error that is not above the target.
struct WheelEnvelope {
  rolling_wheel::WheelLaw law = rolling_wheel::WheelLaw::kRelaxed;
  integrate::Method method = integrate::Method::kBdf;
  std::vector<long> evaluations;  // of each target; 0: no run came there
};

struct WheelComparison {
  std::vector<double> targets;
  std::vector<WheelFigures> figures;
  std::vector<WheelEnvelope> envelopes;
  std::vector<Check> checks;
};

/// Work and precision of relaxed and regularized friction and of switching at events, with explicit
/// and implicit methods, in the scenario (figure 4 of the paper).
WheelComparison compare_wheel_laws(const rolling_wheel::WheelScenario& scenario, Effort effort);

void print_table(const WheelComparison& comparison, std::ostream& out);
nlohmann::json to_json(const WheelComparison& comparison);
/// The diagram as an <svg>.
std::string draw(const WheelComparison& comparison);

const char* name_of(integrate::Method method);

}  // namespace camber::bench
