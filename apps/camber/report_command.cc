#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

#include "apps/camber/commands.h"
#include "camber/core/file.h"
#include "camber/report/folder_report.h"

namespace camber::app {
namespace {

ExitCode run_report(const std::string& folder, std::string page) {
  if (page.empty()) page = folder + "/report.html";
  std::string html;
  try {
    html = report::make_folder_report(folder);
  } catch (const FileError& error) {  // not the folder of a run
    throw std::invalid_argument(error.what());
  }
  write_file_atomically(page, html);
  std::cout << page << '\n';
  return kOk;
}

}  // namespace

void add_report_command(CLI::App* app, Command* chosen) {
  struct Options {
    std::string folder, page;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app->add_subcommand(
      "report", "Make report.html of a run again, from its log.h5 and summary.json");
  command->add_option("RUN", options->folder, "Folder of the run")->required();
  command->add_option("-o,--output", options->page,
                      "The page to write; report.html in the folder if not given");
  command->footer(
      "Examples:\n"
      "  camber report runs/four-bar-001\n"
      "  camber report runs/step-steer-003 -o step-steer.html");
  command->callback([=] { *chosen = [=] { return run_report(options->folder, options->page); }; });
}

}  // namespace camber::app
