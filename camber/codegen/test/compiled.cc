#include "camber/codegen/test/compiled.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <dlfcn.h>

#include "camber/core/file.h"
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

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "camber-codegen-XXXXXX").string();
  require(mkdtemp(name.data()) != nullptr, "TemporaryFolder: cannot make ", name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() { std::filesystem::remove_all(path_); }

void run_command(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    throw std::runtime_error("cannot run: " + command);
  }
  std::string printed;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe)) {
    printed.append(buffer.data(), size);
  }
  if (pclose(pipe) != 0) {
    throw std::runtime_error(command + "\n" + printed);
  }
}

SharedObject::SharedObject(const std::filesystem::path& path)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    throw std::runtime_error(dlerror());
  }
}

SharedObject::~SharedObject() { dlclose(handle_); }

void* SharedObject::symbol(const char* name) const {
  void* address = dlsym(handle_, name);
  if (address == nullptr) {
    throw std::runtime_error(dlerror());
  }
  return address;
}

namespace {

/// A C function with the program's arguments picked from two arrays.
std::string entry_point(const Program& program, Language language) {
  std::string types;
  std::string arguments;
  const auto add = [&](const std::string& type, const std::string& argument) {
    types += (types.empty() ? "" : ", ") + type;
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  for (const Input& input : program.inputs()) {
    add(input.is_array ? "const double *" : "double",
        input.is_array ? concat("in + ", input.first) : concat("in[", input.first, "]"));
  }
  for (const Output& output : program.outputs()) {
    add("double *", concat("out + ", output.first));
  }
  const std::string& name = program.name();
  const std::string unused = "  (void)in;\n  (void)out;\n";
  const std::string head = "int entry_point(const double *in, double *out)";
  switch (language) {
    case Language::kC99:
      return concat(head, ";\n", head, " {\n", unused, "  return ", name, "(", arguments,
                    ");\n}\n");
    case Language::kCpp:
      return concat("extern \"C\" ", head, " {\n", unused, "  return generated::", name,
                    "<double>(", arguments, ");\n}\n");
    case Language::kFortran:
      add("int *", "&status");
      return concat("void ", name, "(", types, ");\n", head, ";\n", head,
                    " {\n  int status = -1;\n", unused, "  ", name, "(", arguments,
                    ");\n  return status;\n}\n");
  }
  return "";
}

}  // namespace

std::filesystem::path Compiled::build(const Program& program, Language language,
                                      const WriteOptions& options,
                                      const std::string& helpers) const {
  std::filesystem::path object = folder_.path() / "program.so";
  const auto write = [&](const char* name, const std::string& text) {
    write_file_atomically((folder_.path() / name).string(), text);
  };
  const std::string text = write_source(program, language, options);
  const std::string entry = entry_point(program, language);
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
