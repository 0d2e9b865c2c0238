#pragma once

#include <string>

#include "camber/codegen/program.h"
#include "camber/codegen/write.h"

namespace camber::codegen {

/// A function `int entry_point(const double* in, double* out)` with C's linkage that picks the
/// program's arguments from two arrays, all inputs and all outputs: C for programs in C and
/// Fortran, C++ for those in C++. The program's declaration comes before it.
std::string write_entry_point(const Program& program, Language language);

}  // namespace camber::codegen
