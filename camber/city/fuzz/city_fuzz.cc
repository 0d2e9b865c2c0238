// All readers of maps of others, chosen by the first byte; they may throw FileError and nothing
// else.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "camber/city/cityjson_file.h"
#include "camber/city/opendrive_file.h"
#include "camber/city/osm_file.h"
#include "camber/core/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace camber;  // NOLINT(google-build-using-namespace): one function
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 3) {
      case 0:
        city::parse_osm(text, "fuzz");
        break;
      case 1:
        city::parse_opendrive(text, "fuzz");
        break;
      default:
        city::parse_cityjson(text, "fuzz");
        break;
    }
  } catch (const FileError&) {
  }
  return 0;
}
