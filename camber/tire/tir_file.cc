#include "camber/tire/tir_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"

namespace camber::tire {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;  // such a file has 10 kB

struct Unit {
  std::string_view name;
  double in_si;
};
constexpr double kPound = 0.45359237, kGravity = 9.80665, kFoot = 0.3048;

constexpr std::array kLengths{
    Unit{"METER", 1},         Unit{"METERS", 1},         Unit{"M", 1},
    Unit{"MM", 1e-3},         Unit{"MILLIMETER", 1e-3},  Unit{"CM", 1e-2},
    Unit{"CENTIMETER", 1e-2}, Unit{"KM", 1e3},           Unit{"INCH", kFoot / 12},
    Unit{"FOOT", kFoot},      Unit{"MILE", 5280 * kFoot}};
constexpr std::array kForces{Unit{"NEWTON", 1},
                             Unit{"N", 1},
                             Unit{"KNEWTON", 1e3},
                             Unit{"KILO_NEWTON", 1e3},
                             Unit{"KILOGRAM_FORCE", kGravity},
                             Unit{"KG_FORCE", kGravity},
                             Unit{"POUND_FORCE", kPound* kGravity}};
constexpr std::array kAngles{Unit{"RADIAN", 1},
                             Unit{"RADIANS", 1},
                             Unit{"RAD", 1},
                             Unit{"DEGREE", std::numbers::pi / 180},
                             Unit{"DEGREES", std::numbers::pi / 180},
                             Unit{"DEG", std::numbers::pi / 180}};
constexpr std::array kMasses{
    Unit{"KG", 1},    Unit{"KILOGRAM", 1},        Unit{"GRAM", 1e-3},
    Unit{"TON", 1e3}, Unit{"POUND_MASS", kPound}, Unit{"SLUG", kPound* kGravity / kFoot}};
constexpr std::array kTimes{Unit{"SECOND", 1}, Unit{"SECONDS", 1},        Unit{"SEC", 1},
                            Unit{"S", 1},      Unit{"MILLISECOND", 1e-3}, Unit{"MINUTE", 60},
                            Unit{"HOUR", 3600}};

/// What a number in the file is multiplied with, as powers of the file's units.
struct Dimension {
  int length = 0, force = 0, time = 0, angle = 0;
};
const std::map<std::string_view, Dimension>& dimensions() {
  static const std::map<std::string_view, Dimension> table{
      {"UNLOADED_RADIUS", {.length = 1}},
      {"WIDTH", {.length = 1}},
      {"FNOMIN", {.force = 1}},
      {"FZMIN", {.force = 1}},
      {"FZMAX", {.force = 1}},
      {"LONGVL", {.length = 1, .time = -1}},
      {"NOMPRES", {.length = -2, .force = 1}},
      {"INFLPRES", {.length = -2, .force = 1}},
      {"VERTICAL_STIFFNESS", {.length = -1, .force = 1}},
      {"VERTICAL_DAMPING", {.length = -1, .force = 1, .time = 1}},
      {"LONGITUDINAL_STIFFNESS", {.length = -1, .force = 1}},
      {"LATERAL_STIFFNESS", {.length = -1, .force = 1}},
      {"ALPMIN", {.angle = 1}},
      {"ALPMAX", {.angle = 1}},
      {"CAMMIN", {.angle = 1}},
      {"CAMMAX", {.angle = 1}},
  };
  return table;
}

std::string_view trim(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string to_upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

/// The line up to a comment; a quoted string may hold its signs.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\'') quoted = !quoted;
    if (!quoted && (line[i] == '$' || line[i] == '!')) return line.substr(0, i);
  }
  return line;
}

/// A Fortran exponent (1.0d3) and a plus sign are fine.
std::optional<double> read_number(std::string_view text) {
  std::string plain(text);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  std::string_view rest = plain;
  if (rest.starts_with('+')) rest.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || end != rest.data() + rest.size() || !std::isfinite(value)) return {};
  return value;
}

