#pragma once

namespace camber::scene::internal {

// A cell takes a little of its neighbors, so that no root is lost at a common edge.
inline constexpr double kOverlap = 1e-7;  // [cells]
inline constexpr double kSlack = 1e-6;    // above and below its heights [m]

inline constexpr double kHeightTolerance = 1e-11;  // of a root [m]

/// The bicubic of a cell: h = sum of c[a][b] u^a v^b, u and v in 0..1, and bounds of its second
/// derivatives by u and v.
struct Patch {
  double c[4][4];
  double uu, uv, vv;
};

/// Weights of the monomials of a Catmull-Rom spline: a[k] of t^k from four neighbors.
template <class Row, class Number>
inline void make_monomials(const Row& p0, const Row& p1, const Row& p2, const Row& p3, Row* a) {
  constexpr Number kHalf = 0.5, kOneAndHalf = 1.5, kTwo = 2, kTwoAndHalf = 2.5;
  a[0] = p1;
  a[1] = kHalf * (p2 - p0);
  a[2] = p0 - kTwoAndHalf * p1 + kTwo * p2 - kHalf * p3;
  a[3] = kHalf * (p3 - p0) + kOneAndHalf * (p1 - p2);
}

/// c[a] in Patch, as rows of four, from the 4 x 4 nodes about a cell.
template <class Row, class Number>
inline void make_coefficients(const Row* nodes, Row* c) {
  Row by_v[4];
  make_monomials<Row, Number>(nodes[0], nodes[1], nodes[2], nodes[3], by_v);
  const Row low01 = __builtin_shufflevector(by_v[0], by_v[1], 0, 4, 2, 6);
  const Row high01 = __builtin_shufflevector(by_v[0], by_v[1], 1, 5, 3, 7);
  const Row low23 = __builtin_shufflevector(by_v[2], by_v[3], 0, 4, 2, 6);
  const Row high23 = __builtin_shufflevector(by_v[2], by_v[3], 1, 5, 3, 7);
  make_monomials<Row, Number>(__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                              __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                              __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                              __builtin_shufflevector(high01, high23, 2, 3, 6, 7), c);
}

/// h - c[0][0] and its slopes by u and v; the constant is left to the caller, which subtracts it
/// from the ray's height.
template <class P, class T>
inline void eval_patch(const P& patch, const T& u, const T& v, T* h, T* hu, T* hv) {
  const auto& c = patch.c;
  T r[4], s[4];
  for (int b = 0; b < 4; ++b) {
    r[b] = ((c[3][b] * u + c[2][b]) * u + c[1][b]) * u;
    s[b] = (3.0 * c[3][b] * u + 2.0 * c[2][b]) * u + c[1][b];
  }
  r[1] += c[0][1], r[2] += c[0][2], r[3] += c[0][3];
  *h = ((r[3] * v + r[2]) * v + r[1]) * v + r[0];
  *hu = ((s[3] * v + s[2]) * v + s[1]) * v + s[0];
  *hv = (3.0 * r[3] * v + 2.0 * r[2]) * v + r[1];
}
template <class P, class T>
inline T eval_height(const P& patch, const T& u, const T& v) {
  const auto& c = patch.c;
  const T r0 = ((c[3][0] * u + c[2][0]) * u + c[1][0]) * u;
  const T r1 = ((c[3][1] * u + c[2][1]) * u + c[1][1]) * u + c[0][1];
  const T r2 = ((c[3][2] * u + c[2][2]) * u + c[1][2]) * u + c[0][2];
  const T r3 = ((c[3][3] * u + c[2][3]) * u + c[1][3]) * u + c[0][3];
  return ((r3 * v + r2) * v + r1) * v + r0;
}

}  // namespace camber::scene::internal
