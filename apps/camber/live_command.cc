#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/interrupt.h"
#include "apps/camber/model_source.h"
#include "apps/camber/open_browser.h"
#include "apps/camber/page_files.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/live/ground_ahead.h"
#include "camber/live/live_page.h"
#include "camber/live/live_run.h"
#include "camber/live/wheel_device.h"
#include "camber/run/input_files.h"
#include "camber/run/record_run.h"
#include "camber/scenario/scenario_file.h"
#include "camber/server/token.h"

namespace camber::app {
namespace {

struct LiveCommandOptions {
  std::string file;
  std::optional<double> duration;  // [s]
  std::vector<std::string> overrides;
  std::string folder;
  int port = 0;
  std::string listen, token_file;
  bool no_open = false, is_paused = false, ends_with_run = false, as_fast_as_possible = false;
  std::string page_folder;
  std::string wheel = "auto", wheel_axes;
  double wheel_force = 1;
};

/// The steering wheel at this machine, if there is one; null: none.
std::unique_ptr<live::WheelDevice> open_wheel(const LiveCommandOptions& command) {
  if (command.wheel == "none") return nullptr;
  const bool is_asked = command.wheel != "auto";
  const live::WheelOptions options{.axes = live::parse_wheel_axes(command.wheel_axes),
                                   .gain = command.wheel_force};
  const std::optional<std::string> path =
      is_asked ? std::optional(command.wheel) : live::find_wheel();
  if (!path) return nullptr;
  auto wheel = std::make_unique<live::WheelDevice>(live::open_wheel_port(*path), options);
  std::cout << "Wheel: " << wheel->name() << " (" << *path
            << (wheel->has_force() ? ") with force feedback" : ") without force feedback")
            << ": turn it to drive\n";
  return wheel;
}

server::ServerOptions make_server_options(const LiveCommandOptions& command) {
  server::ServerOptions options;
  require(command.port >= 0 && command.port <= 65535, "--port: must be 0 to 65535, got ",
          command.port);
  options.port = command.port;
  require(command.listen.empty() || !command.token_file.empty(),
          "--listen: needs --token-file FILE: whoever has the token can drive");
  if (!command.token_file.empty()) options.token = server::read_token_file(command.token_file);
  if (!command.listen.empty()) options.address = command.listen;
  options.files =
      command.page_folder.empty() ? list_page_files() : read_page_files(command.page_folder);
  if (options.files.empty()) {
    options.files = missing_page();
    std::cerr
        << "camber: this program was built without its page (npm or the network was missing): "
           "`make page` gets it\n";
  }
  return options;
}

void print_where(const LiveCommandOptions& command, const server::Server& server) {
  std::cout << "Drive at " << server.url() << "\nCtrl-C ends the drive and writes its folder."
            << std::endl;
  const bool is_loopback =
      command.listen.empty() || command.listen.starts_with("127.") || command.listen == "::1";
  if (!is_loopback)
    std::cerr << "camber: warning: everybody who reaches " << command.listen
              << " and has the token can watch and drive. Nothing is encrypted, the token neither: "
                 "`ssh -L` is safer.\n";
}

record::RunFolder make_folder(const LiveCommandOptions& options) {
  if (!options.folder.empty()) return record::RunFolder::make_at(options.folder);
  return record::RunFolder::make_numbered("runs",
                                          std::filesystem::path(options.file).stem().string());
}

/// Joins a thread when it goes, whatever happens.
class Joined {
 public:
  template <class Action>
  explicit Joined(Action action) : thread_(std::move(action)) {}
  ~Joined() { join(); }
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

ExitCode run_live(const LiveCommandOptions& command) {
  ModelSource model(command.file, Overrides(command.overrides));
  if (model.kind() != "scenario") model.refuse_kind("camber drive drives scenarios");
  scenario::Scenario scenario =
      scenario::parse_scenario(model.text(), model.path(), Overrides(command.overrides));
  if (command.duration) {
    require(*command.duration > 0 && *command.duration <= 1e6, "--for: must be > 0 s, got ",
            *command.duration);
    scenario.run.duration = *command.duration;
  }
  const std::string program = "camber " CAMBER_VERSION;
  const run::RunSource source{.model_file = command.file,
                              .model_text = scenario.source.text,
                              .program = program,
                              .overrides = command.overrides};
  server::ServerOptions server_options = make_server_options(command);
  const std::unique_ptr<live::WheelDevice> wheel = open_wheel(command);
  run::Simulation simulation(scenario::build_scenario(std::move(scenario)));
  live::LiveDrive drive(&simulation, {.is_paused = command.is_paused,
                                      .keeps_time = !command.as_fast_as_possible,
                                      .ends_with_run = command.ends_with_run});
  const live::GroundAhead ground(&simulation, &drive);
  live::LivePage page(&simulation, &drive, program);
  if (wheel) page.set_wheel(wheel.get());
  live::LiveRun recorded(&simulation, &drive, {.source = source});
  server::Server server(std::move(server_options), &page);
  page.set_server(&server);
  const record::RunFolder folder = make_folder(command);
  run::copy_input_files(simulation, command.overrides, folder);
  for (const std::string& note : recorded.drive().notes()) std::cerr << "note: " << note << '\n';
  print_where(command, server);
  const InterruptGuard interrupt;
  std::unique_ptr<RedirectFile> redirect;
  if (!command.no_open) redirect = open_browser(server.url());

  run::RunResult result;
  {
    Joined network([&] { server.run(); });
    std::exception_ptr failure;
    std::unique_ptr<Joined> loop;
    try {
      // The recorder is set before the loop starts.
      result = run::record_run(source, folder, &recorded, {.go_on = [&](double) {
                                 if (!loop) loop = std::make_unique<Joined>([&] { drive.run(); });
                                 return !InterruptGuard::requested();
                               }});
    } catch (...) {
      failure = std::current_exception();
    }
    drive.end();
    loop.reset();
    server.stop();
    network.join();
    if (failure) std::rethrow_exception(failure);
  }
  std::cout << recorded.facts().name << ": " << short_text(result.time) << " s in "
            << result.statistics.steps << " steps\n"
            << "report: " << folder.report_path() << "\nrepeat: camber run " << command.file
            << " --inputs " << folder.path() << '\n';
  for (const std::string& text : recorded.drive().unsound())
    std::cerr << "camber: the drive is unsound: " << text << '\n';
  if (!drive.failure().empty()) throw std::runtime_error(drive.failure());
  if (result.status == run::RunStatus::kFailed) {
    std::cerr << "camber: the drive failed: " << result.reason << '\n';
    return kRunFailed;
  }
  return kOk;
}

}  // namespace

void add_drive_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<LiveCommandOptions>();
  CLI::App* command = app->add_subcommand(
      "drive", "Drive a scenario live, in a browser tab; writes the folder of the run");
  command
      ->add_option("SCENARIO", options->file,
                   "The scenario (TOML); its own driver drives until "
                   "somebody takes the wheel")
      ->required();
  command->add_option("--port", options->port, "Port of the page; any that is free if not given");
  command->add_flag("--no-open", options->no_open, "Print the address, open no browser");
  command->add_flag("--paused", options->is_paused, "Start paused");
  command->add_option("--for", options->duration, "Simulated time [s]; the scenario has its own");
  add_set_option(command, &options->overrides);
  command->add_option("-o,--output", options->folder,
                      "Folder of the run, new or empty; runs/NAME-001 and so on if not given");
  command->add_option("--listen", options->listen,
                      "Listen on this address instead of 127.0.0.1; needs --token-file");
  command->add_option("--token-file", options->token_file,
                      "File (mode 0600) with the token; made with a new one if it is not there");
  command->add_option("--wheel", options->wheel,
                      "A steering wheel of this machine, /dev/input/eventN; auto: one with force "
                      "feedback, if there is one; none");
  command->add_option("--wheel-axes", options->wheel_axes,
                      "Its axes if they are unusual, such as steer=x,throttle=z,brake=rz");
  command->add_option("--wheel-force", options->wheel_force,
                      "Factor on the forces of the wheel; 0: none, negative: the other way round");
  command->add_flag("--exit-at-end", options->ends_with_run,
                    "End camber when the run ends; otherwise it waits there, to go back or reset");
  command->add_flag("--as-fast-as-possible", options->as_fast_as_possible)->group("");
  command->add_option("--page-folder", options->page_folder)->group("");
  command->footer(
      "Examples:\n"
      "  camber drive scenarios/teleoperation.toml\n"
      "  camber drive scenarios/double-lane-change.toml --paused --port 8600\n"
      "  camber drive scenarios/off-road.toml --for 600 --no-open -o my-drive\n"
      "  camber run scenarios/off-road.toml --for 600 --inputs my-drive\n\n"
      "Nobody else can open the page: it is on this machine only, and its address has a token.");
  command->callback([=] { *chosen = [=] { return run_live(*options); }; });
}

}  // namespace camber::app
