#include "camber/symbolic/latex.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/symbolic/precedence.h"
#include "camber/symbolic/text_builder.h"
#include "camber/symbolic/text_layout.h"

namespace camber::symbolic {
namespace {

using internal::Fraction;
using internal::TextBuilder;

/// A whole number, or a decimal with its power of ten. Neither fraction nor sign.
std::string number_text(const Number& value) {
  std::string text = value.to_string();
  const auto exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const bool negative = text[exponent + 1] == '-';
  const std::size_t digits = text.find_first_not_of("+-0", exponent + 1);  // 1e-07 is 10^{-7}
  return concat(text.substr(0, exponent), " \\cdot 10^{", negative ? "-" : "", text.substr(digits),
                "}");
}

Precedence number_precedence(const Number& value) {
  if (value.sign() < 0) return Precedence::kSum;
  const bool one_piece =
      value.is_exact() ? value.is_integer() : value.to_string().find('e') == std::string::npos;
  return one_piece ? Precedence::kAtom : Precedence::kProduct;
}

/// 1/n for a whole n > 1, small enough to stand on a root sign.
bool is_root(const Expr& exponent) {
  if (!exponent.is_number() || !exponent.number().is_exact()) return false;
  const Number& value = exponent.number();
  return value.numerator().is_one() && !value.is_one() && value.denominator() < Number(10);
}

Precedence product_precedence(const Expr& e) {
  const Fraction fraction = internal::make_fraction(1, e);
  if (fraction.has_line() || fraction.above.size() > 1) return Precedence::kProduct;
  return is_root(fraction.above[0].exponent) ? Precedence::kAtom : Precedence::kPower;
}

Precedence latex_precedence(const Expr& e) {
  switch (e.kind()) {
    case Kind::kNumber:
      return number_precedence(e.number());
    case Kind::kVariable:
      return e.order() > 3 ? Precedence::kPower : Precedence::kAtom;
    case Kind::kSum:
      return internal::sum_precedence(e);
    case Kind::kProduct:
      return product_precedence(e);
    case Kind::kExp:
      return Precedence::kPower;
    case Kind::kSelect:
      return Precedence::kSum;
    default:
      return internal::condition_precedence(e);
  }
}

/// "\\sin" and the like; empty for what is not written as a name before its argument.
std::string_view function_command(Kind kind) {
  switch (kind) {
    case Kind::kLog:
      return "\\ln";
    case Kind::kSin:
      return "\\sin";
    case Kind::kCos:
      return "\\cos";
    case Kind::kTan:
      return "\\tan";
    case Kind::kAsin:
      return "\\arcsin";
    case Kind::kAcos:
      return "\\arccos";
    case Kind::kAtan:
      return "\\arctan";
    case Kind::kSinh:
      return "\\sinh";
    case Kind::kCosh:
      return "\\cosh";
    case Kind::kTanh:
      return "\\tanh";
    case Kind::kSign:
      return "\\operatorname{sgn}";
    case Kind::kAtan2:
      return "\\operatorname{atan2}";
    case Kind::kMin:
      return "\\min";
    case Kind::kMax:
      return "\\max";
    default:
      return "";
  }
}

void write_arguments(std::span<const Expr> arguments, TextBuilder* out) {
  const bool small = arguments.size() == 1 && arguments[0].is_leaf();
  out->text(small ? "(" : "\\left(");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) out->text(", ");
    out->child(arguments[i]);
  }
  out->text(small ? ")" : "\\right)");
}

/// sin(x)^2 as \sin^{2}(x): for trigonometric and hyperbolic functions and whole exponents, where
/// the notation is unambiguous.
bool is_function_power(const Factor& factor) {
  const Kind kind = factor.base.kind();
  const bool usual = kind >= Kind::kSin && kind <= Kind::kTanh;
  return usual && factor.exponent.is_number() && factor.exponent.number().is_integer() &&
         !factor.exponent.is_one();
}

void write_power(const Factor& factor, bool alone, TextBuilder* out) {
  if (factor.exponent.is_one()) {
    return out->child(factor.base, alone ? Precedence::kLowest : Precedence::kPower);
  }
  if (is_root(factor.exponent)) {
    const std::string root = factor.exponent.number().denominator().to_string();
    out->text(root == "2" ? "\\sqrt{" : concat("\\sqrt[", root, "]{"));
    out->child(factor.base);
    return out->text("}");
  }
  const bool function = is_function_power(factor);
  if (function) {
    out->text(function_command(factor.base.kind()));
  } else {
    out->child(factor.base, Precedence::kAtom);
  }
  out->text("^{");
  out->child(factor.exponent);
  out->text("}");
  if (function) write_arguments(factor.base.arguments(), out);
}

/// number factor factor, with thin spaces; a dot where two numbers would run together. `bare`:
/// nothing else is written beside them.
void write_factors(const Number& number, const std::vector<Factor>& factors, bool bare,
                   TextBuilder* out) {
  const bool show_number = !number.is_one() || factors.empty();
  if (show_number) out->text(number_text(number));
  const bool alone = bare && !show_number && factors.size() == 1;
  bool first = !show_number;
  for (const Factor& factor : factors) {
    if (!std::exchange(first, false)) out->text(factor.base.is_number() ? " \\cdot " : "\\,");
    write_power(factor, alone, out);
  }
}

