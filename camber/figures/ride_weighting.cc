#include "camber/figures/ride_weighting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

// [ISO 2631-1] annex A: W_k as a chain of four filters of second order, w_i = 2 pi f_i,
//   high pass    s^2 / (s^2 + w1/Q1 s + w1^2)                          f1 = 0.4 Hz, Q1 = 1/sqrt(2)
//   low pass     1 / (1 + s/(Q2 w2) + (s/w2)^2)                        f2 = 100 Hz, Q2 = 1/sqrt(2)
//   transition   (1 + s/w3) / (1 + s/(Q4 w4) + (s/w4)^2)               f3 = f4 = 12.5 Hz, Q4 = 0.63
//   step         (1 + s/(Q5 w5) + (s/w5)^2) / (1 + s/(Q6 w6) + (s/w6)^2) (w5/w6)^2
//                                                 f5 = 2.37 Hz, Q5 = 0.91, f6 = 3.35 Hz, Q6 = 0.91
// Each is b0 s^2 + b1 s + b2 over s^2 + a1 s + a2, in controllable form
//   z1' = z2,  z2' = u - a2 z1 - a1 z2,  y = (b2 - b0 a2) z1 + (b1 - b0 a1) z2 + b0 u (1)
// integrated by Kutta's steps of at most 1 ms: the fastest pole is at 630 rad/s.
namespace camber::figures::internal {
namespace {

struct Filter {
  double a1, a2, b0, b1, b2;
};

double angular(double frequency) { return 2 * std::numbers::pi * frequency; }

std::array<Filter, 4> make_chain() {
  const double w1 = angular(0.4), w2 = angular(100), w4 = angular(12.5);
  const double w5 = angular(2.37), w6 = angular(3.35);
  const double root2 = std::numbers::sqrt2;
  return {{{root2 * w1, w1 * w1, 1, 0, 0},
           {root2 * w2, w2 * w2, 0, 0, w2 * w2},
           {w4 / 0.63, w4 * w4, 0, w4, w4 * w4},
           {w6 / 0.91, w6 * w6, 1, w5 / 0.91, w5 * w5}}};
}

using State = std::array<double, 8>;

/// (1) through the chain; returns the output.
double calc_rates(const std::array<Filter, 4>& chain, const State& z, double u, State* rates) {
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const Filter& f = chain[k];
    const double z1 = z[2 * k], z2 = z[2 * k + 1];
    (*rates)[2 * k] = z2;
    (*rates)[2 * k + 1] = u - f.a2 * z1 - f.a1 * z2;
    u = (f.b2 - f.b0 * f.a2) * z1 + (f.b1 - f.b0 * f.a1) * z2 + f.b0 * u;
  }
  return u;
}

State moved(const State& z, const State& rates, double h) {
  State result = z;
  for (std::size_t i = 0; i < z.size(); ++i) result[i] += h * rates[i];
  return result;
}

/// One step with the input going from u0 to u1 along a line.
void step(const std::array<Filter, 4>& chain, double h, double u0, double u1, State* z) {
  const double middle = 0.5 * (u0 + u1);
  State k1, k2, k3, k4;
  calc_rates(chain, *z, u0, &k1);
  calc_rates(chain, moved(*z, k1, h / 2), middle, &k2);
  calc_rates(chain, moved(*z, k2, h / 2), middle, &k3);
  calc_rates(chain, moved(*z, k3, h), u1, &k4);
  for (std::size_t i = 0; i < z->size(); ++i)
    (*z)[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

}  // namespace

std::vector<double> weigh_vertical(std::span<const double> t,
                                   std::span<const double> acceleration) {
  const auto chain = make_chain();
  State z{}, rates{};
  std::vector<double> weighted;
  weighted.reserve(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (i > 0) {
      const double interval = t[i] - t[i - 1];
      const int steps = std::max(1, static_cast<int>(std::ceil(interval / 1e-3 - 1e-9)));
      const double rise = (acceleration[i] - acceleration[i - 1]) / steps;
      for (int k = 0; k < steps; ++k) {
        const double u = acceleration[i - 1] + k * rise;
        step(chain, interval / steps, u, u + rise, &z);
      }
    }
    weighted.push_back(calc_rates(chain, z, acceleration[i], &rates));
  }
  return weighted;
}

}  // namespace camber::figures::internal
