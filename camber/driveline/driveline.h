#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "camber/driveline/brake.h"
#include "camber/driveline/coupling.h"
#include "camber/driveline/differential.h"
#include "camber/driveline/energy_source.h"
#include "camber/driveline/engine.h"
#include "camber/driveline/gearbox.h"
#include "camber/driveline/torque_converter.h"

namespace camber::driveline {

/// The load of a differential's shaft: another differential, a wheel, or nothing.
struct DriveOutput {
  int differential = -1;  // in Driveline::differentials
  int wheel = -1;
  bool operator==(const DriveOutput&) const = default;
};

/// A differential and the loads of its two shafts.
template <class Number>
struct BasicDifferentialNode {
  BasicDifferential<Number> law = {};
  std::array<DriveOutput, 2> outputs = {};
  /// In low range a clutch locks its shafts to each other: torque over the difference of their
  /// speeds [N m s/rad]. As stiff as possible without oscillation at steps of 1 ms.
  Number low_range_lock{0};
  /// The same clutch, or another one, for a lock that is given: times the share that is asked for
  /// [N m s/rad]. `locked` is the share that it always has, 0 to 1.
  Number lock{0}, locked{0};
};
using DifferentialNode = BasicDifferentialNode<double>;

/// The max number of differentials in a driveline: two per driven axle, for sixteen axles.
inline constexpr std::size_t kMaxDifferentials = 32;

/// What makes a driveline electric: its engine is a motor.
struct ElectricDrive {
  MotorLosses losses = {};
  Battery battery = {};
  double auxiliary = 0;     // power that the vehicle takes beside the motor [W]
  double regeneration = 0;  // share of the motor's torque with which it may brake
  double fade_speed = 0;    // of the motor, below which braking fades out [rad/s]
};

/// Engine, converter or coupling, gearbox, transfer case, a tree of differentials whose leaves are wheels,
/// hubs.
struct Driveline {
  Engine engine = {};
  TorqueConverter converter = {};
  std::optional<Coupling> coupling = {};  // in place of the converter
  std::optional<Fuel> fuel = {};
  std::optional<ElectricDrive> electric = {};
  Gearbox gearbox = {};
  double transfer_high = 1, transfer_low = 1;
  double axle_ratio = 1;
  double hub_ratio = 1;
  double efficiency = 1;  // from turbine to wheels, when the engine drives
  /// The first one is driven by the transfer case; each other one by a differential before it.
  std::vector<DifferentialNode> differentials = {};
};

struct DriveInputs {
  double throttle = 0;  // 0 to 1
  bool is_low_range = false;
  GearState gear = {};
  double lock = 0;          // of the differentials that have one, 0 to 1
  double clutch = -1;       // pedal, 1 is pressed; negative: automated
  double regeneration = 0;  // torque of the motor that brakes [N m]
};

template <class T>
struct DrivelineResult {
  T engine_rate;                    // of the engine's speed [rad/s^2]
  T engine_torque, turbine_torque;  // [N m]
  T output_torque;                  // on the first differential, at the wheels [N m]
  T twist_rate;                     // of a coupling [rad/s]
  T closed;                         // share to which its clutch is closed
};

/// Throws std::invalid_argument if the differentials are not a tree whose leaves are different
/// wheels out of `wheel_count`.
void require_tree(const Driveline& driveline, int wheel_count);

/// Input over output speed from the turbine to the wheels, in the gear that is in or, in a shift, to
/// come; 0 in neutral.
double total_ratio(const Driveline& driveline, const DriveInputs& inputs);

/// A ratio of the gearbox, times those from its output to the wheels.
inline double with_axles(const Driveline& d, double gearbox_ratio, bool is_low_range) {
  const double transfer = is_low_range ? d.transfer_low : d.transfer_high;
  return gearbox_ratio * transfer * d.axle_ratio * d.hub_ratio;
}

/// Input over output speed from the gearbox' output to the wheels.
double output_ratio(const Driveline& driveline, bool is_low_range);

/// The fraction of the torque that each wheel gets if all rotate at the same speed.
std::vector<double> find_shares(const Driveline& driveline, int wheel_count);

/// Engine, converter and gearbox, for a speed of the first differential's case. States: the engine's
/// speed and the twist of a coupling [rad]. Other shafts are rigid and without mass.
template <class T>
DrivelineResult<T> calc_engine_side(const Driveline& d, const DriveInputs& inputs,
                                    const T& engine_speed, const T& case_speed,
                                    const T& twist = T(0)) {
  using math::select;
  using std::sqrt;
  constexpr double kSoftTurning = 5;  // of the turbine [rad/s]
  const ShiftRatios shift = find_shift_ratios(d.gearbox, inputs.gear);
  const double ratio = with_axles(d, shift.speed, inputs.is_low_range);
  DrivelineResult<T> result;
  const T turbine_speed = ratio * case_speed;
  ConverterTorques<T> converter{T(0), T(0)};
  // While a clutch closes from open it slips, and nobody gives it throttle.
  const double held = engagement(d.gearbox, inputs.gear);
  result.closed = T(0);
  result.twist_rate = T(0);
  if (d.coupling) {
    constexpr double kRelaxed = 20;  // in neutral the springs of the coupling relax [1/s]
    result.closed = d.coupling->is_clutch && inputs.clutch < 0
                        ? calc_closing(*d.coupling, engine_speed)
                        : T(d.coupling->is_clutch ? 1 - inputs.clutch : 1);
    result.closed = ratio == 0 ? T(0) : T(held * result.closed);
    const CouplingTorque<T> coupled =
        calc_coupling(*d.coupling, result.closed, T(engine_speed - turbine_speed), twist);
    converter = {coupled.torque, coupled.torque};
    result.twist_rate = ratio == 0 ? T(-kRelaxed * twist) : coupled.twist_rate;
  } else if (ratio != 0 && held > 0) {
    converter = calc_converter(d.converter, engine_speed, turbine_speed);
    converter.pump = held * converter.pump;
    converter.turbine = held * converter.turbine;
  }
  const double throttle = held * throttle_share(d.gearbox, inputs.gear) * inputs.throttle;
  result.engine_torque = calc_engine_torque(d.engine, engine_speed, T(throttle));
  if (inputs.regeneration > 0) result.engine_torque -= inputs.regeneration;
  result.turbine_torque = converter.turbine;
  result.engine_rate = (result.engine_torque - converter.pump) / d.engine.inertia;
  // Gears lose a fraction of the transmitted power, in either direction. The loss grows with the
  // speed: a jump at rest would make the torque alternate in sign and let brakes creep.
  const T sense = select(converter.turbine < 0.0, T(-turbine_speed), turbine_speed);
  const T turning = sense / sqrt(sense * sense + kSoftTurning * kSoftTurning);
  const double loss = 1 - d.efficiency;
  const T passed =
      converter.turbine * (1.0 - turning * select(turning < 0.0, T(loss / d.efficiency), T(loss)));
  result.output_torque = ratio * passed;
  if (shift.speed != shift.torque || shift.speed != shift.other) {
    // In a shift the torque goes through a clutch that slips, with the ratio of its gear. A clutch
    // takes power and gives none: of the two, the one does it that slips in the torque's direction.
    const double planned = with_axles(d, shift.torque, inputs.is_low_range) - ratio,
                 other = with_axles(d, shift.other, inputs.is_low_range) - ratio;
    const T slip = turning * (planned > other ? -1.0 : 1.0);
    result.output_torque += passed * select(slip > 0.0, T(slip * planned), T(-slip * other));
  }
  return result;
}

/// Speeds of the differentials' cases, from the wheels up [rad/s].
template <class Number, class T>
void calc_case_speeds(const std::vector<BasicDifferentialNode<Number>>& differentials,
                      std::span<const T> wheel_speeds, std::span<T> cases) {
  for (std::size_t i = differentials.size(); i-- > 0;) {
    const BasicDifferentialNode<Number>& node = differentials[i];
    const auto speed = [&](const DriveOutput& output) {
      if (output.wheel >= 0) return wheel_speeds[static_cast<std::size_t>(output.wheel)];
      if (output.differential >= 0) return cases[static_cast<std::size_t>(output.differential)];
      return T(0);
    };
    cases[i] = calc_input_speed(node.law, T(speed(node.outputs[0])), T(speed(node.outputs[1])));
  }
}

/// Splits a torque on the first differential from it down to the wheels; others get 0. `is_low_range`
/// is a truth or, in lanes, one for each; `lock` is what is asked for, 0 to 1.
template <class Number, class Condition, class T>
void split_torque(const std::vector<BasicDifferentialNode<Number>>& differentials,
                  const Condition& is_low_range, double lock, const T& torque,
                  std::span<const T> wheel_speeds, std::span<const T> cases,
                  std::span<T> wheel_torques) {
  using math::any;
  using math::select;
  for (T& wheel : wheel_torques) wheel = T(0);
  std::array<T, kMaxDifferentials> torques;
  torques[0] = torque;
  for (std::size_t i = 0; i < differentials.size(); ++i) {
    const BasicDifferentialNode<Number>& node = differentials[i];
    const auto speed = [&](const DriveOutput& output) {
      if (output.wheel >= 0) return wheel_speeds[static_cast<std::size_t>(output.wheel)];
      if (output.differential >= 0) return cases[static_cast<std::size_t>(output.differential)];
      return T(0);
    };
    const auto give = [&](const DriveOutput& output, const T& given) {
      if (output.wheel >= 0) wheel_torques[static_cast<std::size_t>(output.wheel)] = given;
      if (output.differential >= 0) torques[static_cast<std::size_t>(output.differential)] = given;
    };
    const T first = speed(node.outputs[0]), second = speed(node.outputs[1]);
    ShaftTorques<T> shafts = calc_differential(node.law, torques[i], first, second);
    const auto locks = is_low_range && node.low_range_lock > 0.0;
    if (any(locks)) {
      const T moved = select(locks, T(node.low_range_lock * (first - second)), T(0));
      shafts = {T(shafts.first - moved), T(shafts.second + moved)};
    }
    if (any(node.lock > 0.0)) {
      const Number share = select(node.locked > lock, node.locked, Number(lock));
      const T moved = share * node.lock * (first - second);
      shafts = {T(shafts.first - moved), T(shafts.second + moved)};
    }
    give(node.outputs[0], shafts.first);
    give(node.outputs[1], shafts.second);
  }
}

/// The whole driveline: from the wheels' speeds to the torques on them [N m], in time proportional
/// to the number of differentials. Allocates nothing. The differentials are a tree: require_tree().
template <class T>
DrivelineResult<T> calc_driveline(const Driveline& d, const DriveInputs& inputs,
                                  const T& engine_speed, std::span<const T> wheel_speeds,
                                  std::span<T> wheel_torques, const T& twist = T(0)) {
  std::array<T, kMaxDifferentials> cases;
  calc_case_speeds(d.differentials, wheel_speeds, std::span<T>(cases));
  const DrivelineResult<T> result = calc_engine_side(d, inputs, engine_speed, cases[0], twist);
  split_torque(d.differentials, inputs.is_low_range, inputs.lock, result.output_torque,
               wheel_speeds, std::span<const T>(cases), wheel_torques);
  return result;
}

}  // namespace camber::driveline
