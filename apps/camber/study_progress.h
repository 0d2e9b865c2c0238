#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "camber/study/coordinator.h"

namespace camber::app {

/// "[####      ]  412 of 1024  12.4 / s  0:49 left  97 % pass  peak_roll_deg 2.1 3.0 4.4": a line
/// about a study in progress. `percentiles` are 5, 50, 95 % of a figure.
std::string study_progress_text(long done, long total, long done_here, double wall, long passed,
                                long answers, const std::string& tail);

/// One line on a terminal's stderr that follows a study; nothing if stderr is not a terminal.
class StudyProgress {
 public:
  StudyProgress(const study::Study& study, const study::StudyFacts& facts);
  ~StudyProgress();
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;

  void update(const study::Progress& progress);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_shown_, is_drawn_ = false;
  std::string figure_;  // whose percentiles are shown
  std::size_t figure_at_ = 0;
  long first_done_ = -1, last_total_ = -1;
  Clock::time_point start_, next_draw_;
};

}  // namespace camber::app
