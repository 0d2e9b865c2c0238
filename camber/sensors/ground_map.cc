// The ground in point clouds, in five passes over the cells of a grid:
//   1. the lowest points of each cell; a cell whose points are farther apart than a step has an
//      object in it, whose lowest point is not ground
//   2. groups of cells that nothing around them belongs to: those that are narrow are objects
//   3. opening with windows of growing width [Zhang 2003]: the lowest neighbor, then the highest of
//      those; what stands out from the result is narrower than the window
//   4. growth from the seeds: a cell is ground if it is below its neighbor's ground plus a step, plus
//      the slope over cells without ground; others are passed over, the narrowest gaps first
//   5. holes are filled from their rim, then stretched over it (Laplace's equation)
// [Zhang 2003] K. Zhang et al., "A progressive morphological filter for removing nonground
// measurements from airborne LIDAR data", IEEE TGRS 41(4). It differs in two points: cells without
// points take no part, and the threshold grows with the slope that the opened ground has around a
// cell, not with one slope for all: opening leaves a slope as it is but for its upper end.

#include "camber/sensors/ground_map.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <limits>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::sensors {
namespace {

using math::Vec3;

constexpr double kNone = std::numeric_limits<double>::infinity();  // a cell without ground

class GroundMapper {
 public:
  GroundMapper(std::span<const ScanPoint> points, const GroundMapOptions& options)
      : options_(options), points_(points) {
    require(!points.empty(), "make_ground_map: there are no points");
    require(options.spacing > 0, "make_ground_map: the spacing must be > 0 m, got ",
            options.spacing);
    double x0 = points[0].position[0], x1 = x0, y0 = points[0].position[1], y1 = y0;
    for (const ScanPoint& p : points) {
      require(std::isfinite(p.position[0] + p.position[1] + p.position[2]),
              "make_ground_map: a point is not finite");
      x0 = std::min(x0, p.position[0]), x1 = std::max(x1, p.position[0]);
      y0 = std::min(y0, p.position[1]), y1 = std::max(y1, p.position[1]);
    }
    const double s = options.spacing;
    const double nx = std::ceil((x1 - x0) / s) + 1, ny = std::ceil((y1 - y0) / s) + 1;
    require(nx * ny <= 4e7, "make_ground_map: ", nx, " x ", ny, " nodes are too many");
    grid_ = {.nx = std::max(2, static_cast<int>(nx)),
             .ny = std::max(2, static_cast<int>(ny)),
             .spacing = s,
             .origin_x = x0,
             .origin_y = y0};
    height_.assign(static_cast<std::size_t>(grid_.nx) * grid_.ny, kNone);
  }

  terrain::HeightGrid run() {
    find_lowest();
    drop_lone_groups();
    open();
    drop_lone_groups();
    grow();
    fill();
    grid_.heights.resize(height_.size());
    for (std::size_t k = 0; k < height_.size(); ++k)
      grid_.heights[k] = static_cast<float>(height_[k] < kNone ? height_[k] : 0);
    return std::move(grid_);
  }

 private:
  std::size_t number(int i, int j) const { return static_cast<std::size_t>(j) * grid_.nx + i; }
  int column(double x) const {
    return std::clamp(static_cast<int>(std::lround((x - grid_.origin_x) / grid_.spacing)), 0,
                      grid_.nx - 1);
  }
  int row(double y) const {
    return std::clamp(static_cast<int>(std::lround((y - grid_.origin_y) / grid_.spacing)), 0,
                      grid_.ny - 1);
  }
  std::size_t cell(const ScanPoint& p) const {
    return number(column(p.position[0]), row(p.position[1]));
  }

  int column_of(std::size_t k) const { return static_cast<int>(k % grid_.nx); }
  int row_of(std::size_t k) const { return static_cast<int>(k / grid_.nx); }
  /// The cell itself and the eight around it.
  template <class Action>
  void each_neighbor(std::size_t k, const Action& action) const {
    const int i = column_of(k), j = row_of(k);
    for (int b = std::max(0, j - 1); b <= std::min(grid_.ny - 1, j + 1); ++b)
      for (int a = std::max(0, i - 1); a <= std::min(grid_.nx - 1, i + 1); ++a)
        action(number(a, b));
  }

  void find_lowest() {
    std::vector<double> lowest(height_.size(), kNone), top(height_.size(), -kNone);
    std::vector<double> sum(height_.size(), 0);
    std::vector<int> count(height_.size(), 0);
    for (const ScanPoint& p : points_) {
      double& low = lowest[cell(p)];
      low = std::min(low, p.position[2]);
    }
    for (const ScanPoint& p : points_) {
      const std::size_t k = cell(p);
      const double above = p.position[2] - lowest[k];
      if (above <= options_.clearance) top[k] = std::max(top[k], above);
      if (above > options_.thickness) continue;
      sum[k] += p.position[2];
      ++count[k];
    }
    // The steepest ground within a cell is not an object.
    const double steep =
        options_.max_slope * std::sqrt(2.0) * options_.spacing + options_.thickness;
    const double limit = std::max(options_.max_step, steep);
    for (std::size_t k = 0; k < height_.size(); ++k)
      if (count[k] > 0 && top[k] <= limit) height_[k] = sum[k] / count[k];
  }

