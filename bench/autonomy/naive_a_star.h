#pragma once

// A* as textbooks have it, for comparison: a binary heap of the standard library, costs in doubles,
// one byte per cell for the map. Nothing is done to slow it down.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <queue>
#include <vector>

#include "camber/planning/occupancy_grid.h"

namespace camber::bench {

class NaiveAStar {
 public:
  explicit NaiveAStar(const planning::OccupancyGrid& grid)
      : width_(grid.width() + 2), free_(static_cast<std::size_t>(width_) * (grid.height() + 2)) {
    for (int y = 0; y < grid.height(); ++y) {
      for (int x = 0; x < grid.width(); ++x) free_[index(x, y)] = !grid.is_blocked(x, y);
    }
    costs_.resize(free_.size());
    stamps_.assign(free_.size(), 0);
    closed_.assign(free_.size(), 0);
  }

  /// Length of the shortest path; infinite if the goal cannot be reached.
  double find_length(planning::Cell start, planning::Cell goal) {
    expansions = 0;
    ++stamp_;
    const int goal_index = index(goal.x, goal.y);
    const int offsets[8] = {1,  width_ + 1,  width_,  width_ - 1,
                            -1, -width_ - 1, -width_, 1 - width_};
    const int gx = goal.x + 1, gy = goal.y + 1;
    const auto estimate = [&](int at) {
      const double dx = std::abs(at % width_ - gx), dy = std::abs(at / width_ - gy);
      return std::max(dx, dy) + (std::numbers::sqrt2 - 1) * std::min(dx, dy);
    };
    struct Entry {
      double f;
      int at;
      bool operator<(const Entry& other) const { return f > other.f; }
    };
    std::priority_queue<Entry> queue;
    const int first = index(start.x, start.y);
    if (!free_[first] || !free_[goal_index]) return INFINITY;
    costs_[first] = 0;
    stamps_[first] = stamp_;
    queue.push({estimate(first), first});
    while (!queue.empty()) {
      const int at = queue.top().at;
      queue.pop();
      if (closed_[at] == stamp_) continue;
      closed_[at] = stamp_;
      if (at == goal_index) return costs_[at];
      ++expansions;
      for (int k = 0; k < 8; ++k) {
        const int to = at + offsets[k];
        if (!free_[to]) continue;
        if (k % 2 && (!free_[at + offsets[k - 1]] || !free_[at + offsets[(k + 1) % 8]])) continue;
        const double cost = costs_[at] + (k % 2 ? std::numbers::sqrt2 : 1);
        if (stamps_[to] == stamp_ && cost >= costs_[to]) continue;
        stamps_[to] = stamp_;
        costs_[to] = cost;
        queue.push({cost + estimate(to), to});
      }
    }
    return INFINITY;
  }

  std::int64_t expansions = 0;  // cells that the last search took from its heap

 private:
  int index(int x, int y) const { return (y + 1) * width_ + x + 1; }

  int width_;
  std::vector<char> free_;
  std::vector<double> costs_;
  std::vector<std::uint32_t> stamps_, closed_;
  std::uint32_t stamp_ = 0;
};

}  // namespace camber::bench
