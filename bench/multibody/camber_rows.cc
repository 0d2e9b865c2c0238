#include "bench/multibody/camber_rows.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "bench/peers/camber_order.h"
#include "camber/core/require.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/forward_dynamics.h"
#include "camber/multibody/scalars.h"

namespace camber::bench {
namespace {

using multibody::ArticulatedBodies;
using multibody::CompiledMechanism;
using multibody::Forces;
using multibody::Lanes4;
using multibody::Lanes8;
using multibody::LoopKinematics;
using multibody::Model;
using multibody::Partition;
using multibody::PositionKinematics;
using multibody::VelocityKinematics;

#ifdef __AVX512F__
using Lanes = Lanes8;
#else
using Lanes = Lanes4;
#endif

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

// Without loops and driven joints, y is v.
template <class T>
Partition make_tree_partition(const Model<T>& model) {
  Partition partition;
  for (const auto& link : model.links) partition.y_of_link.push_back(link.v_start);
  partition.v_of_y.resize(model.nv);
  std::iota(partition.v_of_y.begin(), partition.v_of_y.end(), 0);
  return partition;
}

/// Everything that one evaluation needs, sized once.
template <class T>
class TreeRow {
 public:
  explicit TreeRow(const MultibodyProblem& problem)
      : mechanism_(multibody::compile(problem.mechanism)),
        order_(problem.tree, mechanism_),
        model_(make_model(mechanism_.model)),
        partition_(make_tree_partition(model_)),
        pos_(model_),
        vel_(model_),
        loops_(model_, partition_),
        forces_(model_),
        bodies_(model_, partition_),
        y_dot_(model_.nv),
        v_dot_(model_.nv) {
    require(mechanism_.model.clusters.empty(), "make_camber_tree: ", problem.name, " has loops");
    const int n = static_cast<int>(problem.states.size());
    for (int i = 0; i < n; ++i) {
      states_.push_back({VectorX<T>(model_.nq), VectorX<T>(model_.nv)});
      for (int lane = 0; lane < LaneCount<T>::value; ++lane) {
        const PeerState state = order_.to_camber(problem.states[(i + lane) % n]);
        for (int k = 0; k < model_.nq; ++k) set_lane(lane, state.q[k], &states_[i].q[k]);
        for (int k = 0; k < model_.nv; ++k) set_lane(lane, state.v[k], &states_[i].v[k]);
      }
    }
  }

  void evaluate(int state) {
    const State& s = states_[state];
    calc_position_kinematics(model_, s.q, &pos_);
    calc_velocity_kinematics(model_, pos_, s.v, static_cast<const VectorX<T>*>(nullptr), &vel_);
    calc_forward_dynamics(model_, partition_, pos_, loops_, vel_, forces_, &bodies_, &y_dot_,
                          &v_dot_);
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
  PositionKinematics<T> pos_;
  VelocityKinematics<T> vel_;
  LoopKinematics<T> loops_;
  Forces<T> forces_;
  ArticulatedBodies<T> bodies_;
  VectorX<T> y_dot_, v_dot_;
  std::vector<State> states_;
};

template <class T>
Contestant make_tree_contestant(std::string name, const MultibodyProblem& problem) {
  const auto row = std::make_shared<TreeRow<T>>(problem);
  Contestant contestant;
  contestant.engine = std::move(name);
  contestant.lanes = LaneCount<T>::value;
  contestant.evaluate = [row](int state) { row->evaluate(state); };
  contestant.accelerations = [row] { return row->accelerations(); };
  return contestant;
}

}  // namespace

std::optional<Contestant> make_camber_tree(const MultibodyProblem& problem) {
  return make_tree_contestant<double>("camber", problem);
}

std::optional<Contestant> make_camber_lanes(const MultibodyProblem& problem) {
  return make_tree_contestant<Lanes>(concat("camber ", LaneCount<Lanes>::value, " lanes"), problem);
}

std::optional<Contestant> make_camber_loops(const MultibodyProblem&, const std::string&) {
  return std::nullopt;
}

}  // namespace camber::bench
