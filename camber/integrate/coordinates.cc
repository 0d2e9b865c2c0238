#include "camber/integrate/coordinates.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>
#include <utility>

#include "camber/core/require.h"
#include "camber/integrate/lie_maps.h"

namespace camber::integrate {
namespace {

using internal::BasicQuaternion;
using internal::Quaternion;
using internal::Vec3;
using Kind = CoordinateBlock::Kind;

template <class T>
math::Vec3<std::remove_const_t<T>> load3(std::span<T> x, int start) {
  return {x[start], x[start + 1], x[start + 2]};
}
template <class T>
void store3(const math::Vec3<T>& value, std::span<T> x, int start) {
  for (int i = 0; i < 3; ++i) {
    x[start + i] = value[i];
  }
}
// Where the quaternion and the position of a block are in q, and its angular and linear speeds in
// v.
template <class T>
BasicQuaternion<std::remove_const_t<T>> load_quaternion(std::span<T> q, const CoordinateBlock& b) {
  return {q[b.q_start], load3(q, b.q_start + 1)};
}
template <class T>
void store_quaternion(const BasicQuaternion<T>& value, std::span<T> q, const CoordinateBlock& b) {
  q[b.q_start] = value.w;
  store3(value.u, q, b.q_start + 1);
}
template <class T>
math::Vec3<T> position(std::span<const T> q, const CoordinateBlock& b) {
  return load3(q, b.q_start + 4);
}
template <class T>
math::Vec3<T> angular(std::span<const T> v, const CoordinateBlock& b) {
  return load3(v, b.v_start);
}
template <class T>
math::Vec3<T> linear(std::span<const T> v, const CoordinateBlock& b) {
  return b.kind == Kind::kPose ? load3(v, b.v_start + 3) : math::Vec3<T>();
}
Vec3 axis(int k) { return {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.}; }

void claim(std::vector<bool>* taken, int start, int n, const char* what) {
  const int size = static_cast<int>(taken->size());
  require(start >= 0 && n >= 0 && start + n <= size, "Coordinates: a block has ", what, "[", start,
          "] to ", what, "[", start + n - 1, "], ", what, " has ", size, " entries");
  for (int i = start; i < start + n; ++i) {
    require(!(*taken)[i], "Coordinates: ", what, "[", i, "] is in two blocks");
    (*taken)[i] = true;
  }
}

/// q w / 2.
Quaternion rate_of(const Quaternion& q, const Vec3& w) { return multiply(q, {0, w * 0.5}); }

/// Derivative of R(q) a with respect to w (k = 0), x, y or z of q, for q of any length: with h =
/// |q|^2 R(q) a, a form of second degree, the quotient rule.
Vec3 rotation_derivative(const Quaternion& q, const Vec3& a, int k) {
  const Vec3 R_a = rotate(q, a);
  Vec3 half_dh;
  double entry = q.w;
  if (k == 0) {
    half_dh = a * q.w + cross(q.u, a);
  } else {
    const Vec3 e = axis(k - 1);
    entry = q.u[k - 1];
    half_dh = cross(e, a) * q.w - a * entry + e * dot(q.u, a) + q.u * a[k - 1];
  }
  return (half_dh - R_a * entry) * (2 / squared_norm(q));
}

/// An element of se(3); of so(3) with v = 0.
template <class T>
struct Twist {
  math::Vec3<T> w, v;
};
template <class T>
Twist<T> commutator(const Twist<T>& a, const Twist<T>& b) {
  return {cross(a.w, b.w), cross(a.w, b.v) + cross(a.v, b.w)};
}

}  // namespace

Coordinates::Coordinates(int nq, int nv, std::vector<CoordinateBlock> blocks)
    : nq_(nq), nv_(nv), blocks_(std::move(blocks)) {
  require(nq >= 0 && nv >= 0, "Coordinates: sizes must be >= 0, got nq = ", nq, ", nv = ", nv);
  std::vector<bool> q_taken(static_cast<std::size_t>(nq)), v_taken(static_cast<std::size_t>(nv));
  for (const CoordinateBlock& b : blocks_) {
    claim(&q_taken, b.q_start, b.nq(), "q");
    claim(&v_taken, b.v_start, b.nv(), "v");
  }
  const auto free = std::ranges::find(q_taken, false);
  require(free == q_taken.end(), "Coordinates: q[", free - q_taken.begin(),
          "] is not in any block");
}

void Coordinates::calc_q_dot(std::span<const double> q, std::span<const double> v,
                             std::span<double> q_dot) const {
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      std::copy_n(v.begin() + b.v_start, b.size, q_dot.begin() + b.q_start);
      continue;
    }
    const Quaternion q_WB = load_quaternion(q, b);
    store_quaternion(rate_of(q_WB, angular(v, b)), q_dot, b);
    if (b.kind == Kind::kPose) {
      store3(rotate(q_WB, linear(v, b)), q_dot, b.q_start + 4);
    }
  }
}

