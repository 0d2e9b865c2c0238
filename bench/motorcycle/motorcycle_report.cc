#include <iomanip>
#include <ostream>

#include "bench/motorcycle/motorcycle_comparison.h"
#include "bench/motorcycle/residual.h"
#include "bench/symbolic/report.h"

namespace camber::bench {
namespace {

using nlohmann::json;

double seconds(const json& figures, const char* stage) {
  return figures.at("seconds").value(stage, 0.0);
}

long operations(const json& figures, const char* what) {
  return figures.at("operations").at(what).get<long>();
}

void print_row(const json& figures, std::ostream& out) {
  constexpr double kMilli = 1e3;
  out << std::left << std::setw(16) << figures.at("engine").get<std::string>() << std::right
      << std::fixed << std::setprecision(3) << std::setw(13) << kMilli * seconds(figures, "total_s")
      << std::setw(13) << kMilli * seconds(figures, "code_s") << std::setprecision(1)
      << std::setw(13) << figures.at("residual_ns").get<double>() << std::setw(13)
      << figures.at("residual_portable_ns").get<double>() << std::setw(11)
      << operations(figures, "nonlinear") << std::setw(10) << operations(figures, "residual")
      << std::setw(8) << operations(figures, "linear") << std::setw(10)
      << operations(figures, "matrices") << '\n';
}

json report(json figures) {
  for (const char* values : {"A", "B", "C", "residual_values", "residual_values_in_lanes"})
    figures.erase(values);
  return figures;
}

void print_csv_row(const json& figures, std::ostream& out) {
  // camber's kinematics are a part of its equations.
  const double build = seconds(figures, "load_s") + seconds(figures, "kinematics_s");
  out << figures.at("engine").get<std::string>() << ',' << figures.at("version").get<std::string>()
      << ',' << build << ',' << seconds(figures, "total_s") - build << ','
      << seconds(figures, "code_s") << ",,," << operations(figures, "nonlinear") << '\n';
}

}  // namespace

void print_table(const MotorcycleComparison& comparison, std::ostream& out) {
  out << comparison.cpu << '\n';
  if (!comparison.missing.empty()) out << "sympy: " << comparison.missing << '\n';
  out << "\n"
      << std::left << std::setw(16) << "engine" << std::right << std::setw(13) << "derive ms"
      << std::setw(13) << "code ms" << std::setw(13) << "residual ns" << std::setw(13)
      << "portable ns" << std::setw(11) << "nonlinear" << std::setw(10) << "residual"
      << std::setw(8) << "linear" << std::setw(10) << "A and B" << '\n';
  print_row(comparison.camber, out);
  for (const json& peer : comparison.peers) print_row(peer, out);
  out << "\nresidual: one point at a time, cc -O3 -march=native; portable: cc -O2. camber's C++ "
         "form at "
      << kLanes << " points at a time\n(c++ -O3 -march=native, which no other engine here writes): "
      << comparison.camber.at("residual_in_lanes_ns").get<double>() << " ns per point\n\n";
  for (const Check& check : comparison.checks) print_check(check, out);
}

json to_json(const MotorcycleComparison& comparison) {
  json figures = json::array({report(comparison.camber)});
  for (const json& peer : comparison.peers) {
    json entry = report(peer);
    entry["derivation_times_camber"] =
        seconds(peer, "total_s") / seconds(comparison.camber, "total_s");
    for (const std::string kind : {"residual", "residual_portable"})
      entry[kind + "_times_camber"] =
          peer.at(kind + "_ns").get<double>() / comparison.camber.at(kind + "_ns").get<double>();
    figures.push_back(entry);
  }
  json checks = json::array();
  for (const Check& check : comparison.checks) checks.push_back(to_json(check));
  json result{{"cpu", comparison.cpu}, {"figures", figures}, {"checks", checks}};
  if (!comparison.missing.empty()) result["missing"] = {{"sympy", comparison.missing}};
  return result;
}

void print_csv(const MotorcycleComparison& comparison, const std::string& commit,
               std::ostream& out) {
  std::vector<json> all{comparison.camber};
  all.insert(all.end(), comparison.peers.begin(), comparison.peers.end());
  for (const json& figures : all) {
    out << commit << ",\"" << comparison.cpu << "\",motorcycle,state space,1," << std::defaultfloat
        << std::setprecision(4);
    print_csv_row(figures, out);
  }
}

}  // namespace camber::bench
