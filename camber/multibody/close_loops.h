#pragma once

#include "camber/multibody/loop_kinematics.h"

namespace camber::multibody {

struct ClosureResult {
  bool closed = true;
  int cluster = -1;    // where it failed
  int iterations = 0;  // of the cluster that took the most
  double error = 0;    // largest remaining one of the rows in use [m] or [1]
};

/// Scratch, sized once.
template <class T>
struct ClosureWork {
  ClosureWork(const Model<T>& model, const Partition& partition);
  std::vector<T> Y, Y1_inverse, block, error, x;
  VectorX<T> step;
};

/// Changes the dependent coordinates until all loops are closed, keeps the others, and fills `pos`:
/// replaces calc_position_kinematics(). Newton's method starting at q, with shortened steps where a
/// full one would open a loop further, until the error is rounding. Dual numbers end with exact
/// derivatives, since the last Newton step is taken at the solution. Not for expressions, which
/// have no values to iterate on.
template <class T>
ClosureResult close_loops(const Model<T>& model, const Partition& partition, ClosureWork<T>* work,
                          VectorX<T>* q, PositionKinematics<T>* pos);

}  // namespace camber::multibody
