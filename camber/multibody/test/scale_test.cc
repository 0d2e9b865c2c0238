// The same mechanism in other units and in other places: micrometers or tens of kilometers,
// micrograms or kilotons, a thousand kilometers from the origin. Angles move as they did, lengths
// in proportion.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/fully_augmented.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/test/spans.h"

namespace camber::multibody {
namespace {

std::vector<Mechanism> all_mechanisms() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("models")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("kind = \"mechanism\"")) paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Mechanism> mechanisms;
  for (const std::string& path : paths) mechanisms.push_back(load_mechanism(path));
  mechanisms.push_back(make_four_bar_ladder(3));
  mechanisms.back().name = "ladder";
  return mechanisms;
}

bool is_slide(JointType type, int axis) {
  switch (type) {
    case JointType::kPrismatic:
      return true;
    case JointType::kCylindrical:
      return axis == 1;
    case JointType::kPlanar:
      return axis < 2;
    case JointType::kSoftHinge:
    case JointType::kFreeAngles:
      return axis < 3;
    case JointType::kFree:
      return axis >= 3;
    default:
      return false;
  }
}

/// Other units of length and mass, times as they are.
struct Scale {
  double length = 1, mass = 1;
  double force() const { return mass * length; }
  double torque() const { return mass * length * length; }
};

void scale_axis(bool slides, const Scale& s, JointAxis* axis) {
  const double x = slides ? s.length : 1, f = slides ? s.force() : s.torque();
  for (double* rate :
       {&axis->stiffness, &axis->damping, &axis->stop_stiffness, &axis->stop_damping})
    *rate *= f / x;
  for (double* place : {&axis->rest, &axis->friction_speed}) *place *= x;
  for (std::optional<double>* stop : {&axis->lower, &axis->upper})
    if (*stop) **stop *= x;
  for (double* force : {&axis->friction, &axis->force}) *force *= f;
  if (axis->motion) axis->motion = *axis->motion * symbolic::Expr(x);
}

void scale_table(double x, double y, Table* table) {
  for (double& value : table->x) value *= x;
  for (double& value : table->y) value *= y;
}

Mechanism scaled(Mechanism m, const Scale& s) {
  m.gravity *= s.length;
  for (Body& body : m.bodies) {
    body.mass *= s.mass;
    body.p_BoBcm_B *= s.length;
    body.I_BBcm_B *= s.torque();
  }
  for (Joint& joint : m.joints) {
    joint.X_PF.translation() *= s.length;
    joint.X_BM.translation() *= s.length;
    joint.pitch *= s.length;
    for (std::size_t k = 0; k < joint.axes.size(); ++k)
      scale_axis(is_slide(joint.type, static_cast<int>(k)), s, &joint.axes[k]);
    const int more = position_count(joint.type) - speed_count(joint.type);  // of a quaternion
    for (std::size_t i = 0; i < joint.q0.size(); ++i)
      if (is_slide(joint.type, static_cast<int>(i) - more)) joint.q0[i] *= s.length;
    for (std::size_t i = 0; i < joint.v0.size(); ++i)
      if (is_slide(joint.type, static_cast<int>(i))) joint.v0[i] *= s.length;
  }
  for (Rod& rod : m.rods) {
    rod.length *= s.length;
    rod.p_AP_A *= s.length;
    rod.p_BQ_B *= s.length;
  }
  for (Coupler& coupler : m.couplers) {
    for (Coupler::Term& term : coupler.terms)
      if (is_slide(m.joints[term.joint.value].type, term.axis)) term.factor /= s.length;
  }
  for (Rolling& rolling : m.rollings) {
    rolling.radius *= s.length;
    rolling.p_BC_B *= s.length;
    rolling.p_GP_G *= s.length;
    rolling.stiffness *= s.mass;
    rolling.damping *= s.mass;
  }
  for (SpringDamper& spring : m.springs) {
    spring.p_AP_A *= s.length;
    spring.p_BQ_B *= s.length;
    spring.free_length *= s.length;
    spring.stiffness *= s.mass;
    spring.damping *= s.mass;
    spring.preload *= s.force();
    if (spring.spring) scale_table(s.length, s.force(), &*spring.spring);
    if (spring.damper) scale_table(s.length, s.force(), &*spring.damper);
    if (!spring.ends) continue;
    for (double* x : {&spring.ends->shortest, &spring.ends->longest, &spring.ends->over})
      *x *= s.length;
    scale_table(s.length, s.force(), &spring.ends->damper);
  }
  for (Bushing& bushing : m.bushings) {
    bushing.X_AP.translation() *= s.length;
    bushing.X_BQ.translation() *= s.length;
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 6; ++k) {
        const double factor = (i < 3 ? s.torque() : s.force()) / (k < 3 ? 1 : s.length);
        bushing.stiffness(i, k) *= factor;
        bushing.damping(i, k) *= factor;
      }
    }
  }
  for (Wrench& wrench : m.wrenches) {
    wrench.p_BQ_B *= s.length;
    wrench.force *= s.force();
    wrench.torque *= s.torque();
  }
  return m;
}

