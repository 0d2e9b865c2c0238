// Derivatives by GiNaC, which shares no code with ours. Built where GiNaC is installed; nothing
// else links it.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/expand.h"
#include "camber/symbolic/test/random_expr.h"

// LeakSanitizer asks for this, by this name: libcln, which holds GiNaC's numbers, leaves 26 bytes
// behind as soon as it is loaded.
//
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions() { return "leak:libcln.so"; }

namespace camber::symbolic {
namespace {

using test::RandomExpr;

/// Our expressions as GiNaC's; a symbol per leaf.
class ToGinac {
 public:
  GiNaC::ex operator()(const Expr& e) {
    switch (e.kind()) {
      case Kind::kNumber:
        return number(e.number());
      case Kind::kSymbol:
      case Kind::kVariable:
        return leaf(e);
      case Kind::kSum: {
        GiNaC::ex sum = number(e.constant());
        for (const Term& t : e.terms()) {
          sum += number(t.coefficient) * (*this)(t.term);
        }
        return sum;
      }
      case Kind::kProduct: {
        GiNaC::ex product = 1;
        for (const Factor& f : e.factors()) {
          product *= GiNaC::pow((*this)(f.base), (*this)(f.exponent));
        }
        return product;
      }
      default:
        return function(e);
    }
  }

  GiNaC::symbol& leaf(const Expr& x) {
    return leaves_.try_emplace(x.to_string(), GiNaC::symbol(x.to_string())).first->second;
  }

  GiNaC::exmap point(const Bindings& bindings) {
    GiNaC::exmap map;
    for (const auto& [x, value] : bindings) {
      map[leaf(x)] = GiNaC::numeric(value);
    }
    return map;
  }

 private:
  static GiNaC::numeric number(const Number& n) {
    return n.is_exact() ? GiNaC::numeric(n.to_string().c_str()) : GiNaC::numeric(n.to_double());
  }

  GiNaC::ex function(const Expr& e) {
    const GiNaC::ex u = (*this)(e.arguments()[0]);
    switch (e.kind()) {
      case Kind::kExp:
        return GiNaC::exp(u);
      case Kind::kLog:
        return GiNaC::log(u);
      case Kind::kSin:
        return GiNaC::sin(u);
      case Kind::kCos:
        return GiNaC::cos(u);
      case Kind::kTan:
        return GiNaC::tan(u);
      case Kind::kAsin:
        return GiNaC::asin(u);
      case Kind::kAcos:
        return GiNaC::acos(u);
      case Kind::kAtan:
        return GiNaC::atan(u);
      case Kind::kSinh:
        return GiNaC::sinh(u);
      case Kind::kCosh:
        return GiNaC::cosh(u);
      case Kind::kTanh:
        return GiNaC::tanh(u);
      case Kind::kAtan2:
        return GiNaC::atan2(u, (*this)(e.arguments()[1]));
      default:
        throw std::logic_error("GiNaC has no " + std::string(kind_name(e.kind())));
    }
  }

  std::map<std::string, GiNaC::symbol> leaves_;
};

double value_of(const GiNaC::ex& e, const GiNaC::exmap& point) {
  const GiNaC::ex value = e.subs(point, GiNaC::subs_options::no_pattern).evalf();
  return GiNaC::is_a<GiNaC::numeric>(value) ? GiNaC::ex_to<GiNaC::numeric>(value).to_double()
                                            : std::nan("");
}

TEST(DerivativeByGinac, AgreesOnRandomExpressions) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(50'000 + seed, {.depth = 4, .smooth = true});
    const Expr e = random();
    const Bindings at = random.point();
    ToGinac to_ginac;
    const GiNaC::ex peer = to_ginac(e);
    const GiNaC::exmap point = to_ginac.point(at);
    for (const Expr& x : e.leaves()) {
      const double expected = value_of(peer.diff(to_ginac.leaf(x)), point);
      double actual = 0;
      try {
        actual = evaluate(diff(e, x), at);
      } catch (const EvaluationError&) {
        continue;
      }
      ++compared;
      // Large terms may cancel: the expression's own size bounds what is left of the digits.
      const double scale = std::abs(expected) + std::abs(evaluate(e, at)) + 1;
      EXPECT_NEAR(actual, expected, 1e-9 * scale) << "d/d" << x << " of " << e;
    }
  }
  EXPECT_GT(compared, 1000);
}

// Normal form by two programs: the same polynomial must have the same expanded value and number of
// terms.
TEST(ExpandByGinac, HasTheSameNumberOfTerms) {
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  const Expr z = symbol("z");
  RandomStream random = RandomStream(7).substream("polynomials");
  const auto coefficient = [&] {
    return Expr(Number(random.integer(-9, 9), random.integer(1, 4)));
  };
  for (int i = 0; i < 50; ++i) {
    SCOPED_TRACE(testing::Message() << "polynomial " << i);
    const Expr a = coefficient() * x + coefficient() * y * z + coefficient();
    const Expr b = coefficient() * x * y + coefficient() * z + coefficient() * y;
    const Expr e = pow(a, Number(random.integer(1, 4))) * pow(a + b, 2) - b * a * a;
    ToGinac to_ginac;
    const GiNaC::ex peer = to_ginac(e).expand();
    const Expr ours = expand(e);
    if (ours.kind() == Kind::kSum) {
      const std::size_t terms = ours.terms().size() + (ours.constant().is_zero() ? 0 : 1);
      EXPECT_EQ(terms, GiNaC::is_a<GiNaC::add>(peer) ? peer.nops() : 1) << e;
    }
    EXPECT_TRUE((to_ginac(ours) - peer).expand().is_zero()) << e;
  }
}

}  // namespace
}  // namespace camber::symbolic
