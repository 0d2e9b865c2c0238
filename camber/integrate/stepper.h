#pragma once

#include <exception>
#include <memory>
#include <vector>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.hpp>

#include "camber/integrate/integrator.h"

namespace camber::integrate::internal {

struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;

std::span<double> span_of(N_Vector v);

/// What the SUNDIALS packages have in common: the state, calls back into the Ode, results.
/// SUNDIALS calls C functions with a pointer to this object; exceptions are kept on their way
/// through C and thrown again behind it.
class Stepper {
 public:
  Stepper(Ode ode, IntegratorOptions options);
  virtual ~Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  void start(double t0, std::span<const double> x0);
  StepResult advance_to(double t);

  const Ode& ode() const { return ode_; }
  double time() const { return time_; }
  std::span<const double> x() const { return delivered_; }
  virtual Statistics statistics() const = 0;

  // For the C functions: 0, or what SUNDIALS expects of a failure that a smaller step may cure.
  int call_f(double t, N_Vector x, N_Vector x_dot);
  int call_project(double t, N_Vector x);
  int call_events(double t, N_Vector x, double* g);
  template <class Function>
  int guarded(Function&& function) {
    if (exception_) {
      return -1;  // CVODE's fixed-point iteration comes back after the first one
    }
    try {
      return function() ? 0 : 1;
    } catch (...) {
      exception_ = std::current_exception();
      return -1;
    }
  }

 protected:
  static constexpr int kRoot = 2;  // CV_ROOT_RETURN and ARK_ROOT_RETURN

  /// At time_ with state_.
  virtual void restart() = 0;
  /// To t, or up to a root: SUNDIALS' code for the outcome.
  virtual int evolve(double t) = 0;
  virtual Status status_of(int code) const = 0;
  virtual void get_root_info(int* found) = 0;
  /// Estimated error of each component in the last step, and the weight it has.
  virtual void get_errors(N_Vector errors, N_Vector weights) = 0;
  virtual double reached() = 0;

  void set_tolerances(int (*set)(void*, double, N_Vector), void* memory);
  Vector make_vector() const;
  static void keep_quiet(int, const char*, const char*, char*, void*) {}

  Ode ode_;
  IntegratorOptions options_;
  sundials::Context context_;
  Vector state_;
  double time_ = 0;
  std::vector<int> root_directions_;
  bool has_value_ = true;   // whether f had one when it was called last
  int bad_component_ = -1;  // the last one on this stretch that was not finite

 private:
  StepResult failure(Status status, int code = 0);
  int worst_component();
  /// The largest of |values| times weight that is above zero, or -1.
  int largest(N_Vector values) const;
  /// The event that ends the stretch, or the last of the others.
  int take_events(bool* stops);

  Vector errors_, weights_;
  std::vector<int> found_;
  std::vector<double> delivered_;
  std::exception_ptr exception_;
  bool started_ = false;
};

std::unique_ptr<Stepper> make_cvode_stepper(Ode ode, IntegratorOptions options);
std::unique_ptr<Stepper> make_erk_stepper(Ode ode, IntegratorOptions options);

/// Throws std::runtime_error: a setup call of SUNDIALS that can only fail by our own mistake or for
/// lack of memory.
void require_success(int code, const char* call);

}  // namespace camber::integrate::internal
