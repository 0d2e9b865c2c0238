// CVODE: variable-order, variable-step multistep methods [Hindmarsh et al. 2005]. Newton's
// equations of BDF are solved with dense LU; the projection is CVODE's own (CVodeSetProjFn), which
// corrects the step before it enters the history.
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "camber/integrate/stepper.h"

namespace camber::integrate::internal {
namespace {

struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};
class CvodeStepper final : public Stepper {
 public:
  CvodeStepper(Ode ode, IntegratorOptions options)
      : Stepper("Integrator", std::move(ode), std::move(options)),
        memory_(CVodeCreate(options_.method == Method::kBdf ? CV_BDF : CV_ADAMS, context_)) {
    require_success(CVodeInit(memory(), f, 0.0, state_.get()), "CVodeInit");
    CVodeSetErrHandlerFn(memory(), keep_quiet, nullptr);
    set_tolerances(CVodeSVtolerances, memory());
    CVodeSetUserData(memory(), this);
    CVodeSetMaxNumSteps(memory(), options_.max_steps);
    CVodeSetMaxStep(memory(), options_.max_step);
    CVodeSetInitStep(memory(), options_.first_step);
    if (options_.method == Method::kBdf) {
      set_up_newton();
    } else {
      set_up_fixed_point();
    }
    if (!ode_.events.empty()) {
      require_success(CVodeRootInit(memory(), static_cast<int>(ode_.events.size()), g),
                      "CVodeRootInit");
      CVodeSetRootDirection(memory(), root_directions_.data());
      CVodeSetNoInactiveRootWarn(memory());
    }
  }

  Statistics statistics() const override {
    Statistics s;
    CVodeGetNumSteps(memory(), &s.steps);
    CVodeGetNumRhsEvals(memory(), &s.evaluations);
    CVodeGetNumErrTestFails(memory(), &s.rejected);
    if (matrix_) {
      CVodeGetNumJacEvals(memory(), &s.jacobians);
    }
    return s;
  }

 private:
  void* memory() const { return memory_.get(); }

  void set_up_newton() {
    matrix_.reset(SUNDenseMatrix(ode_.size, ode_.size, context_));
    linear_solver_.reset(SUNLinSol_Dense(state_.get(), matrix_.get(), context_));
    require_success(CVodeSetLinearSolver(memory(), linear_solver_.get(), matrix_.get()),
                    "CVodeSetLinearSolver");
    if (ode_.jacobian) {
      require_success(CVodeSetJacFn(memory(), jacobian), "CVodeSetJacFn");
    }
    if (ode_.project) {
      require_success(CVodeSetProjFn(memory(), project), "CVodeSetProjFn");
      CVodeSetProjErrEst(memory(), SUNFALSE);
    }
  }

  void set_up_fixed_point() {
    nonlinear_solver_.reset(SUNNonlinSol_FixedPoint(state_.get(), 0, context_));
    require_success(CVodeSetNonlinearSolver(memory(), nonlinear_solver_.get()),
                    "CVodeSetNonlinearSolver");
  }

  void restart() override {
    require_success(CVodeReInit(memory(), time_, state_.get()), "CVodeReInit");
  }
  int evolve(double t, bool one_step) override {
    return CVode(memory(), t, state_.get(), &time_, one_step ? CV_ONE_STEP : CV_NORMAL);
  }
  TimeSpan get_last_step() override {
    double end = 0, h = 0;
    CVodeGetCurrentTime(memory(), &end);
    CVodeGetLastStep(memory(), &h);
    return {end - h, end};
  }
  int get_dense(double t, int derivative, N_Vector x) override {
    return CVodeGetDky(memory(), t, derivative, x);
  }
  void get_root_info(int* found) override { CVodeGetRootInfo(memory(), found); }
  void get_errors(N_Vector errors, N_Vector weights) override {
    CVodeGetEstLocalErrors(memory(), errors);
    CVodeGetErrWeights(memory(), weights);
  }
  double reached() override {
    CVodeGetCurrentTime(memory(), &time_);
    return time_;
  }

  bool get_rates(N_Vector rates) override { return call_f(time_, state_.get(), rates) == 0; }

  Status status_of(int code) const override {
    switch (code) {
      case CV_TOO_MUCH_WORK:
        return Status::kTooManySteps;
      case CV_TOO_MUCH_ACC:
      case CV_ERR_FAILURE:
        return Status::kStepTooSmall;
      case CV_CONV_FAILURE:
      case CV_LSETUP_FAIL:
      case CV_LSOLVE_FAIL:
        return Status::kNoConvergence;
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR:
        return Status::kNoValue;
      case CV_PROJFUNC_FAIL:
      case CV_REPTD_PROJFUNC_ERR:
        return Status::kProjectionFailed;
      default:
        return Status::kFailed;
    }
  }

  static CvodeStepper& self(void* user_data) { return *static_cast<CvodeStepper*>(user_data); }
  static int f(double t, N_Vector x, N_Vector x_dot, void* user_data) {
    return self(user_data).call_f(t, x, x_dot);
  }
  static int g(double t, N_Vector x, double* values, void* user_data) {
    return self(user_data).call_events(t, x, values);
  }
  static int jacobian(double t, N_Vector x, N_Vector, SUNMatrix J, void* user_data, N_Vector,
                      N_Vector, N_Vector) {
    auto& stepper = self(user_data);
    return stepper.guarded([&] { return stepper.ode_.jacobian(t, span_of(x), columns_of(J)); });
  }
  /// CVODE asks for the correction, the Ode moves the state: corr is scratch for the moved state.
  static int project(double t, N_Vector x, N_Vector correction, double, N_Vector, void* user_data) {
    N_VScale(1.0, x, correction);
    const int code = self(user_data).call_project(t, correction);
    N_VLinearSum(1.0, correction, -1.0, x, correction);
    return code;
  }

  Owned<SUNMatrix, FreeMatrix> matrix_;
  Owned<SUNLinearSolver, FreeLinearSolver> linear_solver_;
  Owned<SUNNonlinearSolver, FreeNonlinearSolver> nonlinear_solver_;
  std::unique_ptr<void, FreeCvode> memory_;  // before the solvers it uses, in destruction
};

}  // namespace

std::unique_ptr<Stepper> make_cvode_stepper(Ode ode, IntegratorOptions options) {
  return std::make_unique<CvodeStepper>(std::move(ode), std::move(options));
}

}  // namespace camber::integrate::internal
