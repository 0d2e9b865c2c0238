#include "camber/study/portable_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/core/random.h"

namespace camber::study {

// x = n ln 2 + r with |r| <= ln 2 / 2; the Taylor series of exp(r) is cut after r^14, where
// r^15 / 15! < 1e-19. ln 2 in two parts, the first of 42 bits: n times it is exact.
double portable_exp(double x) {
  constexpr double kLn2High = 0x1.62e42fefa3800p-1, kLn2Low = 0x1.ef35793c76730p-45;
  if (std::isnan(x)) return x;
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double n = std::nearbyint(x / (kLn2High + kLn2Low));
  const double r = (x - n * kLn2High) - n * kLn2Low;
  double sum = 0;
  for (int k = 14; k >= 1; --k) sum = r / k * (1 + sum);
  return std::ldexp(1 + sum, static_cast<int>(n));
}

double portable_pow(double x, double y) {
  if (x == 0) return y == 0 ? 1 : 0;
  return portable_exp(y * camber::internal::portable_log(x));
}

double portable_small_sine(double x) {
  double sum = 0;
  for (int k = 21; k >= 3; k -= 2) sum = -x * x / (k * (k - 1)) * (1 + sum);
  return x * (1 + sum);
}

// Near the middle, [Marsaglia 2004] "Evaluating the normal distribution", J. Stat. Softw. 11(4):
//   Phi(z) = 1/2 + phi(z) (z + z^3/3 + z^5/(3 5) + ...)
// in the tails, Laplace's continued fraction of Mills' ratio, from its end:
//   1 - Phi(z) = phi(z) / (z + 1/(z + 2/(z + 3/(z + ...))))
double normal_cdf(double z) {
  if (std::isnan(z)) return z;
  constexpr double kInverseRoot = 0.39894228040143267794;  // 1 / sqrt(2 pi)
  constexpr double kTail = 2.5;
  constexpr int kTerms = 120;
  const double density = kInverseRoot * portable_exp(-0.5 * z * z);
  if (std::abs(z) < kTail) {
    double term = z, sum = z;
    for (int k = 3; k < 200 && std::abs(term) > 1e-18 * std::abs(sum); k += 2) {
      term *= z * z / k;
      sum += term;
    }
    return 0.5 + density * sum;
  }
  const double x = std::abs(z);
  double fraction = x;
  for (int k = kTerms; k >= 1; --k) fraction = x + k / fraction;
  const double tail = density / fraction;
  return z < 0 ? tail : 1 - tail;
}

double normal_quantile(double p) {
  return camber::internal::normal_quantile(std::clamp(p, 0x1p-54, 1 - 0x1p-53));
}

namespace {

// [Lanczos 1964], g = 7, nine terms, as widely tabulated; relative error about 1e-15 for x >= 0.5.
double log_gamma(double x) {
  static constexpr double kTerms[] = {
      676.5203681218851,  -1259.1392167224028,  771.32342877765313,    -176.61502916214059,
      12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
  using camber::internal::portable_log;
  if (x < 0.5) return log_gamma(x + 1) - portable_log(x);
  double sum = 0.99999999999980993;
  for (int i = 0; i < 8; ++i) sum += kTerms[i] / (x + i);
  const double t = x + 6.5;
  return 0.91893853320467274178 + (x - 0.5) * portable_log(t) - t + portable_log(sum);
}

// The continued fraction of I_x(a, b), DLMF 8.17.22, evaluated by Lentz' method.
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  if (std::abs(d) < kTiny) d = kTiny;
  d = 1 / d;
  double value = d;
  for (int m = 1; m < 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 + term * d;
      c = 1 + term / c;
      if (std::abs(d) < kTiny) d = kTiny;
      if (std::abs(c) < kTiny) c = kTiny;
      d = 1 / d;
      change = d * c;
      value *= change;
    }
    if (std::abs(change - 1) < 1e-16) break;
  }
  return value;
}

}  // namespace

double beta_cdf(double x, double a, double b) {
  using camber::internal::portable_log;
  if (!(x > 0)) return 0;
  if (x >= 1) return 1;
  const double front = portable_exp(a * portable_log(x) + b * portable_log(1 - x) +
                                    log_gamma(a + b) - log_gamma(a) - log_gamma(b));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(1 - x, b, a) / b;
}

// P(|T| > t) = I_{n / (n + t^2)}(n/2, 1/2), solved by bisection.
double student_factor(double confidence, double degrees) {
  double low = 0, high = 1e6;
  for (int i = 0; i < 200; ++i) {
    const double t = 0.5 * (low + high);
    const double outside = beta_cdf(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
    (outside > 1 - confidence ? low : high) = t;
  }
  return 0.5 * (low + high);
}

}  // namespace camber::study
