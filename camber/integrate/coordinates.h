#pragma once

#include <span>
#include <vector>

#include "camber/math/lanes.h"

namespace camber::integrate {

/// A piece of q and the speeds that move it. W is the frame the piece is measured in, B the one
/// that moves.
struct CoordinateBlock {
  enum class Kind {
    kVector,      // q' = v
    kQuaternion,  // q = [w x y z] of R_WB, v = w_WB_B
    kPose,        // q = [w x y z px py pz] of R_WB and p_WB, v = [w_WB_B; v_WB_B]: p' = R_WB v_WB_B
  };
  Kind kind = Kind::kVector;
  int q_start = 0, v_start = 0;  // first entries in q and v
  int size = 1;  // entries of a vector; a quaternion has 4 in q and 3 in v, a pose 7 and 6
  int nq() const { return kind == Kind::kVector ? size : kind == Kind::kQuaternion ? 4 : 7; }
  int nv() const { return kind == Kind::kVector ? size : kind == Kind::kQuaternion ? 3 : 6; }
};

/// The manifold of the positions q: the product of its blocks, with q' = N(q) v. Speeds outside all
/// blocks have no position: they are first-order states, such as a tire's deflection. No function
/// allocates.
class Coordinates {
 public:
  Coordinates() = default;
  /// Throws std::invalid_argument if an entry of q is in no block or in two blocks, or an entry of
  /// v in two.
  Coordinates(int nq, int nv, std::vector<CoordinateBlock> blocks);

  int nq() const { return nq_; }
  int nv() const { return nv_; }
  std::span<const CoordinateBlock> blocks() const { return blocks_; }

  /// N(q) v. It is linear in a quaternion, so the quaternion's length does not change.
  void calc_q_dot(std::span<const double> q, std::span<const double> v,
                  std::span<double> q_dot) const;
  /// d(N(q) v) / d[q; v] into the first nq rows of J, column by column with nq + nv rows each; the
  /// other rows are not changed.
  void calc_q_dot_jacobian(std::span<const double> q, std::span<const double> v,
                           std::span<double> J) const;

  /// q (+) xi = q exp(xi), where speeds v lead in the time xi / v; xi has nv entries. out may be q.
  void advance(std::span<const double> q, std::span<const double> xi, std::span<double> out) const {
    advance_all<double>(q, xi, out);
  }
  /// The same of several systems at once: N = 4 or 8.
  template <int N>
  void advance(const std::vector<math::Lanes<N>>& q, const std::vector<math::Lanes<N>>& xi,
               std::vector<math::Lanes<N>>* out) const {
    advance_all<math::Lanes<N>>(q, xi, *out);
  }
  /// The shortest xi with advance(q0, xi) = q1; zero for speeds outside all blocks.
  void calc_increment(std::span<const double> q0, std::span<const double> q1,
                      std::span<double> xi) const;
  /// xi' of the motion advance(q0, xi(t)) at speeds v, up to terms of fifth order in xi and v:
  ///   xi' = v + [xi, v] / 2 + [xi, [xi, v]] / 12      docs/theory/simulation.md (9)
  void calc_increment_rate(std::span<const double> xi, std::span<const double> v,
                           std::span<double> xi_dot) const {
    calc_increment_rates<double>(xi, v, xi_dot);
  }
  template <int N>
  void calc_increment_rate(const std::vector<math::Lanes<N>>& xi,
                           const std::vector<math::Lanes<N>>& v,
                           std::vector<math::Lanes<N>>* xi_dot) const {
    calc_increment_rates<math::Lanes<N>>(xi, v, *xi_dot);
  }

  /// Normalizes all quaternions.
  void normalize(std::span<double> q) const;
  /// Rows of derivatives with respect to unit quaternions q / |q| become those with respect to q.
  /// J has the given number of rows and nq columns or more, column by column.
  void apply_normalization_derivative(std::span<const double> q, int rows,
                                      std::span<double> J) const;

 private:
  template <class T>
  void advance_all(std::span<const T> q, std::span<const T> xi, std::span<T> out) const;
  template <class T>
  void calc_increment_rates(std::span<const T> xi, std::span<const T> v, std::span<T> xi_dot) const;

  int nq_ = 0, nv_ = 0;
  std::vector<CoordinateBlock> blocks_;
};

}  // namespace camber::integrate
