#pragma once

namespace camber::multibody {

/// How `ta` and `fa` keep their loops closed.
struct Stabilization {
  enum class Kind { kProjection, kBaumgarte, kNone };
  Kind kind = Kind::kProjection;
  double rate = 20;  // Baumgarte: errors decay as exp(-rate t), critically damped [1/s]
  /// 0 where the equations have no such term.
  double rate_in_equations() const { return kind == Kind::kBaumgarte ? rate : 0; }
};

}  // namespace camber::multibody
