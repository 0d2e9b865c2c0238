// Greedy extraction of the most frequent pair, as [Breuer 1969] does for products and [Paar 1997]
// for sums of bits: the pair of literals x y whose product saves the most multiplications becomes a
// literal z, replaces x y in every cube that has both, and pairs with z are considered in turn.
// With powers, a cube x^a y^b holds min(a, b) times z, and x x is a pair too, so that x^2 y, x^3
// and x y z find their common parts.

#include <algorithm>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "camber/codegen/network.h"

namespace camber::codegen::internal {
namespace {

// Pairs of literals further apart than this in one cube are not considered: the work stays linear
// in the cube's length.
constexpr std::size_t kWindow = 64;

struct Pair {
  int x, y;                // x <= y
  std::vector<int> cubes;  // that may contain it
};

struct Candidate {
  int gain;
  std::uint32_t rank;
  int pair;
  /// Sorts by the largest gain, then by the smallest rank.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    if (a.gain != b.gain) return a.gain < b.gain;
    return a.rank != b.rank ? a.rank > b.rank : a.pair > b.pair;
  }
};

class ProductSharing {
 public:
  ProductSharing(Network* net, TieOrder order) : net_(*net), order_(order) {}

  void run() {
    collect_cubes();
    for (int c = 0; c < static_cast<int>(cubes_.size()); ++c) {
      const auto& powers = cubes_[c];
      for (std::size_t j = 0; j < powers.size(); ++j) {
        add_pairs_of(c, j);
      }
    }
    for (int p = 0; p < static_cast<int>(pairs_.size()); ++p) {
      offer(p);
    }
    while (!heap_.empty()) {
      const Candidate best = heap_.top();
      heap_.pop();
      const int gain = gain_of(best.pair);
      if (gain == best.gain) {
        extract(best.pair);
      } else if (gain > 0) {
        heap_.push({gain, best.rank, best.pair});
      }
    }
    put_back();
  }

 private:
  void collect_cubes() {
    std::vector<bool> seen(net_.cubes.size(), false);
    for (const Form& form : net_.forms) {
      for (const Term& term : form.terms) {
        if (!seen[term.cube] && net_.cubes.cost(term.cube) > 0) {
          seen[term.cube] = true;
          const auto powers = net_.cubes.powers(term.cube);
          originals_.push_back(term.cube);
          cubes_.emplace_back(powers.begin(), powers.end());
        }
      }
    }
  }

  /// The pairs of power j with itself and with those before it.
  void add_pairs_of(int cube, std::size_t j) {
    const auto& powers = cubes_[cube];
    for (std::size_t i = j > kWindow ? j - kWindow : 0; i <= j; ++i) {
      if (i != j || powers[j].exponent > 1) {
        add_pair(cube, powers[i].literal, powers[j].literal);
      }
    }
  }

  int add_pair(int cube, int x, int y) {
    const std::uint64_t key = static_cast<std::uint64_t>(std::min(x, y)) << 32 |
                              static_cast<std::uint32_t>(std::max(x, y));
    const auto [at, is_new] = by_key_.emplace(key, static_cast<int>(pairs_.size()));
    if (is_new) {
      pairs_.push_back({std::min(x, y), std::max(x, y), {}});
    }
    pairs_[at->second].cubes.push_back(cube);
    return at->second;
  }

  void offer(int pair) {
    const int gain = gain_of(pair);
    if (gain > 0) {
      heap_.push({gain, order_.rank(pair), pair});
    }
  }

  int exponent_in(int cube, int literal) const {
    for (const Power& p : cubes_[cube]) {
      if (p.literal == literal) {
        return p.exponent;
      }
    }
    return 0;
  }

  /// How often the cube contains the pair.
  int times_in(int cube, const Pair& pair) const {
    const int ex = exponent_in(cube, pair.x);
    return pair.x == pair.y ? ex / 2 : std::min(ex, exponent_in(cube, pair.y));
  }

  /// Multiplications that the cube saves when x y is a literal.
  int saving_in(int cube, const Pair& pair) const {
    const int times = times_in(cube, pair);
    if (times == 0) {
      return 0;
    }
    const auto cost = [](int exponent) { return exponent > 0 ? power_cost(exponent) + 1 : 0; };
    const int ex = exponent_in(cube, pair.x);
    if (pair.x == pair.y) {
      return cost(ex) - cost(ex - 2 * times) - cost(times);
    }
    const int ey = exponent_in(cube, pair.y);
    return cost(ex) + cost(ey) - cost(ex - times) - cost(ey - times) - cost(times);
  }

  int gain_of(int index) {
    Pair& pair = pairs_[index];
    std::erase_if(pair.cubes, [&](int cube) { return times_in(cube, pair) == 0; });
    int gain = -1;  // z itself
    for (const int cube : pair.cubes) {
      gain += saving_in(cube, pair);
    }
    return gain;
  }

  void extract(int index) {
    const Pair pair = pairs_[index];
    const int product =
        net_.cubes.multiply(net_.cubes.of_literal(pair.x), net_.cubes.of_literal(pair.y));
    const int form = net_.add_form({{{product, NumberTable::kOne}}});
    const int z = net_.add_literal({.kind = Literal::Kind::kForm, .arguments = {form}});
    std::vector<int> grown;
    for (const int cube : pair.cubes) {
      const int times = times_in(cube, pair);
      auto& powers = cubes_[cube];
      for (Power& p : powers) {
        if (p.literal == pair.x || p.literal == pair.y) {
          p.exponent -= pair.x == pair.y ? 2 * times : times;
        }
      }
      std::erase_if(powers, [](const Power& p) { return p.exponent == 0; });
      powers.push_back({z, times});
      for (const Power& p : powers) {
        if (p.literal != z || times > 1) {
          grown.push_back(add_pair(cube, p.literal, z));
        }
      }
    }
    std::sort(grown.begin(), grown.end());
    grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
    for (const int changed : grown) {
      offer(changed);
    }
  }

  void put_back() {
    std::unordered_map<int, int> now;
    for (std::size_t i = 0; i < originals_.size(); ++i) {
      auto& powers = cubes_[i];
      std::sort(powers.begin(), powers.end(),
                [](const Power& a, const Power& b) { return a.literal < b.literal; });
      now.emplace(originals_[i], net_.cubes.intern(powers));
    }
    // The forms of the new literals come after the original ones: their pairs stay products.
    for (std::size_t f = 0; f < first_forms_; ++f) {
      for (Term& term : net_.forms[f].terms) {
        const auto found = now.find(term.cube);
        term.cube = found != now.end() ? found->second : term.cube;
      }
    }
  }

  Network& net_;
  TieOrder order_;
  const std::size_t first_forms_ = net_.forms.size();
  std::vector<int> originals_;             // the cubes in use, before sharing
  std::vector<std::vector<Power>> cubes_;  // and now
  std::vector<Pair> pairs_;
  std::unordered_map<std::uint64_t, int> by_key_;
  std::priority_queue<Candidate> heap_;
};

}  // namespace

void share_products(Network* network, TieOrder order) { ProductSharing(network, order).run(); }

}  // namespace camber::codegen::internal
