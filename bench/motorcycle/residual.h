#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "camber/codegen/program.h"
#include "camber/core/shared_object.h"
#include "camber/lagrange/equations.h"
#include "camber/symbolic/evaluate.h"

namespace camber::bench {

/// All equations of a model as one function of one array, the same for every engine:
/// coordinates, speeds, accelerations, multipliers, extra variables and their rates, inputs, then
/// the parameters that occur.
struct Residual {
  std::vector<symbolic::Expr> inputs;
  std::vector<symbolic::Expr> results;  // dynamics, constraints, extra equations
};

Residual make_residual(const lagrange::System& system, const lagrange::Equations& equations);

/// int camber_residual(const double in[], double out[])
codegen::Program make_program(const Residual& residual);

/// Points with every input in [0.2, 0.6): no angle special, no speed zero.
std::vector<std::vector<double>> make_points(const Residual& residual, int count, unsigned seed);

/// The values by tree walk, which shares no code with generated programs.
std::vector<double> evaluate_residual(const Residual& residual, std::span<const double> point);

/// C++ text with `int residual_in_lanes(const double* in, double* out)`, which runs the program's
/// C++ form, in the file of that name, at kLanes points: entry i of point k is at [kLanes * i + k].
constexpr int kLanes = 8;
std::string write_lanes(const std::string& header, int input_size, int output_size);

/// A function `int name(const double* in, double* out)` of a source file, compiled and loaded.
class CompiledResidual {
 public:
  /// `compiler`: the command up to its files, "cc -O2". Puts the library beside the source. Throws
  /// std::runtime_error when there is no compiler or it fails.
  CompiledResidual(const std::vector<std::string>& compiler, const std::filesystem::path& source,
                   const std::string& name, int output_size);

  std::vector<double> operator()(std::span<const double> point) const;
  /// Processor seconds of one evaluation, the mean over `rounds` rounds through all points.
  double time(const std::vector<std::vector<double>>& points, int rounds) const;

 private:
  using Function = int (*)(const double*, double*);
  std::optional<SharedObject> library_;
  Function function_ = nullptr;
  int output_size_ = 0;
};

}  // namespace camber::bench
