#include "bench/symbolic/report.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <ostream>

#include <nlohmann/json.hpp>

namespace camber::bench {
namespace {

std::string title(const Figures& f) { return f.problem + " " + std::to_string(f.n); }

const Figures* find_camber(const Comparison& comparison, const Figures& like) {
  for (const Figures& f : comparison.figures) {
    if (f.engine == "camber" && f.problem == like.problem && f.n == like.n) return &f;
  }
  return nullptr;
}

void print_heading(std::ostream& out) {
  out << std::left << std::setw(13) << "problem" << std::setw(20) << "engine" << std::right
      << std::setw(11) << "build ms" << std::setw(11) << "diff ms" << std::setw(11) << "code ms"
      << std::setw(11) << "memory kB" << std::setw(9) << "nodes" << std::setw(12) << "operations"
      << std::setw(12) << "equations" << '\n';
}

void print_row(const Comparison& comparison, const Figures& f, std::ostream& out) {
  constexpr double kMilli = 1e3;
  out << std::left << std::setw(13) << title(f) << std::setw(20) << f.engine << std::right
      << std::fixed << std::setprecision(3) << std::setw(11) << f.build * kMilli << std::setw(11)
      << f.differentiate * kMilli << std::setw(11) << f.generate * kMilli << std::setw(11)
      << f.memory << std::setw(9) << f.nodes << std::setw(12) << f.operations;
  if (const Figures* camber = find_camber(comparison, f)) {
    out << std::setprecision(1) << std::setw(11) << f.equations() / camber->equations() << 'x';
  }
  out << '\n';
}

bool is_key_row(const Comparison& comparison, const Figures& f) {
  return std::none_of(
      comparison.figures.begin(), comparison.figures.end(),
      [&](const Figures& other) { return other.problem == f.problem && other.n > f.n; });
}

}  // namespace

void print_check(const Check& check, std::ostream& out) {
  out << (check.holds() ? "ok      " : "MISSED  ") << check.name << ' ' << std::defaultfloat
      << std::setprecision(4) << check.value << (check.at_least ? " (>= " : " (<= ") << check.bar
      << ")\n";
}

nlohmann::json to_json(const Check& check) {
  return {{"name", check.name},   {"value", check.value},
          {"bar", check.bar},     {"ok", check.holds()},
          {"timed", check.timed}, {"relation", check.at_least ? ">=" : "<="}};
}

void print_table(const Comparison& comparison, std::ostream& out) {
  out << comparison.cpu << '\n';
  for (const Engine& engine : comparison.engines) {
    if (!engine.missing.empty()) out << engine.name << ": " << engine.missing << '\n';
  }
  out << '\n';
  print_heading(out);
  for (const Figures& f : comparison.figures) print_row(comparison, f, out);
  out << '\n';
  for (const Check& check : comparison.checks) print_check(check, out);
}

nlohmann::json to_json(const Comparison& comparison) {
  nlohmann::json engines = nlohmann::json::array();
  for (const Engine& engine : comparison.engines) {
    nlohmann::json entry{{"engine", engine.name}, {"found", engine.missing.empty()}};
    if (!engine.missing.empty()) entry["missing"] = engine.missing;
    engines.push_back(entry);
  }
  nlohmann::json figures = nlohmann::json::array();
  for (const Figures& f : comparison.figures) {
    nlohmann::json entry = f.all;
    entry.erase("values");
    if (const Figures* camber = find_camber(comparison, f)) {
      entry["equations_times_camber"] = f.equations() / camber->equations();
    }
    figures.push_back(entry);
  }
  nlohmann::json checks = nlohmann::json::array();
  for (const Check& check : comparison.checks) checks.push_back(to_json(check));
  return {{"cpu", comparison.cpu}, {"engines", engines}, {"figures", figures}, {"checks", checks}};
}

void print_csv(const Comparison& comparison, const std::string& commit, std::ostream& out) {
  for (const Figures& f : comparison.figures) {
    if (!is_key_row(comparison, f)) continue;
    out << commit << ",\"" << comparison.cpu << "\",symbolic," << f.problem << ',' << f.n << ','
        << f.engine << ',' << f.version << ',' << std::defaultfloat << std::setprecision(4)
        << f.build << ',' << f.differentiate << ',' << f.generate << ',' << f.memory << ','
        << f.nodes << ',' << f.operations << '\n';
  }
}

int report_missed(const std::vector<Check>& checks,
                  const std::function<bool(const Check&)>& decides) {
  int status = 0;
  for (const Check& check : checks) {
    if (check.holds()) continue;
    std::cerr << "not reached: " << check.name << ' ' << check.value << ", bar " << check.bar
              << '\n';
    if (!decides || decides(check)) status = 1;
  }
  return status;
}

}  // namespace camber::bench
