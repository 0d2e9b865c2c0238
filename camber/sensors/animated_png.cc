#include "camber/sensors/animated_png.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "camber/core/require.h"

namespace camber::sensors {
namespace {

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1a\n";

std::uint32_t calc_crc(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t n = 0; n < t.size(); ++n) {
      std::uint32_t c = n;
      for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
      t[n] = c;
    }
    return t;
  }();
  std::uint32_t c = 0xffffffffU;
  for (const char byte : bytes) c = table[(c ^ static_cast<std::uint8_t>(byte)) & 0xffU] ^ (c >> 8);
  return ~c;
}

// Numbers of a PNG have their high byte first.
std::string big_endian(std::uint32_t value, int bytes) {
  std::string out;
  for (int k = bytes - 1; k >= 0; --k) out += static_cast<char>(value >> (8 * k) & 0xffU);
  return out;
}
std::uint32_t read_big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int k = 0; k < 4; ++k) value = value << 8 | static_cast<std::uint8_t>(bytes[k]);
  return value;
}

void add_chunk(std::string_view kind, std::string_view data, std::string* out) {
  std::string body(kind);
  body += data;
  *out += big_endian(static_cast<std::uint32_t>(data.size()), 4);
  *out += body;
  *out += big_endian(calc_crc(body), 4);
}

struct PngParts {
  std::string_view header;             // IHDR
  std::vector<std::string_view> data;  // IDAT
};

PngParts take_apart(std::string_view png) {
  require(png.starts_with(kPngStart), "join_png: a picture is not a PNG");
  PngParts parts;
  constexpr std::size_t kAround = 12;  // length, kind and checksum of a chunk
  for (std::size_t at = kPngStart.size(); at < png.size();) {
    require(png.size() - at >= kAround, "join_png: a PNG is cut off");
    const std::size_t length = read_big_endian(png.substr(at, 4));
    require(length <= png.size() - at - kAround, "join_png: a PNG is cut off");
    const std::string_view kind = png.substr(at + 4, 4), data = png.substr(at + 8, length);
    require(
        read_big_endian(png.substr(at + 8 + length, 4)) == calc_crc(png.substr(at + 4, 4 + length)),
        "join_png: chunk ", kind, " of a PNG is damaged");
    if (kind == "IHDR") parts.header = data;
    if (kind == "IDAT") parts.data.push_back(data);
    require(kind != "PLTE", "join_png: a PNG has a palette");
    at += kAround + length;
  }
  require(parts.header.size() == 13 && !parts.data.empty(), "join_png: a PNG has no picture");
  return parts;
}

}  // namespace

std::string join_png(std::span<const std::string> pictures, double seconds_per_picture) {
  require(!pictures.empty(), "join_png: there are no pictures");
  constexpr double kLongest = 60;  // [s]
  require(seconds_per_picture > 0 && seconds_per_picture <= kLongest,
          "join_png: seconds per picture must be > 0 and at most ", kLongest, ", got ",
          seconds_per_picture);
  const auto milliseconds =
      static_cast<std::uint32_t>(std::max(1.0, std::round(1000 * seconds_per_picture)));
  const PngParts first = take_apart(pictures[0]);
  std::string out(kPngStart);
  add_chunk("IHDR", first.header, &out);
  add_chunk("acTL", big_endian(static_cast<std::uint32_t>(pictures.size()), 4) + big_endian(0, 4),
            &out);
  std::uint32_t number = 0;  // fcTL and fdAT are counted together
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    const PngParts parts = k == 0 ? first : take_apart(pictures[k]);
    require(parts.header == first.header, "join_png: picture ", k,
            " has another size or kind of pixels than the first");
    // Size, no offset, delay as a fraction of 1000, no disposal, no blending.
    add_chunk("fcTL",
              big_endian(number++, 4) + std::string(first.header.substr(0, 8)) + big_endian(0, 4) +
                  big_endian(0, 4) + big_endian(milliseconds, 2) + big_endian(1000, 2) +
                  big_endian(0, 1) + big_endian(0, 1),
              &out);
    for (const std::string_view data : parts.data) {
      if (k == 0)
        add_chunk("IDAT", data, &out);
      else
        add_chunk("fdAT", big_endian(number++, 4) + std::string(data), &out);
    }
  }
  add_chunk("IEND", "", &out);
  return out;
}

}  // namespace camber::sensors
