#pragma once

// Spatial vectors [Featherstone 2008]: a motion is [w; v], a force [t; f], both about one point O
// and in one frame, so that what several bodies contribute is simply added. For double a vector is
// one register of eight numbers, (wx wy wz 0, vx vy vz 0), and a matrix is six of them.

#include <cstddef>
#include <utility>

#include "camber/math/vec3.h"

namespace camber::math {

template <class T>
struct Spatial {
  T e[6] = {T(0), T(0), T(0), T(0), T(0), T(0)};  // angular or torque, then linear or force

  Spatial() = default;
  Spatial(const Vec3<T>& top, const Vec3<T>& bottom)
      : e{top[0], top[1], top[2], bottom[0], bottom[1], bottom[2]} {}
  // NOLINTBEGIN(bugprone-unhandled-self-assignment): number by number, as in Vec3.
  [[gnu::always_inline]] Spatial(const Spatial& b)
      : e{b.e[0], b.e[1], b.e[2], b.e[3], b.e[4], b.e[5]} {}
  [[gnu::always_inline]] Spatial& operator=(const Spatial& b) {
    e[0] = b.e[0], e[1] = b.e[1], e[2] = b.e[2];
    e[3] = b.e[3], e[4] = b.e[4], e[5] = b.e[5];
    return *this;
  }
  // NOLINTEND(bugprone-unhandled-self-assignment)
  const T& operator[](int i) const { return e[i]; }
  Vec3<T> top() const { return {e[0], e[1], e[2]}; }
  Vec3<T> bottom() const { return {e[3], e[4], e[5]}; }

  [[gnu::always_inline]] Spatial& operator+=(const Spatial& b) {
    e[0] += b.e[0], e[1] += b.e[1], e[2] += b.e[2];
    e[3] += b.e[3], e[4] += b.e[4], e[5] += b.e[5];
    return *this;
  }
  [[gnu::always_inline]] Spatial& operator-=(const Spatial& b) {
    e[0] -= b.e[0], e[1] -= b.e[1], e[2] -= b.e[2];
    e[3] -= b.e[3], e[4] -= b.e[4], e[5] -= b.e[5];
    return *this;
  }
  [[gnu::always_inline]] Spatial& operator*=(const T& s) {
    e[0] *= s, e[1] *= s, e[2] *= s;
    e[3] *= s, e[4] *= s, e[5] *= s;
    return *this;
  }
};

template <class T>
[[gnu::always_inline]] inline T dot(const Spatial<T>& a, const Spatial<T>& b) {
  return (a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2]) +
         (a.e[3] * b.e[3] + a.e[4] * b.e[4] + a.e[5] * b.e[5]);
}

using Pack8 = double __attribute__((vector_size(64)));

template <>
struct Spatial<double> {
  Pack8 e = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};

  Spatial() = default;
  Spatial(const Vec3<double>& top, const Vec3<double>& bottom)
      : e(__builtin_shufflevector(top.e, bottom.e, 0, 1, 2, 3, 4, 5, 6, 7)) {}
  explicit Spatial(const Pack8& pack) : e(pack) {}
  double operator[](int i) const { return e[i < 3 ? i : i + 1]; }
  Vec3<double> top() const { return Vec3<double>(__builtin_shufflevector(e, e, 0, 1, 2, 3)); }
  Vec3<double> bottom() const { return Vec3<double>(__builtin_shufflevector(e, e, 4, 5, 6, 7)); }

  Spatial& operator+=(const Spatial& b) {
    e += b.e;
    return *this;
  }
  Spatial& operator-=(const Spatial& b) {
    e -= b.e;
    return *this;
  }
  Spatial& operator*=(double s) {
    e *= s;
    return *this;
  }
};

[[gnu::always_inline]] inline double dot(const Spatial<double>& a, const Spatial<double>& b) {
  const Pack8 p = a.e * b.e;
  const Pack4 s =
      __builtin_shufflevector(p, p, 0, 1, 2, 3) + __builtin_shufflevector(p, p, 4, 5, 6, 7);
  return (s[0] + s[2]) + s[1];
}

