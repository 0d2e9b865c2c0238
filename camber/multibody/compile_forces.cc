// Masses of the bodies on each link, and forces on links: the last part of compiler.h.
#include <algorithm>
#include <cmath>

#include "camber/math/dense.h"
#include "camber/multibody/compiler.h"

namespace camber::multibody::internal {

void Compiler::add_masses() {
  std::vector<double> mass(out_.model.links.size(), 0.0);
  std::vector<Vector3> mc(mass.size(), Vector3::Zero());
  std::vector<Matrix3> I(mass.size(), Matrix3::Zero());
  const auto center_of = [&](std::size_t b) -> Vector3 {
    return body_place_[b].p + body_place_[b].R * m().bodies[b].p_BoBcm_B;
  };
  for (std::size_t b = 1; b < m().bodies.size(); ++b) {
    const int l = new_place_[body_link_[b]];
    mass[l] += m().bodies[b].mass;
    mc[l] += m().bodies[b].mass * center_of(b);
  }
  for (std::size_t b = 1; b < m().bodies.size(); ++b) {
    const Body& body = m().bodies[b];
    const Matrix3& R = body_place_[b].R;
    const int l = new_place_[body_link_[b]];
    if (mass[l] <= 0) continue;
    const Vector3 d = center_of(b) - mc[l] / mass[l];
    I[l] += R * body.I_BBcm_B * R.transpose() +
            body.mass * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
  }
  for (std::size_t l = 1; l < mass.size(); ++l) {
    if (mass[l] <= 0) continue;
    Link<double>& link = out_.model.links[l];
    link.has_mass = true;
    link.mass = mass[l];
    link.p_LLcm = to_vec3(mc[l] / mass[l]);
    link.I_LLcm = {I[l](0, 0), I[l](1, 1), I[l](2, 2), I[l](0, 1), I[l](0, 2), I[l](1, 2)};
    const auto principal = math::calc_symmetric_eigen(I[l]);
    const Vector3& moments = principal.values;  // smallest first
    const auto axis = [&](int i, double square) -> Vector3 {
      // Equal ones may be in the wrong order, by rounding.
      return principal.vectors.col(i) * std::sqrt(std::max(square, 0.0));
    };
    link.middle = moments[1];
    link.larger = to_vec3(axis(2, moments[2] - moments[1]));
    link.smaller = to_vec3(axis(0, moments[1] - moments[0]));
  }
}

void Compiler::add_forces() {
  Model<double>& model = out_.model;
  for (std::size_t j = 0; j < m().joints.size(); ++j) {
    const Joint& joint = m().joints[j];
    if (!out_.joints[j].in_tree) continue;
    const bool has_coordinates = position_count(joint.type) == speed_count(joint.type);
    for (std::size_t k = 0; k < joint.axes.size(); ++k) {
      const JointAxis& axis = joint.axes[k];
      if (axis.motion) continue;  // the motion provides any force needed
      if (axis.stiffness == 0 && axis.damping == 0 && axis.friction == 0 && axis.force == 0 &&
          !axis.lower && !axis.upper) {
        continue;
      }
      AxisForce<double> force;
      force.q = has_coordinates ? out_.joints[j].q_start + static_cast<int>(k) : -1;
      force.v = out_.joints[j].v_start + static_cast<int>(k);
      force.stiffness = axis.stiffness;
      force.rest = axis.rest;
      force.damping = axis.damping;
      force.friction = axis.friction;
      force.friction_speed = axis.friction_speed;
      force.has_lower = axis.lower.has_value();
      force.has_upper = axis.upper.has_value();
      force.lower = axis.lower.value_or(0);
      force.upper = axis.upper.value_or(0);
      force.stop_stiffness = axis.stop_stiffness;
      force.stop_damping = axis.stop_damping;
      force.force = axis.force;
      model.axes.push_back(force);
    }
  }
  const auto place = [&](const End& end) { return new_place_[end.link]; };
  for (const SpringDamper& spring : m().springs) {
    const End a = end_of(spring.a, spring.p_AP_A), b = end_of(spring.b, spring.p_BQ_B);
    SpringForce<double> force;
    force.a = place(a);
    force.b = place(b);
    force.p_A = to_vec3(a.X.p);
    force.p_B = to_vec3(b.X.p);
    force.free_length = spring.free_length;
    force.stiffness = spring.stiffness;
    force.damping = spring.damping;
    force.preload = spring.preload;
    if (spring.spring) force.spring_x = spring.spring->x, force.spring_y = spring.spring->y;
    if (spring.damper) force.damper_x = spring.damper->x, force.damper_y = spring.damper->y;
    if (spring.ends) {
      force.end_x = spring.ends->damper.x;
      force.end_y = spring.ends->damper.y;
      force.shortest = spring.ends->shortest;
      force.longest = spring.ends->longest;
      force.end_rate = 1 / spring.ends->over;
    }
    model.springs.push_back(std::move(force));
  }
  for (const Bushing& bushing : m().bushings) {
    const End a = end_of(bushing.a, bushing.X_AP), b = end_of(bushing.b, bushing.X_BQ);
    BushingForce<double> force;
    force.a = place(a);
    force.b = place(b);
    force.R_AP = to_mat3(a.X.R);
    force.R_BQ = to_mat3(b.X.R);
    force.p_AP = to_vec3(a.X.p);
    force.p_BQ = to_vec3(b.X.p);
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 6; ++k) {
        force.stiffness[i][k] = bushing.stiffness(i, k);
        force.damping[i][k] = bushing.damping(i, k);
      }
    }
    model.bushings.push_back(force);
  }
  for (const Wrench& wrench : m().wrenches) {
    const End end = end_of(wrench.body, wrench.p_BQ_B);
    WrenchForce<double> force;
    force.link = place(end);
    force.p_L = to_vec3(end.X.p);
    force.in_world = wrench.in_world;
    const Matrix3 R = wrench.in_world ? Matrix3::Identity() : end.X.R;
    force.force = to_vec3(R * wrench.force);
    force.torque = to_vec3(R * wrench.torque);
    model.wrenches.push_back(force);
  }
}

}  // namespace camber::multibody::internal
