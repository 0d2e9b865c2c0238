#include "camber/mechanism_code/compiled_vehicle.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include <elf.h>

#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/require.h"
#include "camber/core/sealed_file.h"
#include "camber/math/sincos.h"
#include "camber/mechanism_code/write_vehicle.h"

namespace camber::mechanism_code {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFlags = {"-std=c++20",         "-O3",   "-march=native",
                                         "-ffp-contract=fast", "-fPIC", "-shared"};

std::string source_of(const VehicleProgram& program) {
  const std::string name = identifier_of(program.name);
  const std::string call = concat("  return generated::", name);
  const std::string inputs = "(const double* p, const double* q, const double* v, ";
  return concat(
      write_vehicle(program, "made and compiled at run time", false),
      "\nextern \"C\" int camber_accelerations", inputs, "double* a) {\n", call,
      "<double>(p, q, v, a);\n}\nextern \"C\" int camber_motion", inputs, "double* work) {\n", call,
      "_motion<double>(p, q, v, work);\n}\nextern \"C\" int camber_solve", inputs,
      "const double* work, double* a) {\n", call, "_solve<double>(p, q, v, work, a);\n}\n",
      "extern \"C\" const char camber_name[] = \"", name,
      "\";\nextern \"C\" const int* const camber_plan = generated::", name,
      "_plan;\nextern \"C\" const double* const camber_plan_constants = generated::", name,
      "_plan_constants;\nextern \"C\" const int camber_plan_sizes[] = {",
      program.plan.to_image().words.size(), ", ", program.plan.to_image().constants.size(), "};\n");
}

std::string lane_source_of(const VehicleProgram& program, int lanes) {
  const std::string call = concat("  return generated::", identifier_of(program.name));
  const std::string inputs = "(const lanes* p, const lanes* q, const lanes* v, ";
  return concat(
      lane_number_source(lanes), write_vehicle(program, "made and compiled at run time", false),
      "\nusing generated::lanes;\nextern \"C\" int camber_motion", inputs, "lanes* work) {\n", call,
      "_motion(p, q, v, work);\n}\n", "extern \"C\" int camber_solve", inputs,
      "const lanes* work, lanes* a) {\n", call, "_solve(p, q, v, work, a);\n}\n");
}

/// What keys the code of a structure in lanes.
std::string lane_structure(const std::string& structure, int lanes) {
  return concat(structure, " in lanes of ", lanes);
}

template <int N>
void sines_and_cosines(const double* x, double* s, double* c) {
  math::sincos(std::span(x, N), std::span(s, N), std::span(c, N));
}

/// Where code of a structure is cached. It changes with what writes and what compiles the code.
std::string cache_key(const std::string& structure, const CompileOptions& options) {
  std::string key = concat(structure, " ", kGeneratorVersion, " ", options.compiler);
  for (const std::string& flag : kFlags) key += flag;
  return hash_of(key);
}

fs::path cache_folder(const CompileOptions& options) {
  return options.folder.empty() ? default_cache_folder() : options.folder;
}

/// Code is loaded only from where no other user can put any.
void require_safe(const fs::path& folder) {
  const std::optional<std::string> risk = find_risk(folder);
  if (!risk) return;
  throw CompileError(
      concat(*risk,
             ": compiled code is not kept there, since another user could replace it. "
             "Expected a folder that only you can write, for example by "
             "XDG_CACHE_HOME=FOLDER"));
}

/// Files that a compilation left because it was interrupted.
void remove_leftovers(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cc" && extension != ".tmp") continue;
    const auto age = fs::file_time_type::clock::now() - entry.last_write_time(error);
    if (age > std::chrono::hours(1)) fs::remove(entry.path(), error);
  }
}

