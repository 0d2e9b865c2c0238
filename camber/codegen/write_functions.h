#pragma once

#include <string>
#include <string_view>

#include "camber/symbolic/code_syntax.h"

namespace camber::codegen::internal {

/// The names that write_functions() defines.
inline constexpr std::string_view kFunctionNames[] = {"sines_and_cosines",
                                                      "arctangent",
                                                      "near_sine_and_cosine",
                                                      "far_sines_and_cosines",
                                                      "near_arctangent",
                                                      "bit_view",
                                                      "bits_of",
                                                      "number_of"};

/// sin, cos and atan by polynomials, as C or C++ text for the head of a program; in C the head may
/// have declare_functions(), and the definitions follow the human-readable code. They are short
/// enough to be inlined and free of branches, so that compilers vectorize them.
///   sines_and_cosines(n, x, s, c)    arctangent(x)
/// Sines and cosines are within 0.9 ulp up to 1e5 rad (larger arguments and NaN go to the library),
/// arctangents within 2 ulp.
std::string write_functions(symbolic::Language language);
std::string_view declare_functions();

}  // namespace camber::codegen::internal
