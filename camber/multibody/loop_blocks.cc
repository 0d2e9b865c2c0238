#include "camber/multibody/loop_blocks.h"

#include <algorithm>
#include <type_traits>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <boost/graph/strong_components.hpp>

#include "camber/core/require.h"
#include "camber/math/scalar.h"
#include "camber/math/small_inverse.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

namespace {

// The row assigned to each column, or nothing if a column gets none.
std::vector<int> match_rows(const Pattern& pattern) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  const std::size_t n = pattern.size();
  Graph graph(2 * n);  // rows, then columns
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      if (pattern[r][c]) add_edge(r, n + c, graph);
    }
  }
  std::vector<std::size_t> mate(2 * n);
  edmonds_maximum_cardinality_matching(graph, mate.data());
  std::vector<int> row_of(n);
  for (std::size_t c = 0; c < n; ++c) {
    if (mate[n + c] >= n) return {};
    row_of[c] = static_cast<int>(mate[n + c]);
  }
  return row_of;
}

}  // namespace

std::vector<LoopBlock> whole_block(int size) {
  if (size == 0) return {};
  return {LoopBlock{0, size, 0, {}, {}}};
}

void order_for_elimination(MatrixX<double> A, int* rows, int* columns) {
  const int n = static_cast<int>(A.rows());
  for (int k = 0; k < n; ++k) {
    int r = 0, c = 0;
    A.bottomRightCorner(n - k, n - k).cwiseAbs().maxCoeff(&r, &c);
    r += k;
    c += k;
    A.row(k).swap(A.row(r));
    A.col(k).swap(A.col(c));
    std::swap(rows[k], rows[r]);
    std::swap(columns[k], columns[c]);
    if (A(k, k) == 0) return;
    for (int i = k + 1; i < n; ++i) A.row(i) -= A.row(k) * (A(i, k) / A(k, k));
  }
}

std::vector<LoopBlock> order_into_blocks(const Pattern& pattern, const MatrixX<double>& values,
                                         std::vector<int>* rows, std::vector<int>* columns) {
  const std::size_t n = pattern.size();
  require(rows->size() == n && columns->size() == n, "order_into_blocks: the matrix is not square");
  const std::vector<int> row_of = match_rows(pattern);
  if (row_of.empty()) {
    order_for_elimination(values, rows->data(), columns->data());
    return whole_block(static_cast<int>(n));
  }
  // An edge leads from a column to those that its row needs, so that components are found in the
  // order in which they are needed.
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(n);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t k = 0; k < n; ++k) {
      if (k != c && pattern[row_of[c]][k]) add_edge(c, k, graph);
    }
  }
  std::vector<int> component(n);
  const int count = boost::strong_components(graph, component.data());

  std::vector<LoopBlock> blocks;
  std::vector<int> new_rows, new_columns;  // old places
  int inverse_start = 0;
  for (int b = 0; b < count; ++b) {
    LoopBlock block;
    block.start = static_cast<int>(new_columns.size());
    block.inverse_start = inverse_start;
    for (std::size_t c = 0; c < n; ++c) {
      if (component[c] != b) continue;
      new_columns.push_back(static_cast<int>(c));
      new_rows.push_back(row_of[c]);
    }
    block.size = static_cast<int>(new_columns.size()) - block.start;
    inverse_start += block.size * block.size;
    MatrixX<double> own(block.size, block.size);
    for (int i = 0; i < block.size; ++i) {
      for (int j = 0; j < block.size; ++j)
        own(i, j) = values(new_rows[block.start + i], new_columns[block.start + j]);
    }
    order_for_elimination(own, &new_rows[block.start], &new_columns[block.start]);
    for (int k = 0; k < block.start; ++k) {
      const bool is_needed = std::any_of(new_rows.begin() + block.start, new_rows.end(),
                                         [&](int r) { return bool(pattern[r][new_columns[k]]); });
      if (is_needed) block.earlier.push_back(k);
    }
    blocks.push_back(std::move(block));
  }
  const std::vector<int> old_rows = *rows, old_columns = *columns;
  for (std::size_t k = 0; k < n; ++k) {
    (*columns)[k] = old_columns[new_columns[k]];
    (*rows)[k] = old_rows[new_rows[k]];
  }
  return blocks;
}

