#pragma once

#include <span>
#include <string>
#include <string_view>

#include "camber/core/require.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic::internal {

/// Throws std::invalid_argument that names every leaf of the expressions that is not a key of the
/// map.
template <class Map>
void require_bound(std::span<const Expr> es, const Map& map, std::string_view where) {
  std::string missing;
  NodeMap<char> listed;
  for (const Expr& e : es) {
    for (const Expr& leaf : e.leaves()) {
      if (!map.contains(leaf) && listed.insert(leaf, 1)) {
        missing += concat(missing.empty() ? "" : ", ", leaf.to_string());
      }
    }
  }
  require(missing.empty(), where, ": no value given for ", missing);
}

}  // namespace camber::symbolic::internal
