#include "camber/core/json_file.h"

#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber {
namespace {

constexpr int kMaxDepth = 100;  // camber's own files have 6 levels

bool is_deep(const std::string& text) {
  int depth = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      is_in_string = !is_in_string;
    } else if (!is_in_string) {
      if ((c == '[' || c == '{') && ++depth > kMaxDepth) return true;
      if (c == ']' || c == '}') --depth;
    }
  }
  return false;
}

}  // namespace

std::string read_json_file(const std::string& path, std::size_t max_bytes) {
  std::string text = read_file(path, max_bytes);
  if (is_deep(text)) throw FileError(path, concat("nests deeper than ", kMaxDepth, " levels"));
  return text;
}

}  // namespace camber
