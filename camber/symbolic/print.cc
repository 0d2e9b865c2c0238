#include "camber/symbolic/print.h"

#include <ostream>
#include <unordered_set>
#include <utility>

#include "camber/symbolic/text_builder.h"
#include "camber/symbolic/text_layout.h"

namespace camber::symbolic {
namespace {

using internal::Fraction;
using internal::TextBuilder;

std::string number_text(const Number& value) {
  std::string text = value.to_string();
  // 2^53 + 2 as a double has no point and no exponent in its shortest form; without them it would
  // read back as an exact integer.
  if (!value.is_exact() && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

Precedence number_precedence(const Number& value) {
  if (value.sign() < 0) return Precedence::kSum;
  return value.is_exact() && !value.is_integer() ? Precedence::kProduct : Precedence::kAtom;
}

Precedence product_precedence(const Expr& e) {
  if (e.factors().size() > 1) return Precedence::kProduct;
  const Factor factor = e.factors()[0];
  if (internal::make_fraction(1, e).has_line()) return Precedence::kProduct;
  return internal::is_square_root(factor) ? Precedence::kAtom : Precedence::kPower;
}

Precedence text_precedence(const Expr& e) {
  switch (e.kind()) {
    case Kind::kNumber:
      return number_precedence(e.number());
    case Kind::kSum:
      return internal::sum_precedence(e);
    case Kind::kProduct:
      return product_precedence(e);
    default:
      return internal::condition_precedence(e);
  }
}

/// Powers group from the right and allow a sign after the ^: x^y^z, x^-y; a sign extends over one
/// power only.
bool needs_parentheses_as_exponent(const Expr& e) {
  if (e.is_number()) return e.number().is_exact() && !e.number().is_integer();
  if (e.kind() == Kind::kSum && internal::is_single_term(e)) {
    const Term term = e.terms()[0];
    return term.coefficient != Number(-1) || text_precedence(term.term) < Precedence::kPower;
  }
  return text_precedence(e) < Precedence::kPower;
}

void write_power(const Factor& factor, TextBuilder* out) {
  if (internal::is_square_root(factor)) {
    out->text("sqrt(");
    out->child(factor.base);
    out->text(")");
    return;
  }
  if (factor.exponent.is_one()) {
    out->child(factor.base, Precedence::kPower);
    return;
  }
  out->child(factor.base, Precedence::kAtom);
  out->text("^");
  const bool bare = !needs_parentheses_as_exponent(factor.exponent);
  out->child(factor.exponent, bare ? Precedence::kLowest : Precedence::kAtom);
}

/// number * factor * factor; the number 1 is left out where a factor follows.
void write_factors(const Number& number, const std::vector<Factor>& factors, TextBuilder* out) {
  bool first = true;
  if (!number.is_one() || factors.empty()) {
    out->text(number_text(number));
    first = false;
  }
  for (const Factor& factor : factors) {
    if (!std::exchange(first, false)) out->text("*");
    write_power(factor, out);
  }
}

/// m*v^2/2 rather than 1/2*m*v^2: the names come first, and one line divides all.
void write_fraction(const Fraction& fraction, TextBuilder* out) {
  write_factors(fraction.over, fraction.above, out);
  if (!fraction.has_line()) return;
  if (internal::needs_two_lines(fraction)) {
    out->text("/" + number_text(fraction.under) + "/");
    return write_power(fraction.below[0], out);
  }
  const std::size_t parts = fraction.below.size() + (fraction.under.is_one() ? 0 : 1);
  out->text(parts > 1 ? "/(" : "/");
  write_factors(fraction.under, fraction.below, out);
  if (parts > 1) out->text(")");
}

void write_list(const char* open, std::span<const Expr> items, const char* separator,
                const char* close, Precedence at_least, TextBuilder* out) {
  out->text(open);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out->text(separator);
    out->child(items[i], at_least);
  }
  out->text(close);
}

void write_call(const Expr& e, TextBuilder* out) {
  out->text(e.name());
  bool is_derivative = false;
  for (const int order : e.derivative_orders()) is_derivative |= order > 0;
  if (is_derivative) {
    std::string orders;
    for (const int order : e.derivative_orders()) {
      orders += (orders.empty() ? '[' : ',') + std::to_string(order);
    }
    out->text(orders + "]");
  }
  write_list("(", e.arguments(), ", ", ")", Precedence::kLowest, out);
}

void write_comparison(std::span<const Expr> sides, const char* sign, TextBuilder* out) {
  write_list("", sides, sign, "", Precedence::kSum, out);
}

/// `and` and `or` are read from the left, so only the right side needs parentheses around its like.
void write_chain(std::span<const Expr> sides, const char* word, Precedence left, Precedence right,
                 TextBuilder* out) {
  out->child(sides[0], left);
  out->text(word);
  out->child(sides[1], right);
}

void write_condition(const Expr& e, TextBuilder* out) {
  switch (e.kind()) {
    case Kind::kLess:
      return write_comparison(e.arguments(), " < ", out);
    case Kind::kLessEqual:
      return write_comparison(e.arguments(), " <= ", out);
    case Kind::kEqual:
      return write_comparison(internal::sides_of_equality(e), " == ", out);
    case Kind::kNot:
      if (internal::is_unequal(e)) {
        return write_comparison(internal::sides_of_equality(e.arguments()[0]), " != ", out);
      }
      return write_list("not ", e.arguments(), "", "", Precedence::kAtom, out);
    case Kind::kAnd:
      return write_chain(e.arguments(), " and ", Precedence::kAnd, Precedence::kNot, out);
    case Kind::kOr:
      return write_chain(e.arguments(), " or ", Precedence::kOr, Precedence::kAnd, out);
    default:
      return out->text(kind_name(e.kind()));  // true, false
  }
}

void write_node(const Expr& e, TextBuilder* out) {
  switch (e.kind()) {
    case Kind::kNumber:
      return out->text(number_text(e.number()));
    case Kind::kSymbol:
    case Kind::kNamed:
      return out->text(e.name());
    case Kind::kVariable:
      return out->text(std::string(e.name()) +
                       std::string(static_cast<std::size_t>(e.order()), '\''));
    case Kind::kSum:
      return internal::write_sum(e, internal::make_fraction, write_fraction, out);
    case Kind::kProduct:
      return write_fraction(internal::make_fraction(1, e), out);
    case Kind::kCall:
      return write_call(e, out);
    default:
      if (is_condition(e.kind())) return write_condition(e, out);
      out->text(kind_name(e.kind()));
      return write_list("(", internal::listed_arguments(e), ", ", ")", Precedence::kLowest, out);
  }
}

}  // namespace

std::string to_text(const Expr& e, std::size_t max_size) {
  return TextBuilder(max_size).build(e,
                                     [](const Expr& node, Precedence at_least, TextBuilder* out) {
                                       const bool parentheses = text_precedence(node) < at_least;
                                       if (parentheses) out->text("(");
                                       write_node(node, out);
                                       if (parentheses) out->text(")");
                                     });
}

std::vector<Expr> definitions_of(const Expr& e) {
  // Post-order on an explicit stack: a node is listed when it is met for the second time, after all
  // below it.
  std::vector<Expr> found;
  std::vector<std::pair<Expr, bool>> stack = {{e, false}};
  std::unordered_set<Expr> seen;
  while (!stack.empty()) {
    const auto [node, done] = stack.back();
    stack.pop_back();
    if (done) {
      found.push_back(node);
      continue;
    }
    if (!seen.insert(node).second) continue;
    if (node.kind() == Kind::kNamed) {
      stack.emplace_back(node, true);
      stack.emplace_back(node.definition(), false);
      continue;
    }
    const std::vector<Expr> below = children(node);
    for (auto child = below.rbegin(); child != below.rend(); ++child)
      stack.emplace_back(*child, false);
  }
  return found;
}

std::string Expr::to_string() const { return to_text(*this); }

std::ostream& operator<<(std::ostream& out, const Expr& e) { return out << e.to_string(); }
std::ostream& operator<<(std::ostream& out, const Condition& c) { return out << c.to_string(); }

}  // namespace camber::symbolic
