// Whether an expression is zero cannot be decided in general [Richardson 1968]; whether it is zero
// at a random point can, and an analytic function that is not zero everywhere is zero almost
// nowhere. That is Schwartz's and Zippel's test for polynomials, here in floating point: only sums
// cancel, so each sum knows how large its terms were and is set to exactly 0 when they cancel.
#include "camber/symbolic/probe.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/symbolic/apply.h"
#include "camber/symbolic/matrix.h"
#include "camber/symbolic/traverse.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic::internal {
namespace {

constexpr int kAttempts = 100;

/// The value of a leaf in an attempt: made from its name, so that it does not depend on what else
/// is probed. In (0.1, 0.9) at first, where most functions have values; then of any sign and size
/// up to 1000.
double draw(const Expr& leaf, int attempt) {
  const int number = leaf.kind() == Kind::kVariable ? 1 + leaf.order() : 0;
  RandomStream random = RandomStream(static_cast<std::uint64_t>(attempt))
                            .substream(leaf.name(), static_cast<std::uint64_t>(number));
  if (attempt < kAttempts / 4) {
    return random.uniform(0.1, 0.9);
  }
  const double size = std::pow(10.0, random.uniform(-1.0, 3.0));
  return random.uniform() < 0.5 ? size : -size;
}

/// Evaluates at one point, children before parents. Conditions are 1 or 0.
class Evaluator {
 public:
  explicit Evaluator(int attempt) : attempt_(attempt) {}
  Evaluator(const std::unordered_map<Expr, double>& given, double cancelled)
      : given_(&given), cancelled_(cancelled) {}

  /// The value; not finite if the expression has none.
  double operator()(const Expr& e) {
    post_order(
        e, &stack_, [this](const Expr& x) { return values_.contains(x); },
        [](const Expr& x, const auto& f) { for_each_child(x, f); },
        [this](const Expr& x) { values_.insert(x, evaluate(x)); });
    return values_.at(e);
  }

 private:
  double evaluate(const Expr& e) const {
    switch (e.kind()) {
      case Kind::kNumber:
        return e.number().to_double();
      case Kind::kSymbol:
      case Kind::kVariable:
        return given_ != nullptr ? find_given(e) : draw(e, attempt_);
      case Kind::kNamed:
        return values_.at(e.definition());
      case Kind::kSum:
        return evaluate_sum(e);
      case Kind::kProduct:
        return evaluate_product(e);
      case Kind::kCall:
        return evaluate_call(e);
      default:
        return is_condition(e.kind()) ? evaluate_condition(e) : evaluate_function(e);
    }
  }

  double evaluate_sum(const Expr& e) const {
    double total = e.constant().to_double();
    double largest = std::abs(total);
    for (const Term& t : e.terms()) {
      const double summand = t.coefficient.to_double() * values_.at(t.term);
      total += summand;
      largest = std::max(largest, std::abs(summand));
    }
    return std::abs(total) <= cancelled_ * largest ? 0.0 : total;
  }

  double evaluate_product(const Expr& e) const {
    double result = 1;
    for (const Factor& factor : e.factors()) {
      result *= std::pow(values_.at(factor.base), values_.at(factor.exponent));
    }
    return result;
  }

  double evaluate_call(const Expr& e) const {
    std::vector<double> arguments;
    for (const Expr& argument : e.arguments()) {
      arguments.push_back(values_.at(argument));
    }
    return e.function().evaluate(arguments, e.derivative_orders());
  }

  double evaluate_function(const Expr& e) const {
    const auto arguments = e.arguments();
    switch (arguments.size()) {
      case 1:
        return apply_function(e.kind(), values_.at(arguments[0]));
      case 2:
        return apply_function(e.kind(), values_.at(arguments[0]), values_.at(arguments[1]));
      default:
        assert(e.kind() == Kind::kSelect);
        return values_.at(arguments[values_.at(arguments[0]) != 0 ? 1 : 2]);
    }
  }

