// Block triangular form of a loop cluster's equations: random sparse systems that are solved block
// by block and, as the independent route, by Eigen as a whole.
#include "camber/multibody/loop_blocks.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/dense.h"

namespace camber::multibody {
namespace {

struct System {
  Pattern pattern;
  MatrixX<double> values;
};

// Three linkages in a row, each with equations of its own that also have some speeds of earlier
// ones, then rows and columns exchanged at random.
System make_system(std::uint64_t seed, const std::vector<int>& sizes) {
  RandomStream random(seed);
  const int n = std::accumulate(sizes.begin(), sizes.end(), 0);
  std::vector<int> rows(static_cast<std::size_t>(n)), columns(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), 0);
  std::iota(columns.begin(), columns.end(), 0);
  for (int i = n - 1; i > 0; --i) {
    std::swap(rows[i], rows[random.integer(0, i)]);
    std::swap(columns[i], columns[random.integer(0, i)]);
  }
  System system{
      Pattern(static_cast<std::size_t>(n), std::vector<bool>(static_cast<std::size_t>(n))),
      MatrixX<double>::Zero(n, n)};
  int start = 0;
  for (const int size : sizes) {
    for (int i = start; i < start + size; ++i) {
      for (int j = 0; j < start + size; ++j) {
        if (j < start && random.uniform() > 0.3) continue;
        system.pattern[rows[i]][columns[j]] = true;
        system.values(rows[i], columns[j]) = random.uniform(0.2, 1.7) * (i % 2 == j % 3 ? 1 : -1);
      }
    }
    start += size;
  }
  return system;
}

// Six equations have a kernel of their own, which takes the diagonal for pivots where that is good
// enough: with the rows in any order, and with a diagonal of zeros.
TEST(LoopBlocks, OfSixEquationsAreInvertedInAnyOrderOfTheirRows) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    MatrixX<double> A(6, 6);
    for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = random.uniform(-1.3, 1.7);
    if (seed % 2 == 0) A.diagonal().array() += 4;
    if (seed % 3 == 0) A.diagonal().setZero();
    const std::vector<int> starts = {0, 6, 12, 18, 24, 30};
    MatrixX<double> work(6, 6), inverse(6, 6);
    const double pivot =
        invert_blocks(whole_block(6), DependentColumns<double>{A.data(), starts.data()},
                      work.data(), inverse.data());
    EXPECT_GT(pivot, 1e-4);
    const MatrixX<double> expected =
        math::solve_with_full_pivoting(A, MatrixX<double>(MatrixX<double>::Identity(6, 6)));
    EXPECT_LT((inverse - expected).norm(), 1e-12 * expected.norm() * expected.norm() * A.norm());
  }
  MatrixX<double> A = MatrixX<double>::Random(6, 6);
  A.row(4) = A.row(1) * 0.7 - A.row(2) * 1.9;
  const std::vector<int> starts = {0, 6, 12, 18, 24, 30};
  MatrixX<double> work(6, 6), inverse(6, 6);
  EXPECT_LT(invert_blocks(whole_block(6), DependentColumns<double>{A.data(), starts.data()},
                          work.data(), inverse.data()),
            1e-14);
}

TEST(LoopBlocks, AreAsSmallAsTheLinkages) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const System system = make_system(seed, {2, 3, 1, 4});
    std::vector<int> rows(10), columns(10);
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
    const auto blocks = order_into_blocks(system.pattern, system.values, &rows, &columns);
    std::vector<int> sizes;
    for (const LoopBlock& block : blocks) sizes.push_back(block.size);
    std::sort(sizes.begin(), sizes.end());
    EXPECT_EQ(sizes, (std::vector<int>{1, 2, 3, 4}));
    // Nothing to the right of a block.
    for (const LoopBlock& block : blocks) {
      for (int i = block.start; i < block.start + block.size; ++i) {
        for (int j = block.start + block.size; j < 10; ++j)
          EXPECT_FALSE(system.pattern[rows[i]][columns[j]]);
      }
    }
  }
}

TEST(LoopBlocks, SolveWhatEigenSolves) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const System system = make_system(seed, {3, 2, 2, 3});
    std::vector<int> rows(10), columns(10);
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
    const auto blocks = order_into_blocks(system.pattern, system.values, &rows, &columns);
    const VectorX<double> right = VectorX<double>::LinSpaced(10, -1.3, 2.1);
    const VectorX<double> expected = math::solve_with_full_pivoting(system.values, right);
    MatrixX<double> Y(10, 10);
    VectorX<double> x(10);
    for (int i = 0; i < 10; ++i) {
      Y.row(i) = system.values.row(rows[i]);
      x[i] = right[rows[i]];
    }
    std::vector<double> inverses(100), work(100);
    std::vector<int> starts;
    for (const int column : columns) starts.push_back(10 * column);
    const DependentColumns<double> Y1{Y.data(), starts.data()};
    EXPECT_GT(invert_blocks(blocks, Y1, work.data(), inverses.data()), 0);
    solve_blocks(blocks, Y1, inverses.data(), work.data(), x.data());
    for (int i = 0; i < 10; ++i)
      EXPECT_NEAR(x[i], expected[columns[i]], 1e-9 * (1 + expected.norm()));
    // The first block alone, and then the others one by one.
    VectorX<double> again = VectorX<double>::Zero(10), b(10);
    for (int i = 0; i < 10; ++i) b[i] = right[rows[i]];
    for (int k = 0; k < static_cast<int>(blocks.size()); ++k)
      solve_blocks(blocks, {k}, Y1, inverses.data(), b.data(), work.data(), again.data());
    EXPECT_EQ(again, x);
  }
}

TEST(LoopBlocks, TakeASingularPatternAsOneBlock) {
  Pattern pattern(3, std::vector<bool>(3, false));
  for (std::size_t r = 0; r < 3; ++r) pattern[r][0] = pattern[r][1] = true;
  std::vector<int> rows{4, 5, 6}, columns{7, 8, 9};
  MatrixX<double> values = MatrixX<double>::Zero(3, 3);
  values.leftCols(2).setConstant(0.7);
  const auto blocks = order_into_blocks(pattern, values, &rows, &columns);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].size, 3);
}

}  // namespace
}  // namespace camber::multibody
