#include "camber/planning/moving_ai.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>
#include <utility>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/shown_word.h"

namespace camber::planning {
namespace {

constexpr std::size_t kMaxFileBytes = 220'000'000;  // 100 million cells with line ends

/// The lines of a text, without line ends ("\n" or "\r\n"), numbered from 1.
class LineReader {
 public:
  LineReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  bool next(std::string_view* line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    *line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line->ends_with('\r')) line->remove_suffix(1);
    ++number_;
    return true;
  }
  int number() const { return number_; }
  [[noreturn]] void fail(std::size_t column, const std::string& message) const {
    throw ModelFileError({file_, number_ > 0 ? number_ : 1, static_cast<int>(column) + 1}, message);
  }

 private:
  std::string_view rest_;
  const std::string& file_;
  int number_ = 0;
};

/// Words between blanks and tabs, each with its column.
struct Word {
  std::string_view text;
  std::size_t column = 0;
};
std::vector<Word> split_words(std::string_view line, std::size_t max_count) {
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < line.size() && words.size() < max_count) {
    const std::size_t start = line.find_first_not_of(" \t", i);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t", start), line.size());
    words.push_back({line.substr(start, end - start), start});
    i = end;
  }
  return words;
}

template <class Number>
Number parse_word(const LineReader& lines, const Word& word, std::string_view what, Number low,
                  Number high) {
  Number value{};
  const char* end = word.text.data() + word.text.size();
  const auto [stopped, error] = std::from_chars(word.text.data(), end, value);
  if (error == std::errc::result_out_of_range) value = high + 1;
  if ((error != std::errc() && error != std::errc::result_out_of_range) || stopped != end) {
    lines.fail(word.column, concat(what, ": ", shown_word(word.text), " is not a number"));
  }
  if (!(low <= value && value <= high)) {
    lines.fail(word.column,
               concat(what, ": must be ", low, " to ", high, ", got ", shown_word(word.text)));
  }
  return value;
}

}  // namespace

