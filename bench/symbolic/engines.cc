#include "bench/symbolic/engines.h"

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include <stdlib.h>

#include "bench/symbolic/subprocess.h"

namespace camber::bench {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "camber-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Engine find_ginac(const fs::path& folder) {
  const fs::path program = folder / "ginac_symbolic";
  if (!fs::exists(program))
    return {"ginac", {}, "not built: GiNaC was not there when camber was configured"};
  return {"ginac", {program.string()}, ""};
}

// Debian's Python comes first: the one on PATH may be another, with another SymPy or none.
Engine find_sympy(const fs::path& folder) {
  const std::string script = (folder / "sympy_symbolic.py").string();
  for (const char* python : {"/usr/bin/python3", "python3"}) {
    if (run_process({python, script, "--version"}, /*quiet=*/true).status == 0)
      return {"sympy", {python, script}, ""};
  }
  return {"sympy", {}, "no python3 that can import sympy"};
}

}  // namespace

std::vector<Engine> find_engines(const fs::path& self) {
  const std::string program = self.string();
  return {{"camber", {program, "--solve"}, ""},
          {"camber by partials", {program, "--by-partials", "--solve"}, ""},
          find_ginac(self.parent_path()),
          find_sympy(self.parent_path())};
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
