#include "camber/run/run_method.h"

namespace camber::run {
namespace {

struct MethodRow {
  RunMethod method;
  const char* name;
  std::optional<integrate::FixedStep> fixed;
  std::optional<integrate::Method> adaptive;
};
constexpr MethodRow kMethods[] = {
    {RunMethod::kRk4, "rk4", integrate::FixedStep::kRungeKutta4, {}},
    {RunMethod::kEuler, "euler", integrate::FixedStep::kSemiImplicitEuler, {}},
    {RunMethod::kMidpoint, "midpoint", integrate::FixedStep::kMidpoint, {}},
    {RunMethod::kDopri, "dopri", {}, integrate::Method::kRungeKutta},
    {RunMethod::kAdams, "adams", {}, integrate::Method::kAdams},
    {RunMethod::kBdf, "bdf", {}, integrate::Method::kBdf},
};

const MethodRow& row_of(RunMethod method) {
  for (const MethodRow& row : kMethods)
    if (row.method == method) return row;
  return kMethods[0];
}

}  // namespace

const char* to_text(RunMethod method) { return row_of(method).name; }

std::optional<RunMethod> find_run_method(std::string_view name) {
  for (const MethodRow& row : kMethods)
    if (row.name == name) return row.method;
  return {};
}

std::optional<integrate::FixedStep> to_fixed_step(RunMethod method) { return row_of(method).fixed; }

std::optional<integrate::Method> to_adaptive(RunMethod method) { return row_of(method).adaptive; }

RunMethod to_run_method(integrate::Method method) {
  for (const MethodRow& row : kMethods)
    if (row.adaptive == method) return row.method;
  return RunMethod::kDopri;
}

}  // namespace camber::run
