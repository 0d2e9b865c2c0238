#include "camber/mechanism_code/vehicle_interpreter.h"

#include <algorithm>
#include <array>

namespace camber::mechanism_code {

VehicleInterpreter::VehicleInterpreter(const VehicleProgram& program)
    : program_(program),
      prologue_(program.prologue),
      epilogue_(program.epilogue),
      between_(static_cast<std::size_t>(prologue_.output_size())),
      work_(static_cast<std::size_t>(program.work_size)) {
  for (const Kernel& kernel : program.kernels) kernels_.emplace_back(kernel.program);
}

bool VehicleInterpreter::calc_accelerations(std::span<const double> q, std::span<const double> v,
                                            std::span<double> a) {
  const bool ok = calc_motion(q, v, work_);
  return solve(q, v, work_, a) && ok;
}

bool VehicleInterpreter::calc_motion(std::span<const double> q, std::span<const double> v,
                                     std::span<double> work) {
  start_inputs(program_.first_prologue_parameter, program_.prologue_parameters);
  append(q);
  append(v);
  bool ok = prologue_.run(inputs_, between_) == 0;
  std::size_t at = between_.size();
  for (const KernelUse& use : program_.uses) at -= program_.kernels[use.kernel].inputs;
  std::copy_n(between_.begin(), at, work.begin());
  const std::array<double, 3> still = {0, 0, 0};
  for (std::size_t i = 0; i < program_.uses.size(); ++i) {
    const KernelUse& use = program_.uses[i];
    const Kernel& kernel = program_.kernels[use.kernel];
    start_inputs(use.first_parameter, kernel.parameters);
    append(std::span(between_).subspan(at, kernel.inputs));
    append(program_.nq > program_.nv ? v.first(3) : std::span<const double>(still));
    at += kernel.inputs;
    ok &=
        kernels_[use.kernel].run(inputs_, work.subspan(program_.y_places[i], kernel.outputs)) == 0;
  }
  return ok;
}

bool VehicleInterpreter::solve(std::span<const double> q, std::span<const double> v,
                               std::span<const double> work, std::span<double> a) {
  start_inputs(program_.first_epilogue_parameter, program_.epilogue_parameters);
  append(q);
  append(v);
  append(work);
  return epilogue_.run(inputs_, a) == 0;
}

void VehicleInterpreter::start_inputs(int first, int n) {
  inputs_.clear();
  append(std::span(program_.parameters).subspan(first, n));
}

void VehicleInterpreter::append(std::span<const double> more) {
  inputs_.insert(inputs_.end(), more.begin(), more.end());
}

}  // namespace camber::mechanism_code
