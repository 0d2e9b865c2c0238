#include "camber/analysis/rig_text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include <nlohmann/json.hpp>

#include "camber/core/text.h"

namespace camber::analysis {
namespace {

using Json = nlohmann::ordered_json;
using vehicle::AxleSweep, vehicle::RigState;

// --- Text ---

void print(const report::Table& table, std::ostream* out) {
  std::vector<std::size_t> widths;
  for (std::size_t j = 0; j < table.head.size(); ++j) {
    std::size_t width = table.head[j].size();
    for (const auto& row : table.rows) width = std::max(width, row[j].size());
    widths.push_back(width);
  }
  const auto print_row = [&](const std::vector<std::string>& row) {
    for (std::size_t j = 0; j < row.size(); ++j)
      *out << (j == 0 ? std::left : std::right) << (j == 0 ? "" : "  ")
           << std::setw(static_cast<int>(widths[j])) << row[j];
    *out << '\n';
  };
  *out << table.caption << '\n';
  print_row(table.head);
  for (const auto& row : table.rows) print_row(row);
}

}  // namespace

std::string to_text(const RigStudy& study) {
  std::ostringstream out;
  const vehicle::RigResult& result = study.result;
  out << study.car.name << ": loops close within " << short_text(result.closure_error, 2)
      << " m; loaded radius";
  for (std::size_t i = 0; i < study.car.axles.size(); ++i)
    out << (i > 0 ? ", " : " ") << study.car.axles[i].name << ' '
        << fixed_text(1000 * result.loaded_radius[i], 1) << " mm";
  out << '\n';
  for (const std::string& note : result.notes) out << "note: " << note << '\n';
  for (const AxleSweep& sweep : result.axles) {
    out << '\n';
    print(travel_table(study, sweep), &out);
  }
  for (const AxleSweep& sweep : result.axles) {
    if (sweep.opposed.empty()) continue;
    out << '\n';
    print(roll_table(study, sweep), &out);
  }
  if (!result.steering.empty()) {
    out << '\n';
    print(steering_table(study), &out);
  }
  if (!study.comparisons.empty()) {
    out << '\n';
    print(comparison_table(study), &out);
  }
  return out.str();
}

// --- JSON ---

namespace {

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json row_json(const std::vector<RigColumn>& columns, const RigState& state) {
  Json row;
  for (const RigColumn& column : columns) row[column.key] = number_json(column.in_file(state));
  return row;
}

/// Column by column.
Json sweep_json(const std::vector<RigColumn>& columns, const std::vector<RigState>& states) {
  Json result;
  for (const RigColumn& column : columns) {
    Json values = Json::array();
    for (const RigState& state : states) values.push_back(number_json(column.in_file(state)));
    result[column.key] = values;
  }
  return result;
}

}  // namespace

std::string to_json(const RigStudy& study) {
  const vehicle::RigResult& result = study.result;
  Json axles;
  for (const AxleSweep& sweep : result.axles) {
    const vehicle::Axle& axle = study.car.axles[sweep.axle];
    const std::vector<RigColumn> columns = parallel_columns(study.car, sweep);
    Json& entry = axles[axle.name];
    entry = {{"suspension", to_text(axle.type)},
             {"loaded_radius_m", result.loaded_radius[sweep.axle]},
             {"design", row_json(columns, result.design)}};
    if (result.at_standing) entry["standing"] = row_json(columns, *result.at_standing);
    entry["parallel"] = sweep_json(columns, sweep.parallel);
    if (!sweep.opposed.empty())
      entry["opposed"] = sweep_json(opposed_columns(sweep), sweep.opposed);
  }
  Json json{{"model", study.car.name}, {"closure_error_m", result.closure_error}, {"axles", axles}};
  if (!result.steering.empty())
    json["steering"] = sweep_json(steering_columns(study.car, result), result.steering);
  if (!study.comparisons.empty()) {
    Json comparisons = Json::array();
    for (const RigComparison& c : study.comparisons) {
      comparisons.push_back(
          {{"place", c.place},
           {"column", c.column.key},
           {"points", c.x.size()},
           {"largest_difference", c.difference * c.column.file_scale / c.column.shown_scale}});
    }
    json["comparison"] = comparisons;
  }
  json["notes"] = result.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

// --- CSV ---

namespace {

/// With the axle's name as first column if it is given: so the table can be a --reference.
std::string csv_of(const std::vector<RigColumn>& columns, const std::vector<RigState>& states,
                   const std::string& axle = "") {
  std::ostringstream out;
  out << std::setprecision(15) << (axle.empty() ? "" : "axle");
  const char* comma = axle.empty() ? "" : ",";
  for (const RigColumn& column : columns) {
    out << comma << column.key;
    comma = ",";
  }
  out << '\n';
  for (const RigState& state : states) {
    out << axle;
    comma = axle.empty() ? "" : ",";
    for (const RigColumn& column : columns) {
      const double value = column.in_file(state);
      out << comma << (std::isnan(value) ? std::abs(value) : value);  // "nan", not "-nan"
      comma = ",";
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace

std::vector<NamedText> make_csv_tables(const RigStudy& study) {
  std::vector<NamedText> tables;
  for (const AxleSweep& sweep : study.result.axles) {
    const std::string& axle = study.car.axles[sweep.axle].name;
    tables.push_back(
        {axle + "_parallel.csv", csv_of(parallel_columns(study.car, sweep), sweep.parallel, axle)});
    if (!sweep.opposed.empty())
      tables.push_back({axle + "_opposed.csv", csv_of(opposed_columns(sweep), sweep.opposed)});
  }
  if (!study.result.steering.empty())
    tables.push_back(
        {"steering.csv", csv_of(steering_columns(study.car, study.result), study.result.steering)});
  return tables;
}

}  // namespace camber::analysis
