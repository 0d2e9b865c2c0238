#include "camber/run/drive_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "camber/autonomy/course.h"
#include "camber/core/hash.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/figures/signals.h"
#include "camber/record/channel_names.h"
#include "camber/run/goal_report.h"
#include "camber/scenario/describe.h"

namespace camber::run {

using scenario::Scenario;

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(std::string_view word) { return std::string(word); }

/// What `camber check` says about a part of a scenario.
std::string find_words(const Scenario& scenario, std::string_view part) {
  for (const auto& [name, text] : describe(scenario))
    if (name == part) return text;
  return "";
}

RunFacts make_facts(const Scenario& s) {
  const bool is_full = s.vehicle.level == scenario::VehicleLevel::kFull;
  return {
      .kind = "drive",
      .name = s.name,
      .about = s.about,
      .formulation = text_of(is_full ? word_of(s.vehicle.formulation, scenario::kFormulationWords)
                                     : word_of(s.vehicle.level, scenario::kVehicleLevelWords)),
      .method = text_of(is_full ? scenario::word_of(s.run.method) : "rk4"),
      .step = s.run.step,
      .duration = s.run.duration,
      .sample_interval = s.run.sample_interval};
}

Json to_json(const report::KeyFigure& figure) {
  Json json{{"name", figure.name}};
  json["value"] = std::isfinite(figure.value) ? Json(figure.value) : Json();
  json["unit"] = figure.unit;
  if (figure.lower) json["lower"] = *figure.lower;
  if (figure.upper) json["upper"] = *figure.upper;
  if (figure.is_judged()) json["passed"] = figure.passed;
  if (!figure.source.empty()) json["source"] = figure.source;
  return json;
}

/// The path that the driver followed, about every meter.
std::vector<report::GroundPoint> make_target(const record::Table& log) {
  std::vector<report::GroundPoint> target;
  const std::vector<double>* values = log.find_values(record::channel::kPathTarget);
  if (values == nullptr) return target;
  for (std::size_t i = 0; i + 1 < values->size(); i += 2) {
    const report::GroundPoint point{(*values)[i], (*values)[i + 1]};
    if (target.empty() || std::hypot(point.x - target.back().x, point.y - target.back().y) > 1)
      target.push_back(point);
  }
  return target;
}

/// Where the other vehicles went, about every meter, and the things during the run.
std::vector<report::GroundTrack> make_tracks(const world::World& world, const record::Table& log) {
  std::vector<report::GroundTrack> tracks;
  const auto add = [](double x, double y, report::GroundTrack* track) {
    std::vector<report::GroundPoint>& points = track->points;
    if (points.empty() || std::hypot(x - points.back().x, y - points.back().y) > 1)
      points.push_back({x, y});
  };
  for (int i = 1; i < world.vehicle_count(); ++i) {
    const std::string name = world.vehicle_name(i);
    const std::vector<double>* values =
        log.find_values(concat("vehicles/", name, "/", record::channel::kPosition));
    if (values == nullptr) continue;
    tracks.push_back({.name = name});
    for (std::size_t k = 0; k + 2 < values->size(); k += 3)
      add((*values)[k], (*values)[k + 1], &tracks.back());
  }
  for (const world::MovingThing& thing : world.things()) {
    tracks.push_back({.name = thing.name});
    for (const double time : log.times) {
      const world::MovingThing::Point at = thing.at(time);
      add(at.x, at.y, &tracks.back());
    }
  }
  return tracks;
}

std::vector<report::GroundGate> make_gates(const figures::FigureContext& c) {
  const double cos = std::cos(c.course_heading), sin = std::sin(c.course_heading);
  const auto place = [&](double along, double across) {
    return report::GroundPoint{c.course_x + cos * along - sin * across,
                               c.course_y + sin * along + cos * across};
  };
  std::vector<report::GroundGate> gates;
  for (const auto& lane : autonomy::make_iso_3888(c.course_part, c.vehicle_width)) {
    constexpr int kCones = 5;
    for (int k = 0; k < kCones; ++k) {
      const double along = lane.start + (lane.end - lane.start) * k / (kCones - 1);
      gates.push_back({place(along, lane.left), place(along, lane.right)});
    }
  }
  return gates;
}

}  // namespace

