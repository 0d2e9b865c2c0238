// [Nelder & Mead 1965] J. A. Nelder, R. Mead, Comput. J. 7. Coefficients 1, 2, 1/2, 1/2 and the order
// of decisions after [Lagarias 1998] J. C. Lagarias et al., SIAM J. Optim. 9.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "camber/core/require.h"
#include "camber/study/cma_es.h"

namespace camber::study {
namespace {

using Point = std::vector<double>;

class NelderMead final : public Optimizer {
 public:
  NelderMead(int n, const NelderMeadOptions& options)
      : n_(static_cast<std::size_t>(n)), options_(options) {
    require(n >= 1, "Nelder-Mead needs one dimension at least, got ", n);
    Point start = options.start;
    if (start.empty()) start.assign(n_, 0.5);
    simplex_.push_back({start, {}});
    for (std::size_t i = 0; i < n_; ++i) {
      Point corner = start;
      // Away from the nearer wall.
      corner[i] += !options.is_bounded || start[i] <= 0.5 ? options.size : -options.size;
      simplex_.push_back({limit(corner), {}});
    }
  }

  std::vector<Point> ask() override {
    std::vector<Point> points;
    switch (stage_) {
      case Stage::kFirst:
        for (const Corner& corner : simplex_) points.push_back(corner.x);
        break;
      case Stage::kTrials:
        points = {along(1), along(2), along(0.5), along(-0.5)};
        break;
      case Stage::kShrink:
        for (std::size_t i = 1; i <= n_; ++i) points.push_back(simplex_[i].x);
        break;
      case Stage::kDone:
        break;
    }
    asked_ = points;
    return points;
  }

  void tell(const std::vector<Fitness>& fitness) override {
    require(fitness.size() == asked_.size(), "Nelder-Mead: ", fitness.size(), " values for ",
            asked_.size(), " points");
    if (stage_ == Stage::kTrials) {
      take_trials(fitness);
    } else {
      const std::size_t first = stage_ == Stage::kShrink ? 1 : 0;
      for (std::size_t i = 0; i < fitness.size(); ++i) simplex_[first + i].fitness = fitness[i];
      stage_ = Stage::kTrials;
    }
    std::ranges::stable_sort(
        simplex_, [](const Corner& a, const Corner& b) { return a.fitness < b.fitness; });
    if (stage_ == Stage::kShrink) {
      for (std::size_t i = 1; i <= n_; ++i)
        for (std::size_t j = 0; j < n_; ++j)
          simplex_[i].x[j] = 0.5 * (simplex_[i].x[j] + simplex_[0].x[j]);
    }
    double size = 0;
    for (const Corner& corner : simplex_)
      for (std::size_t j = 0; j < n_; ++j)
        size = std::max(size, std::abs(corner.x[j] - simplex_[0].x[j]));
    if (size < options_.tolerance_x) stage_ = Stage::kDone;
  }

 private:
  enum class Stage { kFirst, kTrials, kShrink, kDone };
  struct Corner {
    Point x;
    Fitness fitness;
  };

  Point limit(Point x) const {
    if (options_.is_bounded)
      for (double& value : x) value = std::clamp(value, 0.0, 1.0);
    return x;
  }
  /// The worst corner through the center of the others, times a factor.
  Point along(double factor) const {
    Point x(n_);
    for (std::size_t j = 0; j < n_; ++j) {
      double center = 0;
      for (std::size_t i = 0; i < n_; ++i) center += simplex_[i].x[j] / static_cast<double>(n_);
      x[j] = center + factor * (center - simplex_[n_].x[j]);
    }
    return limit(x);
  }
  void take_trials(const std::vector<Fitness>& f) {
    const Fitness &best = simplex_.front().fitness, &second = simplex_[n_ - 1].fitness,
                  &worst = simplex_.back().fitness;
    const Fitness &reflected = f[0], &expanded = f[1], &outside = f[2], &inside = f[3];
    const auto replace = [&](std::size_t i) { simplex_.back() = {asked_[i], f[i]}; };
    if (reflected < best)
      replace(expanded < reflected ? 1 : 0);
    else if (reflected < second)
      replace(0);
    else if (reflected < worst && !(reflected < outside))
      replace(2);
    else if (!(reflected < worst) && inside < worst)
      replace(3);
    else
      stage_ = Stage::kShrink;
  }

  std::size_t n_;
  NelderMeadOptions options_;
  std::vector<Corner> simplex_;
  std::vector<Point> asked_;
  Stage stage_ = Stage::kFirst;
};

}  // namespace

std::unique_ptr<Optimizer> make_nelder_mead(int dimensions, const NelderMeadOptions& options) {
  return std::make_unique<NelderMead>(dimensions, options);
}

}  // namespace camber::study
