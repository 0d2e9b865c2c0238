#include "camber/dynamics/generated_chassis.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::dynamics {
namespace {

using multibody::BodyIndex, multibody::Mechanism, multibody::MechanismDynamics, multibody::to_eigen,
    multibody::to_vec3;

constexpr int kStates = 20;

std::span<double> span_of(VectorX<double>* x) {
  return {x->data(), static_cast<std::size_t>(x->size())};
}

vehicle::VehicleMechanism load(const std::string& name) {
  return vehicle::expand(vehicle::load_vehicle("models/" + name + ".toml"));
}

Vec3<double> random_vector(RandomStream* random, double most) {
  const double x = random->uniform(-most, most), y = random->uniform(-most, most);
  return {x, y, random->uniform(-most, most)};
}

mechanism_code::CompileOptions compile_options() {
  return {.folder = testing::TempDir() + "camber-drive-test"};
}

ChassisLoads random_loads(int wheels, RandomStream* random) {
  ChassisLoads loads(wheels);
  for (WheelLoad<double>& load : loads.wheels) {
    load.force = random_vector(random, 9000);
    load.torque = random_vector(random, 700);
    load.axle_torque = random->uniform(-2000, 2000);
  }
  loads.body_force = random_vector(random, 5000);
  loads.body_torque = random_vector(random, 3000);
  loads.steering_torque = random->uniform(-400, 400);
  std::ranges::fill(loads.reaction_shares, random->uniform(0.2, 0.9));
  return loads;
}

/// The same vehicle by constraint embedding, loaded through forces and torques on its bodies.
class Reference {
 public:
  explicit Reference(const vehicle::VehicleMechanism& vehicle)
      : vehicle_(vehicle),
        ce_(with_wrenches(vehicle)),
        pos_(ce_.model()),
        vel_(ce_.model()),
        q_(ce_.nq()),
        v_(ce_.nv()),
        v_dot_(ce_.nv()) {}

  void move_to(int i) {
    RandomStream random = RandomStream(19).substream("state", static_cast<std::uint64_t>(i));
    q_ = ce_.initial_q();
    VectorX<double> step(ce_.nv());
    for (int k = 0; k < ce_.nv(); ++k) {
      step[k] = random.uniform(-0.06, 0.06);
      v_[k] = random.uniform(-1.5, 1.5);
    }
    for (int k = 0; k < 6; ++k) step[k] *= 15;  // far from where the axes are the world's
    move_positions(ce_.model(), step, &q_);
    ASSERT_TRUE(ce_.project(0, span_of(&q_), span_of(&v_))) << ce_.why();
    update();
  }

  /// The state after a short time, from the accelerations of the independent speeds.
  void advance(const std::vector<int>& places, const std::vector<double>& v_dot, double time) {
    v_dot_.setZero();
    for (std::size_t k = 0; k < places.size(); ++k) v_dot_[places[k]] = v_dot[k];
    const VectorX<double> step = v_ * time + v_dot_ * (0.5 * time * time);
    move_positions(ce_.model(), step, &q_);
    v_ += v_dot_ * time;
    ASSERT_TRUE(ce_.project(0, span_of(&q_), span_of(&v_))) << ce_.why();
    update();
  }

  void calc_accelerations(const ChassisLoads& loads) {
    Vec3<double> force = loads.body_force, torque = loads.body_torque;
    const auto count = static_cast<int>(vehicle_.corners.size());
    for (int i = 0; i < count; ++i) {
      const WheelLoad<double>& load = loads.wheels[i];
      const Vec3<double> axle = wheel(i).axis * load.axle_torque;
      ce_.set_wrench(2 * i, to_eigen(load.force), to_eigen(load.torque + axle));
      ce_.set_wrench(2 * i + 1, {0, 0, 0}, to_eigen(axle * (loads.reaction_shares[i] - 1)));
      torque -= axle * loads.reaction_shares[i];
    }
    if (vehicle_.steering.valid()) {
      const multibody::Joint& joint = vehicle_.mechanism.joints[vehicle_.steering.value];
      const Vec3<double> turn =
          pose(joint.parent).R_WB * to_vec3(joint.X_PF.linear().col(2)) * loads.steering_torque;
      ce_.set_wrench(2 * count + 1, {0, 0, 0}, to_eigen(turn));
      torque -= turn;
    }
    ce_.set_wrench(2 * count, to_eigen(force), to_eigen(torque));
    ASSERT_TRUE(ce_.calc_accelerations(0, span_of(&q_), span_of(&v_), span_of(&v_dot_)))
        << ce_.why();
  }

