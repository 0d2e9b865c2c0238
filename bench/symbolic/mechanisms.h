#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/require.h"

// The mechanisms of the symbolic comparison, written once for every engine that has a C++ scalar:
// camber's Expr and GiNaC's ex run the same lines. peers/sympy_symbolic.py says the same in Python.
// Nothing is expanded or simplified by hand; what an engine makes of the formulas is what is
// compared.

namespace camber::bench {

/// Coordinates, their rates, and the mechanism's parameters by name ("m0", "l1", "g", ...).
template <class T>
struct Leaves {
  std::vector<T> q, qd;
  std::function<T(const std::string&)> parameter;

  T operator()(const std::string& name) const { return parameter(name); }
  T operator()(const char* name, int i) const { return parameter(concat(name, i)); }
};

template <class T>
struct Energies {
  T kinetic{0};
  T potential{0};
};

/// n point masses on massless rods in a vertical plane; q are the rods' angles from the downward
/// vertical. Parameters: m0.., l0.., g.
template <class T>
Energies<T> pendulum_energies(const Leaves<T>& leaves) {
  Energies<T> energies;
  T vx(0), vy(0), y(0);
  const T g = leaves("g");
  for (std::size_t i = 0; i < leaves.q.size(); ++i) {
    const int body = static_cast<int>(i);
    const T m = leaves("m", body), l = leaves("l", body);
    const T s = sin(leaves.q[i]), c = cos(leaves.q[i]);
    vx = vx + l * c * leaves.qd[i];
    vy = vy + l * s * leaves.qd[i];
    y = y - l * c;
    energies.kinetic = energies.kinetic + m * (vx * vx + vy * vy) / T(2);
    energies.potential = energies.potential + m * g * y;
  }
  return energies;
}

template <class T>
using Vector3 = std::array<T, 3>;

/// u x (0, 0, length) added to v.
template <class T>
Vector3<T> shift_along_z(const Vector3<T>& v, const Vector3<T>& u, const T& length) {
  return {v[0] + u[1] * length, v[1] - u[0] * length, v[2]};
}

/// R^T v, R the rotation by `angle` about the axis 'x', 'y' or 'z'.
template <class T>
Vector3<T> rotate_back(char axis, const T& angle, const Vector3<T>& v) {
  const int k = axis - 'x', i = (k + 1) % 3, j = (k + 2) % 3;
  const T s = sin(angle), c = cos(angle);
  Vector3<T> result;
  result[k] = v[k];
  result[i] = c * v[i] + s * v[j];
  result[j] = c * v[j] - s * v[i];
  return result;
}

/// A spatial chain of revolute joints about the given axes ("zyxzyx") of the body before. Joint i
/// sits at (0, 0, l_i) in body i-1 (joint 0 at the origin), body i's center of mass at (0, 0, c_i),
/// its inertia about that is diag(Ix_i, Iy_i, Iz_i); gravity along -z of the world. Velocities by
/// recursion in body axes.
template <class T>
Energies<T> chain_energies(std::string_view axes, const Leaves<T>& leaves) {
  require(axes.size() == leaves.q.size() && axes.find_first_not_of("xyz") == std::string_view::npos,
          "chain_energies: ", leaves.q.size(), " joints need as many axes x, y, z, got \"", axes,
          "\"");
  Energies<T> energies;
  Vector3<T> v{T(0), T(0), T(0)}, w{T(0), T(0), T(0)};
  Vector3<T> up{T(0), T(0), T(1)};  // the world's z, in body axes
  T height(0);                      // of the joint
  const T g = leaves("g");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const int body = static_cast<int>(i);
    if (i > 0) {
      const T l = leaves("l", body);
      v = shift_along_z(v, w, l);
      height = height + up[2] * l;
    }
    v = rotate_back(axes[i], leaves.q[i], v);
    w = rotate_back(axes[i], leaves.q[i], w);
    up = rotate_back(axes[i], leaves.q[i], up);
    w[axes[i] - 'x'] = w[axes[i] - 'x'] + leaves.qd[i];

    const T m = leaves("m", body), c = leaves("c", body);
    const Vector3<T> vc = shift_along_z(v, w, c);
    const T spin = leaves("Ix", body) * w[0] * w[0] + leaves("Iy", body) * w[1] * w[1] +
                   leaves("Iz", body) * w[2] * w[2];
    energies.kinetic =
        energies.kinetic + m * (vc[0] * vc[0] + vc[1] * vc[1] + vc[2] * vc[2]) / T(2) + spin / T(2);
    energies.potential = energies.potential + m * g * (height + up[2] * c);
  }
  return energies;
}

}  // namespace camber::bench
