#pragma once

#include <vector>

#include "camber/codegen/program.h"

namespace camber::codegen::internal {

/// For each value, whether it is part of the statement of its one user: written inside that
/// expression, without a name of its own.
std::vector<bool> find_inlined(const Program& program);

/// The same program with its statements in the order in which a processor can take them up; see
/// statements.cc.
Program order_statements(const Program& program);

}  // namespace camber::codegen::internal
