// [Harabor and Grastien 2011], jump point search, in the form for which corners are not cut
// [Harabor and Grastien 2012], with scans of whole words [Harabor and Grastien 2014]. Two changes:
//   - A diagonal run reaches the jump points of the straight scans beside it at once; its turning
//     points are not nodes. Every node but start and goal is so reached along x or y.
//   - A node that is reached at the same cost from two sides is expanded for both.
// Going along +x, cell (i, j) is a jump point if a side cell (i, j +- 1) is free and (i - 1, j +- 1)
// is blocked: that side cell and the diagonal one after it have no other shortest path. (1)

#include "camber/planning/grid_search.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <queue>
#include <tuple>
#include <utility>

#include "camber/core/require.h"

namespace camber::planning {
namespace {

enum Arrival : std::uint8_t { kPlusX = 1, kMinusX = 2, kPlusY = 4, kMinusY = 8, kStart = 16 };

bool comes_later(GridCost f, GridCost cost, std::int32_t node, GridCost other_f,
                 GridCost other_cost, std::int32_t other_node) {
  if (f != other_f) return f > other_f;
  if (cost != other_cost) return cost < other_cost;  // the one nearer to the goal first
  return node > other_node;
}

}  // namespace

double calc_length(const std::vector<Cell>& cells) {
  std::int64_t diagonal = 0, straight = 0;
  for (std::size_t k = 1; k < cells.size(); ++k) {
    (cells[k].x != cells[k - 1].x && cells[k].y != cells[k - 1].y ? diagonal : straight) += 1;
  }
  return static_cast<double>(straight) + static_cast<double>(diagonal) * std::numbers::sqrt2;
}

GridSearch::Plane GridSearch::make_plane(const std::vector<std::uint64_t>& blocked, int lines,
                                         int stride) {
  Plane plane{stride, blocked, blocked, blocked};
  const auto word = [&](int line, int w) {
    return w < 0 || w >= stride ? ~std::uint64_t{0}
                                : blocked[static_cast<std::size_t>(line) * stride + w];
  };
  for (int line = 1; line + 1 < lines; ++line) {
    for (int w = 0; w < stride; ++w) {
      for (const int side : {line - 1, line + 1}) {  // (1)
        const std::uint64_t b = word(side, w);
        const std::uint64_t before = (b << 1) | (word(side, w - 1) >> 63);
        const std::uint64_t after = (b >> 1) | (word(side, w + 1) << 63);
        plane.stop_up[static_cast<std::size_t>(line) * stride + w] |= ~b & before;
        plane.stop_down[static_cast<std::size_t>(line) * stride + w] |= ~b & after;
      }
    }
  }
  return plane;
}

GridSearch::GridSearch(const OccupancyGrid& grid)
    : width_(grid.width() + 2), height_(grid.height() + 2) {
  const int stride = grid.words_per_row();
  std::vector<std::uint64_t> rows(grid.row_words(-1),
                                  grid.row_words(-1) + static_cast<std::size_t>(height_) * stride);
  const int column_stride = (height_ + 63) / 64;
  std::vector<std::uint64_t> columns(static_cast<std::size_t>(width_) * column_stride,
                                     ~std::uint64_t{0});
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x < grid.width(); ++x) {
      if (grid.is_blocked(x, y)) continue;
      columns[static_cast<std::size_t>(x + 1) * column_stride + ((y + 1) >> 6)] &=
          ~(std::uint64_t{1} << ((y + 1) & 63));
    }
  }
  planes_[0] = make_plane(rows, height_, stride);
  planes_[1] = make_plane(columns, width_, column_stride);
  nodes_.resize(static_cast<std::size_t>(width_) * height_);
}

