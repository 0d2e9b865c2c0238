#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "camber/core/shared_object.h"
#include "camber/mechanism_code/vehicle_program.h"

namespace camber::mechanism_code {

/// The system's compiler is missing, or does not compile what it is given; what() has its words.
class CompileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CompileOptions {
  std::string compiler = "c++";  // a name on PATH or a path; run without a shell
  std::filesystem::path folder;  // of what was compiled before; empty: default_cache_folder()
};

/// $XDG_CACHE_HOME/camber/generated, or ~/.cache/camber/generated. Throws std::invalid_argument
/// where neither variable is set.
std::filesystem::path default_cache_folder();

/// A vehicle's program as machine code. The text is compiled once and kept under the hash of text,
/// compiler and flags; a file there that is damaged is made anew. Throws CompileError, or FileError
/// where the folder cannot be written.
class CompiledVehicle {
 public:
  using Function = int (*)(const double* p, const double* q, const double* v, double* out);
  using SolveFunction = int (*)(const double* p, const double* q, const double* v,
                                const double* work, double* a);

  explicit CompiledVehicle(const VehicleProgram& program, const CompileOptions& options = {});

  /// False where a loop is open or a pivot is not positive. No sizes are checked here.
  bool calc_accelerations(const double* q, const double* v, double* a) const {
    return accelerations_(parameters_.data(), q, v, a) == 0;
  }
  /// The same in two halves, between which loads are added to `work`; as (p, q, v, work) -> status
  /// and (p, q, v, work, a) -> status.
  Function motion() const { return motion_; }
  SolveFunction solve() const { return solve_; }
  const std::filesystem::path& path() const { return path_; }
  bool was_compiled() const { return was_compiled_; }  // or it was there already
  /// Machine code of prologue, kernels and epilogue [bytes].
  std::size_t code_bytes() const;

 private:
  bool load(const std::string& key);

  std::string name_;
  std::vector<double> parameters_;
  std::filesystem::path path_;
  bool was_compiled_ = false;
  std::optional<SharedObject> library_;
  Function accelerations_ = nullptr, motion_ = nullptr;
  SolveFunction solve_ = nullptr;
};

/// Bytes of the functions in an ELF file whose symbols contain all of `parts`; 0 where it has no
/// symbols.
std::size_t count_code_bytes(const std::filesystem::path& file,
                             const std::vector<std::string>& parts);

}  // namespace camber::mechanism_code