  WheelMotion<double> wheel(int i) const {
    const vehicle::Corner& corner = vehicle_.corners[i];
    const auto hub = pose(corner.carrier);
    WheelMotion<double> motion;
    motion.center = hub.p_WB + hub.R_WB * to_vec3(corner.points.wheel);
    motion.axis = hub.R_WB * to_vec3(corner.wheel_axis);
    motion.velocity = velocity_at(corner.carrier, motion.center);
    motion.hub_turn_rate = velocity(corner.carrier).top();
    motion.spin = dot(motion.axis, velocity(corner.wheel).top() - motion.hub_turn_rate);
    return motion;
  }

  BodyMotion body() const {
    const auto frame = pose(vehicle_.chassis);
    return {frame.R_WB, frame.p_WB, velocity(vehicle_.chassis).top(),
            velocity_at(vehicle_.chassis, frame.p_WB)};
  }

  double steering_rate() const {
    const multibody::Joint& joint = vehicle_.mechanism.joints[vehicle_.steering.value];
    return dot(pose(joint.parent).R_WB * to_vec3(joint.X_PF.linear().col(2)),
               velocity(joint.child).top() - velocity(joint.parent).top());
  }

  double energy() const {
    return calc_kinetic_energy(ce_.model(), pos_, vel_) + calc_gravity_energy(ce_.model(), pos_) +
           calc_elastic_energy(ce_.model(), pos_, q_);
  }

  /// What the forces do less at these speeds than they would if they did not depend on them.
  double damping_power() const {
    multibody::Model<double> own = ce_.model();
    own.wrenches.clear();
    multibody::Forces<double> moving(own), still(own);
    const multibody::VelocityKinematics<double> rest(own);
    calc_forces(own, pos_, vel_, q_, v_, &moving);
    calc_forces(own, pos_, rest, q_, VectorX<double>(VectorX<double>::Zero(own.nv)), &still);
    double power = (still.tau - moving.tau).dot(v_);
    for (std::size_t l = 0; l < own.links.size(); ++l)
      power += dot(still.F[l] - moving.F[l], vel_.V[l]);
    return power;
  }

  std::vector<double> take(const VectorX<double>& from, const std::vector<int>& places) const {
    std::vector<double> values;
    for (const int k : places) values.push_back(from[k]);
    return values;
  }
  const VectorX<double>& q() const { return q_; }
  const VectorX<double>& v() const { return v_; }
  const VectorX<double>& v_dot() const { return v_dot_; }
  const multibody::Model<double>& model() const { return ce_.model(); }

 private:
  static Mechanism with_wrenches(const vehicle::VehicleMechanism& vehicle) {
    Mechanism mechanism = vehicle.mechanism;
    const auto add = [&](const std::string& name, BodyIndex body, const Vector3& point) {
      mechanism.wrenches.push_back({name, body, point});
    };
    for (const vehicle::Corner& corner : vehicle.corners) {
      add(corner.name + "_ground", corner.wheel, corner.points.wheel);
      add(corner.name + "_axle", corner.carrier, corner.points.wheel);
    }
    add("chassis_load", vehicle.chassis, Vector3::Zero());
    if (vehicle.steering.valid())
      add("steering_load", vehicle.mechanism.joints[vehicle.steering.value].child, {1, 2, 3});
    return mechanism;
  }

  void update() {
    calc_position_kinematics(ce_.model(), q_, &pos_);
    calc_velocity_kinematics(ce_.model(), pos_, v_, static_cast<const VectorX<double>*>(nullptr),
                             &vel_);
  }
  multibody::BodyPose<double> pose(BodyIndex body) const {
    return calc_body_pose(ce_.model(), pos_, body);
  }
  const multibody::Spatial<double>& velocity(BodyIndex body) const {
    return vel_.V[ce_.model().bodies[body.value].link];
  }
  Vec3<double> velocity_at(BodyIndex body, const Vec3<double>& p) const {
    return math::velocity_at(velocity(body), p - pos_.p_WO);
  }

