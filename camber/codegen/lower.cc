// From expressions to a network: each expression becomes coefficient * cube, each sum a form.
// Operations that the expression engine stores in one node are made explicit here:
//   x^n, |n| <= 64      a power of the literal x, or of its reciprocal
//   x^(k + 1/2)         x^k * sqrt(x)
//   2^(1/2)             a number that goes into the coefficient
//   any other power     an operation pow(x, y)

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "camber/codegen/network.h"
#include "camber/symbolic/apply.h"
#include "camber/symbolic/traverse.h"
#include "camber/symbolic/user_function.h"

namespace camber::codegen::internal {
namespace {

using symbolic::Kind;

// Beyond this, repeated multiplication costs as much as pow() and its rounding errors add up.
constexpr std::int64_t kMaxWholePower = 64;

/// coefficient * cube, by number.
struct Monomial {
  int cube = CubeTable::kOne;
  int coefficient = NumberTable::kOne;
};

Op op_of(Kind kind) {
  switch (kind) {
    case Kind::kExp:
      return Op::kExp;
    case Kind::kLog:
      return Op::kLog;
    case Kind::kSin:
      return Op::kSin;
    case Kind::kCos:
      return Op::kCos;
    case Kind::kTan:
      return Op::kTan;
    case Kind::kAsin:
      return Op::kAsin;
    case Kind::kAcos:
      return Op::kAcos;
    case Kind::kAtan:
      return Op::kAtan;
    case Kind::kSinh:
      return Op::kSinh;
    case Kind::kCosh:
      return Op::kCosh;
    case Kind::kTanh:
      return Op::kTanh;
    case Kind::kAbs:
      return Op::kAbs;
    case Kind::kSign:
      return Op::kSign;
    case Kind::kAtan2:
      return Op::kAtan2;
    case Kind::kMin:
      return Op::kMin;
    case Kind::kMax:
      return Op::kMax;
    case Kind::kSelect:
      return Op::kSelect;
    case Kind::kTrue:
      return Op::kTrue;
    case Kind::kFalse:
      return Op::kFalse;
    case Kind::kLess:
      return Op::kLess;
    case Kind::kLessEqual:
      return Op::kLessEqual;
    case Kind::kEqual:
      return Op::kEqual;
    case Kind::kNot:
      return Op::kNot;
    case Kind::kAnd:
      return Op::kAnd;
    case Kind::kOr:
      return Op::kOr;
    default:
      std::abort();  // no function and no condition
  }
}

class Lowering {
 public:
  explicit Lowering(const std::unordered_map<Expr, int>& flat_input) : flat_input_(flat_input) {}

  Network run(std::span<const Expr> roots) {
    symbolic::internal::for_each_node(roots, [&](const Expr& e) { lower(e); });
    for (const Expr& root : roots) {
      net_.roots.push_back(form_of(root));
    }
    return std::move(net_);
  }

 private:
  void lower(const Expr& e) {
    switch (e.kind()) {
      case Kind::kNumber:
        monomials_.insert(e, {CubeTable::kOne, net_.numbers.intern(e.number())});
        break;
      case Kind::kSymbol:
      case Kind::kVariable:
        add_atom(e, {.kind = Literal::Kind::kInput, .index = flat_input_.at(e)});
        net_.names.back() = e.name();
        break;
      case Kind::kNamed:
        add_atom(e, {.kind = Literal::Kind::kForm, .arguments = {form_of(e.definition())}});
        net_.names.back() = e.name();
        break;
      case Kind::kSum:
        lower_sum(e);
        break;
      case Kind::kProduct:
        lower_product(e);
        break;
      case Kind::kCall:
        lower_call(e);
        break;
      case Kind::kTrue:
      case Kind::kFalse:
        add_atom(e, {.kind = Literal::Kind::kTruth, .op = op_of(e.kind())});
        break;
      default:
        if (!fold(e)) {
          add_atom(e, {.kind = Literal::Kind::kOperation,
                       .op = op_of(e.kind()),
                       .arguments = forms_of(e.arguments())});
        }
    }
  }

  /// A function of numbers, such as exp(1), becomes a number if it has a finite value.
  bool fold(const Expr& e) {
    const auto arguments = e.arguments();
    if (e.kind() > Kind::kMax ||
        !std::all_of(arguments.begin(), arguments.end(), [&](const Expr& a) {
          const Monomial& m = monomials_.at(a);
          return m.cube == CubeTable::kOne && net_.numbers[m.coefficient].fits_double();
        })) {
      return false;
    }
    const auto value_of = [&](const Expr& a) {
      return net_.numbers[monomials_.at(a).coefficient].to_double();
    };
    const double value =
        arguments.size() == 1
            ? symbolic::apply_function(e.kind(), value_of(arguments[0]))
            : symbolic::apply_function(e.kind(), value_of(arguments[0]), value_of(arguments[1]));
    if (!std::isfinite(value)) {
      return false;
    }
    monomials_.insert(e, {CubeTable::kOne, net_.numbers.intern(Number::from_double(value))});
    return true;
  }

  void add_atom(const Expr& e, Literal literal) {
    monomials_.insert(e, {net_.cubes.of_literal(net_.add_literal(std::move(literal)))});
  }

