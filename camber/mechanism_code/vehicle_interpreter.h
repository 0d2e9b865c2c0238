#pragma once

#include <span>
#include <vector>

#include "camber/codegen/interpreter.h"
#include "camber/mechanism_code/vehicle_program.h"

namespace camber::mechanism_code {

/// Runs a vehicle's program without a compiler: for tests and inspection.
class VehicleInterpreter {
 public:
  explicit VehicleInterpreter(const VehicleProgram& program);
  /// Returns false if a loop is open or a pivot vanishes.
  bool calc_accelerations(std::span<const double> q, std::span<const double> v,
                          std::span<double> a);
  /// The same in two halves, between which loads are added to `work`.
  bool calc_motion(std::span<const double> q, std::span<const double> v, std::span<double> work);
  bool solve(std::span<const double> q, std::span<const double> v, std::span<const double> work,
             std::span<double> a);

 private:
  void start_inputs(int first, int n);  // sets these parameters
  void append(std::span<const double> more);

  const VehicleProgram& program_;
  codegen::Interpreter<double> prologue_, epilogue_;
  std::vector<codegen::Interpreter<double>> kernels_;
  std::vector<double> between_, inputs_, work_;
};

}  // namespace camber::mechanism_code
