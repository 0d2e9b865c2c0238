#pragma once

#include <filesystem>
#include <string>

#include "camber/codegen/program.h"
#include "camber/symbolic/code_syntax.h"

namespace camber::codegen {

using symbolic::Language;

struct WriteOptions {
  /// Longer programs are cut into functions of at most this many instructions, because the time and
  /// memory of compilers grow faster than the length of a function
  /// (docs/decisions/0005-splitting-programs.md). 0: never.
  int chunk_size = 1000;
};

/// The program as source text in C99, C++ (a header: a template over the scalar type) or Fortran
/// 2008 (a module). The head of the text lists the recipe, the operation count, inputs, outputs and
/// guards.
///   C:       int NAME(const double q[2], double g, double M[4]);      returns the status
///   C++:     template <class T> int NAME(const T* q, const T& g, T* M);
///   Fortran: subroutine NAME(q, g, M, status) bind(c) in module NAME_module
/// Scalar outputs are pointers in C and C++. User functions given by table are included; those
/// given as code are declared, and the user links them. For a NaN and a number, min and max return
/// the number in C, the first argument in C++ and the interpreter, and a compiler-dependent choice
/// in Fortran.
std::string write_source(const Program& program, Language language,
                         const WriteOptions& options = {});

/// Writes the source to a file, all or nothing.
void write_source_file(const Program& program, Language language, const std::filesystem::path& path,
                       const WriteOptions& options = {});

}  // namespace camber::codegen
