#include "bench/vehicle/ten_body.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <Eigen/Geometry>

#include "camber/core/require.h"
#include "camber/lagrange/model_file.h"
#include "camber/symbolic/evaluate.h"

namespace camber::bench {
namespace {

using multibody::Body, multibody::BodyIndex, multibody::Joint, multibody::JointAxis,
    multibody::JointIndex, multibody::JointType, multibody::kWorld, multibody::Mechanism;

Isometry3 frame_at(const Vector3& p, const Vector3& z) {
  Isometry3 X = Isometry3::Identity();
  X.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), z).toRotationMatrix();
  X.translation() = p;
  return X;
}

/// Body frames stand at the vehicle's frame in the design position, so places have the same
/// numbers in all of them.
class Builder {
 public:
  explicit Builder(const lagrange::System& system) {
    for (const auto& [symbol, value] : lagrange::parameter_values(system))
      figures_[std::string(symbol.name())] = symbolic::evaluate(value, {});
    mechanism_.name = system.name + "_mechanism";
    mechanism_.gravity = {0, 0, -at("g")};
  }

  Mechanism build() {
    chassis_ = add_body("chassis", "chassis", 1);
    join(JointType::kFree, "chassis", kWorld, chassis_, Isometry3::Identity());
    const BodyIndex link = add_body("link", "link", 1);
    link_ = join(JointType::kPrismatic, "link", chassis_, link,
                 frame_at(place("link", 1), Vector3::UnitY()));
    axis(link_).damping = at("link_damping");
    for (const char* axle : {"front", "rear"})
      for (const double side : {1.0, -1.0}) add_corner(axle, side);
    return std::move(mechanism_);
  }

 private:
  double at(const std::string& name) const {
    const auto found = figures_.find(name);
    require(found != figures_.end(), "ten bodies: there is no parameter \"", name, "\"");
    return found->second;
  }
  Vector3 place(const std::string& name, double side) const {
    return {at(name + "_x"), side * at(name + "_y"), at(name + "_z")};
  }

  BodyIndex add_body(const std::string& name, const std::string& figures, double side) {
    const auto J = [&](const char* element) { return at(figures + "_" + element); };
    Body body{name, J("mass"), place(figures, side), Matrix3::Zero()};
    body.I_BBcm_B << J("xx"), side * J("xy"), J("xz"), side * J("xy"), J("yy"), side * J("yz"),
        J("xz"), side * J("yz"), J("zz");
    return mechanism_.add(body);
  }

  JointIndex join(JointType type, const std::string& name, BodyIndex parent, BodyIndex child,
                  const Isometry3& X) {
    Joint joint;
    joint.name = name;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.X_PF = joint.X_BM = X;
    if (type != JointType::kFree) joint.axes.resize(1);
    mechanism_.joints.push_back(joint);
    return JointIndex(static_cast<int>(mechanism_.joints.size()) - 1);
  }
  JointAxis& axis(JointIndex joint) { return mechanism_.joints[joint.value].axes[0]; }

  void add_corner(const std::string& axle, double side) {
    const std::string name = axle + (side > 0 ? "_left" : "_right");
    const BodyIndex carrier = add_body(name, axle, side);
    const bool is_front = axle == "front";
    const BodyIndex swing = is_front ? mechanism_.add(Body{name + "_arm"}) : carrier;
    const Vector3 hinge(0, side * at(axle + "_hinge_y"), at(axle + "_hinge_z"));
    const JointIndex travel = join(JointType::kRevolute, name, chassis_, swing,
                                   frame_at(hinge, {side, 0, 0}));  // up is positive
    axis(travel).stiffness = at(axle + "_stiffness");
    axis(travel).rest = at(axle + "_rest");
    axis(travel).damping = at(axle + "_damping");
    if (is_front) add_kingpin(name, swing, carrier, side);

    const Vector3 hub = place(axle + "_wheel", side);
    Body wheel{name + "_wheel", at("wheel_mass"), hub, Matrix3::Zero()};
    wheel.I_BBcm_B.diagonal() << at("wheel_xx"), at("wheel_yy"), at("wheel_xx");
    join(JointType::kRevolute, name + "_spin", carrier, mechanism_.add(wheel),
         frame_at(hub, Vector3::UnitY()));
    add_tire(name, carrier, hub);
    mechanism_.wrenches.push_back({"push_" + name, carrier, hub});
  }

  void add_kingpin(const std::string& name, BodyIndex arm, BodyIndex carrier, double side) {
    const Vector3 up = (Eigen::AngleAxisd(side * at("inclination"), Vector3::UnitX()) *
                        Eigen::AngleAxisd(-at("caster"), Vector3::UnitY())) *
                       Vector3::UnitZ();
    const JointIndex kingpin = join(JointType::kRevolute, name + "_kingpin", arm, carrier,
                                    frame_at(place("ball", side), up));
    mechanism_.couplers.push_back(
        {name + "_steering", {{kingpin, 0, 1.0}, {link_, 0, -at("steer")}}, 0.0});
  }

