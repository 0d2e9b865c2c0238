#include "bench/vehicle/mass_matrix_race.h"

#include <functional>

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>

#include "bench/vehicle/compiled_program.h"
#include "camber/codegen/interpreter.h"
#include "camber/core/require.h"
#include "camber/symbolic/coefficients.h"
#include "camber/symbolic/ldlt.h"

namespace camber::bench {
namespace {

using codegen::Program, codegen::ProgramBuilder;
using symbolic::Expr;

constexpr int kSize = 15;
using Fixed = Eigen::Matrix<double, kSize, kSize>;
using Sparse = Eigen::SparseMatrix<double>;

/// Entries on and below the diagonal that can be nonzero.
struct Pattern {
  std::vector<std::pair<int, int>> places;
  std::vector<Expr> entries;  // of M
  std::vector<Expr> right;    // f
};

Pattern find_pattern(const lagrange::AccelerationEquations& equations) {
  const auto form = symbolic::linear_coefficients(equations.dynamics, equations.accelerations);
  Pattern pattern;
  for (const symbolic::Entry& entry : form.A) {
    if (entry.row < entry.col) continue;
    pattern.places.emplace_back(entry.row, entry.col);
    pattern.entries.push_back(entry.value);
  }
  for (const Expr& b : form.b) pattern.right.push_back(-b);
  return pattern;
}

symbolic::Ldlt factor(const Pattern& pattern, std::vector<Expr>* entries) {
  symbolic::MatrixX M = symbolic::MatrixX::Zero(kSize, kSize);
  for (const auto& [row, col] : pattern.places) {
    entries->push_back(symbolic::symbol(concat("m_", row + 1, '_', col + 1)));
    M(row, col) = M(col, row) = entries->back();
  }
  return symbolic::factor_symmetric(M);
}

/// The elimination alone, of any matrix with this pattern: inputs are its entries and f.
Program make_solution_program(const symbolic::Ldlt& ldlt, const std::vector<Expr>& entries) {
  symbolic::VectorX f(kSize);
  for (int i = 0; i < kSize; ++i) f(i) = symbolic::symbol(concat("f_", i + 1));
  ProgramBuilder builder("solution");
  builder.add_input("M", entries).add_input("f", std::span<const Expr>(f.data(), kSize));
  builder.add_output("u_dot", ldlt.solve(f));
  for (const auto& pivot : ldlt.pivots())
    builder.add_guard(pivot.guard, pivot.name, codegen::Guard::kPositive);
  return builder.build();
}

/// One system of equations, as each solver wants it.
struct LinearSystem {
  std::vector<double> entries;  // of the pattern, then f
  MatrixX<double> M;
  Sparse sparse;
  VectorX<double> f;
};

// With the same pattern whatever the values are; the lower triangle, which the factorization reads.
Sparse make_sparse(const Pattern& pattern, const std::vector<double>& entries) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t k = 0; k < pattern.places.size(); ++k)
    triplets.emplace_back(pattern.places[k].first, pattern.places[k].second, entries[k]);
  Sparse sparse(kSize, kSize);
  sparse.setFromTriplets(triplets.begin(), triplets.end());
  return sparse;
}

std::vector<LinearSystem> make_systems(const Pattern& pattern, const Program& matrix,
                                       const std::vector<std::vector<double>>& states) {
  codegen::Interpreter<double> interpreter(matrix);
  const auto n = static_cast<int>(pattern.places.size());
  std::vector<LinearSystem> systems;
  for (const std::vector<double>& state : states) {
    LinearSystem system{std::vector<double>(n + kSize),
                        MatrixX<double>::Zero(kSize, kSize),
                        {},
                        VectorX<double>(kSize)};
    interpreter.run(state, system.entries);
    for (int k = 0; k < n; ++k) {
      const auto [row, col] = pattern.places[k];
      system.M(row, col) = system.M(col, row) = system.entries[k];
    }
    for (int k = 0; k < kSize; ++k) system.f[k] = system.entries[n + k];
    system.sparse = make_sparse(pattern, system.entries);
    systems.push_back(std::move(system));
  }
  return systems;
}

