// Any text after --set is an assignment or a std::invalid_argument that names it; an assignment is
// set in its file or noted there, and every value of the file can be asked for afterwards.

#include "camber/core/overrides.h"

#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/fuzz/targets.h"

namespace {

constexpr const char* kFile = R"(name = "mule"
[axles.front]
track = 1.81
at = [1.5, 0.0, 0.3]
[[stop]]
value = 2.0
)";

void read(const camber::TomlNode& node) {
  node.number("m");
  node.text();
  node.position();
  if (node.is_array()) {
    for (const camber::TomlNode& element : node.elements()) read(element);
  } else if (node.is_table()) {
    node.at("mass").positive("kg");
    for (const camber::TomlNode& entry : node.entries()) read(entry);
  }
}

}  // namespace

void camber::fuzz::read_overrides(std::string_view bytes) {
  const std::string text(bytes);
  try {
    const camber::Overrides overrides(std::span(&text, 1));
    if (overrides.texts().front() != text) std::abort();
    camber::TomlFile file = camber::parse_toml(kFile, "fuzz.toml");
    const auto parts = overrides.parts();
    overrides.apply(parts.empty() ? "" : parts.front(), &file);
    read(file.root());
    try {
      file.finish();
    } catch (const camber::ModelFileError&) {
    }
  } catch (const std::invalid_argument& error) {
    // what() ends at a zero byte.
    if (std::string(error.what()).find(("--set " + text).c_str()) != 0) std::abort();
  }
}