void write_fraction(const Fraction& fraction, TextBuilder* out) {
  if (!fraction.has_line()) return write_factors(fraction.over, fraction.above, true, out);
  out->text("\\frac{");
  if (fraction.below.empty() &&
      !fraction.above.empty()) {  // 1/2 m v^2: a number alone goes in front
    out->text(concat(number_text(fraction.over), "}{", number_text(fraction.under), "}\\,"));
    return write_factors(1, fraction.above, false, out);
  }
  write_factors(fraction.over, fraction.above, true, out);
  out->text("}{");
  write_factors(fraction.under, fraction.below, true, out);
  out->text("}");
}

void write_select(const Expr& e, TextBuilder* out) {
  out->text("\\begin{cases} ");
  out->child(e.arguments()[1]);
  out->text(" & \\text{if } ");
  out->child(e.arguments()[0]);
  out->text(" \\\\ ");
  out->child(e.arguments()[2]);
  out->text(" & \\text{otherwise} \\end{cases}");
}

void write_call(const Expr& e, TextBuilder* out) {
  std::string name = "\\operatorname{";
  for (const char c : e.name()) {
    if (c == '_') name += '\\';
    name += c;
  }
  std::string orders;
  bool is_derivative = false;
  for (const int order : e.derivative_orders()) {
    orders += (orders.empty() ? "" : ",") + std::to_string(order);
    is_derivative |= order > 0;
  }
  out->text(is_derivative ? concat(name, "}^{(", orders, ")}") : name + "}");
  write_arguments(e.arguments(), out);
}

void write_infix(std::span<const Expr> sides, const char* sign, Precedence at_least,
                 TextBuilder* out) {
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (i > 0) out->text(sign);
    out->child(sides[i], at_least);
  }
}

void write_condition(const Expr& e, TextBuilder* out) {
  const std::span<const Expr> sides = e.arguments();
  switch (e.kind()) {
    case Kind::kLess:
      return write_infix(sides, " < ", Precedence::kSum, out);
    case Kind::kLessEqual:
      return write_infix(sides, " \\le ", Precedence::kSum, out);
    case Kind::kEqual:
      return write_infix(internal::sides_of_equality(e), " = ", Precedence::kSum, out);
    case Kind::kAnd:
      return write_infix(sides, " \\land ", Precedence::kNot, out);
    case Kind::kOr:
      return write_infix(sides, " \\lor ", Precedence::kAnd, out);
    case Kind::kNot:
      if (internal::is_unequal(e)) {
        return write_infix(internal::sides_of_equality(sides[0]), " \\ne ", Precedence::kSum, out);
      }
      out->text("\\lnot ");
      return out->child(sides[0], Precedence::kAtom);
    default:
      return out->text(concat("\\text{", kind_name(e.kind()), "}"));
  }
}

void write_function(const Expr& e, TextBuilder* out) {
  if (e.kind() == Kind::kExp) {
    out->text("e^{");
    out->child(e.arguments()[0]);
    return out->text("}");
  }
  if (e.kind() == Kind::kAbs) {
    out->text("\\left|");
    out->child(e.arguments()[0]);
    return out->text("\\right|");
  }
  if (e.kind() == Kind::kSelect) return write_select(e, out);
  out->text(function_command(e.kind()));
  write_arguments(internal::listed_arguments(e), out);
}

void write_node(const Expr& e, TextBuilder* out) {
  switch (e.kind()) {
    case Kind::kNumber: {
      const Fraction fraction = internal::make_fraction(e.number(), 1);
      if (fraction.negative) out->text("-");
      return write_fraction(fraction, out);
    }
    case Kind::kNamed:
      return out->text(latex_name(e.name()));
    case Kind::kSum:
      return internal::write_sum(e, internal::make_fraction, write_fraction, out);
    case Kind::kProduct:
      return write_fraction(internal::make_fraction(1, e), out);
    case Kind::kCall:
      return write_call(e, out);
    default:
      return is_condition(e.kind()) ? write_condition(e, out) : write_function(e, out);
  }
}

/// Names of symbols and variables; different names look different.
class LeafNames {
 public:
  explicit LeafNames(std::span<const Expr> leaves) {
    for (const Expr& leaf : leaves) names_by_look_[latex_name(leaf.name())].insert(leaf.name());
  }
  std::string operator()(const Expr& leaf) const {
    const bool is_alone = names_by_look_.at(latex_name(leaf.name())).size() == 1;
    return latex_name(leaf.name(), leaf.kind() == Kind::kVariable ? leaf.order() : 0,
                      is_alone ? FirstSeparator::kLeftOut : FirstSeparator::kShown);
  }

 private:
  std::map<std::string, std::set<std::string_view>> names_by_look_;
};

}  // namespace

std::string to_latex(const Expr& e, std::size_t max_size) {
  const LeafNames leaf_names(e.leaves());
  return TextBuilder(max_size).build(e,
                                     [&](const Expr& node, Precedence at_least, TextBuilder* out) {
                                       const bool parentheses = latex_precedence(node) < at_least;
                                       if (parentheses) out->text("\\left(");
                                       if (node.is_leaf()) {
                                         out->text(leaf_names(node));
                                       } else {
                                         write_node(node, out);
                                       }
                                       if (parentheses) out->text("\\right)");
                                     });
}

}  // namespace camber::symbolic
