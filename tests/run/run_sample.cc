// Stands in for `camber run` where its parts meet: folder, log, progress bar, Ctrl-C, summary and
// report, around a bouncing mass whose motion is known.
//   run_sample FOLDER DURATION STEP MICROSECONDS_PER_STEP
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "apps/camber/interrupt.h"
#include "apps/camber/progress_bar.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/record/log_reader.h"
#include "camber/record/log_writer.h"
#include "camber/record/run_folder.h"
#include "camber/report/run_report.h"

namespace camber {
namespace {

record::LogLayout make_layout() {
  return {.channels = {{.name = "coordinates/q",
                        .shape = {3},
                        .units = {"m", "m", "rad"},
                        .names = {"z_chassis", "z_wheel", "pitch"},
                        .description = "Decaying oscillations of three frequencies."},
                       {.name = "wheels/load",
                        .shape = {4},
                        .units = {"N"},
                        .names = {"front left", "front right", "rear left", "rear right"}},
                       {.name = "energy", .units = {"J"}}},
          .attributes = record::to_attributes({.model_file = "sample",
                                               .model_text = "",
                                               .program = "run_sample",
                                               .formulation = "closed form"})};
}

struct Sample {
  std::vector<double> q, load, energy;
};

Sample sample_at(double t) {
  const double fall = std::exp(-0.3 * t);
  Sample s;
  s.q = {0.35 + 0.08 * fall * std::cos(8.1 * t), 0.31 + 0.02 * fall * std::cos(61.0 * t),
         0.05 * fall * std::sin(6.3 * t)};
  for (int i = 0; i < 4; ++i) {
    const double load = 4200.0 + 300.0 * i + 5200.0 * fall * std::cos(8.1 * t + 0.4 * i);
    s.load.push_back(std::max(0.0, load));
  }
  s.energy = {830.0 * fall * fall};
  return s;
}

report::RunReport make_report(const record::LogReader& log) {
  report::RunReport result{.title = "Run of sample",
                           .notes = {"A mass on springs, from a formula."},
                           .times = log.read("time")};
  result.summary = {{"simulated", camber::short_text(result.times.back()), "s"},
                    {"samples", std::to_string(log.samples()), ""}};
  for (const auto& [name, value] : log.attributes()) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      if (!text->empty()) result.settings.push_back({name, *text});
    }
  }
  for (const record::Channel& channel : log.channels()) {
    report::RunChannel drawn{.name = channel.name,
                             .names = channel.names,
                             .units = channel.units,
                             .values = log.read(channel.name),
                             .description = channel.description};
    if (drawn.names.empty()) drawn.names = {""};
    result.channels.push_back(std::move(drawn));
  }
  return result;
}

int run(const std::string& path, double duration, double step, int wait) {
  const auto folder = record::RunFolder::make_at(path);
  record::LogWriter log(folder.log_path(), make_layout());
  app::ProgressBar bar(duration);
  const app::InterruptGuard interrupt;
  double t = 0.0;
  for (int i = 0; t < duration && !app::InterruptGuard::requested(); ++i) {
    t = i * step;
    const Sample s = sample_at(t);
    log.append(t, {s.q, s.load, s.energy});
    bar.update(t);
    if (wait > 0) std::this_thread::sleep_for(std::chrono::microseconds(wait));
  }
  bar.clear();
  log.close();
  report::write_run_report(folder.report_path(), make_report(record::LogReader(log.path())));
  folder.write_summary(concat("{\"time\": ", t, ", \"samples\": ", log.samples(), "}\n"));
  if (app::InterruptGuard::requested()) {
    throw std::runtime_error(app::interrupted_text(app::InterruptGuard::signal(), t, duration) +
                             "; the log holds what there is");
  }
  std::cout << folder.path() << '\n';
  return 0;
}

}  // namespace
}  // namespace camber

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  try {
    return camber::run(argv[1], std::atof(argv[2]), std::atof(argv[3]), std::atoi(argv[4]));
  } catch (const std::exception& error) {
    std::cerr << "run_sample: " << error.what() << '\n';
    return 1;
  }
}
