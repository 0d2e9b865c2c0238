#pragma once

#include <string>

#include "camber/integrate/step_result.h"

namespace camber::run {

enum class RunStatus {
  kRunning,
  kDone,     // reached its end, or a stop condition that ends it as intended
  kStopped,  // by its user
  kFailed,   // reason says why
};
const char* to_text(RunStatus status);

/// Outcome of a run of any kind.
struct RunResult {
  RunStatus status = RunStatus::kRunning;
  std::string reason = {};  // kFailed: a sentence with time and place
  bool is_broken = false;   // kFailed by an exception: a file that could not be read, a full disk
  std::string stop = {};    // the stop condition that ended it as intended; else empty
  double begin = 0;         // [s] of the first sample; not 0: continued from a checkpoint
  double time = 0;          // [s] of the last good state
  long samples = 0;
  double step = 0;  // [s] of fixed steps; 0: adaptive
  integrate::Statistics statistics = {};
  double wall_time = 0;  // [s]
};

}  // namespace camber::run
