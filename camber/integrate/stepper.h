#pragma once

#include <exception>
#include <memory>
#include <vector>

#include <sundials/sundials_context.hpp>

#include "camber/integrate/integrator.h"
#include "camber/integrate/sundials_handles.h"

namespace camber::integrate::internal {

/// What the SUNDIALS packages have in common: the state, calls back into the Ode, results. For a
/// Dae, the Ode holds everything except the equations: f is empty. SUNDIALS calls C functions with
/// a pointer to this object; exceptions are stored while C code is on the stack and rethrown
/// afterwards.
class Stepper {
 public:
  /// `caller` is the name of the public class, for messages.
  Stepper(const char* caller, Ode ode, IntegratorOptions options);
  virtual ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  void start(double t0, std::span<const double> x0);
  StepResult advance_to(double t);
  StepResult step();
  TimeSpan last_step();
  /// Interpolates the state (derivative 0), which is then projected, or its time derivative.
  bool interpolate(double t, int derivative, std::span<double> x);

  const Ode& ode() const { return ode_; }
  double time() const { return time_; }
  std::span<const double> x() const { return delivered_; }
  virtual Statistics statistics() const = 0;

  // For the C functions: 0, or the code that SUNDIALS expects for a failure that a smaller step may
  // avoid.
  int call_f(double t, N_Vector x, N_Vector x_dot);
  int call_project(double t, N_Vector x);
  int call_events(double t, N_Vector x, double* g);
  template <class Function>
  int guarded(Function&& function) {
    if (exception_) {
      return -1;  // CVODE's fixed-point iteration would repeat a recoverable failure
    }
    try {
      return function() ? 0 : 1;
    } catch (...) {
      exception_ = std::current_exception();
      return -1;
    }
  }

 protected:
  static constexpr int kRoot = 2;  // CV_, ARK_ and IDA_ROOT_RETURN

  /// Restarts the solver at time_ with state_.
  virtual void restart() = 0;
  /// Advances to t, or by one step, or up to a root. Returns SUNDIALS' code.
  virtual int evolve(double t, bool one_step) = 0;
  virtual TimeSpan get_last_step() = 0;
  virtual int get_dense(double t, int derivative, N_Vector x) = 0;
  virtual Status status_of(int code) const = 0;
  virtual void get_root_info(int* found) = 0;
  /// Estimated error of each component in the last step, and the weight it has.
  virtual void get_errors(N_Vector errors, N_Vector weights) = 0;
  virtual double reached() = 0;
  /// The rate of change of each component at time_; returns false if it has no value.
  virtual bool get_rates(N_Vector rates) = 0;

  void set_tolerances(int (*set)(void*, double, N_Vector), void* memory);
  Vector make_vector() const;
  static void keep_quiet(int, const char*, const char*, char*, void*) {}

  /// Returns false if a value is not finite, and records the first one.
  bool are_finite(N_Vector values);
  StepResult failure(Status status, int code = 0);
  /// Rethrows the exception that a callback threw while C code was on the stack.
  void rethrow();
  /// state_ becomes x().
  void deliver();

  const char* caller_;
  Ode ode_;
  IntegratorOptions options_;
  sundials::Context context_;
  Vector state_;
  double time_ = 0;
  std::vector<int> root_directions_;
  bool has_value_ = true;      // whether the last call of f had a value
  bool lacked_value_ = false;  // whether f lacked a value since the last step of sufficient length
  int bad_component_ = -1;     // the last one in this interval that was not finite

 private:
  StepResult advance(double t, bool one_step);
  int worst_component();
  /// Index of the largest |value| times weight, or -1 if all are zero.
  int largest(N_Vector values) const;
  /// The event that ended the interval, or the last of the others.
  int take_events(bool* stops);

  Vector errors_, weights_, dense_;
  std::vector<int> found_;
  std::vector<double> delivered_;
  std::exception_ptr exception_;
  bool started_ = false;
  int short_steps_ = 0;  // in a row, by step()
};

std::unique_ptr<Stepper> make_cvode_stepper(Ode ode, IntegratorOptions options);
std::unique_ptr<Stepper> make_erk_stepper(Ode ode, IntegratorOptions options);

/// Throws std::invalid_argument for invalid tolerances and steps.
void check(const IntegratorOptions& options, const Ode& ode);

/// Throws std::runtime_error if a setup call of SUNDIALS fails, which only a bug of ours or lack of
/// memory can cause.
void require_success(int code, const char* call);

}  // namespace camber::integrate::internal
