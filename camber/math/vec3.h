#pragma once

// Vectors of three and 3x3 matrices of any scalar. For double a vector is one register of four
// numbers with the last one zero, so a sum, a product or a column operation is one instruction; the
// other scalars (dual numbers, lanes, expressions) are registers or objects themselves and stand in
// plain arrays.

namespace camber::math {

template <class T>
struct Vec3 {
  T e[3] = {T(0), T(0), T(0)};

  Vec3() = default;
  Vec3(const T& x, const T& y, const T& z) : e{x, y, z} {}
  // Number by number, also copies, and not in loops: g++ moves a whole object through memory, and
  // unrolls loops too late to keep the numbers in registers.
  // NOLINTBEGIN(bugprone-unhandled-self-assignment): of plain numbers, and harmless.
  [[gnu::always_inline]] Vec3(const Vec3& b) : e{b.e[0], b.e[1], b.e[2]} {}
  [[gnu::always_inline]] Vec3& operator=(const Vec3& b) {
    e[0] = b.e[0], e[1] = b.e[1], e[2] = b.e[2];
    return *this;
  }
  // NOLINTEND(bugprone-unhandled-self-assignment)
  const T& operator[](int i) const { return e[i]; }

  [[gnu::always_inline]] Vec3& operator+=(const Vec3& b) {
    e[0] += b.e[0], e[1] += b.e[1], e[2] += b.e[2];
    return *this;
  }
  [[gnu::always_inline]] Vec3& operator-=(const Vec3& b) {
    e[0] -= b.e[0], e[1] -= b.e[1], e[2] -= b.e[2];
    return *this;
  }
  [[gnu::always_inline]] Vec3& operator*=(const T& s) {
    e[0] *= s, e[1] *= s, e[2] *= s;
    return *this;
  }
};

template <class T>
[[gnu::always_inline]] inline T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2];
}

template <class T>
[[gnu::always_inline]] inline Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.e[1] * b.e[2] - a.e[2] * b.e[1], a.e[2] * b.e[0] - a.e[0] * b.e[2],
          a.e[0] * b.e[1] - a.e[1] * b.e[0]};
}

using Pack4 = double __attribute__((vector_size(32)));

template <>
struct Vec3<double> {
  Pack4 e = {0.0, 0.0, 0.0, 0.0};

  Vec3() = default;
  Vec3(double x, double y, double z) : e{x, y, z, 0.0} {}
  explicit Vec3(const Pack4& pack) : e(pack) {}
  double operator[](int i) const { return e[i]; }

  Vec3& operator+=(const Vec3& b) {
    e += b.e;
    return *this;
  }
  Vec3& operator-=(const Vec3& b) {
    e -= b.e;
    return *this;
  }
  Vec3& operator*=(double s) {
    e *= s;
    return *this;
  }
};

[[gnu::always_inline]] inline double dot(const Vec3<double>& a, const Vec3<double>& b) {
  const Pack4 p = a.e * b.e;
  return p[0] + p[1] + p[2];
}

/// Number i in all places: one instruction, where a scalar on the way would take two.
template <int i>
[[gnu::always_inline]] inline Pack4 spread(const Pack4& a) {
  return __builtin_shufflevector(a, a, i, i, i, i);
}

