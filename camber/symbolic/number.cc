#include "camber/symbolic/number.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>

#include <boost/multiprecision/cpp_int.hpp>

namespace camber::symbolic {

namespace mp = boost::multiprecision;

namespace internal {
/// A fraction that does not fit two 64-bit words. Reduced, like every cpp_rational.
struct BigRational {
  mp::cpp_rational value;
};
}  // namespace internal

using internal::BigRational;

namespace {

constexpr int kMaxBits = 4096;  // a power with more digits stays a power
// Sums and products of exact numbers may grow beyond that, but only up to a limit: 1/p + 1/q + ...
// over the primes of a hostile input would take hours and gigabytes.
constexpr int kMaxExactBits = 4 * kMaxBits;

bool fits(const mp::cpp_int& a) {
  return a >= std::numeric_limits<std::int64_t>::min() &&
         a <= std::numeric_limits<std::int64_t>::max();
}

int bit_length(const mp::cpp_int& a) {
  return a == 0 ? 0 : static_cast<int>(mp::msb(mp::abs(a))) + 1;
}

/// Big values are interned and kept, like the nodes they appear in: a Number stays two words.
const BigRational* intern_big(BigRational big) {
  // Compares numerator and denominator, not values: comparing values takes a division per step, and
  // any consistent order will do.
  struct Less {
    bool operator()(const BigRational& a, const BigRational& b) const {
      const int numerators = mp::numerator(a.value).compare(mp::numerator(b.value));
      return numerators != 0 ? numerators < 0 : mp::denominator(a.value) < mp::denominator(b.value);
    }
  };
  static std::mutex mutex;
  static std::set<BigRational, Less>& values = *new std::set<BigRational, Less>;
  const std::lock_guard lock(mutex);
  return &*values.insert(std::move(big)).first;
}

/// At most b, which is positive, so it fits even for the smallest (most negative) a.
std::int64_t gcd_with_positive(std::int64_t a, std::int64_t b) {
  const std::uint64_t magnitude =
      a < 0 ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
  return static_cast<std::int64_t>(std::gcd(magnitude, static_cast<std::uint64_t>(b)));
}

double finite(double value) {
  if (!std::isfinite(value)) throw std::overflow_error("a number left the range of double");
  return value;
}

std::uint64_t mix(std::uint64_t h) {  // the finalizer of splitmix64
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
  return h ^ (h >> 31);
}

mp::cpp_int floor_root(const mp::cpp_int& a, std::int64_t root) {
  // Newton's iteration from above; a >= 0, root >= 2.
  if (a < 2) return a;
  mp::cpp_int x = mp::cpp_int(1) << static_cast<unsigned>((bit_length(a) + root - 1) / root);
  while (true) {
    const mp::cpp_int power = mp::pow(x, static_cast<unsigned>(root - 1));
    mp::cpp_int next = ((root - 1) * x + a / power) / root;
    if (next >= x) return x;
    x = std::move(next);
  }
}

}  // namespace

Number::Number(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) throw std::domain_error("division by zero");
  *this = Number(numerator) / Number(denominator);
}

Number Number::from_double(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("a number must be finite");
  constexpr double kExactLimit = 9007199254740992.0;  // 2^53
  if (std::abs(value) <= kExactLimit && std::trunc(value) == value) {
    return Number(static_cast<std::int64_t>(value));
  }
  Number n;
  n.num_ = std::bit_cast<std::int64_t>(value);
  n.den_ = kDouble;
  return n;
}

Number Number::from_digits(std::string_view digits) {
  const bool negative = !digits.empty() && digits.front() == '-';
  const std::string_view magnitude = digits.substr(negative ? 1 : 0);
  if (magnitude.empty() || !std::all_of(magnitude.begin(), magnitude.end(),
                                        [](char c) { return c >= '0' && c <= '9'; })) {
    throw std::invalid_argument("a whole number consists of digits, got \"" + std::string(digits) +
                                "\"");
  }
  // A leading 0 would make cpp_int read octal.
  const std::size_t first = std::min(magnitude.find_first_not_of('0'), magnitude.size() - 1);
  const mp::cpp_int value(std::string(magnitude.substr(first)));
  return from_big({mp::cpp_rational(negative ? mp::cpp_int(-value) : value)});
}

Number Number::from_unsigned(std::uint64_t integer) {
  return from_big({mp::cpp_rational(integer)});
}

Number Number::from_big(BigRational big) {
  const mp::cpp_int num = mp::numerator(big.value);
  const mp::cpp_int den = mp::denominator(big.value);
  Number n;
  if (fits(num) && fits(den)) {
    n.num_ = static_cast<std::int64_t>(num);
    n.den_ = static_cast<std::int64_t>(den);
  } else {
    if (bit_length(num) + bit_length(den) > kMaxExactBits) {
      throw std::overflow_error("an exact number needs more than " + std::to_string(kMaxExactBits) +
                                " bits");
    }
    n.num_ = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(intern_big(std::move(big))));
    n.den_ = kBig;
  }
  return n;
}