template <class T>
[[gnu::always_inline]] inline Spatial<T> operator+(Spatial<T> a, const Spatial<T>& b) {
  return a += b;
}
template <class T>
[[gnu::always_inline]] inline Spatial<T> operator-(Spatial<T> a, const Spatial<T>& b) {
  return a -= b;
}
template <class T>
[[gnu::always_inline]] inline Spatial<T> operator-(const Spatial<T>& a) {
  return Spatial<T>() - a;
}
template <class T>
[[gnu::always_inline]] inline Spatial<T> operator*(Spatial<T> a, const T& s) {
  return a *= s;
}

/// The rate of a motion vector b that moves with velocity V: V x b.
template <class T>
[[gnu::always_inline]] inline Spatial<T> cross_motion(const Spatial<T>& V, const Spatial<T>& b) {
  const Vec3<T> w = V.top(), b_w = b.top();
  return {cross(w, b_w), cross(w, b.bottom()) + cross(V.bottom(), b_w)};
}

/// Velocity of the body's point at p (from O).
template <class T>
[[gnu::always_inline]] inline Vec3<T> velocity_at(const Spatial<T>& V, const Vec3<T>& p) {
  return V.bottom() + cross(V.top(), p);
}

/// The spatial force of f acting at p (from O).
template <class T>
[[gnu::always_inline]] inline Spatial<T> force_at(const Vec3<T>& f, const Vec3<T>& p) {
  return {cross(p, f), f};
}

/// A rigid body's inertia about O: momentum = [J w + mc x v; m v - mc x w].
template <class T>
struct RigidInertia {
  T m = T(0);    // [kg]
  Vec3<T> mc;    // m times the position of the center of mass from O [kg m]
  SymMat3<T> J;  // about O [kg m^2]
};

template <class T>
[[gnu::always_inline]] inline Spatial<T> operator*(const RigidInertia<T>& I, const Spatial<T>& V) {
  const Vec3<T> w = V.top(), v = V.bottom();
  return {I.J * w + cross(I.mc, v), v * I.m - cross(I.mc, w)};
}

/// The force that moves a rigid body with velocity V and acceleration A, M A + V x* (M V). The
/// acceleration of its point at r from O is a + W r with W = [w']x + w w^T - |w|^2 1, which needs
/// 51 multiplications where the two products with M and the cross product need 66.
///   f = m a + W mc,   t = mc x a + tr(J) w' - (the axial vector of W J)
template <class T>
[[gnu::always_inline]] inline Spatial<T> inertial_force(const RigidInertia<T>& I,
                                                        const Spatial<T>& V, const Spatial<T>& A) {
  const Vec3<T> w = V.top(), d = A.top(), &h = I.mc;
  const Vec3<T> a = A.bottom() + cross(w, V.bottom());
  const T xx = w[0] * w[0], yy = w[1] * w[1], zz = w[2] * w[2];
  const T xy = w[0] * w[1], xz = w[0] * w[2], yz = w[1] * w[2];
  const Vec3<T> Wx(-(yy + zz), xy - d[2], xz + d[1]);  // rows
  const Vec3<T> Wy(xy + d[2], -(xx + zz), yz - d[0]);
  const Vec3<T> Wz(xz - d[1], yz + d[0], -(xx + yy));
  const SymMat3<T>& J = I.J;
  const T trace = J.xx + J.yy + J.zz;
  const Vec3<T> Jx(J.xx, J.xy, J.xz), Jy(J.xy, J.yy, J.yz), Jz(J.xz, J.yz, J.zz);
  const Vec3<T> t(trace * d[0] - dot(Wz, Jy) + dot(Wy, Jz),
                  trace * d[1] - dot(Wx, Jz) + dot(Wz, Jx),
                  trace * d[2] - dot(Wy, Jx) + dot(Wx, Jy));
  return {t + cross(h, a), a * I.m + Vec3<T>(dot(Wx, h), dot(Wy, h), dot(Wz, h))};
}

