#include "camber/symbolic/print_code.h"

#include <string_view>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/symbolic/text_builder.h"
#include "camber/symbolic/text_layout.h"

namespace camber::symbolic {
namespace {

using internal::Fraction;
using internal::TextBuilder;

// x*x*x*x is three multiplications that no compiler flag turns into a library call; beyond that,
// and for bases that would be computed again, pow() or ** reads better and compilers know what to
// do.
constexpr std::int64_t kLargestProductPower = 4;
// Fortran's ** takes an integer exponent of default kind.
constexpr std::int64_t kLargestIntegerPower = 2147483647;

class CodeWriter {
 public:
  CodeWriter(const CodeSyntax& syntax, IdentifierTable* names) : syntax_(syntax), names_(*names) {}

  void write(const Expr& e, Precedence at_least, TextBuilder* out) const {
    const bool parentheses = precedence(e) < at_least;
    if (parentheses) out->text("(");
    write_node(e, out);
    if (parentheses) out->text(")");
  }

 private:
  bool fortran() const { return syntax_.language() == Language::kFortran; }

  static bool is_name(const Expr& e) { return e.is_leaf() || e.kind() == Kind::kNamed; }

  /// x^3 as x, x, x where the language has no better.
  void spell_out_powers(std::vector<Factor>* factors) const {
    if (fortran()) return;
    std::vector<Factor> result;
    for (const Factor& factor : *factors) {
      const bool whole = factor.exponent.is_number() && factor.exponent.number().fits_int64();
      const std::int64_t power = whole ? factor.exponent.number().as_int64() : 0;
      if (is_name(factor.base) && power > 1 && power <= kLargestProductPower) {
        result.insert(result.end(), static_cast<std::size_t>(power), Factor{factor.base, 1});
      } else {
        result.push_back(factor);
      }
    }
    *factors = std::move(result);
  }

  Fraction make_fraction(const Number& coefficient, const Expr& term) const {
    Fraction fraction = internal::make_fraction(coefficient, term);
    spell_out_powers(&fraction.above);
    spell_out_powers(&fraction.below);
    return fraction;
  }

  CodeSyntax::Pattern power_pattern(const Factor& factor) const {
    if (internal::is_square_root(factor)) return syntax_.sqrt_pattern();
    return is_integer_power(factor) ? syntax_.integer_power_pattern() : syntax_.power_pattern();
  }

  static bool is_integer_power(const Factor& factor) {
    return factor.exponent.is_number() && factor.exponent.number().fits_int64() &&
           factor.exponent.number().as_int64() <= kLargestIntegerPower;
  }

  CodeSyntax::Pattern not_pattern(const Expr& e) const {
    return internal::is_unequal(e) ? syntax_.unequal_pattern() : syntax_.pattern(Kind::kNot);
  }

  Precedence precedence(const Expr& e) const {
    switch (e.kind()) {
      case Kind::kNumber:
        return syntax_.literal_precedence(e.number());
      case Kind::kSum:
        return internal::sum_precedence(e);
      case Kind::kProduct: {
        const Fraction fraction = make_fraction(1, e);
        if (fraction.has_line() || fraction.above.size() > 1) return Precedence::kProduct;
        return power_pattern(fraction.above[0]).result;
      }
      case Kind::kSymbol:
      case Kind::kVariable:
      case Kind::kNamed:
      case Kind::kCall:
        return Precedence::kAtom;
      case Kind::kNot:
        return not_pattern(e).result;
      default:
        return syntax_.pattern(e.kind()).result;
    }
  }

  /// The pattern with its holes filled by expressions.
  void write_pattern(const CodeSyntax::Pattern& pattern, std::span<const Expr> operands,
                     TextBuilder* out) const {
    std::string_view rest = pattern.text;
    for (auto hole = rest.find('{'); hole != std::string_view::npos; hole = rest.find('{')) {
      out->text(rest.substr(0, hole));
      out->child(operands[static_cast<std::size_t>(rest[hole + 1] - '1')], pattern.operand);
      rest.remove_prefix(hole + 3);
    }
    out->text(rest);
  }

