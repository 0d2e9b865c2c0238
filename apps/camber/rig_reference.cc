#include "apps/camber/rig_reference.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "apps/camber/arguments.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"

namespace camber::app {

using vehicle::RigState;

namespace {

constexpr std::size_t kMaxBytes = 16u << 20u;

struct CsvRow {
  int line = 0;
  std::vector<std::string> cells;
};

std::vector<CsvRow> read_rows(const std::string& path) {
  std::string text;
  try {
    text = read_file(path, kMaxBytes);
  } catch (const FileError& error) {
    throw ModelFileError({.file = path}, error.reason());
  }
  std::vector<CsvRow> rows;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    rows.push_back({number, split(line, ',')});
  }
  if (rows.size() < 2)
    throw ModelFileError({.file = path}, "must have a line of column names and one of values");
  return rows;
}

class Comparison {
 public:
  Comparison(std::string path, const vehicle::Vehicle& car, const vehicle::RigResult& result)
      : path_(std::move(path)),
        car_(car),
        result_(result),
        rows_(read_rows(path_)),
        rig_(car, {.loaded_radius = result.loaded_radius}) {}

  std::vector<RigComparison> run() {
    const std::vector<std::string>& head = rows_[0].cells;
    const bool is_steering = std::any_of(
        head.begin(), head.end(), [](const auto& key) { return key.starts_with("steering_"); });
    if (is_steering && result_.steering.empty()) fail(rows_[0], "the vehicle has no steering");
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const CsvRow& row = rows_[i];
      if (row.cells.size() != head.size())
        fail(row, concat("has ", row.cells.size(), " values for ", head.size(), " columns"));
      is_steering ? compare_steering(row) : compare_axle(row);
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const CsvRow& row, const std::string& text) const {
    throw ModelFileError({.file = path_, .line = row.line}, text);
  }

  std::size_t place_of(const std::string& key) const {
    const auto& head = rows_[0].cells;
    const auto found = std::find(head.begin(), head.end(), key);
    if (found == head.end()) fail(rows_[0], concat("needs a column \"", key, "\""));
    return static_cast<std::size_t>(found - head.begin());
  }

  double number(const CsvRow& row, std::size_t column) const {
    try {
      return parse_number(row.cells[column], rows_[0].cells[column]);
    } catch (const std::invalid_argument& error) {
      fail(row, error.what());
    }
  }

  void compare_axle(const CsvRow& row) {
    const std::string& name = row.cells[place_of("axle")];
    std::vector<std::string> names;
    for (const auto& axle : car_.axles) names.push_back(axle.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      fail(row, concat("there is no axle \"", name, "\"", did_you_mean(name, names)));
    const vehicle::AxleSweep& sweep = result_.axles[found - names.begin()];
    const double travel = number(row, place_of("travel_m"));
    for (const int corner : {sweep.left, sweep.right}) {
      if (corner >= 0 && !rig_.lift(corner, travel))
        fail(row, concat("a travel of ", travel, " m is out of reach: ",
                         rig_.corners()[corner].name, " ends at ", rig_.travel(corner), " m"));
    }
    compare(row, name, parallel_columns(car_, sweep), rig_.measure());
    rig_.reset();
  }

  void compare_steering(const CsvRow& row) {
    const std::vector<RigColumn> columns = steering_columns(car_, result_);
    const double position = number(row, place_of(columns[0].key)) / columns[0].file_scale;
    if (!rig_.steer(position)) fail(row, "is out of reach of the steering");
    compare(row, "steering", columns, rig_.measure());
    rig_.reset();
  }

  void compare(const CsvRow& row, const std::string& place, const std::vector<RigColumn>& columns,
               const RigState& state) {
    std::vector<std::string> keys;
    for (const RigColumn& column : columns) keys.push_back(column.key);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string& key = rows_[0].cells[i];
      if (key == "axle" || key == keys[0]) continue;
      const auto found = std::find(keys.begin(), keys.end(), key);
      if (found == keys.end())
        fail(rows_[0], concat("\"", key, "\" is no column of the rig", did_you_mean(key, keys)));
      const RigColumn& column = columns[found - keys.begin()];
      const double given = number(row, i) * column.shown_scale / column.file_scale;
      RigComparison& to = comparison_of(place, column);
      to.x.push_back(columns[0].shown(state));
      to.y.push_back(given);
      const double difference = column.shown(state) - given;
      if (!(std::abs(difference) > std::abs(to.difference))) continue;
      to.difference = difference;
      to.at = to.x.back();
    }
  }

  RigComparison& comparison_of(const std::string& place, const RigColumn& column) {
    for (RigComparison& old : out_) {
      if (old.place == place && old.column.key == column.key) return old;
    }
    out_.push_back({place, column, {}, {}, 0, 0});
    return out_.back();
  }

  std::string path_;
  const vehicle::Vehicle& car_;
  const vehicle::RigResult& result_;
  std::vector<CsvRow> rows_;
  vehicle::Rig rig_;
  std::vector<RigComparison> out_;
};

}  // namespace

std::vector<RigComparison> compare_with_table(const std::string& path, const vehicle::Vehicle& car,
                                              const vehicle::RigResult& result) {
  return Comparison(path, car, result).run();
}

}  // namespace camber::app
