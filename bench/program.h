#pragma once

// What the benchmark programs have in common: how they are called, and how they end.

#include <exception>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "bench/symbolic/comparison.h"
#include "bench/symbolic/report.h"

namespace camber::bench {

struct ProgramOptions {
  ReportOptions report;
  bool quick = false;

  Effort effort() const { return quick ? Effort::kQuick : Effort::kFull; }
};

inline void add_options(const std::string& what_quick_means, CLI::App* app,
                        ProgramOptions* options) {
  app->add_flag("--json", options->report.json, "Print every figure as JSON");
  app->add_flag("--quick", options->quick, what_quick_means);
  app->add_option("--csv", options->report.commit,
                  "Print rows for bench/results.csv, labeled with this commit");
}

/// Reads the command line, then runs; returns the exit status.
template <class Run>
int run_program(const char* name, int argc, char** argv, CLI::App* app, const Run& run) {
  try {
    app->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app->exit(error) == 0 ? 0 : 2;
  }
  try {
    return run();
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace camber::bench
