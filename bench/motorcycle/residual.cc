#include "bench/motorcycle/residual.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <dlfcn.h>

#include "bench/symbolic/measure.h"
#include "bench/symbolic/subprocess.h"
#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::bench {

using symbolic::Expr;

namespace {

void append(const std::vector<Expr>& from, std::vector<Expr>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

std::vector<Expr> rates_of(const std::vector<Expr>& variables) {
  std::vector<Expr> rates;
  for (const Expr& x : variables) rates.push_back(symbolic::variable(x.name(), x.order() + 1));
  return rates;
}

}  // namespace

Residual make_residual(const lagrange::System& system, const lagrange::Equations& equations) {
  std::vector<Expr> extra_variables;
  Residual residual;
  residual.results = equations.dynamics;
  append(equations.constraints, &residual.results);
  for (const auto& [variable, equation] : equations.extra) {
    extra_variables.push_back(variable);
    residual.results.push_back(equation);
  }
  for (const auto& group :
       {equations.coordinates, equations.speeds, rates_of(equations.speeds), equations.multipliers,
        extra_variables, rates_of(extra_variables), system.inputs})
    append(group, &residual.inputs);

  std::set<std::string> parameters;
  for (const Expr& result : residual.results) {
    for (const Expr& leaf : result.leaves()) {
      if (std::ranges::find(residual.inputs, leaf) == residual.inputs.end())
        parameters.insert(leaf.to_string());
    }
  }
  for (const std::string& name : parameters) residual.inputs.push_back(symbolic::symbol(name));
  return residual;
}

codegen::Program make_program(const Residual& residual) {
  return codegen::ProgramBuilder("camber_residual")
      .set_recipe("residuals of the motorcycle's equations, for comparison")
      .add_input("in", residual.inputs)
      .add_output("out", residual.results)
      .build();
}

std::vector<std::vector<double>> make_points(const Residual& residual, int count, unsigned seed) {
  RandomStream random(seed);
  std::vector<std::vector<double>> points(count);
  for (auto& point : points) {
    for (std::size_t i = 0; i < residual.inputs.size(); ++i)
      point.push_back(random.uniform(0.2, 0.6));
  }
  return points;
}

std::vector<double> evaluate_residual(const Residual& residual, std::span<const double> point) {
  require(point.size() == residual.inputs.size(), "evaluate_residual: point has ", point.size(),
          " values, the residual needs ", residual.inputs.size());
  symbolic::Bindings bindings;
  for (std::size_t i = 0; i < point.size(); ++i) bindings[residual.inputs[i]] = point[i];
  std::vector<double> values;
  for (const Expr& e : residual.results) values.push_back(symbolic::evaluate(e, bindings));
  return values;
}

CompiledResidual::CompiledResidual(const std::filesystem::path& source, const std::string& name,
                                   int output_size)
    : output_size_(output_size) {
  const std::string library = source.string() + ".so";
  const ProcessResult compiler = run_process(
      {"cc", "-std=gnu99", "-O2", "-shared", "-fPIC", "-o", library, source.string(), "-lm"});
  if (compiler.status != 0)
    throw std::runtime_error(concat("cc failed at ", name, " with status ", compiler.status));
  library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw std::runtime_error(dlerror());
  function_ = reinterpret_cast<Function>(dlsym(library_, name.c_str()));
  if (function_ == nullptr) {
    dlclose(library_);
    throw std::runtime_error(name + " is not in its library");
  }
}

CompiledResidual::~CompiledResidual() { dlclose(library_); }

std::vector<double> CompiledResidual::operator()(std::span<const double> point) const {
  std::vector<double> values(output_size_);
  function_(point.data(), values.data());
  return values;
}

double CompiledResidual::time(const std::vector<std::vector<double>>& points, int rounds) const {
  require(!points.empty() && rounds > 0, "CompiledResidual::time: ", points.size(), " points, ",
          rounds, " rounds: nothing to do");
  std::vector<double> values(output_size_);
  Stopwatch watch;
  for (int i = 0; i < rounds; ++i) {
    for (const auto& point : points) function_(point.data(), values.data());
  }
  return watch.lap() / (static_cast<double>(rounds) * static_cast<double>(points.size()));
}

}  // namespace camber::bench
