#include "camber/multibody/constraint_embedding.h"

#include <algorithm>
#include <cmath>

#include "camber/multibody/scalars.h"

namespace camber::multibody {

template <class T>
EmbeddedWork<T>::EmbeddedWork(const Model<T>& model, const Partition& partition)
    : pos(model),
      vel(model),
      loops(model, partition),
      forces(model),
      bodies(model, partition),
      closure(model, partition),
      y(VectorX<T>::Constant(partition.ny(), T(0))),
      y_dot(VectorX<T>::Constant(partition.ny(), T(0))) {
  if constexpr (std::is_same_v<T, Lanes>) {
    if (RevoluteTree<T>::fits(model)) revolute_tree.emplace(model);
  }
}

const char* to_text(EvaluationStatus status) {
  switch (status) {
    case EvaluationStatus::kOk:
      return "ok";
    case EvaluationStatus::kLoopOpen:
      return "a loop cannot be closed";
    case EvaluationStatus::kSingular:
      return "the mechanism is at a singular configuration";
    case EvaluationStatus::kNoInertia:
      return "a joint moves no inertia";
    case EvaluationStatus::kNotFinite:
      return "a value is not finite";
  }
  return "";
}

namespace {

// Smaller pivots mean a singular configuration: the entries of Y are cosines, and lengths over that
// of the mechanism.
constexpr double kSingularPivot = 1e-12;

template <class T>
bool is_singular(const T& least_pivot, double length) {
  if constexpr (std::is_same_v<T, symbolic::Expr>) {
    return false;
  } else {
    using math::all;
    return !all(least_pivot > T(kSingularPivot * std::min(length, 1.0)));
  }
}

template <class T>
bool all_finite(const VectorX<T>& x) {
  if constexpr (std::is_same_v<T, double>) {
    return (x.array() * 0.0).sum() == 0;  // of several numbers at once
  } else {
    return true;
  }
}

template <class T>
bool all_finite(const VelocityKinematics<T>& vel, const Forces<T>& forces) {
  if constexpr (std::is_same_v<T, double>) {
    double sum = forces.tau.sum();
    for (std::size_t l = 0; l < vel.A.size(); ++l)
      sum += dot(vel.A[l], vel.A[l]) + dot(forces.F[l], forces.F[l]);
    return std::isfinite(sum);
  } else {
    return true;
  }
}

// To be called after all kinematics.
template <class T>
Evaluation calc_from_velocities(const Model<T>& model, const Partition& partition,
                                const VectorX<T>& q, const VectorX<T>& v, EmbeddedWork<T>* work,
                                VectorX<T>* v_dot) {
  Evaluation result;
  calc_forces(model, work->pos, work->vel, q, v, &work->forces);
  if (!calc_forward_dynamics(model, partition, work->pos, work->loops, work->vel, work->forces,
                             &work->bodies, &work->y_dot, v_dot)) {
    // A NaN velocity or force gives NaN pivots.
    result.status = all_finite(work->vel, work->forces) ? EvaluationStatus::kNoInertia
                                                        : EvaluationStatus::kNotFinite;
  } else if (!all_finite(*v_dot)) {
    result.status = EvaluationStatus::kNotFinite;
  }
  return result;
}

template <class T>
Evaluation calc_tree_dynamics(const Model<T>& model, const Partition& partition,
                              const VectorX<T>* v_dot_driven, const VectorX<T>& q,
                              const VectorX<T>& v, EmbeddedWork<T>* work, VectorX<T>* v_dot) {
  if constexpr (std::is_same_v<T, Lanes>) {
    if (work->revolute_tree && v_dot_driven == nullptr) {
      // Only forces along joints; if there are none, zeros remain.
      if (!model.axes.empty()) calc_forces(model, work->pos, work->vel, q, v, &work->forces);
      const bool ok = work->revolute_tree->calc_accelerations(q, v, work->forces.tau, v_dot);
      return {ok ? EvaluationStatus::kOk : EvaluationStatus::kNoInertia, {}};
    }
  }
  if (v_dot_driven != nullptr) work->loops.g = *v_dot_driven;  // the known part of v'
  calc_tree_kinematics(model, q, v, v_dot_driven, &work->pos, &work->vel);
  return calc_from_velocities(model, partition, q, v, work, v_dot);
}

// For a mechanism with loops, after the links are in place.
template <class T>
Evaluation calc_from_positions(const Model<T>& model, const Partition& partition,
                               const VectorX<T>* v_dot_driven, const VectorX<T>& q,
                               EmbeddedWork<T>* work, VectorX<T>* v, VectorX<T>* v_dot) {
  calc_loop_matrices(model, partition, work->pos, &work->loops);
  for (const auto& cluster : work->loops.clusters) {
    if (is_singular(cluster.least_pivot, model.length)) return {EvaluationStatus::kSingular, {}};
  }
  gather_speeds(partition, *v, &work->y);
  expand_speeds(model, partition, work->y, &work->loops, v);
  calc_velocity_kinematics(model, partition, work->pos, *v, v_dot_driven, &work->loops, &work->vel);
  return calc_from_velocities(model, partition, q, *v, work, v_dot);
}

}  // namespace

template <class T>
Evaluation calc_embedded_dynamics_at(const Model<T>& model, const Partition& partition,
                                     const VectorX<T>* v_dot_driven, const VectorX<T>& q,
                                     EmbeddedWork<T>* work, VectorX<T>* v, VectorX<T>* v_dot) {
  if (model.clusters.empty())
    return calc_tree_dynamics(model, partition, v_dot_driven, q, *v, work, v_dot);
  calc_position_kinematics(model, q, &work->pos);
  return calc_from_positions(model, partition, v_dot_driven, q, work, v, v_dot);
}

template <class T>
Evaluation calc_embedded_dynamics(const Model<T>& model, const Partition& partition,
                                  const VectorX<T>* v_dot_driven, EmbeddedWork<T>* work,
                                  VectorX<T>* q, VectorX<T>* v, VectorX<T>* v_dot) {
  if (!all_finite(*q) || !all_finite(*v)) return {EvaluationStatus::kNotFinite, {}};
  if (model.clusters.empty())
    return calc_tree_dynamics(model, partition, v_dot_driven, *q, *v, work, v_dot);
  const ClosureResult closure = close_loops(model, partition, &work->closure, q, &work->pos);
  if (!closure.closed) return {EvaluationStatus::kLoopOpen, closure};
  Evaluation result = calc_from_positions(model, partition, v_dot_driven, *q, work, v, v_dot);
  result.closure = closure;
  return result;
}

#define CAMBER_INSTANTIATE_ALL(T)                                                     \
  template struct EmbeddedWork<T>;                                                    \
  template Evaluation calc_embedded_dynamics_at(const Model<T>&, const Partition&,    \
                                                const VectorX<T>*, const VectorX<T>&, \
                                                EmbeddedWork<T>*, VectorX<T>*, VectorX<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE_ALL)
#undef CAMBER_INSTANTIATE_ALL

#define CAMBER_INSTANTIATE(T)                                                                      \
  template Evaluation calc_embedded_dynamics(const Model<T>&, const Partition&, const VectorX<T>*, \
                                             EmbeddedWork<T>*, VectorX<T>*, VectorX<T>*,           \
                                             VectorX<T>*);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(Dual)
CAMBER_INSTANTIATE(Lanes)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
