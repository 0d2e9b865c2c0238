// Any bytes either parse or throw ModelFileError, and every value of what parses can be asked for
// and located; nothing crashes, hangs or reads outside its memory.

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include "camber/core/toml_reader.h"
#include "tests/fuzz/targets.h"

namespace {

void read_as_everything(const camber::TomlNode& node) {
  node.number("m");
  node.integer(-5, 5);
  node.choice({"mule", "cart"});
  node.boolean();
  node.key_position();
  const std::string text = node.text();
  for (std::size_t i = 0; i <= text.size(); i += 1 + text.size() / 8) {
    const camber::Position where = node.position_in_text(i);
    if (where.line < node.position().line) std::abort();
  }
  if (node.is_array()) {
    node.matrix(2, 2, "m");
    for (const camber::TomlNode& element : node.elements()) read_as_everything(element);
  } else if (node.is_table()) {
    node.at("mass").positive("kg");
    for (const camber::TomlNode& entry : node.entries()) read_as_everything(entry);
  }
}

}  // namespace

void camber::fuzz::read_toml(std::string_view bytes) {
  camber::TomlFile file = camber::parse_toml(std::string(bytes), "fuzz.toml");
  read_as_everything(file.root());
  file.finish();
}
