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
  double first_step = 0;       // [s] 0: chosen by the integrator
  double max_step = 0;         // [s] 0: as long as the tolerances allow
  long max_steps = 1'000'000;  // between two requested times
};

/// Which initial values are given.
enum class InitialValues {
  /// All of y and y'; they satisfy F = 0 and, for index 2, the first derivatives of the
  /// constraints.
  kConsistent,
  /// The differential components of y; their derivatives and the algebraic components are found by
  /// Newton's method from the values given. For index 1 only.
  kDifferential,
  /// y'; all of y is found. For index 1 only.
  kDerivatives,
};

namespace internal {
class IdaStepper;
}

/// Solves F(t, y, y') = 0 by backward differences of orders 1 to 5 with an error estimate below
/// relative_tolerance * |y_i| + absolute_tolerance in the differential components, through IDA
/// [Hindmarsh et al. 2005]. All memory is allocated by the constructor.
class DaeIntegrator {
 public:
  explicit DaeIntegrator(Dae dae, const DaeOptions& options = {});
  ~DaeIntegrator();
  DaeIntegrator(DaeIntegrator&&) noexcept;
  DaeIntegrator& operator=(DaeIntegrator&&) noexcept;

  /// (Re)starts at y0 and y_dot0, or at the consistent values found from them, which y() and
  /// y_dot() return. The result is not ok if none were found, and has the component with the
  /// largest residual.
  StepResult start(double t0, std::span<const double> y0, std::span<const double> y_dot0,
                   InitialValues given = InitialValues::kConsistent);
  /// Like the functions of Integrator.
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
