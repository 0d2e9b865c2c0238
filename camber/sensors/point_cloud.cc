#include "camber/sensors/point_cloud.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <type_traits>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::sensors {
namespace {

static_assert(std::endian::native == std::endian::little, "PCD and LAS are written as memory is");

/// Bytes of a file.
class Bytes {
 public:
  template <class T>
  void put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    text_.append(raw, sizeof value);
  }
  void put_text(std::string_view text, std::size_t size) {
    text_.append(text.substr(0, size));
    text_.append(size - std::min(size, text.size()), '\0');
  }
  void append(std::string_view text) { text_.append(text); }
  std::size_t size() const { return text_.size(); }
  /// Without a sync to the disk, which would take longer than the scan.
  void write(const std::string& path) const {
    std::ofstream file(path, std::ios::binary);
    file.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    file.close();
    if (!file) throw FileError(path, "cannot write");
  }

 private:
  std::string text_;
};

}  // namespace

void PointCloud::save(StateWriter* out) const {
  out->write(begin);
  for (int k = 0; k < 3; ++k) out->write(pose.position[k]);
  for (int k = 0; k < 9; ++k) out->write(pose.rotation(k % 3, k / 3));
  out->write(static_cast<double>(points.size()));
  for (const CloudPoint& p : points)
    for (const double value :
         {p.range, p.intensity, static_cast<double>(p.ray), static_cast<double>(p.label),
          static_cast<double>(p.instance), static_cast<double>(p.return_number),
          static_cast<double>(p.return_count), p.world[0], p.world[1], p.world[2]})
      out->write(value);
}

void PointCloud::restore(StateReader* in) {
  const auto read = [&] {
    const double x = in->read(), y = in->read(), z = in->read();
    return Vec3<double>(x, y, z);
  };
  begin = in->read();
  pose.position = read();
  for (Vec3<double>& column : pose.rotation.c) column = read();
  const int count = in->read_int();
  require(count >= 0 && static_cast<std::size_t>(count) <= in->left(),
          "the saved state has a cloud of ", count, " points");
  points.resize(static_cast<std::size_t>(count));
  for (CloudPoint& p : points) {
    p.range = in->read();
    p.intensity = in->read();
    p.ray = static_cast<std::uint32_t>(in->read_int());
    p.label = in->read_int();
    p.instance = in->read_int();
    p.return_number = static_cast<std::uint8_t>(in->read_int());
    p.return_count = static_cast<std::uint8_t>(in->read_int());
    p.world = read();
  }
}

void write_pcd(const std::string& path, const PointCloud& cloud) {
  const std::size_t n = cloud.points.size();
  const Vec3<double>& p = cloud.pose.position;
  const Mat3<double>& R = cloud.pose.rotation;
  // The viewpoint's quaternion; R is orthonormal to rounding.
  const double w = 0.5 * std::sqrt(std::max(0.0, 1 + R(0, 0) + R(1, 1) + R(2, 2)));
  double q[4] = {w, 0, 0, 0};
  if (w > 1e-6) {
    q[1] = (R(2, 1) - R(1, 2)) / (4 * w);
    q[2] = (R(0, 2) - R(2, 0)) / (4 * w);
    q[3] = (R(1, 0) - R(0, 1)) / (4 * w);
  } else {  // half a revolution
    for (int k = 0; k < 3; ++k) q[k + 1] = std::sqrt(std::max(0.0, 0.5 * (1 + R(k, k))));
    const int largest = static_cast<int>(std::max_element(q + 1, q + 4) - q) - 1;
    for (int k = 0; k < 3; ++k)
      if (k != largest) q[k + 1] = std::copysign(q[k + 1], R(k, largest));
  }
  Bytes out;
  out.append(
      concat("# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n"
             "FIELDS x y z intensity time ring return label instance\n"
             "SIZE 4 4 4 4 4 2 2 4 4\nTYPE F F F F F U U I I\nCOUNT 1 1 1 1 1 1 1 1 1\nWIDTH ",
             n, "\nHEIGHT 1\nVIEWPOINT ", p[0], " ", p[1], " ", p[2], " ", q[0], " ", q[1], " ",
             q[2], " ", q[3], "\nPOINTS ", n, "\nDATA binary\n"));
  for (std::size_t i = 0; i < n; ++i) {
    const CloudPoint& point = cloud.points[i];
    const LidarPattern::Ray& ray = cloud.pattern->rays[point.ray];
    const Vec3<double> at = cloud.position(i);
    for (int k = 0; k < 3; ++k) out.put(static_cast<float>(at[k]));
    out.put(static_cast<float>(point.intensity));
    out.put(static_cast<float>(ray.time));
    out.put(static_cast<std::uint16_t>(ray.ring));
    out.put(static_cast<std::uint16_t>(point.return_number));
    out.put(point.label);
    out.put(point.instance);
  }
  out.write(path);
}