  vehicle::VehicleMechanism vehicle_;
  MechanismDynamics ce_;
  multibody::PositionKinematics<double> pos_;
  multibody::VelocityKinematics<double> vel_;
  VectorX<double> q_, v_, v_dot_;
};

void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance, const char* what) {
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << what << " " << i;
}

/// Moves both to one state.
class Pair {
 public:
  explicit Pair(const std::string& name) : Pair(load(name)) {}
  explicit Pair(const vehicle::VehicleMechanism& vehicle)
      : chassis(vehicle, compile_options()),
        reference(vehicle),
        a(static_cast<std::size_t>(chassis.nv())) {}

  void follow() {
    const auto q = reference.take(reference.q(), chassis.program().q_places),
               v = reference.take(reference.v(), chassis.program().v_places);
    ASSERT_TRUE(chassis.calc_motion(0, q, v)) << chassis.why();
  }
  void move_to(int i) {
    reference.move_to(i);
    follow();
  }

  GeneratedChassis chassis;
  Reference reference;
  std::vector<double> a;
};

// Straight through the bodies' forces in one, through what is left of them after the loops and the
// wheels' spins are eliminated in the other.
void expect_equal_accelerations(Pair* pair) {
  for (int i = 0; i < kStates; ++i) {
    SCOPED_TRACE(testing::Message() << "seed 19, state " << i);
    pair->move_to(i);
    RandomStream random = RandomStream(19).substream("loads", static_cast<std::uint64_t>(i));
    const ChassisLoads loads = random_loads(pair->chassis.wheel_count(), &random);
    pair->reference.calc_accelerations(loads);
    ASSERT_TRUE(pair->chassis.calc_accelerations(loads, pair->a)) << pair->chassis.why();
    const auto expected =
        pair->reference.take(pair->reference.v_dot(), pair->chassis.program().v_places);
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(pair->a[k], expected[k], 1e-10 * (1 + std::abs(expected[k])))
          << pair->chassis.program().v_names[k];
  }
}

TEST(GeneratedChassis, FeelsLoadsAsConstraintEmbeddingDoesInThePlanarHmmwv) {
  Pair pair("hmmwv");
  EXPECT_TRUE(pair.chassis.is_of_library());
  expect_equal_accelerations(&pair);
}
TEST(GeneratedChassis, FeelsLoadsAsConstraintEmbeddingDoesInTheSpatialHmmwv) {
  Pair pair("hmmwv-3d");
  EXPECT_FALSE(pair.chassis.is_of_library());
  expect_equal_accelerations(&pair);
}

// Another vehicle of the same structure: the library's code with its own parameters.
TEST(GeneratedChassis, UsesTheLibrarysCodeForAHeavierHmmwv) {
  vehicle::Vehicle hmmwv = vehicle::load_vehicle("models/hmmwv.toml");
  hmmwv.chassis.mass *= 1.37;
  hmmwv.axles[0].wheel.part.mass *= 1.2;
  Pair pair(vehicle::expand(hmmwv));
  EXPECT_TRUE(pair.chassis.is_of_library());
  expect_equal_accelerations(&pair);
}

// Bushings, given steering, and a front axle whose wheels are not round.
vehicle::VehicleMechanism load_soft() {
  vehicle::Vehicle car = vehicle::load_vehicle("models/hmmwv-3d.toml");
  const vehicle::SoftHinge soft{Vector3(7e6, 6e6, 1.1e6), Vector3(3500, 3300, 540),
                                Vector3(7e4, 6e4, 310), Vector3(35, 31, 1.3)};
  car.axles[0].soft_lower_hinge = car.axles[1].soft_upper_hinge = soft;
  Matrix3& inertia = car.axles[0].wheel.part.inertia;
  inertia(0, 1) = inertia(1, 0) = 0.3;
  car.steering->motion = symbolic::sin(symbolic::symbol("t") + symbolic::Expr(0.2));
  return vehicle::expand(car);
}
TEST(GeneratedChassis, FeelsLoadsAsConstraintEmbeddingDoesWithEveryOption) {
  Pair pair(load_soft());
  expect_equal_accelerations(&pair);
}