OccupancyGrid parse_moving_ai_map(std::string_view text, const std::string& file) {
  LineReader lines(text, file);
  std::string_view line;
  std::int64_t width = 0, height = 0;
  bool has_type = false, has_map = false;
  while (!has_map) {
    if (!lines.next(&line)) lines.fail(0, "ends before the line \"map\"");
    const std::vector<Word> words = split_words(line, 3);
    if (words.empty()) continue;
    const std::string_view key = words[0].text;
    if (key == "map" && words.size() == 1) {
      has_map = true;
      continue;
    }
    if (words.size() != 2 || (key != "type" && key != "height" && key != "width")) {
      lines.fail(words[0].column,
                 "expected \"type octile\", \"height N\", \"width N\" or \"map\", got " +
                     shown_word(line));
    }
    if (key == "type") {
      if (words[1].text != "octile") {
        lines.fail(words[1].column, "type: must be octile, got " + shown_word(words[1].text));
      }
      has_type = true;
      continue;
    }
    std::int64_t& side = key == "width" ? width : height;
    if (side != 0) lines.fail(words[0].column, concat(key, " is given twice"));
    side = parse_word<std::int64_t>(lines, words[1], key, 1, 1'000'000'000);
    if (width * height > OccupancyGrid::kMaxCells || side > OccupancyGrid::kMaxCells) {
      lines.fail(words[1].column, concat("the map has ", width * height, " cells, more than ",
                                         OccupancyGrid::kMaxCells));
    }
  }
  if (!has_type) lines.fail(0, "\"type octile\" is missing before \"map\"");
  if (width == 0 || height == 0) lines.fail(0, "\"height\" or \"width\" is missing before \"map\"");
  // Before memory is taken for the size that the header claims.
  if (static_cast<std::int64_t>(text.size()) < width * height) {
    lines.fail(0, concat("the map needs ", height, " rows of ", width,
                         " letters; the whole file has ", text.size(), " bytes"));
  }

  OccupancyGrid grid(static_cast<int>(width), static_cast<int>(height));
  for (int y = 0; y < grid.height(); ++y) {
    if (!lines.next(&line)) {
      lines.fail(0, concat("ends after ", y, " rows, needs ", height));
    }
    if (line.size() != static_cast<std::size_t>(width)) {
      lines.fail(0, concat("row ", y, " has ", line.size(), " letters, needs ", width));
    }
    for (int x = 0; x < grid.width(); ++x) {
      switch (line[x]) {
        case '.':
        case 'G':
        case 'S':
          break;
        case '@':
        case 'O':
        case 'T':
        case 'W':
          grid.set_blocked({x, y}, true);
          break;
        default:
          lines.fail(x, "a cell is one of . G S @ O T W, got " + shown_word(line.substr(x, 1)));
      }
    }
  }
  while (lines.next(&line)) {
    if (!split_words(line, 1).empty()) {
      lines.fail(0, concat("more rows than the ", height, " of the header"));
    }
  }
  return grid;
}

std::vector<GridProblem> parse_moving_ai_scen(std::string_view text, const std::string& file) {
  LineReader lines(text, file);
  std::string_view line;
  if (!lines.next(&line)) lines.fail(0, "is empty; the first line is \"version 1\"");
  const std::vector<Word> version = split_words(line, 3);
  if (version.size() != 2 || version[0].text != "version" ||
      (version[1].text != "1" && version[1].text != "1.0")) {
    lines.fail(0, "the first line must be \"version 1\", got " + shown_word(line));
  }
  std::vector<GridProblem> problems;
  constexpr int kMaxSide = 1'000'000'000;
  while (lines.next(&line)) {
    const std::vector<Word> words = split_words(line, 10);
    if (words.empty()) continue;
    if (words.size() != 9) {
      lines.fail(0,
                 concat("a problem has 9 columns (bucket, map, width, height, start x, y, goal x, "
                        "y, length), got ",
                        words.size() > 9 ? "more" : concat(words.size())));
    }
    if (problems.size() == kMaxProblems) {
      lines.fail(0, concat("more than ", kMaxProblems, " problems"));
    }
    const auto integer = [&](int column, std::string_view what) {
      return parse_word<int>(lines, words[column], what, 0, kMaxSide);
    };
    GridProblem p;
    p.bucket = integer(0, "bucket");
    p.map = words[1].text;
    p.width = integer(2, "width");
    p.height = integer(3, "height");
    p.start = {integer(4, "start x"), integer(5, "start y")};
    p.goal = {integer(6, "goal x"), integer(7, "goal y")};
    p.optimal_length = parse_word<double>(lines, words[8], "length", 0, 1e12);
    const std::string_view digits = words[8].text;
    const std::size_t dot = digits.find('.'), exponent = digits.find_first_of("eE");
    if (exponent != std::string_view::npos) {
      lines.fail(words[8].column, "length: must be without an exponent, got " + shown_word(digits));
    }
    // Streams print six significant digits and leave out zeros at the end: 3.41421, 2.
    const std::size_t whole = std::min(dot, digits.size());
    const std::size_t decimals = dot == std::string_view::npos ? 0 : digits.size() - dot - 1;
    const double shown_digits = std::max(static_cast<double>(std::min<std::size_t>(decimals, 15)),
                                         6.0 - static_cast<double>(whole));
    p.resolution = std::pow(10.0, -shown_digits);
    p.line = lines.number();
    problems.push_back(std::move(p));
  }
  return problems;
}

OccupancyGrid load_moving_ai_map(const std::string& path) {
  try {
    return parse_moving_ai_map(read_file(path, kMaxFileBytes), path);
  } catch (const FileError& error) {
    throw ModelFileError({path}, error.reason());
  }
}

std::vector<GridProblem> load_moving_ai_scen(const std::string& path) {
  try {
    return parse_moving_ai_scen(read_file(path, kMaxFileBytes), path);
  } catch (const FileError& error) {
    throw ModelFileError({path}, error.reason());
  }
}

void check_problems(const OccupancyGrid& grid, const std::vector<GridProblem>& problems,
                    const std::string& file) {
  Diagnostics diagnostics;
  for (const GridProblem& p : problems) {
    if (p.width != grid.width() || p.height != grid.height()) {
      diagnostics.error({file, p.line},
                        concat("the problem is for a map of ", p.width, " x ", p.height,
                               " cells, the map has ", grid.width(), " x ", grid.height()));
    } else if (!grid.contains(p.start)) {
      diagnostics.error({file, p.line},
                        concat("start ", p.start.x, ", ", p.start.y, " is outside of the map"));
    } else if (!grid.contains(p.goal)) {
      diagnostics.error({file, p.line},
                        concat("goal ", p.goal.x, ", ", p.goal.y, " is outside of the map"));
    }
  }
  diagnostics.throw_if_any();
}

}  // namespace camber::planning
