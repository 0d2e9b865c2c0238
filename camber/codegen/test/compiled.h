#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "camber/codegen/program.h"
#include "camber/codegen/write.h"
#include "camber/core/shared_object.h"
#include "camber/core/temporary_folder.h"

namespace camber::codegen::test {

/// Runs a shell command; throws std::runtime_error with what it printed when it fails.
void run_command(const std::string& command);

/// The commands of the system's compilers, with warnings as errors; append sources and options.
extern const char* const kCompileC;
extern const char* const kCompileCpp;
extern const char* const kCompileFortran;

/// A program written in a language, compiled by the system's compiler and loaded. The program's
/// name must be a legal identifier of the language.
class Compiled {
 public:
  /// `helpers`: C source of the functions that the program calls.
  Compiled(const Program& program, Language language, const WriteOptions& options = {},
           const std::string& helpers = "");
  /// All inputs in, all outputs out, as Interpreter::run().
  int run(std::span<const double> inputs, std::span<double> outputs) const;

 private:
  TemporaryFolder folder_;
  std::filesystem::path build(const Program& program, Language language,
                              const WriteOptions& options, const std::string& helpers) const;
  SharedObject object_;
  int (*function_)(const double*, double*);
};

}  // namespace camber::codegen::test
