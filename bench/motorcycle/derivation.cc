#include "bench/motorcycle/derivation.h"

#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "bench/symbolic/measure.h"
#include "camber/core/process.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

void print_matrix(const char* name, const symbolic::MatrixX& matrix, std::ostream* out) {
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int j = 0; j < matrix.cols(); ++j) {
      if (matrix(i, j).is_zero()) continue;
      *out << name << '(' << i + 1 << ',' << j + 1 << ") = " << matrix(i, j).to_string() << '\n';
    }
  }
}

std::string print_state_space(const lagrange::StateSpace& space) {
  std::ostringstream out;
  print_matrix("A", space.E, &out);
  print_matrix("B", space.A, &out);
  print_matrix("C", space.B, &out);
  return out.str();
}

}  // namespace

MotorcycleDerivation derive_motorcycle(const std::filesystem::path& model) {
  MotorcycleDerivation result;
  double total = 0;
  Stopwatch watch;
  const auto lap = [&](const char* stage) {
    const double seconds = watch.lap();
    result.seconds[stage] = seconds;
    total += seconds;
  };
  result.model = lagrange::load_lagrangian(model.string());
  lap("load_s");
  result.equations = lagrange::derive(result.model.system);
  lap("equations_s");
  result.linear = lagrange::make_linear_model(result.model.system, result.equations,
                                              result.model.linearization);
  lap("linearize_s");
  result.space = lagrange::make_state_space(result.linear);
  lap("state_space_s");
  result.text = print_state_space(result.space);
  lap("print_s");
  result.seconds["total_s"] = total;
  return result;
}

nlohmann::json measure_derivation(const std::filesystem::path& program,
                                  const std::filesystem::path& model, int repetitions) {
  require(repetitions > 0, "measure_derivation: repetitions must be > 0, got ", repetitions);
  std::map<std::string, std::vector<double>> stages;
  for (int i = 0; i < repetitions; ++i) {
    const ProcessResult run = run_process({program.string(), "--derive", model.string()});
    if (run.status != 0)
      throw std::runtime_error(concat("the derivation failed with status ", run.status));
    const nlohmann::json figures = nlohmann::json::parse(run.output);
    for (const auto& [stage, seconds] : figures.items()) stages[stage].push_back(seconds);
  }
  nlohmann::json medians;
  for (const auto& [stage, seconds] : stages) medians[stage] = median(seconds);
  return medians;
}

}  // namespace camber::bench
