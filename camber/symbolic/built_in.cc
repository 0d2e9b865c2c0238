#include "camber/symbolic/built_in.h"

#include <algorithm>
#include <array>
#include <utility>

#include "camber/core/require.h"

namespace camber::symbolic::internal {
namespace {

using Unary = std::pair<std::string_view, Expr (*)(const Expr&)>;
constexpr std::array<Unary, 14> kUnary = {{{"sqrt", sqrt},
                                           {"exp", exp},
                                           {"log", log},
                                           {"sin", sin},
                                           {"cos", cos},
                                           {"tan", tan},
                                           {"asin", asin},
                                           {"acos", acos},
                                           {"atan", atan},
                                           {"sinh", sinh},
                                           {"cosh", cosh},
                                           {"tanh", tanh},
                                           {"abs", abs},
                                           {"sign", sign}}};
constexpr std::array<std::string_view, 4> kOthers = {"atan2", "min", "max", "select"};

const Unary* find_unary(std::string_view name) {
  const auto* const found =
      std::find_if(kUnary.begin(), kUnary.end(), [&](const Unary& f) { return f.first == name; });
  return found == kUnary.end() ? nullptr : found;
}

}  // namespace

bool is_built_in_function(std::string_view word) {
  return find_unary(word) != nullptr ||
         std::find(kOthers.begin(), kOthers.end(), word) != kOthers.end();
}

std::vector<std::string> built_in_functions() {
  std::vector<std::string> names(kOthers.begin(), kOthers.end());
  for (const Unary& function : kUnary) names.emplace_back(function.first);
  return names;
}

Expr apply_unary(std::string_view name, const Expr& argument) {
  const Unary* const function = find_unary(name);
  require(function != nullptr, "apply_unary: no function of one argument is called \"", name, "\"");
  return function->second(argument);
}

}  // namespace camber::symbolic::internal
