#pragma once

#include <string>

namespace camber {

/// The processor's name as the system gives it: "AMD EPYC 9B14". "unknown" where it does not.
std::string processor_name();

/// The instructions for which this program was compiled, and those by which the C library chooses
/// its functions: "compiled for avx512f, runs with fma avx2 avx512f". The last digits of a result
/// depend on both.
std::string instruction_set();

}  // namespace camber
