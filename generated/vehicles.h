#pragma once

// Vehicles whose generated code is part of the library. Their text is as `camber generate` wrote
// it; generate_library_test makes it again and compares.

#include <span>
#include <string_view>

#include "camber/math/lanes.h"

namespace camber::generated_code {

using Lanes = math::Lanes<8>;

/// models/hmmwv.toml. The state is that of camber/mechanism_code/vehicle_program.h; 0, or not 0
/// where there is no value.
int hmmwv(const double* p, const double* q, const double* v, double* a);
/// The same with one corner after the other, where the above takes two in one register: one number
/// per operation.
int hmmwv_one_by_one(const double* p, const double* q, const double* v, double* a);
/// Eight vehicles at once, each with its own parameters and state.
int hmmwv(const Lanes* p, const Lanes* q, const Lanes* v, Lanes* a);
/// The first in two halves, between which loads are added to `work`: hmmwv_work_size() numbers,
/// whose places are in mechanism_code::VehicleProgram.
int hmmwv_motion(const double* p, const double* q, const double* v, double* work);
int hmmwv_solve(const double* p, const double* q, const double* v, const double* work, double* a);
int hmmwv_work_size();
/// The two halves of four and of eight vehicles at once. The status is not 0 if any lane has no value;
/// results of the other lanes are what they are without it.
int hmmwv_motion(const math::Lanes<4>* p, const math::Lanes<4>* q, const math::Lanes<4>* v,
                 math::Lanes<4>* work);
int hmmwv_solve(const math::Lanes<4>* p, const math::Lanes<4>* q, const math::Lanes<4>* v,
                const math::Lanes<4>* work, math::Lanes<4>* a);
int hmmwv_motion(const math::Lanes<8>* p, const math::Lanes<8>* q, const math::Lanes<8>* v,
                 math::Lanes<8>* work);
int hmmwv_solve(const math::Lanes<8>* p, const math::Lanes<8>* q, const math::Lanes<8>* v,
                const math::Lanes<8>* work, math::Lanes<8>* a);
std::span<const double> hmmwv_parameters();
/// Hash of this code: mechanism_code::key_of().
std::string_view hmmwv_key();
/// mechanism_code::VehicleSurvey::structure() of the vehicles that this is the code of, and how their
/// parameters follow from their constants: mechanism_code::ParameterPlan::from_image().
std::string_view hmmwv_structure();
std::span<const int> hmmwv_plan();
std::span<const double> hmmwv_plan_constants();

}  // namespace camber::generated_code
