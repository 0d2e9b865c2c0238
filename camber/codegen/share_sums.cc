// Greedy extraction of two-term divisors, after [Rajski and Vasudevamurthy 1992] (double-cube
// divisors of Boolean sums; the `fx` command of logic synthesis) and [Hosangadi, Fallah and Kastner
// 2006] (kernels of polynomials). Two terms of a form, with their common cube b taken out, show a
// divisor d:
//   c1 b k1 + c2 b k2 = c1 b d,   d = k1 + r k2,   r = c2 / c1                                (1)
// d may show up in many forms, with any b and c1: a + b in -a - b + c and in 2 x a + 2 x b. The
// divisor that saves the most operations becomes a literal and replaces all its occurrences; then
// the next one.
//   b = 1, many forms:  shared partial sums.     one form, b != 1:  c x + c y = c (x + y).
// Longer divisors grow from pairs, as d is itself a literal of the forms it was put into. What
// differs from the sources: r keeps track of signs and scales, the gain counts multiplications
// exactly under the model (2), and a form longer than kWindow only pairs nearby terms.
//   cost = sum over forms (terms - 1 + distinct coefficients other than +-1)
//        + sum over distinct cubes in use (multiplications of the cube)                       (2)
// Every extraction lowers (2), so the process ends.

#include <algorithm>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "camber/codegen/network.h"

namespace camber::codegen::internal {
namespace {

// With 64 neighbors per term the number of pairs stays linear in the length of a sum.
constexpr int kWindow = 64;

/// An occurrence of a divisor: the places of its two terms in a form.
struct Occurrence {
  int form;
  int first, second;  // the terms of k1 and k2
};

struct Divisor {
  int k1, k2, ratio;
  int literal = -1;  // once it exists
  std::vector<Occurrence> occurrences;
};

struct Candidate {
  int gain;
  std::uint32_t rank;
  int divisor;
  /// Sorts by the largest gain, then by the smallest rank.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    if (a.gain != b.gain) return a.gain < b.gain;
    return a.rank != b.rank ? a.rank > b.rank : a.divisor > b.divisor;
  }
};

struct DivisorKey {
  int k1, k2, ratio;
  friend bool operator==(const DivisorKey&, const DivisorKey&) = default;
};
struct DivisorKeyHash {
  std::size_t operator()(const DivisorKey& key) const {
    std::uint64_t h = static_cast<std::uint64_t>(key.k1) << 32 | static_cast<std::uint32_t>(key.k2);
    h = (h ^ static_cast<std::uint64_t>(key.ratio) << 17) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(h ^ h >> 31);
  }
};

class SumSharing {
 public:
  SumSharing(Network* net, TieOrder order) : net_(*net), order_(order) {}

  void run() {
    for (const Form& form : net_.forms) {
      for (const Term& term : form.terms) {
        use(term.cube, 1);
      }
    }
    const int forms = static_cast<int>(net_.forms.size());
    // Terms with a common cube first: they decide which pairs without one are worth recording.
    for (const Pairs which : {Pairs::kWithCommonCube, Pairs::kWithout}) {
      for (int f = 0; f < forms; ++f) {
        add_pairs_of_form(f, which);
      }
    }
    for (int d = 0; d < static_cast<int>(divisors_.size()); ++d) {
      offer(d);
    }
    while (!heap_.empty()) {
      const Candidate best = heap_.top();
      heap_.pop();
      // Gains shrink as other divisors are extracted: recompute before using an old one.
      const int gain = gain_of(best.divisor);
      if (gain == best.gain) {
        extract(best.divisor);
      } else if (gain > 0) {
        heap_.push({gain, best.rank, best.divisor});
      }
    }
    for (Form& form : net_.forms) {
      std::erase_if(form.terms, [](const Term& t) { return t.coefficient == kGone; });
    }
  }

 private:
  enum class Pairs { kWithCommonCube, kWithout, kAll };
  static constexpr int kGone = -1;  // the coefficient of a term that went into a divisor

  Term& term(int form, int place) { return net_.forms[form].terms[place]; }

  int uses(int cube) const { return cube < static_cast<int>(uses_.size()) ? uses_[cube] : 0; }
  void use(int cube, int change) {
    if (cube >= static_cast<int>(uses_.size())) {
      uses_.resize(static_cast<std::size_t>(net_.cubes.size()) + cube, 0);
    }
    uses_[cube] += change;
  }

  void add_pairs_of_form(int form, Pairs which) {
    const int n = static_cast<int>(net_.forms[form].terms.size());
    for (int j = 1; j < n; ++j) {
      for (int i = std::max(0, j - kWindow); i < j; ++i) {
        add_pair(form, i, j, which);
      }
    }
  }

