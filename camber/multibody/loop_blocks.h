#pragma once

#include <vector>

#include "camber/math/types.h"

namespace camber::multibody {

/// A group of a cluster's dependent speeds that its own equations determine once those of earlier
/// blocks are known: a suspension's wishbones, then its tie rod, then its strut.
struct LoopBlock {
  int start = 0, size = 0;       // in Part::rows and Part::dependent alike
  int inverse_start = 0;         // of its matrix among the inverses of all blocks
  std::vector<int> earlier;      // dependent speeds of earlier blocks in its equations
  std::vector<int> independent;  // places in Part::independent: speeds that move it
};

/// The columns in which each row of a square matrix may have entries.
using Pattern = std::vector<std::vector<bool>>;

/// Puts rows and columns in an order that makes the matrix block lower triangular, with blocks as
/// small as can be: strong components of the graph of rows matched to columns [Duff & Reid 1978].
/// Inside a block, elimination without pivoting has large pivots for the given values. A matrix
/// that is singular for all values of its entries becomes one block.
std::vector<LoopBlock> order_into_blocks(const Pattern& pattern, const MatrixX<double>& values,
                                         std::vector<int>* rows, std::vector<int>* columns);

/// Orders rows and columns so that elimination without pivoting has large pivots.
void order_for_elimination(MatrixX<double> A, int* rows, int* columns);

/// A matrix as one block.
std::vector<LoopBlock> whole_block(int size);

/// The dependent columns of a cluster's Y, and where each starts.
template <class T>
struct DependentColumns {
  const T* Y = nullptr;
  const int* starts = nullptr;
  const T* operator[](int k) const { return Y + starts[k]; }
};

/// Inverses of the blocks on the diagonal, one after the other. Returns the smallest pivot. `work`
/// has room for the largest block.
template <class T>
T invert_blocks(const std::vector<LoopBlock>& blocks, const DependentColumns<T>& Y1, T* work,
                T* inverses);

/// x = Y1^-1 x, block by block. `work` has room for a column of the largest block.
template <class T>
void solve_blocks(const std::vector<LoopBlock>& blocks, const DependentColumns<T>& Y1,
                  const T* inverses, T* work, T* x);

/// x = Y1^-1 b in the blocks `which`, in their order; it is zero in others that these need.
template <class T>
void solve_blocks(const std::vector<LoopBlock>& blocks, const std::vector<int>& which,
                  const DependentColumns<T>& Y1, const T* inverses, const T* b, T* work, T* x);

}  // namespace camber::multibody
