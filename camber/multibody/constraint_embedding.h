#pragma once

#include <optional>

#include "camber/multibody/close_loops.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/revolute_tree.h"

namespace camber::multibody {

/// Everything that one evaluation of the constraint-embedded dynamics needs; sized once, one per
/// thread. If there is a `revolute_tree`, only that is filled, unless joints are driven.
template <class T>
struct EmbeddedWork {
  EmbeddedWork(const Model<T>& model, const Partition& partition);

  PositionKinematics<T> pos;
  VelocityKinematics<T> vel;
  LoopKinematics<T> loops;
  Forces<T> forces;
  ArticulatedBodies<T> bodies;
  ClosureWork<T> closure;
  std::optional<RevoluteTree<T>> revolute_tree;  // for lanes, if the model is such a tree
  VectorX<T> y, y_dot;
};

enum class EvaluationStatus {
  kOk,
  kLoopOpen,   // a loop cannot be closed from here
  kSingular,   // the loops' equations do not determine the dependent speeds here: partition or
               // mechanism is singular
  kNoInertia,  // a joint moves no inertia
  kNotFinite,  // a coordinate, speed or acceleration is not finite
};
const char* to_text(EvaluationStatus status);

struct Evaluation {
  EvaluationStatus status = EvaluationStatus::kOk;
  ClosureResult closure;
  bool ok() const { return status == EvaluationStatus::kOk; }
};

/// Accelerations by constraint embedding [002]: `ce`. The dependent coordinates in q and speeds in
/// v are starting values and are made consistent with the independent ones; v_dot has all
/// accelerations. Driven coordinates and speeds are in q and v, their accelerations in v_dot_driven
/// (null if nothing is driven). Does not allocate.
template <class T>
Evaluation calc_embedded_dynamics(const Model<T>& model, const Partition& partition,
                                  const VectorX<T>* v_dot_driven, EmbeddedWork<T>* work,
                                  VectorX<T>* q, VectorX<T>* v, VectorX<T>* v_dot);

/// The same for a q whose loops are already closed and which is not changed; also for expressions.
template <class T>
Evaluation calc_embedded_dynamics_at(const Model<T>& model, const Partition& partition,
                                     const VectorX<T>* v_dot_driven, const VectorX<T>& q,
                                     EmbeddedWork<T>* work, VectorX<T>* v, VectorX<T>* v_dot);

}  // namespace camber::multibody
