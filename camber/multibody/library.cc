#include "camber/multibody/library.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::multibody {

namespace {

constexpr double kPi = std::numbers::pi;

constexpr std::array kAllTypes = {
    JointType::kFixed,  JointType::kRevolute,  JointType::kPrismatic,
    JointType::kScrew,  JointType::kUniversal, JointType::kCylindrical,
    JointType::kPlanar, JointType::kSpherical, JointType::kFree,
};

// Draws numbers one after the other: the order in which a compiler evaluates arguments is
// unspecified.
Vector3 random_vector(double low, double high, RandomStream* random) {
  Vector3 v;
  for (int i = 0; i < 3; ++i) v[i] = random->uniform(low, high);
  return v;
}

Quaternion random_rotation(RandomStream* random) {
  Eigen::Vector4d wxyz;
  do {
    for (int i = 0; i < 4; ++i) wxyz[i] = random->normal();
  } while (wxyz.norm() < 1e-3);
  wxyz.normalize();
  return {wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
}

Isometry3 random_pose(double reach, RandomStream* random) {
  Isometry3 X = Isometry3::Identity();
  X.linear() = random_rotation(random).toRotationMatrix();
  X.translation() = random_vector(-reach, reach, random);
  return X;
}

// The inertia of a distribution of mass along three axes, so that it is physically possible.
Body random_body(std::string name, RandomStream* random) {
  Body body;
  body.name = std::move(name);
  body.mass = random->uniform(0.5, 3);
  body.p_BoBcm_B = random_vector(-0.2, 0.2, random);
  const Vector3 spread = random_vector(0.05, 0.3, random).array().square();  // mean of x^2 [m^2]
  const Vector3 principal =
      body.mass * Vector3(spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]);
  const Matrix3 R = random_rotation(random).toRotationMatrix();
  const Matrix3 I = R * principal.asDiagonal() * R.transpose();
  body.I_BBcm_B = (I + I.transpose()) / 2;
  return body;
}

Mechanism make_revolute_tree(std::string name, int n, std::uint64_t seed, int (*parent_of)(int)) {
  Mechanism mechanism;
  mechanism.name = std::move(name);
  const RandomStream root(seed);
  for (int i = 1; i <= n; ++i) {
    RandomStream random = root.substream("body", static_cast<std::uint64_t>(i));
    const BodyIndex child = mechanism.add(random_body(concat("body", i), &random));
    Joint joint;
    joint.name = concat("joint", i);
    joint.type = JointType::kRevolute;
    joint.parent = BodyIndex(parent_of(i));
    joint.child = child;
    joint.X_PF = random_pose(0.4, &random);
    joint.X_BM = random_pose(0.1, &random);
    joint.q0 = {random.uniform(-1, 1)};
    joint.v0 = {random.uniform(-1, 1)};
    mechanism.add(std::move(joint));
  }
  return mechanism;
}

// --- The ladder ---

// One stage: base 1 m wide between pivots A and D, crank A-B, coupler B-C, rocker D-C. The next
// stage's base sits on the coupler, from B + (0, kRise) on.
constexpr double kBase = 1.0, kCrank = 0.55, kCoupler = 0.92, kRocker = 0.62;  // [m]
constexpr double kStart = 1.25;  // crank's angle from the base [rad]
constexpr double kRise = 0.07;   // [m]

struct LoopAngles {
  double coupler, rocker;  // from the base [rad]
};

// C is where the circles about B and D meet, to the left of the line from B to D.
LoopAngles close_four_bar(double crank) {
  const double Bx = kCrank * std::cos(crank), Bz = kCrank * std::sin(crank);
  const double dx = kBase - Bx, dz = -Bz, distance = std::hypot(dx, dz);
  const double along =
      (kCoupler * kCoupler - kRocker * kRocker + distance * distance) / (2 * distance);
  const double across = std::sqrt(kCoupler * kCoupler - along * along);
  const double Cx = Bx + (along * dx - across * dz) / distance;
  const double Cz = Bz + (along * dz + across * dx) / distance;
  return {std::atan2(Cz - Bz, Cx - Bx), std::atan2(Cz, Cx - kBase)};
}

// Rotates x toward z, so that a positive angle lifts a link.
Isometry3 pin_at(double x, double z) {
  Isometry3 X = Isometry3::Identity();
  X.linear() = Eigen::AngleAxisd(kPi / 2, Vector3::UnitX()).toRotationMatrix();
  X.translation() = Vector3(x, 0, z);
  return X;
}

// A bar from its frame's origin along x, a bit out of balance.
Body make_bar(std::string name, double length, double mass) {
  Body body;
  body.name = std::move(name);
  body.mass = mass;
  body.p_BoBcm_B = Vector3(0.48 * length, 0, 0.02);
  const double slender = mass * length * length / 12;
  body.I_BBcm_B = Vector3(0.03 * slender, 1.02 * slender, slender).asDiagonal();
  return body;
}

// --- Random trees ---

JointAxis random_axis(bool has_coordinate, RandomStream* random) {
  JointAxis axis;
  axis.damping = random->uniform(0.1, 1);
  axis.friction = random->uniform(0.1, 0.5);
  axis.friction_speed = random->uniform(0.05, 0.2);
  axis.force = random->uniform(-1, 1);
  if (!has_coordinate) return axis;
  axis.stiffness = random->uniform(1, 10);
  axis.rest = random->uniform(-0.5, 0.5);
  axis.lower = random->uniform(-1.2, -0.2);
  axis.upper = random->uniform(0.2, 1.2);
  axis.stop_stiffness = random->uniform(10, 50);
  axis.stop_damping = random->uniform(0.5, 2);
  return axis;
}

void set_random_state(RandomStream* random, Joint* joint) {
  const int nq = position_count(joint->type), nv = speed_count(joint->type);
  if (nq > nv) {
    const Quaternion q = random_rotation(random);
    joint->q0 = {q.w(), q.x(), q.y(), q.z()};
  }
  while (static_cast<int>(joint->q0.size()) < nq) joint->q0.push_back(random->uniform(-1.5, 1.5));
  for (int i = 0; i < nv; ++i) joint->v0.push_back(random->uniform(-2, 2));
}

BodyIndex other_body(BodyIndex a, int count, RandomStream* random) {
  const auto step = static_cast<int>(random->integer(1, count - 1));
  return BodyIndex((a.value + step) % count);
}

void add_random_forces(RandomStream* random, Mechanism* mechanism) {
  const auto count = static_cast<int>(mechanism->bodies.size());
  for (int i = 1; i < count; i += 2) {
    SpringDamper spring;
    spring.name = concat("spring", i);
    spring.a = BodyIndex(i);
    spring.b = other_body(spring.a, count, random);
    spring.p_AP_A = random_vector(-0.3, 0.3, random);
    spring.p_BQ_B = random_vector(-0.3, 0.3, random);
    spring.free_length = random->uniform(0.2, 0.6);
    spring.stiffness = random->uniform(5, 20);
    spring.damping = random->uniform(0.5, 2);
    spring.preload = random->uniform(-1, 1);
    spring.spring = Table{{-0.4, -0.1, 0.15, 0.5}, {-3.5, -1.25, 0.75, 4.5}};
    spring.damper = Table{{-1.5, -0.2, 0.3, 1.25}, {-2.5, -0.75, 0.5, 3.5}};
    mechanism->springs.push_back(std::move(spring));
  }
  for (int i = 1; i < count; i += 3) {
    Bushing bushing;
    bushing.name = concat("bushing", i);
    bushing.a = BodyIndex(i);
    bushing.b = other_body(bushing.a, count, random);
    bushing.X_AP = random_pose(0.3, random);
    bushing.X_BQ = random_pose(0.3, random);
    Matrix6 A, D;
    for (int k = 0; k < 36; ++k) {
      A.data()[k] = random->uniform(-1, 1);
      D.data()[k] = random->uniform(-0.3, 0.3);
    }
    bushing.stiffness = A * A.transpose() + Matrix6::Identity();
    bushing.damping = D * D.transpose();
    mechanism->bushings.push_back(std::move(bushing));
  }
  for (int i = 1; i < count; i += 2) {
    Wrench wrench;
    wrench.name = concat("wrench", i);
    wrench.body = BodyIndex(i);
    wrench.p_BQ_B = random_vector(-0.3, 0.3, random);
    wrench.force = random_vector(-3, 3, random);
    wrench.torque = random_vector(-1, 1, random);
    wrench.in_world = random->uniform() < 0.5;
    mechanism->wrenches.push_back(std::move(wrench));
  }
}

}  // namespace

