#include "camber/analysis/rig_columns.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace camber::analysis {

using vehicle::AxleSweep, vehicle::RigState, vehicle::WheelState;

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Get = std::function<double(const RigState&)>;

RigColumn angle(const std::string& key, std::string label, Get get, int decimals = 3) {
  return {key + "_deg", std::move(label), "deg",         1 / kDegree,
          1 / kDegree,  decimals,         std::move(get)};
}
RigColumn length(const std::string& key, std::string label, Get get) {
  return {key + "_m", std::move(label), "mm", 1, 1000, 1, std::move(get)};
}
RigColumn radius(const std::string& key, std::string label, Get get) {
  return {key + "_m", std::move(label), "m", 1, 1, 2, std::move(get)};
}
RigColumn ratio(std::string key, std::string label, Get get) {
  return {std::move(key), std::move(label), "", 1, 1, 4, std::move(get)};
}
RigColumn percent(std::string key, std::string label, Get get) {
  return {std::move(key), std::move(label), "%", 1, 100, 1, std::move(get)};
}
RigColumn gain(const std::string& key, std::string label, Get get) {
  return {key + "_deg_per_m", std::move(label), "deg/m", 1 / kDegree, 1 / kDegree, 2,
          std::move(get)};
}
RigColumn force(const std::string& key, std::string label, Get get) {
  return {key + "_N", std::move(label), "kN", 1, 1e-3, 3, std::move(get)};
}
RigColumn rate(const std::string& key, std::string label, Get get) {
  return {key + "_N_per_m", std::move(label), "N/mm", 1, 1e-3, 2, std::move(get)};
}
RigColumn frequency(const std::string& key, std::string label, Get get) {
  return {key + "_Hz", std::move(label), "Hz", 1, 1, 3, std::move(get)};
}

/// A quantity of one wheel.
template <class F>
Get of_wheel(int corner, F get) {
  return [=](const RigState& state) { return get(state.wheels[corner]); };
}
template <class T>
Get of_wheel(int corner, T WheelState::*member) {
  return [=](const RigState& state) { return state.wheels[corner].*member; };
}
Get of_kingpin(int corner, double vehicle::Kingpin::*member) {
  return [=](const RigState& state) {
    const auto& kingpin = state.wheels[corner].kingpin;
    return kingpin ? (*kingpin).*member : kNaN;
  };
}
Get of_axle(int axle, double vehicle::AxleState::*member) {
  return [=](const RigState& state) { return state.axles[axle].*member; };
}
Get of_turn(double vehicle::Turn::*member) {
  return [=](const RigState& state) { return state.turn ? (*state.turn).*member : kNaN; };
}

/// Camber against the line through both contacts instead of the body.
Get camber_to_road(int corner, int axle, bool is_left) {
  return [=](const RigState& state) {
    const double roll = state.axles[axle].roll;
    const Vector3 up(0, -std::sin(roll), std::cos(roll));
    return std::asin((is_left ? -1 : 1) * state.wheels[corner].axis.dot(up));
  };
}

}  // namespace

std::vector<RigColumn> parallel_columns(const vehicle::Vehicle& car, const AxleSweep& sweep) {
  const int w = sweep.left, axle = sweep.axle;
  const bool has_pair = sweep.right >= 0;
  const bool has_kingpin = car.axles[axle].type != vehicle::SuspensionType::kTrailingArm;
  std::vector<RigColumn> columns{
      length("travel", "wheel travel", of_wheel(w, &WheelState::travel)),
      angle("camber", "camber", of_wheel(w, &WheelState::camber)),
      angle("toe", "toe", of_wheel(w, &WheelState::toe)),
  };
  const auto add = [&](RigColumn column) { columns.push_back(std::move(column)); };
  if (has_kingpin) {
    add(angle("caster", "caster", of_kingpin(w, &vehicle::Kingpin::caster)));
    add(angle("kingpin_inclination", "kingpin inclination",
              of_kingpin(w, &vehicle::Kingpin::inclination)));
    add(length("scrub_radius", "scrub radius", of_kingpin(w, &vehicle::Kingpin::scrub_radius)));
    add(length("trail", "mechanical trail", of_kingpin(w, &vehicle::Kingpin::trail)));
  }
  if (has_pair) {
    add(length("roll_center_height", "roll center height",
               of_axle(axle, &vehicle::AxleState::roll_center_height)));
    add(length("track", "track", of_axle(axle, &vehicle::AxleState::track)));
  }
  const double design_x = car.axles[axle].points.wheel[0];
  add(length("recession", "wheel center to the rear",
             of_wheel(w, [=](const WheelState& s) { return design_x - s.center[0]; })));
  add(ratio("spring_ratio", "spring motion ratio", of_wheel(w, &WheelState::spring_ratio)));
  add(ratio("shock_ratio", "shock motion ratio", of_wheel(w, &WheelState::shock_ratio)));
  add(length("spring_length", "spring length", of_wheel(w, &WheelState::spring_length)));
  add(length("shock_length", "shock length", of_wheel(w, &WheelState::shock_length)));
  add(force("load", "wheel load", of_wheel(w, &WheelState::load)));
  add(rate("wheel_rate", "wheel rate", of_wheel(w, &WheelState::rate)));
  add(frequency("ride_frequency", "ride frequency", of_wheel(w, &WheelState::ride_frequency)));
  add(gain("camber_gain", "camber gain", of_wheel(w, &WheelState::camber_gain)));
  add(gain("toe_gain", "toe gain", of_wheel(w, &WheelState::toe_gain)));
  if (has_kingpin) add(gain("caster_gain", "caster gain", of_wheel(w, &WheelState::caster_gain)));
  add(ratio("brake_slope", "contact forward per bump, wheel locked",
            of_wheel(w, [](const WheelState& s) { return s.contact_slope[0]; })));
  add(ratio("drive_slope", "center forward per bump",
            of_wheel(w, [](const WheelState& s) { return s.center_slope[0]; })));
  add(angle("arm", "arm", of_wheel(w, &WheelState::arm)));
  return columns;
}