// Written to a temporary file of this process, which is then renamed: other processes see all of it
// or nothing.
void compile(const std::string& source, const std::string& compiler, const fs::path& library) {
  const std::string own = concat(library.string(), ".", getpid());
  const fs::path text = own + ".cc", object = own + ".tmp";
  write_file_atomically(text.string(), source);
  std::vector<std::string> arguments = {compiler};
  arguments.insert(arguments.end(), kFlags.begin(), kFlags.end());
  arguments.insert(arguments.end(), {"-o", object.string(), text.string()});
  const ProcessResult result = run_process(arguments, ErrorOutput::kWithOutput);
  std::error_code error, ignored;
  if (result.status == 0) {
    seal_file(object);
    fs::rename(object, library, error);
  }
  for (const fs::path& file : {text, object}) fs::remove(file, ignored);
  if (result.status == 127)
    throw CompileError(
        concat("cannot run the compiler \"", compiler, "\": install g++ or name another one"));
  if (result.status != 0)
    throw CompileError(concat("\"", compiler, "\" ended with status ", result.status, ":\n",
                              result.output.substr(0, 2000)));
  if (error) throw CompileError(concat(library.string(), ": ", error.message()));
}

/// The library of `key` in the cache; empty if there is none. A file that is damaged, of another user,
/// or the library of something else, counts as missing and is deleted. Its code runs as soon as it is
/// loaded, so owner, mode and contents are checked before.
std::optional<SharedObject> open_library(const fs::path& path, const std::string& key) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return {};
  try {
    require(is_sealed(path), "the file is damaged or can be written by others");
    SharedObject library(path);
    if (key == static_cast<const char*>(library.symbol("camber_key"))) return library;
  } catch (const std::exception&) {  // whatever the loader's message: compile again
  }
  fs::remove(path, error);
  return {};
}

/// The library of a structure from the cache, or compiled now from what `make_source` returns.
struct CachedLibrary {
  fs::path path;
  SharedObject library;
  bool was_compiled = false;
};
template <class MakeSource>
CachedLibrary get_library(const std::string& structure, const CompileOptions& options,
                          const MakeSource& make_source) {
  const std::string key = cache_key(structure, options);
  const fs::path folder = cache_folder(options), path = folder / (key + ".so");
  make_folders(folder.string());
  require_safe(folder);
  if (std::optional<SharedObject> known = open_library(path, key)) return {path, std::move(*known)};
  remove_leftovers(folder);
  compile(concat(make_source(), "extern \"C\" const char camber_key[] = \"", key, "\";\n"),
          options.compiler, path);
  std::optional<SharedObject> made = open_library(path, key);
  if (!made) throw CompileError(concat(path.string(), ": the compiled code cannot be loaded"));
  return {path, std::move(*made), true};
}

/// The same if it was compiled before; empty if not.
std::optional<CachedLibrary> find_library(const std::string& structure,
                                          const CompileOptions& options) {
  const std::string key = cache_key(structure, options);
  const fs::path folder = cache_folder(options), path = folder / (key + ".so");
  std::error_code error;
  if (!fs::exists(path, error) || find_risk(folder)) return {};
  std::optional<SharedObject> known = open_library(path, key);
  if (!known) return {};
  return CachedLibrary{path, std::move(*known)};
}

}  // namespace

fs::path default_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "camber" / "generated";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/')
    throw CompileError("no folder for compiled code: neither $XDG_CACHE_HOME nor $HOME is set");
  return fs::path(home) / ".cache" / "camber" / "generated";
}

CompiledVehicle::CompiledVehicle(const VehicleProgram& program, const CompileOptions& options)
    : parameters_(program.parameters) {
  CachedLibrary found = get_library(program.structure, options, [&] { return source_of(program); });
  take(std::move(found.library), found.path);
  was_compiled_ = found.was_compiled;
}

std::optional<CompiledVehicle> CompiledVehicle::find(const std::string& structure,
                                                     const CompileOptions& options) {
  std::optional<CachedLibrary> library = find_library(structure, options);
  if (!library) return {};
  CompiledVehicle found;
  found.take(std::move(library->library), library->path);
  return found;
}