void Coordinates::calc_q_dot_jacobian(std::span<const double> q, std::span<const double> v,
                                      std::span<double> J) const {
  const auto rows = static_cast<std::size_t>(nq_) + static_cast<std::size_t>(nv_);
  assert(J.size() == rows * rows);
  const auto by_q = [&](int j) { return J.subspan(static_cast<std::size_t>(j) * rows); };
  const auto by_v = [&](int j) { return by_q(nq_ + j); };
  for (int j = 0; j < nq_ + nv_; ++j) {
    std::fill_n(by_q(j).begin(), nq_, 0.0);
  }
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      for (int i = 0; i < b.size; ++i) {
        by_v(b.v_start + i)[b.q_start + i] = 1;
      }
      continue;
    }
    const Quaternion q_WB = load_quaternion(q, b);
    for (int k = 0; k < 4; ++k) {
      const Quaternion unit = k == 0 ? Quaternion{1, {}} : Quaternion{0, axis(k - 1)};
      store_quaternion(rate_of(unit, angular(v, b)), by_q(b.q_start + k), b);
      if (b.kind == Kind::kPose) {
        store3(rotation_derivative(q_WB, linear(v, b), k), by_q(b.q_start + k), b.q_start + 4);
      }
    }
    for (int k = 0; k < 3; ++k) {
      store_quaternion(rate_of(q_WB, axis(k)), by_v(b.v_start + k), b);
      if (b.kind == Kind::kPose) {
        store3(rotate(q_WB, axis(k)), by_v(b.v_start + 3 + k), b.q_start + 4);
      }
    }
  }
}

template <class T>
void Coordinates::advance_all(std::span<const T> q, std::span<const T> xi, std::span<T> out) const {
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      for (int i = 0; i < b.size; ++i) {
        out[b.q_start + i] = q[b.q_start + i] + xi[b.v_start + i];
      }
      continue;
    }
    const BasicQuaternion<T> q_WB = load_quaternion(q, b);
    const math::Vec3<T> phi = angular(xi, b);
    store_quaternion(turn(q_WB, phi), out, b);
    if (b.kind == Kind::kPose) {
      store3(position(q, b) + rotate(q_WB, internal::screw_translation(phi, linear(xi, b))), out,
             b.q_start + 4);
    }
  }
}

void Coordinates::calc_increment(std::span<const double> q0, std::span<const double> q1,
                                 std::span<double> xi) const {
  std::ranges::fill(xi, 0.0);
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      for (int i = 0; i < b.size; ++i) {
        xi[b.v_start + i] = q1[b.q_start + i] - q0[b.q_start + i];
      }
      continue;
    }
    const Quaternion from = load_quaternion(q0, b);
    const Vec3 phi = find_turn(from, load_quaternion(q1, b));
    store3(phi, xi, b.v_start);
    if (b.kind == Kind::kPose) {
      const Vec3 moved_B = rotate_back(from, position(q1, b) - position(q0, b));
      store3(internal::find_screw_translation(phi, moved_B), xi, b.v_start + 3);
    }
  }
}

template <class T>
void Coordinates::calc_increment_rates(std::span<const T> xi, std::span<const T> v,
                                       std::span<T> xi_dot) const {
  std::ranges::copy(v, xi_dot.begin());
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      continue;
    }
    const Twist<T> x{angular(xi, b), linear(xi, b)}, V{angular(v, b), linear(v, b)};
    const Twist<T> first = commutator(x, V), second = commutator(x, first);
    store3(V.w + first.w * T(0.5) + second.w * T(1. / 12), xi_dot, b.v_start);
    if (b.kind == Kind::kPose) {
      store3(V.v + first.v * T(0.5) + second.v * T(1. / 12), xi_dot, b.v_start + 3);
    }
  }
}

#define CAMBER_INSTANTIATE(T)                                                                  \
  template void Coordinates::advance_all(std::span<const T>, std::span<const T>, std::span<T>) \
      const;                                                                                   \
  template void Coordinates::calc_increment_rates(std::span<const T>, std::span<const T>,      \
                                                  std::span<T>) const;
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(math::Lanes<4>)
CAMBER_INSTANTIATE(math::Lanes<8>)
#undef CAMBER_INSTANTIATE

void Coordinates::normalize(std::span<double> q) const {
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind != Kind::kVector) {
      store_quaternion(internal::normalize(load_quaternion(q, b)), q, b);
    }
  }
}

void Coordinates::apply_normalization_derivative(std::span<const double> q, int rows,
                                                 std::span<double> J) const {
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      continue;
    }
    const auto p = q.subspan(static_cast<std::size_t>(b.q_start), 4);
    const double n2 = squared_norm(load_quaternion(q, b));
    const double scale = 1 / std::sqrt(n2);
    for (int i = 0; i < rows; ++i) {  // g <- (g - (g q) q / |q|^2) / |q|
      double along = 0;
      for (int k = 0; k < 4; ++k) {
        along += J[(b.q_start + k) * rows + i] * p[k] / n2;
      }
      for (int k = 0; k < 4; ++k) {
        double& entry = J[(b.q_start + k) * rows + i];
        entry = (entry - along * p[k]) * scale;
      }
    }
  }
}

}  // namespace camber::integrate
