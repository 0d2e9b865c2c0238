#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// Expressions written with the parts they share given names: how a person keeps long equations
/// readable.
struct SharedForm {
  struct Definition {
    std::string name;
    Expr value;  // in terms of leaves and earlier definitions
  };
  std::vector<Definition> definitions;  // in order of use
  std::vector<Expr> results;
};

/// Names every sub-expression of at least one operation that is used more than once: PREFIX1,
/// PREFIX2 ... (a number that would make the name of a leaf is skipped). Quantities that have a
/// name keep it.
SharedForm share(std::span<const Expr> es, std::string_view prefix = "w");

}  // namespace camber::symbolic
