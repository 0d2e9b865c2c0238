#pragma once

#include <string>

#include "camber/codegen/program.h"
#include "camber/codegen/write.h"

namespace camber::codegen::internal {

std::string write_c(const Program& program, const WriteOptions& options);
std::string write_cpp(const Program& program, const WriteOptions& options);
std::string write_fortran(const Program& program, const WriteOptions& options);

}  // namespace camber::codegen::internal
