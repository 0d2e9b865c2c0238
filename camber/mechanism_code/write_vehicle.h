#pragma once

#include <string>

#include "camber/mechanism_code/vehicle_program.h"

namespace camber::mechanism_code {

/// The program as a C++ header, a template over the scalar type:
///   template <class T> int NAME(const T* p, const T* q, const T* v, T* a);
///   template <class T> int NAME_motion(const T* p, const T* q, const T* v, T* work);
///   template <class T> int NAME_solve(const T* p, const T* q, const T* v, const T* work, T* a);
/// in namespace generated, with NAME_parameters (the vehicle's own p, if `has_parameters`),
/// NAME_parameter_count, NAME_nq, NAME_nv, NAME_work_size, NAME_key, NAME_structure and NAME_plan
/// (for parameters of other vehicles of this structure: parameter_plan.h). The second and third are
/// the first in two halves, between which loads are added to `work`. They return 0, or nonzero if a
/// loop is open or a pivot is not positive. `recipe` is one line that tells how to regenerate it.
std::string write_vehicle(const VehicleProgram& program, const std::string& recipe,
                          bool has_parameters = true);

/// The scalar of the code for several vehicles at once, generated::lanes: math::Lanes<lanes> for code
/// that is compiled without the library's headers. Before it is used, `camber_sincos` must be set.
std::string lane_number_source(int lanes);

/// Hash of the code without the numbers in NAME_parameters; the code contains it as NAME_key.
/// Vehicles with equal keys have the same code.
std::string key_of(const VehicleProgram& program);

/// The generator that writes the code: the key of the code that it writes for models/hmmwv.toml. A
/// test fails when the generator changes and this does not. Compiled code of other generators is not
/// used.
inline constexpr char kGeneratorVersion[] = "0519ce018cc2adab1386a88a307fa738";

/// 32 hexadecimal digits.
std::string hash_of(const std::string& text);

/// A vehicle's name as an identifier of C++, whatever the name: "truck - 4x4" becomes truck_4x4,
/// "class" vehicle_class.
std::string identifier_of(const std::string& name);

}  // namespace camber::mechanism_code
