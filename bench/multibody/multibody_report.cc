#include <iomanip>
#include <iostream>
#include <map>
#include <ostream>

#include "bench/multibody/multibody_comparison.h"
#include "bench/symbolic/report.h"

namespace camber::bench {
namespace {

using nlohmann::json;

constexpr double kMicro = 1e6, kNano = 1e9;
constexpr int kLinearFrom = 4;

// Counters of the processor are seldom there in a virtual machine; valgrind counts everywhere.
constexpr const char* kInstructionsNote =
    "instructions per evaluation: valgrind --tool=callgrind camber-bench-multibody --only ENGINE "
    "--problem chain, of a build with CAMBER_ARCH=x86-64-v3";

void print_row(const MultibodyFigures& f, std::ostream& out) {
  out << std::left << std::setw(14) << f.problem << std::right << std::setw(5) << f.n << "  "
      << std::left << std::setw(16) << f.engine << std::right << std::fixed << std::setprecision(3)
      << std::setw(12) << kMicro * f.timing.seconds << std::setprecision(1) << std::setw(12)
      << kNano * f.timing.seconds / f.bodies;
  if (f.times_camber > 0) {
    out << std::setprecision(2) << std::setw(9) << f.times_camber << 'x';
  } else {
    out << std::setw(10) << "";
  }
  if (f.disagreement >= 0)
    out << std::scientific << std::setprecision(1) << std::setw(13) << f.disagreement;
  out << '\n';
}

// What bench/results.csv keeps: one size of each problem.
bool is_key_row(const MultibodyFigures& f) {
  if (f.problem == "chain" || f.problem == "tree") return f.n == 60;
  if (f.problem == "ladder" || f.problem == "road_train") return f.n == 16;
  return !f.problem.ends_with("growth");
}

// By engine, the slope of the ladder's time over its loops.
std::map<std::string, double> ladder_growth(const MultibodyComparison& comparison) {
  std::map<std::string, std::vector<double>> loops, seconds;
  for (const MultibodyFigures& f : comparison.figures) {
    if (f.problem != "ladder" || f.n < kLinearFrom) continue;
    loops[f.engine].push_back(f.n);
    seconds[f.engine].push_back(f.timing.seconds);
  }
  std::map<std::string, double> growth;
  for (const auto& [engine, n] : loops)
    if (n.size() >= 2) growth[engine] = growth_exponent(n, seconds.at(engine));
  return growth;
}

}  // namespace

void print_table(const MultibodyComparison& comparison, std::ostream& out) {
  out << comparison.cpu << '\n';
  for (const PeerVersion& peer : comparison.peers)
    if (!peer.version.empty()) out << peer.engine << ' ' << peer.version << '\n';
  for (const std::string& row : comparison.missing) out << row << ": missing\n";
  out << '\n'
      << std::left << std::setw(14) << "problem" << std::right << std::setw(5) << "n"
      << "  " << std::left << std::setw(16) << "engine" << std::right << std::setw(12) << "us"
      << std::setw(12) << "ns/body" << std::setw(10) << "camber" << std::setw(13) << "differs"
      << '\n';
  std::string last;
  for (const MultibodyFigures& f : comparison.figures) {
    const std::string title = f.problem + std::to_string(f.problem == "ladder" ? f.n : 0);
    if (!last.empty() && title != last) out << '\n';
    last = title;
    print_row(f, out);
  }
  const auto growth = ladder_growth(comparison);
  if (!growth.empty()) out << "\nladder, growth exponent from " << kLinearFrom << " loops up:";
  for (const auto& [engine, exponent] : growth)
    out << "  " << engine << ' ' << std::fixed << std::setprecision(2) << exponent;
  out << (growth.empty() ? "\n" : "\n\n");
  for (const Check& check : comparison.checks) print_check(check, out);
}

json to_json(const MultibodyComparison& comparison) {
  json figures = json::array();
  for (const MultibodyFigures& f : comparison.figures) {
    json row{{"problem", f.problem},
             {"n", f.n},
             {"bodies", f.bodies},
             {"engine", f.engine},
             {"lanes", f.lanes},
             {"seconds", f.timing.seconds},
             {"seconds_per_body", f.timing.seconds / f.bodies},
             {"rounds", f.timing.rounds.size()}};
    if (f.times_camber > 0) row["times_camber"] = f.times_camber;
    if (f.disagreement >= 0) row["disagreement"] = f.disagreement;
    figures.push_back(row);
  }
  json checks = json::array();
  for (const Check& check : comparison.checks) checks.push_back(to_json(check));
  json peers = json::object();
  for (const PeerVersion& peer : comparison.peers) peers[peer.engine] = peer.version;
  return {{"cpu", comparison.cpu},
          {"peers", peers},
          {"missing", comparison.missing},
          {"figures", figures},
          {"ladder_growth_exponents", ladder_growth(comparison)},
          {"notes", {kInstructionsNote}},
          {"checks", checks}};
}

void print_csv(const MultibodyComparison& comparison, const std::string& commit,
               std::ostream& out) {
  std::map<std::string, std::string> versions;
  for (const PeerVersion& peer : comparison.peers) versions[peer.engine] = peer.version;
  for (const MultibodyFigures& f : comparison.figures) {
    if (!is_key_row(f)) continue;
    const auto version = versions.find(f.engine);
    out << commit << ",\"" << comparison.cpu << "\",multibody," << f.problem << ',' << f.n << ','
        << f.engine << ',' << (version == versions.end() ? CAMBER_VERSION : version->second)
        << ",,," << std::defaultfloat << std::setprecision(4) << f.timing.seconds << ",,,\n";
  }
}

int report(const MultibodyComparison& comparison, const ReportOptions& options) {
  print_comparison(comparison, options);
  return report_missed(comparison.checks);
}

}  // namespace camber::bench
