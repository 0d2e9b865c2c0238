// Moves a rig's joints: what is asked for is a wheel's height or a spring's length, what there is
// to move are joint coordinates. Loops close in closed form or by Newton's method
// (multibody/close_loops.h); the derivatives are those of v = G y for a unit speed of one joint.
#include "camber/vehicle/rig.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/vehicle/rig_measuring.h"

namespace camber::vehicle {

using multibody::JointIndex;

namespace {

constexpr double kMarch = 0.01;   // [rad] or [m]: smaller than anything a linkage does at once
constexpr double kFinest = 1e-7;  // of the march's steps, where a linkage ends
constexpr int kMostMarches = 1000;
constexpr int kMostSteps = 60;  // inside a bracket: Newton's method, bisection at the worst

/// As the rig takes it: ideal hinges, a steering that is free to be moved, V where W is.
Vehicle without_compliance(Vehicle vehicle) {
  for (Axle& axle : vehicle.axles) {
    axle.soft_lower_hinge.reset();
    axle.soft_upper_hinge.reset();
  }
  if (vehicle.steering) vehicle.steering->motion.reset();
  vehicle.height = 0;
  return vehicle;
}

std::vector<double> radii_of(const Vehicle& vehicle, const RigOptions& options) {
  std::vector<double> radii = options.loaded_radius;
  require(radii.empty() || radii.size() == vehicle.axles.size(), "Rig: ", radii.size(),
          " loaded radii for ", vehicle.axles.size(), " axles");
  if (radii.empty()) {
    for (const Axle& axle : vehicle.axles) radii.push_back(axle.wheel.radius);
  }
  for (std::size_t i = 0; i < radii.size(); ++i)
    require(radii[i] > 0, "Rig: axle \"", vehicle.axles[i].name,
            "\" needs a loaded radius > 0 m, got ", radii[i]);
  return radii;
}

}  // namespace

Rig::Rig(const Vehicle& vehicle, const RigOptions& options)
    : vehicle_(without_compliance(vehicle)),
      parts_(expand(vehicle_, {.has_fixed_chassis = true})),
      dynamics_(parts_.mechanism),
      loaded_radius_(radii_of(vehicle_, options)),
      v_(VectorX<double>::Zero(dynamics_.nv())),
      work_(dynamics_.model(), dynamics_.partition()),
      measuring_(
          std::make_unique<internal::RigMeasuring>(vehicle_, parts_, dynamics_, loaded_radius_)) {
  reset();
}

Rig::~Rig() = default;

int Rig::coordinate_of(JointIndex joint) const {
  return dynamics_.tree().joints[joint.value].q_start;
}

int Rig::speed_of(JointIndex joint) const { return dynamics_.tree().joints[joint.value].v_start; }

void Rig::reset() {
  q_ = dynamics_.initial_q();
  close_loops(dynamics_.model(), dynamics_.partition(), &work_.closure, &q_, &work_.pos);
}

/// One coordinate to its place and the loops closed, from where they are; back, if they do not.
bool Rig::close_at(int coordinate, double position) {
  VectorX<double> q = q_;
  q[coordinate] = position;
  if (close_loops(dynamics_.model(), dynamics_.partition(), &work_.closure, &q, &work_.pos)
          .closed) {
    q_ = q;
    return true;
  }
  calc_position_kinematics(dynamics_.model(), q_, &work_.pos);
  return false;
}

// A march of small steps until the target lies between two of them, then Newton's method, with a
// bisection where it would leave the bracket. The march ends where the loops do not close any more
// or what is read turns back: beyond there is no more to be had.
template <class F>
bool Rig::bring(int coordinate, double target, const F& read) {
  Reading here = read();
  if (here.value == target) return true;
  const double side = target > here.value ? 1 : -1;  // of the target
  const double way = here.slope > 0 ? side : -side;  // of the coordinate
  const auto is_beyond = [&](const Reading& r) { return side * (r.value - target) >= 0; };
  const auto goes_on = [&](const Reading& r) { return way * side * r.slope > 0; };
  double step = kMarch, first = q_[coordinate], last = first;
  for (int i = 0; i < kMostMarches && !is_beyond(here); ++i) {
    first = q_[coordinate];
    const VectorX<double> before = q_;
    bool ok = close_at(coordinate, first + way * step);
    if (ok) {
      const Reading next = read();
      ok = is_beyond(next) || goes_on(next);
      if (ok) here = next;
    }
    if (ok) {
      last = q_[coordinate];
      continue;
    }
    q_ = before;
    calc_position_kinematics(dynamics_.model(), q_, &work_.pos);
    step *= 0.5;
    if (step < kFinest) return false;
  }
  if (!is_beyond(here)) return false;
  for (int i = 0; i < kMostSteps && here.value != target; ++i) {
    const double x = q_[coordinate];
    (is_beyond(here) ? last : first) = x;
    double next = x - (here.value - target) / here.slope;
    if (!((next - first) * (next - last) <= 0)) next = 0.5 * (first + last);
    if (next == x || !close_at(coordinate, next)) break;
    const Reading there = read();
    const bool is_at_rounding = std::abs(there.value - target) >= std::abs(here.value - target) &&
                                std::abs(next - x) < 1e-12;
    here = there;
    if (is_at_rounding) break;
  }
  return true;
}

/// Speeds of all links for a unit speed of one joint, the other independent ones at rest.
void Rig::spin_up(JointIndex joint) {
  const auto& model = dynamics_.model();
  const auto& partition = dynamics_.partition();
  calc_loop_matrices(model, partition, work_.pos, &work_.loops);
  v_.setZero();
  v_[speed_of(joint)] = 1;
  gather_speeds(partition, v_, &work_.y);
  expand_speeds(model, partition, work_.y, &work_.loops, &v_);
  calc_velocity_kinematics(model, work_.pos, v_, static_cast<const VectorX<double>*>(nullptr),
                           &work_.vel);
}

Rig::Reading Rig::read_height(int corner) {
  const Corner& c = parts_.corners[corner];
  spin_up(c.travel);
  const auto p = internal::place_point(dynamics_.model(), work_.pos, c.carrier, c.points.wheel);
  const auto& V = work_.vel.V[dynamics_.model().bodies[c.carrier.value].link];
  return {p[2] - c.points.wheel[2], velocity_at(V, p - work_.pos.p_WO)[2]};
}

Rig::Reading Rig::read_spring(int corner) {
  const Corner& c = parts_.corners[corner];
  spin_up(c.travel);
  const auto& element = internal::find_element(parts_.mechanism, c.name + "_spring");
  const auto& model = dynamics_.model();
  const auto P = internal::place_point(model, work_.pos, element.a, element.p_AP_A);
  const auto Q = internal::place_point(model, work_.pos, element.b, element.p_BQ_B);
  const auto velocity = [&](multibody::BodyIndex body, const auto& p) {
    return velocity_at(work_.vel.V[model.bodies[body.value].link], p - work_.pos.p_WO);
  };
  const auto PQ = Q - P;
  const double length = std::sqrt(dot(PQ, PQ));
  return {length, dot(PQ, velocity(element.b, Q) - velocity(element.a, P)) / length};
}

bool Rig::steer(double position) {
  require(has_steering(), "Rig: vehicle \"", vehicle_.name, "\" has no steering");
  const int coordinate = coordinate_of(parts_.steering);
  return bring(coordinate, position, [&] { return Reading{q_[coordinate], 1}; });
}

bool Rig::turn_arm(int corner, double angle) {
  const int coordinate = coordinate_of(parts_.corners[corner].travel);
  return bring(coordinate, angle, [&] { return Reading{q_[coordinate], 1}; });
}

bool Rig::lift(int corner, double travel) {
  return bring(coordinate_of(parts_.corners[corner].travel), travel,
               [&] { return read_height(corner); });
}

bool Rig::compress(int corner, double spring_length) {
  return bring(coordinate_of(parts_.corners[corner].travel), spring_length,
               [&] { return read_spring(corner); });
}

double Rig::steering() const { return has_steering() ? q_[coordinate_of(parts_.steering)] : 0; }

double Rig::travel(int corner) { return read_height(corner).value; }

RigState Rig::measure() { return measuring_->measure(q_); }

}  // namespace camber::vehicle
