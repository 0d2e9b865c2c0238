// [Au & Beck 2001] S. K. Au, J. L. Beck, "Estimation of small failure probabilities in high dimensions
// by subset simulation", Probab. Eng. Mech. 16: levels (9) and coefficients of variation (28), (29).
// [Papaioannou 2015] I. Papaioannou et al., "MCMC algorithms for subset simulation", Probab. Eng. Mech.
// 41: conditional sampling z' = rho z + sqrt(1 - rho^2) xi, which accepts whatever stays in the level.

#include "camber/study/subset_simulation.h"

#include <algorithm>
#include <cmath>

#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::study {
namespace {

constexpr double kRho = 0.8;

}  // namespace

SubsetSimulation::SubsetSimulation(const SubsetOptions& options) : options_(options) {
  require(options.dimensions >= 1, "SubsetSimulation: dimensions must be >= 1, got ",
          options.dimensions);
  require(options.level_probability > 0 && options.level_probability <= 0.5,
          "SubsetSimulation: level_probability must be in (0, 0.5], got ",
          options.level_probability);
  // Whole chains: the number of samples per level is rounded to chains times length.
  length_ = std::max(2L, std::lround(1 / options.level_probability));
  chains_ = std::max(2L, options.samples / length_);
}

double SubsetSimulation::probability() const {
  double p = levels_.empty() ? 1 : 1.0;
  for (const Level& level : levels_) p *= level.probability;
  return p;
}

double SubsetSimulation::variation() const {
  double sum = 0;
  for (const Level& level : levels_) sum += level.variation * level.variation;
  return std::sqrt(sum);
}

std::vector<std::vector<double>> SubsetSimulation::ask() {
  asked_.clear();
  if (is_done_) return {};
  const RandomStream level =
      RandomStream(options_.seed).substream("subset", static_cast<std::uint64_t>(levels_.size()));
  RandomStream stream = level.substream("step", static_cast<std::uint64_t>(step_));
  if (step_ == 0) {
    for (long i = 0; i < chains_ * length_; ++i) {
      std::vector<double> z(static_cast<std::size_t>(options_.dimensions));
      for (double& x : z) x = stream.normal();
      asked_.push_back(std::move(z));
    }
    return asked_;
  }
  const double rest = std::sqrt(1 - kRho * kRho);
  for (long c = 0; c < chains_; ++c) {
    std::vector<double> z = members_[static_cast<std::size_t>(c * length_ + step_ - 1)].z;
    for (double& x : z) x = kRho * x + rest * stream.normal();
    asked_.push_back(std::move(z));
  }
  return asked_;
}

void SubsetSimulation::tell(const std::vector<double>& y) {
  require(y.size() == asked_.size(), "SubsetSimulation: ", y.size(), " values for ", asked_.size(),
          " points");
  if (step_ == 0) {
    members_.clear();
    for (std::size_t i = 0; i < y.size(); ++i) members_.push_back({asked_[i], y[i]});
    end_level();
    return;
  }
  for (long c = 0; c < chains_; ++c) {
    const auto at = static_cast<std::size_t>(c * length_ + step_), i = static_cast<std::size_t>(c);
    const bool is_accepted = y[i] >= threshold_;
    accepted_ += is_accepted ? 1 : 0;
    ++moves_;
    members_[at] = is_accepted ? Member{asked_[i], y[i]} : members_[at - 1];
  }
  if (++step_ == length_) end_level();
}

/// 1 + gamma of [Au & Beck 2001] (29): how much the members of a chain repeat each other.
double SubsetSimulation::correlation_factor(double threshold) const {
  if (levels_.empty()) return 1;  // independent members
  const auto n = static_cast<double>(chains_ * length_);
  const auto is_in = [&](long c, long s) {
    return members_[static_cast<std::size_t>(c * length_ + s)].y >= threshold ? 1.0 : 0.0;
  };
  double p = 0;
  for (long c = 0; c < chains_; ++c)
    for (long s = 0; s < length_; ++s) p += is_in(c, s) / n;
  const double variance = p * (1 - p);
  if (!(variance > 0)) return 1;
  double gamma = 0;
  for (long lag = 1; lag < length_; ++lag) {
    double sum = 0;
    for (long c = 0; c < chains_; ++c)
      for (long s = 0; s + lag < length_; ++s) sum += is_in(c, s) * is_in(c, s + lag);
    const double covariance = sum / (n - static_cast<double>(lag * chains_)) - p * p;
    gamma += 2 * (1 - static_cast<double>(lag * chains_) / n) * covariance / variance;
  }
  return std::max(1.0, 1 + gamma);
}

void SubsetSimulation::end_level() {
  const auto n = static_cast<double>(members_.size());
  std::vector<double> sorted;
  for (const Member& member : members_) sorted.push_back(member.y);
  std::ranges::sort(sorted, std::greater<>());
  const auto rank = static_cast<std::size_t>(chains_);
  double threshold = sorted[rank - 1];
  is_reached_ = threshold >= options_.bound;
  if (is_reached_) threshold = options_.bound;
  double count = 0;
  for (const double y : sorted) count += y >= threshold ? 1 : 0;
  Level level{
      .threshold = threshold,
      .probability = count / n,
      .acceptance = moves_ > 0 ? static_cast<double>(accepted_) / static_cast<double>(moves_) : 1};
  level.variation = level.probability < 1
                        ? std::sqrt((1 - level.probability) / (level.probability * n) *
                                    correlation_factor(threshold))
                        : 0;
  levels_.push_back(level);
  threshold_ = threshold;
  // A level that keeps nearly all members leads nowhere: y has a plateau.
  const bool is_stuck = level.probability > 0.95;
  is_done_ = is_reached_ || static_cast<int>(levels_.size()) > options_.max_levels || is_stuck;
  if (!is_done_) begin_chains();
}

void SubsetSimulation::begin_chains() {
  std::vector<Member> seeds;
  for (const Member& member : members_)
    if (member.y >= threshold_) seeds.push_back(member);
  // More than needed where values are equal: the first of them.
  seeds.resize(static_cast<std::size_t>(chains_));
  members_.assign(static_cast<std::size_t>(chains_ * length_), {});
  for (long c = 0; c < chains_; ++c)
    members_[static_cast<std::size_t>(c * length_)] = seeds[static_cast<std::size_t>(c)];
  step_ = 1;
  accepted_ = moves_ = 0;
}

}  // namespace camber::study
