// Plans. [Morris 1991] M. D. Morris, "Factorial sampling plans for preliminary computational
// experiments", Technometrics 33. [Saltelli 2010] A. Saltelli et al., "Variance based sensitivity
// analysis of model output", Comput. Phys. Commun. 181. [McKay 1979] M. D. McKay et al., "A
// comparison of three methods for selecting values of input variables", Technometrics 21.

#include "camber/study/plan.h"

#include <algorithm>
#include <cmath>

#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::study {
namespace {

bool is_varied(const Input& input) {
  return input.distribution.kind != DistributionKind::kConstant;
}

double middle(const Distribution& d) { return quantile(d, 0.5); }

long grid_count(const Study& study, const Input& input) {
  if (!is_varied(input)) return 1;
  return input.distribution.kind == DistributionKind::kChoice
             ? static_cast<long>(input.distribution.choices())
             : study.plan.levels;
}

double grid_value(const Distribution& d, long index, long count) {
  if (d.kind == DistributionKind::kChoice) return static_cast<double>(index);
  if (count == 1) return middle(d);
  const double share = static_cast<double>(index) / static_cast<double>(count - 1);
  const double x = (1 - share) * low_end(d) + share * high_end(d);
  return d.is_integer ? std::nearbyint(x) : x;
}

}  // namespace

std::vector<int> varied_inputs(const Study& study) {
  std::vector<int> list;
  for (std::size_t i = 0; i < study.inputs.size(); ++i)
    if (is_varied(study.inputs[i])) list.push_back(static_cast<int>(i));
  return list;
}

Plan::Plan(const Study* study) : study_(study) {
  const PlanSettings& plan = study->plan;
  require(!is_adaptive(plan.kind), "Plan: a plan of kind ", name_of(plan.kind),
          " makes its samples as it goes");
  const auto inputs = static_cast<int>(study->inputs.size());
  const auto varied = static_cast<int>(varied_inputs(*study).size());
  switch (plan.kind) {
    case PlanKind::kGrid:
      size_ = 1;
      for (const Input& input : study->inputs) {
        counts_.push_back(grid_count(*study, input));
        size_ *= counts_.back();
      }
      break;
    case PlanKind::kList:
      size_ = static_cast<long>(plan.rows.size());
      break;
    case PlanKind::kLatin:
      for (int i = 0; i < inputs; ++i)
        permutations_.push_back(RandomStream(study->seed)
                                    .substream("latin", static_cast<std::uint64_t>(i))
                                    .permutation(static_cast<int>(plan.samples)));
      size_ = plan.samples;
      break;
    case PlanKind::kRandom:
      size_ = plan.samples;
      break;
    case PlanKind::kSobol:
      sobol_ = std::make_unique<SobolSequence>(inputs);
      size_ = plan.samples;
      break;
    case PlanKind::kSaltelli:
      sobol_ = std::make_unique<SobolSequence>(2 * inputs);
      size_ = plan.samples * (inputs + 2);
      break;
    case PlanKind::kMorris:
      size_ = static_cast<long>(plan.trajectories) * (inputs + 1);
      break;
    case PlanKind::kOneAtATime:
      size_ = 1 + 2L * varied;
      break;
    case PlanKind::kFactorial:
      size_ = 1L << varied;
      break;
    case PlanKind::kCentralComposite:
      size_ = (1L << varied) + 2L * varied + plan.center_points;
      break;
    case PlanKind::kOptimize:
    case PlanKind::kSubset:
    case PlanKind::kLimit:
      break;
  }
}

std::vector<double> Plan::uniforms(long k) const {
  const std::size_t n = study_->inputs.size();
  const PlanSettings& plan = study_->plan;
  std::vector<double> u(n);
  switch (plan.kind) {
    case PlanKind::kRandom: {
      RandomStream stream =
          RandomStream(study_->seed).substream("sample", static_cast<std::uint64_t>(k));
      for (double& x : u) x = stream.uniform();
      break;
    }
    case PlanKind::kLatin: {
      // One point in each of N rows and columns, at a random place in its cell. [McKay 1979]
      RandomStream stream =
          RandomStream(study_->seed).substream("sample", static_cast<std::uint64_t>(k));
      for (std::size_t i = 0; i < n; ++i)
        u[i] = (permutations_[i][static_cast<std::size_t>(k)] + stream.uniform()) /
               static_cast<double>(plan.samples);
      break;
    }
    case PlanKind::kSobol: {
      // Replicates take turns, so that the first samples hold the same number of each.
      const auto replicate = static_cast<std::uint64_t>(k % plan.replicates);
      const auto index = static_cast<std::uint64_t>(k / plan.replicates);
      if (plan.is_scrambled) {
        const std::uint64_t seed =
            RandomStream(study_->seed).substream("scramble", replicate).bits();
        sobol_->scrambled_point(index, seed, u);
      } else {
        sobol_->point(index, u);
      }
      break;
    }
    case PlanKind::kSaltelli: {
      // Samples j (n + 2) + m: m = 0 is row j of A, m = 1 of B, m = 2 + i of A with column i of B.
      const long j = k / static_cast<long>(n + 2), m = k % static_cast<long>(n + 2);
      std::vector<double> both(2 * n);
      sobol_->scrambled_point(static_cast<std::uint64_t>(j),
                              RandomStream(study_->seed).substream("scramble").bits(), both);
      for (std::size_t i = 0; i < n; ++i)
        u[i] = both[m == 1 || m == static_cast<long>(2 + i) ? n + i : i];
      break;
    }
    case PlanKind::kMorris:
      return morris_point(k);
    default:
      require(false, "Plan: a plan of kind ", name_of(plan.kind), " has no uniform numbers");
  }
  return u;
}

