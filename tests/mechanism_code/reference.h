#pragma once

// What generated code is compared with: `ce` at random states with closed loops.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/mechanism_code/vehicle_interpreter.h"
#include "camber/multibody/dynamics.h"

namespace camber::mechanism_code {

inline std::span<double> span_of(VectorX<double>* x) {
  return {x->data(), static_cast<std::size_t>(x->size())};
}

/// States of a mechanism with closed loops, and the accelerations that `ce` gives there, in the
/// order of a program. Given motions are those of a time that differs from state to state.
class Reference {
 public:
  static constexpr double kTolerance = 1e-10;

  Reference(const multibody::Mechanism& mechanism, const VehicleProgram& program)
      : ce_(mechanism), program_(program) {
    if (program.given > 0) motions_.emplace(program.motions);
  }

  void move_to(int i) {
    RandomStream random = RandomStream(7).substream("state", static_cast<std::uint64_t>(i));
    VectorX<double> q = ce_.initial_q(), v(ce_.nv()), step(ce_.nv()), v_dot(ce_.nv());
    for (int k = 0; k < ce_.nv(); ++k) {
      step[k] = random.uniform(-0.06, 0.06);
      v[k] = random.uniform(-1.5, 1.5);
    }
    // Bushings give way by millimeters.
    for (const multibody::Link<double>& link : ce_.model().links)
      if (link.kind == multibody::LinkKind::kPrismatic) step[link.v_start] *= 0.1;
    const double t = 0.37 * i;
    move_positions(ce_.model(), step, &q);
    ASSERT_TRUE(ce_.project(t, span_of(&q), span_of(&v))) << ce_.why();
    ASSERT_TRUE(ce_.calc_accelerations(t, span_of(&q), span_of(&v), span_of(&v_dot))) << ce_.why();
    q_.clear(), v_.clear(), expected_.clear();
    for (const int k : program_.q_places) q_.push_back(q[k]);
    for (const int k : program_.v_places) v_.push_back(v[k]);
    for (const int k : program_.v_places) expected_.push_back(v_dot[k]);
    if (!motions_) return;
    const auto given = static_cast<std::size_t>(program_.given);
    std::vector<double> values(3 * given);
    motions_->run(std::span(&t, 1), values);
    q_.insert(q_.end(), values.begin(), values.begin() + program_.given);
    v_.insert(v_.end(), values.begin() + program_.given, values.end());
  }
  const std::vector<double>& q() const { return q_; }
  const std::vector<double>& v() const { return v_; }

  template <class Values>
  void compare(const Values& a) const {
    for (int k = 0; k < program_.nv; ++k)
      EXPECT_NEAR(a[k], expected_[k], kTolerance * (1 + std::abs(expected_[k])))
          << program_.v_names[k];
  }

 private:
  multibody::MechanismDynamics ce_;
  const VehicleProgram& program_;
  std::optional<codegen::Interpreter<double>> motions_;
  std::vector<double> q_, v_, expected_;
};

/// The two routes share the laws of springs and joints' friction, nothing else.
inline void expect_equal_to_ce(const multibody::Mechanism& mechanism, int states = 25) {
  const VehicleProgram program = generate(mechanism);
  VehicleInterpreter generated(program);
  Reference reference(mechanism, program);
  std::vector<double> a(static_cast<std::size_t>(program.nv));
  for (int i = 0; i < states; ++i) {
    SCOPED_TRACE(testing::Message() << mechanism.name << ", seed 7, state " << i);
    reference.move_to(i);
    if (testing::Test::HasFatalFailure()) return;
    ASSERT_TRUE(generated.calc_accelerations(reference.q(), reference.v(), a));
    reference.compare(a);
  }
}

}  // namespace camber::mechanism_code
