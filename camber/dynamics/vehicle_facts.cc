#include "camber/dynamics/vehicle_facts.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include "camber/core/require.h"

namespace camber::dynamics {
namespace {

/// Cornering stiffness of one tire at a load [N/rad].
double find_cornering_stiffness(const tire::RollingTire& tire, double load) {
  return std::visit([&](const auto& model) { return calc_slip_stiffness(model, load, 1.0).Ky; },
                    tire.steady);
}

/// A wheel's inertia about its axis [kg m^2].
double find_wheel_inertia(const vehicle::VehicleMechanism& mechanism,
                          const vehicle::Corner& corner) {
  const Vector3 axis = corner.wheel_axis.normalized();
  return axis.dot(mechanism.mechanism.bodies[corner.wheel.value].I_BBcm_B * axis);
}

std::vector<AxleFacts> find_axles(const vehicle::Vehicle& vehicle,
                                  const vehicle::VehicleMechanism& mechanism) {
  const std::vector<vehicle::Axle> axles = all_axles(vehicle);
  const Vector3 to_trailer = vehicle.trailer ? vehicle.trailer->offset() : Vector3::Zero();
  std::vector<AxleFacts> facts(axles.size());
  for (std::size_t i = 0; i < axles.size(); ++i) {
    AxleFacts& fact = facts[i];
    fact.name = axles[i].name;
    fact.is_towed = i >= vehicle.axles.size();
    fact.x = axles[i].points.wheel.x() + (fact.is_towed ? to_trailer.x() : 0);
    fact.track = axles[i].is_mirrored ? 2 * std::abs(axles[i].points.wheel.y()) : 0;
  }
  for (std::size_t i = 0; i < mechanism.corners.size(); ++i) {
    const vehicle::Corner& corner = mechanism.corners[i];
    AxleFacts& fact = facts[static_cast<std::size_t>(corner.axle)];
    fact.wheels.push_back(static_cast<int>(i));
    fact.tires += corner.dual_spacing > 0 ? 2 : 1;
    fact.wheel_inertia += find_wheel_inertia(mechanism, corner);
  }
  return facts;
}

/// Sum and moments of what carries a body along x.
struct Springs {
  double sum = 0, first = 0, second = 0;  // of k, k x, k x^2
};

/// Loads of axles under a weight at x: k (z + x theta) with equal springs k under all tires.
void share_load(double weight, double x, std::span<AxleFacts* const> axles) {
  if (axles.size() == 1) {
    axles[0]->static_load = weight;
    return;
  }
  if (axles.size() == 2) {
    const double base = axles[0]->x - axles[1]->x, to_first = axles[0]->x - x;
    axles[0]->static_load = weight * (base - to_first) / base;
    axles[1]->static_load = weight * to_first / base;
    return;
  }
  Springs k;
  for (const AxleFacts* axle : axles) {
    const double from = axle->x - x, stiffness = axle->tires;
    k.sum += stiffness;
    k.first += stiffness * from;
    k.second += stiffness * from * from;
  }
  // z sum + theta first = weight, z first + theta second = 0
  const double det = k.sum * k.second - k.first * k.first;
  const double z = weight * k.second / det, theta = -weight * k.first / det;
  for (AxleFacts* axle : axles)
    axle->static_load = std::max(0.0, axle->tires * (z + theta * (axle->x - x)));
}

/// The trailer stands on its axles and on the hitch; returns what the hitch carries [N].
double share_trailer_load(const vehicle::Vehicle& vehicle,
                          const vehicle::VehicleMechanism& mechanism, double gravity,
                          std::span<AxleFacts* const> axles) {
  const auto& bodies = mechanism.mechanism.bodies;
  const auto first =
      static_cast<std::size_t>(mechanism.mechanism.joints[mechanism.hitch.value].child.value);
  double mass = 0, moment = 0;
  for (std::size_t i = first; i < bodies.size(); ++i) {
    mass += bodies[i].mass;
    moment += bodies[i].mass * (bodies[i].p_BoBcm_B.x() + vehicle.trailer->offset().x());
  }
  const double hitch = vehicle.trailer->hitch.x(), weight = mass * gravity;
  double tires = 0, middle = 0;
  for (const AxleFacts* axle : axles) {
    tires += axle->tires;
    middle += axle->tires * axle->x;
  }
  middle /= tires;
  const double carried = weight * (moment / mass - hitch) / (middle - hitch);
  for (AxleFacts* axle : axles) axle->static_load = carried * axle->tires / tires;
  return weight - carried;
}

/// Axles ahead of the center of mass, or after it, and where their load acts.
struct PlacedGroup {
  AxleGroup group;
  double x = 0;  // [m]
};

PlacedGroup make_group(const std::vector<AxleFacts>& axles, double center, bool is_front) {
  AxleGroup group;
  double moment = 0;
  for (std::size_t i = 0; i < axles.size(); ++i) {
    const AxleFacts& axle = axles[i];
    if (axle.is_towed || (axle.x > center) != is_front) continue;
    group.axles.push_back(static_cast<int>(i));
    group.static_load += axle.static_load;
    group.cornering_stiffness += axle.cornering_stiffness;
    group.tires += axle.tires;
    moment += axle.static_load * axle.x;
  }
  require(!group.axles.empty(), "make_vehicle_facts: no axle is ", is_front ? "ahead of" : "after",
          " the center of mass at x = ", center, " m");
  const double x = group.axles.size() == 1 ? axles[group.axles[0]].x : moment / group.static_load;
  return {std::move(group), x};
}

/// Over the wheels, where the vehicle's file does not say what its body covers.
vehicle::Outline find_outline(const vehicle::Vehicle& vehicle, const VehicleTires& tires,
                              const std::vector<AxleFacts>& axles) {
  if (!vehicle.shape.empty()) return vehicle.shape.outline();
  vehicle::Outline all;
  bool is_first = true;
  for (std::size_t i = 0; i < vehicle.axles.size(); ++i) {
    const vehicle::Axle& axle = vehicle.axles[i];
    const tire::RollingTire& tire = *tires.wheels[axles[i].wheels[0]].tire;
    const double side = std::abs(axle.points.wheel.y()) + 0.5 * (axle.dual_spacing + tire.width);
    const double front = axles[i].x + tire.radius, rear = axles[i].x - tire.radius;
    all = {.rear = is_first ? rear : std::min(all.rear, rear),
           .front = is_first ? front : std::max(all.front, front),
           .right = is_first ? -side : std::min(all.right, -side),
           .left = is_first ? side : std::max(all.left, side)};
    is_first = false;
  }
  return all;
}

}  // namespace

MassTotal find_total(const vehicle::VehicleMechanism& mechanism) {
  const auto& bodies = mechanism.mechanism.bodies;
  const std::size_t own =
      mechanism.hitch.valid()
          ? static_cast<std::size_t>(mechanism.mechanism.joints[mechanism.hitch.value].child.value)
          : bodies.size();
  MassTotal total;
  for (std::size_t i = 0; i < own; ++i) {
    total.mass += bodies[i].mass;
    total.center += bodies[i].mass * bodies[i].p_BoBcm_B;
  }
  total.center /= total.mass;
  for (std::size_t i = 0; i < own; ++i) {
    const Vector3 r = bodies[i].p_BoBcm_B - total.center;
    total.yaw_inertia +=
        bodies[i].I_BBcm_B(2, 2) + bodies[i].mass * (r.x() * r.x() + r.y() * r.y());
  }
  for (std::size_t i = own; i < bodies.size(); ++i) total.trailer_mass += bodies[i].mass;
  return total;
}

VehicleFacts make_vehicle_facts(const vehicle::Vehicle& vehicle,
                                const vehicle::VehicleMechanism& mechanism,
                                const VehicleTires& tires, const SteeringMap* steering) {
  require(tires.wheels.size() == mechanism.corners.size(),
          "make_vehicle_facts: ", mechanism.corners.size(), " wheels, ", tires.wheels.size(),
          " tires");
  VehicleFacts facts;
  const MassTotal total = find_total(mechanism);
  facts.name = vehicle.name;
  facts.mass = total.mass;
  facts.center = total.center;
  facts.yaw_inertia = total.yaw_inertia;
  facts.trailer_mass = total.trailer_mass;
  facts.gravity = vehicle.gravity.norm();
  facts.height = total.center.z() + vehicle.height;
  facts.axles = find_axles(vehicle, mechanism);
  std::vector<AxleFacts*> own, towed;
  for (AxleFacts& axle : facts.axles) (axle.is_towed ? towed : own).push_back(&axle);
  std::ranges::stable_sort(own, [](const AxleFacts* a, const AxleFacts* b) { return a->x > b->x; });
  double weight = facts.weight(), x = facts.center.x();
  if (!towed.empty()) {
    const double on_hitch = share_trailer_load(vehicle, mechanism, facts.gravity, towed);
    x = (weight * x + on_hitch * vehicle.trailer->hitch.x()) / (weight + on_hitch);
    weight += on_hitch;
  }
  share_load(weight, x, own);
  for (AxleFacts& axle : facts.axles) {
    facts.wheel_inertia += axle.wheel_inertia;
    axle.cornering_stiffness =
        axle.tires *
        find_cornering_stiffness(*tires.wheels[axle.wheels[0]].tire, axle.static_load / axle.tires);
  }
  PlacedGroup front = make_group(facts.axles, facts.center.x(), true),
              rear = make_group(facts.axles, facts.center.x(), false);
  facts.front = std::move(front.group);
  facts.rear = std::move(rear.group);
  facts.front.distance = front.x - facts.center.x();
  facts.rear.distance = front.x - rear.x - facts.front.distance;
  facts.middle.assign(mechanism.corners.size(), 0.0);
  for (const AxleGroup* group : {&facts.front, &facts.rear}) {
    std::size_t count = 0;
    for (const int axle : group->axles) count += facts.axles[axle].wheels.size();
    for (const int axle : group->axles)
      for (const int wheel : facts.axles[axle].wheels)
        facts.middle[wheel] = 0.5 / static_cast<double>(count);
  }
  int count = 0;
  double load = 0;
  for (const AxleFacts& axle : facts.axles) {
    count += axle.tires;
    load += axle.static_load;
  }
  facts.tire_load = (towed.empty() ? facts.weight() : load) / count;
  facts.tire = find_tire_figures(*tires.wheels[0].tire, facts.tire_load);
  if (steering != nullptr)
    facts.max_steer = std::min(-steering->angle.front(), steering->angle.back());
  facts.shape = vehicle.shape;
  facts.outline = find_outline(vehicle, tires, facts.axles);
  return facts;
}

}  // namespace camber::dynamics