/// In registers, six cross products are fewer instructions than the sums above:
///   f = m a + w' x mc + w x (w x mc),   t = J w' + w x J w + mc x a
[[gnu::always_inline]] inline Spatial<double> inertial_force(const RigidInertia<double>& I,
                                                             const Spatial<double>& V,
                                                             const Spatial<double>& A) {
  const Vec3<double> w = V.top(), d = A.top(), &h = I.mc;
  const Vec3<double> a = A.bottom() + cross(w, V.bottom());
  return {I.J * d + cross(w, I.J * w) + cross(h, a), a * I.m + cross(d, h) + cross(w, cross(w, h))};
}

/// A symmetric 6x6 matrix: a rigid or an articulated inertia. 21 numbers, the lower triangle row by
/// row.
template <class T>
struct SymMat6 {
  T e[21];

  SymMat6()
      : e{T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0),
          T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0)} {}
  // NOLINTBEGIN(bugprone-unhandled-self-assignment): number by number, as in Vec3.
  [[gnu::always_inline]] SymMat6(const SymMat6& b) { *this = b; }
  [[gnu::always_inline]] SymMat6& operator=(const SymMat6& b) {
    copy_entries(b, std::make_index_sequence<21>());
    return *this;
  }
  // NOLINTEND(bugprone-unhandled-self-assignment)
  explicit SymMat6(const RigidInertia<T>& I)
      : e{I.J.xx,   I.J.xy,   I.J.yy,   I.J.xz, I.J.yz, I.J.zz,  //
          T(0),     I.mc[2],  -I.mc[1], I.m,                     //
          -I.mc[2], T(0),     I.mc[0],  T(0),   I.m,             //
          I.mc[1],  -I.mc[0], T(0),     T(0),   T(0),   I.m} {}
  [[gnu::always_inline]] void add(const RigidInertia<T>& I) {
    e[0] += I.J.xx, e[1] += I.J.xy, e[2] += I.J.yy;
    e[3] += I.J.xz, e[4] += I.J.yz, e[5] += I.J.zz;
    e[7] += I.mc[2], e[8] -= I.mc[1], e[9] += I.m;
    e[10] -= I.mc[2], e[12] += I.mc[0], e[14] += I.m;
    e[15] += I.mc[1], e[16] -= I.mc[0], e[20] += I.m;
  }
  static constexpr int place(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : place(j, i); }
  const T& operator()(int i, int j) const { return e[place(i, j)]; }

  [[gnu::always_inline]] SymMat6& operator+=(const SymMat6& b) {
    add_entries(b, std::make_index_sequence<21>());
    return *this;
  }
  /// this - U k^T, where k is a multiple of U.
  [[gnu::always_inline]] void subtract_outer(const Spatial<T>& U, const Spatial<T>& k) {
    subtract_row<0>(U.e[0], k);
    subtract_row<1>(U.e[1], k);
    subtract_row<2>(U.e[2], k);
    subtract_row<3>(U.e[3], k);
    subtract_row<4>(U.e[4], k);
    subtract_row<5>(U.e[5], k);
  }

 private:
  // Places known to the compiler: numbers stay in registers.
  template <std::size_t... i>
  [[gnu::always_inline]] void copy_entries(const SymMat6& b, std::index_sequence<i...>) {
    ((e[i] = b.e[i]), ...);
  }
  template <std::size_t... i>
  [[gnu::always_inline]] void add_entries(const SymMat6& b, std::index_sequence<i...>) {
    ((e[i] += b.e[i]), ...);
  }
  template <int i>
  [[gnu::always_inline]] void subtract_row(const T& u, const Spatial<T>& k) {
    constexpr int first = i * (i + 1) / 2;
    e[first] -= u * k.e[0];
    if constexpr (i >= 1) e[first + 1] -= u * k.e[1];
    if constexpr (i >= 2) e[first + 2] -= u * k.e[2];
    if constexpr (i >= 3) e[first + 3] -= u * k.e[3];
    if constexpr (i >= 4) e[first + 4] -= u * k.e[4];
    if constexpr (i >= 5) e[first + 5] -= u * k.e[5];
  }
};

