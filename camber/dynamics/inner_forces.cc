#include "camber/dynamics/inner_forces.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "camber/core/require.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/multibody/forces.h"

namespace camber::dynamics {

using multibody::BodyIndex, multibody::Joint, multibody::RowKind, multibody::to_vec3;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kBar =
    "_right_anti_roll_bar";  // as expand() names the half that is twisted

}  // namespace

InnerForces::InnerForces(TreeMotion motion) : motion_(std::move(motion)) {
  const std::vector<Joint>& joints = mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent.value == 0) continue;
    joints_.push_back(j);
    if (joints[j].name.ends_with(kBar) && !joints[j].axes.empty()) bars_.push_back(j);
  }
  const auto& rows = motion_.chassis().dynamics().model().rows;
  for (const multibody::Rod& rod : mechanism().rods)
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows[r].kind == RowKind::kDistance && rows[r].name == concat("rod \"", rod.name, "\""))
        rods_.push_back(r);
}

void InnerForces::name_parts(VehicleLayout* layout) const {
  for (const multibody::SpringDamper& spring : mechanism().springs)
    layout->struts.push_back(spring.name);
  for (const std::size_t j : bars_) {
    const std::string& name = mechanism().joints[j].name;
    layout->anti_roll_bars.push_back(name.substr(0, name.size() - kBar.size()));
  }
  if (rods_.size() == mechanism().rods.size())
    for (const multibody::Rod& rod : mechanism().rods) layout->rods.push_back(rod.name);
  for (const std::size_t j : joints_) layout->joints.push_back(mechanism().joints[j].name);
}

template <class Chassis>
bool InnerForces::update(Chassis* chassis, double t, std::span<const double> q,
                         std::span<const double> v, const ChassisLoads& loads) {
  is_known_ = motion_.follow(chassis, t, q, v) && motion_.chassis().calc_inner_forces(loads);
  return is_known_;
}

VehicleSnapshot::Strut InnerForces::find_strut(std::size_t spring) const {
  if (!is_known_) return {kNaN, kNaN, kNaN};
  const MechanismChassis& chassis = motion_.chassis();
  const multibody::SpringDamper& element = mechanism().springs[spring];
  const BodyMotion a = chassis.motion(element.a), b = chassis.motion(element.b);
  const Vec3<double> arm_a = a.R_WB * to_vec3(element.p_AP_A),
                     arm_b = b.R_WB * to_vec3(element.p_BQ_B);
  const Vec3<double> d = b.p_WB + arm_b - a.p_WB - arm_a;
  const double length = std::sqrt(dot(d, d));
  const Vec3<double> speed = b.v_WB + cross(b.w_WB, arm_b) - a.v_WB - cross(a.w_WB, arm_a);
  const double rate = length > 0 ? dot(d, speed) / length : 0;
  return {calc_tension(chassis.dynamics().model().springs[spring], length, rate), length, rate};
}

void InnerForces::write_forces(const math::Mat3<double>& R_WV, VehicleSnapshot* out) const {
  out->struts.clear();
  for (std::size_t k = 0; k < mechanism().springs.size(); ++k) out->struts.push_back(find_strut(k));
  const MechanismChassis& chassis = motion_.chassis();
  out->bar_twists.clear();
  out->bar_torques.clear();
  for (const std::size_t j : bars_) {
    const double twist = is_known_ ? chassis.find_coordinate(j) : kNaN;
    out->bar_twists.push_back(twist);
    out->bar_torques.push_back(mechanism().joints[j].axes[0].stiffness * twist);
  }
  out->rod_forces.clear();
  for (const std::size_t r : rods_)  // a positive multiplier pushes the ends apart
    out->rod_forces.push_back(
        is_known_ ? -chassis.reactions().multipliers[static_cast<Eigen::Index>(r)] : kNaN);
  out->joint_loads.clear();
  for (const std::size_t j : joints_) {
    Vec3<double> force(kNaN, kNaN, kNaN), torque = force;
    if (is_known_ && chassis.reactions().joints[j]) {
      force = transpose_times(R_WV, to_vec3(chassis.reactions().joints[j]->force));
      torque = transpose_times(R_WV, to_vec3(chassis.reactions().joints[j]->torque));
    }
    out->joint_loads.insert(out->joint_loads.end(),
                            {force[0], force[1], force[2], torque[0], torque[1], torque[2]});
  }
}

Vec3<double> InnerForces::find_acceleration(const Accelerometer& place) const {
  if (!is_known_) return {kNaN, kNaN, kNaN};
  const BodyMotion body = motion_.chassis().motion(place.body);
  return transpose_times(body.R_WB, motion_.chassis().find_acceleration(place.body, place.point));
}

template bool InnerForces::update(MechanismChassis*, double, std::span<const double>,
                                  std::span<const double>, const ChassisLoads&);
template bool InnerForces::update(GeneratedChassis*, double, std::span<const double>,
                                  std::span<const double>, const ChassisLoads&);

}  // namespace camber::dynamics
