#pragma once

// XML files: limits on size and depth, line numbers in messages.

#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

namespace camber::city::internal {

/// A parsed XML file. Throws FileError with the line for text that is not XML, is longer than
/// 256 MB, or nests deeper than 64 elements.
class XmlFile {
 public:
  XmlFile(std::string text, std::string name);

  pugi::xml_node root(const char* element) const;
  /// "maps/a.xodr:41: <road id=...>: message" as FileError.
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& message) const;
  int line_of(const pugi::xml_node& node) const;

  /// A number that must be there, finite, within [low, high].
  double number(const pugi::xml_node& node, const char* key, double low = -1e9,
                double high = 1e9) const;
  double number_or(const pugi::xml_node& node, const char* key, double fallback, double low = -1e9,
                   double high = 1e9) const;
  long long integer(const pugi::xml_node& node, const char* key) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
  pugi::xml_document document_;
};

}  // namespace camber::city::internal
