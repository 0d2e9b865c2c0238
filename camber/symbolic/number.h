#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace camber::symbolic {

namespace internal {
struct BigRational;  // arbitrary precision (boost::multiprecision), defined in number.cc
}

/// A numeric coefficient: an exact rational of any size, or a double where the input was not exact.
///
/// Exact op exact is exact; as soon as a double takes part, the result is a double. A double that
/// is a whole number (up to 2^53) counts as exact: T(2) and T(2.0) are the same number in a
/// template that is traced, and x^2.0 becomes a multiplication. Values are always finite: an
/// operation that leaves the range of double or needs more than 16384 bits throws
/// std::overflow_error, a division by zero std::domain_error.
class Number {
 public:
  Number() = default;
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  // NOLINTNEXTLINE(google-explicit-constructor)
  Number(Integer integer) : num_(static_cast<std::int64_t>(integer)) {
    if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) >= sizeof(std::int64_t)) {
      if (num_ < 0) *this = from_unsigned(integer);
    }
  }
  /// numerator / denominator, reduced.
  Number(std::int64_t numerator, std::int64_t denominator);
  /// Whole numbers become exact. Throws std::invalid_argument for NaN and infinity.
  static Number from_double(double value);
  /// Digits only, with an optional leading '-'; any length.
  static Number from_digits(std::string_view digits);

  bool is_exact() const { return den_ != kDouble; }
  bool is_zero() const { return num_ == 0 && den_ == 1; }
  bool is_one() const { return num_ == 1 && den_ == 1; }
  bool is_integer() const;  // exact and whole
  int sign() const;         // -1, 0, 1
  /// The value as a small integer: exact, whole, and fits.
  bool fits_int64() const;
  std::int64_t as_int64() const;  // only when fits_int64()
  /// The nearest double. Exact numbers may be out of range: see fits_double().
  double to_double() const;
  /// Whether the number is in the range of double: 10^400 and 1/10^400 are neither infinity nor 0.
  bool fits_double() const { return den_ != kBig || big_fits_double(); }
  Number numerator() const;    // of an exact number, carries the sign
  Number denominator() const;  // of an exact number, > 0
  /// How many bits numerator and denominator need together; 64 for a double.
  int bits() const;

  /// "3", "-7/2", or the shortest decimal that reads back to the same double ("0.1", "1e-300").
  std::string to_string() const;
  /// The same on every machine and in every run.
  std::uint64_t hash() const;

  friend Number operator+(const Number& a, const Number& b);
  friend Number operator-(const Number& a, const Number& b);
  friend Number operator*(const Number& a, const Number& b);
  friend Number operator/(const Number& a, const Number& b);
  friend Number operator-(const Number& a);
  /// Same kind and same value: 1/2 and 0.5 differ, as one is exact and the other is not.
  friend bool operator==(const Number& a, const Number& b);
  /// By value; equal values order exact before double.
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);

 private:
  // Two words, so that coefficients are copied as cheaply as pointers. den_ > 0: the reduced
  // fraction num_ / den_; kDouble: num_ holds the bits of a double; kBig: num_ holds the address of
  // an interned BigRational.
  static constexpr std::int64_t kDouble = 0;
  static constexpr std::int64_t kBig = -1;

  static Number from_unsigned(std::uint64_t integer);
  static Number from_big(internal::BigRational big);
  bool big_fits_double() const;
  internal::BigRational to_big() const;

  std::int64_t num_ = 0;
  std::int64_t den_ = 1;
};

Number abs(const Number& a);
/// base^exponent. A result of more than 4096 bits would only waste time: returns false and leaves
/// the result unchanged.
bool pow_exact(const Number& base, std::int64_t exponent, Number* result);
/// The exact root-th root of an exact non-negative number, if there is one.
bool root_exact(const Number& a, std::int64_t root, Number* result);
/// Greatest common divisor of two exact rationals: the largest g > 0 with a/g and b/g whole.
Number gcd(const Number& a, const Number& b);

}  // namespace camber::symbolic