void CompiledVehicle::take(SharedObject library, const fs::path& path) {
  path_ = path;
  library_.emplace(std::move(library));
  accelerations_ = reinterpret_cast<Function>(library_->symbol("camber_accelerations"));
  motion_ = reinterpret_cast<Function>(library_->symbol("camber_motion"));
  solve_ = reinterpret_cast<SolveFunction>(library_->symbol("camber_solve"));
  name_ = static_cast<const char*>(library_->symbol("camber_name"));
  const auto* sizes = static_cast<const int*>(library_->symbol("camber_plan_sizes"));
  const auto* words = *static_cast<const int* const*>(library_->symbol("camber_plan"));
  const auto* constants =
      *static_cast<const double* const*>(library_->symbol("camber_plan_constants"));
  plan_ = ParameterPlan::from_image(std::span(words, static_cast<std::size_t>(sizes[0])),
                                    std::span(constants, static_cast<std::size_t>(sizes[1])));
}

CompiledLanes::CompiledLanes(const VehicleProgram& program, int lanes,
                             const CompileOptions& options) {
  require(lanes == 4 || lanes == 8, "CompiledLanes: lanes must be 4 or 8, got ", lanes);
  CachedLibrary found = get_library(lane_structure(program.structure, lanes), options,
                                    [&] { return lane_source_of(program, lanes); });
  library_.emplace(std::move(found.library));
  was_compiled_ = found.was_compiled;
  give_functions(lanes);
}

std::optional<CompiledLanes> CompiledLanes::find(const std::string& structure, int lanes,
                                                 const CompileOptions& options) {
  require(lanes == 4 || lanes == 8, "CompiledLanes::find: lanes must be 4 or 8, got ", lanes);
  std::optional<CachedLibrary> library = find_library(lane_structure(structure, lanes), options);
  if (!library) return {};
  CompiledLanes found;
  found.library_.emplace(std::move(library->library));
  found.give_functions(lanes);
  return found;
}

// Sines have the bits of math::Lanes.
void CompiledLanes::give_functions(int lanes) {
  using Function = void (*)(const double* x, double* s, double* c);
  *static_cast<Function*>(library_->symbol("camber_sincos")) =
      lanes == 4 ? sines_and_cosines<4> : sines_and_cosines<8>;
}

std::size_t CompiledVehicle::code_bytes() const {
  return count_code_bytes(path_, {"generated", name_});
}

std::size_t count_code_bytes(const fs::path& file, const std::vector<std::string>& parts) {
  const std::string data = read_file(file.string(), std::size_t{1} << 30);
  const auto at = [&]<class X>(std::size_t offset, X* to) {
    require(offset + sizeof(X) <= data.size(), file.string(), ": not a whole ELF file");
    std::memcpy(to, data.data() + offset, sizeof(X));
  };
  Elf64_Ehdr head;
  at(0, &head);
  require(std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0, file.string(), ": not an ELF file");
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i)
    at(head.e_shoff + i * sizeof(Elf64_Shdr), &sections[i]);
  // The full symbol table if there is one: it includes the dynamic symbols.
  const Elf64_Shdr* table = nullptr;
  for (const Elf64_Shdr& section : sections)
    if (section.sh_type == SHT_SYMTAB || (section.sh_type == SHT_DYNSYM && table == nullptr))
      table = &section;
  if (table == nullptr || table->sh_link >= sections.size()) return 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < table->sh_size / sizeof(Elf64_Sym); ++i) {
    Elf64_Sym symbol;
    at(table->sh_offset + i * sizeof(Elf64_Sym), &symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
    const std::size_t name = sections[table->sh_link].sh_offset + symbol.st_name;
    require(name < data.size(), file.string(), ": not a whole ELF file");
    const bool is_meant = std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return std::strstr(data.c_str() + name, part.c_str()) != nullptr;
    });
    if (is_meant) bytes += symbol.st_size;
  }
  return bytes;
}

}  // namespace camber::mechanism_code
