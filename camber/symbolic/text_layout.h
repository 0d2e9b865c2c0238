#pragma once

#include <array>
#include <utility>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/precedence.h"
#include "camber/symbolic/text_builder.h"

namespace camber::symbolic::internal {

// Arranges the canonical form as a person would write it; shared by text, LaTeX and code.

/// coefficient * product as a fraction: |coefficient| = over / under, and the factors on their
/// sides with exponents that are not negative numbers, unless the base is a number too. A double
/// coefficient stays above the line. A minus goes into a factor that reads better for it:
/// -g*(cos(q) - 1) is g*(1 - cos(q)).
struct Fraction {
  bool negative = false;
  Number over = 1;
  Number under = 1;
  std::vector<Factor> above;
  std::vector<Factor> below;

  bool has_line() const { return !under.is_one() || !below.empty(); }
};
Fraction make_fraction(const Number& coefficient, const Expr& term);

/// Whether `number` times the denominator would be multiplied into the only sum there, and round:
/// 3*(0.1*x + 0.7*y) is 0.3*x + 2.1*y.
bool needs_two_lines(const Fraction& fraction);

/// A sum in reading order: as stored with the constant last, but a positive term first if there is
/// one. The constant, if not zero, has the term 1.
std::vector<Term> reading_order(const Expr& sum);

/// The arguments of min and max as one list: max(max(a, b), c) as a, b, c. Reading the list from
/// the left gives the same node, so if both arguments of a max are max themselves, the second stays
/// nested. For other functions: their arguments.
std::vector<Expr> listed_arguments(const Expr& e);

/// Terms in reading order with their signs between them.
template <class MakeFraction, class WriteFraction>
void write_sum(const Expr& sum, const MakeFraction& make, const WriteFraction& write,
               TextBuilder* out) {
  bool first = true;
  for (const Term& term : reading_order(sum)) {
    const Fraction fraction = make(term.coefficient, term.term);
    if (std::exchange(first, false)) {
      out->text(fraction.negative ? "-" : "");
    } else {
      out->text(fraction.negative ? " - " : " + ");
    }
    write(fraction, out);
  }
}

/// coefficient * term and nothing else.
bool is_single_term(const Expr& sum);
/// A single positive term is a product.
Precedence sum_precedence(const Expr& sum);
/// Precedence of conditions that have an operator between their sides; kAtom for all others.
Precedence condition_precedence(const Expr& e);

/// not (a == b).
bool is_unequal(const Expr& e);
/// The two sides of a == b, with a number on the right.
std::array<Expr, 2> sides_of_equality(const Expr& equality);

/// x^(1/2).
bool is_square_root(const Factor& factor);

}  // namespace camber::symbolic::internal