Mechanism make_chain(int n, std::uint64_t seed) {
  require(n >= 0, "make_chain: needs n >= 0, got ", n);
  return make_revolute_tree(concat("chain", n), n, seed, [](int i) { return i - 1; });
}

Mechanism make_binary_tree(int n, std::uint64_t seed) {
  require(n >= 0, "make_binary_tree: needs n >= 0, got ", n);
  return make_revolute_tree(concat("tree", n), n, seed, [](int i) { return i / 2; });
}

Mechanism make_four_bar_ladder(int n, LadderPin pin) {
  require(n >= 0, "make_four_bar_ladder: needs n >= 0, got ", n);
  Mechanism mechanism;
  mechanism.name = concat("ladder", n);
  const LoopAngles start = close_four_bar(kStart);
  RandomStream random(4);
  BodyIndex base = kWorld;
  for (int i = 1; i <= n; ++i) {
    const BodyIndex crank =
        mechanism.add(make_bar(concat("crank", i), kCrank, random.uniform(0.6, 0.9)));
    const BodyIndex coupler =
        mechanism.add(make_bar(concat("coupler", i), kCoupler, random.uniform(1.1, 1.5)));
    const BodyIndex rocker =
        mechanism.add(make_bar(concat("rocker", i), kRocker, random.uniform(0.7, 1.0)));
    const double z = base == kWorld ? 0 : kRise;
    const auto add_pin = [&](const char* name, BodyIndex parent, const Isometry3& X_PF,
                             BodyIndex child, double x, double angle) -> Joint& {
      Joint joint;
      joint.name = concat(name, i);
      joint.type = JointType::kRevolute;
      joint.parent = parent;
      joint.child = child;
      joint.X_PF = X_PF;
      joint.X_BM = pin_at(x, 0);
      joint.q0 = {angle};
      return mechanism.joints[static_cast<std::size_t>(mechanism.add(std::move(joint)).value)];
    };
    // z of a pin is -y: it rotates x toward z.
    add_pin("crank", base, pin_at(0, z), crank, 0, kStart);
    add_pin("coupler", crank, pin_at(kCrank, 0), coupler, 0, start.coupler - kStart);
    add_pin("rocker", base, pin_at(kBase, z), rocker, 0, start.rocker);
    const double turn = start.coupler - start.rocker;  // of the coupler relative to the rocker
    Joint& closure = add_pin("pin", rocker, pin_at(kRocker, 0), coupler, kCoupler, turn);
    closure.cut = true;
    if (pin == LadderPin::kSpherical) {
      closure.type = JointType::kSpherical;
      closure.q0 = {std::cos(turn / 2), 0, 0, std::sin(turn / 2)};
    }
    mechanism.independent.push_back(concat("crank", i));
    base = coupler;
  }
  return mechanism;
}

