#include <iomanip>
#include <ostream>

#include <nlohmann/json.hpp>

#include "bench/drive/drive_rows.h"
#include "bench/symbolic/report.h"

namespace camber::bench {
namespace {

std::string join(const std::vector<std::string>& overrides) {
  std::string text;
  for (const std::string& assignment : overrides) text += (text.empty() ? "" : " ") + assignment;
  return text;
}

}  // namespace

void print_table(const DriveComparison& comparison, std::ostream& out) {
  out << comparison.cpu << ", one core, processor time of the fastest round\n"
      << std::left << std::setw(24) << "scenario" << std::setw(64) << "with" << std::right
      << std::setw(8) << "s" << std::setw(8) << "step ms" << std::setw(10) << "us/step"
      << std::setw(12) << "real time" << '\n';
  for (const DriveRow& row : comparison.rows) {
    out << std::left << std::setw(24) << row.scenario << std::setw(64) << join(row.overrides)
        << std::right;
    if (!row.failure.empty()) {
      out << "  failed: " << row.failure << '\n';
      continue;
    }
    out << std::fixed << std::setprecision(2) << std::setw(8) << row.duration
        << std::setprecision(1) << std::setw(8) << 1e3 * row.step << std::setprecision(2)
        << std::setw(10) << 1e6 * row.seconds * row.step / row.duration << std::setprecision(1)
        << std::setw(11) << row.times_real_time() << "x\n";
  }
  out << '\n';
  for (const Check& check : comparison.checks) print_check(check, out);
}

nlohmann::json to_json(const DriveComparison& comparison) {
  using nlohmann::json;
  json rows = json::array(), checks = json::array();
  for (const DriveRow& row : comparison.rows) {
    rows.push_back({{"scenario", row.scenario},
                    {"overrides", row.overrides},
                    {"duration_s", row.duration},
                    {"step_s", row.step},
                    {"seconds", row.seconds},
                    {"evaluations_per_step", row.evaluations},
                    {"times_real_time", row.seconds > 0 ? row.times_real_time() : 0.0},
                    {"failure", row.failure}});
  }
  for (const Check& check : comparison.checks) checks.push_back(to_json(check));
  json setups = json::array();
  for (const SetupRow& row : comparison.setups)
    setups.push_back({{"name", row.name}, {"seconds", row.seconds}});
  return {{"cpu", comparison.cpu}, {"rows", rows}, {"setups", setups}, {"checks", checks}};
}

void print_csv(const DriveComparison& comparison, const std::string& commit, std::ostream& out) {
  for (const DriveRow& row : comparison.rows) {
    if (!row.failure.empty()) continue;
    const std::string engine = row.overrides.empty() ? "camber" : "camber " + join(row.overrides);
    out << commit << ",\"" << comparison.cpu << "\",drive," << row.scenario << ','
        << row.duration / row.step << ',' << engine << ",,,," << std::defaultfloat
        << std::setprecision(4) << row.seconds << ",,,\n";
  }
}

}  // namespace camber::bench
