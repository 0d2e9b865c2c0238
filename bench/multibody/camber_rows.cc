#include "bench/multibody/camber_rows.h"

#include <memory>
#include <stdexcept>

#include "bench/peers/camber_order.h"
#include "camber/core/require.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/fully_augmented.h"
#include "camber/multibody/partition.h"
#include "camber/multibody/scalars.h"
#include "camber/multibody/tree_augmented.h"

namespace camber::bench {
namespace {

using multibody::EmbeddedWork;
using multibody::EvaluationStatus;
using multibody::FullyAugmented;
using multibody::Lanes;
using multibody::MechanismTree;
using multibody::Model;
using multibody::Partition;
using multibody::Stabilization;
using multibody::TreeAugmented;

template <class T>
struct LaneCount {
  static constexpr int value = 1;
};
template <int N>
struct LaneCount<math::Lanes<N>> {
  static constexpr int value = N;
};

double first_lane(double x) { return x; }
template <int N>
double first_lane(const math::Lanes<N>& x) {
  return x.lane(0);
}

/// Everything that one evaluation needs, sized once.
template <class T>
class EmbeddedRow {
 public:
  explicit EmbeddedRow(const MultibodyProblem& problem)
      : mechanism_(multibody::compile(problem.mechanism)),
        order_(problem.tree, mechanism_),
        model_(make_model(mechanism_.model)),
        partition_(choose_partition(mechanism_, order_.to_camber(problem.states.at(0)).q,
                                    problem.mechanism.independent)),
        work_(model_, partition_),
        v_dot_(VectorX<T>::Constant(model_.nv, T(0))) {
    const int n = static_cast<int>(problem.states.size());
    for (int i = 0; i < n; ++i) {
      states_.push_back(
          {VectorX<T>::Constant(model_.nq, T(0)), VectorX<T>::Constant(model_.nv, T(0))});
      for (int lane = 0; lane < LaneCount<T>::value; ++lane) {
        const PeerState state = order_.to_camber(problem.states[(i + lane) % n]);
        for (int k = 0; k < model_.nq; ++k) set_lane(lane, state.q[k], &states_[i].q[k]);
        for (int k = 0; k < model_.nv; ++k) set_lane(lane, state.v[k], &states_[i].v[k]);
      }
    }
    now_ = states_[0];
  }

  // From a copy: what is dependent in q and v is overwritten.
  void evaluate(int state) {
    now_.q = states_[state].q;
    now_.v = states_[state].v;
    const auto evaluation =
        calc_embedded_dynamics(model_, partition_, static_cast<const VectorX<T>*>(nullptr), &work_,
                               &now_.q, &now_.v, &v_dot_);
    if (!evaluation.ok()) throw std::runtime_error(to_text(evaluation.status));
  }

  VectorX<double> accelerations() const {
    VectorX<double> v_dot(model_.nv);
    for (int i = 0; i < model_.nv; ++i) v_dot[i] = first_lane(v_dot_[i]);
    return order_.speeds_from_camber(v_dot);
  }

 private:
  struct State {
    VectorX<T> q, v;
  };

  static Model<T> make_model(const Model<double>& model) {
    if constexpr (std::is_same_v<T, double>) {
      return model;
    } else {
      return multibody::cast_model<T>(model);
    }
  }
  static void set_lane(int, double x, double* to) { *to = x; }
  template <int N>
  static void set_lane(int lane, double x, math::Lanes<N>* to) {
    to->set_lane(lane, x);
  }

