#include "bench/multibody/camber_rows.h"

#include <memory>
#include <stdexcept>

#include "bench/peers/camber_order.h"
#include "camber/core/require.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/partition.h"
#include "camber/multibody/scalars.h"

namespace camber::bench {
namespace {

using multibody::CompiledMechanism;
using multibody::EmbeddedWork;
using multibody::Lanes;
using multibody::Model;
using multibody::Partition;

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

  CompiledMechanism mechanism_;
  CamberOrder order_;
  Model<T> model_;
  Partition partition_;
  EmbeddedWork<T> work_;
  VectorX<T> v_dot_;
  std::vector<State> states_;
  State now_;
};

template <class T>
Contestant make_embedded_contestant(std::string name, const MultibodyProblem& problem) {
  const auto row = std::make_shared<EmbeddedRow<T>>(problem);
  Contestant contestant;
  contestant.engine = std::move(name);
  contestant.lanes = LaneCount<T>::value;
  contestant.evaluate = [row](int state) { row->evaluate(state); };
  contestant.accelerations = [row] { return row->accelerations(); };
  return contestant;
}

}  // namespace

std::optional<Contestant> make_camber_tree(const MultibodyProblem& problem) {
  return make_embedded_contestant<double>("camber", problem);
}

std::optional<Contestant> make_camber_lanes(const MultibodyProblem& problem) {
  return make_embedded_contestant<Lanes>(concat("camber ", LaneCount<Lanes>::value, " lanes"),
                                         problem);
}

std::optional<Contestant> make_camber_loops(const MultibodyProblem& problem,
                                            const std::string& formulation) {
  if (formulation == "ce") return make_embedded_contestant<double>("camber ce", problem);
  return std::nullopt;
}

}  // namespace camber::bench
