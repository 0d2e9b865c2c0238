#pragma once

#include <memory>
#include <span>
#include <vector>

#include "camber/integrate/dae.h"
#include "camber/integrate/step_result.h"

namespace camber::integrate {

struct DaeOptions {
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-10;
  /// One per component, instead of the common one.
  std::vector<double> absolute_tolerances = {};
  double first_step = 0;       // [s] 0: found by the integrator
  double max_step = 0;         // [s] 0: as long as the tolerances allow
  long max_steps = 1'000'000;  // between two times that were asked for
};

/// What of the initial values is given.
enum class InitialValues {
  /// All of y and y', and they satisfy F = 0 and, for index 2, the constraints' first derivatives.
  kConsistent,
  /// The differential components of y; their derivatives and the algebraic components are found by
  /// Newton's method from the values given, for index 1 alone.
  kDifferential,
  /// y'; all of y is found, for index 1 alone.
  kDerivatives,
};

namespace internal {
class IdaStepper;
}

/// Solves F(t, y, y') = 0 by backward differences of orders 1 to 5 with an error estimate below
/// relative_tolerance * |y_i| + absolute_tolerance in the differential components, through IDA
/// [Hindmarsh et al. 2005]. Sized when it is made.
class DaeIntegrator {
 public:
  explicit DaeIntegrator(Dae dae, const DaeOptions& options = {});
  ~DaeIntegrator();
  DaeIntegrator(DaeIntegrator&&) noexcept;
  DaeIntegrator& operator=(DaeIntegrator&&) noexcept;

  /// (Re)starts at y0 and y_dot0, or at what is found from them: then y() and y_dot() tell. Not ok
  /// when nothing was found, with the component whose residual is largest.
  StepResult start(double t0, std::span<const double> y0, std::span<const double> y_dot0,
                   InitialValues given = InitialValues::kConsistent);
  /// As those of Integrator.
  StepResult advance_to(double t);
  StepResult step();
  TimeSpan last_step() const;
  bool interpolate(double t, std::span<double> y) const;
  /// The derivative of the same polynomial.
  bool interpolate_rate(double t, std::span<double> y_dot) const;

  int size() const;
  double time() const;                    // [s]
  std::span<const double> y() const;      // at time()
  std::span<const double> y_dot() const;  // at time()
  Statistics statistics() const;          // since start()

 private:
  std::unique_ptr<internal::IdaStepper> stepper_;
};

}  // namespace camber::integrate
