#pragma once

#include "camber/lagrange/system.h"

namespace camber::lagrange {

/// The motorcycle of 001 (after Sharp 1971), built as the paper builds it: frames T1, T2, T4,
/// wheels TWR and TWF, z down.
struct Motorcycle {
  System system;
  Frame T1, T2, T4, TWR, TWF;
  Body rear_wheel, rear_chassis, front_chassis, front_wheel;
  Force rear_tire, front_tire;
  Torque steering;
};

inline Motorcycle make_motorcycle() {
  const auto s = [](const char* name) { return symbolic::symbol(name); };
  Motorcycle m;
  System& system = m.system;
  system.name = "motorcycle";
  const Expr x = system.add_coordinate("x"), y = system.add_coordinate("y"),
             psi = system.add_coordinate("psi"), delta = system.add_coordinate("delta"),
             phi = system.add_coordinate("phi"), psi4 = system.add_coordinate("psi4"),
             phi4 = system.add_coordinate("phi4"), theta1 = system.add_coordinate("theta1"),
             theta4 = system.add_coordinate("theta4");
  const Expr Rr = s("Rr"), Rf = s("Rf");

  m.T1 = translate(x, y, 0) * rotate(Axis::kZ, psi);
  m.T2 = m.T1 * rotate(Axis::kX, phi);
  m.T4 = m.T2 * rotate(Axis::kY, s("epsilon")) * translate(s("a"), 0, 0) * rotate(Axis::kZ, delta);
  m.TWR = m.T2 * translate(-s("b"), 0, -Rr) * rotate(Axis::kY, theta1);
  m.TWF = anchored_at(m.T4 * translate(s("lx"), 0, s("lz"))) * rotate(Axis::kZ, psi4) *
          rotate(Axis::kX, phi4) * rotate(Axis::kY, theta4);

  m.rear_wheel = make_body("rear_wheel", origin(m.TWR), 0, 0, s("iry"), 0);
  m.rear_chassis = make_body("rear_chassis", Point{m.T2, Vector3(0, 0, -s("h"))}, s("mr"), s("Irx"),
                             s("Iry"), s("Irz"), 0, s("Crxz"), 0);
  m.front_chassis = make_body("front_chassis", Point{m.T4, Vector3(s("e"), 0, s("f"))}, s("mf"),
                              s("Ifx"), 0, s("Ifz"));
  m.front_wheel = make_body("front_wheel", origin(m.TWF), 0, 0, s("ify"), 0);
  system.bodies = {m.rear_wheel, m.rear_chassis, m.front_chassis, m.front_wheel};
  system.gravity = Vector3(0, 0, s("g"));

  const Expr Yr = symbolic::variable("Yr"), Yf = symbolic::variable("Yf"),
             tau = symbolic::variable("tau");
  const Point Cr{m.TWR, Vector3(-Rr * sin(theta1), 0, Rr * cos(theta1))};
  const Point Cf{m.TWF, Vector3(-Rf * sin(theta4), 0, Rf * cos(theta4))};
  const Frame front_heading = rotate(Axis::kZ, psi4);
  m.rear_tire = {
      "rear_tire", Vector{rotate(Axis::kZ, psi), Vector3(0, Yr, s("Zr"))}, Cr, m.TWR, {}};
  m.front_tire = {"front_tire", Vector{front_heading, Vector3(0, Yf, s("Zf"))}, Cf, m.TWF, {}};
  m.steering = {"steering",
                Vector{m.T4, Vector3(0, 0, tau - s("Cdelta") * symbolic::variable("delta", 1))},
                m.T4, m.T2};
  system.forces = {m.rear_tire, m.front_tire};
  system.torques = {m.steering};

  const auto rolling = Constraint::Kind::kNonholonomic;
  system.constraints.push_back(
      {"no_slip_rear", velocity(Cr, Velocity::kEulerian, m.T1).components[0], rolling});
  system.constraints.push_back(
      {"no_slip_front", velocity(Cf, Velocity::kEulerian, front_heading).components[0], rolling});
  // Twice the same axis, of the wheel and of the fork; the rates as w x axis.
  const Vector axle{without_steps(m.TWF, 0, 1), Vector3(0, 1, 0)},
      axle_of_fork{m.T4, Vector3(0, 1, 0)};
  const Vector spin_axis = project(axle, Frame()), copy = project(axle_of_fork, Frame());
  const Vector rate = project(velocity(axle, Velocity::kAbsolute), Frame());
  const Vector copy_rate = project(velocity(axle_of_fork, Velocity::kAbsolute), Frame());
  for (const auto& [name, i] : {std::pair("spin_x", 0), std::pair("spin_z", 2)}) {
    system.constraints.push_back({name, spin_axis.components[i] - copy.components[i],
                                  Constraint::Kind::kHolonomic,
                                  rate.components[i] - copy_rate.components[i]});
  }

  const auto relaxation = [&](const Expr& Y, const Point& contact, const Frame& heading,
                              const Expr& C1, const Expr& C2, const Expr& camber) {
    const Vector3 v = velocity(contact, Velocity::kAbsolute, heading).components;
    const Expr Y_dot = symbolic::variable(Y.name(), 1);
    system.extra.push_back(
        {Y, s("sigma") / v[0] * Y_dot + Y + C1 * atan(v[1] / v[0]) - C2 * camber});
  };
  relaxation(Yr, Cr, m.T1, s("Cr1"), s("Cr2"), phi);
  relaxation(Yf, Cf, front_heading, s("Cf1"), s("Cf2"), phi4);
  system.inputs = {tau};
  return m;
}

}  // namespace camber::lagrange
