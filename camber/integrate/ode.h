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

/// x' = f(t, x), with what else is known about its solution.
///
/// The functions answer false where they have no value, such as a mechanism that cannot be
/// assembled: an integrator then tries a smaller step, and reports the place when that does not
/// help. An exception from one of them ends the integration and comes out of it.
struct Ode {
  int size = 0;
  std::function<bool(double t, std::span<const double> x, std::span<double> x_dot)> f;
  /// df/dx column by column, size * size entries. Implicit methods take difference quotients
  /// without it.
  std::function<bool(double t, std::span<const double> x, std::span<double> J)> jacobian = {};
  /// Puts x back on what the exact solution keeps: constraints, a quaternion's norm, energy.
  std::function<bool(double t, std::span<double> x)> project = {};
  /// In words, why a function above answered false last: goes into the result.
  std::function<std::string()> why = {};
  std::vector<Event> events = {};
  /// For messages: one per component, or none.
  std::vector<std::string> names = {};
};

/// Throws std::invalid_argument where a part is missing or has the wrong size.
void check(const Ode& ode, const char* caller);

/// "x[3]", or its name.
std::string component_name(const Ode& ode, int component);

}  // namespace camber::integrate
