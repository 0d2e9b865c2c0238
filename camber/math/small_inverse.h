#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

#include "camber/math/scalar.h"
#include "camber/math/spatial.h"

namespace camber::math {

namespace internal {

template <class T>
T larger(const T& a, const T& b) {
  return select(a < b, b, a);
}

/// Inverts by cofactors, n = 1 to 3. Returns, up to a small factor, the last pivot of an
/// elimination with full pivoting.
template <class T>
[[gnu::always_inline]] inline T invert_by_cofactors(int n, const T* A, T* B) {
  using std::abs;
  if (n == 1) {
    B[0] = T(1) / A[0];
    return abs(A[0]);
  }
  if (n == 2) {
    const T det = A[0] * A[3] - A[2] * A[1];
    const T inverse = T(1) / det;
    B[0] = A[3] * inverse;
    B[1] = -A[1] * inverse;
    B[2] = -A[2] * inverse;
    B[3] = A[0] * inverse;
    const T most = larger(larger(abs(A[0]), abs(A[1])), larger(abs(A[2]), abs(A[3])));
    return abs(det) / most;
  }
  const T c0 = A[4] * A[8] - A[7] * A[5], c1 = A[7] * A[2] - A[1] * A[8],
          c2 = A[1] * A[5] - A[4] * A[2];
  const T det = A[0] * c0 + A[3] * c1 + A[6] * c2;
  const T inverse = T(1) / det;
  B[0] = c0 * inverse;
  B[1] = c1 * inverse;
  B[2] = c2 * inverse;
  B[3] = (A[6] * A[5] - A[3] * A[8]) * inverse;
  B[4] = (A[0] * A[8] - A[6] * A[2]) * inverse;
  B[5] = (A[3] * A[2] - A[0] * A[5]) * inverse;
  B[6] = (A[3] * A[7] - A[6] * A[4]) * inverse;
  B[7] = (A[6] * A[1] - A[0] * A[7]) * inverse;
  B[8] = (A[0] * A[4] - A[3] * A[1]) * inverse;
  T most = abs(B[0]);
  for (int i = 1; i < 9; ++i) most = larger(most, T(abs(B[i])));
  return T(1) / most;
}

/// Gauss-Jordan elimination in place with the pivots on the diagonal, a column in a register: for
/// matrices whose rows are in a good order. Returns false and leaves B unchanged if a pivot is less
/// than a tenth of an entry below it.
template <int n>
bool invert_in_order(const double* A, double* B, double* least) {
  static_assert(n <= 8);
  Pack8 c[n];
  for (int j = 0; j < n; ++j) {
    c[j] = Pack8{};
    for (int i = 0; i < n; ++i) c[j][i] = A[j * n + i];
  }
  const Pack8 place = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  bool is_good = true;
  *least = 1e300;
#pragma GCC unroll 8
  for (int k = 0; k < n; ++k) {
    const Pack8 column = c[k];
    const double pivot = column[k], inverse = 1 / pivot;
    for (int i = k + 1; i < n; ++i) is_good &= std::abs(column[i]) <= 10 * std::abs(pivot);
    *least = std::abs(pivot) < *least ? std::abs(pivot) : *least;
    const auto is_pivot = place == Pack8{} + double(k);
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
      if (j == k) continue;
      const Pack8 factor = Pack8{} + c[j][k] * inverse;
      c[j] = is_pivot ? factor : c[j] - column * factor;
    }
    c[k] = is_pivot ? Pack8{} + inverse : column * -inverse;
  }
  if (!is_good || !(*least > 0)) return false;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) B[j * n + i] = c[j][i];
  }
  return true;
}

}  // namespace internal

/// B = A^-1 (n x n, column by column) by cofactors up to 3 x 3, else by Gauss-Jordan elimination
/// with row pivoting; A is overwritten. For the small dense systems of loop closures, which are
/// solved for right-hand sides that come at different stages of one evaluation.
///
/// Each lane of Lanes pivots for itself. An expression has no size to compare: its rows are taken
/// in their order, so the caller puts good pivots on the diagonal. Returns the size of the smallest
/// pivot (of each lane; 1 for expressions): zero if A is singular, and B is then invalid.
template <class T>
[[gnu::always_inline]] inline T invert_small(int n, T* A, T* B) {
  using std::abs;
  using Comparison = decltype(std::declval<T>() < std::declval<T>());
  constexpr bool kOrdered = std::is_same_v<Comparison, bool>;
  constexpr bool kLanes = requires(const T& x) { x.lane(0); };
  if constexpr (kOrdered || kLanes) {
    if (n >= 1 && n <= 3) return internal::invert_by_cofactors(n, A, B);
  }
  if constexpr (std::is_same_v<T, double>) {  // a linkage in space
    double smallest = 0;
    if (n == 6 && internal::invert_in_order<6>(A, B, &smallest)) return smallest;
  }
  const auto a = [A, n](int i, int j) -> T& { return A[j * n + i]; };
  const auto b = [B, n](int i, int j) -> T& { return B[j * n + i]; };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) b(i, j) = T(i == j ? 1.0 : 0.0);
  }
  T least = T(1e300);
  for (int k = 0; k < n; ++k) {
    if constexpr (kOrdered) {
      int best = k;
      for (int i = k + 1; i < n; ++i) {
        if (abs(a(i, k)) > abs(a(best, k))) best = i;
      }
      if (!(abs(a(best, k)) > T(0))) return T(0);
      if (best != k) {
        for (int j = k; j < n; ++j) std::swap(a(k, j), a(best, j));
        for (int j = 0; j < n; ++j) std::swap(b(k, j), b(best, j));
      }
      if (abs(a(k, k)) < least) least = abs(a(k, k));
    } else if constexpr (kLanes) {
      for (int i = k + 1; i < n; ++i) {
        const Comparison larger = abs(a(i, k)) > abs(a(k, k));
        const auto exchange = [&larger](T* x, T* y) {
          const T old = *x;
          *x = select(larger, *y, old);
          *y = select(larger, old, *y);
        };
        for (int j = k; j < n; ++j) exchange(&a(k, j), &a(i, j));
        for (int j = 0; j < n; ++j) exchange(&b(k, j), &b(i, j));
      }
      least = select(abs(a(k, k)) < least, abs(a(k, k)), least);
    }
    const T inverse = T(1) / a(k, k);
    for (int j = k + 1; j < n; ++j) a(k, j) *= inverse;
    for (int j = 0; j < n; ++j) b(k, j) *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const T factor = a(i, k);
      for (int j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
      for (int j = 0; j < n; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  if constexpr (kOrdered || kLanes) return least;
  return T(1);
}

}  // namespace camber::math
