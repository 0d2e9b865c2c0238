#include "camber/core/processor.h"

#include <cstdlib>
#include <fstream>

#include "camber/core/require.h"
#include "camber/core/shown_word.h"

namespace camber {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(':');
    const std::size_t start = line.find_first_not_of(' ', colon + 1);
    if (colon != std::string::npos && start != std::string::npos) return line.substr(start);
  }
  return "unknown";
}

std::string instruction_set() {
  std::string compiled = "no extensions";
#if defined(__AVX512F__)
  compiled = "avx512f";
#elif defined(__AVX2__)
  compiled = "avx2";
#elif defined(__SSE2__)
  compiled = "sse2";
#endif
  std::string runs;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma")) runs += " fma";
  if (__builtin_cpu_supports("avx2")) runs += " avx2";
  if (__builtin_cpu_supports("avx512f")) runs += " avx512f";
#endif
  std::string text =
      "compiled for " + compiled + ", runs with" + (runs.empty() ? " none of fma, avx2" : runs);
  if (const char* tunables = std::getenv("GLIBC_TUNABLES"))
    text += concat(", ", shown_word(tunables));
  return text;
}

}  // namespace camber
