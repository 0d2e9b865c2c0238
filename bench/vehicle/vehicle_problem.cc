#include "bench/vehicle/vehicle_problem.h"

#include "bench/peers/camber_order.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/multibody/dynamics.h"
#include "camber/vehicle/expand.h"

namespace camber::bench {

namespace {

constexpr std::uint64_t kSeed = 15;

void make_linear(multibody::Mechanism* mechanism) {
  for (multibody::SpringDamper& spring : mechanism->springs) {
    if (const auto& table = spring.damper)
      spring.damping = (table->y.back() - table->y.front()) / (table->x.back() - table->x.front());
    spring.damper.reset();
    spring.spring.reset();
  }
  for (multibody::Joint& joint : mechanism->joints) {
    if (joint.cut && joint.type == multibody::JointType::kRevolute)
      joint.type = multibody::JointType::kSpherical;
  }
}

}  // namespace

MultibodyProblem make_vehicle_problem(const vehicle::Vehicle& vehicle, int states) {
  vehicle::Vehicle plain = vehicle;
  for (vehicle::Axle& axle : plain.axles) axle.spring.stop.reset();
  MultibodyProblem problem{vehicle.name, static_cast<int>(vehicle.axles.size()), {}, {}, {}};
  problem.mechanism = vehicle::expand(plain).mechanism;
  make_linear(&problem.mechanism);
  problem.tree = find_spanning_tree(problem.mechanism);

  multibody::MechanismDynamics ce(problem.mechanism);
  const CamberOrder order(problem.tree, ce.tree());
  for (int i = 0; i < states; ++i) {
    RandomStream random = RandomStream(kSeed).substream("state", static_cast<std::uint64_t>(i));
    PeerState state{ce.initial_q(), VectorX<double>(ce.nv())};
    VectorX<double> step(ce.nv());
    for (int k = 0; k < ce.nv(); ++k) {
      step[k] = random.uniform(-0.06, 0.06);
      state.v[k] = random.uniform(-1, 1);
    }
    move_positions(ce.model(), step, &state.q);
    const auto span = [](VectorX<double>* x) {
      return std::span(x->data(), static_cast<std::size_t>(x->size()));
    };
    require(ce.project(0, span(&state.q), span(&state.v)), "make_vehicle_problem: ", ce.why());
    problem.states.push_back(order.from_camber(state));
  }
  return problem;
}

vehicle::Vehicle make_road_train(const vehicle::Vehicle& vehicle, int axles) {
  vehicle::Vehicle train = vehicle;
  train.name = "road_train";
  train.steering.reset();
  const vehicle::Axle last = vehicle.axles.back();
  train.axles.clear();
  for (int i = 0; i < axles; ++i) {
    vehicle::Axle axle = last;
    axle.name = concat("axle", i);
    const Vector3 by(-1.3 * i, 0, 0);
    for (const auto& [name, point] : vehicle::all_points(&axle.points)) *point += by;
    for (vehicle::Part* part : vehicle::all_parts(&axle)) part->center += by;
    train.axles.push_back(axle);
  }
  return train;
}

}  // namespace camber::bench