BigRational Number::to_big() const {
  assert(is_exact());
  if (den_ == kBig) return *reinterpret_cast<const BigRational*>(static_cast<std::intptr_t>(num_));
  return {mp::cpp_rational(num_, den_)};
}

bool Number::is_integer() const {
  if (den_ == kBig) return mp::denominator(to_big().value) == 1;
  return den_ == 1;
}

int Number::sign() const {
  if (den_ == kDouble) return std::bit_cast<double>(num_) < 0 ? -1 : 1;  // a zero is always exact
  if (den_ == kBig) return to_big().value.sign();
  return (num_ > 0) - (num_ < 0);
}

bool Number::fits_int64() const { return den_ == 1; }

std::int64_t Number::as_int64() const {
  assert(fits_int64());
  return num_;
}

double Number::to_double() const {
  if (den_ == kDouble) return std::bit_cast<double>(num_);
  if (den_ == kBig) return to_big().value.convert_to<double>();
  return static_cast<double>(num_) / static_cast<double>(den_);
}

bool Number::big_fits_double() const {
  const double value = to_double();
  return std::isfinite(value) && value != 0;
}

Number Number::numerator() const {
  assert(is_exact());
  if (den_ == kBig) return from_big({mp::cpp_rational(mp::numerator(to_big().value))});
  return Number(num_);
}

Number Number::denominator() const {
  assert(is_exact());
  if (den_ == kBig) return from_big({mp::cpp_rational(mp::denominator(to_big().value))});
  return Number(den_);
}

int Number::bits() const {
  if (den_ == kDouble) return 64;
  const BigRational big = to_big();
  return bit_length(mp::numerator(big.value)) + bit_length(mp::denominator(big.value));
}

std::string Number::to_string() const {
  if (den_ == kDouble) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, std::bit_cast<double>(num_)).ptr;
    return std::string(text, end);
  }
  if (den_ == kBig) return to_big().value.str();
  return den_ == 1 ? std::to_string(num_) : std::to_string(num_) + "/" + std::to_string(den_);
}

std::uint64_t Number::hash() const {
  if (den_ != kBig) {
    return mix(static_cast<std::uint64_t>(num_) +
               mix(static_cast<std::uint64_t>(den_) + 0x9e3779b97f4a7c15U));
  }
  std::uint64_t h = 0x2545f4914f6cdd1dU;
  for (const char c : to_string()) h = mix(h ^ static_cast<unsigned char>(c));
  return h;
}

Number operator+(const Number& a, const Number& b) {
  if (a.den_ == 1 && b.den_ == 1) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a.num_, b.num_, &sum)) return Number(sum);
  }
  if (!a.is_exact() || !b.is_exact())
    return Number::from_double(finite(a.to_double() + b.to_double()));
  if (a.den_ > 0 && b.den_ > 0) {
    // Over the least common denominator; only a divisor of g can still be reduced.
    const std::int64_t g = std::gcd(a.den_, b.den_);
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t num = 0;
    std::int64_t den = 0;
    if (!__builtin_mul_overflow(a.num_, b.den_ / g, &x) &&
        !__builtin_mul_overflow(b.num_, a.den_ / g, &y) && !__builtin_add_overflow(x, y, &num) &&
        !__builtin_mul_overflow(a.den_ / g, b.den_, &den)) {
      const std::int64_t common = gcd_with_positive(num, g);
      Number n(num / common);
      n.den_ = den / common;
      return n;
    }
  }
  return Number::from_big({a.to_big().value + b.to_big().value});
}

Number operator*(const Number& a, const Number& b) {
  if (a.den_ == 1 && b.den_ == 1) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a.num_, b.num_, &product)) return Number(product);
  }
  if (a.is_zero() || b.is_zero()) return Number();
  if (!a.is_exact() || !b.is_exact()) {
    const double product = finite(a.to_double() * b.to_double());
    // Underflow would turn a nonzero value into 0 and drop a term from a sum.
    if (product == 0) throw std::overflow_error("a number left the range of double");
    return Number::from_double(product);
  }
  if (a.den_ > 0 && b.den_ > 0) {
    // Cross-reduced first, so that the products are reduced and small.
    const std::int64_t g1 = gcd_with_positive(a.num_, b.den_);
    const std::int64_t g2 = gcd_with_positive(b.num_, a.den_);
    std::int64_t num = 0;
    std::int64_t den = 0;
    if (!__builtin_mul_overflow(a.num_ / g1, b.num_ / g2, &num) &&
        !__builtin_mul_overflow(a.den_ / g2, b.den_ / g1, &den)) {
      Number n(num);
      n.den_ = den;
      return n;
    }
  }
  return Number::from_big({a.to_big().value * b.to_big().value});
}

Number operator-(const Number& a) {
  if (a.den_ > 0 && a.num_ != std::numeric_limits<std::int64_t>::min()) {
    Number n(-a.num_);
    n.den_ = a.den_;
    return n;
  }
  return a * Number(-1);
}