/// All solvers, from entries to u'.
struct Solvers {
  Solvers(const Program& solution, const std::vector<LinearSystem>& systems)
      : generated(solution, codegen::Language::kCpp), u_dot(kSize) {
    simplicial.analyzePattern(systems[0].sparse);
    const auto add = [&](const char* name, auto&& solve) {
      Contestant contestant;
      contestant.engine = name;
      contestant.evaluate = [&systems, solve](int i) { solve(systems[i]); };
      contestants.push_back(std::move(contestant));
    };
    add("generated sparse L D L^T", [this](const LinearSystem& s) {
      const int status = generated.run(s.entries, {u_dot.data(), kSize});
      require(status == 0, "L D L^T: pivot ", status, " is not positive");
    });
    add("Eigen LLT dense", [this](const LinearSystem& s) {
      llt.compute(s.M);
      u_dot = llt.solve(s.f);
    });
    add("Eigen LDLT dense", [this](const LinearSystem& s) {
      ldlt.compute(s.M);
      u_dot = ldlt.solve(s.f);
    });
    add("Eigen LLT dense of known size", [this](const LinearSystem& s) {
      fixed_llt.compute(Eigen::Map<const Fixed>(s.M.data()));
      u_dot = fixed_llt.solve(s.f);
    });
    add("Eigen LDLT dense of known size", [this](const LinearSystem& s) {
      fixed_ldlt.compute(Eigen::Map<const Fixed>(s.M.data()));
      u_dot = fixed_ldlt.solve(s.f);
    });
    add("Eigen SimplicialLDLT analyzed once", [this](const LinearSystem& s) {
      simplicial.factorize(s.sparse);
      u_dot = simplicial.solve(s.f);
    });
  }
  Solvers(const Solvers&) = delete;
  Solvers& operator=(const Solvers&) = delete;

  CompiledProgram generated;
  Eigen::LLT<MatrixX<double>> llt{kSize};
  Eigen::LDLT<MatrixX<double>> ldlt{kSize};
  Eigen::LLT<Fixed> fixed_llt;
  Eigen::LDLT<Fixed> fixed_ldlt;
  Eigen::SimplicialLDLT<Sparse> simplicial;
  VectorX<double> u_dot;
  std::vector<Contestant> contestants;
};

}  // namespace

void race_mass_matrices(const lagrange::AccelerationEquations& equations,
                        const std::vector<std::vector<double>>& states, const RaceOptions& options,
                        TenBodyTable* table) {
  require(equations.speeds.size() == kSize, "race_mass_matrices: ", equations.speeds.size(),
          " speeds, not ", kSize);
  const Pattern pattern = find_pattern(equations);
  const Program matrix = start_program(equations, "mass_matrix")
                             .add_output("M", pattern.entries)
                             .add_output("f", pattern.right)
                             .build();
  std::vector<Expr> entries;
  const symbolic::Ldlt ldlt = factor(pattern, &entries);
  const Program solution = make_solution_program(ldlt, entries);
  for (const auto& [name, n] :
       {std::pair{"mass matrix and forces alone", matrix.count().total()},
        std::pair{"L D L^T and solution alone", solution.count().total()},
        std::pair{"entries of the mass matrix (of 120)", pattern.places.size()},
        std::pair{"entries of L (of 105)", static_cast<std::size_t>(ldlt.cost().entries)}})
    table->figures.push_back({"operations", name, static_cast<double>(n), ""});

  const std::vector<LinearSystem> systems = make_systems(pattern, matrix, states);
  Solvers solvers(solution, systems);
  double worst = 0;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    for (const Contestant& solver : solvers.contestants) {
      solver.evaluate(static_cast<int>(i));
      const VectorX<double> left = systems[i].M * solvers.u_dot - systems[i].f;
      worst =
          std::max(worst, left.lpNorm<Eigen::Infinity>() / systems[i].f.lpNorm<Eigen::Infinity>());
    }
  }
  table->checks.push_back({"values: ten bodies, what M u' = f leaves", worst, 1e-10});
  const std::vector<Timing> timings = race(solvers.contestants, options);
  for (std::size_t i = 0; i < timings.size(); ++i)
    table->figures.push_back({"solution", solvers.contestants[i].engine, timings[i].seconds, "s"});
}

}  // namespace camber::bench
