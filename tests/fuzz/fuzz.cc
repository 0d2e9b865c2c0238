// libFuzzer's side: `fuzz --target=NAME [options of libFuzzer] [CORPUS...]`.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/key_watch.h"
#include "tests/fuzz/change_text.h"
#include "tests/fuzz/targets.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using camber::fuzz::Format;

const camber::fuzz::Target* target = nullptr;

/// What the readers of the target have asked for so far.
camber::KeyWatch& known() {
  static camber::KeyWatch watch;  // records from its construction on
  return watch;
}

std::string change(const std::string& text, camber::fuzz::Random* random) {
  if (target->format == Format::kToml) return camber::fuzz::change_toml(text, known(), random);
  return camber::fuzz::change_text(text, random);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (!argument.starts_with(kOption)) continue;
    for (const camber::fuzz::Target& one : camber::fuzz::targets())
      if (argument.substr(kOption.size()) == one.name) target = &one;
  }
  if (target == nullptr) {
    std::fprintf(stderr, "fuzz --target=NAME, with NAME one of");
    for (const camber::fuzz::Target& one : camber::fuzz::targets())
      std::fprintf(stderr, " %s", one.name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  if (target->format == Format::kToml) known();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    target->read({reinterpret_cast<const char*>(data), size});
  } catch (const camber::ModelFileError&) {
  } catch (const camber::FileError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  camber::fuzz::Random random(seed + 1);
  const bool is_text = target->format == Format::kText || target->format == Format::kToml;
  if (!is_text || random() % 4 == 0) size = LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  if (is_text) {
    const unsigned long count = 1 + random() % 4;
    for (unsigned long i = 0; i < count; ++i) text = change(text, &random);
  } else if (target->format == Format::kPng && random() % 4 > 0) {
    text = camber::fuzz::repair_png(text);
  }
  size = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), size);
  return size;
}