class TirReader {
 public:
  TirReader(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  TirFile read() {
    read_lines();
    read_units();
    read_model();
    read_coefficients();
    check_values();
    diagnostics_.throw_if_any();
    check_essentials();
    diagnostics_.throw_if_any();
    return std::move(result_);
  }

 private:
  struct Entry {
    std::string section, key, value;
    int line = 0;
    bool is_used = false;
  };

  Position at(const Entry& entry) const {
    return {.file = file_, .line = entry.line, .key = entry.key};
  }

  void read_lines() {
    std::string section;
    int number = 0;
    std::string_view rest = text_;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trim(without_comment(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ++number;
      if (line.empty()) continue;
      if (line.front() == '[') {
        if (line.back() != ']')
          diagnostics_.error({file_, number}, "a section's name ends with \"]\"");
        section = to_upper(trim(line.substr(1, line.find(']') - 1)));
        continue;
      }
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos) {
        // Rows of a table, as [SHAPE] has one.
        if (line.front() != '{' && !read_number(line.substr(0, line.find_first_of(" \t")))) {
          diagnostics_.error({file_, number}, "expected KEY = value, [SECTION], or a comment");
        }
        note_ignored(section);
        continue;
      }
      add({section, to_upper(trim(line.substr(0, equals))),
           std::string(trim(line.substr(equals + 1))), number});
    }
    if (entries_.empty())
      diagnostics_.error({file_}, "holds no KEY = value: no tire property file");
  }

  void add(Entry entry) {
    const auto [place, is_new] = place_.emplace(entry.key, entries_.size());
    if (!is_new && entries_[place->second].section == entry.section) {
      diagnostics_.error(at(entry),
                         concat("is given twice, first in line ", entries_[place->second].line));
    }
    entries_.push_back(std::move(entry));
  }

  void note_ignored(const std::string& name) {
    if (result_.ignored.empty() || result_.ignored.back() != name) result_.ignored.push_back(name);
  }

  Entry* find(const std::string& key) {
    const auto found = place_.find(key);
    if (found == place_.end()) return nullptr;
    entries_[found->second].is_used = true;
    return &entries_[found->second];
  }

  std::string unquoted(const Entry& entry) {
    std::string_view text = entry.value;
    if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'')
      text = text.substr(1, text.size() - 2);
    return to_upper(trim(text));
  }

  double read_unit(const std::string& key, std::span<const Unit> units) {
    const Entry* entry = find(key);
    if (entry == nullptr) return 1;
    const std::string name = unquoted(*entry);
    std::vector<std::string> names;
    for (const Unit& unit : units) {
      if (unit.name == name) return unit.in_si;
      names.emplace_back(unit.name);
    }
    std::string known;
    for (const std::string& n : names) known += concat(known.empty() ? "" : ", ", n);
    diagnostics_.error(at(*entry), concat("unknown unit '", name, "'", did_you_mean(name, names),
                                          "; known are ", known));
    return 1;
  }

  void read_units() {
    length_ = read_unit("LENGTH", kLengths);
    force_ = read_unit("FORCE", kForces);
    angle_ = read_unit("ANGLE", kAngles);
    time_ = read_unit("TIME", kTimes);
    read_unit("MASS", kMasses);
  }

  void read_model() {
    if (const Entry* entry = find("FITTYP")) {
      const std::optional<double> type = read_number(entry->value);
      const auto is_one_of = [&](std::initializer_list<double> types) {
        return type && std::find(types.begin(), types.end(), *type) != types.end();
      };
      if (is_one_of({60, 61, 62})) {
        result_.tire.version = MagicFormulaTire::Version::k61;
      } else if (!is_one_of({5, 6, 21, 51, 52})) {
        diagnostics_.error(at(*entry),
                           concat("must be 6, 21 or 52 (Magic Formula 5.2) or 60, 61, 62 "
                                  "(6.x), got ",
                                  entry->value));
      }
    } else if (const Entry* format = find("PROPERTY_FILE_FORMAT")) {
      const std::string name = unquoted(*format);
      if (name != "PAC2002" && name != "MF52" && name != "MF_52" && name != "MF05") {
        diagnostics_.error(at(*format), concat("must be 'PAC2002' or 'MF52', or there must be a "
                                               "FITTYP, got '",
                                               name, "'"));
      }
    } else {
      diagnostics_.error({file_},
                         "has neither FITTYP nor PROPERTY_FILE_FORMAT, which say the "
                         "formula's version");
    }
    find("PROPERTY_FILE_FORMAT");
    const Entry* side = find("TYRESIDE");
    if (side == nullptr) return;
    const std::string name = unquoted(*side);
    if (name == "RIGHT") {
      result_.side = TirFile::Side::kRight;
    } else if (name == "SYMMETRIC") {
      result_.side = TirFile::Side::kSymmetric;
    } else if (name != "LEFT") {
      diagnostics_.error(at(*side),
                         concat("must be 'LEFT', 'RIGHT' or 'SYMMETRIC', got ", side->value));
    }
  }

  void read_coefficients() {
    // PAC2002's names for the pressures.
    if (Entry* entry = find("IP")) read_value(*entry, "INFLPRES");
    if (Entry* entry = find("IP_NOM")) read_value(*entry, "NOMPRES");
    for (const MagicFormulaKey& key : magic_formula_keys()) {
      if (Entry* entry = find(std::string(key.name))) {
        read_value(*entry, key.name);
      } else if (is_needed(key.name)) {
        result_.missing.emplace_back(key.name);
      }
    }
    for (const Entry& entry : entries_) {
      if (!entry.is_used)
        result_.ignored.push_back(entry.section.empty() ? entry.key
                                                        : concat(entry.section, ".", entry.key));
    }
  }

