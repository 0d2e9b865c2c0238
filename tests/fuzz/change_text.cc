#include "tests/fuzz/change_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace camber::fuzz {
namespace {

std::size_t pick(std::size_t count, Random* random) { return (*random)() % count; }

template <class Container>
auto pick_from(const Container& all, Random* random) {
  auto it = all.begin();
  std::advance(it, pick(all.size(), random));
  return *it;
}

std::string make_number(Random* random) {
  static const std::vector<std::string> kNumbers = {
      "0",     "1",   "-1",   "2",   "0.5",  "-0.0",   "1e-300", "1e-9",  "1e9",
      "1e308", "nan", "-inf", "255", "4096", "100000", "1e18",   "65536", "9223372036854775807"};
  if (pick(3, random) > 0) return pick_from(kNumbers, random);
  return std::to_string((static_cast<double>(pick(20001, random)) - 10000) / 100);
}

// --- Parts of a text ---

struct Part {
  std::size_t begin = 0, size = 0;
};

/// Runs of characters for which `is_in` holds and that begin where `is_first` holds.
template <class First, class In>
std::vector<Part> find_parts(const std::string& text, const First& is_first, const In& is_in) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_inside = i > 0 && is_in(text[i - 1]);
    if (is_inside || !is_first(text[i])) continue;
    std::size_t end = i + 1;
    while (end < text.size() && is_in(text[end])) ++end;
    parts.push_back({i, end - i});
    i = end - 1;
  }
  return parts;
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::vector<Part> find_words(const std::string& text) {
  return find_parts(
      text, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; },
      is_word_character);
}

std::vector<Part> find_numbers(const std::string& text) {
  return find_parts(
      text, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '-'; },
      [](char c) { return is_word_character(c) || c == '.' || c == '-' || c == '+'; });
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  text.pop_back();
  return text;
}

std::string replace(std::string text, const Part& part, const std::string& by) {
  return text.replace(part.begin, part.size, by);
}

// --- TOML ---

/// The table of a header, "stop[]" of [[stop]]; empty if the line is none.
std::string table_of(const std::string& line) {
  const std::size_t begin = line.find_first_not_of('[');
  const std::size_t end = line.find(']');
  if (begin == 0 || begin == std::string::npos || end == std::string::npos || begin > end)
    return "";
  return line.substr(begin, end - begin) + (begin == 2 ? "[]" : "");
}

std::string key_of(const std::string& line) {
  const std::size_t end = line.find_first_of(" =");
  return end == std::string::npos || line.find('=') == std::string::npos ? "" : line.substr(0, end);
}

std::string make_value(const std::string& text, const std::string& key, const KeyWatch& known,
                       Random* random) {
  const auto words = known.words().find(key);
  if (words != known.words().end() && pick(2, random) == 0)
    return '"' + pick_from(words->second, random) + '"';
  switch (pick(8, random)) {
    case 0:
      return pick(2, random) == 0 ? "true" : "false";
    case 1:
      return "[" + make_number(random) + ", " + make_number(random) + ", " + make_number(random) +
             "]";
    case 2: {  // a name that the file has
      const std::vector<Part> found = find_words(text);
      if (found.empty()) return "\"\"";
      const Part word = pick_from(found, random);
      return '"' + text.substr(word.begin, word.size) + '"';
    }
    case 3:
      return pick(2, random) == 0 ? "[]" : "{}";
    case 4:
      return "[[" + make_number(random) + ", " + make_number(random) + "], [" +
             make_number(random) + ", " + make_number(random) + "]]";
    default:
      return make_number(random);
  }
}

/// A key that readers ask for in the table, or in any; empty if nothing is known yet.
std::string make_key(const std::string& table, const KeyWatch& known, Random* random) {
  if (known.keys().empty()) return "";
  const auto own = known.keys().find(table);
  if (own != known.keys().end() && pick(8, random) > 0) return pick_from(own->second, random);
  return pick_from(pick_from(known.keys(), random).second, random);
}

}  // namespace

std::string change_text(const std::string& text, Random* random) {
  const std::size_t kind = pick(6, random);
  if (kind < 3) {
    std::vector<std::string> lines = split_lines(text);
    const auto at = lines.begin() + static_cast<long>(pick(lines.size(), random));
    const auto to = lines.begin() + static_cast<long>(pick(lines.size(), random));
    if (kind == 0 && lines.size() > 1)
      lines.erase(at);
    else if (kind == 1)
      lines.insert(to, std::string(*at));
    else
      std::swap(*at, *to);
    return join(lines);
  }
  const std::vector<Part> parts = kind < 5 ? find_numbers(text) : find_words(text);
  if (parts.empty()) return text;
  const Part part = pick_from(parts, random);
  if (kind < 5) return replace(text, part, make_number(random));
  const Part other = pick_from(parts, random);
  return replace(text, part, text.substr(other.begin, other.size));
}

std::string change_toml(const std::string& text, const KeyWatch& known, Random* random) {
  if (pick(3, random) == 0) return change_text(text, random);
  std::vector<std::string> lines = split_lines(text);
  const std::size_t at = pick(lines.size(), random);
  std::string table;
  for (std::size_t i = 0; i <= at; ++i)
    if (lines[i].starts_with('[')) table = table_of(lines[i]);
  std::string& line = lines[at];
  const std::string old_key = key_of(line);
  const std::size_t brace = line.rfind('{');
  const bool has_key = !old_key.empty() && !line.starts_with('[');
  switch (pick(5, random)) {
    case 0:  // another key
      if (has_key) line.replace(0, old_key.size(), make_key(table, known, random));
      break;
    case 1:  // another value
      if (has_key) line = old_key + " = " + make_value(text, old_key, known, random);
      break;
    case 2:  // one more key in a table within a line
      if (has_key && brace != std::string::npos) {
        const std::string key =
            make_key(table.empty() ? old_key : table + "." + old_key, known, random);
        line.insert(brace + 1, " " + key + " = " + make_value(text, key, known, random) + ", ");
        break;
      }
      [[fallthrough]];
    case 3: {  // one more key
      const std::string key = make_key(table, known, random);
      line += "\n" + key + " = " + make_value(text, key, known, random);
      break;
    }
    default: {  // one more table
      if (known.keys().empty()) break;
      const std::string path = pick_from(known.keys(), random).first;
      line += path.ends_with("[]") ? "\n[[" + path.substr(0, path.size() - 2) + "]]"
                                   : "\n[" + path + "]";
    }
  }
  return join(lines);
}

std::string repair_png(std::string bytes) {
  const auto number_at = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t size = number_at(at);
    if (size > bytes.size() - at - 12) break;
    const auto* begin = reinterpret_cast<const Bytef*>(bytes.data() + at + 4);
    const auto sum = static_cast<std::uint32_t>(crc32(0, begin, static_cast<uInt>(size + 4)));
    for (std::size_t i = 0; i < 4; ++i)
      bytes[at + 8 + size + i] = static_cast<char>(sum >> (24 - 8 * i) & 255);
    at += 12 + size;
  }
  return bytes;
}

}  // namespace camber::fuzz
