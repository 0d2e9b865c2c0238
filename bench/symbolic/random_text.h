#pragma once

#include <string>
#include <vector>

#include "camber/core/random.h"

namespace camber::bench {

/// A random expression of `nodes` operations, functions, symbols and numbers together (nodes >= 1),
/// as text that camber, GiNaC and SymPy (with ^ for **) all read alike. Finite, with finite
/// derivatives, wherever the symbols are.
std::string random_expression(const std::vector<std::string>& symbols, int nodes,
                              RandomStream* random);

}  // namespace camber::bench
