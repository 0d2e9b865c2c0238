#include "camber/codegen/test/compiled.h"

#include <stdexcept>

#include "camber/codegen/entry_point.h"
#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/require.h"

namespace camber::codegen::test {

// -ffp-contract=off: as the interpreter is compiled, also where the machine has fused operations.
const char* const kCompileC =
    "cc -std=c99 -O1 -ffp-contract=off -fPIC -Wall -Wextra -Wpedantic -Wmissing-prototypes "
    "-Werror ";
const char* const kCompileCpp =
    "c++ -std=c++20 -O1 -ffp-contract=off -fPIC -Wall -Wextra -Wpedantic -Wshadow -Werror ";
// A function keeps the arguments that it does not need; Fortran has no way to say so.
const char* const kCompileFortran =
    "gfortran -std=f2008 -O1 -ffp-contract=off -fPIC -Wall -Wextra -Werror "
    "-Wno-unused-dummy-argument -Wno-compare-reals ";

void run_command(const std::string& command) {
  const ProcessResult result = run_process({"sh", "-c", command}, ErrorOutput::kWithOutput);
  if (result.status != 0) throw std::runtime_error(command + "\n" + result.output);
}

std::filesystem::path Compiled::build(const Program& program, Language language,
                                      const WriteOptions& options,
                                      const std::string& helpers) const {
  std::filesystem::path object = folder_.path() / "program.so";
  const auto write = [&](const char* name, const std::string& text) {
    write_file_atomically((folder_.path() / name).string(), text);
  };
  const std::string text = write_source(program, language, options);
  const std::string entry = write_entry_point(program, language);
  const std::string in_folder = concat("cd ", folder_.path().string(), " && ");
  const std::string result = concat(" -shared -o ", object.string(), " -lm");
  write("helpers.c", helpers);
  const std::string compile_helpers = "cc -std=c99 -fPIC -c helpers.c && ";
  switch (language) {
    case Language::kC99:
      write("program.c", text + entry);
      run_command(concat(in_folder, compile_helpers, kCompileC, "program.c helpers.o", result));
      break;
    case Language::kCpp:
      write("program.h", text);
      write("entry.cc", "#include \"program.h\"\n" + entry);
      run_command(concat(in_folder, compile_helpers, kCompileCpp, "entry.cc helpers.o", result));
      break;
    case Language::kFortran:
      write("program.f90", text);
      write("entry.c", entry);
      run_command(concat(in_folder, compile_helpers, kCompileFortran, "-c program.f90 && ",
                         "cc -std=c99 -fPIC -c entry.c && gfortran program.o entry.o helpers.o",
                         result));
      break;
  }
  return object;
}

Compiled::Compiled(const Program& program, Language language, const WriteOptions& options,
                   const std::string& helpers)
    : object_(build(program, language, options, helpers)),
      function_(reinterpret_cast<int (*)(const double*, double*)>(object_.symbol("entry_point"))) {}

int Compiled::run(std::span<const double> inputs, std::span<double> outputs) const {
  return function_(inputs.data(), outputs.data());
}

}  // namespace camber::codegen::test
