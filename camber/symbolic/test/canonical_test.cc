// Canonical forms do not depend on the order of construction: the same formula, put together in
// different orders and groupings, is the same node.

#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/symbolic/expr.h"

namespace camber::symbolic {
namespace {

/// A formula as written, before any canonical form.
struct Formula {
  enum class Kind { kLeaf, kSum, kProduct, kFunction } kind = Kind::kLeaf;
  Expr leaf;
  int function = 0;
  std::vector<Formula> parts;
};

Formula random_formula(int depth, RandomStream* random) {
  Formula f;
  if (depth == 0) {
    const auto i = random->integer(0, 9);
    f.leaf = i < 7 ? symbol("x" + std::to_string(i)) : Expr(Number(random->integer(-5, 5), i - 5));
    return f;
  }
  f.kind = static_cast<Formula::Kind>(random->integer(1, 3));
  f.function = static_cast<int>(random->integer(0, 5));
  const std::int64_t parts = f.kind == Formula::Kind::kFunction ? 1 : random->integer(2, 5);
  for (std::int64_t i = 0; i < parts; ++i) {
    f.parts.push_back(random_formula(depth - 1, random));
  }
  return f;
}

Expr apply(int function, const Expr& u) {
  switch (function) {
    case 0:
      return sin(u);
    case 1:
      return exp(u);
    case 2:
      return pow(u, 2);
    case 3:
      return sqrt(1 + pow(u, 2));
    case 4:
      return 1 / (2 + pow(u, 2));
    default:
      return abs(u);
  }
}

/// Joins the parts two by two, chosen at random, until one is left.
Expr build(const Formula& f, RandomStream* random) {
  if (f.kind == Formula::Kind::kLeaf) {
    return f.leaf;
  }
  std::vector<Expr> parts;
  for (const int i : random->permutation(static_cast<int>(f.parts.size()))) {
    parts.push_back(build(f.parts[static_cast<std::size_t>(i)], random));
  }
  if (f.kind == Formula::Kind::kFunction) {
    return apply(f.function, parts[0]);
  }
  while (parts.size() > 1) {
    const auto i =
        static_cast<std::size_t>(random->integer(0, static_cast<std::int64_t>(parts.size()) - 2));
    const Expr right = parts.back();
    parts.pop_back();
    parts[i] = f.kind == Formula::Kind::kSum ? parts[i] + right : parts[i] * right;
  }
  return parts[0];
}

TEST(CanonicalForm, DoesNotDependOnTheOrderOfConstruction) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random = RandomStream(seed).substream("formulas");
    const Formula formula = random_formula(3, &random);
    const Expr first = build(formula, &random);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(build(formula, &random), first);
    }
  }
}

TEST(CanonicalForm, AddedAtOnceIsAddedOneByOne) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random = RandomStream(seed).substream("sums");
    std::vector<Expr> parts;
    Expr sum_one_by_one = 0;
    Expr product_one_by_one = 1;
    for (int i = 0; i < 12; ++i) {
      parts.push_back(build(random_formula(2, &random), &random));
      sum_one_by_one += parts.back();
      product_one_by_one *= parts.back();
    }
    EXPECT_EQ(sum(parts), sum_one_by_one);
    EXPECT_EQ(product(parts), product_one_by_one);
  }
}

}  // namespace
}  // namespace camber::symbolic
