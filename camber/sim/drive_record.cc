#include "camber/sim/drive_record.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

#include "camber/autonomy/course.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/record/log_writer.h"
#include "camber/report/drive_report.h"
#include "camber/report/plot.h"
#include "camber/scenario/describe.h"
#include "camber/sim/drive_summary.h"

namespace camber::sim {

using scenario::Scenario;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kFlushInterval{50};
constexpr std::size_t kMaxCheckpointBytes = std::size_t{4} << 30;  // over 100 km of ruts

std::string text_of(std::string_view word) { return std::string(word); }

/// The first file that is not the same in both lists; empty where all are.
std::string find_changed_file(const Json& before, const std::vector<HashedFile>& now) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool is_same = i < now.size() && before[i].at("part") == now[i].part &&
                         before[i].at("hash") == now[i].hash;
    if (!is_same) return before[i].at("file").get<std::string>();
  }
  return now.size() > before.size() ? now[before.size()].path : "";
}

/// What `camber check` says about a part of a scenario.
std::string find_words(const Scenario& scenario, std::string_view part) {
  for (const auto& [name, text] : describe(scenario))
    if (name == part) return text;
  return "";
}

DriveFacts make_facts(const Drive& drive) {
  const Scenario& s = drive.scenario;
  const bool is_full = s.vehicle.level == scenario::VehicleLevel::kFull;
  return {
      .scenario = s.name,
      .about = s.about,
      .vehicle = s.vehicle.model,
      .tire = find_words(s, "tire"),
      .ground = find_words(s, "ground"),
      .formulation = text_of(is_full ? word_of(s.vehicle.formulation, scenario::kFormulationWords)
                                     : word_of(s.vehicle.level, scenario::kVehicleLevelWords)),
      .method = text_of(is_full ? word_of(s.run.method, scenario::kRunMethodWords) : "rk4"),
      .step = s.run.step,
      .duration = s.run.duration,
      .seed = s.run.seed,
      .warnings = drive.notes};
}

record::LogLayout make_layout(const Drive& drive, const RunSource& source) {
  const DriveFacts facts = make_facts(drive);
  record::RunInfo info{.model_file = source.model_file,
                       .model_text = source.model_text,
                       .program = source.program,
                       .formulation = facts.formulation};
  info.integrator = {{"method", facts.method}, {"step", facts.step}};
  info.start = {{"seed", static_cast<double>(facts.seed)}};
  return {.channels = list_channels(drive), .attributes = to_attributes(info)};
}

/// Keeps what is logged, in memory and on disk.
class Recorder {
 public:
  Recorder(const record::RunFolder& folder, const record::LogLayout& layout,
           const scenario::RunSetup& run)
      : log_(
            folder.log_path(), layout,
            {.chunk_samples = 256,
             .expected_samples = static_cast<std::size_t>(run.duration / run.sample_interval) + 2}),
        last_flush_(std::chrono::steady_clock::now()) {
    record_.channels = layout.channels;
    record_.values.resize(layout.channels.size());
    parts_.resize(layout.channels.size());
  }

  void append(double t, std::span<const double> values) {
    record_.times.push_back(t);
    std::size_t at = 0;
    for (std::size_t c = 0; c < parts_.size(); ++c) {
      parts_[c] = values.subspan(at, record_.channels[c].entries());
      at += parts_[c].size();
      record_.values[c].insert(record_.values[c].end(), parts_[c].begin(), parts_[c].end());
    }
    log_.append(t, parts_);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_flush_ < kFlushInterval) return;
    log_.flush();
    last_flush_ = now;
  }
  void close() { log_.close(); }
  /// Leaves it unmarked: something is missing.
  void abandon() {
    try {
      log_.flush();
    } catch (const FileError&) {  // what was there before stays readable
    }
  }
  const DriveRecord& record() const { return record_; }

 private:
  record::LogWriter log_;
  std::chrono::steady_clock::time_point last_flush_;
  DriveRecord record_;
  std::vector<std::span<const double>> parts_;
};

scenario::Signals make_signals(const DriveRecord& record) {
  scenario::Signals signals(record.times);
  for (std::size_t c = 0; c < record.channels.size(); ++c)
    signals.add(record.channels[c].name, record.channels[c].names, record.values[c]);
  return signals;
}

/// A drive that loses account of its energy is not to be believed, whatever its other figures are.
void warn_of_energy(const DriveRecord& record, Drive* drive) {
  constexpr double kWorthTelling = 0.01;
  const bool has_balance = std::ranges::any_of(record.channels, [](const record::Channel& channel) {
    return channel.name == channel::kEnergy;
  });
  if (!has_balance) return;
  scenario::FigureRequest request;
  request.figure = request.name = "energy_error";
  const auto found = calc_key_figures(std::span(&request, 1), make_signals(record), drive->context);
  const double error = found.front().value.value_or(0);
  if (!(error > kWorthTelling)) return;
  drive->notes.push_back(concat(
      "the balance of energy is off by ", report::short_text(100 * error, 3),
      " %: what came out is not to be believed; usual reasons are edges that tire.contact does not "
      "meet (\"envelope\" meets more) and a run.step that is too long"));
}

