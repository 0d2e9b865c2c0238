#pragma once

// The generated formulation: a vehicle's accelerations as straight-line programs, one for each kind
// of sub-mechanism that hangs on the chassis (a corner), one before and one behind them.

#include <span>
#include <string>
#include <vector>

#include "camber/codegen/interpreter.h"
#include "camber/codegen/program.h"
#include "camber/multibody/dynamics.h"

namespace camber::generate {

/// A sub-mechanism's share of the equations as a function: (p, x, w) -> y.
struct Kernel {
  codegen::Program program;
  int parameters = 0, inputs = 0, outputs = 0;
};

/// One use of a kernel.
struct KernelUse {
  int kernel = 0;
  std::string name;         // of its first coordinate: "front_left_lower_arm"
  int first_parameter = 0;  // of its own ones in the vehicle's
  int partner = -1;         // the use that doubles evaluate together with it, in one register
  int pair_parameter = -1;  // where the parameters of both are, side by side
};

/// All of it. The state is that of the independent coordinates: q has the base's quaternion and
/// position, where it is free, then one coordinate per speed; v the base's [w; v] in its axes, then
/// the speeds; a the rates of v.
struct VehicleProgram {
  std::string name;
  std::vector<Kernel> kernels;
  std::vector<KernelUse> uses;
  codegen::Program prologue;  // (p, q, v) -> the uses' x, and what needs no kernel
  codegen::Program epilogue;  // (p, q, v, y, what needs no kernel) -> a
  int prologue_parameters = 0, epilogue_parameters = 0;            // how many,
  int first_prologue_parameter = 0, first_epilogue_parameter = 0;  // and where
  std::vector<double> parameters;
  int nq = 0, nv = 0;
  std::vector<int> q_places, v_places;  // in the tree's coordinates
  std::vector<std::string> v_names;

  /// Operations of one evaluation, all uses counted.
  symbolic::OperationCount count() const;
};

/// Throws std::invalid_argument that says what cannot be generated and why.
VehicleProgram generate(const multibody::Mechanism& mechanism);

/// Runs it without a compiler: for tests, and to see what it would give.
class VehicleInterpreter {
 public:
  explicit VehicleInterpreter(const VehicleProgram& program);
  /// False where a loop is open or a pivot vanishes.
  bool calc_accelerations(std::span<const double> q, std::span<const double> v,
                          std::span<double> a);

 private:
  const VehicleProgram& program_;
  codegen::Interpreter<double> prologue_, epilogue_;
  std::vector<codegen::Interpreter<double>> kernels_;
  std::vector<double> between_, inputs_;
};

}  // namespace camber::generate