/// Everything that stands on the world, moved.
Mechanism moved(Mechanism m, const Vector3& by) {
  for (Joint& joint : m.joints) {
    if (joint.parent == kWorld) joint.X_PF.translation() += by;
    if (joint.child == kWorld) joint.X_BM.translation() += by;
  }
  for (Rod& rod : m.rods) {
    if (rod.a == kWorld) rod.p_AP_A += by;
    if (rod.b == kWorld) rod.p_BQ_B += by;
  }
  for (SpringDamper& spring : m.springs) {
    if (spring.a == kWorld) spring.p_AP_A += by;
    if (spring.b == kWorld) spring.p_BQ_B += by;
  }
  for (Bushing& bushing : m.bushings) {
    if (bushing.a == kWorld) bushing.X_AP.translation() += by;
    if (bushing.b == kWorld) bushing.X_BQ.translation() += by;
  }
  for (Rolling& rolling : m.rollings) {
    if (rolling.ground == kWorld) rolling.p_GP_G += by;
  }
  return m;
}

/// The same bodies with their frames elsewhere on them.
Mechanism with_other_frames(Mechanism m, const Vector3& by) {
  const auto is_body = [](BodyIndex body) { return body != kWorld; };
  for (std::size_t b = 1; b < m.bodies.size(); ++b) m.bodies[b].p_BoBcm_B += by;
  for (Joint& joint : m.joints) {
    if (is_body(joint.parent)) joint.X_PF.translation() += by;
    if (is_body(joint.child)) joint.X_BM.translation() += by;
  }
  for (Rod& rod : m.rods) {
    if (is_body(rod.a)) rod.p_AP_A += by;
    if (is_body(rod.b)) rod.p_BQ_B += by;
  }
  for (SpringDamper& spring : m.springs) {
    if (is_body(spring.a)) spring.p_AP_A += by;
    if (is_body(spring.b)) spring.p_BQ_B += by;
  }
  for (Bushing& bushing : m.bushings) {
    if (is_body(bushing.a)) bushing.X_AP.translation() += by;
    if (is_body(bushing.b)) bushing.X_BQ.translation() += by;
  }
  for (Rolling& rolling : m.rollings) {
    if (is_body(rolling.ground)) rolling.p_GP_G += by;
    rolling.p_BC_B += by;
  }
  for (Wrench& wrench : m.wrenches) wrench.p_BQ_B += by;
  return m;
}

/// Positions and speeds of the tree in other units.
VectorX<double> in_units(const Model<double>& model, VectorX<double> x, double length,
                         bool positions) {
  for (const Link<double>& link : model.links) {
    const int start = positions ? link.q_start : link.v_start;
    if (link.kind == LinkKind::kPrismatic) x[start] *= length;
    if (link.kind != LinkKind::kFree) continue;
    for (int k = 0; k < 3; ++k) x[start + (positions ? 4 : 3) + k] *= length;
  }
  return x;
}

struct TreeState {
  VectorX<double> q, v;
};

/// A state near the initial one, with closed loops.
TreeState make_state(MechanismDynamics* ce, std::uint64_t seed) {
  for (double size = 0.1; size > 1e-3; size *= 0.5) {
    RandomStream random = RandomStream(seed).substream("state");
    TreeState state{ce->initial_q(), ce->initial_v()};
    VectorX<double> step(ce->nv());
    for (int k = 0; k < ce->nv(); ++k) {
      step[k] = random.uniform(-size, size);
      state.v[k] += random.uniform(-1, 1);
    }
    move_positions(ce->model(), step, &state.q);
    if (ce->project(0, out(&state.q), out(&state.v))) return state;
  }
  ADD_FAILURE() << ce->why();
  return {ce->initial_q(), ce->initial_v()};
}