  void lower_sum(const Expr& e) {
    Form form;
    std::unordered_map<int, std::size_t> place;  // of each cube in form.terms
    const auto add = [&](const Monomial& m) {
      const auto [at, is_new] = place.emplace(m.cube, form.terms.size());
      if (is_new) {
        form.terms.push_back({m.cube, m.coefficient});
      } else {  // numbers were taken out of two products, which then are equal
        Term& term = form.terms[at->second];
        term.coefficient =
            net_.numbers.intern(net_.numbers[term.coefficient] + net_.numbers[m.coefficient]);
      }
    };
    for (const auto& [term, coefficient] : e.terms()) {
      const Monomial m = monomials_.at(term);
      add({m.cube, net_.numbers.multiply(net_.numbers.intern(coefficient), m.coefficient)});
    }
    if (!e.constant().is_zero()) {
      add({CubeTable::kOne, net_.numbers.intern(e.constant())});
    }
    std::erase_if(form.terms,
                  [&](const Term& t) { return net_.numbers[t.coefficient].sign() == 0; });
    if (form.terms.size() == 1) {
      monomials_.insert(e, {form.terms[0].cube, form.terms[0].coefficient});
      return;
    }
    const int id = net_.add_form(std::move(form));
    forms_.insert(e, id);
    add_atom(e, {.kind = Literal::Kind::kForm, .arguments = {id}});
  }

  void lower_product(const Expr& e) {
    Monomial result;
    for (const auto& [base, exponent] : e.factors()) {
      const Monomial factor =
          exponent.is_number() ? number_power(base, exponent) : general_power(base, exponent);
      result.cube = net_.cubes.multiply(result.cube, factor.cube);
      result.coefficient = net_.numbers.multiply(factor.coefficient, result.coefficient);
    }
    monomials_.insert(e, result);
  }

  Monomial general_power(const Expr& base, const Expr& exponent) {
    const int literal = net_.add_literal({.kind = Literal::Kind::kOperation,
                                          .op = Op::kPow,
                                          .arguments = {form_of(base), form_of(exponent)}});
    return {net_.cubes.of_literal(literal)};
  }

  Monomial number_power(const Expr& base, const Expr& exponent) {
    if (base.is_number()) {
      const double value = std::pow(base.number().to_double(), exponent.number().to_double());
      return std::isnormal(value)
                 ? Monomial{CubeTable::kOne, net_.numbers.intern(Number::from_double(value))}
                 : general_power(base, exponent);
    }
    const double twice = 2 * exponent.number().to_double();
    if (twice != std::rint(twice) || std::abs(twice) > 2 * kMaxWholePower) {
      return general_power(base, exponent);
    }
    const int halves = std::abs(static_cast<int>(twice));
    Monomial result;
    for (const auto& [literal, times] :
         {std::pair(base_literal(base), halves / 2), std::pair(-1, halves % 2)}) {
      if (times > 0) {
        int factor = literal >= 0 ? literal : sqrt_literal(base);
        factor = twice < 0 ? reciprocal_literal(factor) : factor;
        const Power power{factor, times};
        result.cube = net_.cubes.multiply(result.cube, net_.cubes.intern({&power, 1}));
      }
    }
    return result;
  }

  /// A base is never a number or a numeric multiple, so it is one literal: products of products are
  /// flat.
  int base_literal(const Expr& base) {
    const Monomial m = monomials_.at(base);
    const auto powers = net_.cubes.powers(m.cube);
    if (m.coefficient == NumberTable::kOne && powers.size() == 1 && powers[0].exponent == 1) {
      return powers[0].literal;
    }
    return memoized(&form_literals_, form_of(base), [&](int form) {
      return Literal{.kind = Literal::Kind::kForm, .arguments = {form}};
    });
  }

  int sqrt_literal(const Expr& base) {
    return memoized(&square_roots_, base_literal(base), [&](int literal) {
      return Literal{.kind = Literal::Kind::kOperation,
                     .op = Op::kSqrt,
                     .arguments = {form_of_literal(literal)}};
    });
  }

  int reciprocal_literal(int of) {
    return memoized(&reciprocals_, of, [&](int literal) {
      return Literal{.kind = Literal::Kind::kReciprocal, .arguments = {form_of_literal(literal)}};
    });
  }

  template <class Make>
  int memoized(std::map<int, int>* memo, int key, const Make& make) {
    const auto found = memo->find(key);
    return found != memo->end() ? found->second
                                : memo->emplace(key, net_.add_literal(make(key))).first->second;
  }

  void lower_call(const Expr& e) {
    const auto orders = e.derivative_orders();
    net_.calls.push_back({&e.function(), {orders.begin(), orders.end()}});
    net_.calls.back().orders.resize(e.arguments().size());
    add_atom(e, {.kind = Literal::Kind::kCall,
                 .op = Op::kCall,
                 .index = static_cast<int>(net_.calls.size()) - 1,
                 .arguments = forms_of(e.arguments())});
  }

  int form_of_literal(int literal) {
    return net_.add_form({{{net_.cubes.of_literal(literal), NumberTable::kOne}}});
  }

  int form_of(const Expr& e) {
    if (const int* known = forms_.find(e)) {
      return *known;
    }
    const Monomial m = monomials_.at(e);
    Form form;
    if (net_.numbers[m.coefficient].sign() != 0) {
      form.terms.push_back({m.cube, m.coefficient});
    }
    const int id = net_.add_form(std::move(form));
    forms_.insert(e, id);
    return id;
  }

  std::vector<int> forms_of(std::span<const Expr> es) {
    std::vector<int> forms;
    for (const Expr& e : es) {
      forms.push_back(form_of(e));
    }
    return forms;
  }

  const std::unordered_map<Expr, int>& flat_input_;
  Network net_;
  symbolic::internal::NodeMap<Monomial> monomials_;
  symbolic::internal::NodeMap<int> forms_;
  std::map<int, int> form_literals_, square_roots_, reciprocals_;
};

}  // namespace

Network make_network(std::span<const Expr> roots, const std::unordered_map<Expr, int>& flat_input) {
  return Lowering(flat_input).run(roots);
}

}  // namespace camber::codegen::internal
