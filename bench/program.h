#pragma once

// What the benchmark programs have in common: how they are called, and how they end.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/symbolic/comparison.h"
#include "bench/symbolic/report.h"

namespace CLI {
class App;
}

namespace camber::bench {

struct ProgramOptions {
  ReportOptions report;
  bool quick = false;

  Effort effort() const { return quick ? Effort::kQuick : Effort::kFull; }
};

/// The command line of a benchmark: options that set values. CLI11 is in the source file alone: its
/// templates take longer to compile than most benchmarks.
class CommandLine {
 public:
  enum class Check { kNone, kFile, kFolder, kPositive, kNotNegative };

  explicit CommandLine(const std::string& about);
  ~CommandLine();

  /// --json, --quick and --csv.
  void add(ProgramOptions* options, const std::string& what_quick_means);
  void add_flag(const std::string& name, bool* value, const std::string& help);
  void add(const std::string& name, std::string* value, const std::string& help,
           Check check = Check::kNone);
  void add(const std::string& name, std::vector<std::string>* value, const std::string& help);
  void add(const std::string& name, int* value, const std::string& help,
           Check check = Check::kNone);
  void add(const std::string& name, double* value, const std::string& help);
  void add_choice(const std::string& name, std::string* value, const std::string& help,
                  const std::vector<std::string>& choices);
  /// Leaves an option out of the help: other programs of the suite give it.
  void hide(const std::string& name);
  void add_example(const std::string& call);

  /// Reads the command line, then runs; returns the exit status.
  int run(const char* name, int argc, char** argv, const std::function<int()>& run);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace camber::bench