Mechanism make_random_tree(std::uint64_t seed, const RandomTreeOptions& options) {
  require(options.bodies >= 0, "make_random_tree: needs bodies >= 0, got ", options.bodies);
  Mechanism mechanism;
  mechanism.name = concat("random", seed);
  RandomStream random(seed);
  mechanism.gravity = random_vector(-10, 10, &random);
  const int count = options.bodies > 0 ? options.bodies : static_cast<int>(random.integer(1, 20));
  std::vector<JointType> types = options.types;
  if (types.empty()) types.assign(kAllTypes.begin(), kAllTypes.end());
  std::vector<int> order;
  for (int i = 1; i <= count; ++i) {
    if (order.empty()) order = random.permutation(static_cast<int>(types.size()));
    const BodyIndex child = mechanism.add(random_body(concat("body", i), &random));
    Joint joint;
    joint.name = concat("joint", i);
    joint.type = types[static_cast<std::size_t>(order.back())];
    order.pop_back();
    // Mostly on one of the last three bodies: deep trees as well as wide ones.
    const bool deep = random.uniform() < 0.5;
    joint.parent =
        BodyIndex(static_cast<int>(random.integer(deep ? std::max(0, i - 3) : 0, i - 1)));
    joint.child = child;
    joint.X_PF = random_pose(0.5, &random);
    joint.X_BM = random_pose(0.3, &random);
    if (joint.type == JointType::kScrew) joint.pitch = random.uniform(-0.3, 0.3);
    if (options.with_forces) {
      const bool has_coordinate = position_count(joint.type) == speed_count(joint.type);
      for (int k = 0; k < speed_count(joint.type); ++k)
        joint.axes.push_back(random_axis(has_coordinate, &random));
    }
    set_random_state(&random, &joint);
    mechanism.add(std::move(joint));
  }
  if (options.with_forces) add_random_forces(&random, &mechanism);
  return mechanism;
}

}  // namespace camber::multibody