std::vector<RigColumn> opposed_columns(const AxleSweep& sweep) {
  const int l = sweep.left, r = sweep.right, axle = sweep.axle;
  return {
      length("travel", "left travel", of_wheel(l, &WheelState::travel)),
      angle("roll", "roll", of_axle(axle, &vehicle::AxleState::roll)),
      angle("left_camber", "left camber", of_wheel(l, &WheelState::camber)),
      angle("right_camber", "right camber", of_wheel(r, &WheelState::camber)),
      angle("left_camber_to_road", "left camber to the road", camber_to_road(l, axle, true)),
      angle("right_camber_to_road", "right camber to the road", camber_to_road(r, axle, false)),
      angle("left_steer", "left roll steer", of_wheel(l, &WheelState::steer)),
      angle("right_steer", "right roll steer", of_wheel(r, &WheelState::steer)),
      length("roll_center_height", "roll center height",
             of_axle(axle, &vehicle::AxleState::roll_center_height)),
      {"roll_stiffness_Nm_per_deg", "roll stiffness", "N m/deg", kDegree, kDegree, 1,
       of_axle(axle, &vehicle::AxleState::roll_stiffness)},
      force("left_load", "left wheel load", of_wheel(l, &WheelState::load)),
      force("right_load", "right wheel load", of_wheel(r, &WheelState::load)),
  };
}

std::vector<RigColumn> steering_columns(const vehicle::Vehicle& car,
                                        const vehicle::RigResult& result) {
  const vehicle::Steering& steering = *car.steering;
  const bool is_pitman = steering.type == vehicle::SteeringType::kPitman;
  const auto axle = std::find_if(result.axles.begin(), result.axles.end(), [&](const AxleSweep& s) {
    return car.axles[s.axle].name == steering.axle;
  });
  const Get position = [](const RigState& state) { return state.steering; };
  std::vector<RigColumn> columns{is_pitman ? angle("steering", "pitman", position, 1)
                                           : length("steering", "rack to the left", position)};
  const auto add = [&](RigColumn column) { columns.push_back(std::move(column)); };
  const std::pair<int, std::string> sides[] = {{axle->left, axle->right < 0 ? "wheel" : "left"},
                                               {axle->right, "right"}};
  const auto for_each_side = [&](const auto& make) {
    for (const auto& [corner, side] : sides) {
      if (corner >= 0) add(make(corner, side));
    }
  };
  for_each_side([](int c, const std::string& side) {
    return angle(side + "_steer", side + " steer", of_wheel(c, &WheelState::steer));
  });
  for_each_side([](int c, const std::string& side) {
    return angle(side + "_camber", side + " camber", of_wheel(c, &WheelState::camber));
  });
  for_each_side([](int c, const std::string& side) {
    return length(side + "_trail", side + " trail", of_kingpin(c, &vehicle::Kingpin::trail));
  });
  for_each_side([](int c, const std::string& side) {
    return length(side + "_scrub_radius", side + " scrub radius",
                  of_kingpin(c, &vehicle::Kingpin::scrub_radius));
  });
  for_each_side([](int c, const std::string& side) {
    return length(side + "_travel", side + " wheel up", of_wheel(c, &WheelState::travel));
  });
  if (result.design.turn) {
    add(percent("ackermann", "Ackermann", of_turn(&vehicle::Turn::ackermann)));
    add(radius("rear_radius", "rear axle's turn radius", of_turn(&vehicle::Turn::rear_radius)));
    add(radius("outer_radius", "outer wheel's turn radius", of_turn(&vehicle::Turn::outer_radius)));
    add(radius("turning_circle", "turning circle", [](const RigState& state) {
      return state.turn ? 2 * state.turn->outer_radius : kNaN;
    }));
  }
  if (steering.column) {
    const int l = axle->left, r = axle->right < 0 ? l : axle->right;
    const double gear = steering.column->ratio;
    add({"overall_ratio", "steering wheel over mean steer", "", 1, 1, 2,
         [=](const RigState& state) {
           return std::abs(2 * gear /
                           (state.wheels[l].steer_by_steer + state.wheels[r].steer_by_steer));
         }});
  }
  return columns;
}

const RigColumn& column_of(const std::vector<RigColumn>& columns, const std::string& key) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const RigColumn& column) { return column.key == key; });
  assert(found != columns.end());
  return *found;
}

}  // namespace camber::analysis
