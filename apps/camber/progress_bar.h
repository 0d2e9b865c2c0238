#pragma once

#include <chrono>
#include <string>

namespace camber::app {

/// What a line about a run in progress says: "[#####     ]  50 %  t = 5 s  12.5 x real time  0:01
/// left". `wall` is the time that it has taken so far; a duration of 0 or less means that it is not
/// known.
std::string progress_text(double time, double duration, double wall, int width);

/// One line on a terminal's stderr that follows a run and is gone at its end. When stderr is not a
/// terminal nothing is ever written, and stdout never is.
class ProgressBar {
 public:
  using Clock = std::chrono::steady_clock;

  /// `duration` [s] of simulated time, from 0; 0 if not known.
  explicit ProgressBar(double duration);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// After each sample, or as often as you like: draws at most ten times a second, and else costs a
  /// look at the clock (nothing without a terminal).
  void update(double time) {
    if (is_shown_) draw_if_due(time);
  }

  /// Takes the line away, before something else goes to the terminal; update() brings it back.
  void clear();

  bool is_shown() const { return is_shown_; }

 private:
  void draw_if_due(double time);

  double duration_;
  bool is_shown_;
  bool is_drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_draw_;
};

}  // namespace camber::app
