#include "bench/vehicle/compiled_program.h"

#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <vector>

#include "camber/codegen/entry_point.h"
#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

using codegen::Language;

// Processor time of all processes that this one started and that have ended.
double child_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The size of a library's instructions and constants, as binutils' `size` tells it.
std::size_t find_machine_bytes(const std::string& library) {
  const ProcessResult size = run_process({"size", library}, ErrorOutput::kNobodys);
  std::istringstream lines(size.output);
  std::string heading;
  std::size_t text = 0;
  std::getline(lines, heading);
  lines >> text;
  return text;
}

}  // namespace

CompiledProgram::CompiledProgram(const codegen::Program& program, Language language) {
  require(language != Language::kC99, "CompiledProgram: C++ or Fortran");
  const bool is_cpp = language == Language::kCpp;
  const auto in_folder = [&](const char* name) { return (folder_.path() / name).string(); };
  const std::string source = write_source(program, language);
  source_bytes_ = source.size();
  write_file_atomically(in_folder(is_cpp ? "program.h" : "program.f90"), source);
  write_file_atomically(
      in_folder(is_cpp ? "entry.cc" : "entry.c"),
      (is_cpp ? "#include \"program.h\"\n" : "") + write_entry_point(program, language));

  const std::string library = in_folder("program.so");
  std::vector<std::string> command = {
      is_cpp ? "c++" : "gfortran", "-O3", "-march=native", "-fPIC", "-shared", "-o", library};
  if (is_cpp) {
    command.insert(command.end(), {"-std=c++20", in_folder("entry.cc")});
  } else {
    command.insert(command.end(),
                   {"-J", folder_.path().string(), in_folder("program.f90"), in_folder("entry.c")});
  }
  const double before = child_seconds();
  const int status = run_process(command, ErrorOutput::kNobodys).status;
  compile_seconds_ = child_seconds() - before;
  if (status != 0) throw std::runtime_error(concat(command[0], " failed with status ", status));
  machine_bytes_ = find_machine_bytes(library);
  library_.emplace(library);
  function_ = reinterpret_cast<int (*)(const double*, double*)>(library_->symbol("entry_point"));
}

}  // namespace camber::bench
