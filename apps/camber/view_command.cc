#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/camber/commands.h"
#include "apps/camber/interrupt.h"
#include "apps/camber/open_browser.h"
#include "apps/camber/page_files.h"
#include "apps/camber/study_view.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/server/maker.h"
#include "camber/server/server.h"
#include "camber/view/page_text.h"
#include "camber/view/replay.h"

namespace camber::app {
namespace {

constexpr const char* kProgram = "camber " CAMBER_VERSION;

struct ViewCommandOptions {
  std::vector<std::string> runs;
  int port = 0;
  bool no_open = false;
  std::string html, page_folder;
  double rate = 50;  // of an exported file [Hz]
};

std::vector<server::PageFile> find_page(const ViewCommandOptions& command) {
  return command.page_folder.empty() ? list_page_files() : read_page_files(command.page_folder);
}

ExitCode write_html(const ViewCommandOptions& command, view::Replay* replay) {
  const std::vector<server::PageFile> files = find_page(command);
  if (files.empty())
    throw std::runtime_error(
        "this program was built without its page (npm or the network was missing): `make page` "
        "gets it");
  const std::string html = view::make_html(replay, kProgram, view::read_page(files), command.rate);
  write_file_atomically(command.html, html);
  std::cout << command.html << ": " << short_text(static_cast<double>(html.size()) / 1e6, 3)
            << " MB\n";
  return kOk;
}

ExitCode serve(const ViewCommandOptions& command, server::Maker::Make make) {
  server::ServerOptions options;
  require(command.port >= 0 && command.port <= 65535, "--port: must be 0 to 65535, got ",
          command.port);
  options.port = command.port;
  options.files = find_page(command);
  if (options.files.empty()) {
    options.files = missing_page();
    std::cerr << "camber: this program was built without its page (npm or the network was "
                 "missing): `make page` gets it\n";
  }
  server::MadeFiles files(std::move(make));
  server::Server server(options, &files);
  files.set_server(&server);
  std::cout << "View at " << server.url() << "\nCtrl-C ends." << std::endl;
  const std::unique_ptr<RedirectFile> redirect =
      command.no_open ? nullptr : open_browser(server.url());
  const InterruptGuard interrupt;
  std::jthread watch([&](const std::stop_token& end) {
    while (!end.stop_requested() && !InterruptGuard::requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    server.stop();
  });
  server.run();
  return kOk;
}

ExitCode view_study(const ViewCommandOptions& command) {
  require(command.runs.size() == 1, "view: ", command.runs.front(),
          ": is a study; expected its folder alone");
  require(command.html.empty(), "--html: shows runs, not a study; its samples are in ",
          command.runs.front(), "/runs");
  StudyView study(command.runs.front(), kProgram);
  return serve(command, [&](std::string_view target) { return study.answer(target); });
}

ExitCode run_view(const ViewCommandOptions& command) {
  require(command.rate >= 1 && command.rate <= 1000, "--rate: must be 1 to 1000 Hz, got ",
          command.rate);
  if (StudyView::is_study(command.runs.front())) return view_study(command);
  view::Replay replay(command.runs);
  for (const std::string& note : replay.notes()) std::cerr << "note: " << note << '\n';
  if (!command.html.empty()) return write_html(command, &replay);
  replay.set_program(kProgram);
  return serve(command, [&](std::string_view target) { return replay.answer(target); });
}

}  // namespace

void add_view_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<ViewCommandOptions>();
  CLI::App* command = app->add_subcommand(
      "view", "Show recorded runs in a browser: motion, plots, events; several as ghosts");
  command
      ->add_option("RUN", options->runs,
                   "Folders of runs; the first one gives the ground. Or the folder of a study: its "
                   "samples open "
                   "by a click")
      ->required();
  command->add_option("--port", options->port, "Port of 127.0.0.1; 0 takes any that is free");
  command->add_flag("--no-open", options->no_open, "Print the address and open no browser");
  command->add_option("--html", options->html,
                      "Write one file that shows the runs without camber, and end");
  command->add_option("--rate", options->rate, "Samples per second in that file [Hz]")
      ->capture_default_str();
  command->add_option("--page-folder", options->page_folder, "Folder of the page's files")
      ->group("");
  command->footer(
      "Examples:\n"
      "  camber view runs/double-lane-change-001\n"
      "  camber view runs/step-steer-001 runs/step-steer-002\n"
      "  camber view runs/double-lane-change-001 --html lane-change.html\n"
      "  camber view runs/study-step-steer-001");
  command->callback([=] { *chosen = [=] { return run_view(*options); }; });
}

}  // namespace camber::app