  MechanismTree mechanism_;
  CamberOrder order_;
  Model<T> model_;
  Partition partition_;
  EmbeddedWork<T> work_;
  VectorX<T> v_dot_;
  std::vector<State> states_;
  State now_;
};

template <class Row>
Contestant make_contestant(std::string name, const MultibodyProblem& problem) {
  const auto row = std::make_shared<Row>(problem);
  Contestant contestant;
  contestant.engine = std::move(name);
  contestant.evaluate = [row](int state) { row->evaluate(state); };
  contestant.accelerations = [row] { return row->accelerations(); };
  return contestant;
}

void require_ok(EvaluationStatus status) {
  if (status != EvaluationStatus::kOk) throw std::runtime_error(to_text(status));
}

// States are closed, and what an integrator does about drift is not a part of accelerations.
class TreeAugmentedRow {
 public:
  explicit TreeAugmentedRow(const MultibodyProblem& problem)
      : mechanism_(multibody::compile(problem.mechanism)), order_(problem.tree, mechanism_) {
    for (const PeerState& state : problem.states) states_.push_back(order_.to_camber(state));
    dynamics_.emplace(mechanism_, states_.at(0).q, kNoStabilization);
    v_dot_.setZero(mechanism_.model.nv);
  }

  void evaluate(int state) {
    require_ok(dynamics_->calc_accelerations(states_[state].q, states_[state].v, nullptr, &v_dot_));
  }
  VectorX<double> accelerations() const { return order_.speeds_from_camber(v_dot_); }

  static constexpr Stabilization kNoStabilization{Stabilization::Kind::kNone};

 private:
  MechanismTree mechanism_;
  CamberOrder order_;
  std::vector<PeerState> states_;
  std::optional<TreeAugmented> dynamics_;
  VectorX<double> v_dot_;
};

class FullyAugmentedRow {
 public:
  explicit FullyAugmentedRow(const MultibodyProblem& problem)
      : mechanism_(multibody::compile(problem.mechanism)), order_(problem.tree, mechanism_) {
    for (const PeerState& state : problem.states) tree_states_.push_back(order_.to_camber(state));
    dynamics_.emplace(mechanism_, tree_states_.at(0).q, TreeAugmentedRow::kNoStabilization);
    for (const PeerState& state : tree_states_) {
      states_.push_back({VectorX<double>::Zero(dynamics_->model().nq),
                         VectorX<double>::Zero(dynamics_->model().nv)});
      dynamics_->take_state(mechanism_, state.q, state.v, &states_.back().q, &states_.back().v);
    }
    v_dot_.setZero(dynamics_->model().nv);
  }

  void evaluate(int state) {
    last_ = state;
    require_ok(dynamics_->calc_accelerations(states_[state].q, states_[state].v, {}, &v_dot_));
  }

  VectorX<double> accelerations() const {
    VectorX<double> v_dot = VectorX<double>::Zero(mechanism_.model.nv);
    dynamics_->give_accelerations(mechanism_, tree_states_[last_].q, tree_states_[last_].v, v_dot_,
                                  &v_dot);
    return order_.speeds_from_camber(v_dot);
  }

 private:
  MechanismTree mechanism_;
  CamberOrder order_;
  std::vector<PeerState> tree_states_, states_;
  std::optional<FullyAugmented> dynamics_;
  VectorX<double> v_dot_;
  int last_ = 0;
};

}  // namespace

std::optional<Contestant> make_camber_tree(const MultibodyProblem& problem) {
  return make_contestant<EmbeddedRow<double>>("camber", problem);
}

std::optional<Contestant> make_camber_lanes(const MultibodyProblem& problem) {
  constexpr int kLanes = LaneCount<Lanes>::value;
  Contestant contestant =
      make_contestant<EmbeddedRow<Lanes>>(concat("camber ", kLanes, " lanes"), problem);
  contestant.lanes = kLanes;
  return contestant;
}

std::optional<Contestant> make_camber_loops(const MultibodyProblem& problem,
                                            const std::string& formulation) {
  if (formulation == "ce") return make_contestant<EmbeddedRow<double>>("camber ce", problem);
  if (formulation == "ta") return make_contestant<TreeAugmentedRow>("camber ta", problem);
  if (formulation == "fa") return make_contestant<FullyAugmentedRow>("camber fa", problem);
  return std::nullopt;
}

}  // namespace camber::bench