namespace {

// One block of kSize equations, or of any number: kSize = 0. Small loops have a fixed count at
// compile time.
template <int kSize, class T>
[[gnu::always_inline]] inline T invert_block(const LoopBlock& block, const DependentColumns<T>& Y1,
                                             T* work, T* inverses) {
  const int n = kSize > 0 ? kSize : block.size;
  T few[std::max(kSize * kSize, 1)];
  T* A = kSize > 0 ? few : work;
  for (int j = 0; j < n; ++j) {
    const T* column = Y1[block.start + j] + block.start;
    for (int i = 0; i < n; ++i) A[j * n + i] = column[i];
  }
  return math::invert_small(n, A, inverses + block.inverse_start);
}

template <int kSize, class T>
[[gnu::always_inline]] inline void solve_block(const LoopBlock& block,
                                               const DependentColumns<T>& Y1, const T* inverses,
                                               const T* b, T* work, T* x) {
  const int n = kSize > 0 ? kSize : block.size, start = block.start;
  T few[std::max(kSize, 1)];
  T* y = kSize > 0 ? few : work;
  for (int i = 0; i < n; ++i) y[i] = b[start + i];
  for (const int k : block.earlier) {
    const T* column = Y1[k] + start;
    for (int i = 0; i < n; ++i) y[i] -= column[i] * x[k];
  }
  const T* inverse = inverses + block.inverse_start;
  for (int i = 0; i < n; ++i) {
    T sum = inverse[i] * y[0];
    for (int r = 1; r < n; ++r) sum += inverse[r * n + i] * y[r];
    x[start + i] = sum;
  }
}

// Calls the kernel for the block's size.
template <class Kernel>
[[gnu::always_inline]] inline void by_size(int size, const Kernel& kernel) {
  switch (size) {
    case 1:
      return kernel(std::integral_constant<int, 1>());
    case 2:
      return kernel(std::integral_constant<int, 2>());
    case 3:
      return kernel(std::integral_constant<int, 3>());
    case 6:
      return kernel(std::integral_constant<int, 6>());
    default:
      return kernel(std::integral_constant<int, 0>());
  }
}

}  // namespace

template <class T>
T invert_blocks(const std::vector<LoopBlock>& blocks, const DependentColumns<T>& Y1, T* work,
                T* inverses) {
  using math::select;
  T least = T(1e300);
  for (const LoopBlock& block : blocks) {
    by_size(block.size, [&](auto size) {
      const T pivot = invert_block<size.value>(block, Y1, work, inverses);
      least = select(pivot < least, pivot, least);
    });
  }
  return least;
}

template <class T>
void solve_blocks(const std::vector<LoopBlock>& blocks, const DependentColumns<T>& Y1,
                  const T* inverses, T* work, T* x) {
  for (const LoopBlock& block : blocks) {
    by_size(block.size,
            [&](auto size) { solve_block<size.value>(block, Y1, inverses, x, work, x); });
  }
}

template <class T>
void solve_blocks(const std::vector<LoopBlock>& blocks, const std::vector<int>& which,
                  const DependentColumns<T>& Y1, const T* inverses, const T* b, T* work, T* x) {
  for (const int i : which) {
    const LoopBlock& block = blocks[i];
    by_size(block.size,
            [&](auto size) { solve_block<size.value>(block, Y1, inverses, b, work, x); });
  }
}

#define CAMBER_INSTANTIATE(T)                                                                     \
  template T invert_blocks(const std::vector<LoopBlock>&, const DependentColumns<T>&, T*, T*);    \
  template void solve_blocks(const std::vector<LoopBlock>&, const DependentColumns<T>&, const T*, \
                             T*, T*);                                                             \
  template void solve_blocks(const std::vector<LoopBlock>&, const std::vector<int>&,              \
                             const DependentColumns<T>&, const T*, const T*, T*, T*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