TEST(GeneratedChassis, MovesItsWheelsAsTheTreeDoes) {
  for (const char* name : {"hmmwv", "hmmwv-3d", "soft"}) {
    SCOPED_TRACE(name);
    Pair pair(std::string(name) == "soft" ? load_soft() : load(name));
    for (int i = 0; i < kStates; ++i) {
      SCOPED_TRACE(testing::Message() << "seed 19, state " << i);
      pair.move_to(i);
      for (int k = 0; k < pair.chassis.wheel_count(); ++k) {
        SCOPED_TRACE(pair.chassis.wheel_name(k));
        const WheelMotion<double> own = pair.chassis.wheel(k), tree = pair.reference.wheel(k);
        expect_near(own.center, tree.center, 1e-12, "center");
        expect_near(own.axis, tree.axis, 1e-12, "axis");
        expect_near(own.velocity, tree.velocity, 1e-12, "velocity");
        expect_near(own.hub_turn_rate, tree.hub_turn_rate, 1e-12, "turn rate");
        EXPECT_NEAR(own.spin, tree.spin, 1e-12);
      }
      const BodyMotion own = pair.chassis.body(), tree = pair.reference.body();
      for (int k = 0; k < 3; ++k) expect_near(own.R_WB.c[k], tree.R_WB.c[k], 1e-12, "R_WB");
      expect_near(own.p_WB, tree.p_WB, 1e-12, "p_WB");
      expect_near(own.w_WB, tree.w_WB, 1e-12, "w_WB");
      expect_near(own.v_WB, tree.v_WB, 1e-12, "v_WB");
      EXPECT_NEAR(pair.chassis.steering().rate, pair.reference.steering_rate(), 1e-12);
    }
  }
}

// What loads do at the velocities that the chassis reports, without what the dampers take, is what
// its energy gains. Its rate is by central differences along the motion that the accelerations
// give.
TEST(GeneratedChassis, GainsTheEnergyThatItsLoadsBring) {
  Pair pair("hmmwv");
  const auto& places = pair.chassis.program().v_places;
  for (int i = 0; i < kStates; ++i) {
    SCOPED_TRACE(testing::Message() << "seed 19, state " << i);
    pair.move_to(i);
    RandomStream random = RandomStream(19).substream("loads", static_cast<std::uint64_t>(i));
    const ChassisLoads loads = random_loads(pair.chassis.wheel_count(), &random);
    ASSERT_TRUE(pair.chassis.calc_accelerations(loads, pair.a)) << pair.chassis.why();
    const BodyMotion body = pair.chassis.body();
    const double damping = pair.reference.damping_power();
    double power = dot(loads.body_force, body.v_WB) + dot(loads.body_torque, body.w_WB) +
                   loads.steering_torque * pair.chassis.steering().rate - damping;
    for (int k = 0; k < pair.chassis.wheel_count(); ++k) {
      const WheelLoad<double>& load = loads.wheels[k];
      const WheelMotion<double> wheel = pair.chassis.wheel(k);
      const Vec3<double> turn_rate = wheel.hub_turn_rate + wheel.axis * wheel.spin,
                         axle = wheel.axis * load.axle_torque;
      power += dot(load.force, wheel.velocity) + dot(load.torque + axle, turn_rate) -
               dot(axle, body.w_WB) * loads.reaction_shares[0] -
               dot(axle, wheel.hub_turn_rate) * (1 - loads.reaction_shares[0]);
    }
    EXPECT_GT(damping, 10);
    constexpr double kTime = 1e-5;
    double gain = 0;
    for (const double side : {-1, 1}) {
      pair.reference.move_to(i);
      pair.reference.advance(places, pair.a, side * kTime);
      gain += side * pair.reference.energy();
    }
    EXPECT_NEAR(gain / (2 * kTime), power, 1e-6 * (1e4 + std::abs(power)));
  }
}

