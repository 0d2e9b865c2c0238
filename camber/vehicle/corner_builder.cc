#include "camber/vehicle/corner_builder.h"

#include <cmath>

#include "camber/core/require.h"

namespace camber::vehicle::internal {

using multibody::Body, multibody::Joint, multibody::Mechanism, multibody::SpringDamper,
    multibody::Table;

namespace {

/// The mirror in the vehicle's middle plane.
const Vector3 kMirror(1, -1, 1);

Part mirrored(Part part) {
  part.center = part.center.cwiseProduct(kMirror);
  part.inertia = kMirror.asDiagonal() * part.inertia * kMirror.asDiagonal();
  return part;
}

Hardpoints mirrored(Hardpoints points) {
  for (const auto& [name, p] : all_points(&points)) *p = p->cwiseProduct(kMirror);
  return points;
}

/// Stops as tension over (length - free_length): none between the two lengths.
Table stop_table(const Spring& spring) {
  Table table;
  const Table& stop = *spring.stop;
  const auto add = [&](double x, double y) {
    table.x.push_back(x);
    table.y.push_back(y);
  };
  if (spring.bump_length) {
    const double start = *spring.bump_length - spring.free_length;
    for (std::size_t i = stop.x.size(); i-- > 0;) add(start - stop.x[i], -stop.y[i]);
  }
  if (spring.rebound_length) {
    const double start = *spring.rebound_length - spring.free_length;
    for (std::size_t i = 0; i < stop.x.size(); ++i) add(start + stop.x[i], stop.y[i]);
  }
  // A single stop does nothing on its free side.
  if (!spring.bump_length) {
    table.x.insert(table.x.begin(), table.x.front() - 1);
    table.y.insert(table.y.begin(), 0.0);
  }
  if (!spring.rebound_length) add(table.x.back() + 1, 0);
  return table;
}

}  // namespace

Isometry3 frame_at(const Vector3& p, const Vector3& z) {
  Isometry3 X = Isometry3::Identity();
  const Vector3 axis = z.normalized();
  const Vector3 x = axis.unitOrthogonal();
  X.linear() << x, axis.cross(x), axis;
  X.translation() = p;
  return X;
}

CornerBuilder::CornerBuilder(const Axle& axle, int axle_index, bool is_left, BodyIndex chassis,
                             BodyIndex tie_rod_base, Mechanism* mechanism)
    : axle_(axle),
      axle_index_(axle_index),
      is_left_(is_left),
      chassis_(chassis),
      tie_rod_base_(tie_rod_base),
      mechanism_(mechanism) {}

Vector3 CornerBuilder::here(const Vector3& p) const {
  return is_left_ ? p : Vector3(p.cwiseProduct(kMirror));
}

// In a mirror a turn goes the other way round: all three axes are turned, and the frame stays
// right-handed.
Isometry3 CornerBuilder::turning_frame(const Isometry3& X) const {
  if (is_left_) return X;
  Isometry3 image = Isometry3::Identity();
  image.linear() = -(kMirror.asDiagonal() * X.linear());
  image.translation() = X.translation().cwiseProduct(kMirror);
  return image;
}

// A way along z stays one along the image of z.
Isometry3 CornerBuilder::sliding_frame(const Isometry3& X) const {
  Isometry3 image = turning_frame(X);
  if (!is_left_) {
    image.linear().col(1) *= -1;
    image.linear().col(2) *= -1;
  }
  return image;
}

std::string CornerBuilder::named(std::string_view part) const {
  const char* side = !axle_.is_mirrored ? "" : is_left_ ? "_left" : "_right";
  return concat(axle_.name, side, part.empty() ? "" : "_", part);
}

BodyIndex CornerBuilder::add_body(std::string_view part, const Part& figures) {
  const Part own = is_left_ ? figures : mirrored(figures);
  return mechanism_->add(Body{named(part), own.mass, own.center, own.inertia});
}

JointIndex CornerBuilder::add_joint(JointType type, std::string name, BodyIndex parent,
                                    BodyIndex child, const Isometry3& X, bool closes) {
  Joint joint;
  joint.name = std::move(name);
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.X_PF = joint.X_BM = X;  // all frames stand at V in the design position
  joint.cut = closes;
  return mechanism_->add(joint);
}

JointIndex CornerBuilder::hinge(BodyIndex parent, BodyIndex child, const Vector3& p,
                                const Vector3& axis) {
  return add_joint(JointType::kRevolute, mechanism_->bodies[child.value].name, parent, child,
                   turning_frame(frame_at(p, axis)), false);
}

JointIndex CornerBuilder::slide(BodyIndex parent, BodyIndex child, const Vector3& p,
                                const Vector3& axis) {
  return add_joint(JointType::kPrismatic, mechanism_->bodies[child.value].name, parent, child,
                   sliding_frame(frame_at(p, axis)), false);
}

JointIndex CornerBuilder::ball(BodyIndex parent, BodyIndex child, const Vector3& p) {
  return add_joint(JointType::kSpherical, mechanism_->bodies[child.value].name, parent, child,
                   turning_frame(frame_at(p, Vector3::UnitZ())), false);
}

JointIndex CornerBuilder::universal(BodyIndex parent, BodyIndex child, const Vector3& p,
                                    const Vector3& along) {
  return add_joint(JointType::kUniversal, mechanism_->bodies[child.value].name, parent, child,
                   turning_frame(frame_at(p, along)), false);
}

void CornerBuilder::close_with_hinge(std::string_view name, BodyIndex a, BodyIndex b,
                                     const Vector3& p, const Vector3& axis) {
  add_joint(JointType::kRevolute, named(name), a, b, turning_frame(frame_at(p, axis)), true);
}

void CornerBuilder::close_with_ball(std::string_view name, BodyIndex a, BodyIndex b,
                                    const Vector3& p) {
  add_joint(JointType::kSpherical, named(name), a, b, turning_frame(frame_at(p, Vector3::UnitZ())),
            true);
}

void CornerBuilder::rod(std::string_view name, BodyIndex a, BodyIndex b, const Vector3& P,
                        const Vector3& Q) {
  mechanism_->rods.push_back({named(name), a, b, here(P), here(Q), (Q - P).norm()});
}

JointIndex CornerBuilder::arm_hinge(BodyIndex arm, const Vector3& front, const Vector3& back,
                                    const std::optional<SoftHinge>& soft) {
  const Vector3 middle = 0.5 * (front + back);
  if (!soft) return hinge(chassis_, arm, middle, front - back);
  const Isometry3 X = turning_frame(frame_at(middle, front - back));
  multibody::Bushing bushing;
  bushing.name = named("bushing_of_" + mechanism_->bodies[arm.value].name);
  bushing.a = chassis_;
  bushing.b = arm;
  bushing.X_AP = bushing.X_BQ = X;
  bushing.stiffness.diagonal() << soft->turning_stiffness, soft->stiffness;
  bushing.damping.diagonal() << soft->turning_damping, soft->damping;
  mechanism_->bushings.push_back(bushing);
  return add_joint(JointType::kFree, mechanism_->bodies[arm.value].name, chassis_, arm, X, false);
}

void CornerBuilder::spring_and_shock(BodyIndex lower) {
  const Hardpoints& p = points();
  const auto between = [&](std::string_view name, const Vector3& top, const Vector3& bottom) {
    SpringDamper element;
    element.name = named(name);
    element.a = chassis_;
    element.b = lower;
    element.p_AP_A = here(top);
    element.p_BQ_B = here(bottom);
    return element;
  };
  const Spring& spring = axle_.spring;
  SpringDamper element = between("spring", p.spring_top, p.spring_bottom);
  element.free_length = spring.free_length;
  element.stiffness = spring.stiffness;
  element.preload = spring.preload;
  element.spring = spring.table;
  mechanism_->springs.push_back(element);
  if (spring.stop && (spring.bump_length || spring.rebound_length)) {
    SpringDamper stops = between("stops", p.spring_top, p.spring_bottom);
    stops.free_length = spring.free_length;
    stops.spring = stop_table(spring);
    mechanism_->springs.push_back(stops);
  }
  const Shock& shock = axle_.shock;
  SpringDamper damper = between("shock", p.shock_top, p.shock_bottom);
  damper.free_length = (p.shock_top - p.shock_bottom).norm();
  damper.damper = shock.table.value_or(Table{{-1, 0, 1}, {-shock.compression, 0, shock.rebound}});
  mechanism_->springs.push_back(damper);
}

void CornerBuilder::tie_rod(BodyIndex steered) {
  const Vector3 &inner = points().tie_rod_inner, &outer = points().tie_rod_outer;
  if (!axle_.has_tie_rod_body) {
    rod("tie_rod", tie_rod_base_, steered, inner, outer);
    return;
  }
  const BodyIndex body = add_body("tie_rod", axle_.tie_rod);
  universal(tie_rod_base_, body, inner, outer - inner);
  close_with_ball("tie_rod_outer", body, steered, outer);
}

Corner CornerBuilder::finish(BodyIndex carrier, JointIndex travel) {
  const Wheel& wheel = axle_.wheel;
  const Eigen::AngleAxisd toe(-wheel.toe, Vector3::UnitZ()), lean(-wheel.camber, Vector3::UnitX());
  const Vector3 axis = toe * (lean * Vector3::UnitY());
  Corner corner;
  corner.name = named("");
  corner.axle = axle_index_;
  corner.is_left = is_left_;
  corner.points = is_left_ ? points() : mirrored(points());
  corner.wheel_axis = is_left_ ? axis : Vector3(-axis.cwiseProduct(kMirror));
  corner.carrier = carrier;
  corner.travel = travel;
  Part part = wheel.part;  // its moments are about its own axes
  const Matrix3 lean_and_toe = (toe * lean).toRotationMatrix();
  part.inertia = lean_and_toe * part.inertia * lean_and_toe.transpose();
  corner.wheel = add_body("wheel", part);
  corner.spin = hinge(carrier, corner.wheel, points().wheel, axis);
  return corner;
}

}  // namespace camber::vehicle::internal
