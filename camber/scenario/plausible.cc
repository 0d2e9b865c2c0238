#include "camber/scenario/plausible.h"

#include <algorithm>
#include <numbers>
#include <set>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/vehicle/problems.h"

namespace camber::scenario {
namespace {

constexpr double kToRpm = 30 / std::numbers::pi;

/// Deflection under the load at rest, over the radius, is some percent for every tire.
void add_tires(const DriveParts& parts, std::vector<std::string>* notes) {
  std::set<std::string> seen;
  for (const dynamics::WheelTire& wheel : parts.tires.wheels) {
    if (!seen.insert(wheel.file).second) continue;
    const tire::RollingTire& tire = *wheel.tire;
    const auto note = [&](const std::string& text) {
      notes->push_back(concat(wheel.file, ": ", text));
    };
    if (tire.radius < 0.1 || tire.radius > 2.5)
      note(concat("the tire's radius is ", short_text(tire.radius, 4),
                  " m, and vehicles have 0.1 to 2.5 m: is it in mm, cm or in?"));
    const double load = parts.facts.tire_load;
    if (!(load > 0) || !(tire.radius > 0)) continue;
    const double share = find_deflection(tire.vertical, load) / tire.radius;
    if (share > 0.35 || share < 1e-3)
      note(concat("under the load at rest of ", short_text(load, 3),
                  " N the tire is pressed in by ", short_text(100 * share, 2),
                  " % of its radius, and tires are by 2 to 15 %: is its ",
                  "stiffness in N/m and its load in N?"));
    if (wheel.file != parts.tires.wheels[0].file || parts.facts.axles.empty()) continue;
    const dynamics::AxleFacts& axle = parts.facts.axles[0];
    const double grip = axle.static_load > 0 ? axle.cornering_stiffness / axle.static_load : 0;
    if (grip > 0 && (grip < 1.5 || grip > 80))
      note(concat("the cornering stiffness is ", short_text(grip, 3),
                  " times the load at rest per rad, and tires have 5 to 30: ",
                  grip < 1.5 ? "is it per degree, or in kN?" : "is it in N/rad?"));
  }
}

void add_equipment(const DriveParts& parts, std::vector<std::string>* notes) {
  const driveline::Driveline& d = parts.equipment.driveline;
  const auto note = [&](const std::string& text) {
    notes->push_back(concat("equipment \"", parts.equipment.name, "\": ", text));
  };
  const double idle = d.engine.idle_speed * kToRpm;
  if (idle > 2500) note(concat("the engine idles at ", short_text(idle, 4), " rpm"));
  if (!d.engine.torque.y().empty()) {
    const double torque = std::ranges::max(d.engine.torque.y());
    if (torque > 2e4 || torque < 5)
      note(concat("the engine's largest torque is ", short_text(torque, 4), " N m: is it in ",
                  torque > 2e4 ? "N mm?" : "kN m?"));
  }
  const double density = parts.equipment.air.density;
  if (density < 0.3 || density > 3)
    note(concat("air has a density of ", short_text(density, 4),
                " kg/m^3, and air has 1.2: is it in g/m^3?"));
  if (d.gearbox.shift_time > 10)
    note(concat("a shift takes ", short_text(d.gearbox.shift_time, 4), " s: is it in ms?"));
  if (!std::ranges::is_sorted(d.gearbox.ratios, std::ranges::greater()))
    note("ratios of the gearbox ascend: the first gear has the largest ratio");
}

}  // namespace

std::vector<std::string> find_unlikely(const DriveParts& parts) {
  std::vector<std::string> notes;
  for (const vehicle::VehicleProblem& doubt : vehicle::find_unlikely(parts.vehicle))
    notes.push_back(concat("vehicle \"", parts.vehicle.name, "\": ", doubt.place, " ", doubt.text));
  add_tires(parts, &notes);
  add_equipment(parts, &notes);
  return notes;
}

}  // namespace camber::scenario