namespace {

/// A trajectory of [Morris 1991]: a random base point on a grid of p levels, and an order and a
/// direction in which each input moves once by Delta = p / (2 (p - 1)).
struct Trajectory {
  std::vector<double> base;
  std::vector<int> order;
  std::vector<double> change;  // per input
};

Trajectory make_trajectory(const Study& study, long t) {
  const auto n = static_cast<int>(study.inputs.size());
  const int p = study.plan.levels;
  RandomStream stream =
      RandomStream(study.seed).substream("trajectory", static_cast<std::uint64_t>(t));
  Trajectory result;
  const double delta = 0.5 * p / (p - 1);
  for (int i = 0; i < n; ++i) {
    // Levels 0 .. p/2 - 1 can go up by Delta, the others down.
    const auto level = static_cast<double>(stream.integer(0, p / 2 - 1));
    const bool is_up = stream.integer(0, 1) == 1;
    const double low = level / (p - 1);
    result.base.push_back(is_up ? low : low + delta);
    result.change.push_back(is_up ? delta : -delta);
  }
  result.order = stream.permutation(n);
  return result;
}

}  // namespace

std::vector<double> Plan::morris_point(long k) const {
  const auto n = static_cast<long>(study_->inputs.size());
  const Trajectory t = make_trajectory(*study_, k / (n + 1));
  std::vector<double> u = t.base;
  for (long m = 0; m < k % (n + 1); ++m) {
    const auto i = static_cast<std::size_t>(t.order[static_cast<std::size_t>(m)]);
    u[i] += t.change[i];
  }
  // Distributions without ends: levels lie in [0.01, 0.99].
  for (std::size_t i = 0; i < u.size(); ++i)
    if (!is_bounded(study_->inputs[i].distribution)) u[i] = 0.01 + 0.98 * u[i];
  return u;
}

MorrisMove morris_move(const Study& study, long k) {
  const auto n = static_cast<long>(study.inputs.size());
  const long m = k % (n + 1);
  if (m == 0) return {};
  const Trajectory t = make_trajectory(study, k / (n + 1));
  const int input = t.order[static_cast<std::size_t>(m - 1)];
  return {.input = input, .change = t.change[static_cast<std::size_t>(input)]};
}

std::vector<double> Plan::end_values(long k) const {
  const std::vector<int> varied = varied_inputs(*study_);
  const auto n = static_cast<long>(varied.size());
  std::vector<double> values;
  for (const Input& input : study_->inputs) values.push_back(middle(input.distribution));
  const auto set = [&](long i, bool is_high) {
    const auto at = static_cast<std::size_t>(varied[static_cast<std::size_t>(i)]);
    const Distribution& d = study_->inputs[at].distribution;
    values[at] = is_high ? high_end(d) : low_end(d);
  };
  if (study_->plan.kind == PlanKind::kOneAtATime) {
    if (k > 0) set((k - 1) / 2, (k - 1) % 2 == 1);
    return values;
  }
  if (k < (1L << n)) {
    if (study_->plan.kind == PlanKind::kFactorial) {
      for (long i = 0; i < n; ++i) set(i, ((k >> i) & 1) != 0);
      return values;
    }
    // Central composite, inscribed: the stars are at the ends of the box, the corners at 1 / alpha of
    // the way there. With alpha = 2^(n/4) the plan is rotatable [Box & Hunter 1957].
    const double alpha = std::sqrt(std::sqrt(std::ldexp(1.0, static_cast<int>(n))));
    for (long i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(varied[static_cast<std::size_t>(i)]);
      const Distribution& d = study_->inputs[at].distribution;
      const double center = 0.5 * (low_end(d) + high_end(d));
      const double half = 0.5 * (high_end(d) - low_end(d));
      values[at] = center + (((k >> i) & 1) != 0 ? half : -half) / alpha;
    }
    return values;
  }
  for (long i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(varied[static_cast<std::size_t>(i)]);
    const Distribution& d = study_->inputs[at].distribution;
    values[at] = 0.5 * (low_end(d) + high_end(d));
  }
  const long star = k - (1L << n);
  if (star < 2 * n) set(star / 2, star % 2 == 1);
  return values;
}

Sample Plan::sample(long k) const {
  require(k >= 0 && k < size_, "there is no sample ", k,
          ": they are numbered from 0, and there are ", size_);
  Sample sample{.k = k, .drive_seed = drive_seed(*study_, static_cast<std::uint64_t>(k))};
  switch (study_->plan.kind) {
    case PlanKind::kGrid: {
      // The last input changes fastest.
      long rest = k;
      sample.values.resize(counts_.size());
      for (std::size_t i = counts_.size(); i-- > 0;) {
        sample.values[i] =
            grid_value(study_->inputs[i].distribution, rest % counts_[i], counts_[i]);
        rest /= counts_[i];
      }
      break;
    }
    case PlanKind::kList:
      sample.values = study_->plan.rows[static_cast<std::size_t>(k)];
      break;
    case PlanKind::kOneAtATime:
    case PlanKind::kFactorial:
    case PlanKind::kCentralComposite:
      sample.values = end_values(k);
      break;
    default:
      sample.values = values_of(*study_, uniforms(k));
      break;
  }
  return sample;
}

std::vector<double> noise_uniforms(const Study& study, long j) {
  const SobolSequence sequence(static_cast<int>(study.inputs.size()));
  std::vector<double> u(study.inputs.size());
  sequence.scrambled_point(static_cast<std::uint64_t>(j),
                           RandomStream(study.seed).substream("noise").bits(), u);
  return u;
}

}  // namespace camber::study
