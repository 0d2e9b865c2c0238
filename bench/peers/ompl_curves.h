#pragma once

// OMPL's state spaces of curves, for tests and benchmarks only.

#include <memory>

#include "camber/planning/geometry.h"

namespace camber::peers {

class OmplCurves {
 public:
  enum class Kind { kReedsShepp, kDubins };
  OmplCurves(Kind kind, double radius);
  ~OmplCurves();

  /// Length of the shortest path [m].
  double calc_length(const planning::Pose& from, const planning::Pose& to) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace camber::peers
