#include "bench/symbolic/random_text.h"

#include "camber/core/require.h"

namespace camber::bench {
namespace {

// A symbol, or a multiple of one: a function of numbers alone would measure how an engine treats
// constants.
std::string leaf(const std::vector<std::string>& symbols, RandomStream* random) {
  const std::string& symbol =
      symbols[static_cast<std::size_t>(random->integer(0, static_cast<int>(symbols.size()) - 1))];
  switch (random->integer(0, 3)) {
    case 0:
      return concat(random->integer(2, 9), "*", symbol);
    case 1:
      return concat("(", random->integer(2, 9), "/11)*", symbol);
    default:
      return symbol;
  }
}

// Functions that are bounded, or grow no quicker than their argument, keep nested ones from
// overflowing; those with poles or branch points get an argument that stays away from them.
// Without tanh: with it SymPy took seconds for single expressions, asking whether parts are real,
// and minutes where symbols may be complex.
std::string function_of(const std::string& a, RandomStream* random) {
  switch (random->integer(0, 5)) {
    case 0:
      return "sin(" + a + ")";
    case 1:
      return "cos(" + a + ")";
    case 2:
      return "atan(" + a + ")";
    case 3:
      return "exp(sin(" + a + "))";
    case 4:
      return "log(2+cos(" + a + "))";
    default:
      return "sqrt(3+sin(" + a + "))";
  }
}

std::string operation_of(const std::string& a, const std::string& b, RandomStream* random) {
  switch (random->integer(0, 3)) {
    case 0:
      return "(" + a + "+" + b + ")";
    case 1:
      return "(" + a + "-" + b + ")";
    case 2:
      return a + "*" + b;
    default:
      return a + "/(2+cos(" + b + "))";
  }
}

}  // namespace

std::string random_expression(const std::vector<std::string>& symbols, int nodes,
                              RandomStream* random) {
  require(!symbols.empty() && nodes >= 1, "random_expression: needs symbols and nodes >= 1, got ",
          symbols.size(), " and ", nodes);
  if (nodes == 1) return leaf(symbols, random);
  if (nodes == 2 || random->integer(0, 3) == 0) {
    const std::string a = random_expression(symbols, nodes - 1, random);
    return function_of(a, random);
  }
  const int left = static_cast<int>(random->integer(1, nodes - 2));
  const std::string a = random_expression(symbols, left, random);
  const std::string b = random_expression(symbols, nodes - 1 - left, random);
  return operation_of(a, b, random);
}

}  // namespace camber::bench