Number operator-(const Number& a, const Number& b) { return a + (-b); }

Number operator/(const Number& a, const Number& b) {
  if (b.is_zero()) throw std::domain_error("division by zero");
  if (b.den_ > 0 && b.num_ != std::numeric_limits<std::int64_t>::min()) {
    Number reciprocal(b.num_ < 0 ? -b.den_ : b.den_);
    reciprocal.den_ = b.num_ < 0 ? -b.num_ : b.num_;
    if (a.is_exact()) return a * reciprocal;
  }
  if (a.is_exact() && b.is_exact()) return Number::from_big({a.to_big().value / b.to_big().value});
  if (a.is_zero()) return Number();
  const double quotient = finite(a.to_double() / b.to_double());
  if (quotient == 0) throw std::overflow_error("a number left the range of double");
  return Number::from_double(quotient);
}

bool operator==(const Number& a, const Number& b) {
  return a.num_ == b.num_ && a.den_ == b.den_;  // bigs are interned
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  if (a == b) return std::strong_ordering::equal;
  if (a.den_ == 1 && b.den_ == 1) return a.num_ <=> b.num_;
  // A double is a rational too, so the comparison is exact.
  const auto exact = [](const Number& n) {
    return n.is_exact() ? n.to_big().value : mp::cpp_rational(n.to_double());
  };
  const int order = exact(a).compare(exact(b));
  if (order != 0) return order < 0 ? std::strong_ordering::less : std::strong_ordering::greater;
  return a.is_exact() ? std::strong_ordering::less : std::strong_ordering::greater;
}

Number abs(const Number& a) { return a.sign() < 0 ? -a : a; }

bool pow_exact(const Number& base, std::int64_t exponent, Number* result) {
  if (!base.is_exact()) {
    const double power = std::pow(base.to_double(), static_cast<double>(exponent));
    if (!std::isfinite(power) || power == 0) return false;
    *result = Number::from_double(power);
    return true;
  }
  if (base.is_zero() && exponent < 0) throw std::domain_error("division by zero");
  const std::int64_t magnitude =
      exponent < 0 ? -(exponent + 1) : exponent;              // |exponent|, or one less
  if (base.bits() > 2 && magnitude > kMaxBits) return false;  // 2 bits: 0, 1 and -1
  if (base.bits() > 2 && base.bits() * magnitude > 2L * kMaxBits) return false;
  if (base.bits() <= 2) {
    *result = base.sign() >= 0 || exponent % 2 != 0 ? base : Number(1);
    if (exponent == 0) *result = Number(1);
    return true;
  }
  Number power(1);
  Number square = exponent < 0 ? Number(1) / base : base;
  for (std::uint64_t n = exponent < 0 ? 0 - static_cast<std::uint64_t>(exponent)
                                      : static_cast<std::uint64_t>(exponent);
       n != 0; n >>= 1) {
    if (n & 1) power = power * square;
    if (n > 1) square = square * square;
  }
  *result = power;
  return true;
}

bool root_exact(const Number& a, std::int64_t root, Number* result) {
  if (!a.is_exact() || a.sign() < 0 || root < 2 || root > kMaxBits) return false;
  const auto integer_root = [&](const Number& n, Number* r) {
    const mp::cpp_int value(n.to_string());
    const mp::cpp_int candidate = floor_root(value, root);
    if (mp::pow(candidate, static_cast<unsigned>(root)) != value) return false;
    *r = Number::from_digits(candidate.str());
    return true;
  };
  Number num;
  Number den;
  if (!integer_root(a.numerator(), &num) || !integer_root(a.denominator(), &den)) return false;
  *result = num / den;
  return true;
}

Number gcd(const Number& a, const Number& b) {
  assert(a.is_exact() && b.is_exact());
  if (a.is_zero()) return abs(b);
  if (b.is_zero()) return abs(a);
  if (a.fits_int64() && b.fits_int64() && b.sign() > 0)
    return Number(gcd_with_positive(a.as_int64(), b.as_int64()));
  const Number a_num = abs(a.numerator());
  const Number b_num = abs(b.numerator());
  const Number a_den = a.denominator();
  const Number b_den = b.denominator();
  if (a_num.fits_int64() && b_num.fits_int64() && a_den.fits_int64() && b_den.fits_int64()) {
    const Number g(std::gcd(a_den.as_int64(), b_den.as_int64()));
    return Number(std::gcd(a_num.as_int64(), b_num.as_int64())) / (a_den / g * b_den);
  }
  const auto integer = [](const Number& n) { return mp::cpp_int(n.to_string()); };
  const mp::cpp_int num = mp::gcd(integer(a.numerator()), integer(b.numerator()));
  const mp::cpp_int den = mp::lcm(integer(a.denominator()), integer(b.denominator()));
  return Number::from_digits(num.str()) / Number::from_digits(den.str());
}

}  // namespace camber::symbolic