  void add_tire(const std::string& name, BodyIndex carrier, const Vector3& hub) {
    multibody::Bushing tire;
    tire.name = name + "_tire";
    tire.b = carrier;
    tire.X_AP.translation() = Vector3(0, 0, at("radius"));
    tire.X_BQ.translation() = hub;
    tire.stiffness(5, 5) = at("tire_stiffness");
    tire.damping(5, 5) = at("tire_damping");
    mechanism_.bushings.push_back(tire);
  }

  std::map<std::string, double> figures_;
  Mechanism mechanism_;
  BodyIndex chassis_;
  JointIndex link_;
};

int find(const std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  require(at != names.end(), "ten bodies: there is no \"", name, "\"");
  return static_cast<int>(at - names.begin());
}

}  // namespace

Mechanism make_ten_body_mechanism(const lagrange::System& system) {
  return Builder(system).build();
}

TenBodyOrder::TenBodyOrder(const lagrange::AccelerationEquations& equations,
                           const multibody::MechanismTree& mechanism, double steer)
    : nq_(mechanism.model.nq), nv_(mechanism.model.nv) {
  std::vector<std::string> names;
  for (const symbolic::Expr& leaf : equations.state()) names.push_back(lagrange::text_of(leaf));
  int k = 0;
  for (const char* angle : {"yaw", "pitch", "roll"}) attitude_[k++] = find(names, angle);
  k = 0;
  for (const char* way : {"x", "y", "z"}) position_[k++] = find(names, way);
  base_u_ = find(names, "chassis.wx");
  base_v_ = find(mechanism.v_names, "chassis.wx");
  base_q_ = find(mechanism.q_names, "chassis.qw");
  for (const char* name :
       {"front_left", "front_right", "rear_left", "rear_right", "front_left_spin",
        "front_right_spin", "rear_left_spin", "rear_right_spin", "link", "front_left_kingpin",
        "front_right_kingpin"}) {
    Place place;
    place.is_copy = std::string(name).ends_with("_kingpin");
    const std::string own = place.is_copy ? "link" : name;
    place.q = find(names, own);
    place.u = find(names, own + "'");
    place.tree_q = find(mechanism.q_names, name);
    place.tree_v = find(mechanism.v_names, name);
    if (place.is_copy) place.factor = steer;
    places_.push_back(place);
  }
}

void TenBodyOrder::to_mechanism(const VectorX<double>& x, VectorX<double>* q,
                                VectorX<double>* v) const {
  q->setZero(nq_);
  v->setZero(nv_);
  const Eigen::Quaterniond attitude = Eigen::AngleAxisd(x[attitude_[0]], Vector3::UnitZ()) *
                                      Eigen::AngleAxisd(x[attitude_[1]], Vector3::UnitY()) *
                                      Eigen::AngleAxisd(x[attitude_[2]], Vector3::UnitX());
  q->segment<4>(base_q_) << attitude.w(), attitude.vec();
  for (int i = 0; i < 3; ++i) (*q)[base_q_ + 4 + i] = x[position_[i]];
  v->segment<6>(base_v_) = x.segment<6>(base_u_);
  for (const Place& place : places_) {
    (*q)[place.tree_q] = place.factor * x[place.q];
    (*v)[place.tree_v] = place.factor * x[place.u];
  }
}

VectorX<double> TenBodyOrder::from_mechanism(const VectorX<double>& q,
                                             const VectorX<double>& v) const {
  VectorX<double> x = VectorX<double>::Zero(30);
  const Matrix3 R =
      Eigen::Quaterniond(q[base_q_], q[base_q_ + 1], q[base_q_ + 2], q[base_q_ + 3]).matrix();
  x[attitude_[0]] = std::atan2(R(1, 0), R(0, 0));
  x[attitude_[1]] = std::asin(-R(2, 0));
  x[attitude_[2]] = std::atan2(R(2, 1), R(2, 2));
  for (int i = 0; i < 3; ++i) x[position_[i]] = q[base_q_ + 4 + i];
  x.segment<6>(base_u_) = v.segment<6>(base_v_);
  for (const Place& place : places_) {
    if (place.is_copy) continue;
    x[place.q] = q[place.tree_q];
    x[place.u] = v[place.tree_v];
  }
  return x;
}

VectorX<double> TenBodyOrder::accelerations(const VectorX<double>& v_dot) const {
  VectorX<double> u_dot = VectorX<double>::Zero(15);
  u_dot.segment<6>(base_u_ - 15) = v_dot.segment<6>(base_v_);
  for (const Place& place : places_)
    if (!place.is_copy) u_dot[place.u - 15] = v_dot[place.tree_v];
  return u_dot;
}

}  // namespace camber::bench
