#pragma once

// A step of an explicit Runge-Kutta method on the manifold of the positions, for numbers and for
// lanes: FixedStepper's own, and that of vehicles in lanes. docs/theory/simulation.md, section 5.
//
// [Munthe-Kaas 1999] H. Munthe-Kaas, High order Runge-Kutta methods on manifolds, Applied Numerical
// Mathematics 29. Within a step q = q0 (+) xi, and xi, v follow an ordinary differential equation in
// a linear space:
//   xi' = v + [xi, v]/2 + [xi, [xi, v]]/12,  v' = a(t, q0 (+) xi, v)                (1)
// to which Runge-Kutta methods apply unchanged. In both of ours a stage needs only the previous
// one, and x_i = x0 + c_i h k_(i-1) for each; their sums give the step. (2)

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "camber/integrate/coordinates.h"

namespace camber::integrate::internal {

struct Tableau {
  std::span<const double> nodes, weights;
};

inline constexpr std::array kMidpointNodes = {0.0, 0.5};
inline constexpr std::array kMidpointWeights = {0.0, 1.0};
inline constexpr std::array kKuttaNodes = {0.0, 0.5, 0.5, 1.0};  // [Kutta 1901]
inline constexpr std::array kKuttaWeights = {1. / 6, 1. / 3, 1. / 3, 1. / 6};

inline constexpr Tableau kMidpointRule = {kMidpointNodes, kMidpointWeights};
inline constexpr Tableau kKuttaRule = {kKuttaNodes, kKuttaWeights};

template <class T>
struct StepPoint {
  std::vector<T> q, v, v_dot;

  void resize(std::size_t nq, std::size_t nv) {
    q.resize(nq, T(NAN));
    v.resize(nv, T(NAN));
    v_dot.resize(nv, T(NAN));
  }
};

/// Memory of a step.
template <class T>
struct StepWork {
  StepPoint<T> stage;
  // Increment since the start of the step, its rate, and the weighted sums of rates.
  std::vector<T> xi, xi_dot, xi_sum, v_sum;

  void resize(std::size_t nq, std::size_t nv) {
    stage.resize(nq, nv);
    for (auto* scratch : {&xi, &xi_dot, &xi_sum, &v_sum}) scratch->resize(nv, T(NAN));
  }
};

/// y <- x + s k.
template <class T>
void add_scaled(const std::vector<T>& x, const T& s, const std::vector<T>& k, std::vector<T>* y) {
  for (std::size_t i = 0; i < x.size(); ++i) (*y)[i] = x[i] + s * k[i];
}

inline void advance(const Coordinates& c, const std::vector<double>& q,
                    const std::vector<double>& xi, std::vector<double>* out) {
  c.advance(q, xi, *out);
}
inline void calc_increment_rate(const Coordinates& c, const std::vector<double>& xi,
                                const std::vector<double>& v, std::vector<double>* xi_dot) {
  c.calc_increment_rate(xi, v, *xi_dot);
}
template <int N>
void advance(const Coordinates& c, const std::vector<math::Lanes<N>>& q,
             const std::vector<math::Lanes<N>>& xi, std::vector<math::Lanes<N>>* out) {
  c.advance(q, xi, out);
}
template <int N>
void calc_increment_rate(const Coordinates& c, const std::vector<math::Lanes<N>>& xi,
                         const std::vector<math::Lanes<N>>& v,
                         std::vector<math::Lanes<N>>* xi_dot) {
  c.calc_increment_rate(xi, v, xi_dot);
}

/// `calc(part, point)` fills point's v_dot at the time `part` after the start of the step; false
/// ends the step. `begin` has q and v.
template <class T, class Calc>
bool step_runge_kutta(const Tableau& method, const T& h, const Coordinates& coordinates,
                      const Calc& calc, StepPoint<T>* begin, StepWork<T>* work, StepPoint<T>* end) {
  if (!calc(T(0), begin)) return false;
  const std::span<const double> nodes = method.nodes, weights = method.weights;
  StepPoint<T>& stage = work->stage;
  const std::size_t n = work->v_sum.size();
  for (std::size_t i = 0; i < n; ++i) {
    work->xi_sum[i] = weights[0] * begin->v[i];
    work->v_sum[i] = weights[0] * begin->v_dot[i];
  }
  for (std::size_t k = 1; k < nodes.size(); ++k) {  // (2)
    const T part = nodes[k] * h;
    const std::vector<T>& rates = k == 1 ? begin->v : work->xi_dot;
    for (std::size_t i = 0; i < n; ++i) work->xi[i] = part * rates[i];
    add_scaled(begin->v, part, k == 1 ? begin->v_dot : stage.v_dot, &stage.v);
    advance(coordinates, begin->q, work->xi, &stage.q);
    if (!calc(part, &stage)) return false;  // (1)
    calc_increment_rate(coordinates, work->xi, stage.v, &work->xi_dot);
    for (std::size_t i = 0; i < n; ++i) {
      work->xi_sum[i] += weights[k] * work->xi_dot[i];
      work->v_sum[i] += weights[k] * stage.v_dot[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) work->xi[i] = h * work->xi_sum[i];
  advance(coordinates, begin->q, work->xi, &end->q);
  add_scaled(begin->v, h, work->v_sum, &end->v);
  return true;
}

/// Speeds first, then positions with the new speeds.
template <class T, class Calc>
bool step_semi_implicit_euler(const T& h, const Coordinates& coordinates, const Calc& calc,
                              StepPoint<T>* begin, StepWork<T>* work, StepPoint<T>* end) {
  if (!calc(T(0), begin)) return false;
  add_scaled(begin->v, h, begin->v_dot, &end->v);
  for (std::size_t i = 0; i < work->xi.size(); ++i) work->xi[i] = h * end->v[i];
  advance(coordinates, begin->q, work->xi, &end->q);
  return true;
}

}  // namespace camber::integrate::internal
