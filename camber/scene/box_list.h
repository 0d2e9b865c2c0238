#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "camber/scene/fan.h"

namespace camber::scene::internal {

/// Candidates of rays with their boxes in the axes of a fan, from near to far, for tests of sixteen
/// at a time.
template <class Item, int kMaxCount>
class BoxList {
 public:
  static constexpr int kMax = kMaxCount;
  static_assert(kMax % 16 == 0);

  void clear() { count_ = 0; }
  /// False if the list is full.
  bool add(const Bounds& box, float enter, const Item& item) {
    if (count_ == kMax) return false;
    found_boxes_[count_] = box;
    found_[count_] = item;
    found_enters_[count_] = enter;
    ++count_;
    return true;
  }
  /// From near to far by eighths of an octave of the range, which is accurate enough: each block
  /// has the min range of its own and all later boxes. To be called after the last add().
  void sort() {
    std::array<std::uint16_t, kBuckets + 1> start{};
    for (int k = 0; k < count_; ++k) ++start[bucket_of(found_enters_[k]) + 1];
    for (int b = 0; b < kBuckets; ++b)
      start[b + 1] = static_cast<std::uint16_t>(start[b + 1] + start[b]);
    std::array<float, kMax> enters;
    for (int k = 0; k < count_; ++k) {
      const int to = start[bucket_of(found_enters_[k])]++;
      items_[to] = found_[k];
      enters[to] = found_enters_[k];
      set_box(to, found_boxes_[k]);
    }
    for (int k = count_; k % 16 != 0; ++k) set_box(k, Bounds{});
    float least = Bounds::kFar;
    for (int k = count_ - 1; k >= 0; --k) {
      least = std::min(least, enters[k]);
      if (k % 16 == 0) enter_[k / 16] = least;
    }
  }

  int size() const { return count_; }
  int block_count() const { return (count_ + 15) / 16; }
  const Boxes16& block(int b) const { return blocks_[b]; }
  /// Range before which no ray enters the boxes of this block and later ones.
  float enter(int b) const { return enter_[b]; }
  const Item& item(int k) const { return items_[k]; }
  Bounds box(int k) const {
    Bounds box;
    for (int a = 0; a < 3; ++a) {
      box.low[a] = blocks_[k / 16].low[a][k % 16], box.high[a] = blocks_[k / 16].high[a][k % 16];
    }
    return box;
  }

 private:
  static constexpr int kBuckets = 160;
  static int bucket_of(float enter) {
    // Bits of positive floats are ordered as their values: eight steps per octave from 2^-4 on.
    constexpr std::int32_t kFirst = 123 << 3;
    const std::int32_t step = (std::bit_cast<std::int32_t>(enter) >> 20) - kFirst;
    return std::clamp(step, 0, kBuckets - 1);
  }
  void set_box(int k, const Bounds& box) {
    for (int a = 0; a < 3; ++a) {
      blocks_[k / 16].low[a][k % 16] = box.low[a], blocks_[k / 16].high[a][k % 16] = box.high[a];
    }
  }

  int count_ = 0;
  std::array<Boxes16, kMax / 16> blocks_;
  std::array<float, kMax / 16> enter_;
  std::array<Item, kMax> items_;
  // In the order of add():
  std::array<Bounds, kMax> found_boxes_;
  std::array<Item, kMax> found_;
  std::array<float, kMax> found_enters_;
};

/// A leaf of a mesh, or a shape, that rays may meet.
struct Candidate {
  std::int32_t instance = 0;
  std::int32_t first = 0, count = 0;  // triangles of the mesh; 0: a shape
};

}  // namespace camber::scene::internal
