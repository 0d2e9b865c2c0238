#include "camber/lagrange/system.h"

#include <string>

#include "camber/core/require.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/linear_solve.h"
#include "camber/symbolic/simplify.h"

namespace camber::lagrange {

Body make_body(std::string name, const Point& center_of_mass, const Expr& mass, const Expr& Ix,
               const Expr& Iy, const Expr& Iz, const Expr& Cyz, const Expr& Cxz, const Expr& Cxy) {
  Matrix3 J;
  J << Ix, Cxy, Cxz, Cxy, Iy, Cyz, Cxz, Cyz, Iz;
  return {std::move(name), center_of_mass.frame, center_of_mass.coordinates, mass, J};
}

Force project(const Force& force, const Frame& frame) {
  Force result = force;
  result.force = project(force.force, frame);
  return result;
}

Torque project(const Torque& torque, const Frame& frame) {
  Torque result = torque;
  result.torque = project(torque.torque, frame);
  return result;
}

Expr System::add_coordinate(std::string_view coordinate) {
  const Expr q = symbolic::variable(coordinate);
  coordinates.push_back(q);
  speeds.push_back(symbolic::variable(coordinate, 1));
  return q;
}

Frame System::add_base(std::string_view base, const Frame& pose,
                       const std::vector<Expr>& pose_coordinates) {
  require(pose_coordinates.size() == 6, "add_base: base \"", base, "\" needs 6 coordinates, got ",
          pose_coordinates.size());
  const auto speed = [&](const char* component) {
    return symbolic::variable(std::string(base) + "." + component);
  };
  const Vector3 w(speed("wx"), speed("wy"), speed("wz"));
  const Vector3 v(speed("vx"), speed("vy"), speed("vz"));

  // 003 eq. 2: the rates from w = Gamma theta' and r' = C^T v.
  const Vector3 angular = pose.twist().w - w;
  const Vector3 p = pose.origin();
  const Vector3 linear = Vector3(symbolic::time_derivative(p[0]), symbolic::time_derivative(p[1]),
                                 symbolic::time_derivative(p[2])) -
                         rotate_along(pose, v);
  std::vector<Expr> pose_rates;
  for (const Expr& q : pose_coordinates) pose_rates.push_back(symbolic::variable(q.name(), 1));
  const std::vector<Expr> equations{angular[0], angular[1], angular[2],
                                    linear[0],  linear[1],  linear[2]};
  const auto solution = symbolic::solve_linear(equations, pose_rates);
  require(solution.outcome == symbolic::LinearSolution::Outcome::kUnique,
          "add_base: the coordinates of base \"", base, "\" do not determine its pose");
  for (std::size_t i = 0; i < 6; ++i) rates[pose_rates[i]] = symbolic::simplify(solution.values[i]);

  coordinates.insert(coordinates.end(), pose_coordinates.begin(), pose_coordinates.end());
  speeds.insert(speeds.end(), {w[0], w[1], w[2], v[0], v[1], v[2]});
  return quasi_coordinates(pose, w, v);
}

}  // namespace camber::lagrange