  void write_power(const Factor& factor, TextBuilder* out) const {
    if (factor.exponent.is_one()) return out->child(factor.base, Precedence::kPower);
    CodeSyntax::Pattern pattern = power_pattern(factor);
    if (is_integer_power(factor)) {  // the only operand that is not of the scalar type
      const std::string exponent[] = {"{1}", factor.exponent.number().to_string()};
      pattern.text = CodeSyntax::fill(pattern, exponent);
    }
    const Expr operands[] = {factor.base, factor.exponent};
    write_pattern(pattern, operands, out);
  }

  void write_factors(const Number& number, const std::vector<Factor>& factors,
                     TextBuilder* out) const {
    bool first = true;
    if (!number.is_one() || factors.empty()) {
      out->text(syntax_.literal(number));
      first = false;
    }
    for (const Factor& factor : factors) {
      if (!std::exchange(first, false)) out->text("*");
      write_power(factor, out);
    }
  }

  void write_fraction(const Fraction& fraction, TextBuilder* out) const {
    write_factors(fraction.over, fraction.above, out);
    if (!fraction.has_line()) return;
    const std::size_t parts = fraction.below.size() + (fraction.under.is_one() ? 0 : 1);
    out->text(parts > 1 ? "/(" : "/");
    write_factors(fraction.under, fraction.below, out);
    if (parts > 1) out->text(")");
  }

  void write_call(const Expr& e, TextBuilder* out) const {
    out->text(function_identifier(e.name(), e.derivative_orders()));
    const char* separator = "(";
    for (const Expr& argument : e.arguments()) {
      out->text(std::exchange(separator, ", "));
      out->child(argument);
    }
    out->text(")");
  }

  /// a && b && c from the pattern for two.
  void write_chain(const Expr& e, TextBuilder* out) const {
    const CodeSyntax::Pattern pattern = syntax_.pattern(e.kind());
    const std::string sign = pattern.text.substr(3, pattern.text.size() - 6);
    bool first = true;
    for (const Expr& argument : e.arguments()) {
      if (!std::exchange(first, false)) out->text(sign);
      out->child(argument, pattern.operand);
    }
  }

  void write_node(const Expr& e, TextBuilder* out) const {
    switch (e.kind()) {
      case Kind::kNumber:
        return out->text(syntax_.literal(e.number()));
      case Kind::kSymbol:
      case Kind::kVariable:
      case Kind::kNamed:
        return out->text(names_.of(e));
      case Kind::kSum:
        return internal::write_sum(
            e, [this](const Number& c, const Expr& t) { return make_fraction(c, t); },
            [this](const Fraction& f, TextBuilder* to) { write_fraction(f, to); }, out);
      case Kind::kProduct:
        return write_fraction(make_fraction(1, e), out);
      case Kind::kCall:
        return write_call(e, out);
      case Kind::kAnd:
      case Kind::kOr:
        return write_chain(e, out);
      case Kind::kEqual:
        return write_pattern(syntax_.pattern(e.kind()), internal::sides_of_equality(e), out);
      case Kind::kNot:
        if (internal::is_unequal(e)) {
          return write_pattern(not_pattern(e), internal::sides_of_equality(e.arguments()[0]), out);
        }
        return write_pattern(not_pattern(e), e.arguments(), out);
      default:
        return write_pattern(syntax_.pattern(e.kind()), e.arguments(), out);
    }
  }

  const CodeSyntax& syntax_;
  IdentifierTable& names_;
};

}  // namespace

std::string to_code(const Expr& e, const CodeSyntax& syntax, IdentifierTable* names,
                    std::size_t max_size) {
  require(names->language() == syntax.language(), "to_code: identifiers are for ",
          language_name(names->language()), ", the syntax is ", language_name(syntax.language()));
  const CodeWriter writer(syntax, names);
  return TextBuilder(max_size).build(
      e, [&writer](const Expr& node, Precedence at_least, TextBuilder* out) {
        writer.write(node, at_least, out);
      });
}

std::string to_code(const Expr& e, Language language) {
  IdentifierTable names(language);
  for (const Expr& leaf : e.leaves()) names.of(leaf);
  const std::string text = to_code(e, CodeSyntax(language), &names);
  return wrap_statement(text, language, "    ");
}

}  // namespace camber::symbolic
