#pragma once

#include <string>

namespace camber::integrate {

enum class Status {
  kDone,
  kEvent,             // an event that stops happened
  kStepTooSmall,      // the error stays too large for any step size
  kTooManySteps,      // max_steps of the options
  kNoConvergence,     // of the implicit equations
  kNoValue,           // f returned false, or a component became infinite or NaN
  kProjectionFailed,  // no state that meets the constraints was found near the solution
  kFailed,            // anything else that SUNDIALS reports
};
const char* to_text(Status status);

/// How far the integration went, and why it ended.
struct StepResult {
  Status status = Status::kDone;
  double time = 0;     // [s] reached
  int event = -1;      // kEvent: which one; otherwise the last event reported before, if any
  int component = -1;  // kStepTooSmall, kNoValue, ...: the one with the largest error
  std::string text;    // description of a failure, with time and component; else empty
  bool ok() const { return status == Status::kDone || status == Status::kEvent; }
};

struct TimeSpan {
  double begin = 0, end = 0;  // [s]
};

struct Statistics {
  long steps = 0;
  long evaluations = 0;  // of f, difference quotients left out
  long jacobians = 0;
  long rejected = 0;  // steps whose error was too large
};

}  // namespace camber::integrate
