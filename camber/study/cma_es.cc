// [Hansen 2016] N. Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772: equations and
// constants of its Table 1, with active update (negative weights). [Auger & Hansen 2005] restarts with
// twice the population, IPOP.

#include "camber/study/cma_es.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/math/dense.h"

namespace camber::study {
namespace {

using Vector = VectorX<double>;
using Matrix = MatrixX<double>;

/// x folded into [0, 1] by mirrors at both walls.
double reflect(double x) {
  const double y = std::abs(std::remainder(x, 2.0));  // period 2, even
  return std::min(y, 1.0);
}

class CmaEs final : public Optimizer {
 public:
  CmaEs(int n, const CmaEsOptions& options)
      : n_(n), options_(options), stream_(RandomStream(options.seed).substream("cma-es")) {
    require(n >= 1, "CMA-ES needs one dimension at least, got ", n);
    require(options.start.empty() || static_cast<int>(options.start.size()) == n,
            "CMA-ES: the start has ", options.start.size(), " entries, needs ", n);
    first_population_ =
        options.population > 0
            ? std::max(4, options.population)
            : 4 + static_cast<int>(std::floor(3 * std::log(static_cast<double>(n))));
    begin_run();
  }

  std::vector<std::vector<double>> ask() override {
    if (is_done_) return {};
    decompose();
    std::vector<std::vector<double>> points;
    steps_.clear();
    for (int k = 0; k < lambda_; ++k) {
      Vector z(n_);
      for (int i = 0; i < n_; ++i) z[i] = stream_.normal();
      const Vector y = B_ * D_.cwiseProduct(z);
      steps_.push_back(y);
      std::vector<double> x(static_cast<std::size_t>(n_));
      for (int i = 0; i < n_; ++i) {
        const double raw = mean_[i] + sigma_ * y[i];
        x[static_cast<std::size_t>(i)] = options_.is_bounded ? reflect(raw) : raw;
      }
      points.push_back(std::move(x));
    }
    return points;
  }

  void tell(const std::vector<Fitness>& fitness) override {
    require(static_cast<int>(fitness.size()) == lambda_, "CMA-ES: ", fitness.size(), " values for ",
            lambda_, " points");
    std::vector<int> order(static_cast<std::size_t>(lambda_));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int a, int b) {
      return fitness[static_cast<std::size_t>(a)] < fitness[static_cast<std::size_t>(b)];
    });
    update(order);
    ++generation_;
    check_end(fitness[static_cast<std::size_t>(order.front())],
              fitness[static_cast<std::size_t>(order.back())]);
  }

