#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/terrain/crg_road.h"

// ASAM OpenCRG 1.x, from its public description. A file is text in sections ($CT, $ROAD_CRG,
// $KD_DEFINITION, each ended by a line "$"), a line of "$$$$", and the data: rows of channels, in
// long form (L, records of 80 bytes) or compact form (K, one after another), of 4 or 8 bytes big
// endian (RBI, DBI) or as text of 10 or 20 characters (RFI, DFI). The first values of the channels
// phi and slope are not used: value i belongs to the piece that ends in row i. Not read: references
// to other files ($ROAD_CRG_FILE), modifiers ($ROAD_CRG_MODS, which would move or scale the road)
// and options; a file with modifiers is rejected.
namespace camber::terrain {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
// No road has more: a file with larger values is damaged or of another format.
constexpr double kMaxHeight = 1e5;   // [m]
constexpr double kMaxLength = 1e9;   // of any length in the header, coordinates included [m]
constexpr double kMinStep = 1e-6;    // along the road [m]
constexpr double kMaxHeading = 1e4;  // 1,600 times round [rad]
constexpr double kMaxSlope = 100;    // of slope and banking

std::string_view trim(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}

std::string upper(std::string_view s) {
  std::string text(s);
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::optional<double> to_number(std::string_view s) {
  s = trim(s);
  if (!s.empty() && s.front() == '+') s.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size()) return {};
  return value;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  CrgData read() {
    read_header();
    find_sections();
    const std::vector<double> values = read_values();
    fill(values);
    return std::move(data_);
  }

 private:
  struct Channel {
    enum class Kind { kPhi, kSlope, kBanking, kSection } kind;
    std::optional<double> v;  // if the section gives its position
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(name_, concat("line ", line_, ": ", what));
  }

  /// The next line without its line end; advances the text.
  std::string_view next_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    ++line_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  void read_header() {
    std::string section;
    while (at_ < text_.size()) {
      std::string_view line = next_line();
      if (line.starts_with("$$")) {
        if (channels_.empty()) fail("the data start, but $KD_DEFINITION has named no channels");
        return;
      }
      if (line.starts_with('*')) continue;
      if (section != "CT") line = line.substr(0, line.find('!'));
      if (line.starts_with('$')) {
        section = upper(trim(line.substr(1)));
        if (section == "ROAD_CRG_FILE") fail("data in another file ($ROAD_CRG_FILE) are not read");
        continue;
      }
      line = trim(line);
      if (line.empty()) continue;
      if (section == "ROAD_CRG") read_parameter(line);
      if (section == "KD_DEFINITION") read_definition(line);
      if (section == "ROAD_CRG_MODS") {
        fail("modifiers ($ROAD_CRG_MODS) are not supported: apply them to the road data");
      }
    }
    fail("the file ends before its data: no line of \"$$$$\". Is it an OpenCRG file?");
  }

  void read_parameter(std::string_view line) {
    const std::size_t equal = line.find('=');
    if (equal == std::string_view::npos) fail("expected KEY = value");
    const std::string key = upper(trim(line.substr(0, equal)));
    const std::optional<double> value = to_number(line.substr(equal + 1));
    if (!value || !std::isfinite(*value)) fail(concat(key, " must be a number"));
    const bool is_angle = key.ends_with("_PHI"),
               is_slope = key.ends_with("_S") || key.ends_with("_B");
    const double most = is_angle ? kMaxHeading : is_slope ? kMaxSlope : kMaxLength;
    if (std::abs(*value) > most) fail(concat(key, " is ", *value, ", expected at most ", most));
    parameters_[key] = *value;
  }

  void read_definition(std::string_view line) {
    if (line.starts_with("#:")) {
      format_ = upper(trim(line.substr(2)));
      return;
    }
    if (!line.starts_with("D:")) return;  // U: names the virtual channel u, which has no data
    const std::string what = upper(line.substr(2, line.find(',') - 2));
    if (channels_.size() >= 100000) fail("more than 100000 channels");
    using Kind = Channel::Kind;
    if (what.starts_with("REFERENCE LINE PHI")) {
      channels_.push_back({Kind::kPhi, {}});
    } else if (what.starts_with("REFERENCE LINE SLOPE")) {
      channels_.push_back({Kind::kSlope, {}});
    } else if (what.starts_with("REFERENCE LINE BANKING")) {
      channels_.push_back({Kind::kBanking, {}});
    } else if (what.starts_with("LONG SECTION AT V")) {
      const std::size_t equal = what.find('=');
      const auto v =
          equal == std::string::npos ? std::optional<double>{} : to_number(what.substr(equal + 1));
      if (!v || !(std::abs(*v) <= kMaxLength)) fail("expected \"long section at v = NUMBER\"");
      channels_.push_back({Kind::kSection, v});
    } else if (what.starts_with("LONG SECTION")) {
      channels_.push_back({Kind::kSection, {}});
    } else {
      fail(concat("unknown channel \"", what.substr(0, 60), "\""));
    }
  }

  std::optional<double> parameter(const std::string& key) const {
    const auto found = parameters_.find(key);
    if (found == parameters_.end()) return {};
    return found->second;
  }

  /// Positions of the sections: given by each, or evenly spaced from right to left.
  void find_sections() {
    std::size_t sections = 0;
    for (const Channel& c : channels_) sections += c.kind == Channel::Kind::kSection ? 1 : 0;
    if (sections < 2) fail(concat("needs at least two long sections, got ", sections));
    const auto right = parameter("LONG_SECTION_V_RIGHT"), left = parameter("LONG_SECTION_V_LEFT");
    const auto step = parameter("LONG_SECTION_V_INCREMENT");
    for (const Channel& c : channels_) {
      if (c.kind != Channel::Kind::kSection) continue;
      if (c.v) {
        data_.v.push_back(*c.v);
        continue;
      }
      if (!right || !(left || step)) fail("the positions of the long sections are not given");
      const double width = step ? *step : (*left - *right) / static_cast<double>(sections - 1);
      data_.v.push_back(*right + width * static_cast<double>(data_.v.size()));
    }
  }

  /// All values, row by row; whole rows only.
  std::vector<double> read_values() {
    const bool wide = format_.size() > 1 && format_[1] == 'D';
    if (format_ == "KRBI" || format_ == "KDBI" || format_ == "LRBI" || format_ == "LDBI") {
      return read_binary(wide ? 8 : 4, format_[0] == 'L');
    }
    if (format_ == "LRFI" || format_ == "LDFI" || format_ == "KRFI" || format_ == "KDFI") {
      return read_text(wide ? 20 : 10);
    }
    fail(concat("data format \"", format_,
                "\" is not supported; supported are KRBI, KDBI, LRBI, LDBI, LRFI, LDFI, ",
                "KRFI and KDFI"));
  }

  std::vector<double> read_binary(std::size_t size, bool padded) const {
    const std::size_t row = channels_.size() * size;
    const std::size_t record = padded ? (row + 79) / 80 * 80 : row;
    const std::string_view bytes = text_.substr(at_);
    // The end of the file is padded to 80 bytes, which may look like one more short row: the road
    // length in the header determines the number of rows.
    std::size_t rows = bytes.size() / record;
    if (const auto expected = expected_rows()) {
      if (rows < *expected) {
        throw FileError(
            name_, concat("ends after ", rows, " rows of data; its header announces ", *expected));
      }
      rows = *expected;
    }
    std::vector<double> values;
    values.reserve(rows * channels_.size());
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < channels_.size(); ++c) {
        values.push_back(big_endian(bytes.data() + r * record + c * size, size));
      }
    }
    return values;
  }

  static double big_endian(const char* p, std::size_t size) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < size; ++i) bits = bits << 8 | static_cast<unsigned char>(p[i]);
    return size == 8 ? std::bit_cast<double>(bits)
                     : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }

  /// Columns of fixed width, as many to a line as fit in 80 characters; a row starts a new line.
  std::vector<double> read_text(std::size_t width) {
    std::vector<double> values;
    std::size_t channel = 0;
    while (at_ < text_.size()) {
      const std::string_view line = next_line();
      if (trim(line).empty()) continue;
      for (std::size_t at = 0; at < line.size() && channel < channels_.size(); at += width) {
        const std::string_view field = line.substr(at, width);
        if (trim(field).empty()) break;
        values.push_back(text_value(field));
        if (std::isnan(values.back())) lines_[values.size() - 1] = line_;
        ++channel;
      }
      if (channel == channels_.size()) channel = 0;
    }
    if (channel != 0)
      fail(concat("the last row has ", channel, " of ", channels_.size(), " values"));
    return values;
  }

  /// Fields that are not numbers (asterisks) mean missing data.
  double text_value(std::string_view field) const {
    if (field.find('*') != std::string_view::npos || upper(trim(field)) == "NAN") {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const std::optional<double> value = to_number(field);
    if (!value) fail(concat("must be a number, got \"", trim(field), "\""));
    return *value;
  }

  std::optional<std::size_t> expected_rows() const {
    const auto end = parameter("REFERENCE_LINE_END_U"),
               step = parameter("REFERENCE_LINE_INCREMENT");
    if (!end || !step || !(*step > 0)) return {};
    const double rows =
        std::round((*end - parameter("REFERENCE_LINE_START_U").value_or(0)) / *step) + 1;
    if (!(rows >= 2 && rows < 1e9))
      fail(concat("START_U, END_U and INCREMENT make ", rows, " rows"));
    return static_cast<std::size_t>(rows);
  }

  void fill(const std::vector<double>& values) {
    const std::size_t columns = channels_.size(), rows = values.size() / columns;
    if (rows < 2) throw FileError(name_, concat("has ", rows, " rows of data, needs at least 2"));
    if (const auto expected = expected_rows(); expected && *expected != rows) {
      throw FileError(name_,
                      concat("has ", rows, " rows of data; its header announces ", *expected));
    }
    data_.u_begin = parameter("REFERENCE_LINE_START_U").value_or(0);
    const auto step = parameter("REFERENCE_LINE_INCREMENT");
    if (!step || !(*step >= kMinStep))
      throw FileError(name_, concat("needs REFERENCE_LINE_INCREMENT >= ", kMinStep, " m"));
    data_.u_step = *step;
    data_.x = parameter("REFERENCE_LINE_START_X").value_or(0);
    data_.y = parameter("REFERENCE_LINE_START_Y").value_or(0);
    data_.z = parameter("REFERENCE_LINE_START_Z").value_or(0);
    data_.phi = parameter("REFERENCE_LINE_START_PHI").value_or(0);
    data_.heading.assign(rows - 1, data_.phi);
    const double banking = parameter("REFERENCE_LINE_START_B").value_or(0);
    if (banking != 0) data_.banking.assign(rows, banking);
    if (const auto slope = parameter("REFERENCE_LINE_START_S"))
      data_.slope.assign(rows - 1, *slope);
    data_.heights.reserve(rows * data_.v.size());
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c)
        put(channels_[c].kind, r, rows, values[r * columns + c]);
    }
    require_no_holes(values, rows);
    sort_sections(rows);
  }

  /// Heights may be missing at the sides of a road, where its edge is extended; inside the road
  /// they must not be missing.
  void require_no_holes(const std::vector<double>& values, std::size_t rows) const {
    std::vector<std::size_t> sections;  // channels
    for (std::size_t c = 0; c < channels_.size(); ++c)
      if (channels_[c].kind == Channel::Kind::kSection) sections.push_back(c);
    for (std::size_t r = 0; r < rows; ++r) {
      const double* row = values.data() + r * channels_.size();
      const auto has_height = [&](std::size_t c) { return std::isfinite(row[c]); };
      const auto first = std::find_if(sections.begin(), sections.end(), has_height);
      const auto last = std::find_if(sections.rbegin(), sections.rend(), has_height).base();
      const auto hole = std::find_if_not(first, std::max(first, last), has_height);
      if (hole == std::max(first, last)) continue;
      const auto line = lines_.find(r * channels_.size() + *hole);
      throw FileError(
          name_, concat(line == lines_.end() ? "" : concat("line ", line->second, ": "),
                        "the height at u = ", data_.u_begin + static_cast<double>(r) * data_.u_step,
                        " m, v = ", data_.v[static_cast<std::size_t>(hole - sections.begin())],
                        " m is missing, with the road on both sides of it; heights may be missing "
                        "at the sides only"));
    }
  }

  void put(Channel::Kind kind, std::size_t row, std::size_t rows, double value) {
    switch (kind) {
      case Channel::Kind::kPhi:
        if (row > 0) data_.heading[row - 1] = checked(value, "phi", row, kMaxHeading, " rad");
        break;
      case Channel::Kind::kSlope:
        data_.slope.resize(rows - 1, 0.0);
        if (row > 0) data_.slope[row - 1] = checked(value, "slope", row, kMaxSlope, "");
        break;
      case Channel::Kind::kBanking:
        data_.banking.resize(rows, 0.0);
        data_.banking[row] = checked(value, "banking", row, kMaxSlope, "");
        break;
      case Channel::Kind::kSection:
        // Not finite means missing; what no float can hold does not.
        if (std::isfinite(value) && std::abs(value) > kMaxHeight)
          throw FileError(name_, concat("a height of row ", row + 1, " is ", value,
                                        " m, expected at most ", kMaxHeight, " m"));
        data_.heights.push_back(static_cast<float>(value));
        break;
    }
  }

  double checked(double value, const char* what, std::size_t row, double most,
                 const char* unit) const {
    if (std::abs(value) <= most) return value;
    throw FileError(name_,
                    concat(what, " of row ", row + 1,
                           std::isfinite(value) ? concat(" is ", value, unit) : " is not finite",
                           ", expected at most ", most, unit));
  }

  /// Some files list sections from left to right.
  void sort_sections(std::size_t rows) {
    if (data_.v.front() < data_.v.back()) return;
    std::reverse(data_.v.begin(), data_.v.end());
    const auto n = static_cast<std::ptrdiff_t>(data_.v.size());
    for (std::size_t r = 0; r < rows; ++r) {
      const auto row = data_.heights.begin() + static_cast<std::ptrdiff_t>(r) * n;
      std::reverse(row, row + n);
    }
  }

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  int line_ = 0;
  std::string format_;
  std::vector<Channel> channels_;
  std::map<std::string, double> parameters_;
  std::map<std::size_t, int> lines_;  // of values that are missing, by their number
  CrgData data_;
};

}  // namespace

CrgData parse_crg(const std::string& text, const std::string& name) {
  return Reader(text, name).read();
}

CrgData load_crg(const std::string& path) { return parse_crg(read_file(path, kMaxBytes), path); }

}  // namespace camber::terrain
