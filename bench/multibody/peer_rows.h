#pragma once

#include <optional>

#include "bench/multibody/contestant.h"
#include "bench/multibody/problems.h"

namespace camber::bench {

/// Empty where the engine was not there when this was built.
std::optional<Contestant> make_mujoco_contestant(const MultibodyProblem& problem);
std::optional<Contestant> make_simbody_contestant(const MultibodyProblem& problem);

/// "mujoco" and "simbody" with their versions, or that they are missing.
struct PeerVersion {
  std::string engine, version;  // empty: missing
};
std::vector<PeerVersion> find_peer_versions();

}  // namespace camber::bench
