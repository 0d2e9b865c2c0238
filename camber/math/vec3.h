#pragma once

// Vectors of three and 3x3 matrices of any scalar. For double a vector is one register of four
// numbers with the last one zero, so a sum, a product or a column operation is one instruction; the
// other scalars (dual numbers, lanes, expressions) are registers or objects themselves and stand in
// plain arrays.

namespace camber {

template <class T>
struct Vec3 {
  T e[3] = {T(0), T(0), T(0)};

  Vec3() = default;
  Vec3(const T& x, const T& y, const T& z) : e{x, y, z} {}
  const T& operator[](int i) const { return e[i]; }

  Vec3& operator+=(const Vec3& b) {
    for (int i = 0; i < 3; ++i) e[i] += b.e[i];
    return *this;
  }
  Vec3& operator-=(const Vec3& b) {
    for (int i = 0; i < 3; ++i) e[i] -= b.e[i];
    return *this;
  }
  Vec3& operator*=(const T& s) {
    for (int i = 0; i < 3; ++i) e[i] *= s;
    return *this;
  }
};

template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2];
}

template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
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

inline double dot(const Vec3<double>& a, const Vec3<double>& b) {
  const Pack4 p = a.e * b.e;
  return p[0] + p[1] + p[2];
}

/// (x, y, z, 0) -> (y, z, x, 0)
inline Pack4 cycle(const Pack4& a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }

inline Vec3<double> cross(const Vec3<double>& a, const Vec3<double>& b) {
  return Vec3<double>(cycle(a.e * cycle(b.e) - cycle(a.e) * b.e));
}

template <class T>
Vec3<T> operator+(Vec3<T> a, const Vec3<T>& b) {
  return a += b;
}
template <class T>
Vec3<T> operator-(Vec3<T> a, const Vec3<T>& b) {
  return a -= b;
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a) {
  return Vec3<T>() - a;
}
template <class T>
Vec3<T> operator*(Vec3<T> a, const T& s) {
  return a *= s;
}

/// Three columns.
template <class T>
struct Mat3 {
  Vec3<T> c[3];

  static Mat3 identity() { return {{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}}; }
  T operator()(int row, int column) const { return c[column][row]; }
};

template <class T>
Vec3<T> operator*(const Mat3<T>& A, const Vec3<T>& x) {
  return A.c[0] * T(x[0]) + A.c[1] * T(x[1]) + A.c[2] * T(x[2]);
}
template <class T>
Mat3<T> operator*(const Mat3<T>& A, const Mat3<T>& B) {
  return {{A * B.c[0], A * B.c[1], A * B.c[2]}};
}
/// A^T x
template <class T>
Vec3<T> transpose_times(const Mat3<T>& A, const Vec3<T>& x) {
  return {dot(A.c[0], x), dot(A.c[1], x), dot(A.c[2], x)};
}
template <class T>
Mat3<T> transpose(const Mat3<T>& A) {
  return {{{A(0, 0), A(0, 1), A(0, 2)}, {A(1, 0), A(1, 1), A(1, 2)}, {A(2, 0), A(2, 1), A(2, 2)}}};
}

/// R turned further about its own third axis: R * Rz(angle).
template <class T>
Mat3<T> turn_about_z(const Mat3<T>& R, const T& sine, const T& cosine) {
  return {{R.c[0] * cosine + R.c[1] * sine, R.c[1] * cosine - R.c[0] * sine, R.c[2]}};
}

/// The rotation of a quaternion (w, x, y, z); it need not be exactly of unit length: rounding and
/// integration leave 1e-12 or so, which a division by |q|^2 takes away.
template <class T>
Mat3<T> rotation_of_quaternion(const T& w, const T& x, const T& y, const T& z) {
  const T s = T(2) / (w * w + x * x + y * y + z * z);
  const T sx = s * x, sy = s * y, sz = s * z;
  const T wx = w * sx, wy = w * sy, wz = w * sz;
  const T xx = x * sx, xy = x * sy, xz = x * sz;
  const T yy = y * sy, yz = y * sz, zz = z * sz;
  return {{{T(1) - (yy + zz), xy + wz, xz - wy},
           {xy - wz, T(1) - (xx + zz), yz + wx},
           {xz + wy, yz - wx, T(1) - (xx + yy)}}};
}

/// A symmetric 3x3 matrix, six numbers.
template <class T>
struct SymMat3 {
  T xx = T(0), yy = T(0), zz = T(0), xy = T(0), xz = T(0), yz = T(0);

  SymMat3& operator+=(const SymMat3& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
};

/// R S R^T
template <class T>
SymMat3<T> rotate(const Mat3<T>& R, const SymMat3<T>& S) {
  const Mat3<T> B = R * Mat3<T>{{{S.xx, S.xy, S.xz}, {S.xy, S.yy, S.yz}, {S.xz, S.yz, S.zz}}};
  const auto entry = [&](int i, int j) -> T {
    return B(i, 0) * R(j, 0) + B(i, 1) * R(j, 1) + B(i, 2) * R(j, 2);
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

}  // namespace camber
