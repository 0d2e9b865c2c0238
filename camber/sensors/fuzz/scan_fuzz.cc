// Readers of scans, chosen by the first byte; they may throw FileError and nothing else. What they read
// can be drawn.

#include <cstddef>
#include <cstdint>
#include <string>

#include "camber/core/file.h"
#include "camber/sensors/scan_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace camber;  // NOLINT(google-build-using-namespace): one function
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const auto points = data[0] % 2 == 0 ? sensors::parse_pcd(bytes, "fuzz.pcd")
                                         : sensors::parse_las(bytes, "fuzz.las");
    sensors::draw_scan(points, 20, 16, sensors::find_height_range(points));
  } catch (const FileError&) {
  }
  return 0;
}
