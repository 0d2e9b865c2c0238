#pragma once

#include <vector>

#include "camber/mechanism_code/assembly.h"
#include "camber/mechanism_code/vehicle_program.h"

namespace camber::mechanism_code {

/// Lays out a program's work array and finds the places in it where loads are added: `inlined` are
/// the values that need no kernel, `outputs` those of each use. docs/theory/generated.md, section
/// 5.
template <class T>
void find_load_places(const Sketch& sketch, const std::vector<Contribution<T>>& contributions,
                      const std::vector<T>& inlined, const std::vector<std::vector<T>>& outputs,
                      VehicleLayout* program);

}  // namespace camber::mechanism_code
