#include "camber/city/xml_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::city::internal {
namespace {

constexpr std::size_t kMaxBytes = 256 << 20;
constexpr int kMaxDepth = 64;

}  // namespace

XmlFile::XmlFile(std::string text, std::string name)
    : name_(std::move(name)), text_(std::move(text)) {
  if (text_.size() > kMaxBytes) throw FileError(name_, "is longer than 256 MB");
  line_starts_.push_back(0);
  for (std::size_t k = 0; k < text_.size(); ++k) {
    if (text_[k] == '\n') line_starts_.push_back(k + 1);
  }
  const auto line = [&](std::ptrdiff_t offset) {
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
    return std::ranges::upper_bound(line_starts_, at) - line_starts_.begin();
  };
  const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
  if (!result) {
    throw FileError(concat(name_, ":", line(result.offset)),
                    concat("not XML: ", result.description()));
  }
  // Depth, without recursion.
  int depth = 0;
  for (pugi::xml_node node = document_.first_child(); node;) {
    if (pugi::xml_node child = node.first_child()) {
      if (++depth > kMaxDepth) fail(node, "elements nest deeper than 64");
      node = child;
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      --depth;
      if (depth < 0) break;
    }
    if (depth < 0) break;
    node = node.next_sibling();
  }
}

pugi::xml_node XmlFile::root(const char* element) const {
  const pugi::xml_node node = document_.child(element);
  if (!node) throw FileError(name_, concat("has no <", element, "> at its top"));
  return node;
}

int XmlFile::line_of(const pugi::xml_node& node) const {
  const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
  return static_cast<int>(std::ranges::upper_bound(line_starts_, at) - line_starts_.begin());
}

void XmlFile::fail(const pugi::xml_node& node, const std::string& message) const {
  throw FileError(concat(name_, ":", line_of(node)), concat("<", node.name(), ">: ", message));
}

double XmlFile::number(const pugi::xml_node& node, const char* key, double low, double high) const {
  const pugi::xml_attribute found = node.attribute(key);
  if (!found) fail(node, concat(key, " is missing"));
  std::string_view text = found.value();
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || !(value >= low && value <= high)) {
    fail(node,
         concat(key, " must be a number in ", low, "..", high, ", got \"", found.value(), "\""));
  }
  for (const char* rest = end; rest != text.data() + text.size(); ++rest) {
    if (*rest != ' ') fail(node, concat(key, " must be a number, got \"", found.value(), "\""));
  }
  return value;
}

double XmlFile::number_or(const pugi::xml_node& node, const char* key, double fallback, double low,
                          double high) const {
  const pugi::xml_attribute found = node.attribute(key);
  return found && *found.value() != '\0' ? number(node, key, low, high) : fallback;
}

long long XmlFile::integer(const pugi::xml_node& node, const char* key) const {
  const pugi::xml_attribute found = node.attribute(key);
  if (!found) fail(node, concat(key, " is missing"));
  const std::string_view text = found.value();
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    fail(node, concat(key, " must be an integer, got \"", found.value(), "\""));
  return value;
}

}  // namespace camber::city::internal
