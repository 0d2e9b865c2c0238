#include "bench/program.h"

#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>

namespace camber::bench {
namespace {

void set_check(CommandLine::Check check, CLI::Option* option) {
  switch (check) {
    case CommandLine::Check::kNone:
      break;
    case CommandLine::Check::kFile:
      option->check(CLI::ExistingFile);
      break;
    case CommandLine::Check::kFolder:
      option->check(CLI::ExistingDirectory);
      break;
    case CommandLine::Check::kPositive:
      option->check(CLI::PositiveNumber);
      break;
    case CommandLine::Check::kNotNegative:
      option->check(CLI::NonNegativeNumber);
      break;
  }
}

}  // namespace

CommandLine::CommandLine(const std::string& about) : app_(std::make_unique<CLI::App>(about)) {}

CommandLine::~CommandLine() = default;

void CommandLine::add(ProgramOptions* options, const std::string& what_quick_means) {
  add_flag("--json", &options->report.json, "Print every figure as JSON");
  add_flag("--quick", &options->quick, what_quick_means);
  add("--csv", &options->report.commit,
      "Print rows for bench/results.csv, labeled with this commit");
}

void CommandLine::add_flag(const std::string& name, bool* value, const std::string& help) {
  app_->add_flag(name, *value, help);
}

void CommandLine::add(const std::string& name, std::string* value, const std::string& help,
                      Check check) {
  set_check(check, app_->add_option(name, *value, help));
}

void CommandLine::add(const std::string& name, std::vector<std::string>* value,
                      const std::string& help) {
  app_->add_option(name, *value, help);
}

void CommandLine::add(const std::string& name, int* value, const std::string& help, Check check) {
  set_check(check, app_->add_option(name, *value, help));
}

void CommandLine::add(const std::string& name, double* value, const std::string& help) {
  app_->add_option(name, *value, help);
}

void CommandLine::add_choice(const std::string& name, std::string* value, const std::string& help,
                             const std::vector<std::string>& choices) {
  app_->add_option(name, *value, help)->check(CLI::IsMember(choices));
}

void CommandLine::hide(const std::string& name) { app_->get_option(name)->group(""); }

void CommandLine::add_example(const std::string& call) { app_->footer("Example:\n  " + call); }

int CommandLine::run(const char* name, int argc, char** argv, const std::function<int()>& run) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? 0 : 2;
  }
  try {
    return run();
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace camber::bench