/// The tree's accelerations by a formulation at a state of the tree, after its loops were put right
/// as they are after each step.
VectorX<double> accelerations(const Mechanism& mechanism, Formulation formulation,
                              const TreeState& tree) {
  MechanismDynamics dynamics(mechanism, formulation);
  VectorX<double> q(dynamics.nq()), v(dynamics.nv()), v_dot(dynamics.nv());
  dynamics.from_tree(in(tree.q), in(tree.v), out(&q), out(&v));
  EXPECT_TRUE(dynamics.project(0, out(&q), out(&v))) << dynamics.why();
  EXPECT_TRUE(dynamics.calc_accelerations(0, in(q), in(v), out(&v_dot))) << dynamics.why();
  if (formulation != Formulation::kFa) return v_dot;
  VectorX<double> tree_v_dot;
  FullyAugmented(dynamics.tree(), tree.q)
      .give_accelerations(dynamics.tree(), tree.q, tree.v, v_dot, &tree_v_dot);
  return tree_v_dot;
}

constexpr Formulation kAll[] = {Formulation::kCe, Formulation::kTa, Formulation::kFa,
                                Formulation::kUk};

TEST(Mechanisms, ScaleTheirAccelerationsWithTheirLengths) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    MechanismDynamics ce(mechanism);
    const Model<double> model = ce.model();
    const TreeState state = make_state(&ce, 3);
    for (const Scale scale : {Scale{1e-6, 1e-9}, Scale{1e4, 1e6}, Scale{1e-6, 1e6},
                              Scale{1e4, 1e-9}, Scale{0.37, 2.9}}) {
      const Mechanism other = scaled(mechanism, scale);
      const TreeState there{in_units(model, state.q, scale.length, true),
                            in_units(model, state.v, scale.length, false)};
      for (const Formulation formulation : kAll) {
        SCOPED_TRACE(testing::Message()
                     << mechanism.name << ", lengths times " << scale.length << ", masses times "
                     << scale.mass << ", " << to_text(formulation) << ", seed 3");
        const VectorX<double> here = accelerations(mechanism, formulation, state),
                              expected = in_units(model, here, scale.length, false),
                              got = accelerations(other, formulation, there);
        const VectorX<double> back = in_units(model, got, 1 / scale.length, false);
        EXPECT_LT((back - here).norm(), 1e-9 * (1 + here.norm()));
        EXPECT_EQ(expected.size(), got.size());
      }
    }
  }
}

TEST(Mechanisms, MoveAlikeAThousandKilometersAway) {
  const Vector3 far(7.31e5, -6.17e5, 2.93e5);
  for (const Mechanism& file : all_mechanisms()) {
    const Mechanism mechanism = compile(file).mechanism;  // with joints that carry what floats
    MechanismDynamics ce(mechanism);
    const TreeState state = make_state(&ce, 4);
    const Mechanism there = moved(mechanism, far);
    for (const Formulation formulation : kAll) {
      SCOPED_TRACE(testing::Message()
                   << mechanism.name << ", " << to_text(formulation) << ", seed 4");
      const VectorX<double> here = accelerations(mechanism, formulation, state);
      // Places there are known to 1e-10 m.
      EXPECT_LT((accelerations(there, formulation, state) - here).norm(), 1e-8 * (1 + here.norm()));
    }
  }
}

// A file whose points are those of a map has its bodies' frames at the map's origin: inertias about
// them have lost all digits, and looked singular.
TEST(FullyAugmented, TakesBodiesFarFromTheirOrigins) {
  const Vector3 far(-3.7e4, 8.3e4, 1.9e4);
  for (const Mechanism& mechanism : all_mechanisms()) {
    MechanismDynamics ce(mechanism);
    const auto is_free = [](const Joint& joint) { return joint.type == JointType::kFree; };
    if (std::ranges::any_of(ce.tree().mechanism.joints, is_free)) continue;  // moves with its frame
    SCOPED_TRACE(testing::Message() << mechanism.name << ", seed 5");
    const TreeState state = make_state(&ce, 5);
    const VectorX<double> here = accelerations(mechanism, Formulation::kFa, state);
    const VectorX<double> there =
        accelerations(with_other_frames(mechanism, far), Formulation::kFa, state);
    EXPECT_LT((there - here).norm(), 1e-8 * (1 + here.norm()));
  }
}

}  // namespace
}  // namespace camber::multibody
