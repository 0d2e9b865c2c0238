#include "camber/multibody/inertia_check.h"

#include <cstddef>

#include "camber/core/require.h"
#include "camber/math/dense.h"

namespace camber::multibody {

std::vector<MechanismProblem> find_impossible_inertias(const Mechanism& mechanism) {
  constexpr double kRounding = 1e-9;
  std::vector<MechanismProblem> problems;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const Body& body = mechanism.bodies[i];
    const double scale = body.I_BBcm_B.norm();
    if (!(scale > 0 && scale <= 1e60)) continue;  // find_problems() reports what is beyond
    const auto add = [&](std::string text) {
      problems.push_back({MechanismProblem::Part::kBody, static_cast<int>(i), "inertia", text});
    };
    const Vector3 principal = math::calc_symmetric_eigenvalues(body.I_BBcm_B);  // increasing
    if (principal[0] >= -kRounding * scale &&
        principal[0] + principal[1] < principal[2] * (1 - kRounding))
      add(concat("no body has these principal moments: ", principal[0], " + ", principal[1], " < ",
                 principal[2], " kg m^2"));
    if (body.mass == 0) add("a body without mass has none");
  }
  return problems;
}

}  // namespace camber::multibody
