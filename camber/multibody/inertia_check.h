#pragma once

#include <vector>

#include "camber/multibody/mechanism.h"

namespace camber::multibody {

/// Bodies with an inertia that no distribution of mass has: principal moments of which one exceeds
/// the sum of the others, or an inertia without mass. The equations of motion hold for them all
/// the same, so check() accepts them; a file that a person writes must not have them, while robots
/// in URDF often do (docs/manual/mechanism-files.md).
std::vector<MechanismProblem> find_impossible_inertias(const Mechanism& mechanism);

}  // namespace camber::multibody