std::vector<report::KeyFigure> calc_figures(const scenario::BuiltScenario& built,
                                            const record::Table& log) {
  const figures::Signals signals(log);
  figures::FigureContext context = built.context;
  if (!log.times.empty()) context.continued_from = log.times.front();
  std::vector<report::KeyFigure> list;
  for (const figures::FigureResult& found :
       calc_key_figures(built.scenario->figures, signals, context)) {
    const bool is_judged = found.status != figures::FigureStatus::kNotJudged;
    report::KeyFigure figure = report::make_key_figure(
        found.request.name, found.value.value_or(std::numeric_limits<double>::quiet_NaN()),
        found.unit, is_judged ? found.request.min : std::nullopt,
        is_judged ? found.request.max : std::nullopt,
        found.problem.empty() ? found.request.source : found.problem);
    figure.passed = found.status != figures::FigureStatus::kFailed;
    list.push_back(std::move(figure));
  }
  return list;
}

DriveRun::DriveRun(Simulation* simulation, DriveRunOptions options)
    : simulation_(simulation),
      options_(std::move(options)),
      checkpoint_clock_(options_.checkpoint_interval > 0 ? options_.checkpoint_interval : 1e12,
                        simulation->time()),
      facts_(make_facts(simulation->scenario())),
      notes_(simulation->built().notes) {}

record::Attributes DriveRun::attributes() const {
  return {{"start.seed", static_cast<double>(simulation_->scenario().run.seed)}};
}

void DriveRun::set_series_sink(SeriesSink sink) {
  if (simulation_->sensors().empty()) return;
  sensors_ = std::make_unique<SensorRecorder>(simulation_->sensors(), std::move(sink),
                                              options_.scan_folder);
  simulation_->set_sensor_listener(
      [this](const sensors::Sensor& sensor, const sensors::Sample& sample) {
        sensors_->take(sensor, sample);
      });
}

void DriveRun::advance() {
  simulation_->advance_to(simulation_->next_tick());
  if (options_.checkpoint_interval > 0 && checkpoint_clock_.strikes(simulation_->time()) &&
      !simulation_->result().is_broken) {
    // The log first: a drive that is killed now continues where its log ends, or before.
    if (flush_) flush_();
    write_checkpoint(options_.checkpoint_path, simulation_->save(), options_.source,
                     options_.files);
  }
}

bool DriveRun::has_passed() const {
  return simulation_->result().status == RunStatus::kDone && unsound_.empty() &&
         report::all_passed(figures_);
}

// A drive whose energy balance does not close is not reliable, whatever its other figures are.
void DriveRun::warn_of_energy(const record::Table& log) {
  constexpr double kTolerated = 0.01;
  if (log.find_values(record::channel::kEnergy) == nullptr) return;
  figures::FigureRequest request;
  request.figure = request.name = "energy_error";
  const auto found =
      calc_key_figures(std::span(&request, 1), figures::Signals(log), simulation_->built().context);
  const double error = found.front().value.value_or(0);
  if (!(error > kTolerated)) return;
  notes_.push_back(concat(
      "the energy balance is off by ", short_text(100 * error, 3),
      " %: the results are unreliable; usual causes are edges that tire.contact does not see "
      "(\"envelope\" sees more) and a run.step that is too long"));
}

