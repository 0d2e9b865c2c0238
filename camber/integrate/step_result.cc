#include "camber/integrate/step_result.h"

namespace camber::integrate {

const char* to_text(Status status) {
  switch (status) {
    case Status::kDone:
      return "done";
    case Status::kEvent:
      return "stopped by an event";
    case Status::kStepTooSmall:
      return "the error stays too large for any step size";
    case Status::kTooManySteps:
      return "too many steps";
    case Status::kNoConvergence:
      return "the implicit equations of a step do not converge";
    case Status::kNoValue:
      return "the derivatives have no value";
    case Status::kProjectionFailed:
      return "no state near the solution meets the constraints";
    case Status::kFailed:
      break;
  }
  return "the integrator failed";
}

}  // namespace camber::integrate