/// (x, y, z, 0) -> (y, z, x, 0)
[[gnu::always_inline]] inline Pack4 cycle(const Pack4& a) {
  return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

[[gnu::always_inline]] inline Vec3<double> cross(const Vec3<double>& a, const Vec3<double>& b) {
  return Vec3<double>(cycle(a.e * cycle(b.e) - cycle(a.e) * b.e));
}

template <class T>
[[gnu::always_inline]] inline Vec3<T> operator+(Vec3<T> a, const Vec3<T>& b) {
  return a += b;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> operator-(Vec3<T> a, const Vec3<T>& b) {
  return a -= b;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> operator-(const Vec3<T>& a) {
  return Vec3<T>() - a;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> operator*(Vec3<T> a, const T& s) {
  return a *= s;
}

/// Three columns.
template <class T>
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): clang's own copy of c
struct Mat3 {
  Vec3<T> c[3];

  static Mat3 identity() { return {{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}}; }
  T operator()(int row, int column) const { return c[column][row]; }
};

// The right side may be of constants, which are plain numbers where T is lanes.
template <class T, class U>
[[gnu::always_inline]] inline Vec3<T> operator*(const Mat3<T>& A, const Vec3<U>& x) {
  return A.c[0] * T(x[0]) + A.c[1] * T(x[1]) + A.c[2] * T(x[2]);
}
template <class T, class U>
[[gnu::always_inline]] inline Mat3<T> operator*(const Mat3<T>& A, const Mat3<U>& B) {
  return {{A * B.c[0], A * B.c[1], A * B.c[2]}};
}
/// A^T x
template <class T>
[[gnu::always_inline]] inline Vec3<T> transpose_times(const Mat3<T>& A, const Vec3<T>& x) {
  return {dot(A.c[0], x), dot(A.c[1], x), dot(A.c[2], x)};
}
/// In registers: the three sums at once.
[[gnu::always_inline]] inline Vec3<double> transpose_times(const Mat3<double>& A,
                                                           const Vec3<double>& x) {
  const Pack4 a = A.c[0].e * x.e, b = A.c[1].e * x.e, c = A.c[2].e * x.e, zero = {};
  const Pack4 ab =
      __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack4 c0 =
      __builtin_shufflevector(c, zero, 0, 4, 2, 6) + __builtin_shufflevector(c, zero, 1, 5, 3, 7);
  return Vec3<double>(__builtin_shufflevector(ab, c0, 0, 1, 4, 5) +
                      __builtin_shufflevector(ab, c0, 2, 3, 6, 7));
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> transpose(const Mat3<T>& A) {
  return {{{A(0, 0), A(0, 1), A(0, 2)}, {A(1, 0), A(1, 1), A(1, 2)}, {A(2, 0), A(2, 1), A(2, 2)}}};
}

/// R rotated further about its own third axis: R * Rz(angle).
template <class T>
[[gnu::always_inline]] inline Mat3<T> turn_about_z(const Mat3<T>& R, const T& sine,
                                                   const T& cosine) {
  return {{R.c[0] * cosine + R.c[1] * sine, R.c[1] * cosine - R.c[0] * sine, R.c[2]}};
}

/// The rotation of a quaternion (w, x, y, z); it need not be exactly of unit length: rounding and
/// integration leave an error of about 1e-12, which a division by |q|^2 removes.
template <class T>
[[gnu::always_inline]] inline Mat3<T> rotation_of_quaternion(const T& w, const T& x, const T& y,
                                                             const T& z) {
  const T s = T(2) / (w * w + x * x + y * y + z * z);
  const T sx = s * x, sy = s * y, sz = s * z;
  const T wx = w * sx, wy = w * sy, wz = w * sz;
  const T xx = x * sx, xy = x * sy, xz = x * sz;
  const T yy = y * sy, yz = y * sz, zz = z * sz;
  return {{{T(1) - (yy + zz), xy + wz, xz - wy},
           {xy - wz, T(1) - (xx + zz), yz + wx},
           {xz + wy, yz - wx, T(1) - (xx + yy)}}};
}

/// A symmetric 3x3 matrix: six numbers, for double three columns.
template <class T>
struct SymMat3 {
  T xx = T(0), yy = T(0), zz = T(0), xy = T(0), xz = T(0), yz = T(0);

  SymMat3() = default;
  SymMat3(const T& xx_, const T& yy_, const T& zz_, const T& xy_, const T& xz_, const T& yz_)
      : xx(xx_), yy(yy_), zz(zz_), xy(xy_), xz(xz_), yz(yz_) {}
  T operator()(int i, int j) const {
    if (i == j) return i == 0 ? xx : i == 1 ? yy : zz;
    return i + j == 1 ? xy : i + j == 2 ? xz : yz;
  }
  SymMat3& operator+=(const SymMat3& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
};

template <class T>
[[gnu::always_inline]] inline Vec3<T> operator*(const SymMat3<T>& S, const Vec3<T>& x) {
  return {S.xx * x[0] + S.xy * x[1] + S.xz * x[2], S.xy * x[0] + S.yy * x[1] + S.yz * x[2],
          S.xz * x[0] + S.yz * x[1] + S.zz * x[2]};
}

/// middle 1 + a a^T - b b^T + (p.h) 1 - p h^T, for p and h in one direction: a rigid body's inertia
/// about the origin, of two vectors along its principal axes and a mass at p.
template <class T>
[[gnu::always_inline]] inline SymMat3<T> inertia_about_origin(const T& middle, const Vec3<T>& a,
                                                              const Vec3<T>& b, const Vec3<T>& p,
                                                              const Vec3<T>& h) {
  const T x = p[0] * h[0], y = p[1] * h[1], z = p[2] * h[2];
  return {middle + (a[0] * a[0] - b[0] * b[0]) + (y + z),
          middle + (a[1] * a[1] - b[1] * b[1]) + (x + z),
          middle + (a[2] * a[2] - b[2] * b[2]) + (x + y),
          a[0] * a[1] - b[0] * b[1] - p[0] * h[1],
          a[0] * a[2] - b[0] * b[2] - p[0] * h[2],
          a[1] * a[2] - b[1] * b[2] - p[1] * h[2]};
}

/// S - a h^T, for a and h in one direction.
template <class T>
[[gnu::always_inline]] inline SymMat3<T> subtract_outer(const SymMat3<T>& S, const Vec3<T>& a,
                                                        const Vec3<T>& h) {
  return {S.xx - a[0] * h[0], S.yy - a[1] * h[1], S.zz - a[2] * h[2],
          S.xy - a[0] * h[1], S.xz - a[0] * h[2], S.yz - a[1] * h[2]};
}

template <>
struct SymMat3<double> {
  Vec3<double> c[3];

  SymMat3() = default;
  SymMat3(double xx, double yy, double zz, double xy, double xz, double yz)
      : c{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}} {}
  double operator()(int i, int j) const { return c[j][i]; }
  SymMat3& operator+=(const SymMat3& b) {
    for (int j = 0; j < 3; ++j) c[j] += b.c[j];
    return *this;
  }
};

[[gnu::always_inline]] inline Vec3<double> operator*(const SymMat3<double>& S,
                                                     const Vec3<double>& x) {
  return Vec3<double>(S.c[0].e * spread<0>(x.e) + S.c[1].e * spread<1>(x.e) +
                      S.c[2].e * spread<2>(x.e));
}

[[gnu::always_inline]] inline SymMat3<double> subtract_outer(SymMat3<double> S,
                                                             const Vec3<double>& a,
                                                             const Vec3<double>& h) {
  S.c[0].e -= a.e * spread<0>(h.e);
  S.c[1].e -= a.e * spread<1>(h.e);
  S.c[2].e -= a.e * spread<2>(h.e);
  return S;
}

[[gnu::always_inline]] inline SymMat3<double> inertia_about_origin(double middle,
                                                                   const Vec3<double>& a,
                                                                   const Vec3<double>& b,
                                                                   const Vec3<double>& p,
                                                                   const Vec3<double>& h) {
  const double d = middle + dot(p, h);
  SymMat3<double> S;
  S.c[0].e = Pack4{d, 0, 0, 0} + a.e * spread<0>(a.e) - b.e * spread<0>(b.e);
  S.c[1].e = Pack4{0, d, 0, 0} + a.e * spread<1>(a.e) - b.e * spread<1>(b.e);
  S.c[2].e = Pack4{0, 0, d, 0} + a.e * spread<2>(a.e) - b.e * spread<2>(b.e);
  return subtract_outer(S, p, h);
}

}  // namespace camber::math
