#include "camber/lagrange/cut_hinge.h"

#include <array>
#include <string>

namespace camber::lagrange {

namespace {

constexpr std::array<const char*, 3> kAxisNames = {"x", "y", "z"};

/// Collects the constraints of one hinge.
class Closure {
 public:
  Closure(System* system, std::string_view name, const Frame& inboard, const Frame& outboard)
      : system_(system),
        name_(name),
        relative_(relative(inboard, outboard)),
        R_(relative_.rotation()),
        p_(relative_.origin()) {}

  void keep_together(int axis) { add(kAxisNames[axis], p_[axis]); }
  /// The first frame's axis i stays normal to the second's axis j: no rotation about the third.
  void keep_normal(int i, int j) { add(std::string("r") + kAxisNames[3 - i - j], R_(i, j)); }

 private:
  void add(const std::string& component, const Expr& expression) {
    system_->constraints.push_back(
        {name_ + "." + component, expression, Constraint::Kind::kHolonomic});
  }

  System* system_;
  std::string name_;
  Frame relative_;
  Matrix3 R_;
  Vector3 p_;
};

}  // namespace

void close_loop(System* system, std::string_view name, const Frame& inboard, const Frame& outboard,
                Hinge hinge, Axis axis) {
  Closure closure(system, name, inboard, outboard);
  const int i = static_cast<int>(axis);
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  const bool along = hinge == Hinge::kPrismatic || hinge == Hinge::kCylindrical;
  const bool across = hinge == Hinge::kPlanar;
  if (!along) closure.keep_together(i);
  if (!across) {
    closure.keep_together(j);
    closure.keep_together(k);
  }
  switch (hinge) {
    case Hinge::kSpherical:
      break;
    case Hinge::kUniversal:
      closure.keep_normal(i, j);
      break;
    case Hinge::kRevolute:
    case Hinge::kCylindrical:
    case Hinge::kPlanar:  // axis i of one is normal to both other axes of the other
      closure.keep_normal(i, j);
      closure.keep_normal(i, k);
      break;
    case Hinge::kFixed:
    case Hinge::kPrismatic:
      closure.keep_normal(i, j);
      closure.keep_normal(j, k);
      closure.keep_normal(k, i);
      break;
  }
}

void close_loop_in_plane(System* system, std::string_view name, const Frame& inboard,
                         const Frame& outboard, Axis normal) {
  Closure closure(system, name, inboard, outboard);
  const int i = static_cast<int>(normal);
  closure.keep_together((i + 1) % 3);
  closure.keep_together((i + 2) % 3);
}

}  // namespace camber::lagrange
