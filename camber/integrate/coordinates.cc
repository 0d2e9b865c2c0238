#include "camber/integrate/coordinates.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/integrate/lie_maps.h"

namespace camber::integrate {
namespace {

using internal::ConstQuaternion;
using internal::ConstTriple;
using internal::Quaternion;
using internal::Triple;
using Kind = CoordinateBlock::Kind;
using Pack = std::array<double, 3>;

template <std::size_t kSize, class T>
std::span<T, kSize> part(std::span<T> all, int start) {
  return all.subspan(static_cast<std::size_t>(start)).template first<kSize>();
}
ConstQuaternion quaternion(std::span<const double> q, const CoordinateBlock& b) {
  return part<4>(q, b.q_start);
}
Quaternion quaternion(std::span<double> q, const CoordinateBlock& b) {
  return part<4>(q, b.q_start);
}
// Angular and linear three of a quaternion's or a pose's speeds; a pose's position.
template <class T>
std::span<T, 3> angular(std::span<T> v, const CoordinateBlock& b) {
  return part<3>(v, b.v_start);
}
template <class T>
std::span<T, 3> linear(std::span<T> v, const CoordinateBlock& b) {
  return part<3>(v, b.v_start + 3);
}
template <class T>
std::span<T, 3> position(std::span<T> q, const CoordinateBlock& b) {
  return part<3>(q, b.q_start + 4);
}

void claim(std::vector<bool>* taken, int start, int n, const char* what) {
  const int size = static_cast<int>(taken->size());
  require(start >= 0 && n >= 0 && start + n <= size, "Coordinates: a block has ", what, "[", start,
          "] to ", what, "[", start + n - 1, "], ", what, " has ", size, " entries");
  for (int i = start; i < start + n; ++i) {
    require(!(*taken)[i], "Coordinates: ", what, "[", i, "] is in two blocks");
    (*taken)[i] = true;
  }
}

void multiply_half(ConstQuaternion q, ConstTriple w, Quaternion out) {
  out[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
  out[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
  out[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
  out[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

/// Of R(q) a with respect to entry k of q, for q of any length: with h = |q|^2 R(q) a, a form of
/// second degree, the quotient rule.
Pack rotation_derivative(ConstQuaternion q, ConstTriple a, std::size_t k) {
  const ConstTriple u = q.last<3>();
  const double n2 = q[0] * q[0] + u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  Pack R_a, first{}, result;
  internal::rotate(q, a, R_a);
  if (k == 0) {
    internal::cross(u, a, first);
    for (std::size_t i = 0; i < 3; ++i) {
      first[i] += q[0] * a[i];
    }
  } else {
    Pack axis{};
    axis[k - 1] = 1;
    internal::cross(axis, a, first);
    const double u_a = u[0] * a[0] + u[1] * a[1] + u[2] * a[2];
    for (std::size_t i = 0; i < 3; ++i) {
      first[i] = q[0] * first[i] - q[k] * a[i] + u_a * axis[i] + u[i] * a[k - 1];
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = 2 * (first[i] - q[k] * R_a[i]) / n2;
  }
  return result;
}

/// [a, b] in se(3), each a pair of angular and linear part.
void commutator(ConstTriple a_w, ConstTriple a_v, ConstTriple b_w, ConstTriple b_v, Triple c_w,
                Triple c_v) {
  Pack other;
  internal::cross(a_w, b_w, c_w);
  internal::cross(a_w, b_v, c_v);
  internal::cross(a_v, b_w, other);
  for (std::size_t i = 0; i < 3; ++i) {
    c_v[i] += other[i];
  }
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
  require(free == q_taken.end(), "Coordinates: q[", free - q_taken.begin(), "] is in no block");
}

void Coordinates::calc_q_dot(std::span<const double> q, std::span<const double> v,
                             std::span<double> q_dot) const {
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      std::copy_n(v.begin() + b.v_start, b.size, q_dot.begin() + b.q_start);
      continue;
    }
    multiply_half(quaternion(q, b), angular(v, b), quaternion(q_dot, b));
    if (b.kind == Kind::kPose) {
      internal::rotate(quaternion(q, b), linear(v, b), position(q_dot, b));
    }
  }
}

void Coordinates::calc_q_dot_jacobian(std::span<const double> q, std::span<const double> v,
                                      std::span<double> J) const {
  const int rows = nq_ + nv_;
  assert(J.size() == static_cast<std::size_t>(rows * rows));
  const auto column = [&](int j) { return J.subspan(static_cast<std::size_t>(j * rows)); };
  for (int j = 0; j < rows; ++j) {
    std::fill_n(column(j).begin(), nq_, 0.0);
  }
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      for (int i = 0; i < b.size; ++i) {
        column(nq_ + b.v_start + i)[b.q_start + i] = 1;
      }
      continue;
    }
    const auto q_B = quaternion(q, b);
    for (int k = 0; k < 4; ++k) {
      std::array<double, 4> unit{};
      unit[k] = 1;
      multiply_half(unit, angular(v, b), quaternion(column(b.q_start + k), b));
    }
    for (int k = 0; k < 3; ++k) {
      Pack unit{};
      unit[k] = 1;
      multiply_half(q_B, unit, quaternion(column(nq_ + b.v_start + k), b));
      if (b.kind == Kind::kPose) {
        internal::rotate(q_B, unit, position(column(nq_ + b.v_start + 3 + k), b));
      }
    }
    for (std::size_t k = 0; k < 4 && b.kind == Kind::kPose; ++k) {
      std::ranges::copy(rotation_derivative(q_B, linear(v, b), k),
                        position(column(b.q_start + static_cast<int>(k)), b).begin());
    }
  }
}

void Coordinates::advance(std::span<const double> q, std::span<const double> xi,
                          std::span<double> out) const {
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      for (int i = 0; i < b.size; ++i) {
        out[b.q_start + i] = q[b.q_start + i] + xi[b.v_start + i];
      }
      continue;
    }
    if (b.kind == Kind::kPose) {  // before q turns, as out may be q
      Pack moved_B, moved_W;
      internal::apply_V(angular(xi, b), linear(xi, b), moved_B);
      internal::rotate(quaternion(q, b), moved_B, moved_W);
      const auto from = position(q, b);
      const auto to = position(out, b);
      for (std::size_t i = 0; i < 3; ++i) {
        to[i] = from[i] + moved_W[i];
      }
    }
    internal::turn(quaternion(q, b), angular(xi, b), quaternion(out, b));
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
    internal::find_turn(quaternion(q0, b), quaternion(q1, b), angular(xi, b));
    if (b.kind == Kind::kPose) {
      const auto from = position(q0, b), to = position(q1, b);
      const Pack moved_W{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
      Pack moved_B;
      internal::rotate_back(quaternion(q0, b), moved_W, moved_B);
      internal::apply_V_inverse(angular(xi, b), moved_B, linear(xi, b));
    }
  }
}

void Coordinates::calc_increment_rate(std::span<const double> xi, std::span<const double> v,
                                      std::span<double> xi_dot) const {
  std::ranges::copy(v, xi_dot.begin());
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      continue;
    }
    constexpr Pack kNone{};
    const bool pose = b.kind == Kind::kPose;
    const ConstTriple phi = angular(xi, b), w = angular(v, b);
    const ConstTriple rho = pose ? linear(xi, b) : ConstTriple(kNone);
    const ConstTriple u = pose ? linear(v, b) : ConstTriple(kNone);
    Pack w1, u1, w2, u2;
    commutator(phi, rho, w, u, w1, u1);
    commutator(phi, rho, w1, u1, w2, u2);
    const Triple w_out = angular(xi_dot, b);
    for (std::size_t i = 0; i < 3; ++i) {
      w_out[i] += w1[i] / 2 + w2[i] / 12;
    }
    for (std::size_t i = 0; i < 3 && pose; ++i) {
      linear(xi_dot, b)[i] += u1[i] / 2 + u2[i] / 12;
    }
  }
}

void Coordinates::normalize(std::span<double> q) const {
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind != Kind::kVector) {
      internal::normalize(quaternion(q, b));
    }
  }
}

void Coordinates::apply_normalization_derivative(std::span<const double> q, int rows,
                                                 std::span<double> J) const {
  for (const CoordinateBlock& b : blocks_) {
    if (b.kind == Kind::kVector) {
      continue;
    }
    const auto p = quaternion(q, b);
    const double n2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
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
