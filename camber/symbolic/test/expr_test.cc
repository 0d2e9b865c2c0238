#include "camber/symbolic/expr.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::symbolic {
namespace {

const Expr x = symbol("x"), y = symbol("y"), z = symbol("z"), a = symbol("a");

TEST(Expr, EqualExpressionsAreOneNode) {
  EXPECT_EQ(x + y + z, z + (y + x));
  EXPECT_EQ(x * y * z, z * (y * x));
  EXPECT_EQ(x + x, 2 * x);
  EXPECT_EQ(x * x, pow(x, 2));
  EXPECT_EQ((x + y) * 2, 2 * x + 2 * y);
  EXPECT_EQ(symbol("mass"), symbol("mass"));
  EXPECT_FALSE(symbol("q") == variable("q"));
  EXPECT_FALSE(variable("q") == variable("q", 1));
}

TEST(Expr, LikeTermsAndPowersCancel) {
  EXPECT_TRUE((x + y - (y + x)).is_zero());
  EXPECT_TRUE((x * y / (y * x)).is_one());
  EXPECT_TRUE((pow(x, 3) * pow(x, -3)).is_one());
  EXPECT_EQ(pow(x, a) * pow(x, 2), pow(x, a + 2));
  EXPECT_EQ(sqrt(x) * sqrt(x), x);
  EXPECT_EQ(sqrt(x * y) * sqrt(y * x), x * y);
  EXPECT_EQ(sqrt(2 * x + 2 * y) * sqrt(2 * y + 2 * x), 2 * (x + y));
}

TEST(Expr, SumsInProductsArePrimitive) {
  EXPECT_EQ((2 * x + 2 * y) * z, 2 * ((x + y) * z));
  EXPECT_EQ((x - y) * z, -((y - x) * z));
  EXPECT_EQ((6 * x + 4) * (9 * y + 3), 6 * ((3 * x + 2) * (3 * y + 1)));
  EXPECT_EQ(pow(2 * x - 2 * y, 3), 8 * pow(x - y, 3));
}

TEST(Expr, CoefficientsStayExactUntilADoubleComesIn) {
  const Expr third = Expr(1) / 3;
  EXPECT_EQ(third * x + third * x + third * x, x);
  EXPECT_EQ((x / 3).terms()[0].coefficient, Number(1, 3));
  EXPECT_FALSE((third * 0.1 * x).terms()[0].coefficient.is_exact());
  EXPECT_EQ(2.0 * x, 2 * x) << "a whole double is exact";
  EXPECT_EQ(0.5 * x + 0.5 * x, x);
}

TEST(Expr, TakesEveryIntegerExactly) {
  EXPECT_EQ(Expr(~0ULL).to_string(), "18446744073709551615");
  EXPECT_EQ(Expr(~0ULL) * x - pow(Expr(2), 64) * x, -x);
  EXPECT_EQ(Expr(~0U), Expr(4294967295.0));
  EXPECT_EQ(Expr(std::numeric_limits<std::int64_t>::min()).to_string(), "-9223372036854775808");
}

TEST(Expr, RootsOfNumbersAreTakenWhenExact) {
  EXPECT_EQ(sqrt(Expr(9) / 4), Expr(3) / 2);
  EXPECT_EQ(sqrt(Expr(8)), 2 * sqrt(Expr(2)));
  EXPECT_EQ(sqrt(Expr(2)) * sqrt(Expr(2)), Expr(2));
  EXPECT_EQ(pow(Expr(8), Expr(1) / 3), Expr(2));
  EXPECT_EQ(pow(Expr(4), Expr(-3) / 2), Expr(1) / 8);
  EXPECT_FALSE(sqrt(Expr(-1)).is_number()) << "no real number; evaluation reports it";
}

// (x^2)^(1/2) is |x|: an identity that holds for positive x only must not be applied.
TEST(Expr, DoesNotCancelWhatDependsOnASign) {
  EXPECT_FALSE(sqrt(pow(x, 2)) == x);
  EXPECT_EQ(pow(sqrt(x), 2), x);
  EXPECT_FALSE(sqrt(-x) * sqrt(-y) == sqrt(x * y));
}

TEST(Expr, HugePowersStayPowers) {
  const Expr huge = pow(Expr(2), Expr(1'000'000'000));
  EXPECT_FALSE(huge.is_number());
  EXPECT_TRUE((huge * pow(Expr(2), Expr(-1'000'000'000))).is_one());
  EXPECT_EQ(pow(x, Expr(std::int64_t{1} << 62)).factors()[0].exponent, Expr(std::int64_t{1} << 62));
}

// Neither the smallest integer nor the sum of a large one and a denominator may be negated in 64
// bits.
TEST(Expr, TakesExponentsAtTheEndsOfSixtyFourBits) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(pow(x, kMin).to_string(), "1/x^9223372036854775808");
  EXPECT_EQ(pow(x, kMin) * pow(x, -(kMin + 1)), 1 / x);
  EXPECT_EQ(pow(Expr(2), Number(kMin + 1, 4)).to_string(), "2^(-9223372036854775807/4)");
  EXPECT_EQ(pow(Expr(2), Number(-7, 4)), sqrt(sqrt(Expr(2))) / 4);
  EXPECT_EQ(pow(Expr(2), Number(-8, 4)), Number(1, 4));
}

TEST(Expr, DivisionByZeroIsAnError) {
  EXPECT_THROW(x / 0, std::domain_error);
  EXPECT_THROW(x / (y - y), std::domain_error);
  EXPECT_THROW(pow(Expr(0), -2), std::domain_error);
  EXPECT_THROW(Expr(0.0 / 0.0), std::invalid_argument);
}

TEST(Expr, FunctionsTakeSignsOutAndUndoTheirInverses) {
  EXPECT_EQ(sin(y - x), -sin(x - y));
  EXPECT_EQ(cos(-3 * x), cos(3 * x));
  EXPECT_EQ(tanh(-x), -tanh(x));
  EXPECT_EQ(abs(-2 * x), 2 * abs(x));
  EXPECT_EQ(sign(-2 * x), -sign(x));
  EXPECT_EQ(exp(log(x)), x);
  EXPECT_EQ(sin(asin(x)), x);
  EXPECT_EQ(max(x, y), max(y, x));
  EXPECT_TRUE(sin(Expr(0)).is_zero());
  EXPECT_FALSE(sin(Expr(1)).is_number()) << "sin(1) is exact, a double is not";
  EXPECT_EQ(sin(Expr(0.5)), Expr(std::sin(0.5)));
}

TEST(Expr, ConditionsAreDecidedOnlyWhenKnown) {
  EXPECT_TRUE(static_cast<bool>(Expr(1) / 3 < Expr(1) / 2));
  EXPECT_EQ(!(x < y), y <= x);
  EXPECT_EQ(select(!(equal(x, y)), x, a), select(equal(y, x), a, x));
  EXPECT_EQ(select(Expr(2) > Expr(1), x, y), x);
  EXPECT_EQ(select(x < y, a, a), a);
  EXPECT_EQ((x < y) && Condition(true), x < y);
  EXPECT_EQ((x < y) || (a < z), (a < z) || (x < y));
  EXPECT_THROW((void)static_cast<bool>(x < y), std::logic_error);
}

// Their difference is beyond the range of double, or beyond the bits of an exact number.
TEST(Expr, ComparesNumbersThatAreFarApart) {
  const Expr large = 1.7e308, huge = pow(Expr(10), 900), tiny = 1 / (huge * huge);
  EXPECT_TRUE(bool(-large < large));
  EXPECT_FALSE(bool(large <= -large));
  EXPECT_FALSE(bool(equal(large, -large)));
  EXPECT_TRUE(bool(large < huge));
  EXPECT_TRUE(bool(-huge < -large));
  EXPECT_TRUE(bool(Expr(0) < tiny * tiny));
  EXPECT_TRUE(bool(tiny * tiny < huge * huge));
  EXPECT_TRUE(bool(equal(Number(1, 2), 0.5)));
  EXPECT_FALSE(bool(Expr(Number(1, 2)) < Expr(0.5)));
  EXPECT_TRUE(bool(equal(Number(1, 3), 1.0 / 3)));
}

TEST(Expr, KnowsItsLeaves) {
  const Expr q = variable("q"), qd = variable("q", 1);
  const Expr e = named("arm", x * sin(q)) * qd + 3;
  const std::set<std::string> names = [&] {
    std::set<std::string> all;
    for (const Expr& leaf : e.leaves())
      all.insert(std::string(leaf.name()) +
                 std::string(static_cast<std::size_t>(leaf.order()), '\''));
    return all;
  }();
  EXPECT_EQ(names, (std::set<std::string>{"q", "q'", "x"}));
  EXPECT_TRUE(e.depends_on(qd));
  EXPECT_FALSE(e.depends_on(symbol("q")));
  EXPECT_TRUE(e.depends_on_time());
  EXPECT_FALSE((x * y).depends_on_time());
  EXPECT_TRUE((x - x + 2).leaves().empty());
}

TEST(Expr, NamedQuantitiesAreAtoms) {
  const Expr speed = named("speed", x + y);
  EXPECT_EQ(speed.kind(), Kind::kNamed);
  EXPECT_EQ((z + speed).terms().size(), 2U);
  EXPECT_EQ(speed - speed, Expr(0));
  EXPECT_EQ(named("w", x), x);
  EXPECT_EQ(speed.definition(), x + y);
}

TEST(Expr, NamesAreChecked) {
  EXPECT_THROW(symbol(""), std::invalid_argument);
  EXPECT_THROW(symbol("2x"), std::invalid_argument);
  EXPECT_THROW(symbol("a b"), std::invalid_argument);
  EXPECT_THROW(variable("q", -1), std::invalid_argument);
  EXPECT_NO_THROW(symbol("front.left_2"));
}

TEST(Expr, OrdersNamesAsAPersonWould) {
  const Expr q = variable("q");
  EXPECT_TRUE(canonical_less(a, x));
  EXPECT_TRUE(canonical_less(pow(x, 2), x));
  EXPECT_TRUE(canonical_less(x, sin(a)));
  EXPECT_TRUE(canonical_less(symbol("stiffness_front"), symbol("stiffness_rear")));
  EXPECT_TRUE(canonical_less(q, variable("q", 1)));
}

// Adding and multiplying the same atoms in a random order and with random brackets must end in the
// same node.
TEST(Expr, CanonicalFormDoesNotDependOnTheOrderOfConstruction) {
  const std::vector<Expr> atoms = {x,           2 * y,       -sin(x - y),
                                   x * z / 3,   sqrt(a),     0.7 * pow(z, -2),
                                   (x + y) * a, Expr(5) / 7, exp(-a)};
  const auto combine = [](std::vector<Expr> parts, RandomStream* random, auto operation) {
    while (parts.size() > 1) {
      const auto i =
          static_cast<std::size_t>(random->integer(0, static_cast<std::int64_t>(parts.size()) - 1));
      std::swap(parts[i], parts.back());
      const Expr last = parts.back();
      parts.pop_back();
      const auto j =
          static_cast<std::size_t>(random->integer(0, static_cast<std::int64_t>(parts.size()) - 1));
      parts[j] = operation(parts[j], last);
    }
    return parts[0];
  };
  // Doubles multiply in another order to another last digit, so products take the exact atoms.
  std::vector<Expr> exact = atoms;
  exact.erase(exact.begin() + 5);
  const Expr total = sum(atoms);
  const Expr all = product(exact);
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    EXPECT_EQ(combine(atoms, &random, [](const Expr& p, const Expr& q) { return p + q; }), total);
    EXPECT_EQ(combine(exact, &random, [](const Expr& p, const Expr& q) { return p * q; }), all);
  }
}

TEST(Expr, ThreadsBuildTheSameNodes) {
  constexpr int kThreads = 8;
  std::vector<std::vector<Expr>> built(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t, &built] {
      for (int k = 0; k < 4000; ++k) {
        const Expr u = symbol("u" + std::to_string(k % 97)),
                   v = variable("v" + std::to_string(k % 31), k % 3);
        built[static_cast<std::size_t>(t)].push_back(sin(u * v + k) * (u - v) + Expr(k) / 7);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& other : built) EXPECT_EQ(other, built[0]);
}

TEST(Expr, BuildingAgainMakesNoNewNodes) {
  const auto build = [] {
    Expr e(1);
    for (int i = 0; i < 50; ++i) e = e * cos(symbol("w" + std::to_string(i)) + e) + i;
    return e;
  };
  const Expr first = build();
  const std::size_t nodes = pool_statistics().nodes;
  EXPECT_EQ(build(), first);
  EXPECT_EQ(pool_statistics().nodes, nodes);
}

TEST(Expr, MapChildrenRebuildsCanonically) {
  const Expr e = 3 * x * y + sin(x) + 2;
  const Expr swapped = map_children(e, [](const Expr& child) {
    return map_children(child, [](const Expr& leaf) { return leaf == x ? y : leaf; });
  });
  EXPECT_EQ(swapped, 3 * y * y + sin(y) + 2);
  EXPECT_EQ(map_children(e, [](const Expr& child) { return child; }), e);
}

}  // namespace
}  // namespace camber::symbolic
