#include "camber/generate/vehicle_program.h"

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::generate {
namespace {

using multibody::MechanismDynamics;

std::span<double> span_of(VectorX<double>* x) {
  return {x->data(), static_cast<std::size_t>(x->size())};
}

// The two routes share the closed forms' equations and the force laws, nothing else.
void expect_equal_to_ce(const multibody::Mechanism& mechanism, int states, double tolerance) {
  MechanismDynamics ce(mechanism);
  const VehicleProgram program = generate(mechanism);
  VehicleInterpreter generated(program);
  std::cerr << program.name << ": " << program.count().total() << " operations, prologue "
            << program.prologue.count().total() << ", epilogue "
            << program.epilogue.count().total();
  for (const Kernel& k : program.kernels)
    std::cerr << ", kernel " << k.program.count().total() << " (" << k.parameters << " p, "
              << k.inputs << " x, " << k.outputs << " y)";
  std::cerr << "\n";
  for (int i = 0; i < states; ++i) {
    SCOPED_TRACE(testing::Message() << "seed 7, state " << i);
    RandomStream random = RandomStream(7).substream("state", static_cast<std::uint64_t>(i));
    VectorX<double> q = ce.initial_q(), v(ce.nv()), step(ce.nv()), v_dot(ce.nv());
    for (int k = 0; k < ce.nv(); ++k) {
      step[k] = random.uniform(-0.06, 0.06);
      v[k] = random.uniform(-1.5, 1.5);
    }
    move_positions(ce.model(), step, &q);
    ASSERT_TRUE(ce.project(0, span_of(&q), span_of(&v))) << ce.why();
    ASSERT_TRUE(ce.calc_accelerations(0, span_of(&q), span_of(&v), span_of(&v_dot))) << ce.why();
    std::vector<double> y_q, y_v, a(static_cast<std::size_t>(program.nv));
    for (const int k : program.q_places) y_q.push_back(q[k]);
    for (const int k : program.v_places) y_v.push_back(v[k]);
    ASSERT_TRUE(generated.calc_accelerations(y_q, y_v, a));
    for (int k = 0; k < program.nv; ++k) {
      const double expected = v_dot[program.v_places[k]];
      EXPECT_NEAR(a[k], expected, tolerance * (1 + std::abs(expected))) << program.v_names[k];
    }
  }
}

multibody::Mechanism load(const std::string& name) {
  return vehicle::expand(vehicle::load_vehicle("models/" + name + ".toml")).mechanism;
}

TEST(Generate, GivesTheAccelerationsOfConstraintEmbedding) {
  expect_equal_to_ce(load("hmmwv"), 20, 1e-10);
}

}  // namespace
}  // namespace camber::generate
