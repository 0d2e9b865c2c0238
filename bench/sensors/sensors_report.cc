#include <iomanip>
#include <ostream>

#include <nlohmann/json.hpp>

#include "bench/sensors/sensors_rows.h"
#include "bench/symbolic/report.h"

namespace camber::bench {

void print_table(const SensorComparison& comparison, std::ostream& out) {
  out << comparison.cpu << ", one core, processor time of the fastest round; "
      << comparison.triangles << " triangles of objects\n"
      << std::left << std::setw(20) << "what" << std::setw(12) << "engine" << std::right
      << std::setw(12) << "ns each" << std::setw(12) << "M/s" << std::setw(10) << "MB"
      << std::setw(10) << "build s" << std::setw(10) << "hit %" << std::setw(12) << "mean m\n";
  for (const SensorRow& row : comparison.rows) {
    out << std::left << std::setw(20) << row.name << std::setw(12) << row.engine << std::right
        << std::fixed << std::setprecision(1) << std::setw(12) << row.nanoseconds()
        << std::setprecision(2) << std::setw(12) << 1e3 / row.nanoseconds() << std::setprecision(0)
        << std::setw(10) << 1e-6 * row.memory << std::setprecision(3) << std::setw(10)
        << row.build_seconds << std::setprecision(2) << std::setw(10) << 100 * row.hit_part
        << std::setprecision(3) << std::setw(11) << row.mean_range << '\n';
  }
  out << '\n';
  for (const Check& check : comparison.checks) print_check(check, out);
}

nlohmann::json to_json(const SensorComparison& comparison) {
  using nlohmann::json;
  json rows = json::array(), checks = json::array();
  for (const SensorRow& row : comparison.rows) {
    rows.push_back({{"name", row.name},
                    {"engine", row.engine},
                    {"rays", row.rays},
                    {"seconds", row.seconds},
                    {"nanoseconds", row.nanoseconds()},
                    {"build_s", row.build_seconds},
                    {"memory_bytes", row.memory},
                    {"hit_part", row.hit_part},
                    {"mean_range_m", row.mean_range}});
  }
  for (const Check& check : comparison.checks) checks.push_back(to_json(check));
  return {{"cpu", comparison.cpu},
          {"triangles", comparison.triangles},
          {"rows", rows},
          {"checks", checks}};
}

void print_csv(const SensorComparison& comparison, const std::string& commit, std::ostream& out) {
  for (const SensorRow& row : comparison.rows) {
    out << commit << ",\"" << comparison.cpu << "\",sensors," << row.name << ','
        << std::defaultfloat << row.rays << ',' << row.engine << ",,,," << std::setprecision(4)
        << row.seconds << ",,,\n";
  }
}

}  // namespace camber::bench