  /// Not so scales, ranges that are without end where no file bounds them, and what the formula's
  /// other version has.
  bool is_needed(std::string_view key) const {
    if (result_.tire.version == MagicFormulaTire::Version::k61) {
      if (key == "LONGITUDINAL_STIFFNESS" || key == "LATERAL_STIFFNESS") return true;
      if (key.starts_with("PTX") || key.starts_with("PTY") || key == "PHY3") return false;
    } else {
      constexpr std::string_view kOthers[] = {"PEY5",  "PKY4",    "PKY5",    "PKY6",
                                              "PKY7",  "RBX3",    "RBY4",    "QDZ10",
                                              "QDZ11", "NOMPRES", "INFLPRES"};
      if (std::find(std::begin(kOthers), std::end(kOthers), key) != std::end(kOthers)) return false;
      if (key.starts_with("PP") || key.starts_with("PCF") || key.ends_with("AL_STIFFNESS"))
        return key == "VERTICAL_STIFFNESS";
    }
    return key.front() != 'L' && !key.ends_with("MIN") && !key.ends_with("MAX");
  }

  /// Those without which there are no forces; others have a default that does nothing.
  void check_essentials() {
    std::string list;
    for (const char* key :
         {"UNLOADED_RADIUS", "FNOMIN", "PCX1", "PDX1", "PKX1", "PCY1", "PDY1", "PKY1", "PKY2"}) {
      if (!place_.contains(key)) list += concat(list.empty() ? "" : ", ", key);
    }
    if (!list.empty())
      diagnostics_.error({file_}, concat("lacks ", list, ": a tire has no forces without"));
  }

  void read_value(const Entry& entry, std::string_view name) {
    const std::optional<double> number = read_number(entry.value);
    if (!number) {
      diagnostics_.error(at(entry), concat("must be a number, got ", entry.value));
      return;
    }
    double scale = 1;
    if (const auto found = dimensions().find(name); found != dimensions().end()) {
      const Dimension& d = found->second;
      scale = std::pow(length_, d.length) * std::pow(force_, d.force) * std::pow(time_, d.time) *
              std::pow(angle_, d.angle);
    }
    for (const MagicFormulaKey& key : magic_formula_keys()) {
      if (key.name == name) result_.tire.*key.member = *number * scale;
    }
  }

  void check_values() {
    const auto check = [&](const char* key, bool holds, double value, const char* expected) {
      if (holds) return;
      const auto found = place_.find(key);
      diagnostics_.error(
          found != place_.end() ? at(entries_[found->second]) : Position{.file = file_, .key = key},
          concat("must be ", expected, ", got ", value));
    };
    const MagicFormulaTire& t = result_.tire;
    // A radius of 400 is one in mm under [UNITS] that say meter.
    check("UNLOADED_RADIUS", t.UNLOADED_RADIUS > 0.01 && t.UNLOADED_RADIUS < 5, t.UNLOADED_RADIUS,
          "between 0.01 and 5 m in the file's unit of length");
    check("FNOMIN", t.FNOMIN > 10 && t.FNOMIN < 1e6, t.FNOMIN,
          "between 10 and 1e6 N in the file's unit of force");
    check("LONGVL", t.LONGVL > 0, t.LONGVL, "> 0");
    check("KPUMAX", t.KPUMAX > t.KPUMIN, t.KPUMAX, "> KPUMIN");
    check("ALPMAX", t.ALPMAX > t.ALPMIN, t.ALPMAX, "> ALPMIN");
    check("CAMMAX", t.CAMMAX > t.CAMMIN, t.CAMMAX, "> CAMMIN");
    check("LFZO", t.LFZO > 0, t.LFZO, "> 0");
    check("PCX1", t.PCX1 * t.LCX > 0, t.PCX1, "> 0");
    check("PCY1", t.PCY1 * t.LCY > 0, t.PCY1, "> 0");
    check("PKY1", t.PKY1 != 0, t.PKY1, "other than 0");
    check("FZMAX", t.FZMAX > t.FZMIN, t.FZMAX, "> FZMIN");
  }

  std::string_view text_;
  std::string file_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> place_;
  double length_ = 1, force_ = 1, time_ = 1, angle_ = 1;
  Diagnostics diagnostics_;
  TirFile result_;
};

}  // namespace

TirFile parse_tir(std::string_view text, const std::string& file) {
  return TirReader(text, file).read();
}

TirFile load_tir(const std::string& path) {
  std::string text;
  try {
    text = read_file(path, kMaxBytes);
  } catch (const FileError& error) {
    throw ModelFileError({path}, error.reason());
  }
  return parse_tir(text, path);
}

}  // namespace camber::tire
