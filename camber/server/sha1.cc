#include "camber/server/sha1.h"

#include <bit>
#include <cstring>

namespace camber::server {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// RFC 3174, section 6.1.
void add_block(const std::uint8_t* block, std::array<std::uint32_t, 5>* hash) {
  std::array<std::uint32_t, 80> w;
  for (int t = 0; t < 16; ++t)
    w[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
           std::uint32_t{block[4 * t + 2]} << 8 | block[4 * t + 3];
  for (int t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  auto [a, b, c, d, e] = *hash;
  for (int t = 0; t < 80; ++t) {
    std::uint32_t f = 0, k = 0;
    if (t < 20) {
      f = (b & c) | (~b & d), k = 0x5a827999;
    } else if (t < 40) {
      f = b ^ c ^ d, k = 0x6ed9eba1;
    } else if (t < 60) {
      f = (b & c) | (b & d) | (c & d), k = 0x8f1bbcdc;
    } else {
      f = b ^ c ^ d, k = 0xca62c1d6;
    }
    const std::uint32_t next = std::rotl(a, 5) + f + e + w[t] + k;
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  (*hash)[0] += a, (*hash)[1] += b, (*hash)[2] += c, (*hash)[3] += d, (*hash)[4] += e;
}

}  // namespace

std::array<std::uint8_t, 20> calc_sha1(std::string_view bytes) {
  std::array<std::uint32_t, 5> hash = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::array<std::uint8_t, 64> block;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  while (bytes.size() >= block.size()) {
    std::memcpy(block.data(), bytes.data(), block.size());
    add_block(block.data(), &hash);
    bytes.remove_prefix(block.size());
  }
  block.fill(0);
  if (!bytes.empty()) std::memcpy(block.data(), bytes.data(), bytes.size());
  block[bytes.size()] = 0x80;
  if (bytes.size() >= 56) {  // no room for the length
    add_block(block.data(), &hash);
    block.fill(0);
  }
  for (int i = 0; i < 8; ++i) block[56 + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  add_block(block.data(), &hash);
  std::array<std::uint8_t, 20> out;
  for (int i = 0; i < 20; ++i)
    out[i] = static_cast<std::uint8_t>(hash[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

int count_base64_bytes(std::string_view text) {
  if (text.size() % 4 != 0) return -1;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const std::string_view letters = text.substr(0, text.size() - padding);
  std::size_t last = 0;
  for (const char letter : letters)
    if ((last = kLetters.find(letter)) == std::string_view::npos) return -1;
  if (padding > 0 && (last & (padding == 1 ? 3 : 15)) != 0) return -1;
  return static_cast<int>(text.size() / 4 * 3 - padding);
}

}  // namespace camber::server
