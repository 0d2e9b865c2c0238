#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

enum class Interpolation { kLinear, kCubic };

/// A function that is not built into the expression engine: measured values in a table, or code.
/// Registered once under a name, it lives until the process ends and is called like any other
/// function.
class UserFunction {
 public:
  virtual ~UserFunction() = default;
  std::string_view name() const { return name_; }
  int arity() const { return arity_; }
  /// The function, or the partial derivative with orders[i] differentiations by argument i.
  virtual double evaluate(std::span<const double> arguments, std::span<const int> orders) const = 0;
  /// Whether that derivative is zero everywhere, so that it need not be evaluated.
  virtual bool vanishes(std::span<const int> orders) const = 0;
  Expr operator()(std::span<const Expr> arguments) const { return call(*this, arguments); }
  Expr operator()(const Expr& x) const { return call(*this, std::span(&x, 1)); }
  Expr operator()(const Expr& x, const Expr& y) const {
    const Expr both[] = {x, y};
    return call(*this, both);
  }

 protected:
  UserFunction(std::string name, int arity) : name_(std::move(name)), arity_(arity) {}

 private:
  std::string name_;
  int arity_;
};

/// A table: piecewise polynomials through values on a grid (table_function.h says how). Grid values
/// must increase; values.size() == x.size(). A second registration of the same name with the same
/// data returns the first; with different data it throws std::invalid_argument.
const UserFunction& register_table(std::string_view name, std::vector<double> x,
                                   std::vector<double> values, Interpolation interpolation);
/// values[i * y.size() + j] belongs to (x[i], y[j]).
const UserFunction& register_table(std::string_view name, std::vector<double> x,
                                   std::vector<double> y, std::vector<double> values,
                                   Interpolation interpolation);
/// Code: called by name in generated programs, through `evaluate` when interpreted.
/// `evaluate(arguments, orders)` gives the function and its partial derivatives up to `max_order`;
/// asking for more throws std::domain_error when the derivative is taken. Generated code calls
/// NAME(x, y) for the function and NAME_d10(x, y) for a derivative, to be linked by the user.
using CodeEvaluator = std::function<double(std::span<const double>, std::span<const int>)>;
const UserFunction& register_code(std::string_view name, int arity, int max_order,
                                  CodeEvaluator evaluate);
/// The registered function, or nullptr.
const UserFunction* find_user_function(std::string_view name);

}  // namespace camber::symbolic
