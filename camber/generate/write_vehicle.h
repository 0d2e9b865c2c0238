#pragma once

#include <string>

#include "camber/generate/vehicle_program.h"

namespace camber::generate {

/// The program as a C++ header, a template over the scalar type:
///   template <class T> int NAME(const T* p, const T* q, const T* v, T* a);
/// in namespace generated, with NAME_parameters (the vehicle's own p), NAME_parameter_count,
/// NAME_nq and NAME_nv. It returns 0, or a number that is not 0 where a loop is open or a pivot is
/// not positive. `recipe` says in one line how to make it again.
std::string write_vehicle(const VehicleProgram& program, const std::string& recipe);

/// The vehicle's name as the code has it: letters, digits and '_'.
std::string identifier_of(const std::string& name);

}  // namespace camber::generate