report::GroundPlan make_plan(const Drive& drive, const DriveRecord& record) {
  report::GroundPlan plan;
  const Scenario& s = drive.scenario;
  for (const auto& [x, y] : drive.pilot->sketch()) plan.target.push_back({x, y});
  if (s.driver.steering.follows_path() && s.driver.path.kind == scenario::PathKind::kIso3888) {
    const scenario::FigureContext& c = drive.context;
    const double cos = std::cos(c.course_heading), sin = std::sin(c.course_heading);
    const auto place = [&](double along, double across) {
      return report::GroundPoint{c.course_x + cos * along - sin * across,
                                 c.course_y + sin * along + cos * across};
    };
    for (const auto& lane : autonomy::make_iso_3888_1(c.vehicle_width)) {
      constexpr int kCones = 5;
      for (int k = 0; k < kCones; ++k) {
        const double along = lane.start + (lane.end - lane.start) * k / (kCones - 1);
        plan.gates.push_back({place(along, lane.left), place(along, lane.right)});
      }
    }
  }
  // Trees and rocks beside the way.
  terrain::Box2 box{1e300, 1e300, -1e300, -1e300};
  for (std::size_t c = 0; c < record.channels.size(); ++c) {
    if (record.channels[c].name != channel::kPosition) continue;
    for (std::size_t i = 0; i + 2 < record.values[c].size(); i += 3) {
      box.x0 = std::min(box.x0, record.values[c][i] - 20);
      box.x1 = std::max(box.x1, record.values[c][i] + 20);
      box.y0 = std::min(box.y0, record.values[c][i + 1] - 20);
      box.y1 = std::max(box.y1, record.values[c][i + 1] + 20);
    }
  }
  if (box.x0 > box.x1) return plan;
  for (const terrain::Obstacle& obstacle : drive.terrain->find_obstacles(box))
    plan.obstacles.push_back({.center = {obstacle.x, obstacle.y}, .radius = obstacle.radius});
  return plan;
}

std::vector<report::SummaryValue> list_settings(const Drive& drive,
                                                const DriveRecordOptions& options,
                                                const DriveResult& result) {
  const Scenario& s = drive.scenario;
  const DriveFacts facts = make_facts(drive);
  using report::short_text;
  std::vector<report::SummaryValue> values = {
      {"scenario file", options.source.model_file},
      {"vehicle", facts.vehicle},
      {"level", text_of(word_of(s.vehicle.level, scenario::kVehicleLevelWords))},
      {"formulation", facts.formulation},
      {"tire", facts.tire},
      {"ground", facts.ground},
      {"steering", text_of(word_of(s.driver.steering.kind, scenario::kSteeringKindWords))},
      {"speed", text_of(word_of(s.driver.speed.kind, scenario::kSpeedKindWords))},
      {"method", facts.method},
      {"step", short_text(facts.step), "s"},
      {"steps", std::to_string(result.statistics.steps)},
      {"wall time", short_text(result.wall_time, 3), "s"},
      {"real-time factor",
       short_text(result.wall_time > 0 ? (result.time - result.begin) / result.wall_time : 0, 3)},
      {"seed", std::to_string(facts.seed)},
      {"hash of the final state", hash_state(result.final_state)}};
  if (!result.stop.empty()) values.push_back({"ended by", result.stop});
  for (const std::string& assignment : options.overrides) values.push_back({"--set", assignment});
  return values;
}

void write_report(const Drive& drive, const DriveRecord& record, const DriveRecordOptions& options,
                  const record::RunFolder& folder, const DriveVerdict& verdict) {
  report::DriveReport page;
  page.scenario = drive.scenario.name;
  page.about = drive.scenario.about;
  if (verdict.result.status != RunStatus::kDone)
    page.failure =
        verdict.result.status == RunStatus::kStopped ? "stopped by hand" : verdict.result.reason;
  page.figures = verdict.figures;
  page.warnings = drive.notes;
  page.times = record.times;
  for (std::size_t c = 0; c < record.channels.size(); ++c) {
    const record::Channel& channel = record.channels[c];
    page.channels.push_back(
        {.name = channel.name,
         .names = channel.names.empty() ? std::vector<std::string>{""} : channel.names,
         .units = channel.units,
         .values = record.values[c],
         .description = channel.description});
  }
  page.ground = make_plan(drive, record);
  page.settings = list_settings(drive, options, verdict.result);
  page.versions = make_versions(options.source);
  folder.write_report(make_drive_report(page));
}

}  // namespace