template <class T>
[[gnu::always_inline]] inline Spatial<T> operator*(const SymMat6<T>& A, const Spatial<T>& v) {
  const T(&e)[21] = A.e;
  const T(&x)[6] = v.e;
  const auto sum = [&x](const T& a, const T& b, const T& c, const T& d, const T& f,
                        const T& g) -> T {
    return (a * x[0] + b * x[1] + c * x[2]) + (d * x[3] + f * x[4] + g * x[5]);
  };
  return {{sum(e[0], e[1], e[3], e[6], e[10], e[15]), sum(e[1], e[2], e[4], e[7], e[11], e[16]),
           sum(e[3], e[4], e[5], e[8], e[12], e[17])},
          {sum(e[6], e[7], e[8], e[9], e[13], e[18]), sum(e[10], e[11], e[12], e[13], e[14], e[19]),
           sum(e[15], e[16], e[17], e[18], e[19], e[20])}};
}

/// Number i in all places: one instruction, where a scalar on the way would take two.
template <int i>
[[gnu::always_inline]] inline Pack8 spread(const Pack8& a) {
  return __builtin_shufflevector(a, a, i, i, i, i, i, i, i, i);
}

template <>
struct SymMat6<double> {
  Pack8 c[6];  // columns

  SymMat6() : c{} {}
  explicit SymMat6(const RigidInertia<double>& I) {
    // mc x e_j, from the pad's zero and signs.
    const Pack4 mc = I.mc.e;
    const Vec3<double> x(__builtin_shufflevector(mc, mc, 3, 2, 1, 3) * Pack4{0.0, 1.0, -1.0, 0.0});
    const Vec3<double> y(__builtin_shufflevector(mc, mc, 2, 3, 0, 3) * Pack4{-1.0, 0.0, 1.0, 0.0});
    const Vec3<double> z(__builtin_shufflevector(mc, mc, 1, 0, 3, 3) * Pack4{1.0, -1.0, 0.0, 0.0});
    const Mat3<double> one = Mat3<double>::identity();
    c[0] = Spatial<double>(I.J.c[0], -x).e;
    c[1] = Spatial<double>(I.J.c[1], -y).e;
    c[2] = Spatial<double>(I.J.c[2], -z).e;
    c[3] = Spatial<double>(x, one.c[0] * I.m).e;
    c[4] = Spatial<double>(y, one.c[1] * I.m).e;
    c[5] = Spatial<double>(z, one.c[2] * I.m).e;
  }
  void add(const RigidInertia<double>& I) { *this += SymMat6(I); }
  double operator()(int i, int j) const { return c[j][i < 3 ? i : i + 1]; }

  SymMat6& operator+=(const SymMat6& b) {
    for (int j = 0; j < 6; ++j) c[j] += b.c[j];
    return *this;
  }
  void subtract_outer(const Spatial<double>& U, const Spatial<double>& k) {
    c[0] -= U.e * spread<0>(k.e);
    c[1] -= U.e * spread<1>(k.e);
    c[2] -= U.e * spread<2>(k.e);
    c[3] -= U.e * spread<4>(k.e);
    c[4] -= U.e * spread<5>(k.e);
    c[5] -= U.e * spread<6>(k.e);
  }
};

[[gnu::always_inline]] inline Spatial<double> operator*(const SymMat6<double>& A,
                                                        const Spatial<double>& x) {
  // Two sums of three: half the latency of one of six.
  const Pack8 a = A.c[0] * spread<0>(x.e) + A.c[1] * spread<1>(x.e) + A.c[2] * spread<2>(x.e);
  const Pack8 b = A.c[3] * spread<4>(x.e) + A.c[4] * spread<5>(x.e) + A.c[5] * spread<6>(x.e);
  return Spatial<double>(a + b);
}

}  // namespace camber::math
