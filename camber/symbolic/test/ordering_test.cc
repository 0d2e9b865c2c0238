#include "camber/symbolic/ordering.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::symbolic {
namespace {

SymmetricPattern with_diagonal(int size) {
  SymmetricPattern pattern(size);
  for (int i = 0; i < size; ++i) {
    pattern.add(i, i);
  }
  return pattern;
}

/// A mass matrix of a random tree with one joint per body: each body is coupled with all its
/// ancestors.
SymmetricPattern make_tree_pattern(int size, RandomStream* random) {
  SymmetricPattern pattern = with_diagonal(size);
  const std::vector<int> label = random->permutation(size);
  std::vector<int> parent(static_cast<std::size_t>(size), -1);
  for (int i = 1; i < size; ++i) {
    parent[i] = static_cast<int>(random->integer(0, i - 1));
    for (int j = parent[i]; j >= 0; j = parent[j]) {
      pattern.add(label[i], label[j]);
    }
  }
  return pattern;
}

SymmetricPattern make_random_pattern(int size, double density, RandomStream* random) {
  SymmetricPattern pattern = with_diagonal(size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) {
      if (random->uniform() < density) {
        pattern.add(i, j);
      }
    }
  }
  return pattern;
}

std::vector<int> natural_order(int size) {
  std::vector<int> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(MinimumFillOrder, IsAPermutation) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int size = static_cast<int>(random.integer(0, 150));  // over one and two words of bits
    std::vector<int> order = minimum_fill_order(make_random_pattern(size, 0.1, &random));
    std::ranges::sort(order);
    EXPECT_EQ(order, natural_order(size));
  }
}

TEST(MinimumFillOrder, LeavesTreesOfBodiesWithoutFill) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const auto pattern = make_tree_pattern(static_cast<int>(random.integer(2, 70)), &random);
    EXPECT_EQ(count_factorization(pattern, minimum_fill_order(pattern)).fill, 0);
  }
}

// The natural order of an arrow that points up couples everything with everything.
TEST(MinimumFillOrder, TurnsTheArrowAround) {
  SymmetricPattern arrow = with_diagonal(30);
  for (int i = 1; i < 30; ++i) {
    arrow.add(0, i);
  }
  EXPECT_EQ(count_factorization(arrow, natural_order(30)).fill, 29 * 28 / 2);
  const FactorizationCost cost = count_factorization(arrow, minimum_fill_order(arrow));
  EXPECT_EQ(cost.fill, 0);
  EXPECT_EQ(cost.multiplications, 29 * 2);  // each of 29 unknowns: l = u / d and l u
}

TEST(MinimumFillOrder, NeverDoesWorseThanTheGivenOrderOnRandomPatterns) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const auto pattern = make_random_pattern(60, 0.06, &random);
    EXPECT_LE(count_factorization(pattern, minimum_fill_order(pattern)).multiplications,
              count_factorization(pattern, natural_order(60)).multiplications);
  }
}

TEST(MinimumFillOrder, KeepsWhatMustComeFirst) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const auto pattern = make_random_pattern(40, 0.1, &random);
    std::vector<std::vector<int>> after(40);
    for (int i = 30; i < 40; ++i) {
      after[i] = pattern.neighbors(i);
      std::erase_if(after[i], [&](int j) { return j >= i; });
    }
    const std::vector<int> order = minimum_fill_order(pattern, after);
    std::vector<int> place(40);
    for (int k = 0; k < 40; ++k) {
      place[order[k]] = k;
    }
    for (int i = 0; i < 40; ++i) {
      for (const int before : after[i]) {
        EXPECT_LT(place[before], place[i]);
      }
    }
  }
}

TEST(MinimumFillOrder, RefusesACircle) {
  EXPECT_THROW(minimum_fill_order(with_diagonal(3), {{1}, {2}, {0}}), std::invalid_argument);
  EXPECT_THROW(minimum_fill_order(with_diagonal(3), {{1}, {3}, {}}), std::invalid_argument);
  EXPECT_THROW(minimum_fill_order(with_diagonal(3), {{1}}), std::invalid_argument);
}

/// Counts while doing it on a matrix of booleans: shares nothing with the bit patterns.
FactorizationCost count_by_doing(const SymmetricPattern& pattern, const std::vector<int>& order) {
  const int n = pattern.size();
  std::vector<std::vector<bool>> a(n, std::vector<bool>(n));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      a[i][j] = pattern.has(order[i], order[j]);
    }
  }
  FactorizationCost cost;
  for (int k = 0; k < n; ++k) {
    bool any = false;
    for (int i = k + 1; i < n; ++i) {
      if (!a[i][k]) {
        continue;
      }
      any = true;
      ++cost.entries;
      ++cost.multiplications;
      for (int j = k + 1; j <= i; ++j) {
        if (a[j][k]) {
          ++cost.multiplications;
          cost.additions += a[i][j] ? 1 : 0;
          cost.fill += !a[i][j] && i != j ? 1 : 0;
          a[i][j] = true;
        }
      }
    }
    cost.divisions += any ? 1 : 0;
  }
  return cost;
}

TEST(CountFactorization, CountsWhatAnEliminationDoes) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int size = static_cast<int>(random.integer(1, 70));
    SymmetricPattern pattern(size);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j <= i; ++j) {
        if (random.uniform() < 0.15) {
          pattern.add(i, j);
        }
      }
    }
    const std::vector<int> order = random.permutation(size);
    EXPECT_EQ(count_factorization(pattern, order), count_by_doing(pattern, order));
  }
}

TEST(StructuralDependence, FindsRowsThatTouchTooFewColumns) {
  // Rows 0, 2 and 3 share columns 1 and 4; row 1 has its own.
  EXPECT_EQ(find_structurally_dependent_rows({{1, 4}, {0, 2, 3}, {4}, {1, 4}}, 5),
            (std::vector{0, 2, 3}));
  EXPECT_EQ(find_structurally_dependent_rows({{2}, {}}, 3), std::vector{1});
  EXPECT_TRUE(find_structurally_dependent_rows({{0, 1}, {0}, {1, 2}}, 3).empty());
  EXPECT_TRUE(find_structurally_dependent_rows({}, 3).empty());
  EXPECT_THROW(find_structurally_dependent_rows({{0}, {3}}, 3), std::invalid_argument);
}

}  // namespace
}  // namespace camber::symbolic