// [ASPRS 2019] "LAS specification 1.4 - R15", tables 3 (header, 375 bytes) and 15 (format 6).
void write_las(const std::string& path, const PointCloud& cloud) {
  constexpr double kScale = 0.001;  // [m]
  constexpr std::uint16_t kHeader = 375, kRecord = 30;
  const std::size_t n = cloud.points.size();
  double low[3] = {}, high[3] = {};
  for (std::size_t i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      const double x = cloud.points[i].world[k];
      low[k] = i == 0 ? x : std::min(low[k], x);
      high[k] = i == 0 ? x : std::max(high[k], x);
    }
  double offset[3];
  for (int k = 0; k < 3; ++k) offset[k] = std::floor(low[k]);
  std::uint64_t by_return[15] = {};
  for (const CloudPoint& point : cloud.points)
    ++by_return[std::min<int>(point.return_number, 15) - 1];
  Bytes out;
  out.append("LASF");
  out.put<std::uint16_t>(0);   // file source
  out.put<std::uint16_t>(16);  // global encoding: WKT; GPS time is the time of the run
  out.put_text("", 16);        // project
  out.put<std::uint8_t>(1);
  out.put<std::uint8_t>(4);
  out.put_text("camber simulation", 32);
  out.put_text("camber", 32);
  out.put<std::uint16_t>(
      1);  // day and year of creation: fixed, so that equal runs give equal files
  out.put<std::uint16_t>(2000);
  out.put<std::uint16_t>(kHeader);
  out.put<std::uint32_t>(kHeader);  // start of the points
  out.put<std::uint32_t>(0);        // variable length records
  out.put<std::uint8_t>(6);
  out.put<std::uint16_t>(kRecord);
  for (int k = 0; k < 6; ++k) out.put<std::uint32_t>(0);  // legacy counts
  for (int k = 0; k < 3; ++k) out.put(kScale);
  for (const double x : offset) out.put(x);
  for (int k = 0; k < 3; ++k) {
    out.put(high[k]);
    out.put(low[k]);
  }
  out.put<std::uint64_t>(0);  // waveforms
  out.put<std::uint64_t>(0);  // extended records
  out.put<std::uint32_t>(0);
  out.put<std::uint64_t>(n);
  for (const std::uint64_t count : by_return) out.put(count);
  require(out.size() == kHeader, "write_las: the header has ", out.size(), " bytes");
  for (std::size_t i = 0; i < n; ++i) {
    const CloudPoint& point = cloud.points[i];
    const LidarPattern::Ray& ray = cloud.pattern->rays[point.ray];
    for (int k = 0; k < 3; ++k)
      out.put(static_cast<std::int32_t>(std::lround((point.world[k] - offset[k]) / kScale)));
    out.put(static_cast<std::uint16_t>(std::lround(std::clamp(point.intensity, 0.0, 255.0) * 257)));
    out.put(static_cast<std::uint8_t>(point.return_number | point.return_count << 4));
    out.put<std::uint8_t>(0);
    out.put(static_cast<std::uint8_t>(std::clamp(point.label, 0, 255)));
    out.put(static_cast<std::uint8_t>(ray.ring));  // user data
    out.put(static_cast<std::int16_t>(std::lround(ray.elevation * 57.29577951308232 / 0.006)));
    out.put(static_cast<std::uint16_t>(point.instance + 2));  // point source
    out.put(cloud.time(i));
  }
  out.write(path);
}

}  // namespace camber::sensors
