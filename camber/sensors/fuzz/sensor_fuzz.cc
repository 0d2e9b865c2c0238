// Any bytes either are a table of a sensor or throw ModelFileError.

#include <cstddef>
#include <cstdint>
#include <string>

#include "camber/core/diagnostics.h"
#include "camber/sensors/sensor_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace camber;  // NOLINT(google-build-using-namespace): one function
  try {
    TomlFile file = parse_toml(std::string(reinterpret_cast<const char*>(data), size),
                               "no-such-folder/fuzz.toml");
    sensors::read_sensor(file.root(), "no-such-folder");
    file.finish();
  } catch (const ModelFileError&) {
  }
  return 0;
}
