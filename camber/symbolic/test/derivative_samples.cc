// Prints random expressions, a point, and our derivatives there, for derivatives_by_sympy.py:
// expression ; leaf ; leaf=value ... ; derivative

#include <cstdio>
#include <string>

#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/test/random_expr.h"

using camber::symbolic::Bindings;
using camber::symbolic::Expr;
using camber::symbolic::test::RandomExpr;

int main() {
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomExpr random(90'000 + seed, {.depth = 3, .smooth = true});
    const Expr e = random();
    const Bindings at = random.point();
    std::string point;
    char text[64];
    for (const Expr& x : e.leaves()) {
      std::snprintf(text, sizeof text, "=%.17g ", at.at(x));
      point += x.to_string() + text;
    }
    for (const Expr& x : e.leaves()) {
      try {
        const double value = evaluate(diff(e, x), at);
        std::printf("%s ; %s ; %s ; %.17g\n", e.to_string().c_str(), x.to_string().c_str(),
                    point.c_str(), value);
      } catch (const camber::symbolic::EvaluationError&) {
        continue;  // overflow of a large power
      }
    }
  }
}
