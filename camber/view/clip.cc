#include "camber/view/clip.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <zlib.h>

#include "camber/core/require.h"
#include "camber/view/bytes.h"
#include "camber/view/deflate.h"

namespace camber::view {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "CAMCLIP1";
constexpr std::int32_t kGap = std::numeric_limits<std::int32_t>::min();
constexpr double kMaxSteps = 1 << 30;
constexpr std::size_t kMaxValues = std::size_t{1} << 28;  // of a clip that is read
constexpr std::size_t kMaxHeader = 16 << 20;              // [bytes]

/// How one column becomes integers.
struct Scale {
  double offset = 0, scale = 0;
  bool has_gaps = false;
};

Scale find_scale(const ClipColumn& column) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  Scale out;
  for (const double x : column.values) {
    if (!std::isfinite(x)) {
      out.has_gaps = true;
      continue;
    }
    low = std::min(low, x), high = std::max(high, x);
  }
  if (low > high) return out;  // nothing but gaps
  out.offset = low;
  if (low == high && !out.has_gaps) return out;
  const double range = high - low;
  // 12 bits of the range: a plot of all of it shows no step.
  out.scale = column.quantum > 0 ? column.quantum : range / 4096;
  if (!(range / out.scale < kMaxSteps)) out.scale = range / (kMaxSteps - 1);
  if (!(out.scale > 0) || !std::isfinite(out.scale)) out.scale = 1;
  return out;
}

std::uint32_t zigzag(std::uint32_t difference) {
  const auto d = static_cast<std::int32_t>(difference);
  return (difference << 1) ^ static_cast<std::uint32_t>(d >> 31);
}

std::uint32_t unzigzag(std::uint32_t code) { return (code >> 1) ^ (0U - (code & 1U)); }

void append_planes(const ClipColumn& column, const Scale& scale, std::string* out) {
  const std::size_t count = column.values.size(), first = out->size();
  out->resize(first + 4 * count);
  std::uint32_t before = 0, last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = column.values[i];
    const std::int32_t k =
        std::isfinite(x) ? static_cast<std::int32_t>(std::lround((x - scale.offset) / scale.scale))
                         : kGap;
    const auto now = static_cast<std::uint32_t>(k);
    const std::uint32_t code = zigzag(now - 2 * last + before);
    for (std::size_t plane = 0; plane < 4; ++plane)
      (*out)[first + plane * count + i] = static_cast<char>(code >> (8 * plane) & 0xFF);
    before = last;
    last = now;
  }
}

std::string inflate_all(std::string_view bytes, std::size_t size) {
  std::string out(size, '\0');
  uLongf found = size;
  const int result = uncompress(reinterpret_cast<Bytef*>(out.data()), &found,
                                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  require(result == Z_OK && found == size, "decode_clip: the stream has ", found,
          " bytes, expected ", size, result == Z_OK ? "" : "; it is damaged");
  return out;
}

}  // namespace

std::string encode_clip(int run, const std::vector<ClipColumn>& columns, int compression) {
  const std::size_t count = columns.empty() ? 0 : columns.front().values.size();
  Json list = Json::array();
  std::string planes;
  for (const ClipColumn& column : columns) {
    require(column.values.size() == count, "encode_clip: column \"", column.name, "\" has ",
            column.values.size(), " values, the first one ", count);
    const Scale scale = find_scale(column);
    Json json{{"name", column.name}, {"scale", scale.scale}, {"offset", scale.offset}};
    if (scale.has_gaps) {
      // A column of gaps alone has a scale, too, so that it is in the stream.
      if (scale.scale == 0) json["scale"] = 1.0;
      json["gaps"] = true;
    }
    list.push_back(std::move(json));
    if (scale.scale == 0 && !scale.has_gaps) continue;
    Scale used = scale;
    if (used.scale == 0) used.scale = 1;
    append_planes(column, used, &planes);
  }
  const std::string header =
      Json{{"run", run}, {"count", count}, {"columns", std::move(list)}}.dump();
  std::string out(kMagic);
  internal::append(static_cast<std::uint32_t>(header.size()), &out);
  out += header;
  out += internal::deflate_all(planes, compression);
  return out;
}

