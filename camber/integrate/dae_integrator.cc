// IDA: variable-order, variable-step backward differences in fixed-leading-coefficient form
// [Hindmarsh et al. 2005], Newton's equations by dense LU. Consistent initial values after
// [Brown, Hindmarsh, Petzold 1998] Consistent initial condition calculation for differential-
// algebraic systems, SIAM Journal on Scientific Computing 19 (5).
#include "camber/integrate/dae_integrator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>

#include "camber/core/require.h"
#include "camber/integrate/stepper.h"

namespace camber::integrate {
namespace internal {
namespace {

struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};

/// Everything except the equations.
Ode make_shell(Dae* dae) {
  Ode shell;
  shell.size = dae->size;
  shell.why = std::move(dae->why);
  shell.events = std::move(dae->events);
  shell.names = dae->names;
  for (int i = 0; i < dae->size && dae->names.empty(); ++i) {
    shell.names.push_back(concat("y[", i, "]"));
  }
  return shell;
}

// Effectively no tolerance, but finite in IDA's sum of squares of weighted errors.
constexpr double kNoTolerance = 1e60;

IntegratorOptions to_common(const DaeOptions& options, const Dae& dae) {
  IntegratorOptions common = {.method = Method::kBdf,
                              .relative_tolerance = options.relative_tolerance,
                              .absolute_tolerance = options.absolute_tolerance,
                              .absolute_tolerances = options.absolute_tolerances,
                              .first_step = options.first_step,
                              .max_step = options.max_step,
                              .max_steps = options.max_steps};
  auto& each = common.absolute_tolerances;
  if (std::ranges::count(dae.kinds, ComponentKind::kMultiplier) > 0) {
    if (each.empty()) {
      each.assign(dae.kinds.size(), options.absolute_tolerance);
    }
    for (std::size_t i = 0; i < std::min(each.size(), dae.kinds.size()); ++i) {
      each[i] = dae.kinds[i] == ComponentKind::kMultiplier ? kNoTolerance : each[i];
    }
  }
  return common;
}

}  // namespace

class IdaStepper final : public Stepper {
 public:
  IdaStepper(Dae dae, const DaeOptions& options)
      : Stepper("DaeIntegrator", make_shell(&dae), to_common(options, dae)),
        dae_(std::move(dae)),
        rate_(make_vector()),
        memory_(IDACreate(context_)) {
    check(options_, ode_);
    require_success(IDAInit(memory(), F, 0.0, state_.get(), rate_.get()), "IDAInit");
    IDASetErrHandlerFn(memory(), keep_quiet, nullptr);
    set_tolerances(IDASVtolerances, memory());
    IDASetUserData(memory(), this);
    IDASetMaxNumSteps(memory(), options_.max_steps);
    IDASetMaxStep(memory(), options_.max_step);
    IDASetInitStep(memory(), options_.first_step);
    mark_differential();
    matrix_.reset(SUNDenseMatrix(dae_.size, dae_.size, context_));
    linear_solver_.reset(SUNLinSol_Dense(state_.get(), matrix_.get(), context_));
    require_success(IDASetLinearSolver(memory(), linear_solver_.get(), matrix_.get()),
                    "IDASetLinearSolver");
    if (dae_.jacobian) {
      require_success(IDASetJacFn(memory(), jacobian), "IDASetJacFn");
    }
    if (!ode_.events.empty()) {
      require_success(IDARootInit(memory(), static_cast<int>(ode_.events.size()), g),
                      "IDARootInit");
      IDASetRootDirection(memory(), root_directions_.data());
      IDASetNoInactiveRootWarn(memory());
    }
  }

  StepResult start(double t0, std::span<const double> y0, std::span<const double> y_dot0,
                   InitialValues given) {
    require(y_dot0.size() == y0.size(), "DaeIntegrator::start: y_dot0 has ", y_dot0.size(),
            " entries, y0 ", y0.size());
    require(std::ranges::all_of(y_dot0, [](double v) { return std::isfinite(v); }),
            "DaeIntegrator::start: y_dot0 is not finite");
    std::ranges::copy(y_dot0, y_dot().begin());
    Stepper::start(t0, y0);
    StepResult result;
    result.time = t0;
    return given == InitialValues::kConsistent
               ? result
               : find_consistent(given == InitialValues::kDifferential ? IDA_YA_YDP_INIT
                                                                       : IDA_Y_INIT);
  }

  std::span<double> y_dot() const { return span_of(rate_.get()); }

  Statistics statistics() const override {
    Statistics s;
    IDAGetNumSteps(memory(), &s.steps);
    IDAGetNumResEvals(memory(), &s.evaluations);
    IDAGetNumErrTestFails(memory(), &s.rejected);
    IDAGetNumJacEvals(memory(), &s.jacobians);
    return s;
  }

 private:
  void* memory() const { return memory_.get(); }

  void mark_differential() {
    const Vector id = make_vector();
    N_VConst(1.0, id.get());
    for (std::size_t i = 0; i < dae_.kinds.size(); ++i) {
      span_of(id.get())[i] = dae_.kinds[i] == ComponentKind::kDifferential ? 1 : 0;
    }
    require_success(IDASetId(memory(), id.get()), "IDASetId");
    IDASetSuppressAlg(memory(), SUNTRUE);
  }

