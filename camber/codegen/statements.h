#pragma once

#include <vector>

#include "camber/codegen/program.h"

namespace camber::codegen::internal {

/// A program as a list of statements. A value that is `inlined` is part of the statement of its one
/// user: written inside that expression, without a name of its own, and placed right before it.
struct Statements {
  Program program;
  std::vector<bool> inlined;  // by value
};

/// The same program with its statements in an order that keeps a processor busy; see statements.cc.
Statements order_statements(const Program& program);

}  // namespace camber::codegen::internal
