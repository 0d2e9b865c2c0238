#include "camber/symbolic/code_syntax.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "camber/core/require.h"
#include "camber/symbolic/brief_text.h"

namespace camber::symbolic {
namespace {

constexpr double kLargestExactWhole = 9007199254740992.0;  // 2^53

/// An exact fraction whose two sides are doubles: written as a division, so the compiler rounds it
/// once.
bool is_short_fraction(const Number& value) {
  if (!value.is_exact() || value.is_integer()) return false;
  return std::abs(value.numerator().to_double()) <= kLargestExactWhole &&
         value.denominator().to_double() <= kLargestExactWhole;
}

/// The shortest decimal with a point and, in Fortran, the exponent letter d that makes it double
/// precision.
std::string decimal(double value, bool fortran) {
  std::string text = concat(value);
  auto exponent = text.find('e');
  if (text.find('.') == std::string::npos) {
    text.insert(std::min(exponent, text.size()), ".0");
    exponent = text.find('e');
  }
  if (!fortran) return text;
  if (exponent == std::string::npos) return text + "d0";
  text[exponent] = 'd';
  return text;
}

}  // namespace

CodeSyntax::CodeSyntax(Language language, std::string_view scalar)
    : language_(language), scalar_(scalar) {
  require(scalar.empty() || language == Language::kCpp,
          "CodeSyntax: a scalar type is for C++ alone, got \"", scalar, "\" for ",
          language_name(language));
}

std::string CodeSyntax::literal(double value) const {
  require(std::isfinite(value), "a number in code must be finite, got ", value);
  const std::string text = decimal(value, language_ == Language::kFortran);
  return scalar_.empty() ? text : concat(scalar_, "(", text, ")");
}

std::string CodeSyntax::literal(const Number& value) const {
  require(value.fits_double(), "the number ", internal::brief_text(value),
          " is outside the range of double, which code in ", language_name(language_),
          " computes with");
  if (!is_short_fraction(value)) return literal(value.to_double());
  const bool fortran = language_ == Language::kFortran;
  const std::string text = concat(decimal(value.numerator().to_double(), fortran), "/",
                                  decimal(value.denominator().to_double(), fortran));
  return scalar_.empty() ? text : concat(scalar_, "(", text, ")");
}

Precedence CodeSyntax::literal_precedence(const Number& value) const {
  if (!scalar_.empty()) return Precedence::kAtom;
  if (value.sign() < 0) return Precedence::kSum;
  return is_short_fraction(value) ? Precedence::kProduct : Precedence::kAtom;
}

CodeSyntax::Pattern CodeSyntax::pattern(Kind kind) const {
  const bool c = language_ == Language::kC99;
  const bool fortran = language_ == Language::kFortran;
  const auto infix = [](const char* text, Precedence operand, Precedence result) {
    return Pattern{concat("{1} ", text, " {2}"), operand, result};
  };
  switch (kind) {
    case Kind::kAbs:
      return {c ? "fabs({1})" : "abs({1})"};
    case Kind::kMin:
      return {c ? "fmin({1}, {2})" : "min({1}, {2})"};
    case Kind::kMax:
      return {c ? "fmax({1}, {2})" : "max({1}, {2})"};
    case Kind::kAtan2: {  // + 0 takes the sign from a zero: apply.h
      const std::string zero = literal(0.0);
      return {concat("atan2({1} + ", zero, ", {2} + ", zero, ")"), Precedence::kSum};
    }
    case Kind::kSign: {  // copysign() and Fortran's sign() have no zero
      const std::string zero = literal(0.0), one = literal(1.0);
      if (!scalar_.empty()) {
        return {concat("select({1} > ", zero, ", ", one, ", select({1} < ", zero, ", ",
                       literal(-1.0), ", ", zero, "))"),
                Precedence::kSum};
      }
      if (fortran) {
        return {concat("(merge(", one, ", ", zero, ", {1} > ", zero, ") - merge(", one, ", ", zero,
                       ", {1} < ", zero, "))"),
                Precedence::kSum};
      }
      return {concat(c ? "(double)" : "double", "(({1} > ", zero, ") - ({1} < ", zero, "))"),
              Precedence::kSum, c ? Precedence::kPower : Precedence::kAtom};
    }
    case Kind::kSelect:
      if (fortran) return {"merge({2}, {3}, {1})"};
      return {scalar_.empty() ? "({1} ? {2} : {3})" : "select({1}, {2}, {3})"};
    case Kind::kTrue:
      return {fortran ? ".true." : (c ? "1" : "true")};
    case Kind::kFalse:
      return {fortran ? ".false." : (c ? "0" : "false")};
    case Kind::kLess:
      return infix("<", Precedence::kSum, Precedence::kComparison);
    case Kind::kLessEqual:
      return infix("<=", Precedence::kSum, Precedence::kComparison);
    case Kind::kEqual:
      return infix("==", Precedence::kSum, Precedence::kComparison);
    case Kind::kNot:
      return {fortran ? ".not. {1}" : "!{1}", Precedence::kAtom, Precedence::kNot};
    case Kind::kAnd:
      return infix(fortran ? ".and." : "&&", Precedence::kComparison, Precedence::kAnd);
    case Kind::kOr:  // compilers warn about a bare && inside ||
      return infix(fortran ? ".or." : "||", Precedence::kComparison, Precedence::kOr);
    default:
      require(kind >= Kind::kExp && kind <= Kind::kTanh,
              "CodeSyntax: no pattern for expressions of kind ", kind_name(kind));
      return {concat(kind_name(kind), "({1})")};
  }
}

CodeSyntax::Pattern CodeSyntax::unequal_pattern() const {
  const bool fortran = language_ == Language::kFortran;
  return {fortran ? "{1} /= {2}" : "{1} != {2}", Precedence::kSum, Precedence::kComparison};
}

CodeSyntax::Pattern CodeSyntax::sqrt_pattern() const { return {"sqrt({1})"}; }

CodeSyntax::Pattern CodeSyntax::power_pattern() const {
  if (language_ == Language::kFortran) return {"{1}**{2}", Precedence::kAtom, Precedence::kPower};
  return {"pow({1}, {2})"};
}

CodeSyntax::Pattern CodeSyntax::integer_power_pattern() const {
  if (language_ == Language::kFortran) return {"{1}**{2}", Precedence::kAtom, Precedence::kPower};
  return {scalar_.empty() ? "pow({1}, {2}.0)" : concat("pow({1}, ", scalar_, "({2}.0))")};
}

std::string CodeSyntax::fill(const Pattern& pattern, std::span<const std::string> operands) {
  std::string result;
  const std::string& text = pattern.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      result += text[i];
      continue;
    }
    const auto hole = static_cast<std::size_t>(text[i + 1] - '1');
    require(hole < operands.size(), "CodeSyntax::fill: \"", text, "\" needs more than ",
            operands.size(), " operands");
    result += operands[hole];
    i += 2;
  }
  return result;
}

