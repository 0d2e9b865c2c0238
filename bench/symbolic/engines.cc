#include "bench/symbolic/engines.h"

#include <stdexcept>

#include "camber/core/process.h"
#include "camber/core/temporary_folder.h"

namespace camber::bench {
namespace {

namespace fs = std::filesystem;

Engine find_ginac(const fs::path& folder) {
  const fs::path program = folder / "ginac_symbolic";
  if (!fs::exists(program))
    return {"ginac", {}, "not built: GiNaC was not there when camber was configured"};
  return {"ginac", {program.string()}, ""};
}

}  // namespace

// Debian's Python comes first: the one on PATH may be another, with another SymPy or none.
Engine find_sympy(const fs::path& script) {
  for (const char* python : {"/usr/bin/python3", "python3"}) {
    if (run_process({python, script.string(), "--version"}, ErrorOutput::kNobodys).status == 0)
      return {"sympy", {python, script.string()}, ""};
  }
  return {"sympy", {}, "no python3 that can import sympy"};
}

std::vector<Engine> find_engines(const fs::path& self) {
  const std::string program = self.string();
  return {{"camber", {program, "--solve"}, ""},
          {"camber by partials", {program, "--by-partials", "--solve"}, ""},
          find_ginac(self.parent_path()),
          find_sympy(self.parent_path() / "sympy_symbolic.py")};
}

nlohmann::json run_engine(const Engine& engine, const Problem& problem) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "problem.json";
  write_problem(problem, file);
  std::vector<std::string> command = engine.command;
  command.push_back(file.string());
  const ProcessResult result = run_process(command);
  if (result.status != 0) {
    throw std::runtime_error(engine.name + " failed at " + problem.name + " " +
                             std::to_string(problem.n) + " with status " +
                             std::to_string(result.status));
  }
  return nlohmann::json::parse(result.output);
}

}  // namespace camber::bench
