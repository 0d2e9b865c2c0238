#include "bench/symbolic/random_text.h"

#include "camber/core/require.h"

namespace camber::bench {
namespace {

std::string leaf(const std::vector<std::string>& symbols, RandomStream* random) {
  if (random->integer(0, 3) > 0) {
    return symbols[random->integer(0, static_cast<int>(symbols.size()) - 1)];
  }
  // Numerators and denominators from disjoint ranges: never 0 or 1.
  const auto numerator = std::to_string(random->integer(2, 9));
  return random->integer(0, 1) == 0 ? numerator : "(" + numerator + "/11)";
}

// Functions that are bounded, or grow no quicker than their argument, keep nested ones from
// overflowing; those with poles or branch points get an argument that stays away from them.
std::string function_of(const std::string& a, RandomStream* random) {
  switch (random->integer(0, 6)) {
    case 0:
      return "sin(" + a + ")";
    case 1:
      return "cos(" + a + ")";
    case 2:
      return "atan(" + a + ")";
    case 3:
      return "tanh(" + a + ")";
    case 4:
      return "exp(sin(" + a + "))";
    case 5:
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
