#include "camber/scene/elevation.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "camber/core/require.h"

namespace camber::scene {
namespace {

class Grower {
 public:
  Grower(const Scene& scene, const ElevationOptions& options) : scene_(scene), options_(options) {
    const auto& b = options.box;
    require(options.spacing > 0 && std::isfinite(options.spacing),
            "find_elevation: spacing must be > 0 m, got ", options.spacing);
    require(b.x1 > b.x0 && b.y1 > b.y0, "find_elevation: the box is empty");
    require(options.clearance > 0, "find_elevation: clearance must be > 0 m, got ",
            options.clearance);
    const double nx = std::floor((b.x1 - b.x0) / options.spacing + 1e-9) + 1;
    const double ny = std::floor((b.y1 - b.y0) / options.spacing + 1e-9) + 1;
    require(nx >= 3 && ny >= 3 && nx * ny <= 4e8, "find_elevation: ", nx, " x ", ny, " nodes");
    out_.grid = {static_cast<int>(nx), static_cast<int>(ny), options.spacing, b.x0, b.y0, {}};
    heights_.assign(static_cast<std::size_t>(nx * ny), NAN);
  }

  Elevation run() {
    grow();
    find_steps();
    fill_holes();
    for (const double h : heights_) out_.grid.heights.push_back(static_cast<float>(h));
    return std::move(out_);
  }

 private:
  int nx() const { return out_.grid.nx; }
  int ny() const { return out_.grid.ny; }
  std::size_t number(int i, int j) const { return static_cast<std::size_t>(j) * nx() + i; }
  double x_of(double i) const { return out_.grid.origin_x + i * out_.grid.spacing; }
  double y_of(double j) const { return out_.grid.origin_y + j * out_.grid.spacing; }

  /// The highest surface that is not above the ceiling.
  std::optional<double> ground_below(double x, double y, double ceiling) {
    scene_.find_column(x, y, &column_);
    for (const ColumnHit& hit : column_) {
      if (hit.z > ceiling || std::ranges::count(options_.ignored_labels, hit.label) != 0) continue;
      return hit.z;
    }
    return std::nullopt;
  }

  void grow() {
    std::deque<std::pair<int, int>> queue;
    const auto take = [&](int i, int j, double from) {
      double& h = heights_[number(i, j)];
      if (!std::isnan(h)) return;
      const auto found = ground_below(x_of(i), y_of(j), from + options_.clearance);
      if (!found) return;
      h = *found;
      queue.emplace_back(i, j);
    };
    for (const Vector3& seed : options_.seeds) {
      const int i = static_cast<int>(std::lround((seed.x() - x_of(0)) / options_.spacing));
      const int j = static_cast<int>(std::lround((seed.y() - y_of(0)) / options_.spacing));
      if (i >= 0 && i < nx() && j >= 0 && j < ny()) take(i, j, seed.z());
    }
    require(!queue.empty(), "find_elevation: none of ", options_.seeds.size(),
            " seeds is in the box and on a surface");
    // In the order of distance from the seeds: the result does not depend on how nodes are stored.
    while (!queue.empty()) {
      const auto [i, j] = queue.front();
      queue.pop_front();
      const double h = heights_[number(i, j)];
      if (i > 0) take(i - 1, j, h);
      if (i + 1 < nx()) take(i + 1, j, h);
      if (j > 0) take(i, j - 1, h);
      if (j + 1 < ny()) take(i, j + 1, h);
    }
    out_.is_known.resize(heights_.size());
    for (std::size_t k = 0; k < heights_.size(); ++k) out_.is_known[k] = !std::isnan(heights_[k]);
  }

  /// Halves the distance between two nodes until the step between them is narrow enough; a slope
  /// loses its height on the way.
  void find_step(int i, int j, bool along_x) {
    const double ha = heights_[number(i, j)];
    const double hb = heights_[number(i + (along_x ? 1 : 0), j + (along_x ? 0 : 1))];
    if (!(std::abs(hb - ha) > options_.step_height)) return;
    const double ceiling = std::max(ha, hb) + options_.clearance;
    double a = 0, b = 1, za = ha, zb = hb;
    while ((b - a) * options_.spacing > options_.step_width) {
      const double m = 0.5 * (a + b);
      const auto z =
          ground_below(x_of(i + (along_x ? m : 0)), y_of(j + (along_x ? 0 : m)), ceiling);
      if (!z) return;
      // The half with the larger difference has the step.
      if (std::abs(*z - za) > std::abs(zb - *z)) {
        b = m, zb = *z;
      } else {
        a = m, za = *z;
      }
    }
    if (std::abs(zb - za) <= options_.step_height) return;
    const double m = 0.5 * (a + b);
    out_.steps.push_back({x_of(i + (along_x ? m : 0)), y_of(j + (along_x ? 0 : m)),
                          std::min(za, zb), std::max(za, zb), along_x, zb > za});
  }
  void find_steps() {
    for (int j = 0; j < ny(); ++j) {
      for (int i = 0; i < nx(); ++i) {
        if (i + 1 < nx()) find_step(i, j, true);
        if (j + 1 < ny()) find_step(i, j, false);
      }
    }
  }

  void fill_holes() {
    std::vector<std::pair<std::size_t, double>> layer;
    for (;;) {
      layer.clear();
      for (int j = 0; j < ny(); ++j) {
        for (int i = 0; i < nx(); ++i) {
          if (!std::isnan(heights_[number(i, j)])) continue;
          double sum = 0;
          int n = 0;
          for (int b = std::max(0, j - 1); b <= std::min(ny() - 1, j + 1); ++b) {
            for (int a = std::max(0, i - 1); a <= std::min(nx() - 1, i + 1); ++a) {
              const double h = heights_[number(a, b)];
              if (!std::isnan(h)) sum += h, ++n;
            }
          }
          if (n > 0) layer.emplace_back(number(i, j), sum / n);
        }
      }
      if (layer.empty()) return;
      for (const auto& [k, h] : layer) heights_[k] = h;
    }
  }

  const Scene& scene_;
  const ElevationOptions& options_;
  Elevation out_;
  std::vector<double> heights_;
  std::vector<ColumnHit> column_;
};

}  // namespace

Elevation find_elevation(const Scene& scene, const ElevationOptions& options) {
  return Grower(scene, options).run();
}

}  // namespace camber::scene