TEST(GeneratedChassis, AllocatesNothingInAStep) {
  Pair pair("hmmwv");
  pair.move_to(3);
  RandomStream random(23);
  const ChassisLoads loads = random_loads(pair.chassis.wheel_count(), &random);
  std::vector<double> q(pair.chassis.initial_q().begin(), pair.chassis.initial_q().end()),
      v(pair.a.size(), 0.3);
  const long before = allocation_count();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pair.chassis.calc_motion(0, q, v));
    ASSERT_TRUE(pair.chassis.calc_accelerations(loads, pair.a));
    ASSERT_TRUE(pair.chassis.project(0, q, v));
  }
  EXPECT_EQ(allocation_count() - before, 0);
}

// Where a pose is put, and where a displacement leads: as the tree has it, up to what is of second
// order in the displacement.
TEST(GeneratedChassis, MovesItsStateAsTheTreeDoes) {
  Pair pair("hmmwv");
  pair.move_to(5);
  const auto& program = pair.chassis.program();
  auto q = pair.reference.take(pair.reference.q(), program.q_places);
  auto v = pair.reference.take(pair.reference.v(), program.v_places);
  VectorX<double> tree_q = pair.reference.q(), tree_v = pair.reference.v(),
                  step = VectorX<double>::Zero(tree_v.size());
  std::vector<double> displacement(v.size());
  for (std::size_t k = 0; k < v.size(); ++k)
    step[program.v_places[k]] = displacement[k] = 3e-6 * std::sin(1.7 * static_cast<double>(k) + 1);
  move_positions(pair.reference.model(), step, &tree_q);
  ASSERT_TRUE(pair.chassis.move(displacement, q)) << pair.chassis.why();
  for (std::size_t k = 0; k < q.size(); ++k)
    EXPECT_NEAR(q[k], tree_q[program.q_places[k]], 1e-11) << pair.chassis.names()[k];

  VectorX<double> back_q(tree_q.size()), back_v(tree_v.size());
  pair.chassis.to_tree(q, v, span_of(&back_q), span_of(&back_v));
  EXPECT_EQ(pair.reference.take(back_q, program.q_places), q);
  EXPECT_EQ(pair.reference.take(back_v, program.v_places), v);

  const Quaternion rotation = Quaternion(0.3, -0.5, 0.7, 0.4).normalized();
  const Vector3 place(31, -17, 5);
  pair.chassis.set_pose(rotation, place, q);
  ASSERT_TRUE(pair.chassis.calc_motion(0, q, v)) << pair.chassis.why();
  const Matrix3 R = rotation.toRotationMatrix();
  for (int k = 0; k < 3; ++k)
    expect_near(pair.chassis.body().R_WB.c[k], to_vec3(R.col(k)), 1e-14, "R_WB");
  expect_near(pair.chassis.body().p_WB, to_vec3(place), 1e-14, "p_WB");
}

TEST(GeneratedChassis, SaysWhatItCannotLoad) {
  const auto message = [](const vehicle::VehicleMechanism& vehicle) -> std::string {
    try {
      const GeneratedChassis chassis(vehicle, compile_options());
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  vehicle::VehicleMechanism tied = load("hmmwv");
  multibody::SpringDamper rope;
  rope.name = "rope";
  rope.a = tied.chassis;
  rope.b = tied.corners[1].wheel;
  rope.p_BQ_B = tied.corners[1].points.wheel;
  tied.mechanism.springs.push_back(rope);
  EXPECT_NE(message(tied).find("body \"front_right_wheel\" is not a wheel"), std::string::npos);
  vehicle::VehicleMechanism loose = load("hmmwv");
  loose.steering = loose.mechanism.find_joint("idler");
  EXPECT_NE(message(loose).find("\"idler\" cannot steer"), std::string::npos);
  const auto held = vehicle::expand(vehicle::load_vehicle("models/hmmwv.toml"),
                                    {.has_fixed_chassis = true, .is_standing = false});
  EXPECT_NE(message(held).find("nothing to drive"), std::string::npos);
}

}  // namespace
}  // namespace camber::dynamics
