#include "camber/record/vehicle_channels.h"

#include <limits>
#include <utility>

#include "camber/core/require.h"
#include "camber/record/channel_names.h"

namespace camber::record {

namespace {

using dynamics::VehicleSnapshot;

/// A quantity that each wheel has.
struct WheelChannel {
  const char* name;
  const char* unit;
  const char* description;
  double VehicleSnapshot::Wheel::*value;
};

using W = VehicleSnapshot::Wheel;
constexpr WheelChannel kWheelChannels[] = {
    {channel::kWheelLoad, "N", "Normal force of the ground", &W::load},
    {channel::kWheelLongitudinalForce, "N", "Force of the ground along the wheel plane",
     &W::longitudinal_force},
    {channel::kWheelLateralForce, "N", "Force of the ground to the left", &W::lateral_force},
    {channel::kWheelSlip, "1", "Longitudinal slip; driving is positive", &W::slip},
    {channel::kWheelSlipAngle, "rad", "Angle of the wheel's motion to the left of its plane",
     &W::slip_angle},
    {channel::kWheelCamber, "rad", "Camber against the ground; top outward is positive",
     &W::camber},
    {channel::kWheelSpin, "rad/s", "Rotation against the hub", &W::spin},
    {channel::kWheelDeflection, "m", "Deflection of the tire", &W::deflection},
    {channel::kWheelSinkage, "m", "Sinkage into soft ground", &W::sinkage},
    {channel::kWheelDriveTorque, "N m", "Torque of the driveline at the wheel", &W::drive_torque},
    {channel::kWheelBrakeTorque, "N m", "Torque of the brake at the wheel", &W::brake_torque},
    {channel::kWheelBrakePressure, "1", "Pressure at the brake, 1 at full pedal",
     &W::brake_pressure},
    {channel::kWheelTravel, "m", "Wheel center up against the body, from the design position",
     &W::travel},
    {channel::kWheelAligningTorque, "N m",
     "Torque of the ground about its normal at the contact, to the left", &W::aligning_torque},
    {channel::kWheelGroundHeight, "m", "Height of the ground at the contact", &W::ground_height},
};

struct AxleChannel {
  const char* name;
  double VehicleSnapshot::Axle::*value;
};
using A = VehicleSnapshot::Axle;
constexpr AxleChannel kAxleChannels[] = {
    {channel::kAxleLoad, &A::load},
    {channel::kAxleLongitudinalForce, &A::longitudinal_force},
    {channel::kAxleLateralForce, &A::lateral_force},
};

struct StrutChannel {
  const char* name;
  const char* unit;
  const char* description;
  double VehicleSnapshot::Strut::*value;
};
using S = VehicleSnapshot::Strut;
constexpr StrutChannel kStrutChannels[] = {
    {channel::kStrutForce, "N", "Of springs, stops and shocks; tension is positive", &S::force},
    {channel::kStrutLength, "m", "Of springs, stops and shocks, between their ends", &S::length},
    {channel::kStrutRate, "m/s", "Of springs, stops and shocks; lengthening is positive", &S::rate},
};

void add_inner_forces(const dynamics::VehicleLayout& layout, const std::string& prefix,
                      std::vector<Channel>* channels) {
  const auto add = [&](const std::string& name, const std::vector<std::string>& names,
                       std::vector<std::string> units, const char* description) {
    if (names.empty()) return;
    channels->push_back({.name = prefix + name,
                         .shape = {names.size()},
                         .units = std::move(units),
                         .names = names,
                         .description = description});
  };
  for (const StrutChannel& c : kStrutChannels) add(c.name, layout.struts, {c.unit}, c.description);
  add(channel::kBarTwist, layout.anti_roll_bars, {"rad"},
      "Of the anti-roll bar of an axle: its right half against the left one, about y");
  add(channel::kBarTorque, layout.anti_roll_bars, {"N m"}, "By which the bar resists this twist");
  add(channel::kRodForce, layout.rods, {"N"}, "Along rods without mass; tension is positive");
  std::vector<std::string> names, units;
  for (const std::string& joint : layout.joints)
    for (const char* part : {"fx", "fy", "fz", "tx", "ty", "tz"}) {
      names.push_back(concat(joint, ".", part));
      units.emplace_back(part[0] == 'f' ? "N" : "N m");
    }
  add(channel::kJointLoads, names, units,
      "Force and torque on each joint's child at the joint, in the vehicle's axes");
  for (const std::string& name : layout.accelerometers)
    add(channel::kAccelerometers + name, {"x", "y", "z"}, {"m/s^2"},
        "Acceleration of a point along the axes of its body, without gravity");
}

}  // namespace

std::vector<Channel> list_vehicle_channels(const dynamics::VehicleLayout& layout,
                                           const std::string& prefix) {
  std::vector<Channel> channels;
  const auto add = [&](const char* name, std::vector<std::string> names,
                       std::vector<std::string> units, const char* description) {
    Channel channel{.name = prefix + name, .description = description};
    if (!names.empty()) channel.shape = {names.size()};
    channel.names = std::move(names);
    channel.units = std::move(units);
    channels.push_back(std::move(channel));
  };
  add(channel::kPosition, {"x", "y", "z"}, {"m"}, "Origin of the vehicle's frame in the world");
  add(channel::kAttitude, {"roll", "pitch", "yaw"}, {"rad"},
      "Rotations about z, then y, then x; positive: to the left, nose down, right side down");
  add(channel::kVelocity, {"forward", "left", "up"}, {"m/s"},
      "Velocity of the frame's origin, in level axes that follow the yaw");
  add(channel::kRates, {"roll", "pitch", "yaw"}, {"rad/s"}, "Angular velocity about the same axes");
  add(channel::kAcceleration, {"forward", "left", "up"}, {"m/s^2"},
      "Acceleration of the chassis' center of mass along the same axes, without gravity");
  add(channel::kSideslip, {}, {"rad"},
      "Angle from the heading to the motion of the vehicle's center of mass, to the left; 0 below "
      "0.5 m/s");
  add(channel::kCommand, {"steer", "throttle", "brake"}, {"rad", "1", "1"},
      "What the driver asks for: mean angle of the steered wheels, pedals");
  add(channel::kSteerAngle, layout.steered, {"rad"}, "Steered wheels against the body");
  if (layout.has_steering_torque)
    add(channel::kSteeringWheel, {"angle", "torque"}, {"rad", "N m"},
        "Steering wheel, to the left; the driver's torque on it");
  else
    add(channel::kSteeringWheel, {"angle"}, {"rad"}, "Steering wheel, to the left");
  if (layout.has_engine) {
    add(channel::kEngine, {"speed", "torque"}, {"rad/s", "N m"}, "Crankshaft");
    add(channel::kGear, {}, {"1"}, "-1 reverse, 0 neutral; in a shift the next one");
  }
  if (layout.has_clutch) add(channel::kClutch, {}, {"1"}, "Share to which it is closed");
  if (layout.has_fuel)
    add(channel::kFuel, {"rate", "used", "volume"}, {"kg/s", "kg", "m^3"},
        "Of the engine; since the start");
  if (layout.has_battery)
    add(channel::kBattery, {"charge", "current", "voltage", "energy"}, {"1", "A", "V", "J"},
        "State of charge; out of it is positive; of its source; taken since the start, its own "
        "losses included");
  if (!layout.wheels.empty())
    for (const WheelChannel& c : kWheelChannels)
      add(c.name, layout.wheels, {c.unit}, c.description);
  if (!layout.controllers.empty())
    add(channel::kControllers, layout.controllers, {"1"}, "How strongly they intervene, 0 to 1");
  if (!layout.axles.empty())
    for (const AxleChannel& c : kAxleChannels)
      add(c.name, layout.axles, {"N"}, "Force of the ground on an axle");
  if (!layout.coordinates.empty())
    add(channel::kCoordinates, layout.coordinates, layout.coordinate_units,
        "Generalized positions, from which the poses of all bodies follow");
  add_inner_forces(layout, prefix, &channels);
  if (!layout.has_energy) return channels;
  add(channel::kEnergy, {"kinetic", "potential", "elastic", "engine", "dissipated", "error"}, {"J"},
      "Stored; work of engine and steering; loss in tires, brakes, dampers, gears and air; what is "
      "missing from the balance");
  add(channel::kTireEnergy, {"lost", "treads", "springs", "into_springs"}, {"J"},
      "Lost by sliding, rolling and damping; in bent treads; in springs, from their deflections "
      "and from the power that went into them");
  return channels;
}

void append_vehicle_values(const dynamics::VehicleLayout& layout, const VehicleSnapshot& snapshot,
                           std::vector<double>* values) {
  const auto add = [&](const math::Vec3<double>& x) {
    values->insert(values->end(), {x[0], x[1], x[2]});
  };
  add(snapshot.position);
  values->insert(values->end(), {snapshot.roll, snapshot.pitch, snapshot.yaw});
  add(snapshot.velocity);
  add(snapshot.rates);
  add(snapshot.acceleration);
  values->push_back(snapshot.sideslip);
  const autonomy::Command& command = snapshot.command;
  values->insert(values->end(), {command.steer, command.throttle, command.brake});
  values->insert(values->end(), snapshot.steer_angles.begin(), snapshot.steer_angles.end());
  values->push_back(snapshot.steering_wheel_angle);
  if (layout.has_steering_torque) values->push_back(snapshot.steering_wheel_torque);
  if (layout.has_engine)
    values->insert(values->end(), {snapshot.engine_speed, snapshot.engine_torque,
                                   static_cast<double>(snapshot.gear)});
  if (layout.has_clutch) values->push_back(snapshot.clutch);
  if (layout.has_fuel)
    values->insert(values->end(), {snapshot.fuel.rate, snapshot.fuel.used, snapshot.fuel.volume});
  if (layout.has_battery)
    values->insert(values->end(), {snapshot.battery.charge, snapshot.battery.current,
                                   snapshot.battery.voltage, snapshot.battery.energy});
  if (!layout.wheels.empty())
    for (const WheelChannel& c : kWheelChannels)
      for (const W& wheel : snapshot.wheels) values->push_back(wheel.*c.value);
  if (!layout.controllers.empty())
    values->insert(values->end(), snapshot.controller_activity.begin(),
                   snapshot.controller_activity.end());
  if (!layout.axles.empty())
    for (const AxleChannel& c : kAxleChannels)
      for (const A& axle : snapshot.axles) values->push_back(axle.*c.value);
  if (!layout.coordinates.empty())
    values->insert(values->end(), snapshot.coordinates.begin(), snapshot.coordinates.end());
  for (const StrutChannel& c : kStrutChannels)
    for (const S& strut : snapshot.struts) values->push_back(strut.*c.value);
  for (const std::vector<double>* list :
       {&snapshot.bar_twists, &snapshot.bar_torques, &snapshot.rod_forces, &snapshot.joint_loads})
    values->insert(values->end(), list->begin(), list->end());
  for (const math::Vec3<double>& a : snapshot.accelerations) add(a);
  if (!layout.has_energy) return;
  if (!snapshot.energy) {
    constexpr std::size_t kEntries = 10;
    values->insert(values->end(), kEntries, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const VehicleSnapshot::Energy& e = *snapshot.energy;
  values->insert(values->end(), {e.kinetic, e.potential, e.elastic, e.work, e.dissipated, e.error});
  values->insert(values->end(), {e.tire_loss, e.tire_treads, e.tire_springs, e.into_tire_springs});
}

}  // namespace camber::record
