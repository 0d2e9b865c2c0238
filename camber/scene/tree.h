#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "camber/scene/bounds.h"

namespace camber::scene::internal {

/// Two children with their boxes.
struct alignas(64) TreeNode {
  Bounds box[2];
  std::int32_t child[2];  // >= 0: a node; else a leaf, see leaf_of()
  std::int32_t axis;      // along which the children were separated
  std::int32_t parent;    // -1: the root
};

/// A binary tree of boxes over primitives, for rays. The order of the primitives in leaves is that
/// of `order`.
struct Tree {
  static constexpr int kMaxLeaf = 8;
  struct Leaf {
    std::int32_t first, count;
  };
  static std::int32_t make_leaf(std::int32_t first, std::int32_t count) {
    return -(first * (kMaxLeaf + 1) + count) - 1;
  }
  static Leaf leaf_of(std::int32_t child) {
    const std::int32_t code = -(child + 1);
    return {code / (kMaxLeaf + 1), code % (kMaxLeaf + 1)};
  }

  std::vector<TreeNode> nodes;      // the root is 0; empty: there are no primitives
  std::vector<std::int32_t> order;  // primitives by leaf
  Bounds bounds;
  float reach[3] = {0, 0, 0};  // max absolute coordinate of the bounds

  /// Takes over the boxes' new places; the shape of the tree is kept.
  void refit(std::span<const Bounds> boxes);
  /// Sum of the half areas of all child boxes: the expected cost of a random ray.
  double cost() const;
  void set_bounds(const Bounds& b);
};

/// Binned surface area heuristic [Wald 2007], 16 bins. Leaves have up to `leaf_size` primitives.
Tree build_tree(std::span<const Bounds> boxes, int leaf_size);

}  // namespace camber::scene::internal
