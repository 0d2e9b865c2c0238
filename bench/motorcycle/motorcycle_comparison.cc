#include "bench/motorcycle/motorcycle_comparison.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "bench/motorcycle/derivation.h"
#include "bench/motorcycle/residual.h"
#include "bench/symbolic/engines.h"
#include "bench/symbolic/measure.h"
#include "camber/codegen/write.h"
#include "camber/core/file.h"
#include "camber/core/process.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/lagrange/numeric_state_space.h"

namespace camber::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using symbolic::Expr;

constexpr unsigned kSeed = 1971;
constexpr int kPoints = 64;  // more than a branch predictor or a cached result could live on

// How SymPy simplifies (peers/sympy_motorcycle.py): the first as the paper does, which the bar of
// the derivation speaks of; the second by the one rule that this model needs.
constexpr const char* kAsThePaper = "trigsimp";
constexpr const char* kFaster = "squares";

std::uint64_t count_program(const std::vector<Expr>& results) {
  return codegen::ProgramBuilder("counted")
      .add_output("out", results)
      .add_remaining_inputs("in")
      .build({.trials = 4})
      .count()
      .total();
}

std::vector<Expr> entries(const symbolic::MatrixX& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

json count_operations(const MotorcycleDerivation& derivation, const codegen::Program& residual) {
  std::vector<Expr> matrices = entries(derivation.space.E);
  const std::vector<Expr> B = entries(derivation.space.A);
  matrices.insert(matrices.end(), B.begin(), B.end());
  return {{"nonlinear", count_program(derivation.equations.dynamics)},
          {"residual", residual.count().total()},
          {"linear", count_program(derivation.linear.dynamics)},
          {"matrices", count_program(matrices)}};
}

json rows(const Eigen::MatrixXd& matrix) {
  json result = json::array();
  for (const auto& row : matrix.rowwise())
    result.push_back(std::vector<double>(row.begin(), row.end()));
  return result;
}

/// Everything about one run of the comparison that all engines need.
struct Setting {
  TemporaryFolder folder;
  MotorcycleDerivation derivation;
  Residual residual;
  std::vector<std::vector<double>> points;
  symbolic::Substitution values;  // of the parameters
  bool quick = false;
};

// As generated code is compiled where speed matters; `portable` runs on any machine of the family.
const std::vector<std::string> kFast = {"cc", "-std=gnu99", "-O3", "-march=native"};
const std::vector<std::string> kPortable = {"cc", "-std=gnu99", "-O2"};
const std::vector<std::string> kFastCpp = {"c++", "-std=c++20", "-O3", "-march=native",
                                           "-Wno-psabi"};

/// Nanoseconds per evaluation of each, the median of batches that the functions run in turns:
/// whatever slows the machine down for a while then slows all of them.
std::vector<double> time_in_turns(const Setting& setting,
                                  const std::vector<const CompiledResidual*>& functions,
                                  const std::vector<std::vector<double>>& points) {
  std::vector<std::vector<double>> seconds(functions.size());
  for (int batch = 0; batch < (setting.quick ? 1 : 31); ++batch) {
    for (std::size_t i = 0; i < functions.size(); ++i)
      seconds[i].push_back(functions[i]->time(points, setting.quick ? 10 : 250));
  }
  std::vector<double> result;
  for (const auto& of_function : seconds) result.push_back(1e9 * median(of_function));
  return result;
}

/// The residual of an engine, compiled both ways.
struct EngineResidual {
  EngineResidual(const Setting& setting, const fs::path& source, const std::string& name)
      : fast(kFast, source, name, static_cast<int>(setting.residual.results.size())),
        portable(kPortable, source, name, static_cast<int>(setting.residual.results.size())) {}

  CompiledResidual fast, portable;
};

std::vector<double> values_of(const EngineResidual& residual, const Setting& setting) {
  std::vector<double> values;
  for (const auto& point : setting.points) {
    const std::vector<double> at_point = residual.fast(point);
    values.insert(values.end(), at_point.begin(), at_point.end());
  }
  return values;
}

/// Puts the times of all engines' residuals into their figures.
void time_residuals(const Setting& setting, const std::deque<EngineResidual>& residuals,
                    MotorcycleComparison* comparison) {
  std::vector<json*> figures{&comparison->camber};
  for (json& peer : comparison->peers) figures.push_back(&peer);
  for (const auto& [key, form] : {std::pair("residual_ns", &EngineResidual::fast),
                                  {"residual_portable_ns", &EngineResidual::portable}}) {
    std::vector<const CompiledResidual*> functions;
    for (const EngineResidual& residual : residuals) functions.push_back(&(residual.*form));
    const std::vector<double> times = time_in_turns(setting, functions, setting.points);
    for (std::size_t i = 0; i < times.size(); ++i) (*figures[i])[key] = times[i];
  }
}

/// The same program's C++ form at kLanes points at a time, which only camber writes.
void measure_lanes(const Setting& setting, const codegen::Program& program, json* figures) {
  codegen::write_source_file(program, codegen::Language::kCpp,
                             setting.folder.path() / "camber_residual.h");
  const fs::path source = setting.folder.path() / "camber_lanes.cc";
  const std::size_t inputs = setting.residual.inputs.size();
  const std::size_t outputs = setting.residual.results.size();
  write_file_atomically(source, write_lanes("camber_residual.h", static_cast<int>(inputs),
                                            static_cast<int>(outputs)));
  const CompiledResidual run(kFastCpp, source, "residual_in_lanes",
                             static_cast<int>(kLanes * outputs));
  std::vector<std::vector<double>> groups;
  std::vector<double> values(setting.points.size() * outputs);
  for (std::size_t first = 0; first < setting.points.size(); first += kLanes) {
    std::vector<double>& group = groups.emplace_back(kLanes * inputs);
    for (std::size_t i = 0; i < group.size(); ++i)
      group[i] = setting.points[first + i % kLanes][i / kLanes];
    const std::vector<double> result = run(group);
    for (std::size_t i = 0; i < result.size(); ++i)
      values[(first + i % kLanes) * outputs + i / kLanes] = result[i];
  }
  (*figures)["residual_values_in_lanes"] = values;
  (*figures)["residual_in_lanes_ns"] = time_in_turns(setting, {&run}, groups)[0] / kLanes;
}

json measure_camber(const MotorcycleFiles& files, const Setting& setting,
                    std::deque<EngineResidual>* residuals) {
  Stopwatch watch;
  const codegen::Program program = make_program(setting.residual);
  const fs::path source = setting.folder.path() / "camber_residual.c";
  codegen::write_source_file(program, codegen::Language::kC99, source);
  const double code_seconds = watch.lap();

  json figures{{"engine", "camber"},
               {"version", CAMBER_VERSION},
               {"operations", count_operations(setting.derivation, program)},
               {"printed_bytes", setting.derivation.text.size()}};
  figures["seconds"] = measure_derivation(files.program, files.model, setting.quick ? 1 : 15);
  figures["seconds"]["code_s"] = code_seconds;
  const lagrange::NumericStateSpace space =
      lagrange::StateSpaceProgram(setting.derivation.space).evaluate(setting.values);
  figures["A"] = rows(space.E);
  figures["B"] = rows(space.A);
  figures["C"] = rows(space.B);
  figures["residual_values"] =
      values_of(residuals->emplace_back(setting, source, "camber_residual"), setting);
  measure_lanes(setting, program, &figures);
  return figures;
}

json make_sympy_problem(const Setting& setting, const char* simplify, const fs::path& source) {
  json inputs = json::array();
  for (const Expr& input : setting.residual.inputs) inputs.push_back(input.to_string());
  json values = json::object();
  for (const auto& [parameter, value] : setting.values)
    values[parameter.to_string()] = symbolic::evaluate(value, {});
  return {
      {"inputs", inputs}, {"values", values}, {"code", source.string()}, {"simplify", simplify}};
}

json measure_sympy(const Engine& engine, const Setting& setting, const char* simplify,
                   std::deque<EngineResidual>* residuals) {
  std::cerr << "motorcycle: sympy, " << simplify << '\n';
  const fs::path source = setting.folder.path() / (std::string(simplify) + "_residual.c");
  const fs::path problem = setting.folder.path() / "problem.json";
  write_file_atomically(problem, make_sympy_problem(setting, simplify, source).dump());
  std::vector<std::string> command = engine.command;
  command.push_back(problem.string());
  const ProcessResult run = run_process(command);
  if (run.status != 0)
    throw std::runtime_error(concat("sympy failed at the motorcycle with status ", run.status));
  json figures = json::parse(run.output);
  figures["engine"] = concat("sympy ", simplify);
  figures["residual_values"] =
      values_of(residuals->emplace_back(setting, source, "sympy_residual"), setting);
  return figures;
}

std::vector<double> flat(const json& matrix) {
  std::vector<double> values;
  for (const json& row : matrix) {
    for (const json& entry : row) values.push_back(entry);
  }
  return values;
}

void add_value_checks(const json& camber, const json& peer, std::vector<Check>* checks) {
  constexpr double kTolerance = 1e-9;
  const std::string name = peer.at("engine");
  const auto add = [&](const std::string& what, const std::vector<double>& a,
                       const std::vector<double>& b) {
    checks->push_back({"values: " + what + ", camber and " + name, largest_difference(a, b),
                       kTolerance, false, false});
  };
  for (const char* matrix : {"A", "B", "C"})
    add(matrix, flat(camber.at(matrix)), flat(peer.at(matrix)));
  add("residual", camber.at("residual_values"), peer.at("residual_values"));
}

std::vector<Check> find_motorcycle_checks(const MotorcycleComparison& comparison) {
  const json& camber = comparison.camber;
  std::vector<Check> checks;
  const auto count = [&](const char* what, double bar) {
    checks.push_back({concat("operations, ", what), camber.at("operations").at(what).get<double>(),
                      bar, false, false});
  };
  count("nonlinear", 330);
  count("linear", 157);
  count("matrices", 92);
  for (const json& peer : comparison.peers) {
    add_value_checks(camber, peer, &checks);
    checks.push_back({concat("generated residual, one point at a time, ",
                             peer.at("engine").get<std::string>(), " / camber"),
                      peer.at("residual_ns").get<double>() / camber.at("residual_ns").get<double>(),
                      4, true, true});
    if (peer.at("engine") != concat("sympy ", kAsThePaper)) continue;
    const auto total = [](const json& figures) {
      return figures.at("seconds").at("total_s").get<double>();
    };
    checks.push_back({"file to printed state space, sympy / camber", total(peer) / total(camber),
                      500, true, true});
  }
  return checks;
}

std::vector<Check> check_generated_code(const Setting& setting, const json& camber) {
  std::vector<double> expected;
  for (const auto& point : setting.points) {
    const std::vector<double> values = evaluate_residual(setting.residual, point);
    expected.insert(expected.end(), values.begin(), values.end());
  }
  return {
      {"values: residual, camber's C and its expressions",
       largest_difference(camber.at("residual_values"), expected), 1e-9, false, false},
      {"values: residual, camber's C++ in lanes and its expressions",
       largest_difference(camber.at("residual_values_in_lanes"), expected), 1e-9, false, false}};
}

}  // namespace

