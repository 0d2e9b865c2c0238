#include "camber/analysis/data_sheet.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/rig.h"
#include "camber/vehicle/rig_sweep.h"

namespace camber::analysis {
namespace {

using Json = nlohmann::ordered_json;
using vehicle::Corner, vehicle::RigState, vehicle::Standing, vehicle::Vehicle,
    vehicle::VehicleMechanism, vehicle::WheelState;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegrees = 180 / std::numbers::pi;

/// Mass, center and inertia of all bodies: their frames coincide with V in the design position.
void add_inertia(const VehicleMechanism& parts, DataSheet* sheet) {
  Vector3 moment = Vector3::Zero();
  for (const multibody::Body& body : parts.mechanism.bodies) {
    sheet->mass += body.mass;
    moment += body.mass * body.p_BoBcm_B;
  }
  sheet->center = moment / sheet->mass;
  for (const multibody::Body& body : parts.mechanism.bodies) {
    const Vector3 r = body.p_BoBcm_B - sheet->center;
    sheet->inertia += body.I_BBcm_B + body.mass * (r.squaredNorm() * Matrix3::Identity() -
                                                   Matrix3(r * r.transpose()));
  }
}

double mass_of_corner(const VehicleMechanism& parts, const Corner& corner) {
  double mass = 0;
  for (const multibody::Body& body : parts.mechanism.bodies)
    if (body.name.starts_with(corner.name + "_")) mass += body.mass;
  return mass;
}

double mean(double sum, int count) { return count > 0 ? sum / count : kNaN; }

/// The sheet of one axle from its wheels at rest; without a rest position from its files alone.
AxleSheet describe_axle(const Vehicle& car, int index, const VehicleMechanism& parts,
                        const Standing* standing, const RigState* state, double weight) {
  const vehicle::Axle& axle = car.axles[index];
  AxleSheet sheet{.name = axle.name,
                  .position = axle.points.wheel[0],
                  .track = axle.is_mirrored ? 2 * axle.points.wheel[1] : kNaN,
                  .load = kNaN,
                  .load_share = kNaN,
                  .travel = kNaN,
                  .camber = kNaN,
                  .toe = kNaN,
                  .wheel_rate = kNaN,
                  .tire_rate = axle.wheel.vertical_stiffness,
                  .ride_frequency = kNaN,
                  .roll_stiffness = kNaN};
  for (const Corner& corner : parts.corners)
    if (corner.axle == index) sheet.mass += mass_of_corner(parts, corner);
  if (standing == nullptr || state == nullptr) return sheet;

  int wheels = 0;
  double load = 0, travel = 0, camber = 0, toe = 0, rate = 0, frequency = 0, length = 0;
  for (std::size_t i = 0; i < parts.corners.size(); ++i) {
    if (parts.corners[i].axle != index) continue;
    const WheelState& wheel = state->wheels[i];
    ++wheels;
    load += standing->load[i];
    travel += standing->travel[i];
    camber += wheel.camber;
    toe += wheel.toe;
    rate += wheel.rate;
    frequency += wheel.ride_frequency;
    length += wheel.spring_length;
  }
  sheet.load = load;
  sheet.load_share = load / weight;
  sheet.travel = mean(travel, wheels);
  sheet.camber = mean(camber, wheels);
  sheet.toe = mean(toe, wheels);
  sheet.wheel_rate = mean(rate, wheels);
  // In series with the tire the rate falls by kt / (kw + kt), the frequency by its root.
  if (sheet.tire_rate > 0)
    sheet.ride_frequency =
        mean(frequency, wheels) * std::sqrt(sheet.tire_rate / (sheet.wheel_rate + sheet.tire_rate));
  sheet.track = axle.is_mirrored ? state->axles[index].track : kNaN;
  sheet.roll_stiffness = axle.is_mirrored ? state->axles[index].roll_stiffness : kNaN;
  const vehicle::Spring& spring = axle.spring;
  length = mean(length, wheels);
  if (spring.bump_length) sheet.into_bump_stop = *spring.bump_length - length;
  if (spring.rebound_length) sheet.into_rebound_stop = length - *spring.rebound_length;
  return sheet;
}

/// Height of V's origin where an axle is, from how far its tires are pressed in [m].
double find_height(const vehicle::Axle& axle, const AxleSheet& sheet, int wheels) {
  const double center = axle.wheel.radius - sheet.load / wheels / axle.wheel.vertical_stiffness;
  return center - (axle.points.wheel[2] + sheet.travel);
}

void note_stops(const AxleSheet& axle, DataSheet* sheet) {
  const auto note = [&](double distance, const char* stop) {
    if (!(distance > 0)) return;
    sheet->notes.push_back(concat("the ", axle.name, " axle rests on its ", stop, " stops, ",
                                  fixed_text(1000 * distance, 1),
                                  " mm of the spring's length beyond where they begin"));
  };
  note(axle.into_bump_stop, "bump");
  note(axle.into_rebound_stop, "rebound");
}

}  // namespace

DataSheet make_data_sheet(const Vehicle& vehicle) {
  Vehicle car = vehicle;
  DataSheet sheet;
  if (car.trailer) sheet.notes.push_back("measured without its trailer");
  car.trailer.reset();
  const VehicleMechanism parts = expand(car);
  add_inertia(parts, &sheet);
  if (!car.axles.empty())
    sheet.wheelbase = car.axles.front().points.wheel[0] - car.axles.back().points.wheel[0];

  std::optional<Standing> standing;
  if (car.axles.size() > 1) standing = find_standing(car);
  if (car.axles.size() < 2)
    sheet.notes.push_back(
        "it does not stand by itself: loads, rates and frequencies at rest are missing");
  else if (!standing)
    sheet.notes.push_back(
        "no position at rest was found: loads, rates and frequencies are missing");
  vehicle::RigOptions options;
  for (std::size_t i = 0; i < car.axles.size() && standing; ++i) {
    double load = 0;
    int wheels = 0;
    for (std::size_t k = 0; k < parts.corners.size(); ++k) {
      if (parts.corners[k].axle != static_cast<int>(i)) continue;
      load += standing->load[k];
      ++wheels;
    }
    options.loaded_radius.push_back(car.axles[i].wheel.radius -
                                    load / wheels / car.axles[i].wheel.vertical_stiffness);
  }
  vehicle::Rig rig(car, options);
  const RigState design = rig.measure();
  std::optional<RigState> at_rest;
  if (standing) {
    bool is_there = true;
    for (std::size_t i = 0; i < standing->travel.size(); ++i)
      is_there = is_there && rig.lift(static_cast<int>(i), standing->travel[i]);
    if (is_there) at_rest = rig.measure();
  }

  const double weight = sheet.mass * car.gravity.norm();
  for (std::size_t i = 0; i < car.axles.size(); ++i) {
    sheet.axles.push_back(describe_axle(car, static_cast<int>(i), parts,
                                        standing ? &*standing : nullptr,
                                        at_rest ? &*at_rest : nullptr, weight));
    note_stops(sheet.axles.back(), &sheet);
  }

  sheet.center_height = kNaN;
  if (at_rest && car.axles.size() > 1 && sheet.wheelbase > 0) {
    const auto height_at = [&](std::size_t i) {
      return find_height(car.axles[i], sheet.axles[i], car.axles[i].is_mirrored ? 2 : 1);
    };
    const double front = height_at(0), rear = height_at(car.axles.size() - 1);
    const double share = (sheet.center[0] - car.axles.back().points.wheel[0]) / sheet.wheelbase;
    sheet.center_height = rear + share * (front - rear) + sheet.center[2];
  }

  if (car.steering && car.steering->column && car.steering->column->ratio != 0) {
    double angle = 0;
    for (const int corner : parts.steered) angle += design.wheels[corner].steer_by_steer;
    angle /= static_cast<double>(parts.steered.size());
    sheet.steering_ratio = std::abs(car.steering->column->ratio / angle);
  }
  return sheet;
}

// --- Text and JSON ---

namespace {

std::string number_text(double value, int decimals) {
  return std::isfinite(value) ? fixed_text(value, decimals) : "-";
}

void print_row(const std::string& name, const std::vector<std::string>& cells, std::ostream* out) {
  *out << "  " << padded(name, 34);
  for (std::size_t i = 0; i < cells.size(); ++i)
    *out << (i + 1 < cells.size() ? padded(cells[i], 12) : cells[i]);
  *out << '\n';
}

}  // namespace

std::string to_text(const DataSheet& sheet) {
  std::ostringstream out;
  const auto row = [&](const std::string& name, const std::vector<std::string>& cells) {
    print_row(name, cells, &out);
  };
  const Vector3& c = sheet.center;
  const Matrix3& I = sheet.inertia;
  row("mass [kg]", {number_text(sheet.mass, 1)});
  row("center of mass x, y, z [m]",
      {number_text(c[0], 4), number_text(c[1], 4), number_text(c[2], 4)});
  row("its height over ground [m]", {number_text(sheet.center_height, 4)});
  row("inertia Ixx, Iyy, Izz [kg m^2]",
      {number_text(I(0, 0), 1), number_text(I(1, 1), 1), number_text(I(2, 2), 1)});
  row("wheelbase [m]", {number_text(sheet.wheelbase, 4)});
  if (sheet.steering_ratio) row("steering ratio", {number_text(*sheet.steering_ratio, 2)});
  const auto by_axle = [&](const std::string& name, int decimals, const auto& value) {
    std::vector<std::string> cells;
    for (const AxleSheet& axle : sheet.axles) cells.push_back(number_text(value(axle), decimals));
    row(name, cells);
  };
  std::vector<std::string> names;
  for (const AxleSheet& axle : sheet.axles) names.push_back(axle.name);
  row("axle", names);
  by_axle("track [m]", 4, [](const AxleSheet& a) { return a.track; });
  by_axle("load [N]", 0, [](const AxleSheet& a) { return a.load; });
  by_axle("load [%]", 1, [](const AxleSheet& a) { return 100 * a.load_share; });
  by_axle("mass of its corners [kg]", 1, [](const AxleSheet& a) { return a.mass; });
  by_axle("travel from design position [mm]", 1,
          [](const AxleSheet& a) { return 1000 * a.travel; });
  by_axle("camber [deg]", 3, [](const AxleSheet& a) { return kDegrees * a.camber; });
  by_axle("toe of each wheel [deg]", 3, [](const AxleSheet& a) { return kDegrees * a.toe; });
  by_axle("wheel rate [N/mm]", 2, [](const AxleSheet& a) { return a.wheel_rate / 1000; });
  by_axle("tire rate [N/mm]", 2, [](const AxleSheet& a) { return a.tire_rate / 1000; });
  by_axle("ride frequency [Hz]", 3, [](const AxleSheet& a) { return a.ride_frequency; });
  by_axle("roll stiffness [N m/deg]", 1,
          [](const AxleSheet& a) { return a.roll_stiffness / kDegrees; });
  return out.str();
}

std::string to_json(const DataSheet& sheet) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  const auto vector = [&](const Vector3& v) {
    return Json::array({number(v[0]), number(v[1]), number(v[2])});
  };
  Json axles = Json::array();
  for (const AxleSheet& a : sheet.axles)
    axles.push_back({{"name", a.name},
                     {"position_m", number(a.position)},
                     {"track_m", number(a.track)},
                     {"load_N", number(a.load)},
                     {"load_share", number(a.load_share)},
                     {"corner_mass_kg", number(a.mass)},
                     {"travel_m", number(a.travel)},
                     {"camber_deg", number(kDegrees * a.camber)},
                     {"toe_deg", number(kDegrees * a.toe)},
                     {"wheel_rate_N_per_m", number(a.wheel_rate)},
                     {"tire_rate_N_per_m", number(a.tire_rate)},
                     {"ride_frequency_Hz", number(a.ride_frequency)},
                     {"roll_stiffness_Nm_per_rad", number(a.roll_stiffness)},
                     {"into_bump_stop_m", number(a.into_bump_stop)},
                     {"into_rebound_stop_m", number(a.into_rebound_stop)}});
  const Matrix3& I = sheet.inertia;
  const Json json{
      {"mass_kg", number(sheet.mass)},
      {"center_m", vector(sheet.center)},
      {"center_height_m", number(sheet.center_height)},
      {"inertia_kg_m2", Json::array({vector(I.row(0)), vector(I.row(1)), vector(I.row(2))})},
      {"wheelbase_m", number(sheet.wheelbase)},
      {"steering_ratio", sheet.steering_ratio ? number(*sheet.steering_ratio) : Json()},
      {"axles", axles},
      {"notes", sheet.notes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace camber::analysis
