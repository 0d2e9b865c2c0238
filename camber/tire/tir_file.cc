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
constexpr std::array kForces{Unit{"NEWTON", 1},          Unit{"N", 1},
                             Unit{"KNEWTON", 1e3},       Unit{"KN", 1e3},
                             Unit{"KILO_NEWTON", 1e3},   Unit{"KILOGRAM_FORCE", kGravity},
                             Unit{"KG_FORCE", kGravity}, Unit{"POUND_FORCE", kPound* kGravity}};
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

/// The line up to a comment; a quoted string may hold its signs, and the other quotes.
std::string_view without_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      if (line[i] == quote) quote = 0;
    } else if (line[i] == '\'' || line[i] == '"') {
      quote = line[i];
    } else if (line[i] == '$' || line[i] == '!') {
      return line.substr(0, i);
    }
  }
  return line;
}

/// The first line of `rest`, which then begins with the next one. Lines end with LF, CR LF or CR.
std::string_view take_line(std::string_view* rest) {
  const std::size_t end = std::min(rest->find_first_of("\r\n"), rest->size());
  const std::string_view line = rest->substr(0, end);
  rest->remove_prefix(end);
  rest->remove_prefix(rest->starts_with("\r\n") ? 2 : std::min<std::size_t>(1, rest->size()));
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

/// A bound that is told with two digits.
double rounded(double value) {
  const double decade = std::floor(std::log10(value)) - 1;
  return decade < 0 ? std::round(value * std::pow(10.0, -decade)) / std::pow(10.0, -decade)
                    : std::round(value / std::pow(10.0, decade)) * std::pow(10.0, decade);
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
      const std::string_view line = trim(without_comment(take_line(&rest)));
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
    const bool is_quoted = text.starts_with('\'') || text.starts_with('"');
    if (is_quoted && text.size() >= 2 && text.back() == text.front())
      text = text.substr(1, text.size() - 2);
    return to_upper(trim(text));
  }

  /// Only there: [INERTIA] has a MASS, too, which is not a unit.
  Entry* find_unit(std::string_view key) {
    for (Entry& entry : entries_)
      if (entry.key == key && (entry.section == "UNITS" || entry.section.empty())) return &entry;
    return nullptr;
  }

  double read_unit(const std::string& key, std::span<const Unit> units) {
    Entry* entry = find_unit(key);
    if (entry == nullptr) return 1;
    entry->is_used = true;
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
    units_are_known_ = false;
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
      if (!is_in_version(key.name)) continue;
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

  /// 5.2 has other terms, if any, for what these do in 6.1.
  bool is_in_version(std::string_view key) const {
    if (result_.tire.version == MagicFormulaTire::Version::k61) return true;
    constexpr std::string_view kOnly61[] = {"QSX4", "QSX5",  "QSX6",  "QSX7", "QSX8",
                                            "QSX9", "QSX10", "QSX11", "QSY5", "QSY6",
                                            "QSY7", "QSY8",  "PPMX1"};
    return std::find(std::begin(kOnly61), std::end(kOnly61), key) == std::end(kOnly61);
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
    given_.emplace(name, &entry);
  }

  /// "(320; the file's LENGTH is 'METER')", of what the quantity is made of.
  std::string describe_units(const Entry& entry, const Dimension& d) {
    std::string text;
    const auto add_unit = [&](int power, const char* key, const char* in_si) {
      if (power == 0) return;
      const Entry* unit = find_unit(key);
      text += concat(text.empty() ? "the file's " : ", ", key, " is '",
                     unit != nullptr ? unquoted(*unit) : in_si, "'");
    };
    add_unit(d.length, "LENGTH", "METER");
    add_unit(d.force, "FORCE", "NEWTON");
    add_unit(d.angle, "ANGLE", "RADIAN");
    add_unit(d.time, "TIME", "SECOND");
    return concat(" (", entry.value, "; ", text, ")");
  }

  /// Whether what the file gives is within [least, most], in SI; else says so, with the unit that
  /// the file names, since a wrong one is the common reason.
  bool check_range(std::string_view key, double least, double most, std::string_view unit) {
    const auto given = given_.find(key);
    if (given == given_.end()) return true;
    double value = 0;
    for (const MagicFormulaKey& k : magic_formula_keys())
      if (k.name == key) value = result_.tire.*k.member;
    if (value >= least && value <= most) return true;
    const std::string in = unit.empty() ? "" : concat(" ", unit);
    const auto dimension = dimensions().find(key);
    diagnostics_.error(
        at(*given->second),
        concat("must be ", least, " to ", most, in, ", got ", value, in,
               dimension != dimensions().end() ? describe_units(*given->second, dimension->second)
                                               : ""));
    return false;
  }

  void check(std::string_view key, bool holds, double value, const char* expected) {
    const auto given = given_.find(key);
    if (!holds && given != given_.end())
      diagnostics_.error(at(*given->second), concat("must be ", expected, ", got ", value));
  }

  /// Ranges are ten times as wide as what there is on wheels, and more: they find wrong units and
  /// slips of the pen, and let unusual tires pass.
  void check_values() {
    if (!units_are_known_) return;  // every size would be wrong
    const MagicFormulaTire& t = result_.tire;
    check_range("WIDTH", 0.002, 5, "m");
    check_range("LONGVL", 0.1, 300, "m/s");
    check_loads();
    if (t.version == MagicFormulaTire::Version::k61) {  // 5.2 has no use for them
      check_range("NOMPRES", 2e3, 5e6, "Pa");
      check_range("INFLPRES", 2e3, 5e6, "Pa");
    }
    constexpr double kHalfTurn = 3.15;  // rounded numbers are common
    check_range("KPUMIN", -20, 0, "");
    check_range("KPUMAX", 0, 20, "");
    check_range("ALPMIN", -kHalfTurn, 0, "rad");
    check_range("ALPMAX", 0, kHalfTurn, "rad");
    check_range("CAMMIN", -kHalfTurn / 2, 0, "rad");
    check_range("CAMMAX", 0, kHalfTurn / 2, "rad");
    check("KPUMAX", t.KPUMAX > t.KPUMIN, t.KPUMAX, "> KPUMIN");
    check("ALPMAX", t.ALPMAX > t.ALPMIN, t.ALPMAX, "> ALPMIN");
    check("CAMMAX", t.CAMMAX > t.CAMMIN, t.CAMMAX, "> CAMMIN");
    check("FZMAX", t.FZMAX > t.FZMIN, t.FZMAX, "> FZMIN");
    check_coefficients();
  }

  /// Loads go with the square of the radius, stiffnesses with load over radius: one wrong unit
  /// among them shows against the others.
  void check_loads() {
    const MagicFormulaTire& t = result_.tire;
    if (!check_range("UNLOADED_RADIUS", 0.01, 5, "m")) return;
    const double R = t.UNLOADED_RADIUS;
    // From a bicycle's 3 kPa to an airliner's 1 MPa.
    if (!check_range("FNOMIN", rounded(500 * R * R), rounded(1e7 * R * R), "N")) return;
    const double F = t.FNOMIN;
    check_range("FZMIN", 0, rounded(2 * F), "N");
    check_range("FZMAX", rounded(0.2 * F), rounded(1e3 * F), "N");
    // Deflections under FNOMIN from that of a steel wheel to the radius.
    const double soft = rounded(F / R), stiff = rounded(1e4 * F / R);
    if (check_range("VERTICAL_STIFFNESS", soft, stiff, "N/m")) {
      // Up to critical damping of the mass that it carries; tires have a few percent of that.
      const double critical = 2 * std::sqrt(t.VERTICAL_STIFFNESS * F / kGravity);
      check_range("VERTICAL_DAMPING", 0, rounded(critical), "N s/m");
    }
    if (t.version == MagicFormulaTire::Version::k61) {
      check_range("LONGITUDINAL_STIFFNESS", rounded(0.2 * soft), stiff, "N/m");
      check_range("LATERAL_STIFFNESS", rounded(0.2 * soft), stiff, "N/m");
    }
  }

  /// Numbers without a unit. Those that divide, or without which a peak or a slope is none, are
  /// bounded away from zero.
  void check_coefficients() {
    const MagicFormulaTire& t = result_.tire;
    for (const char* key : {"LFZO", "LCX", "LCY", "LKX", "LKY", "LMUX", "LMUY", "LCZ"})
      check_range(key, 1e-3, 1e3, "");
    check("PCX1", t.PCX1 * t.LCX > 0, t.PCX1, "> 0");
    check("PCY1", t.PCY1 * t.LCY > 0, t.PCY1, "> 0");
    const auto check_size = [&](const char* key, double value, double least, double most) {
      check(key, std::abs(value) >= least && std::abs(value) <= most, value,
            concat(least, " to ", most, " without its sign").c_str());
    };
    check_size("PDX1", t.PDX1, 1e-3, 100);
    check_size("PDY1", t.PDY1, 1e-3, 100);
    check_size("PKX1", t.PKX1, 1e-2, 1e4);
    check_size("PKY1", t.PKY1, 1e-2, 1e4);
    check_size("PKY2", t.PKY2, 1e-3, 1e3);
    for (const MagicFormulaKey& key : magic_formula_keys()) {
      if (!dimensions().contains(key.name)) check_range(key.name, -1e6, 1e6, "");
    }
    if (diagnostics_.error_count() == 0) check_slopes();
  }

  /// Forces act against the slip: with a slope of the wrong sign the tire would make energy.
  void check_slopes() {
    const MagicFormulaTire& t = result_.tire;
    const SlipStiffness<double> K = calc_slip_stiffness(t, t.FNOMIN, 1.0);
    const auto check_slope = [&](const char* key, double slope, const char* unit,
                                 const char* expected) {
      const auto given = given_.find(key);
      if (slope > 0 || given == given_.end()) return;
      diagnostics_.error(at(*given->second),
                         concat("must be ", expected, "; got ", given->second->value,
                                ", with which the slip stiffness at FNOMIN is ", std::round(slope),
                                " ", unit, ": forces would act along the slip"));
    };
    check_slope("PKX1", K.Kx, "N", "> 0 where the terms beside it do not turn its sign");
    check_slope("PKY1", K.Ky, "N/rad",
                "< 0 where PKY2 > 0, as in TYDEX's W axes (ISO), in which a positive slip angle "
                "gives a negative force");
  }

  std::string_view text_;
  std::string file_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> place_;
  std::map<std::string, const Entry*, std::less<>> given_;  // by MagicFormulaKey, what was read
  double length_ = 1, force_ = 1, time_ = 1, angle_ = 1;
  bool units_are_known_ = true;
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
