#pragma once

// Functions whose results have the same bits on every machine: + - * / and sqrt only, which IEEE
// 754 rounds identically everywhere. The standard library's exp, erfc and lgamma differ in the last
// bit from one version to the next. Logarithm and normal quantile are in camber/core/random.h.

namespace camber::study {

/// Within 2 units in the last place; 0 below -745, infinity above 709.8.
double portable_exp(double x);

/// x^y for x >= 0, through exp and log: relative error about |y log x| units in the last place.
double portable_pow(double x, double y);

/// Sine for |x| <= 0.6 rad.
double portable_small_sine(double x);

/// P(N(0,1) < z), relative error below 1e-13, also in the lower tail.
double normal_cdf(double z);

/// The x with P(N(0,1) < x) = p. p is moved into [2^-54, 1 - 2^-53] first, so the result is finite.
double normal_quantile(double p);

/// Regularized incomplete beta function I_x(a, b): the distribution function of Beta(a, b).
double beta_cdf(double x, double a, double b);

/// The value that a t-distributed number of `degrees` exceeds with probability (1 - confidence) / 2:
/// half-widths of two-sided intervals of means.
double student_factor(double confidence, double degrees);

}  // namespace camber::study
