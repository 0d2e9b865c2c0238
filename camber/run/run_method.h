#pragma once

#include <optional>
#include <string_view>

#include "camber/integrate/fixed_step.h"
#include "camber/integrate/integrator.h"

namespace camber::run {

enum class RunMethod {
  kRk4,       // fixed steps: Kutta's classical method
  kEuler,     // fixed steps: semi-implicit Euler
  kMidpoint,  // fixed steps: midpoint rule
  kDopri,     // adaptive steps: explicit Runge-Kutta
  kAdams,     // adaptive steps: for smooth and long runs
  kBdf,       // adaptive steps: for stiff systems
};
const char* to_text(RunMethod method);  // "rk4"
/// Empty if no method has this name.
std::optional<RunMethod> find_run_method(std::string_view name);

/// The integrator's name of a method with fixed steps; empty for an adaptive one.
std::optional<integrate::FixedStep> to_fixed_step(RunMethod method);
/// The integrator's name of an adaptive method; empty for one with fixed steps.
std::optional<integrate::Method> to_adaptive(RunMethod method);
RunMethod to_run_method(integrate::Method method);

inline bool has_fixed_steps(RunMethod method) { return to_fixed_step(method).has_value(); }

}  // namespace camber::run
