#include "bench/multibody/peer_rows.h"

#include <memory>

#ifdef CAMBER_HAS_MUJOCO
#include "bench/peers/mujoco_mechanism.h"
#endif
#ifdef CAMBER_HAS_SIMBODY
#include "bench/peers/simbody_mechanism.h"
#endif

namespace camber::bench {
namespace {

template <class Engine>
Contestant make_contestant(std::string name, const MultibodyProblem& problem) {
  const auto engine = std::make_shared<Engine>(problem.mechanism);
  for (const PeerState& state : problem.states) engine->add_state(state);
  Contestant contestant;
  contestant.engine = std::move(name);
  contestant.evaluate = [engine](int state) { engine->forward(state); };
  contestant.accelerations = [engine] { return engine->accelerations(); };
  if constexpr (requires { engine->forward_exactly(0); })
    contestant.evaluate_exactly = [engine](int state) { engine->forward_exactly(state); };
  return contestant;
}

}  // namespace

std::optional<Contestant> make_mujoco_contestant([[maybe_unused]] const MultibodyProblem& problem) {
#ifdef CAMBER_HAS_MUJOCO
  return make_contestant<MujocoMechanism>("mujoco", problem);
#else
  return std::nullopt;
#endif
}

std::optional<Contestant> make_simbody_contestant(
    [[maybe_unused]] const MultibodyProblem& problem) {
#ifdef CAMBER_HAS_SIMBODY
  return make_contestant<SimbodyMechanism>("simbody", problem);
#else
  return std::nullopt;
#endif
}

std::vector<PeerVersion> find_peer_versions() {
  std::vector<PeerVersion> versions = {{"mujoco", ""}, {"simbody", ""}};
#ifdef CAMBER_HAS_MUJOCO
  versions[0].version = MujocoMechanism::version();
#endif
#ifdef CAMBER_HAS_SIMBODY
  versions[1].version = SimbodyMechanism::version();
#endif
  return versions;
}

}  // namespace camber::bench
