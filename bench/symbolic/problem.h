#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace camber::bench {

/// What one engine is asked to do in one process, and where its answers are compared with the
/// others'. Written by the comparison as JSON, read by all engines (README.md lists the fields).
struct Problem {
  std::string name;                      // "pendulum", "chain" or "random"
  int n = 0;                             // links, joints or expressions
  std::string axes;                      // of the chain's joints: "zyxzyx"
  std::vector<std::string> expressions;  // of "random", in the grammar that all engines parse
  std::vector<std::string> symbols;      // what those are differentiated by
  std::map<std::string, double> point;   // every symbol's value: m0, l1, q0, qd0, qdd0, ...
  int repetitions = 1;
  bool thorough = true;  // also what costs much and is not timed: SymPy's slower elimination
};

Problem make_pendulum(int n);
/// Joint axes z y x z y x ...
Problem make_chain(int n);
/// So many expressions of so many nodes each.
Problem make_random(int expressions, int nodes);

void write_problem(const Problem& problem, const std::filesystem::path& path);
/// Throws std::runtime_error that names the file when it cannot be read or is not a problem file.
Problem read_problem(const std::filesystem::path& path);

}  // namespace camber::bench
