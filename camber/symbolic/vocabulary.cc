#include "camber/symbolic/vocabulary.h"

#include <algorithm>
#include <array>

#include "camber/core/require.h"
#include "camber/symbolic/built_in.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {
namespace {

constexpr std::array<std::string_view, 5> kReservedWords = {"and", "or", "not", "true", "false"};

template <class Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> result;
  result.reserve(map.size());
  for (const auto& [key, value] : map) result.push_back(key);
  return result;
}

}  // namespace

void Vocabulary::add(std::string_view name, const Expr& meaning) {
  require(!is_reserved_word(name), "Vocabulary: \"", name, "\" is a reserved word");
  symbol(name);  // throws unless it is a name
  const auto [at, is_new] = meanings_.emplace(name, meaning);
  require(is_new || at->second == meaning, "Vocabulary: \"", name,
          "\" already has another meaning");
}

void Vocabulary::add_function(const UserFunction& function) {
  const std::string_view name = function.name();
  require(!is_reserved_word(name) && !internal::is_built_in_function(name), "Vocabulary: \"", name,
          "\" cannot be the name of a user function, it is built in");
  const auto [at, is_new] = functions_.emplace(name, &function);
  require(is_new || at->second == &function, "Vocabulary: the function \"", name,
          "\" already has another meaning");
}

const Expr* Vocabulary::find(std::string_view name) const {
  const auto found = meanings_.find(name);
  return found == meanings_.end() ? nullptr : &found->second;
}

const UserFunction* Vocabulary::find_function(std::string_view name) const {
  const auto found = functions_.find(name);
  if (found != functions_.end()) return found->second;
  return is_free() ? find_user_function(name) : nullptr;
}

std::vector<std::string> Vocabulary::names() const { return keys(meanings_); }
std::vector<std::string> Vocabulary::function_names() const { return keys(functions_); }

Vocabulary vocabulary_of(const Expr& e) {
  Vocabulary vocabulary;
  internal::for_each_node(std::span(&e, 1), [&](const Expr& node) {
    switch (node.kind()) {
      case Kind::kSymbol:
      case Kind::kNamed:
        return vocabulary.add(node.name(), node);
      case Kind::kVariable:
        return vocabulary.add_variable(node.name());
      case Kind::kCall:
        return vocabulary.add_function(node.function());
      default:
        return;
    }
  });
  return vocabulary;
}

bool is_reserved_word(std::string_view word) {
  return std::find(kReservedWords.begin(), kReservedWords.end(), word) != kReservedWords.end();
}

}  // namespace camber::symbolic
