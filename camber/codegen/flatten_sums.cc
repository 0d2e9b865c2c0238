// Nested sums and products that share_sums() leaves although the inner value has no other use:
//   m ((a + b) - (b + c))  a sum in a sum: as one sum, a + b - b - c, like terms cancel
//   y (x (a + b))          a product in a product: as one product, x is a factor of more terms
// Neither costs an operation, and both give share_sums() new divisors.

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "camber/codegen/network.h"

namespace camber::codegen::internal {
namespace {

class Flattening {
 public:
  explicit Flattening(Network* net) : net_(*net) {}

  bool run() {
    bool changed = false;
    while (open_products()) {
      changed = true;
    }
    count_uses();
    for (Form& form : net_.forms) {
      while (const Term* sum = find_inner_sum(form)) {
        open_sum(&form, *sum);
        changed = true;
      }
    }
    return changed;
  }

 private:
  // Products.

  /// The only term of an unnamed literal's form, or nullptr.
  const Term* monomial_of(int id) const {
    const Literal& literal = net_.literals[id];
    const bool is_form = literal.kind == Literal::Kind::kForm && net_.names[id].empty();
    const auto* terms = is_form ? &net_.forms[literal.arguments[0]].terms : nullptr;
    return is_form && terms->size() == 1 ? terms->data() : nullptr;
  }

  bool open_products() {
    bool changed = false;
    for (Form& form : net_.forms) {
      const bool opens = std::any_of(form.terms.begin(), form.terms.end(), [&](const Term& term) {
        const auto powers = net_.cubes.powers(term.cube);
        return std::any_of(powers.begin(), powers.end(),
                           [&](const Power& p) { return monomial_of(p.literal) != nullptr; });
      });
      if (opens) {
        std::vector<Term> opened;
        for (const Term& term : form.terms) {
          opened.push_back(open_product(term));
        }
        form.terms = merged(opened);
        changed = true;
      }
    }
    return changed;
  }

  Term open_product(const Term& term) {
    Term result{CubeTable::kOne, term.coefficient};
    const auto span = net_.cubes.powers(term.cube);
    const std::vector<Power> powers(span.begin(), span.end());
    for (const Power& power : powers) {
      const Term* inner = monomial_of(power.literal);
      const Term factor =
          inner != nullptr ? *inner : Term{net_.cubes.of_literal(power.literal), NumberTable::kOne};
      for (int i = 0; i < power.exponent; ++i) {
        result.cube = net_.cubes.multiply(result.cube, factor.cube);
        result.coefficient = net_.numbers.multiply(result.coefficient, factor.coefficient);
      }
    }
    return result;
  }

  // Sums.

  /// How many cubes contain each literal and how many literals each form, counting only what the
  /// roots need.
  void count_uses() {
    uses_.assign(net_.literals.size(), 0);
    form_uses_.assign(net_.forms.size(), 0);
    for (const int root : net_.roots) {
      ++form_uses_[root];
    }
    const auto count = [&](int form, std::vector<int>* needed) {
      for (const Term& term : net_.forms[form].terms) {
        for (const Power& power : net_.cubes.powers(term.cube)) {
          if (++uses_[power.literal] > 1) {
            continue;
          }
          for (const int argument : net_.literals[power.literal].arguments) {
            ++form_uses_[argument];
            needed->push_back(argument);
          }
        }
      }
    };
    const std::vector<bool> seen = for_each_needed_form(net_, count);
    for (std::size_t f = 0; f < net_.forms.size(); ++f) {
      if (!seen[f]) {
        net_.forms[f].terms.clear();  // products were opened: no longer used
      }
    }
  }

  /// The literal of a term that is an unnamed sum without another use, or -1.
  int inner_sum(const Term& term) const {
    const auto powers = net_.cubes.powers(term.cube);
    if (powers.size() != 1 || powers[0].exponent != 1) {
      return -1;
    }
    const int id = powers[0].literal;
    const Literal& literal = net_.literals[id];
    const bool is_own = literal.kind == Literal::Kind::kForm && uses_[id] == 1 &&
                        form_uses_[literal.arguments[0]] == 1 && net_.names[id].empty();
    return is_own ? id : -1;
  }

  const Term* find_inner_sum(const Form& form) const {
    const auto found = std::find_if(form.terms.begin(), form.terms.end(),
                                    [&](const Term& term) { return inner_sum(term) >= 0; });
    return found != form.terms.end() ? &*found : nullptr;
  }

  void open_sum(Form* form, const Term& sum) {
    Form& inner = net_.forms[net_.literals[inner_sum(sum)].arguments[0]];
    std::vector<Term> terms;
    for (const Term& term : form->terms) {
      if (term.cube != sum.cube) {
        terms.push_back(term);
      }
    }
    for (const Term& term : inner.terms) {
      terms.push_back({term.cube, net_.numbers.multiply(term.coefficient, sum.coefficient)});
    }
    inner.terms.clear();
    form->terms = merged(terms);
  }

  /// Adds like terms and drops those that cancel.
  std::vector<Term> merged(const std::vector<Term>& terms) {
    std::vector<Term> result;
    std::unordered_map<int, std::size_t> place;
    for (const Term& term : terms) {
      const auto [at, is_new] = place.emplace(term.cube, result.size());
      if (is_new) {
        result.push_back(term);
      } else {
        int& coefficient = result[at->second].coefficient;
        coefficient =
            net_.numbers.intern(net_.numbers[coefficient] + net_.numbers[term.coefficient]);
      }
    }
    std::erase_if(result, [&](const Term& t) { return net_.numbers[t.coefficient].sign() == 0; });
    return result;
  }

  Network& net_;
  std::vector<int> uses_;       // of literals
  std::vector<int> form_uses_;  // by literals and as roots
};

}  // namespace

bool flatten_sums(Network* network) { return Flattening(network).run(); }

}  // namespace camber::codegen::internal