// The next set bit of the line's stops after `at`. The border is blocked, so there is one.
inline int GridSearch::scan(int plane, int line, int at, int step) const {
  const Plane& p = planes_[plane];
  const std::size_t first = static_cast<std::size_t>(line) * p.stride;
  int w = at >> 6;
  if (step > 0) {
    const int next = at + 1;
    w = next >> 6;
    std::uint64_t word = p.stop_up[first + w] >> (next & 63);
    if (word) return next + std::countr_zero(word);
    do {
      word = p.stop_up[first + ++w];
    } while (!word);
    return 64 * w + std::countr_zero(word);
  }
  const int next = at - 1;
  w = next >> 6;
  std::uint64_t word = p.stop_down[first + w] << (63 - (next & 63));
  if (word) return next - std::countl_zero(word);
  do {
    word = p.stop_down[first + --w];
  } while (!word);
  return 64 * w + 63 - std::countl_zero(word);
}

void GridSearch::reach(std::int32_t from, GridCost cost, int i, int j, std::uint8_t arrival) {
  const std::int32_t index = j * width_ + i;
  Node& node = nodes_[index];
  if (node.stamp != stamp_) {
    node = {cost, from, stamp_, arrival, arrival};
  } else if (cost < node.cost) {
    node = {cost, from, stamp_, arrival, arrival};
  } else if (cost == node.cost && !(node.arrived & arrival)) {
    node.arrived |= arrival;
    const bool is_queued = node.pending != 0;
    node.pending |= arrival;
    if (is_queued) return;
  } else {
    return;
  }
  heap_.push_back({cost + octile_cost({i, j}, {goal_i_, goal_j_}), cost, index});
  std::push_heap(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) {
    return comes_later(a.f, a.cost, a.node, b.f, b.cost, b.node);
  });
}

inline void GridSearch::run_straight(std::int32_t from, GridCost cost, int i, int j, int plane,
                                     int step) {
  const int line = plane == 0 ? j : i, at = plane == 0 ? i : j;
  int stop = scan(plane, line, at, step);
  // The goal is no stop of its own; a scan may pass it.
  const int goal_line = plane == 0 ? goal_j_ : goal_i_, goal_at = plane == 0 ? goal_i_ : goal_j_;
  if (line == goal_line &&
      (step > 0 ? at < goal_at && goal_at <= stop : at > goal_at && goal_at >= stop)) {
    stop = goal_at;
  }
  const int i_end = plane == 0 ? stop : i, j_end = plane == 0 ? j : stop;
  if (!is_free(i_end, j_end)) return;
  const std::uint8_t arrival =
      plane == 0 ? (step > 0 ? kPlusX : kMinusX) : (step > 0 ? kPlusY : kMinusY);
  reach(from, cost + std::abs(stop - at) * kStraightCost, i_end, j_end, arrival);
}

void GridSearch::run_diagonally(std::int32_t from, GridCost cost, int i, int j, int dx, int dy) {
  while (is_free(i + dx, j) && is_free(i, j + dy) && is_free(i + dx, j + dy)) {
    i += dx;
    j += dy;
    cost += kDiagonalCost;
    if (i == goal_i_ && j == goal_j_) {
      reach(from, cost, i, j, kStart);
      return;
    }
    run_straight(from, cost, i, j, 0, dx);
    run_straight(from, cost, i, j, 1, dy);
  }
}

void GridSearch::expand(std::int32_t index) {
  Node& node = nodes_[index];
  const std::uint8_t arrivals = std::exchange(node.pending, std::uint8_t{0});
  const GridCost cost = node.cost;
  const int i = index % width_, j = index / width_;
  if (arrivals & kStart) {
    for (const int step : {-1, 1}) {
      run_straight(index, cost, i, j, 0, step);
      run_straight(index, cost, i, j, 1, step);
      for (const int dy : {-1, 1}) run_diagonally(index, cost, i, j, step, dy);
    }
  }
  for (const int step : {-1, 1}) {
    if (arrivals & (step > 0 ? kPlusX : kMinusX)) {
      run_straight(index, cost, i, j, 0, step);
      for (const int side : {-1, 1}) {
        if (is_free(i - step, j + side) || !is_free(i, j + side)) continue;
        run_straight(index, cost, i, j, 1, side);
        run_diagonally(index, cost, i, j, step, side);
      }
    }
    if (arrivals & (step > 0 ? kPlusY : kMinusY)) {
      run_straight(index, cost, i, j, 1, step);
      for (const int side : {-1, 1}) {
        if (is_free(i + side, j - step) || !is_free(i + side, j)) continue;
        run_straight(index, cost, i, j, 0, side);
        run_diagonally(index, cost, i, j, side, step);
      }
    }
  }
}