  // The lowest or highest of (2 r + 1)^2 cells, rows and columns one after the other.
  enum class Extreme { kLowest, kHighest };
  void sweep(int r, Extreme which, std::vector<double>* values) const {
    std::vector<double> rows(values->size());
    const auto pass = [&](const std::vector<double>& in, int length, int count, std::size_t step,
                          std::size_t stride, std::vector<double>* out) {
      for (int line = 0; line < count; ++line)
        for (int i = 0; i < length; ++i) {
          double best = kNone;
          for (int a = std::max(0, i - r); a <= std::min(length - 1, i + r); ++a) {
            const double value = in[line * stride + a * step];
            if (!(value < kNone)) continue;
            const bool is_better = which == Extreme::kLowest ? value < best : value > best;
            if (is_better || !(best < kNone)) best = value;
          }
          (*out)[line * stride + i * step] = best;
        }
    };
    const auto width = static_cast<std::size_t>(grid_.nx);
    pass(*values, grid_.nx, grid_.ny, 1, width, &rows);
    pass(rows, grid_.ny, grid_.nx, width, 1, values);
  }

  void open() {
    const int widest =
        std::max(1, static_cast<int>(std::ceil(0.5 * options_.object_width / options_.spacing)));
    const int around = std::max(widest + 1, static_cast<int>(std::lround(1.5 / options_.spacing)));
    for (int r = 1;; r = std::min(2 * r, widest)) {
      std::vector<double> opened = height_;
      sweep(r, Extreme::kLowest, &opened);
      sweep(r, Extreme::kHighest, &opened);
      std::vector<double> low = opened, high = opened;
      sweep(around, Extreme::kLowest, &low);
      sweep(around, Extreme::kHighest, &high);
      for (std::size_t k = 0; k < height_.size(); ++k) {
        if (!(height_[k] < kNone)) continue;
        // 1.5: to the corners of the square window.
        const double rise = 1.5 * r * (high[k] - low[k]) / (2 * around);
        if (height_[k] - opened[k] > options_.max_bump + rise) height_[k] = kNone;
      }
      if (r >= widest) break;
    }
  }

  // A post that is far away shows a few cells, while the ground shows lines of them: rings.
  void drop_lone_groups() {
    std::vector<std::uint8_t> is_seen(height_.size(), 0);
    std::vector<std::size_t> group;
    for (std::size_t start = 0; start < height_.size(); ++start) {
      if (is_seen[start] != 0 || !(height_[start] < kNone)) continue;
      group.assign(1, start);
      is_seen[start] = 1;
      int left = grid_.nx, right = 0, low = grid_.ny, high = 0;
      for (std::size_t k = 0; k < group.size(); ++k) {
        const std::size_t now = group[k];
        left = std::min(left, column_of(now)), right = std::max(right, column_of(now));
        low = std::min(low, row_of(now)), high = std::max(high, row_of(now));
        each_neighbor(now, [&](std::size_t n) {
          const bool is_close = std::abs(height_[n] - height_[now]) <= options_.max_step;
          if (is_seen[n] != 0 || !is_close) return;
          is_seen[n] = 1;
          group.push_back(n);
        });
      }
      const double width = grid_.spacing * (1 + std::max(right - left, high - low));
      if (width > options_.object_width + grid_.spacing) continue;
      for (const std::size_t k : group) height_[k] = kNone;
    }
  }

  struct Front {
    std::size_t cell;
    double height;  // of the ground that it came from [m]
  };

  void grow() {
    std::vector<double> ground(height_.size(), kNone);
    std::vector<std::uint8_t> is_seen(height_.size(), 0);
    // By the number of cells without ground that were crossed. The narrowest gap goes first, then who
    // came first: the result does not depend on anything else.
    std::vector<std::deque<Front>> fronts(1);
    const auto visit = [&](std::size_t k, double height, std::size_t gap) {
      if (is_seen[k] != 0) return;
      is_seen[k] = 1;
      const double distance = grid_.spacing * static_cast<double>(gap + 1);
      const double ceiling = height + options_.max_step + options_.max_slope * distance;
      if (height_[k] <= ceiling && height_[k] < kNone) {
        ground[k] = height_[k];
        fronts[0].push_back({k, height_[k]});
      } else {
        if (fronts.size() < gap + 2) fronts.resize(gap + 2);
        fronts[gap + 1].push_back({k, height});
      }
    };
    for (const Vec3<double>& seed : list_seeds())
      visit(number(column(seed[0]), row(seed[1])), seed[2], 0);
    for (std::size_t gap = 0; gap < fronts.size();) {
      if (fronts[gap].empty()) {
        ++gap;
        continue;
      }
      const Front front = fronts[gap].front();
      fronts[gap].pop_front();
      const int i = column_of(front.cell), j = row_of(front.cell);
      if (i + 1 < grid_.nx) visit(front.cell + 1, front.height, gap);
      if (i > 0) visit(front.cell - 1, front.height, gap);
      if (j + 1 < grid_.ny) visit(front.cell + grid_.nx, front.height, gap);
      if (j > 0) visit(front.cell - grid_.nx, front.height, gap);
      if (!fronts[0].empty()) gap = 0;
    }
    height_ = std::move(ground);
  }

