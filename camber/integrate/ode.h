#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace camber::integrate {

/// When g(t, x) passes through zero.
struct Event {
  enum class Direction { kBoth, kRising, kFalling };
  std::string name;
  std::function<double(double t, std::span<const double> x)> g;
  Direction direction = Direction::kBoth;
  bool stops = true;  // or is only reported
};

/// x' = f(t, x), with further properties of its solution.
///
/// The functions return false if they have no value, as for a mechanism that cannot be assembled:
/// an integrator then tries a smaller step, and reports the failure if that does not help. An
/// exception from one of them ends the integration and is passed on.
struct Ode {
  int size = 0;
  std::function<bool(double t, std::span<const double> x, std::span<double> x_dot)> f;
  /// df/dx column by column, size * size entries. If it is missing, implicit methods use difference
  /// quotients.
  std::function<bool(double t, std::span<const double> x, std::span<double> J)> jacobian = {};
  /// Projects x onto the invariants of the exact solution: constraints, a quaternion's norm,
  /// energy.
  std::function<bool(double t, std::span<double> x)> project = {};
  /// The reason, in words, why a function above last returned false; used in the result.
  std::function<std::string()> why = {};
  std::vector<Event> events = {};
  /// For messages: one per component, or none.
  std::vector<std::string> names = {};
};

/// Throws std::invalid_argument if a part is missing or has the wrong size.
void check(const Ode& ode, const char* caller);

/// "x[3]", or its name.
std::string component_name(const Ode& ode, int component);

}  // namespace camber::integrate