  StepResult find_consistent(int what) {
    // The time is only a scale for the first guess of a step; the result does not depend on it.
    const double scale = options_.max_step > 0 ? options_.max_step : 1.0;
    bad_component_ = -1;
    const int code = IDACalcIC(memory(), what, time_ + scale);
    rethrow();
    if (code < 0) {
      starting_ = true;
      StepResult result = failure(status_of(code), code);
      starting_ = false;
      return result;
    }
    IDAGetConsistentIC(memory(), state_.get(), rate_.get());
    deliver();
    StepResult result;
    result.time = time_;
    return result;
  }

  void restart() override {
    require_success(IDAReInit(memory(), time_, state_.get(), rate_.get()), "IDAReInit");
  }
  int evolve(double t, bool one_step) override {
    return IDASolve(memory(), t, &time_, state_.get(), rate_.get(),
                    one_step ? IDA_ONE_STEP : IDA_NORMAL);
  }
  TimeSpan get_last_step() override {
    double end = 0, h = 0;
    IDAGetCurrentTime(memory(), &end);
    IDAGetLastStep(memory(), &h);
    return {end - h, end};
  }
  int get_dense(double t, int derivative, N_Vector y) override {
    return IDAGetDky(memory(), t, derivative, y);
  }
  void get_root_info(int* found) override { IDAGetRootInfo(memory(), found); }
  void get_errors(N_Vector errors, N_Vector weights) override {
    if (starting_) {
      N_VConst(0.0, errors);
      N_VConst(1.0, weights);
      return;
    }
    IDAGetEstLocalErrors(memory(), errors);
    IDAGetErrWeights(memory(), weights);
  }
  double reached() override {
    IDAGetCurrentTime(memory(), &time_);
    return time_;
  }
  /// An unsolvable component shows in the residual.
  bool get_rates(N_Vector rates) override {
    return call_F(time_, state_.get(), rate_.get(), rates) == 0;
  }

  Status status_of(int code) const override {
    switch (code) {
      case IDA_TOO_MUCH_WORK:
        return Status::kTooManySteps;
      case IDA_TOO_MUCH_ACC:
      case IDA_ERR_FAIL:
        return Status::kStepTooSmall;
      case IDA_CONV_FAIL:
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL:
      case IDA_LINESEARCH_FAIL:
      case IDA_NO_RECOVERY:
        return Status::kNoConvergence;
      case IDA_RES_FAIL:
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
        return Status::kNoValue;
      default:
        return Status::kFailed;
    }
  }

  int call_F(double t, N_Vector y, N_Vector y_dot, N_Vector residual) {
    return guarded([&] {
      has_value_ = dae_.F(t, span_of(y), span_of(y_dot), span_of(residual));
      has_value_ = has_value_ && are_finite(residual);
      return has_value_;
    });
  }

  static IdaStepper& self(void* user_data) { return *static_cast<IdaStepper*>(user_data); }
  static int F(double t, N_Vector y, N_Vector y_dot, N_Vector residual, void* user_data) {
    return self(user_data).call_F(t, y, y_dot, residual);
  }
  static int g(double t, N_Vector y, N_Vector, double* values, void* user_data) {
    return self(user_data).call_events(t, y, values);
  }
  static int jacobian(double t, double c, N_Vector y, N_Vector y_dot, N_Vector, SUNMatrix J,
                      void* user_data, N_Vector, N_Vector, N_Vector) {
    auto& stepper = self(user_data);
    return stepper.guarded(
        [&] { return stepper.dae_.jacobian(t, span_of(y), span_of(y_dot), c, columns_of(J)); });
  }

  Dae dae_;
  Vector rate_;
  bool starting_ = false;  // no step yet, so no error estimate
  Owned<SUNMatrix, FreeMatrix> matrix_;
  Owned<SUNLinearSolver, FreeLinearSolver> linear_solver_;
  std::unique_ptr<void, FreeIda> memory_;  // before the solvers it uses, in destruction
};

}  // namespace internal

DaeIntegrator::DaeIntegrator(Dae dae, const DaeOptions& options) {
  check(dae, "DaeIntegrator");
  stepper_ = std::make_unique<internal::IdaStepper>(std::move(dae), options);
}
DaeIntegrator::~DaeIntegrator() = default;
DaeIntegrator::DaeIntegrator(DaeIntegrator&&) noexcept = default;
DaeIntegrator& DaeIntegrator::operator=(DaeIntegrator&&) noexcept = default;

StepResult DaeIntegrator::start(double t0, std::span<const double> y0,
                                std::span<const double> y_dot0, InitialValues given) {
  return stepper_->start(t0, y0, y_dot0, given);
}
StepResult DaeIntegrator::advance_to(double t) { return stepper_->advance_to(t); }
StepResult DaeIntegrator::step() { return stepper_->step(); }
TimeSpan DaeIntegrator::last_step() const { return stepper_->last_step(); }
bool DaeIntegrator::interpolate(double t, std::span<double> y) const {
  return stepper_->interpolate(t, 0, y);
}
bool DaeIntegrator::interpolate_rate(double t, std::span<double> y_dot) const {
  return stepper_->interpolate(t, 1, y_dot);
}
int DaeIntegrator::size() const { return stepper_->ode().size; }
double DaeIntegrator::time() const { return stepper_->time(); }
std::span<const double> DaeIntegrator::y() const { return stepper_->x(); }
std::span<const double> DaeIntegrator::y_dot() const { return stepper_->y_dot(); }
Statistics DaeIntegrator::statistics() const { return stepper_->statistics(); }

}  // namespace camber::integrate
