#include "camber/scene/test/ray_bits.h"

#include <array>
#include <cstdio>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

namespace camber::scene {
namespace {

std::string run(const std::string& program) {
  std::FILE* pipe = popen(program.c_str(), "r");
  if (pipe == nullptr) return "cannot run " + program;
  std::string text;
  std::array<char, 256> part;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  const int status = pclose(pipe);
  return status == 0 ? text : text + "status " + std::to_string(status);
}

// The kernels, compiled for SSE2, for AVX2 with FMA and for AVX-512: really other code, run here.
TEST(RayBits, AreTheSameForEveryInstructionSet) {
  const std::string expected = make_ray_bits();
  std::cout << expected;
  int compared = 0;
  const auto compare = [&](const char* program, bool is_there) {
    if (!is_there) {
      std::cout << program << ": not run, this processor lacks the instructions\n";
      return;
    }
    EXPECT_EQ(run(program), expected) << program;
    ++compared;
  };
  compare(CAMBER_RAY_BITS "x86-64", true);
  compare(CAMBER_RAY_BITS "x86-64-v3",
          __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  compare(CAMBER_RAY_BITS "x86-64-v4",
          __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl"));
  EXPECT_GE(compared, 1);
}

}  // namespace
}  // namespace camber::scene
