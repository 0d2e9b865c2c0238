#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/multibody/contestant.h"
#include "bench/multibody/peer_rows.h"
#include "bench/multibody/problems.h"
#include "bench/symbolic/comparison.h"
#include "bench/symbolic/report.h"

namespace camber::bench {

/// One engine at one mechanism.
struct MultibodyFigures {
  std::string problem;  // "chain", "tree", "ladder"
  int n = 0;            // bodies, or loops
  int bodies = 0;
  std::string engine;
  int lanes = 1;
  Timing timing;             // of one mechanism
  double times_camber = 0;   // median of the rounds' ratios; 0 where camber's row is missing
  double disagreement = -1;  // of accelerations, relative to the first engine; -1: is the first
};

struct MultibodyComparison {
  std::string cpu;
  std::vector<PeerVersion> peers;
  std::vector<std::string> missing;  // rows that were to be there
  std::vector<MultibodyFigures> figures;
  std::vector<Check> checks;
};

/// Names the processor and the peers, and those of them that are missing.
MultibodyComparison start_comparison();
/// How much is measured for an effort.
RaceOptions race_options(Effort effort);

/// Forward dynamics of chains, binary trees and four-bar ladders in one thread: camber, MuJoCo and
/// Simbody in turn. Quick: small ones, for their values.
MultibodyComparison compare_multibody(Effort effort);

/// Lets all contestants compute the same accelerations, times them, and adds rows and checks.
void run_race(const MultibodyProblem& problem, const std::vector<Contestant>& contestants,
              const RaceOptions& options, MultibodyComparison* comparison);

/// Prints what was asked for and names the bars that were not reached; 1 if there are any.
int report(const MultibodyComparison& comparison, const ReportOptions& options);

void print_table(const MultibodyComparison& comparison, std::ostream& out);
nlohmann::json to_json(const MultibodyComparison& comparison);
/// Rows of bench/results.csv; the time of one evaluation goes into generate_s.
void print_csv(const MultibodyComparison& comparison, const std::string& commit, std::ostream& out);

}  // namespace camber::bench