Clip decode_clip(std::string_view bytes) {
  require(bytes.substr(0, kMagic.size()) == kMagic && bytes.size() >= kMagic.size() + 4,
          "decode_clip: the bytes do not begin with ", kMagic);
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + kMagic.size(), 4);
  bytes.remove_prefix(kMagic.size() + 4);
  require(length <= bytes.size() && length <= kMaxHeader, "decode_clip: the header has ", length,
          " bytes, there are ", bytes.size());
  const Json header = Json::parse(bytes.substr(0, length), nullptr, false);
  bytes.remove_prefix(length);
  require(header.is_object() && header.contains("columns") && header["columns"].is_array() &&
              header.contains("count") && header["count"].is_number_unsigned(),
          "decode_clip: the header is not one of a clip");
  const auto count = header["count"].get<std::size_t>();
  Clip clip;
  clip.run = header.value("run", 0);
  std::size_t streamed = 0;
  for (const Json& json : header["columns"]) {
    require(json.is_object() && json.contains("name") && json["name"].is_string() &&
                json.contains("scale") && json["scale"].is_number() && json.contains("offset") &&
                json["offset"].is_number(),
            "decode_clip: column ", clip.columns.size(), " has no name, scale or offset");
    clip.columns.push_back({.name = json["name"].get<std::string>(), .values = {}});
    if (json["scale"].get<double>() != 0) ++streamed;
  }
  require(count <= kMaxValues / std::max<std::size_t>(clip.columns.size(), 1),
          "decode_clip: the clip has ", count, " rows of ", clip.columns.size(), " columns");
  const std::string planes = inflate_all(bytes, 4 * count * streamed);
  std::size_t first = 0;
  for (std::size_t c = 0; c < clip.columns.size(); ++c) {
    const Json& json = header["columns"][c];
    const double scale = json["scale"].get<double>(), offset = json["offset"].get<double>();
    const bool has_gaps = json.value("gaps", false);
    ClipColumn& column = clip.columns[c];
    column.quantum = scale;
    column.values.assign(count, offset);
    if (scale == 0) continue;
    std::uint32_t before = 0, last = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t code = 0;
      for (std::size_t plane = 0; plane < 4; ++plane)
        code |= static_cast<std::uint32_t>(
                    static_cast<unsigned char>(planes[first + plane * count + i]))
                << (8 * plane);
      const std::uint32_t now = unzigzag(code) + 2 * last - before;
      before = last;
      last = now;
      const auto k = static_cast<std::int32_t>(now);
      column.values[i] =
          has_gaps && k == kGap ? std::numeric_limits<double>::quiet_NaN() : offset + scale * k;
    }
    first += 4 * count;
  }
  return clip;
}

ClipWriter::ClipWriter(const FrameLayout& layout, int run) : layout_(layout), run_(run) {
  columns_.push_back({.name = "time", .values = {}, .quantum = kTimeStep});
  const auto add = [&](std::string name, double quantum) {
    columns_.push_back({.name = std::move(name), .values = {}, .quantum = quantum});
  };
  for (std::size_t v = 0; v < layout.bodies.size(); ++v)
    for (int b = 0; b < layout.bodies[v]; ++b) {
      const std::string prefix = concat("vehicles/", v, "/bodies/", b, "/");
      for (const char* part : {"x", "y", "z"}) add(prefix + part, kPositionStep);
      for (const char* part : {"qx", "qy", "qz", "qw"}) add(prefix + part, kQuaternionStep);
    }
  for (int t = 0; t < layout.things; ++t) {
    for (const char* part : {"x", "y", "z"}) add(concat("things/", t, "/", part), 1e-3);
    add(concat("things/", t, "/yaw"), 1e-4);
  }
  for (int k = 0; k < layout.sample_size; ++k) add(concat("sample/", k), 0);
}

// A quaternion and its negative are the same rotation: the sign that is nearer to the last one keeps
// columns smooth, which is what makes them small.
void ClipWriter::append(double time, std::span<const double> values) {
  require(values.size() + 1 == columns_.size(), "ClipWriter::append: ", values.size(),
          " values, the layout has ", columns_.size() - 1);
  columns_[0].values.push_back(time);
  std::size_t k = 0;
  for (const int count : layout_.bodies)
    for (int b = 0; b < count; ++b, k += 7) {
      double dot = 0;
      if (columns_[0].values.size() > 1)
        for (std::size_t i = 3; i < 7; ++i)
          dot += columns_[k + i + 1].values.back() * values[k + i];
      for (std::size_t i = 0; i < 7; ++i)
        columns_[k + i + 1].values.push_back(i >= 3 && dot < 0 ? -values[k + i] : values[k + i]);
    }
  for (; k < values.size(); ++k) columns_[k + 1].values.push_back(values[k]);
}

void ClipWriter::append_frame(std::span<const std::byte> frame) {
  values_.resize(layout_.value_count());
  const double time = decode_frame(layout_, frame, values_);
  append(time, values_);
}

std::string ClipWriter::finish(int compression) const {
  return encode_clip(run_, columns_, compression);
}

}  // namespace camber::view