std::vector<report::KeyFigure> calc_figures(const Drive& drive, const DriveRecord& record) {
  const scenario::Signals signals = make_signals(record);
  std::vector<report::KeyFigure> figures;
  for (const scenario::FigureResult& found :
       calc_key_figures(drive.scenario.figures, signals, drive.context)) {
    report::KeyFigure figure = report::make_key_figure(
        found.request.name, found.value.value_or(std::numeric_limits<double>::quiet_NaN()),
        found.unit, found.request.least, found.request.most,
        found.problem.empty() ? found.request.source : found.problem);
    figure.passed = found.status != scenario::FigureStatus::kFailed;
    figures.push_back(std::move(figure));
  }
  return figures;
}

namespace {

/// Ends the log and writes what follows from it.
void write_results(const DriveRecordOptions& options, const record::RunFolder& folder, Drive* drive,
                   Recorder* recorder, DriveVerdict* verdict) {
  verdict->result.is_broken ? recorder->abandon() : recorder->close();
  verdict->figures = calc_figures(*drive, recorder->record());
  warn_of_energy(recorder->record(), drive);
  verdict->has_passed =
      verdict->result.status == RunStatus::kDone && report::all_passed(verdict->figures);
  DriveFacts facts = make_facts(*drive);
  facts.ended_by = verdict->result.stop;
  facts.overrides = options.overrides;
  folder.write_summary(make_drive_summary(options.source, facts, verdict->result, verdict->figures,
                                          verdict->result.final_state));
  write_report(*drive, recorder->record(), options, folder, *verdict);
}

}  // namespace

DriveVerdict record_drive(const DriveRecordOptions& options, const record::RunFolder& folder,
                          Drive* drive) {
  Recorder recorder(folder, make_layout(*drive, options.source), drive->scenario.run);
  DriveObserver observer;
  observer.sample = [&](double t, std::span<const double> values) { recorder.append(t, values); };
  observer.go_on = options.go_on;
  observer.checkpoint_interval = options.checkpoint_interval;
  if (options.checkpoint_interval > 0)
    observer.checkpoint = [&](const DriveCheckpoint& checkpoint) {
      write_checkpoint(folder.path() + "/checkpoint.json", checkpoint, options.source,
                       options.files);
    };
  DriveVerdict verdict;
  verdict.result = run_drive(drive, observer);
  try {
    write_results(options, folder, drive, &recorder, &verdict);
  } catch (const FileError& error) {  // a full disk, which may have ended the drive, too
    std::string text =
        concat(error.what(), "; the log ends by t = ", report::short_text(verdict.result.time),
               " s of ", report::short_text(drive->scenario.run.duration), " s");
    if (verdict.result.is_broken)
      text += concat(", where the drive failed: ", verdict.result.reason);
    throw std::runtime_error(text);
  }
  return verdict;
}

std::vector<HashedFile> hash_files(const std::vector<PartFile>& files) {
  std::vector<HashedFile> hashed;
  for (const PartFile& file : files) hashed.push_back({file.part, file.path, hash_file(file.path)});
  return hashed;
}

// Numbers are written with as many digits as it takes to read the same bits.
void write_checkpoint(const std::string& path, const DriveCheckpoint& checkpoint,
                      const RunSource& source, const std::vector<HashedFile>& files) {
  Json list = Json::array();
  for (const HashedFile& file : files)
    list.push_back({{"part", file.part}, {"file", file.path}, {"hash", file.hash}});
  const Json json{{"kind", "checkpoint"},
                  {"program", source.program},
                  {"scenario_file", source.model_file},
                  {"scenario_text", source.model_text},
                  {"files", list},
                  {"time", checkpoint.time},
                  {"world", checkpoint.world},
                  {"pilot", checkpoint.pilot},
                  {"stops", checkpoint.stops}};
  write_file_atomically(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

DriveCheckpoint read_checkpoint(const std::string& path, const RunSource& source,
                                const std::vector<HashedFile>& files) {
  const auto fail = [&](const std::string& text) {
    throw ModelFileError(Position{.file = path}, text);
  };
  DriveCheckpoint checkpoint;
  try {
    const Json json = Json::parse(read_file(path, kMaxCheckpointBytes));
    if (json.at("kind") != "checkpoint") fail("kind must be \"checkpoint\"");
    const std::string what =
        concat("is a checkpoint of ", json.at("scenario_file").get<std::string>(), " with ");
    if (json.at("scenario_text") != source.model_text)
      fail(concat(what, "other contents or --set than ", source.model_file, " has now"));
    const std::string changed = find_changed_file(json.at("files"), files);
    if (!changed.empty()) fail(concat(what, "another ", changed, " than there is now"));
    checkpoint.time = json.at("time").get<double>();
    checkpoint.world = json.at("world").get<std::vector<double>>();
    checkpoint.pilot = json.at("pilot").get<std::vector<double>>();
    checkpoint.stops = json.at("stops").get<std::vector<double>>();
  } catch (const FileError& error) {
    fail(error.reason());
  } catch (const Json::exception& error) {
    fail(concat("is no checkpoint: ", error.what()));
  }
  return checkpoint;
}

}  // namespace camber::sim
