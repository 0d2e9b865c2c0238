#pragma once

#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/symbolic/comparison.h"

namespace camber::bench {

/// "ok      name 4.2 (>= 4)".
void print_check(const Check& check, std::ostream& out);
nlohmann::json to_json(const Check& check);
/// Names the checks that do not hold on stderr; 1 if one of those is among them that decide, else
/// 0.
int report_missed(const std::vector<Check>& checks,
                  const std::function<bool(const Check&)>& decides = {});

/// As JSON, as rows of bench/results.csv under the label of a commit, or as a table.
struct ReportOptions {
  bool json = false;
  std::string commit;
};
template <class Comparison>
void print_comparison(const Comparison& comparison, const ReportOptions& options) {
  if (options.json) {
    std::cout << to_json(comparison).dump(2) << '\n';
  } else if (!options.commit.empty()) {
    print_csv(comparison, options.commit, std::cout);
  } else {
    print_table(comparison, std::cout);
  }
}

/// For a person: a line per problem and engine, times relative to camber's, then the checks.
void print_table(const Comparison& comparison, std::ostream& out);

/// For a program: every figure but the values, and the checks.
nlohmann::json to_json(const Comparison& comparison);

/// The rows that bench/results.csv keeps, under its heading's columns.
void print_csv(const Comparison& comparison, const std::string& commit, std::ostream& out);

}  // namespace camber::bench
