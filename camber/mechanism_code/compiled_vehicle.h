#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "camber/core/shared_object.h"
#include "camber/mechanism_code/vehicle_program.h"

namespace camber::mechanism_code {

/// The system's compiler is missing or failed; what() has its message.
class CompileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CompileOptions {
  std::string compiler = "c++";  // a name on PATH or a path; run without a shell
  std::filesystem::path folder;  // cache of compiled code; empty: default_cache_folder()
};

/// $XDG_CACHE_HOME/camber/generated, or ~/.cache/camber/generated. Throws CompileError if neither
/// variable is set.
std::filesystem::path default_cache_folder();

/// Code of a vehicle's structure as machine code, which all vehicles of that structure share. It is
/// compiled once and cached under the hash of structure, generator, compiler and flags. A file that is
/// damaged, or that another user owns or can write, is never loaded but compiled again. Throws
/// CompileError, also for a folder that another user could write, or FileError if the folder cannot
/// be written.
class CompiledVehicle {
 public:
  using Function = int (*)(const double* p, const double* q, const double* v, double* out);
  using SolveFunction = int (*)(const double* p, const double* q, const double* v,
                                const double* work, double* a);

  explicit CompiledVehicle(const VehicleProgram& program, const CompileOptions& options = {});
  /// Code that was compiled before, for VehicleSurvey::structure(); empty if there is none.
  /// It has no parameters of its own.
  static std::optional<CompiledVehicle> find(const std::string& structure,
                                             const CompileOptions& options = {});

  /// For the vehicle whose program was given. Returns false if a loop is open or a pivot is not
  /// positive. Sizes are not checked.
  bool calc_accelerations(const double* q, const double* v, double* a) const {
    return accelerations_(parameters_.data(), q, v, a) == 0;
  }
  /// The same in two halves, between which loads are added to `work`: (p, q, v, work) -> status and
  /// (p, q, v, work, a) -> status.
  Function motion() const { return motion_; }
  SolveFunction solve() const { return solve_; }
  const ParameterPlan& plan() const { return plan_; }
  const std::filesystem::path& path() const { return path_; }
  bool was_compiled() const { return was_compiled_; }  // false: found in the cache
  /// Machine code of prologue, kernels and epilogue [bytes].
  std::size_t code_bytes() const;

 private:
  CompiledVehicle() = default;
  void take(SharedObject library, const std::filesystem::path& path);

  std::string name_;  // that the code was written under
  std::vector<double> parameters_;
  ParameterPlan plan_;
  std::filesystem::path path_;
  bool was_compiled_ = false;
  std::optional<SharedObject> library_;
  Function accelerations_ = nullptr, motion_ = nullptr;
  SolveFunction solve_ = nullptr;
};

/// The same code for several vehicles at once, in the lanes of registers: a library of its own, which
/// only drives in lanes need. Cached, checked and compiled as that of CompiledVehicle; throws what it
/// throws.
class CompiledLanes {
 public:
  /// `lanes`: 4 or 8 vehicles.
  CompiledLanes(const VehicleProgram& program, int lanes, const CompileOptions& options = {});
  /// Code that was compiled before; empty if there is none.
  static std::optional<CompiledLanes> find(const std::string& structure, int lanes,
                                           const CompileOptions& options = {});

  /// The functions of math::Lanes<lanes> that are called as those of CompiledVehicle: motion()
  /// int (*)(p, q, v, work), solve() int (*)(p, q, v, work, a). Results are aligned as doubles are.
  void* motion() const { return library_->symbol("camber_motion"); }
  void* solve() const { return library_->symbol("camber_solve"); }
  bool was_compiled() const { return was_compiled_; }  // false: found in the cache

 private:
  CompiledLanes() = default;
  void give_functions(int lanes);

  bool was_compiled_ = false;
  std::optional<SharedObject> library_;
};

/// Bytes of the functions in an ELF file whose symbols contain all of `parts`; 0 if it has no
/// symbols.
std::size_t count_code_bytes(const std::filesystem::path& file,
                             const std::vector<std::string>& parts);

}  // namespace camber::mechanism_code
