#include "camber/lagrange/numeric_state_space.h"

#include <algorithm>
#include <stdexcept>

#include "camber/core/require.h"

namespace camber::lagrange {
namespace {

std::vector<std::string> names_of(std::span<const Expr> leaves) {
  std::vector<std::string> names;
  for (const Expr& leaf : leaves) names.emplace_back(leaf.name());
  return names;
}

std::vector<Expr> entries_of(const StateSpace& s) {
  std::vector<Expr> entries;
  for (const MatrixX* M : {&s.E, &s.A, &s.B, &s.C, &s.D}) {
    entries.insert(entries.end(), M->data(), M->data() + M->size());
  }
  return entries;
}

std::vector<Expr> leaves_of(std::span<const Expr> entries) {
  std::vector<Expr> leaves;
  for (const Expr& e : entries) leaves.insert(leaves.end(), e.leaves().begin(), e.leaves().end());
  std::sort(leaves.begin(), leaves.end(), symbolic::canonical_less);
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  return leaves;
}

codegen::Program make_program(const StateSpace& s) {
  const std::vector<Expr> entries = entries_of(s);
  const std::vector<Expr> leaves = leaves_of(entries);
  codegen::ProgramBuilder builder("state_space");
  if (!leaves.empty()) builder.add_input("parameters", leaves);  // a model may have numbers alone
  return builder.add_output("entries", entries).build();
}

/// The next rows * cols outputs, column by column.
Eigen::MatrixXd take(int rows, int cols, const double** next) {
  const Eigen::Map<const Eigen::MatrixXd> M(*next, rows, cols);
  *next += M.size();
  return M;
}

}  // namespace

StateSpaceProgram::StateSpaceProgram(const StateSpace& symbolic)
    : parameters_(leaves_of(entries_of(symbolic))),
      state_names_(names_of(symbolic.states)),
      input_names_(names_of(symbolic.inputs)),
      output_names_(symbolic.output_names),
      interpreter_(make_program(symbolic)) {
  inputs_.resize(interpreter_.input_size());
  outputs_.resize(interpreter_.output_size());
}

NumericStateSpace StateSpaceProgram::evaluate(const Substitution& values) {
  std::string missing;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const auto value = values.find(parameters_[i]);
    if (value == values.end() || !value->second.is_number()) {
      missing += (missing.empty() ? "" : ", ") + std::string(parameters_[i].name());
    } else {
      inputs_[i] = value->second.number().to_double();
    }
  }
  require(missing.empty(), "StateSpaceProgram: no value for ", missing);
  interpreter_.run(inputs_, outputs_);

  const int n = static_cast<int>(state_names_.size());
  const int nu = static_cast<int>(input_names_.size());
  const int ny = static_cast<int>(output_names_.size());
  const double* next = outputs_.data();
  NumericStateSpace result;
  result.E = take(n, n, &next);
  result.A = take(n, n, &next);
  result.B = take(n, nu, &next);
  result.C = take(ny, n, &next);
  result.D = take(ny, nu, &next);
  check_finite(result);
  return result;
}

void StateSpaceProgram::check_finite(const NumericStateSpace& s) const {
  const std::pair<char, const Eigen::MatrixXd*> named[] = {
      {'E', &s.E}, {'A', &s.A}, {'B', &s.B}, {'C', &s.C}, {'D', &s.D}};
  for (const auto& [name, M] : named) {
    for (int i = 0; i < M->rows(); ++i) {
      for (int j = 0; j < M->cols(); ++j) {
        if (std::isfinite((*M)(i, j))) continue;
        throw std::domain_error(concat("the state space has no finite value at ", name, "(", i + 1,
                                       ", ", j + 1, "); a parameter in it divides by zero"));
      }
    }
  }
}

}  // namespace camber::lagrange
