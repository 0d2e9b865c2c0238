#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "camber/symbolic/user_function.h"

namespace camber::symbolic {

/// Piecewise polynomials through given values on a grid of one or two arguments.
///
/// Cubic: [Fritsch, Butland 1984] slopes, so the first derivative is continuous and a monotone run
/// of values stays monotone; on two axes the bicubic Hermite patch with these slopes along each
/// axis. Outside the grid the value at the nearest edge holds.
class TableFunction final : public UserFunction {
 public:
  /// A cell's polynomial has powers 0 ... 3 along each axis.
  static constexpr std::size_t kPowers = 4;

  /// One grid per argument; values with the last argument running fastest.
  TableFunction(std::string name, std::vector<std::vector<double>> grids,
                std::vector<double> values, Interpolation interpolation);

  double evaluate(std::span<const double> arguments, std::span<const int> orders) const override;
  bool vanishes(std::span<const int> orders) const override;

  std::span<const double> grid(int axis) const { return grids_[static_cast<std::size_t>(axis)]; }
  std::span<const double> values() const { return values_; }
  Interpolation interpolation() const { return interpolation_; }
  /// Cell by cell, the last axis fastest; within a cell the coefficient of u^a or of u^a v^b at [a]
  /// or [4 a + b], where u = x - (lower grid point).
  std::span<const double> coefficients() const { return coefficients_; }

 private:
  void fit_curve();
  void fit_surface();

  std::vector<std::vector<double>> grids_;
  std::vector<double> values_;
  Interpolation interpolation_;
  std::vector<double> coefficients_;
};

/// Code that generated programs call by name.
class CodeFunction final : public UserFunction {
 public:
  CodeFunction(std::string name, int arity, int max_order, CodeEvaluator evaluate);
  double evaluate(std::span<const double> arguments, std::span<const int> orders) const override;
  /// Always false. Throws std::domain_error if the code does not provide this order of derivative.
  bool vanishes(std::span<const int> orders) const override;

 private:
  int max_order_;
  CodeEvaluator evaluate_;
};

}  // namespace camber::symbolic
