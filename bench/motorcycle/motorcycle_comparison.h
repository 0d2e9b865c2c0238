#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/symbolic/comparison.h"

namespace camber::bench {

/// What was measured at the motorcycle, one object per engine as it goes into the JSON report.
struct MotorcycleComparison {
  std::string cpu;
  nlohmann::json camber;
  std::vector<nlohmann::json> peers;  // empty without SymPy
  std::string missing;                // then: why
  std::vector<Check> checks;
};

/// Files that stand beside the program.
struct MotorcycleFiles {
  std::filesystem::path program;  // runs derivations in processes of their own
  std::filesystem::path model;
  std::filesystem::path script;  // SymPy's
};
MotorcycleFiles find_motorcycle_files(const std::filesystem::path& program);

/// camber and SymPy derive the same motorcycle; counts, values and times of both. Quick: SymPy by
/// its faster route only, and few repetitions.
MotorcycleComparison compare_motorcycles(const MotorcycleFiles& files, Effort effort);

void print_table(const MotorcycleComparison& comparison, std::ostream& out);
nlohmann::json to_json(const MotorcycleComparison& comparison);
/// Rows of bench/results.csv: build is the model's file and kinematics, differentiate all that
/// follows up to the printed state space, generate the residual's code.
void print_csv(const MotorcycleComparison& comparison, const std::string& commit,
               std::ostream& out);

}  // namespace camber::bench