GridPath GridSearch::find_path(Cell start, Cell goal) {
  GridPath path;
  const auto is_good = [&](Cell c) {
    return c.x >= 0 && c.y >= 0 && c.x + 2 < width_ && c.y + 2 < height_ &&
           is_free(c.x + 1, c.y + 1);
  };
  if (!is_good(start) || !is_good(goal)) return path;
  if (++stamp_ == 0) {  // after 2^32 searches all nodes look new
    for (Node& node : nodes_) node.stamp = 0;
    stamp_ = 1;
  }
  goal_i_ = goal.x + 1;
  goal_j_ = goal.y + 1;
  heap_.clear();
  const std::int32_t goal_index = goal_j_ * width_ + goal_i_;
  reach(-1, 0, start.x + 1, start.y + 1, kStart);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) {
      return comes_later(a.f, a.cost, a.node, b.f, b.cost, b.node);
    });
    const Entry entry = heap_.back();
    heap_.pop_back();
    if (entry.node == goal_index) {
      GridPath result = make_path(goal_index);
      result.expansions = path.expansions;
      return result;
    }
    const Node& node = nodes_[entry.node];
    if (entry.cost != node.cost || !node.pending) continue;  // reached at less cost since
    ++path.expansions;
    expand(entry.node);
  }
  return path;
}

GridPath GridSearch::make_path(std::int32_t goal) const {
  GridPath path;
  path.found = true;
  const auto cell = [&](std::int32_t index) {
    return Cell{index % width_ - 1, index / width_ - 1};
  };
  std::vector<std::int32_t> turns;
  for (std::int32_t n = goal; n >= 0; n = nodes_[n].parent) turns.push_back(n);
  Cell at = cell(turns.back());
  path.cells.push_back(at);
  for (std::size_t k = turns.size() - 1; k-- > 0;) {
    const Cell to = cell(turns[k]);
    while (at != to) {  // diagonal moves first
      at.x += (to.x > at.x) - (to.x < at.x);
      at.y += (to.y > at.y) - (to.y < at.y);
      path.cells.push_back(at);
    }
  }
  path.length = calc_length(path.cells);
  return path;
}

std::vector<GridCost> calc_costs_from(const OccupancyGrid& grid, Cell start) {
  require(grid.contains(start), "calc_costs_from: cell ", start.x, ", ", start.y,
          " is not in the grid");
  std::vector<GridCost> costs(static_cast<std::size_t>(grid.width()) * grid.height(), kNoPath);
  const auto index = [&](Cell c) { return static_cast<std::size_t>(c.y) * grid.width() + c.x; };
  if (grid.is_blocked(start.x, start.y)) return costs;
  using Entry = std::tuple<GridCost, int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  costs[index(start)] = 0;
  queue.emplace(0, start.x, start.y);
  while (!queue.empty()) {
    const auto [cost, x, y] = queue.top();
    queue.pop();
    if (cost > costs[index({x, y})]) continue;
    for (int k = 0; k < 8; ++k) {
      if (!can_move(grid, {x, y}, kNeighborX[k], kNeighborY[k])) continue;
      const Cell to{x + kNeighborX[k], y + kNeighborY[k]};
      const GridCost there = cost + (k % 2 ? kDiagonalCost : kStraightCost);
      if (there >= costs[index(to)]) continue;
      costs[index(to)] = there;
      queue.emplace(there, to.x, to.y);
    }
  }
  return costs;
}

}  // namespace camber::planning
