#pragma once

#include <string>
#include <vector>

#include "bench/multibody/contestant.h"
#include "bench/symbolic/comparison.h"
#include "bench/vehicle/suspended_run.h"

namespace camber::bench {

/// One figure of the table that 003 leaves open.
struct TenBodyFigure {
  std::string group;  // "generation", "operations", "code", "evaluation", "solution"
  std::string name;
  double value = 0;
  std::string unit;
};

/// 003's HMMWV of ten bodies: what it takes to derive, how long its code is, how long that takes,
/// and its sparse L D L^T against numeric factorizations of the same mass matrix.
struct TenBodyTable {
  std::vector<TenBodyFigure> figures;
  std::vector<Check> checks;                // of values
  std::vector<SuspendedVehicle> suspended;  // generated code and recursion, to be run
};

/// `file` is models/hmmwv-10-body.toml.
TenBodyTable make_ten_body_table(const std::string& file, const RaceOptions& race);

}  // namespace camber::bench
