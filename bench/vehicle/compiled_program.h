#pragma once

#include <optional>
#include <span>

#include "camber/codegen/write.h"
#include "camber/core/shared_object.h"
#include "camber/core/temporary_folder.h"

namespace camber::bench {

/// A generated program in a language, compiled by the system's compiler as a user would for speed,
/// and loaded.
class CompiledProgram {
 public:
  /// Throws std::runtime_error where the compiler is missing or fails.
  CompiledProgram(const codegen::Program& program, codegen::Language language);

  /// All inputs in, all outputs out; the number of the guard that failed, or 0.
  int run(std::span<const double> inputs, std::span<double> outputs) const {
    return function_(inputs.data(), outputs.data());
  }
  std::size_t source_bytes() const { return source_bytes_; }
  std::size_t machine_bytes() const { return machine_bytes_; }  // of instructions and constants
  double compile_seconds() const { return compile_seconds_; }   // of the processor

 private:
  TemporaryFolder folder_;
  std::size_t source_bytes_ = 0, machine_bytes_ = 0;
  double compile_seconds_ = 0;
  std::optional<SharedObject> library_;
  int (*function_)(const double*, double*) = nullptr;
};

}  // namespace camber::bench
