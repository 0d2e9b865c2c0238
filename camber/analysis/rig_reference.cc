#include "camber/analysis/rig_reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string_view>
#include <utility>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"

namespace camber::analysis {

using vehicle::RigState;

namespace {

constexpr std::size_t kMaxBytes = 16u << 20u;
constexpr std::string_view kLateralKey = "center_left_m";

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

/// What other programs and data sets call the rig's columns. `factor` makes the rig's unit and sign
/// of a value; a key that is empty is known and not compared.
struct OtherName {
  std::string_view name, key;
  double factor = 1;
};
constexpr double kInDegrees = 180 / std::numbers::pi;
constexpr OtherName kOtherNames[] = {
    {"suspension", "axle"},
    {"dx_m", "recession_m", -1},
    {"dx", "recession_m", -1},
    {"dy_m", kLateralKey},
    {"dy", kLateralKey},
    {"dz_m", "travel_m"},
    {"dz", "travel_m"},
    {"theta_rad", "arm_deg", -kInDegrees},  // about the hinge from its front to its rear bearing
    {"arm", "arm_deg", kInDegrees},
    {"phi_rad", ""},  // the upper arm's angle
    {"upper_arm", ""},
    {"spring_length", "spring_length_m"},
    {"shock_length", "shock_length_m"},
    {"psi_rad", "steering_deg", kInDegrees},
    {"pitman", "steering_deg", kInDegrees},
    {"left_rad", "left_steer_deg", kInDegrees},
    {"left", "left_steer_deg", kInDegrees},
    {"right_rad", "right_steer_deg", kInDegrees},
    {"right", "right_steer_deg", kInDegrees},
    {"R_rear_m", "rear_radius_m"},
    {"rear_radius", "rear_radius_m"},
    {"R_outer_front_m", "outer_radius_m"},
    {"outer_radius", "outer_radius_m"},
    {"ackermann_fraction", "ackermann"},
};

/// A column of the table: under which key, and times what, the rig knows it.
struct TableColumn {
  std::string name, key;
  double factor = 1;
};

TableColumn column_named(const std::string& name) {
  for (const OtherName& other : kOtherNames)
    if (name == other.name) return {name, std::string(other.key), other.factor};
  if (name.ends_with("_rad")) return {name, name.substr(0, name.size() - 4) + "_deg", kInDegrees};
  return {name, name};
}

/// Columns that tables have beside those that the rig writes.
std::vector<RigColumn> reference_columns(const vehicle::Vehicle& car,
                                         const vehicle::AxleSweep& sweep) {
  std::vector<RigColumn> columns = parallel_columns(car, sweep);
  const int w = sweep.left;
  const double design_y = car.axles[sweep.axle].points.wheel[1];
  columns.push_back({std::string(kLateralKey), "wheel center to the left", "mm", 1, 1000, 1,
                     [=](const RigState& state) { return state.wheels[w].center[1] - design_y; }});
  const char* names[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    columns.push_back({concat("axis_", names[i]), concat("wheel axis, ", names[i]), "", 1, 1, 4,
                       [=](const RigState& state) { return state.wheels[w].axis[i]; }});
  }
  return columns;
}

class Comparison {
 public:
  Comparison(std::string path, const vehicle::Vehicle& car, const vehicle::RigResult& result)
      : path_(std::move(path)),
        car_(car),
        result_(result),
        rows_(read_rows(path_)),
        rig_(car, {.loaded_radius = result.loaded_radius}) {}

  std::vector<RigComparison> run(std::vector<std::string>* notes) {
    for (const std::string& name : rows_[0].cells) {
      head_.push_back(column_named(name));
      if (head_.back().key.empty())
        notes->push_back(
            concat(path_, ": \"", name, "\" is not compared: the rig has no such column"));
    }
    const bool is_steering = std::any_of(head_.begin(), head_.end(), [](const TableColumn& column) {
      return column.key.starts_with("steering_");
    });
    if (is_steering && result_.steering.empty()) fail(rows_[0], "the vehicle has no steering");
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const CsvRow& row = rows_[i];
      if (row.cells.size() != head_.size())
        fail(row, concat("has ", row.cells.size(), " values for ", head_.size(), " columns"));
      is_steering ? compare_steering(row) : compare_axle(row);
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const CsvRow& row, const std::string& text) const {
    throw ModelFileError({.file = path_, .line = row.line}, text);
  }

  std::size_t place_of(const std::string& key) const {
    const auto found = std::find_if(head_.begin(), head_.end(),
                                    [&](const TableColumn& column) { return column.key == key; });
    if (found == head_.end()) {
      std::string others;
      for (const OtherName& other : kOtherNames)
        if (other.key == key) others += concat(" or \"", other.name, "\"");
      fail(rows_[0], concat("needs a column \"", key, "\"", others));
    }
    return static_cast<std::size_t>(found - head_.begin());
  }

  /// In the rig's unit.
  double number(const CsvRow& row, std::size_t column) const {
    try {
      return head_[column].factor * parse_number(row.cells[column], head_[column].name);
    } catch (const std::invalid_argument& error) {
      fail(row, error.what());
    }
  }

  /// Not measured, or without bound as a radius straight ahead.
  static bool is_no_value(const std::string& cell) {
    for (const char* none : {"", "nan", "NaN", "inf", "-inf"})
      if (cell == none) return true;
    return false;
  }

  /// "front" and "front_left" are one: tables are of left wheels.
  static std::string axle_of(const std::string& cell) {
    constexpr std::string_view kLeft = "_left";
    return cell.ends_with(kLeft) ? cell.substr(0, cell.size() - kLeft.size()) : cell;
  }

  void compare_axle(const CsvRow& row) {
    const std::string name = axle_of(row.cells[place_of("axle")]);
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
    compare(row, name, reference_columns(car_, sweep), rig_.measure());
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
      const std::string& key = head_[i].key;
      if (key == "axle" || key == keys[0] || key.empty()) continue;
      const auto found = std::find(keys.begin(), keys.end(), key);
      if (found == keys.end())
        fail(rows_[0], concat("\"", head_[i].name, "\" is not a column of the rig",
                              did_you_mean(head_[i].name, keys)));
      if (is_no_value(row.cells[i])) continue;
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
  std::vector<TableColumn> head_;
  vehicle::Rig rig_;
  std::vector<RigComparison> out_;
};

}  // namespace

std::vector<RigComparison> compare_with_table(const std::string& path, const vehicle::Vehicle& car,
                                              const vehicle::RigResult& result,
                                              std::vector<std::string>* notes) {
  return Comparison(path, car, result).run(notes);
}

}  // namespace camber::analysis