namespace {

/// Whether a line may end before text[i]: after a space, an opening parenthesis, or an operator
/// that is not half of `**`. Numbers (1.0d-3) and names are not broken.
bool is_break(std::string_view text, std::size_t i) {
  const char before = text[i - 1];
  if (before == ' ' || before == '(') return text[i] != ' ';
  return (before == '*' || before == '/') && text[i] != before;
}

}  // namespace

std::string wrap_statement(std::string_view statement, Language language, std::string_view indent,
                           std::size_t columns) {
  const std::string_view mark = language == Language::kFortran ? " &" : "";
  require(columns > indent.size() + mark.size() + 1, "wrap_statement: ", columns,
          " columns leave no room beside an indent of ", indent.size());
  std::string result;
  std::string_view margin;
  while (margin.size() + statement.size() > columns) {
    const std::size_t room = columns - margin.size() - mark.size();
    const std::size_t text_start = std::min(statement.find_first_not_of(' '), statement.size());
    std::size_t end = std::min(room, statement.size() - 1);
    while (end > text_start && !is_break(statement, end)) --end;
    if (end <= text_start) {  // one token that is longer than a line: the first break after it
      for (end = text_start + 1; end < statement.size() && !is_break(statement, end);) ++end;
      if (end == statement.size()) break;
    }
    std::string_view line = statement.substr(0, end);
    statement.remove_prefix(end);
    if (line.back() == ' ') line.remove_suffix(1);
    result.append(margin).append(line).append(mark).append("\n");
    margin = indent;
  }
  return result.append(margin).append(statement);
}

}  // namespace camber::symbolic
