#include "camber/scene/tree.h"

#include <array>
#include <cmath>
#include <numeric>

namespace camber::scene::internal {
namespace {

constexpr int kBins = 16;
// Cost of a step through a node over that of a primitive's test, for packets.
constexpr float kNodeCost = 1.0F;

struct Builder {
  std::span<const Bounds> boxes;
  int leaf_size;
  Tree* tree;

  float center(std::int32_t k, int axis) const {
    return 0.5F * (boxes[k].low[axis] + boxes[k].high[axis]);
  }

  struct Split {
    int axis = -1, bin = 0;
    float cost = Bounds::kFar;
  };

  Split find_split(std::int32_t first, std::int32_t count, const Bounds& centers) const {
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
      const float low = centers.low[axis], width = centers.high[axis] - low;
      if (!(width > 0)) continue;
      const float scale = kBins * (1 - 1e-6F) / width;
      std::array<Bounds, kBins> bin;
      std::array<int, kBins> number{};
      for (std::int32_t k = first; k < first + count; ++k) {
        const std::int32_t p = tree->order[k];
        const int b = static_cast<int>((center(p, axis) - low) * scale);
        bin[b].add(boxes[p]), ++number[b];
      }
      std::array<float, kBins> right_cost{};
      Bounds box;
      int n = 0;
      for (int b = kBins - 1; b > 0; --b) {
        box.add(bin[b]), n += number[b];
        right_cost[b] = n > 0 ? box.half_area() * static_cast<float>(n) : 0.0F;
      }
      box = {}, n = 0;
      for (int b = 1; b < kBins; ++b) {
        box.add(bin[b - 1]), n += number[b - 1];
        if (n == 0 || n == count) continue;
        const float cost = box.half_area() * static_cast<float>(n) + right_cost[b];
        if (cost < best.cost) best = {axis, b, cost};
      }
    }
    return best;
  }

  /// Returns the child code of the part and its box.
  std::int32_t build(std::int32_t first, std::int32_t count, std::int32_t parent, Bounds* bounds) {
    Bounds centers;
    for (std::int32_t k = first; k < first + count; ++k) {
      const std::int32_t p = tree->order[k];
      bounds->add(boxes[p]);
      const float c[3] = {center(p, 0), center(p, 1), center(p, 2)};
      centers.add(c);
    }
    if (count == 1) return Tree::make_leaf(first, count);
    const Split split = find_split(first, count, centers);
    const bool fits = count <= leaf_size;
    if (fits && (split.axis < 0 || split.cost + kNodeCost * bounds->half_area() >=
                                       bounds->half_area() * static_cast<float>(count))) {
      return Tree::make_leaf(first, count);
    }
    std::int32_t middle;
    const auto begin = tree->order.begin() + first, end = begin + count;
    int axis = split.axis;
    if (axis < 0) {  // all centers in one place
      middle = first + count / 2;
      axis = 0;
    } else {
      const float low = centers.low[axis];
      const float scale = kBins * (1 - 1e-6F) / (centers.high[axis] - low);
      middle = static_cast<std::int32_t>(
          std::partition(begin, end,
                         [&](std::int32_t p) {
                           return static_cast<int>((center(p, axis) - low) * scale) < split.bin;
                         }) -
          tree->order.begin());
    }
    const auto self = static_cast<std::int32_t>(tree->nodes.size());
    tree->nodes.emplace_back();
    Bounds box[2];
    const std::int32_t a = build(first, middle - first, self, &box[0]);
    const std::int32_t b = build(middle, first + count - middle, self, &box[1]);
    tree->nodes[self] = {{box[0], box[1]}, {a, b}, axis, parent};
    return self;
  }
};

}  // namespace

void Tree::set_bounds(const Bounds& b) {
  bounds = b;
  for (int a = 0; a < 3; ++a) reach[a] = std::max(std::abs(b.low[a]), std::abs(b.high[a]));
}

Tree build_tree(std::span<const Bounds> boxes, int leaf_size) {
  Tree tree;
  if (boxes.empty()) return tree;
  const auto count = static_cast<std::int32_t>(boxes.size());
  tree.order.resize(boxes.size());
  std::iota(tree.order.begin(), tree.order.end(), 0);
  tree.nodes.reserve(boxes.size());
  Bounds bounds;
  Builder builder{boxes, leaf_size, &tree};
  const std::int32_t root = builder.build(0, count, -1, &bounds);
  if (root < 0) {  // one leaf: a node whose other child is empty
    tree.nodes.push_back({{bounds, Bounds{}}, {root, Tree::make_leaf(0, 0)}, 0, -1});
  }
  tree.nodes.shrink_to_fit();
  tree.set_bounds(bounds);
  return tree;
}

void Tree::refit(std::span<const Bounds> boxes) {
  // Children come after their parents.
  for (auto n = static_cast<std::int32_t>(nodes.size()) - 1; n >= 0; --n) {
    for (int c = 0; c < 2; ++c) {
      const std::int32_t child = nodes[n].child[c];
      Bounds box;
      if (child >= 0) {
        box = nodes[child].box[0];
        box.add(nodes[child].box[1]);
      } else {
        const Leaf leaf = leaf_of(child);
        for (std::int32_t k = leaf.first; k < leaf.first + leaf.count; ++k)
          box.add(boxes[order[k]]);
      }
      nodes[n].box[c] = box;
    }
  }
  if (nodes.empty()) return;
  Bounds all = nodes[0].box[0];
  all.add(nodes[0].box[1]);
  set_bounds(all);
}

double Tree::cost() const {
  double sum = 0;
  for (const TreeNode& node : nodes) {
    for (const Bounds& box : node.box) {
      if (!box.is_empty()) sum += box.half_area();
    }
  }
  return sum;
}

}  // namespace camber::scene::internal