  /// Records the divisor of two terms. Returns its number, or -1 if there is none.
  int add_pair(int form, int i, int j, Pairs which) {
    const Term a = term(form, i);
    const Term b = term(form, j);
    if (a.coefficient == kGone || b.coefficient == kGone) {
      return -1;
    }
    const auto [common, rest_a, rest_b] = net_.cubes.divide(a.cube, b.cube);
    const bool has_common = common != CubeTable::kOne;
    if (which != Pairs::kAll && has_common != (which == Pairs::kWithCommonCube)) {
      return -1;
    }
    const bool swap = rest_b < rest_a;
    const int ratio = swap ? net_.numbers.divide(a.coefficient, b.coefficient)
                           : net_.numbers.divide(b.coefficient, a.coefficient);
    if (ratio < 0) {
      return -1;
    }
    const DivisorKey key{std::min(rest_a, rest_b), std::max(rest_a, rest_b), ratio};
    // k1 + r k2 itself saves nothing unless both occur again: most pairs end here.
    if (!has_common && (uses(a.cube) < 2 || uses(b.cube) < 2) && !by_key_.contains(key)) {
      return -1;
    }
    const auto [at, is_new] = by_key_.emplace(key, static_cast<int>(divisors_.size()));
    if (is_new) {
      divisors_.push_back({key.k1, key.k2, key.ratio, -1, {}});
    }
    divisors_[at->second].occurrences.push_back({form, swap ? j : i, swap ? i : j});
    return at->second;
  }

  void offer(int divisor) {
    const int gain = gain_of(divisor);
    if (gain > 0) {
      heap_.push({gain, order_.rank(divisor), divisor});
    }
  }

  /// Drops occurrences that no longer exist; of those that share a term it keeps the first.
  void refresh(Divisor* divisor) {
    auto& list = divisor->occurrences;
    std::erase_if(list, [&](const Occurrence& o) {
      return term(o.form, o.first).coefficient == kGone ||
             term(o.form, o.second).coefficient == kGone;
    });
    chosen_.clear();
    ++round_;
    for (const Occurrence& o : list) {
      if (mark(o.form, o.first) != round_ && mark(o.form, o.second) != round_) {
        mark(o.form, o.first) = mark(o.form, o.second) = round_;
        chosen_.push_back(o);
      }
    }
  }

  /// The last round of refresh() that chose this term.
  int& mark(int form, int place) {
    if (form >= static_cast<int>(marks_.size())) {
      marks_.resize(net_.forms.size());
    }
    auto& marks = marks_[form];
    if (place >= static_cast<int>(marks.size())) {
      marks.resize(net_.forms[form].terms.size(), 0);
    }
    return marks[place];
  }

  int common_cube(const Divisor& d, const Occurrence& o) {
    const int cube = term(o.form, o.first).cube;
    return d.k1 == cube ? CubeTable::kOne : net_.cubes.divide(cube, d.k1).rest_a;
  }

  /// The decrease of (2) if the divisor is extracted. Stores the occurrences to replace in chosen_.
  int gain_of(int index) {
    Divisor& d = divisors_[index];
    refresh(&d);
    if (chosen_.empty()) {
      return 0;
    }
    int gain = static_cast<int>(chosen_.size());  // two terms become one
    gain += freed_cubes(d) - new_cubes(d) + coefficient_gain(d);
    if (d.literal < 0) {
      gain -= 1;
    }
    return gain;
  }

  /// Multiplications of cubes that only the chosen occurrences use.
  int freed_cubes(const Divisor& d) {
    touched_.clear();
    for (const Occurrence& o : chosen_) {
      touched_.push_back(term(o.form, o.first).cube);
      touched_.push_back(term(o.form, o.second).cube);
    }
    std::sort(touched_.begin(), touched_.end());
    int freed = 0;
    for (std::size_t i = 0; i < touched_.size();) {
      std::size_t end = i;
      while (end < touched_.size() && touched_[end] == touched_[i]) {
        ++end;
      }
      const int cube = touched_[i];
      const bool stays = d.literal < 0 && (cube == d.k1 || cube == d.k2);
      if (!stays && uses(cube) == static_cast<int>(end - i)) {
        freed += net_.cubes.cost(cube);
      }
      i = end;
    }
    return freed;
  }

