// [Hindmarsh et al. 2005] A. C. Hindmarsh et al., SUNDIALS: Suite of nonlinear and
// differential/algebraic equation solvers, ACM Transactions on Mathematical Software 31 (3).
#include "camber/integrate/integrator.h"

#include <algorithm>

#include "camber/core/require.h"
#include "camber/integrate/stepper.h"

namespace camber::integrate {

Integrator::Integrator(Ode ode, IntegratorOptions options) {
  integrate::check(ode, "Integrator");
  internal::check(options, ode);
  require(options.method != Method::kAdams || !ode.project,
          "Integrator: Adams methods keep a history that a projection cannot correct; take dopri "
          "(kRungeKutta) or bdf (kBdf)");
  stepper_ = options.method == Method::kRungeKutta
                 ? internal::make_erk_stepper(std::move(ode), std::move(options))
                 : internal::make_cvode_stepper(std::move(ode), std::move(options));
}
Integrator::~Integrator() = default;
Integrator::Integrator(Integrator&&) noexcept = default;
Integrator& Integrator::operator=(Integrator&&) noexcept = default;

void Integrator::start(double t0, std::span<const double> x0) { stepper_->start(t0, x0); }
StepResult Integrator::advance_to(double t) { return stepper_->advance_to(t); }
StepResult Integrator::step() { return stepper_->step(); }
TimeSpan Integrator::last_step() const { return stepper_->last_step(); }
bool Integrator::interpolate(double t, std::span<double> x) const {
  return stepper_->interpolate(t, 0, x);
}
const Ode& Integrator::ode() const { return stepper_->ode(); }
double Integrator::time() const { return stepper_->time(); }
std::span<const double> Integrator::x() const { return stepper_->x(); }
Statistics Integrator::statistics() const { return stepper_->statistics(); }

Trajectory integrate(Ode ode, std::span<const double> x0, std::span<const double> times,
                     const IntegratorOptions& options) {
  require(!times.empty(), "integrate: no times");
  require(std::ranges::adjacent_find(times, std::greater_equal()) == times.end(),
          "integrate: times must increase");
  Integrator integrator(std::move(ode), options);
  integrator.start(times[0], x0);
  Trajectory trajectory;
  trajectory.size = integrator.ode().size;
  trajectory.times.reserve(times.size());
  trajectory.states.reserve(times.size() * x0.size());
  const auto record = [&] {
    trajectory.times.push_back(integrator.time());
    const auto x = integrator.x();
    trajectory.states.insert(trajectory.states.end(), x.begin(), x.end());
  };
  record();
  trajectory.result.time = times[0];
  for (std::size_t i = 1; i < times.size() && trajectory.result.status == Status::kDone; ++i) {
    trajectory.result = integrator.advance_to(times[i]);
    if (trajectory.result.ok()) {
      record();
    }
  }
  trajectory.statistics = integrator.statistics();
  return trajectory;
}

std::vector<double> make_times(double first, double last, int n) {
  require(n >= 1, "make_times: n must be >= 1, got ", n);
  require(first < last, "make_times: first ", first, " s must be before last ", last, " s");
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(n) + 1);
  for (int i = 0; i <= n; ++i) {
    times.push_back(i == n ? last : first + (last - first) * i / n);
  }
  return times;
}

}  // namespace camber::integrate