MotorcycleFiles find_motorcycle_files(const fs::path& program) {
  const fs::path folder = program.parent_path();
  return {program, folder / "motorcycle.toml", folder / "sympy_motorcycle.py"};
}

MotorcycleComparison compare_motorcycles(const MotorcycleFiles& files, Effort effort) {
  Setting setting;
  setting.quick = effort == Effort::kQuick;
  setting.derivation = derive_motorcycle(files.model);
  setting.residual = make_residual(setting.derivation.model.system, setting.derivation.equations);
  setting.points = make_points(setting.residual, kPoints, kSeed);
  setting.values = lagrange::parameter_values(setting.derivation.model.system);

  MotorcycleComparison comparison;
  comparison.cpu = find_cpu();
  std::cerr << "motorcycle: camber\n";
  std::deque<EngineResidual> residuals;  // camber's, then the peers'
  comparison.camber = measure_camber(files, setting, &residuals);
  const Engine sympy = find_sympy(files.script);
  comparison.missing = sympy.missing;
  if (sympy.missing.empty()) {
    if (!setting.quick)
      comparison.peers.push_back(measure_sympy(sympy, setting, kAsThePaper, &residuals));
    comparison.peers.push_back(measure_sympy(sympy, setting, kFaster, &residuals));
  }
  time_residuals(setting, residuals, &comparison);
  comparison.checks = find_motorcycle_checks(comparison);
  for (const Check& check : check_generated_code(setting, comparison.camber))
    comparison.checks.push_back(check);
  return comparison;
}

}  // namespace camber::bench