report::GroundPlan DriveRun::make_plan(const record::Table& log) const {
  const Scenario& s = simulation_->scenario();
  report::GroundPlan plan;
  plan.target = make_target(log);
  plan.tracks = make_tracks(simulation_->world(), log);
  if (scenario::follows_path(s.driver.steering) && find_course(s.driver.path) != nullptr)
    plan.gates = make_gates(simulation_->built().context);
  // Trees and posts near the track.
  const std::vector<double>* position = log.find_values(record::channel::kPosition);
  if (position == nullptr || position->empty()) return plan;
  constexpr double kMargin = 20;  // [m]
  terrain::Box2 box{1e300, 1e300, -1e300, -1e300};
  for (std::size_t i = 0; i + 2 < position->size(); i += 3) {
    const double x = (*position)[i], y = (*position)[i + 1];
    box = {std::min(box.x0, x - kMargin), std::min(box.y0, y - kMargin),
           std::max(box.x1, x + kMargin), std::max(box.y1, y + kMargin)};
  }
  for (const terrain::Obstacle& obstacle : simulation_->world().terrain().find_obstacles(box))
    plan.obstacles.push_back({.center = {obstacle.x, obstacle.y}, .radius = obstacle.radius});
  const terrain::Terrain& ground = simulation_->world().terrain();
  for (const int k : ground.find_prisms(box)) {
    const terrain::Prism& prism = ground.prisms[static_cast<std::size_t>(k)];
    report::GroundObstacle obstacle{.name = prism.name};
    for (const terrain::Point2& p : prism.corners) obstacle.outline.push_back({p.x, p.y});
    plan.obstacles.push_back(std::move(obstacle));
  }
  return plan;
}

void DriveRun::finish(const record::Table& log, Json* summary, report::PageData* page) {
  const Scenario& s = simulation_->scenario();
  if (sensors_) sensors_->finish();
  notes_ = simulation_->built().notes;  // a drive that goes on is finished again
  unsound_.clear();
  figures_ = calc_figures(simulation_->built(), log);
  for (const DriveFinding& finding : simulation_->findings())
    (finding.is_unsound ? unsound_ : notes_).push_back(finding.text);
  warn_of_energy(log);
  Json& out = *summary;
  out["passed"] = has_passed();
  out["sound"] = unsound_.empty();
  out["vehicle"] = s.vehicle.model;
  out["tire"] = find_words(s, "tire");
  out["ground"] = find_words(s, "ground");
  out["seed"] = s.run.seed;
  if (!simulation_->built().others.empty()) {
    Json others = Json::array();
    int i = 0;
    for (const scenario::BuiltOther& other : simulation_->built().others)
      others.push_back({{"name", simulation_->world().vehicle_name(++i)},
                        {"vehicle", other.scenario->vehicle.model}});
    out["others"] = std::move(others);
  }
  Json list = Json::array();
  for (const report::KeyFigure& figure : figures_) list.push_back(to_json(figure));
  out["key_figures"] = std::move(list);
  std::vector<std::string> warnings;
  for (const std::string& text : unsound_) warnings.push_back("Unsound: " + text);
  warnings.insert(warnings.end(), notes_.begin(), notes_.end());
  out["warnings"] = warnings;
  if (sensors_) out["sensors"] = sensors_->counts();
  const std::string hash = hash_values(simulation_->state_values());
  out["final_state_hash"] = hash;

  const RunResult result = simulation_->result();
  page->plan = make_plan(log);
  if (sensors_) {
    page->pictures = sensors_->pictures();
    if (!sensors_->fixes().empty()) {
      report::GroundLines fixes{.label = "satellite fixes", .color = 5, .is_dots = true};
      fixes.lines.push_back(sensors_->fixes());
      page->plan.lines.push_back(std::move(fixes));
    }
  }
  const auto& pilot = simulation_->built().drivers.front();
  if (pilot && pilot->goal() != nullptr) report_goal(*pilot->goal(), *s.autonomy, log, &out, page);
  std::vector<report::SummaryValue> settings = {
      {"vehicle", s.vehicle.model},
      {"level", text_of(word_of(s.vehicle.level, scenario::kVehicleLevelWords))},
      {"tire", find_words(s, "tire")},
      {"ground", find_words(s, "ground")},
      {"driver", find_words(s, "driver")},
      {"steps", std::to_string(result.statistics.steps)},
      {"seed", std::to_string(s.run.seed)},
      {"hash of the final state", hash}};
  for (const scenario::OtherVehicle& other : s.others)
    settings.push_back({"other vehicle", scenario::describe(other)});
  for (const world::MovingThing& thing : s.things) settings.push_back({"thing", thing.name});
  if (!result.stop.empty()) settings.push_back({"ended by", result.stop});
  page->settings.insert(page->settings.end(), settings.begin(), settings.end());
}

}  // namespace camber::run
