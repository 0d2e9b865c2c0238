// Each step of the symbolic comparison by itself, for camber alone:
//   BM_Energies/chain_6, BM_Equations/chain_6, BM_Program/chain_6, BM_WriteC/chain_6, ...
// Expressions are kept permanently and found again when built a second time, so every iteration names
// its symbols anew; the number of iterations is fixed, as memory grows with it.

#include <benchmark/benchmark.h>

#include "bench/symbolic/camber_engine.h"
#include "bench/symbolic/problem.h"
#include "camber/codegen/program.h"
#include "camber/codegen/write.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

using symbolic::Expr;

constexpr int kIterations = 100;

std::string fresh_suffix() {
  static int count = 0;
  return concat("_", ++count);
}

codegen::Program build_program(const std::vector<Expr>& results) {
  return codegen::ProgramBuilder("bench").add_output("out", results).add_remaining_inputs().build();
}

void BM_Energies(benchmark::State& state, const Problem& problem) {
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    const std::string suffix = fresh_suffix();
    state.ResumeTiming();
    benchmark::DoNotOptimize(CamberMechanism(problem, suffix));
  }
}

void BM_Equations(benchmark::State& state, const Problem& problem, Route route) {
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    const CamberMechanism mechanism(problem, fresh_suffix());
    state.ResumeTiming();
    benchmark::DoNotOptimize(find_equations(mechanism, route));
  }
}

void BM_Parse(benchmark::State& state, const Problem& problem) {
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    const std::string suffix = fresh_suffix();
    state.ResumeTiming();
    benchmark::DoNotOptimize(CamberExpressions(problem, suffix));
  }
}

void BM_Gradients(benchmark::State& state, const Problem& problem) {
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    const CamberExpressions expressions(problem, fresh_suffix());
    state.ResumeTiming();
    benchmark::DoNotOptimize(find_gradients(expressions));
  }
}

void BM_Program(benchmark::State& state, const Problem& problem) {
  const std::vector<Expr> equations =
      find_equations(CamberMechanism(problem, fresh_suffix()), Route::kSweeps);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(build_program(equations));
}

void BM_WriteC(benchmark::State& state, const Problem& problem) {
  const auto program =
      build_program(find_equations(CamberMechanism(problem, fresh_suffix()), Route::kSweeps));
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(codegen::write_source(program, codegen::Language::kC99));
}

BENCHMARK_CAPTURE(BM_Energies, pendulum_12, make_pendulum(12))->Iterations(kIterations);
BENCHMARK_CAPTURE(BM_Energies, chain_6, make_chain(6))->Iterations(kIterations);
BENCHMARK_CAPTURE(BM_Equations, pendulum_12, make_pendulum(12), Route::kSweeps)
    ->Iterations(kIterations);
BENCHMARK_CAPTURE(BM_Equations, chain_6, make_chain(6), Route::kSweeps)->Iterations(kIterations);
BENCHMARK_CAPTURE(BM_Equations, chain_6_by_partials, make_chain(6), Route::kPartials)
    ->Iterations(kIterations);
BENCHMARK_CAPTURE(BM_Parse, random_20x200, make_random(20, 200))->Iterations(kIterations);
BENCHMARK_CAPTURE(BM_Gradients, random_20x200, make_random(20, 200))->Iterations(kIterations);
BENCHMARK_CAPTURE(BM_Program, pendulum_12, make_pendulum(12));
BENCHMARK_CAPTURE(BM_Program, chain_6, make_chain(6));
BENCHMARK_CAPTURE(BM_WriteC, chain_6, make_chain(6));

}  // namespace
}  // namespace camber::bench

BENCHMARK_MAIN();
