#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

namespace camber::math {

/// B = A^-1 (n x n, column by column) by Gauss-Jordan elimination with row pivoting; A is used up.
/// For the small dense systems of loop closures, which are solved for right-hand sides that come at
/// different stages of one evaluation.
///
/// Each lane of Lanes pivots for itself. An expression has no size to compare: its rows are taken
/// in their order, so the caller puts good pivots on the diagonal. Returns the size of the smallest
/// pivot (of each lane; 1 for expressions): zero if A is singular, and B is then of no use.
template <class T>
T invert_small(int n, T* A, T* B) {
  using std::abs;
  using Comparison = decltype(std::declval<T>() < std::declval<T>());
  constexpr bool kOrdered = std::is_same_v<Comparison, bool>;
  constexpr bool kLanes = requires(const T& x) { x.lane(0); };
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
