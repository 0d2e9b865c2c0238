#include "camber/scenario/notes.h"

#include <cmath>

#include "camber/autonomy/path.h"
#include "camber/autonomy/speed.h"
#include "camber/core/require.h"
#include "camber/scenario/scenario_file.h"
#include "camber/scenario/tables.h"

namespace camber::scenario {
namespace {

class Notes {
 public:
  explicit Notes(const Scenario& scenario) : s_(scenario), file_(reopen(scenario.source)) {}

  std::vector<std::string> find() {
    note_bends();
    note_creeping();
    note_tire();
    if (s_.source.other < 0) {  // run and ground are those of all vehicles
      note_short_steps();
      if (is_given("ground", "soil_spacing") && s_.ground.soil_level != SoilLevel::kGrid)
        unused("ground.soil_spacing", "there is no ground.soil_level = \"grid\"");
    }
    if (s_.vehicle.level == VehicleLevel::kFull)
      note_full();
    else
      note_simple();
    return std::move(notes_);
  }

 private:
  bool is_given(const char* table, const char* key) {
    TomlNode root = file_.root();
    if (s_.source.other >= 0 && std::string_view(table) != "run")
      root = root.at("other").elements()[static_cast<std::size_t>(s_.source.other)];
    const TomlNode found = root.find(table);
    return found && found.is_table() && found.find(key);
  }

  void note(std::string text) { notes_.push_back(std::move(text)); }
  void unused(std::string_view key, std::string_view why) {
    note(concat(key, " is not used: ", why));
  }

  void note_bends() {
    const auto* path = std::get_if<PointPath>(&s_.driver.path);
    if (path == nullptr) return;
    constexpr double kTight = 4;  // turning circles of small cars [m]
    const double min = autonomy::make_spline(path->points, path->is_closed).min_radius();
    if (min < kTight)
      note(concat("driver.path.points bend with a radius of ", std::round(min * 10) / 10,
                  " m: few vehicles turn in less than ", kTight, " m"));
  }

  void note_creeping() {
    const auto* hold = std::get_if<HoldSpeed>(&s_.driver.speed);
    const double hold_speed = autonomy::SpeedControl().hold_speed;
    if (hold == nullptr || hold->target == 0 || std::abs(hold->target) >= hold_speed) return;
    note(concat("driver.speed.target of ", hold->target, " m/s: the driver takes less than ",
                hold_speed, " m/s for a stop and holds the brake"));
  }

  /// Steps end at samples.
  void note_short_steps() {
    const double step = s_.run.step, interval = s_.run.sample_interval, steps = interval / step;
    if (std::abs(steps - std::round(steps)) <= internal::kRounding * steps) return;
    note(concat("run.sample_interval of ", interval, " s is not a multiple of run.step of ", step,
                " s: steps are shortened to ", interval / std::ceil(steps), " s or less"));
  }

  void note_tire() {
    if (s_.tire.model == TireModel::kRelaxedRolling) return;
    for (const char* key : {"friction", "slip_speed"}) {
      if (is_given("tire", key))
        unused(concat("tire.", key), concat("it is for \"relaxed_rolling\", and the tire is of \"",
                                            word_of(s_.tire.model, kTireModelWords),
                                            "\"; ground.friction scales the grip of all tires"));
    }
  }

  void note_full() {
    if (has_contact() && s_.ground.soil_level == SoilLevel::kGrid)
      unused("tire.contact", "on ground.soil_level = \"grid\" a tire touches the nodes below it");
    if (s_.vehicle.formulation == Formulation::kFa &&
        s_.run.method == integrate::FixedStep::kMidpoint)
      note(
          "vehicle.formulation = \"fa\" needs run.method = \"rk4\": with the midpoint rule, wheels "
          "that rotate as free bodies drift apart by some millimeters per second");
  }

  /// What the levels "single_track" and "point_mass" leave out.
  void note_simple() {
    const std::string_view level = word_of(s_.vehicle.level, kVehicleLevelWords);
    const std::string why = concat("vehicle.level is \"", level, "\"");
    if (is_given("vehicle", "formulation")) unused("vehicle.formulation", why);
    if (has_contact()) unused("tire.contact", why);
    if (is_given("run", "method") && s_.run.method != integrate::FixedStep::kRungeKutta4)
      unused("run.method", why + ", which always uses rk4");
    if (s_.ground.soil_level != SoilLevel::kRigid)
      note(concat("level ", level, " drives on rigid ground: the soil is not used"));
    if (s_.vehicle.level == VehicleLevel::kPointMass && s_.vehicle.start.gear > 1)
      note(concat("level ", level, " is always in the gear that fits its speed: ",
                  "vehicle.start.gear of ", s_.vehicle.start.gear, " is not used"));
    for (const StopCondition& stop : s_.stops) {
      if (stop.kind == StopKind::kWheelLifted)
        note(concat("level ", level, " has no single wheels: stop wheel_lifted does not end it"));
    }
  }

  bool has_contact() const { return s_.tire.contact != dynamics::ContactMode::kPoint; }

  const Scenario& s_;
  TomlFile file_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> find_notes(const Scenario& scenario) { return Notes(scenario).find(); }

}  // namespace camber::scenario