  /// Multiplications of the cubes b * d and, for a new divisor, of k1 and k2.
  int new_cubes(const Divisor& d) {
    touched_.clear();
    for (const Occurrence& o : chosen_) {
      touched_.push_back(common_cube(d, o));
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    int cost = 0;
    for (const int common : touched_) {
      const bool is_there = common == CubeTable::kOne ||
                            (d.literal >= 0 && uses(net_.cubes.multiply(
                                                   common, net_.cubes.of_literal(d.literal))) > 0);
      cost += is_there ? 0 : net_.cubes.cost(common) + 1;
    }
    if (d.literal < 0) {
      cost += (uses(d.k1) == 0 ? net_.cubes.cost(d.k1) : 0) +
              (uses(d.k2) == 0 ? net_.cubes.cost(d.k2) : 0);
    }
    return cost;
  }

  /// The scale alpha of d = alpha (k1 + r k2): that of the first occurrence, so that the same two
  /// terms with the same coefficients elsewhere need no multiplication. For r = 1 it is 1, for r =
  /// -1 the sign of the first place: x (b - a) rather than -(x (a - b)).
  int scale_of(const Divisor& d) {
    const int first = term(chosen_[0].form, chosen_[0].first).coefficient;
    if (d.ratio == NumberTable::kOne) {
      return NumberTable::kOne;
    }
    if (d.ratio == NumberTable::kMinusOne) {
      return net_.numbers[first].sign() < 0 ? NumberTable::kMinusOne : NumberTable::kOne;
    }
    return first;
  }

  bool is_scaled(const Term& t) const {
    return t.coefficient != kGone && t.cube != CubeTable::kOne &&
           !NumberTable::is_unit(t.coefficient);
  }

  /// Terms of the form, other than the two of `o`, with this coefficient or its negative.
  bool has_other_with(const Occurrence& o, int coefficient) {
    const int negative = net_.numbers.negate(coefficient);
    const auto& terms = net_.forms[o.form].terms;
    for (int i = 0; i < static_cast<int>(terms.size()); ++i) {
      if (i != o.first && i != o.second && is_scaled(terms[i]) &&
          (terms[i].coefficient == coefficient || terms[i].coefficient == negative)) {
        return true;
      }
    }
    return false;
  }

  int coefficient_gain(const Divisor& d) {
    const bool plain = NumberTable::is_unit(d.ratio) &&
                       std::all_of(chosen_.begin(), chosen_.end(), [&](const Occurrence& o) {
                         return NumberTable::is_unit(term(o.form, o.first).coefficient);
                       });
    if (plain) {
      return 0;
    }
    const int scale = scale_of(d);
    int gain = 0;
    for (const Occurrence& o : chosen_) {
      const Term a = term(o.form, o.first);
      const Term b = term(o.form, o.second);
      const int left = net_.numbers.divide(a.coefficient, scale);
      if (left < 0) {
        return -1'000'000;  // out of range: not here
      }
      const bool same =
          net_.numbers.magnitude(a.coefficient) == net_.numbers.magnitude(b.coefficient);
      gain += is_scaled(a) && !has_other_with(o, a.coefficient) ? 1 : 0;
      gain += is_scaled(b) && !(same && is_scaled(a)) && !has_other_with(o, b.coefficient) ? 1 : 0;
      gain -= !NumberTable::is_unit(left) && !has_other_with(o, left) ? 1 : 0;
    }
    if (d.literal < 0) {
      const int second = net_.numbers.multiply(scale, d.ratio);
      gain -= is_scaled({d.k1, scale}) ? 1 : 0;
      gain -= is_scaled({d.k2, second}) ? 1 : 0;
    }
    return gain;
  }

  void extract(int index) {
    // chosen_ is still that of gain_of(). The form of a divisor is made with the first extraction;
    // later occurrences find its literal.
    const int k1 = divisors_[index].k1;
    const int k2 = divisors_[index].k2;
    const int scale = divisors_[index].literal < 0 ? scale_of(divisors_[index]) : scale_[index];
    if (divisors_[index].literal < 0) {
      const int second = net_.numbers.multiply(scale, divisors_[index].ratio);
      const int form = net_.add_form({{{k1, scale}, {k2, second}}});
      divisors_[index].literal =
          net_.add_literal({.kind = Literal::Kind::kForm, .arguments = {form}});
      scale_.emplace(index, scale);
      use(k1, 1);
      use(k2, 1);
    }
    const int d_cube = net_.cubes.of_literal(divisors_[index].literal);
    std::vector<std::pair<int, int>> added;  // form and place
    for (const Occurrence& o : chosen_) {
      const int common = common_cube(divisors_[index], o);
      const int coefficient = net_.numbers.divide(term(o.form, o.first).coefficient, scale);
      use(term(o.form, o.first).cube, -1);
      use(term(o.form, o.second).cube, -1);
      const int cube = net_.cubes.multiply(common, d_cube);
      use(cube, 1);
      // The new term takes a new place, so that stale occurrences are recognized.
      term(o.form, o.first).coefficient = kGone;
      term(o.form, o.second).coefficient = kGone;
      net_.forms[o.form].terms.push_back({cube, coefficient});
      added.emplace_back(o.form, static_cast<int>(net_.forms[o.form].terms.size()) - 1);
    }
    std::vector<int> grown;
    for (const auto& [form, place] : added) {
      for (int i = std::max(0, place - 2 * kWindow); i < place; ++i) {
        grown.push_back(add_pair(form, i, place, Pairs::kAll));
      }
    }
    std::sort(grown.begin(), grown.end());
    grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
    for (const int divisor : grown) {
      if (divisor >= 0) {
        offer(divisor);
      }
    }
  }

  Network& net_;
  TieOrder order_;
  std::vector<int> uses_;  // terms of forms that hold each cube
  std::vector<Divisor> divisors_;
  std::unordered_map<DivisorKey, int, DivisorKeyHash> by_key_;
  std::unordered_map<int, int> scale_;
  std::priority_queue<Candidate> heap_;
  std::vector<Occurrence> chosen_;
  std::vector<int> touched_;
  std::vector<std::vector<int>> marks_;
  int round_ = 0;
};

}  // namespace

void share_sums(Network* network, TieOrder order) { SumSharing(network, order).run(); }

}  // namespace camber::codegen::internal
