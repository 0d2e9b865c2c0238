#include "camber/integrate/jacobian_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "camber/core/require.h"

namespace camber::integrate {
namespace {

// The optimum of rounding against truncation, h ~ eps^(1/5), is flat; a smaller h is safer for
// strongly curved functions.
constexpr double kStep = 3e-4;
constexpr double kFloor = 1e-6;  // fraction of a row's largest change

using Function = std::function<bool(std::span<const double> x, std::span<double> f)>;
using Name = std::function<std::string(int)>;

/// J against quotients of f at x, with scales of x.
double compare(const Function& f, std::span<const double> x, std::span<const double> J,
               const Name& name, std::string* where) {
  const std::size_t n = x.size();
  std::vector<double> at(x.begin(), x.end()), quotients(n * n), value(n), scale(n);
  std::vector<double> row_size(n);
  const auto evaluate = [&](std::span<double> out) {
    require(f(at, out), "check_jacobian: the function has no value near x");
  };
  evaluate(row_size);
  std::ranges::transform(row_size, row_size.begin(), [](double r) { return std::abs(r); });
  for (std::size_t j = 0; j < n; ++j) {
    scale[j] = std::max(1.0, std::abs(x[j]));
    const double h = kStep * scale[j];
    const auto column = std::span(quotients).subspan(j * n, n);
    // (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h
    for (const auto& [steps, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
      at[j] = x[j] + steps * h;
      evaluate(value);
      for (std::size_t i = 0; i < n; ++i) {
        column[i] += weight * value[i] / (12 * h);
      }
    }
    at[j] = x[j];
    for (std::size_t i = 0; i < n; ++i) {
      row_size[i] = std::max(row_size[i], std::abs(column[i]) * scale[j]);
    }
  }
  double worst = -1;
  std::size_t worst_row = 0, worst_column = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const double quotient = quotients[j * n + i];
      const double size = std::abs(quotient) + kFloor * row_size[i] / scale[j];
      const double difference = std::abs(J[j * n + i] - quotient);
      double error = difference == 0 ? 0 : difference / size;
      error = std::isnan(error) ? INFINITY : error;
      if (error > worst) {
        worst = error;
        worst_row = i;
        worst_column = j;
      }
    }
  }
  if (where != nullptr) {
    *where = concat("row ", worst_row, ", derivative by ", name(static_cast<int>(worst_column)),
                    ": ", J[worst_column * n + worst_row], " given, ",
                    quotients[worst_column * n + worst_row], " by differences");
  }
  return worst;
}

}  // namespace

double check_jacobian(const Ode& ode, double t, std::span<const double> x, std::string* where) {
  check(ode, "check_jacobian");
  require(static_cast<bool>(ode.jacobian), "check_jacobian: there is no Jacobian");
  require(x.size() == static_cast<std::size_t>(ode.size), "check_jacobian: x has ", x.size(),
          " entries, needs ", ode.size);
  std::vector<double> J(x.size() * x.size());
  require(ode.jacobian(t, x, J), "check_jacobian: the Jacobian has no value at x");
  return compare([&](std::span<const double> at, std::span<double> f) { return ode.f(t, at, f); },
                 x, J, [&](int i) { return component_name(ode, i); }, where);
}

double check_jacobian(const Dae& dae, double t, std::span<const double> y,
                      std::span<const double> y_dot, double c, std::string* where) {
  check(dae, "check_jacobian");
  require(static_cast<bool>(dae.jacobian), "check_jacobian: there is no Jacobian");
  const auto n = static_cast<std::size_t>(dae.size);
  require(y.size() == n && y_dot.size() == n, "check_jacobian: y has ", y.size(),
          " entries and y_dot ", y_dot.size(), ", need ", n);
  std::vector<double> J(n * n), rate(n);
  require(dae.jacobian(t, y, y_dot, c, J), "check_jacobian: the Jacobian has no value at y");
  // As in an implicit method, y' changes by c times the change of y.
  return compare(
      [&](std::span<const double> at, std::span<double> F) {
        for (std::size_t i = 0; i < n; ++i) {
          rate[i] = y_dot[i] + c * (at[i] - y[i]);
        }
        return dae.F(t, at, rate, F);
      },
      y, J, [&](int i) { return dae.names.empty() ? concat("y[", i, "]") : dae.names[i]; }, where);
}

}  // namespace camber::integrate
