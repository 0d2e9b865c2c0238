#include "camber/core/hash.h"

#include <bit>
#include <cstdio>

#include "camber/core/file.h"

namespace camber {

std::uint64_t fnv1a64(std::span<const std::byte> bytes, std::uint64_t hash) {
  for (const std::byte byte : bytes) {
    hash ^= static_cast<std::uint64_t>(byte);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

std::string hash_text(std::uint64_t hash) {
  char text[32];
  std::snprintf(text, sizeof text, "fnv1a64:%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string hash_values(std::span<const double> values) {
  std::uint64_t hash = fnv1a64({});
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) {
      const auto byte = static_cast<std::byte>((bits >> shift) & 0xff);
      hash = fnv1a64(std::span(&byte, 1), hash);
    }
  }
  return hash_text(hash);
}

std::string hash_file(const std::string& path) {
  std::uint64_t hash = fnv1a64({});
  read_file_in_pieces(path, [&](std::span<const std::byte> piece) { hash = fnv1a64(piece, hash); });
  return hash_text(hash);
}

}  // namespace camber