  double evaluate_condition(const Expr& e) const {
    const auto arguments = e.arguments();
    const auto at = [&](std::size_t i) { return values_.at(arguments[i]); };
    switch (e.kind()) {
      case Kind::kTrue:
        return 1;
      case Kind::kLess:
        return at(0) < at(1);
      case Kind::kLessEqual:
        return at(0) <= at(1);
      case Kind::kEqual:
        return at(0) == at(1);
      case Kind::kNot:
        return at(0) == 0;
      case Kind::kAnd:
        return std::ranges::all_of(arguments, [&](const Expr& a) { return values_.at(a) != 0; });
      case Kind::kOr:
        return std::ranges::any_of(arguments, [&](const Expr& a) { return values_.at(a) != 0; });
      default:
        return 0;
    }
  }

  double find_given(const Expr& leaf) const {
    const auto found = given_->find(leaf);
    return found == given_->end() ? std::nan("") : found->second;
  }

  int attempt_ = 0;
  const std::unordered_map<Expr, double>* given_ = nullptr;  // instead of random values
  double cancelled_ = kCancelled;
  NodeMap<double> values_;
  std::vector<Expr> stack_;
};

}  // namespace

bool is_zero(const Probed& probed) {
  return std::ranges::all_of(probed, [](double value) { return value == 0; });
}

double evaluate_cancelling(const Expr& e, const std::unordered_map<Expr, double>& values,
                           double cancelled) {
  return Evaluator(values, cancelled)(e);
}

std::optional<std::vector<Probed>> probe(std::span<const Expr> expressions) {
  std::vector<Probed> probed(expressions.size());
  std::size_t points = 0;
  for (int attempt = 0; attempt < kAttempts && points < kProbePoints; ++attempt) {
    Evaluator evaluate(attempt);
    bool finite = true;
    for (std::size_t i = 0; i < expressions.size() && finite; ++i) {
      probed[i][points] = evaluate(expressions[i]);
      finite = std::isfinite(probed[i][points]);
    }
    points += finite ? 1 : 0;
  }
  if (points < kProbePoints) {
    return std::nullopt;
  }
  return probed;
}

namespace {

/// The first row that depends, at one point, on rows above it, and these rows.
std::vector<int> find_dependent_rows(const Eigen::MatrixXd& A) {
  Eigen::MatrixXd columns = A.transpose();
  for (auto column : columns.colwise()) {
    column.normalize();
  }
  if (math::order_columns(columns, kCancelled).rank == A.rows()) {
    return {};
  }
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const Eigen::VectorXd row = A.row(i);
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(i);
    if (i > 0) {
      weights = math::solve_transposed_with_full_pivoting(A.topRows(i), row);
    }
    const Eigen::VectorXd rest = row - A.topRows(i).transpose() * weights;
    if (rest.norm() > kCancelled * row.norm()) {
      continue;
    }
    std::vector<int> rows;
    for (Eigen::Index j = 0; j < i; ++j) {
      if (A.row(j).norm() * std::abs(weights(j)) > kCancelled * row.norm()) {
        rows.push_back(static_cast<int>(j));
      }
    }
    rows.push_back(static_cast<int>(i));
    return rows;
  }
  return {};
}

}  // namespace

std::vector<int> find_dependent_rows(std::span<const Probed> entries, int columns) {
  require(columns > 0 ? entries.size() % static_cast<std::size_t>(columns) == 0 : entries.empty(),
          "find_dependent_rows: ", entries.size(), " entries do not make rows of ", columns);
  std::vector<int> rows;
  for (std::size_t p = 0; p < kProbePoints && !entries.empty(); ++p) {
    Eigen::MatrixXd A(static_cast<Eigen::Index>(entries.size()) / columns, columns);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      A(static_cast<Eigen::Index>(i) / columns, static_cast<Eigen::Index>(i) % columns) =
          entries[i][p];
    }
    rows = find_dependent_rows(A);
    if (rows.empty()) {
      break;
    }
  }
  return rows;
}

}  // namespace camber::symbolic::internal
