#include <chrono>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/model_source.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/mechanism_code/compiled_vehicle.h"
#include "camber/mechanism_code/write_vehicle.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;

struct GenerateOptions {
  std::string model, output, compiler = "c++";
  std::vector<std::string> overrides;
  bool compile = false, json = false;
};

/// Seconds of one evaluation at the initial state: the least of several batches.
double measure(const mechanism_code::CompiledVehicle& code,
               const mechanism_code::VehicleProgram& program,
               const multibody::Mechanism& mechanism) {
  const multibody::MechanismDynamics dynamics(mechanism);
  std::vector<double> q, v(static_cast<std::size_t>(program.nv), 0.1), a(v.size());
  for (const int k : program.q_places) q.push_back(dynamics.initial_q()[k]);
  if (program.given > 0) {
    const double t = 0;
    std::vector<double> given(3 * static_cast<std::size_t>(program.given));
    codegen::Interpreter<double>(program.motions).run(std::span(&t, 1), given);
    q.insert(q.end(), given.begin(), given.begin() + program.given);
    v.insert(v.end(), given.begin() + program.given, given.end());
  }
  double best = 1;
  for (int round = 0; round < 20; ++round) {
    constexpr int kBatch = 1000;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kBatch; ++i) {
      if (!code.calc_accelerations(q.data(), v.data(), a.data()))
        throw std::runtime_error("the generated code fails at the initial state");
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / kBatch);
  }
  return best;
}

Json describe(const mechanism_code::VehicleProgram& program) {
  Json kernels = Json::array();
  for (std::size_t i = 0; i < program.kernels.size(); ++i) {
    Json uses = Json::array();
    for (const mechanism_code::KernelUse& use : program.uses)
      if (use.kernel == static_cast<int>(i)) uses.push_back(use.name);
    kernels.push_back({{"operations", program.kernels[i].program.count().total()},
                       {"parameters", program.kernels[i].parameters},
                       {"used_for", uses}});
  }
  return {{"name", program.name},
          {"degrees_of_freedom", program.nv},
          {"given_motions", program.given_names},
          {"operations", program.count().total()},
          {"prologue_operations", program.prologue.count().total()},
          {"epilogue_operations", program.epilogue.count().total()},
          {"parameters", program.parameters.size()},
          {"kernels", kernels}};
}

void print(const Json& result) {
  std::cout << result["name"].get<std::string>() << ": " << result["degrees_of_freedom"]
            << " degrees of freedom, " << result["operations"] << " operations, "
            << result["parameters"] << " parameters\n"
            << std::setw(8) << result["prologue_operations"].get<int>() << "  prologue\n";
  for (const Json& kernel : result["kernels"]) {
    std::cout << std::setw(8) << kernel["operations"].get<int>() << "  kernel, "
              << kernel["used_for"].size() << " times:";
    for (const Json& use : kernel["used_for"]) std::cout << ' ' << use.get<std::string>();
    std::cout << '\n';
  }
  std::cout << std::setw(8) << result["epilogue_operations"].get<int>() << "  epilogue\n";
  if (!result.contains("library")) return;
  std::cout << result["library"].get<std::string>()
            << (result["was_compiled"] ? "" : " (from before)") << ": " << result["code_bytes"]
            << " bytes of code, " << std::fixed << std::setprecision(2)
            << 1e6 * result["seconds"].get<double>() << " us per evaluation\n";
}

ExitCode run_generate_command(const GenerateOptions& options) {
  ModelSource source(options.model, Overrides(options.overrides));
  if (!source.is_mechanism())
    source.refuse_kind("camber generate takes vehicles and mechanisms, camber derive the others");
  source.check_generated();
  const multibody::Mechanism mechanism = source.read_mechanism();
  for (const std::string& doubt : source.notes()) std::cerr << "note: " << doubt << '\n';
  const mechanism_code::VehicleProgram program = mechanism_code::generate(mechanism);
  Json result = describe(program);
  if (!options.output.empty()) {
    write_file_atomically(
        options.output,
        mechanism_code::write_vehicle(
            program, concat("camber generate: ", mechanism_code::identifier_of(program.name))));
    std::cerr << options.output << " written\n";
  }
  if (options.compile) {
    const mechanism_code::CompiledVehicle code(program,
                                               {.compiler = options.compiler, .folder = {}});
    result["library"] = code.path().string();
    result["was_compiled"] = code.was_compiled();
    result["code_bytes"] = code.code_bytes();
    result["seconds"] = measure(code, program, mechanism);
  }
  if (options.json) {
    std::cout << result.dump(2) << '\n';
  } else {
    print(result);
  }
  return kOk;
}

}  // namespace

void add_generate_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App* command = app->add_subcommand("generate",
                                          "Write a vehicle's accelerations as straight-line C++, "
                                          "one kernel for equal corners; compile them");
  command->add_option("MODEL", options->model, "A vehicle or a mechanism (TOML), a robot (URDF)")
      ->required();
  add_set_option(command, &options->overrides);
  command->add_option("-o,--output", options->output, "The C++ header to write");
  command->add_flag("--compile", options->compile,
                    "Compile it, keep it for the next time, and time it");
  command->add_option("--compiler", options->compiler, "What compiles C++ (c++ if not given)");
  command->add_flag("--json", options->json, "Print every number as JSON");
  command->footer(
      "Examples:\n"
      "  camber generate models/hmmwv.toml\n"
      "  camber generate models/hmmwv.toml -o hmmwv.h\n"
      "  camber generate models/mcpherson-car.toml --compile");
  command->callback([=] { *chosen = [=] { return run_generate_command(*options); }; });
}

}  // namespace camber::app
