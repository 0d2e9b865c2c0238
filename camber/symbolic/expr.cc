#include "camber/symbolic/expr.h"

#include <cassert>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/symbolic/pool.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kNumber:
      return "number";
    case Kind::kSymbol:
      return "symbol";
    case Kind::kVariable:
      return "variable";
    case Kind::kNamed:
      return "named quantity";
    case Kind::kSum:
      return "sum";
    case Kind::kProduct:
      return "product";
    case Kind::kExp:
      return "exp";
    case Kind::kLog:
      return "log";
    case Kind::kSin:
      return "sin";
    case Kind::kCos:
      return "cos";
    case Kind::kTan:
      return "tan";
    case Kind::kAsin:
      return "asin";
    case Kind::kAcos:
      return "acos";
    case Kind::kAtan:
      return "atan";
    case Kind::kSinh:
      return "sinh";
    case Kind::kCosh:
      return "cosh";
    case Kind::kTanh:
      return "tanh";
    case Kind::kAbs:
      return "abs";
    case Kind::kSign:
      return "sign";
    case Kind::kAtan2:
      return "atan2";
    case Kind::kMin:
      return "min";
    case Kind::kMax:
      return "max";
    case Kind::kSelect:
      return "select";
    case Kind::kCall:
      return "call";
    case Kind::kTrue:
      return "true";
    case Kind::kFalse:
      return "false";
    case Kind::kLess:
      return "<";
    case Kind::kLessEqual:
      return "<=";
    case Kind::kEqual:
      return "==";
    case Kind::kNot:
      return "not";
    case Kind::kAnd:
      return "and";
    case Kind::kOr:
      return "or";
  }
  return "?";
}

Expr::Expr() : node_(internal::common_numbers()[0]) {}

Expr::Expr(double value) : Expr(Number::from_double(value)) {}

Expr::Expr(const Number& value) {
  constexpr std::int64_t kLargest = internal::CommonNumbers::kLargest;
  const bool common =
      value.fits_int64() && value.as_int64() >= -kLargest && value.as_int64() <= kLargest;
  node_ =
      common ? internal::common_numbers()[value.as_int64()] : internal::intern_number(value).node();
}

const Number& Expr::number() const {
  assert(kind() == Kind::kNumber);
  return node_->number();
}

std::string_view Expr::name() const {
  if (kind() == Kind::kCall) return function().name();
  if (is_leaf() || kind() == Kind::kNamed) return internal::name_and_order(*node_).name;
  return {};
}

int Expr::order() const {
  return kind() == Kind::kVariable ? internal::name_and_order(*node_).order : 0;
}

Expr Expr::definition() const {
  assert(kind() == Kind::kNamed);
  return node_->args()[0];
}

const Number& Expr::constant() const {
  assert(kind() == Kind::kSum);
  return node_->args()[0].number();
}

Terms Expr::terms() const {
  return kind() == Kind::kSum ? Terms(node_->args() + 1, node_->size / 2) : Terms();
}

Factors Expr::factors() const {
  return kind() == Kind::kProduct ? Factors(node_->args(), node_->size / 2) : Factors();
}

std::span<const Expr> Expr::arguments() const {
  return kind() >= Kind::kExp ? std::span(node_->args(), node_->size) : std::span<const Expr>();
}

const UserFunction& Expr::function() const {
  assert(kind() == Kind::kCall);
  return *internal::call_target(*node_).function;
}

std::span<const int> Expr::derivative_orders() const {
  return kind() == Kind::kCall ? internal::call_target(*node_).orders : std::span<const int>();
}

std::span<const Expr> Expr::leaves() const { return node_->leaves->leaves; }
bool Expr::depends_on(const Expr& leaf) const { return node_->leaves->contains(leaf.node()); }
bool Expr::depends_on_time() const { return node_->leaves->has_variable; }

namespace internal {
template <>
Term PairView<Term>::Iterator::operator*() const {
  return {at_[0], at_[1].number()};
}
template <>
Factor PairView<Factor>::Iterator::operator*() const {
  return {at_[0], at_[1]};
}
}  // namespace internal

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

void check_name(std::string_view name) {
  bool good = !name.empty() && is_letter(name.front());
  for (const char c : name) good = good && (is_letter(c) || (c >= '0' && c <= '9') || c == '.');
  require(good, "a name is a letter or '_', then letters, digits, '_' or '.'; got \"", name, "\"");
}

}  // namespace

Expr symbol(std::string_view name) {
  check_name(name);
  return internal::intern_name(Kind::kSymbol, name, 0, {});
}

Expr variable(std::string_view name, int order) {
  check_name(name);
  require(order >= 0 && order <= 1000, "variable \"", name,
          "\": the order of a derivative is 0 ... 1000, got ", order);
  return internal::intern_name(Kind::kVariable, name, order, {});
}

Expr named(std::string_view name, const Expr& definition) {
  check_name(name);
  if (definition.is_number() || definition.is_leaf()) return definition;
  require(!is_condition(definition.kind()), "named quantity \"", name,
          "\": a condition has no value to name");
  return internal::intern_name(Kind::kNamed, name, 0, std::span(&definition, 1));
}

Expr map_children(const Expr& original, const std::function<Expr(const Expr&)>& f) {
  switch (original.kind()) {
    case Kind::kNumber:
    case Kind::kSymbol:
    case Kind::kVariable:
      return original;
    case Kind::kNamed: {
      const Expr definition = f(original.definition());
      return definition == original.definition() ? original : named(original.name(), definition);
    }
    case Kind::kSum: {
      std::vector<Term> terms;
      bool changed = false;
      for (const auto& [term, coefficient] : original.terms()) {
        terms.push_back({f(term), coefficient});
        changed |= !(terms.back().term == term);
      }
      return changed ? linear_combination(original.constant(), terms) : original;
    }
    case Kind::kProduct: {
      std::vector<Expr> powers;
      bool changed = false;
      for (const auto& [base, exponent] : original.factors()) {
        const Expr new_base = f(base);
        const Expr new_exponent = f(exponent);
        changed |= !(new_base == base && new_exponent == exponent);
        powers.push_back(pow(new_base, new_exponent));
      }
      return changed ? product(powers) : original;
    }
    default: {
      std::vector<Expr> arguments;
      for (const Expr& argument : original.arguments()) arguments.push_back(f(argument));
      return std::equal(arguments.begin(), arguments.end(), original.arguments().begin())
                 ? original
                 : with_arguments(original, arguments);
    }
  }
}

std::vector<Expr> children(const Expr& e) {
  std::vector<Expr> result;
  switch (e.kind()) {
    case Kind::kNumber:
    case Kind::kSymbol:
    case Kind::kVariable:
      break;
    case Kind::kNamed:
      result.push_back(e.definition());
      break;
    case Kind::kSum:
      for (const auto& [term, coefficient] : e.terms()) result.push_back(term);
      break;
    case Kind::kProduct:
      for (const auto& [base, exponent] : e.factors()) {
        result.push_back(base);
        result.push_back(exponent);
      }
      break;
    default:
      result.assign(e.arguments().begin(), e.arguments().end());
      break;
  }
  return result;
}

}  // namespace camber::symbolic
