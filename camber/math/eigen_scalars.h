#pragma once

#include <limits>

#include <Eigen/Core>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"

/// Dual and Lanes as scalars of Eigen, also beside matrices and factors of double.
///
/// Everything works with Dual, including pivoting by values. Sums, products, norms, and the inverse
/// and determinant up to 4 x 4 work with Lanes. Algorithms that branch (decompositions, triangular
/// solves, maxCoeff(&i)) throw std::logic_error as soon as the lanes differ on the branch
/// (LaneMask); see ldlt.h.
namespace camber::math::internal {

// NOLINTBEGIN(readability-identifier-naming): Eigen asks for these names.
/// `cost`: registers per number.
template <class T, int cost>
struct EigenTraits : Eigen::GenericNumTraits<T> {
  using Real = T;
  using NonInteger = T;
  using Nested = const T&;
  using Literal = T;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = cost,
    AddCost = cost,
    MulCost = 2 * cost,
  };
  static T epsilon() { return T(std::numeric_limits<double>::epsilon()); }
  static T dummy_precision() { return T(Eigen::NumTraits<double>::dummy_precision()); }
  static T highest() { return T(std::numeric_limits<double>::max()); }
  static T lowest() { return T(std::numeric_limits<double>::lowest()); }
  static T infinity() { return T(std::numeric_limits<double>::infinity()); }
  static T quiet_NaN() { return T(std::numeric_limits<double>::quiet_NaN()); }
  static int digits10() { return std::numeric_limits<double>::digits10; }
};
// NOLINTEND(readability-identifier-naming)

/// The imaginary part of Lanes. Eigen's matrix-vector product keeps `imag(x) == 0` in a bool, which
/// a LaneMask is not.
struct NoImaginaryPart {
  template <class T>
  friend bool operator==(NoImaginaryPart, const T&) {
    return true;
  }
};

}  // namespace camber::math::internal

namespace Eigen {

template <int N>
struct NumTraits<camber::math::Dual<N>>
    : camber::math::internal::EigenTraits<camber::math::Dual<N>, 1 + (N + 7) / 8> {};
template <int N>
struct NumTraits<camber::math::Lanes<N>>
    : camber::math::internal::EigenTraits<camber::math::Lanes<N>, 1> {};

namespace internal {
template <int N>
struct imag_retval<camber::math::Lanes<N>> {
  using type = camber::math::internal::NoImaginaryPart;
};
template <int N>
struct imag_impl<camber::math::Lanes<N>> {
  static camber::math::internal::NoImaginaryPart run(const camber::math::Lanes<N>&) { return {}; }
};
}  // namespace internal

// Where the physics is a template, parameters stay double.
template <int N, class BinaryOp>
struct ScalarBinaryOpTraits<camber::math::Dual<N>, double, BinaryOp> {
  using ReturnType = camber::math::Dual<N>;
};
template <int N, class BinaryOp>
struct ScalarBinaryOpTraits<double, camber::math::Dual<N>, BinaryOp> {
  using ReturnType = camber::math::Dual<N>;
};
template <int N, class BinaryOp>
struct ScalarBinaryOpTraits<camber::math::Lanes<N>, double, BinaryOp> {
  using ReturnType = camber::math::Lanes<N>;
};
template <int N, class BinaryOp>
struct ScalarBinaryOpTraits<double, camber::math::Lanes<N>, BinaryOp> {
  using ReturnType = camber::math::Lanes<N>;
};

}  // namespace Eigen
