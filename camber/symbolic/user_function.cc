#include "camber/symbolic/user_function.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "camber/core/require.h"
#include "camber/symbolic/table_function.h"

namespace camber::symbolic {

namespace {

/// All functions of the process. Expressions refer to them by address, so they stay.
class Registry {
 public:
  /// `same(existing)` returns whether the name already stands for the same function.
  template <class Same>
  const UserFunction& add(std::unique_ptr<UserFunction> function, Same same) {
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(function->name());
    if (found != functions_.end()) {
      require(same(*found->second), "function \"", function->name(),
              "\" is already defined, and differently");
      return *found->second;
    }
    const std::string name(function->name());
    return *functions_.emplace(name, std::move(function)).first->second;
  }

  const UserFunction* find(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second.get();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<UserFunction>, std::less<>> functions_;
};

Registry& registry() {
  static Registry& functions = *new Registry;
  return functions;
}

const UserFunction& register_grid(std::string_view name, std::vector<std::vector<double>> grids,
                                  std::vector<double> values, Interpolation interpolation) {
  symbol(name);  // throws unless it is a name
  auto table = std::make_unique<TableFunction>(std::string(name), std::move(grids),
                                               std::move(values), interpolation);
  const TableFunction& wanted = *table;
  return registry().add(std::move(table), [&wanted](const UserFunction& other) {
    const auto* existing = dynamic_cast<const TableFunction*>(&other);
    if (existing == nullptr || existing->arity() != wanted.arity()) return false;
    for (int axis = 0; axis < wanted.arity(); ++axis) {
      if (!std::ranges::equal(existing->grid(axis), wanted.grid(axis))) return false;
    }
    return std::ranges::equal(existing->values(), wanted.values()) &&
           existing->interpolation() == wanted.interpolation();
  });
}

}  // namespace

const UserFunction& register_table(std::string_view name, std::vector<double> x,
                                   std::vector<double> values, Interpolation interpolation) {
  return register_grid(name, {std::move(x)}, std::move(values), interpolation);
}

const UserFunction& register_table(std::string_view name, std::vector<double> x,
                                   std::vector<double> y, std::vector<double> values,
                                   Interpolation interpolation) {
  return register_grid(name, {std::move(x), std::move(y)}, std::move(values), interpolation);
}

const UserFunction& register_code(std::string_view name, int arity, int max_order,
                                  CodeEvaluator evaluate) {
  symbol(name);
  // Two pieces of code cannot be compared, so a name can be registered only once.
  return registry().add(
      std::make_unique<CodeFunction>(std::string(name), arity, max_order, std::move(evaluate)),
      [](const UserFunction&) { return false; });
}

const UserFunction* find_user_function(std::string_view name) { return registry().find(name); }

}  // namespace camber::symbolic
