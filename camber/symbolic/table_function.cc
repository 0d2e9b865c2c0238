#include "camber/symbolic/table_function.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "camber/core/require.h"

namespace camber::symbolic {

namespace {

/// [Fritsch, Butland 1984]: the weighted harmonic mean of the neighboring secants, zero where they
/// change sign; at the ends a three-point slope, limited likewise.
std::vector<double> monotone_slopes(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  std::vector<double> h(n - 1);
  std::vector<double> secant(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    secant[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (n == 2) return {secant[0], secant[0]};
  std::vector<double> slope(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (secant[i - 1] * secant[i] <= 0) continue;
    const double w1 = 2 * h[i] + h[i - 1];
    const double w2 = h[i] + 2 * h[i - 1];
    slope[i] = (w1 + w2) / (w1 / secant[i - 1] + w2 / secant[i]);
  }
  const auto end_slope = [](double h0, double h1, double s0, double s1) {
    const double s = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if (s * s0 <= 0) return 0.0;
    if (s0 * s1 <= 0 && std::abs(s) > 3 * std::abs(s0)) return 3 * s0;
    return s;
  };
  slope[0] = end_slope(h[0], h[1], secant[0], secant[1]);
  slope[n - 1] = end_slope(h[n - 2], h[n - 3], secant[n - 2], secant[n - 3]);
  return slope;
}

using Cubic = std::array<double, TableFunction::kPowers>;

/// The cubic in u = x - x0 with these end values and slopes, h apart.
Cubic hermite(double h, double y0, double y1, double m0, double m1) {
  const double secant = (y1 - y0) / h;
  return {y0, m0, (3 * secant - 2 * m0 - m1) / h, (m0 + m1 - 2 * secant) / (h * h)};
}

Cubic line(double h, double y0, double y1) { return {y0, (y1 - y0) / h, 0.0, 0.0}; }

struct Cell {
  std::size_t index = 0;
  double u = 0;       // from its lower end
  bool held = false;  // outside the grid
};

Cell find_cell(std::span<const double> grid, double x) {
  const double inside = std::clamp(x, grid.front(), grid.back());
  const auto above = std::upper_bound(grid.begin() + 1, grid.end() - 1, inside);
  const auto index = static_cast<std::size_t>(above - grid.begin()) - 1;
  return {index, inside - grid[index], inside != x};
}

/// u^a differentiated `order` times.
double power_derivative(double u, int a, int order) {
  if (order > a) return 0;
  double factor = 1;
  for (int k = 0; k < order; ++k) factor *= a - k;
  return factor * std::pow(u, a - order);
}

}  // namespace

TableFunction::TableFunction(std::string name, std::vector<std::vector<double>> grids,
                             std::vector<double> values, Interpolation interpolation)
    : UserFunction(std::move(name), static_cast<int>(grids.size())),
      grids_(std::move(grids)),
      values_(std::move(values)),
      interpolation_(interpolation) {
  const auto finite = [](double x) { return std::isfinite(x); };
  std::size_t expected = 1;
  for (std::size_t axis = 0; axis < grids_.size(); ++axis) {
    const auto& grid = grids_[axis];
    require(grid.size() >= 2, "table \"", this->name(), "\": axis ", axis,
            " needs at least 2 grid points, got ", grid.size());
    require(std::ranges::all_of(grid, finite), "table \"", this->name(), "\": axis ", axis,
            " has a value that is not finite");
    for (std::size_t i = 1; i < grid.size(); ++i) {
      require(grid[i - 1] < grid[i], "table \"", this->name(), "\": axis ", axis,
              " must increase, got ", grid[i - 1], " before ", grid[i]);
    }
    expected *= grid.size();
  }
  require(values_.size() == expected, "table \"", this->name(), "\": the grid needs ", expected,
          " values, got ", values_.size());
  require(std::ranges::all_of(values_, finite), "table \"", this->name(),
          "\": a value is not finite");
  if (arity() == 1) {
    fit_curve();
  } else {
    fit_surface();
  }
}

void TableFunction::fit_curve() {
  const auto& x = grids_[0];
  const std::vector<double> slope = monotone_slopes(x, values_);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i];
    const Cubic c = interpolation_ == Interpolation::kLinear
                        ? line(h, values_[i], values_[i + 1])
                        : hermite(h, values_[i], values_[i + 1], slope[i], slope[i + 1]);
    coefficients_.insert(coefficients_.end(), c.begin(), c.end());
  }
}

void TableFunction::fit_surface() {
  const auto& x = grids_[0];
  const auto& y = grids_[1];
  const std::size_t nx = x.size();
  const std::size_t ny = y.size();
  const auto at = [ny](std::size_t i, std::size_t j) { return i * ny + j; };
  const auto slopes_along_y = [&](const std::vector<double>& f) {
    std::vector<double> result;
    for (std::size_t i = 0; i < nx; ++i) {
      const auto row = monotone_slopes(y, std::span(f).subspan(i * ny, ny));
      result.insert(result.end(), row.begin(), row.end());
    }
    return result;
  };
  std::vector<double> f_x(nx * ny);
  for (std::size_t j = 0; j < ny; ++j) {
    std::vector<double> column(nx);
    for (std::size_t i = 0; i < nx; ++i) column[i] = values_[at(i, j)];
    const auto slope = monotone_slopes(x, column);
    for (std::size_t i = 0; i < nx; ++i) f_x[at(i, j)] = slope[i];
  }
  const std::vector<double> f_y = slopes_along_y(values_);
  const std::vector<double> f_xy = slopes_along_y(f_x);

  const bool linear = interpolation_ == Interpolation::kLinear;
  for (std::size_t i = 0; i + 1 < nx; ++i) {
    for (std::size_t j = 0; j + 1 < ny; ++j) {
      const double hx = x[i + 1] - x[i];
      const double hy = y[j + 1] - y[j];
      // Along y on both x-edges of the cell, for the value and its x-slope; then along x, power by
      // power of v.
      const auto along_y = [&](const std::vector<double>& f, const std::vector<double>& f_v,
                               std::size_t row) {
        return linear ? line(hy, f[at(row, j)], f[at(row, j + 1)])
                      : hermite(hy, f[at(row, j)], f[at(row, j + 1)], f_v[at(row, j)],
                                f_v[at(row, j + 1)]);
      };
      const Cubic value0 = along_y(values_, f_y, i);
      const Cubic value1 = along_y(values_, f_y, i + 1);
      const Cubic slope0 = along_y(f_x, f_xy, i);
      const Cubic slope1 = along_y(f_x, f_xy, i + 1);
      std::array<double, kPowers * kPowers> cell{};
      for (std::size_t b = 0; b < kPowers; ++b) {
        const Cubic in_u = linear ? line(hx, value0[b], value1[b])
                                  : hermite(hx, value0[b], value1[b], slope0[b], slope1[b]);
        for (std::size_t a = 0; a < kPowers; ++a) cell[kPowers * a + b] = in_u[a];
      }
      coefficients_.insert(coefficients_.end(), cell.begin(), cell.end());
    }
  }
}

double TableFunction::evaluate(std::span<const double> arguments,
                               std::span<const int> orders) const {
  if (std::ranges::any_of(arguments, [](double x) { return std::isnan(x); })) return NAN;
  const Cell cx = find_cell(grids_[0], arguments[0]);
  if (cx.held && orders[0] > 0) return 0;
  if (arity() == 1) {
    const auto c = std::span(coefficients_).subspan(kPowers * cx.index, kPowers);
    double value = 0;
    for (std::size_t a = 0; a < kPowers; ++a)
      value += c[a] * power_derivative(cx.u, static_cast<int>(a), orders[0]);
    return value;
  }
  const Cell cy = find_cell(grids_[1], arguments[1]);
  if (cy.held && orders[1] > 0) return 0;
  const std::size_t cell = cx.index * (grids_[1].size() - 1) + cy.index;
  const auto c = std::span(coefficients_).subspan(kPowers * kPowers * cell, kPowers * kPowers);
  double value = 0;
  for (std::size_t a = 0; a < kPowers; ++a) {
    double row = 0;
    for (std::size_t b = 0; b < kPowers; ++b) {
      row += c[kPowers * a + b] * power_derivative(cy.u, static_cast<int>(b), orders[1]);
    }
    value += row * power_derivative(cx.u, static_cast<int>(a), orders[0]);
  }
  return value;
}

bool TableFunction::vanishes(std::span<const int> orders) const {
  const int degree = interpolation_ == Interpolation::kLinear ? 1 : 3;
  return std::ranges::any_of(orders, [degree](int order) { return order > degree; });
}

CodeFunction::CodeFunction(std::string name, int arity, int max_order, CodeEvaluator evaluate)
    : UserFunction(std::move(name), arity), max_order_(max_order), evaluate_(std::move(evaluate)) {
  require(arity >= 1, "function \"", this->name(), "\": needs at least one argument, got ", arity);
  require(max_order >= 0, "function \"", this->name(),
          "\": the highest derivative is not negative, got ", max_order);
  require(static_cast<bool>(evaluate_), "function \"", this->name(),
          "\": needs code to evaluate it");
}

double CodeFunction::evaluate(std::span<const double> arguments,
                              std::span<const int> orders) const {
  return evaluate_(arguments, orders);
}

bool CodeFunction::vanishes(std::span<const int> orders) const {
  const int order = std::accumulate(orders.begin(), orders.end(), 0);
  if (order > max_order_) {
    throw std::domain_error("function \"" + std::string(name()) + "\": derivative of order " +
                            std::to_string(order) + " asked for, its code gives up to " +
                            std::to_string(max_order_));
  }
  return false;
}

}  // namespace camber::symbolic
