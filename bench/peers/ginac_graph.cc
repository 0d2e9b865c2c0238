#include "bench/peers/ginac_graph.h"

#include <bit>
#include <cmath>
#include <sstream>
#include <stdexcept>

// Operations are counted as sympy.count_ops() does, so that the three engines' numbers compare: n
// terms take n - 1 additions, whatever their signs; a factor of -1 outside a sum is a negation, any
// other number a multiplication; a factor with a negative exponent is a division; a square is one
// multiplication.

namespace camber::bench {

using GiNaC::ex;

namespace {

bool is_number(const ex& e, int value) {
  return GiNaC::is_a<GiNaC::numeric>(e) && e.is_equal(ex(value));
}

// A product's coefficient -1 turns the addition that takes it into a subtraction.
ex without_sign(const ex& term) {
  if (!GiNaC::is_a<GiNaC::mul>(term)) return term;
  for (const ex& factor : term) {
    if (is_number(factor, -1)) return -term;
  }
  return term;
}

// Multiplications of x^n by repeated squaring.
long multiplications(unsigned n) { return std::bit_width(n) - 1 + std::popcount(n) - 1; }

}  // namespace

double GinacGraph::add(const ex& e) {
  if (const auto found = values_.find(e); found != values_.end()) return found->second;
  const double value = find_value(e);
  values_.emplace(e, value);
  return value;
}

double GinacGraph::find_value(const ex& e) {
  if (GiNaC::is_a<GiNaC::numeric>(e)) return GiNaC::ex_to<GiNaC::numeric>(e).to_double();
  if (GiNaC::is_a<GiNaC::symbol>(e)) return point_.at(GiNaC::ex_to<GiNaC::symbol>(e).get_name());
  if (GiNaC::is_a<GiNaC::add>(e)) return add_sum(e);
  if (GiNaC::is_a<GiNaC::mul>(e)) return add_product(e);
  if (GiNaC::is_a<GiNaC::power>(e)) return add_power(e.op(0), e.op(1));
  if (GiNaC::is_a<GiNaC::function>(e)) return add_function(e);
  std::ostringstream text;
  text << "GinacGraph: no rule for " << e;
  throw std::logic_error(text.str());
}

double GinacGraph::add_sum(const ex& e) {
  double sum = 0;
  for (const ex& term : e) {
    const ex positive = without_sign(term);
    sum += positive.is_equal(term) ? add(positive) : -add(positive);
  }
  operations_.add += static_cast<long>(e.nops()) - 1;
  return sum;
}

double GinacGraph::add_product(const ex& e) {
  double product = 1;
  long above = 0;
  for (const ex& factor : e) {
    if (is_number(factor, -1)) {
      ++operations_.negate;
      product = -product;
      continue;
    }
    if (GiNaC::is_a<GiNaC::power>(factor) && is_number(factor.op(1), -1)) {
      product /= add(factor.op(0));
      ++operations_.divide;
    } else {
      product *= add(factor);
      ++above;
    }
  }
  operations_.multiply += std::max(0L, above - 1);
  return product;
}

double GinacGraph::add_power(const ex& base, const ex& exponent) {
  const double value = std::pow(add(base), add(exponent));
  const ex twice = 2 * exponent;
  if (!twice.info(GiNaC::info_flags::integer)) {
    ++operations_.power;
    return value;
  }
  // x^(n/2) is a power of sqrt(x).
  const bool whole = exponent.info(GiNaC::info_flags::integer);
  const int n = GiNaC::ex_to<GiNaC::numeric>(whole ? exponent : twice).to_int();
  operations_.function += whole ? 0 : 1;
  operations_.multiply += multiplications(static_cast<unsigned>(std::abs(n)));
  operations_.divide += n < 0 ? 1 : 0;
  return value;
}

double GinacGraph::add_function(const ex& e) {
  const ex argument = e.op(0);
  const double value = add(argument);
  ++operations_.function;
  using Function = double (*)(double);
  static const std::map<std::string, Function> functions = {
      {"sin", std::sin}, {"cos", std::cos},   {"tan", std::tan},   {"exp", std::exp},
      {"log", std::log}, {"atan", std::atan}, {"tanh", std::tanh},
  };
  const std::string name = GiNaC::ex_to<GiNaC::function>(e).get_name();
  const auto found = functions.find(name);
  if (found == functions.end())
    throw std::logic_error("GinacGraph: no rule for the function " + name);
  return found->second(value);
}

}  // namespace camber::bench