  std::vector<Vec3<double>> list_seeds() const {
    for (const Vec3<double>& seed : options_.seeds)
      require(std::isfinite(seed[0] + seed[1] + seed[2]), "make_ground_map: a seed is not finite");
    if (!options_.seeds.empty()) return options_.seeds;
    // The lowest cell near the middle of all points.
    double x = 0, y = 0;
    for (const ScanPoint& p : points_) {
      x += p.position[0] / static_cast<double>(points_.size());
      y += p.position[1] / static_cast<double>(points_.size());
    }
    for (double reach = 10;; reach *= 2) {
      Vec3<double> lowest(0, 0, kNone);
      for (int j = row(y - reach); j <= row(y + reach); ++j)
        for (int i = column(x - reach); i <= column(x + reach); ++i)
          if (height_[number(i, j)] < lowest[2])
            lowest = {grid_.origin_x + i * grid_.spacing, grid_.origin_y + j * grid_.spacing,
                      height_[number(i, j)]};
      if (lowest[2] < kNone) return {lowest};
      if (reach > grid_.spacing * (grid_.nx + grid_.ny)) return {};
    }
  }

  // Cells without ground get the mean of their neighbors that have it, layer by layer, then the mean of
  // all their neighbors over and over: between two rings of a slope it becomes straight.
  void fill() {
    std::vector<std::size_t> holes;
    std::vector<std::uint8_t> is_listed(height_.size(), 0);
    std::vector<std::size_t> layer, next;
    const auto list_around = [&](std::size_t k) {
      each_neighbor(k, [&](std::size_t n) {
        if (height_[n] < kNone || is_listed[n] != 0) return;
        is_listed[n] = 1;
        next.push_back(n);
      });
    };
    for (std::size_t k = 0; k < height_.size(); ++k)
      if (height_[k] < kNone) list_around(k);
    std::vector<double> filled;
    while (!next.empty()) {
      layer.swap(next);
      next.clear();
      filled.clear();
      for (const std::size_t k : layer) {
        double total = 0;
        int count = 0;
        each_neighbor(k, [&](std::size_t n) {
          if (!(height_[n] < kNone)) return;
          total += height_[n];
          ++count;
        });
        filled.push_back(total / count);
      }
      for (std::size_t k = 0; k < layer.size(); ++k) height_[layer[k]] = filled[k];
      holes.insert(holes.end(), layer.begin(), layer.end());
      for (const std::size_t k : layer) list_around(k);
    }
    constexpr int kSweeps = 60;
    constexpr double kOver = 1.7;  // successive over-relaxation
    std::ranges::sort(holes);
    for (int round = 0; round < kSweeps; ++round)
      for (const std::size_t k : holes) {
        double total = 0;
        int count = 0;
        each_neighbor(k, [&](std::size_t n) {
          if (n == k) return;
          total += height_[n];
          ++count;
        });
        height_[k] += kOver * (total / count - height_[k]);
      }
  }

  const GroundMapOptions& options_;
  std::span<const ScanPoint> points_;
  terrain::HeightGrid grid_;
  std::vector<double> height_;
};

}  // namespace

terrain::HeightGrid make_ground_map(std::span<const ScanPoint> points,
                                    const GroundMapOptions& options) {
  return GroundMapper(points, options).run();
}

void write_esri_grid(const std::string& path, const terrain::HeightGrid& grid) {
  std::string text =
      concat("ncols ", grid.nx, "\nnrows ", grid.ny, "\nxllcenter ", grid.origin_x, "\nyllcenter ",
             grid.origin_y, "\ncellsize ", grid.spacing, "\nNODATA_value -9999\n");
  char number[32];
  for (int j = grid.ny - 1; j >= 0; --j)
    for (int i = 0; i < grid.nx; ++i) {
      const double h = grid.heights[static_cast<std::size_t>(j) * grid.nx + i];
      std::snprintf(number, sizeof number, "%.4f%c", h, i + 1 == grid.nx ? '\n' : ' ');
      text += number;
    }
  write_file_atomically(path, text);
}

}  // namespace camber::sensors
