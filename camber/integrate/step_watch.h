#pragma once

#include <span>
#include <vector>

#include "camber/integrate/fixed_step.h"

namespace camber::integrate {

/// Estimates how far fixed steps are from the motion, from rates that they evaluate anyway: steps
/// of a stiff law (friction near rest, hard stops) may be stable and wrong. Costs some ten
/// operations for each speed and step, and allocates nothing after construction.
///
/// Each step is begin(), then take() for each of its evaluations in their order, then end().
class StepWatch {
 public:
  StepWatch(FixedStep method, int nv);

  void begin(double h);                      // [s]
  void take(std::span<const double> v_dot);  // of the next stage
  void end(std::span<const double> v);       // speeds after the step

  struct Finding {
    /// Sum of the estimated errors of all steps in one speed, over the largest value of that speed.
    double error = 0;
    int component = -1;  // of the speeds: the one with the largest error; -1: none yet
    /// Steps whose error in some speed is more than a tenth of its largest value until then.
    long lost_steps = 0;
    /// The error of a step was ten times the largest speed: the steps diverge.
    bool is_wild = false;
  };
  Finding finding() const;
  /// Whether the motion is to be doubted: rk4 by its sum of errors, the methods of low order, whose
  /// errors of a smooth motion mostly cancel, by the steps that lost it.
  bool is_doubtful() const;

 private:
  void settle(std::span<const double> next);
  double scale(std::size_t i) const;

  FixedStep method_;
  std::size_t stages_;
  std::vector<std::vector<double>> k_;  // rates by stage
  std::size_t stage_ = 0;
  double h_ = 0;        // [s] of the step under way
  double h_done_ = 0;   // [s] of the step that waits for the rate at its end; 0: none
  double largest_ = 0;  // of all speeds
  std::vector<double> max_speed_, error_;
  long lost_steps_ = 0;
  bool is_wild_ = false;
};

}  // namespace camber::integrate