 private:
  void begin_run() {
    lambda_ = first_population_ << run_;
    const int mu = lambda_ / 2;
    weights_.assign(static_cast<std::size_t>(lambda_), 0);
    for (int i = 0; i < lambda_; ++i)
      weights_[static_cast<std::size_t>(i)] = std::log(0.5 * (lambda_ + 1)) - std::log(i + 1.0);
    double positive = 0, squares = 0, negative = 0, negative_squares = 0;
    for (int i = 0; i < lambda_; ++i) {
      const double w = weights_[static_cast<std::size_t>(i)];
      if (i < mu)
        positive += w, squares += w * w;
      else
        negative -= std::min(w, 0.0), negative_squares += w < 0 ? w * w : 0;
    }
    mu_eff_ = positive * positive / squares;
    const double negative_eff = negative * negative / std::max(negative_squares, 1e-300);
    const double n = n_;
    c_sigma_ = (mu_eff_ + 2) / (n + mu_eff_ + 5);
    d_sigma_ = 1 + 2 * std::max(0.0, std::sqrt((mu_eff_ - 1) / (n + 1)) - 1) + c_sigma_;
    c_c_ = (4 + mu_eff_ / n) / (n + 4 + 2 * mu_eff_ / n);
    c_1_ = 2 / ((n + 1.3) * (n + 1.3) + mu_eff_);
    c_mu_ =
        std::min(1 - c_1_, 2 * (0.25 + mu_eff_ + 1 / mu_eff_ - 2) / ((n + 2) * (n + 2) + mu_eff_));
    // Negative weights as large as keep the matrix positive definite, (50) to (53).
    const double alpha = std::min(
        {1 + c_1_ / c_mu_, 1 + 2 * negative_eff / (mu_eff_ + 2), (1 - c_1_ - c_mu_) / (n * c_mu_)});
    for (int i = 0; i < lambda_; ++i) {
      double& w = weights_[static_cast<std::size_t>(i)];
      w = i < mu ? w / positive : w < 0 && negative > 0 ? w * alpha / negative : 0;
    }
    mean_weights_sum_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    chi_ = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));  // mean length of N(0, I)
    mean_ = Vector::Constant(n_, 0.5);
    for (std::size_t i = 0; i < options_.start.size(); ++i)
      mean_[static_cast<Eigen::Index>(i)] = options_.start[i];
    if (run_ > 0 && options_.is_bounded)  // elsewhere
      for (int i = 0; i < n_; ++i) mean_[i] = stream_.uniform();
    sigma_ = options_.sigma;
    C_ = Matrix::Identity(n_, n_);
    path_sigma_ = path_c_ = Vector::Zero(n_);
    generation_ = 0;
    history_.clear();
  }

  void decompose() {
    math::SymmetricEigen eigen = math::calc_symmetric_eigen(C_);
    B_ = std::move(eigen.vectors);
    D_ = eigen.values.cwiseMax(1e-20).cwiseSqrt();
  }

  void update(const std::vector<int>& order) {
    const double n = n_;
    const auto step = [&](int rank) -> const Vector& {
      return steps_[static_cast<std::size_t>(order[static_cast<std::size_t>(rank)])];
    };
    Vector y = Vector::Zero(n_);
    for (int i = 0; i < lambda_ / 2; ++i) y += weights_[static_cast<std::size_t>(i)] * step(i);
    mean_ += sigma_ * y;
    const auto whiten = [&](const Vector& v) -> Vector {
      return B_ * (B_.transpose() * v).cwiseQuotient(D_);
    };
    path_sigma_ =
        (1 - c_sigma_) * path_sigma_ + std::sqrt(c_sigma_ * (2 - c_sigma_) * mu_eff_) * whiten(y);
    const double length = path_sigma_.norm();
    const double decay = 1 - std::pow(1 - c_sigma_, 2.0 * static_cast<double>(generation_ + 1));
    const bool is_short = length / std::sqrt(decay) < (1.4 + 2 / (n + 1)) * chi_;
    path_c_ = (1 - c_c_) * path_c_;
    if (is_short) path_c_ += std::sqrt(c_c_ * (2 - c_c_) * mu_eff_) * y;
    const double missing = is_short ? 0 : c_c_ * (2 - c_c_);
    C_ = (1 + c_1_ * missing - c_1_ - c_mu_ * mean_weights_sum_) * C_ +
         c_1_ * path_c_ * path_c_.transpose();
    for (int i = 0; i < lambda_; ++i) {
      double w = weights_[static_cast<std::size_t>(i)];
      if (w < 0) w *= n / std::max(whiten(step(i)).squaredNorm(), 1e-300);  // (46)
      C_ += c_mu_ * w * step(i) * step(i).transpose();
    }
    C_ = 0.5 * (C_ + C_.transpose()).eval();
    sigma_ *= std::exp(std::min(1.0, c_sigma_ / d_sigma_ * (length / chi_ - 1)));
  }

  void check_end(const Fitness& best, const Fitness& worst) {
    history_.push_back(best.value);
    const auto window = static_cast<std::size_t>(10 + 30 * n_ / lambda_);
    const double reach = sigma_ * std::sqrt(C_.diagonal().maxCoeff());
    bool is_flat = false;
    if (history_.size() >= window) {
      const auto [low, high] =
          std::minmax_element(history_.end() - static_cast<std::ptrdiff_t>(window), history_.end());
      is_flat = *high - *low <= options_.tolerance_value * std::max(1e-300, std::abs(*low)) &&
                best.violation == worst.violation;
    }
    if (!(reach < options_.tolerance_x) && !is_flat && std::isfinite(reach)) return;
    if (++run_ > options_.restarts)
      is_done_ = true;
    else
      begin_run();
  }

  int n_;
  CmaEsOptions options_;
  RandomStream stream_;
  int first_population_ = 0, lambda_ = 0, run_ = 0;
  long generation_ = 0;
  std::vector<double> weights_;
  double mu_eff_ = 0, c_sigma_ = 0, d_sigma_ = 0, c_c_ = 0, c_1_ = 0, c_mu_ = 0, chi_ = 0;
  double mean_weights_sum_ = 0, sigma_ = 0;
  Vector mean_, path_sigma_, path_c_, D_;
  Matrix C_, B_;
  std::vector<Vector> steps_;
  std::vector<double> history_;
  bool is_done_ = false;
};

}  // namespace

std::unique_ptr<Optimizer> make_cma_es(int dimensions, const CmaEsOptions& options) {
  return std::make_unique<CmaEs>(dimensions, options);
}

}  // namespace camber::study
