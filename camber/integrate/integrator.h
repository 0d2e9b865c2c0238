#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "camber/integrate/ode.h"
#include "camber/integrate/step_result.h"

namespace camber::integrate {

enum class Method {
  /// Explicit one-step method of order 5 [Dormand, Prince 1980]: the choice for mechanisms that are
  /// not stiff.
  kRungeKutta,
  /// Orders 1 to 12 with few evaluations of f per step, for smooth and long runs. Cannot be
  /// combined with a projection.
  kAdams,
  /// Backward differences of orders 1 to 5, for stiff systems; one Jacobian serves many steps.
  kBdf,
};

struct IntegratorOptions {
  Method method = Method::kRungeKutta;
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-10;
  /// One per component, instead of the common one.
  std::vector<double> absolute_tolerances = {};
  double first_step = 0;       // [s] 0: chosen by the integrator
  double max_step = 0;         // [s] 0: as long as the tolerances allow
  long max_steps = 1'000'000;  // between two requested times
};

namespace internal {
class Stepper;
}

/// Solves x' = f(t, x) with steps that keep the error estimate below
/// relative_tolerance * |x_i| + absolute_tolerance, through SUNDIALS [Hindmarsh et al. 2005].
/// Sized when it is made; no step allocates.
class Integrator {
 public:
  /// Throws std::invalid_argument for invalid options, such as Adams with a projection.
  explicit Integrator(Ode ode, IntegratorOptions options = {});
  ~Integrator();
  Integrator(Integrator&&) noexcept;
  Integrator& operator=(Integrator&&) noexcept;

  /// (Re)starts at a state; x0 is used unchanged, even if the projection would change it.
  void start(double t0, std::span<const double> x0);
  /// Advances to time t > time(), or to an earlier event that stops. x() is interpolated between
  /// steps and then projected; the integrator itself steps across t.
  StepResult advance_to(double t);
  /// Advances by one step of the integrator's own length, or to the end of the step that contains
  /// time(), or to an event that stops.
  StepResult step();
  /// The last step: time() is in it, or at its end. Empty before the first step.
  TimeSpan last_step() const;
  /// The state at any time in last_step(), projected, with the accuracy of the steps; x() and
  /// time() do not change. Returns false if the projection finds no state.
  bool interpolate(double t, std::span<double> x) const;

  const Ode& ode() const;
  double time() const;                // [s]
  std::span<const double> x() const;  // at time()
  Statistics statistics() const;      // since start()

 private:
  std::unique_ptr<internal::Stepper> stepper_;
};

/// States at the requested times, one after the other.
struct Trajectory {
  int size = 0;
  std::vector<double> times;   // [s]
  std::vector<double> states;  // times.size() * size
  StepResult result;           // of the last interval: shorter than requested if not kDone
  Statistics statistics;

  std::span<const double> x(std::size_t i) const {
    return std::span(states).subspan(i * static_cast<std::size_t>(size),
                                     static_cast<std::size_t>(size));
  }
};

/// The solution from x0 at times[0] at all of the increasing times. After an event that stops, the
/// state there is the last one.
Trajectory integrate(Ode ode, std::span<const double> x0, std::span<const double> times,
                     const IntegratorOptions& options = {});

/// n + 1 equally spaced times from first to last, n >= 1.
std::vector<double> make_times(double first, double last, int n);

}  // namespace camber::integrate
