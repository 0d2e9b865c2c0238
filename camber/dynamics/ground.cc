#include "camber/dynamics/ground.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"

namespace camber::dynamics {
namespace {

/// Under the wheel's center.
const terrain::LumpedSoil& soil_of(const LumpedGround& lumped, const terrain::Terrain& terrain,
                                   const WheelMotion<double>& wheel) {
  if (terrain.soil_map.is_uniform())
    return lumped.soils[static_cast<std::size_t>(terrain.soil_map.everywhere())];
  const int under = terrain.soil_map.at(wheel.center[0], wheel.center[1]);
  return lumped.soils[static_cast<std::size_t>(under)];
}

}  // namespace

Ground::Ground(const terrain::Terrain* terrain,
               std::vector<std::shared_ptr<const GroundModel>> tires)
    : terrain_(terrain), models_(std::move(tires)), cache_(terrain->make_cache()) {
  require(!models_.empty(), "Ground: a vehicle needs at least one tire");
  for (std::size_t i = 0; i < models_.size(); ++i) {
    require(models_[i] != nullptr, "Ground: tire ", i, " has no model");
    require(models_[i]->index() == models_[0]->index(),
            "Ground: all tires must be on ground of one kind; tire ", i, " is not");
    if (i > 0 && models_[i] == models_[i - 1])
      ++runs_.back().count;
    else
      runs_.push_back({i, 1});
  }
  memory_.resize(models_.size());
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const auto group = std::ranges::find_if(
        groups_, [&](const auto& one) { return models_[one.front()] == models_[i]; });
    if (group == groups_.end()) {
      groups_.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  group_motions_.resize(models_.size());
  group_states_.resize(models_.size());
  group_forces_.resize(models_.size());
  // A soil's tread that is not given is fitted once per model.
  for (const Run& run : runs_) {
    if (const auto* lumped = std::get_if<LumpedGround>(models_[run.first].get()))
      require(lumped->soils.size() == terrain->soils.size(), "Ground: the terrain has ",
              terrain->soils.size(), " soils, the lumped ground ", lumped->soils.size());
    const auto* soft = std::get_if<SoilGround>(models_[run.first].get());
    if (soft == nullptr) continue;
    if (!soil_) soil_ = std::make_unique<terrain::SoilGrid>(terrain, soft->grid);
    if (soft->tire.deflection.empty() || soft->tread.last != 0) continue;
    SoilGround fitted = *soft;
    fitted.tread = terrain::fit_tread(soft->tire.deflection, soft->tire.force, soft->wheel.radius,
                                      soft->wheel.width);
    const auto model = std::make_shared<const GroundModel>(std::move(fitted));
    for (std::size_t i = run.first; i < run.first + run.count; ++i) models_[i] = model;
  }
}

Ground::Ground(const terrain::Terrain* terrain, GroundModel model, int tires)
    : Ground(terrain, std::vector<std::shared_ptr<const GroundModel>>(
                          static_cast<std::size_t>(std::max(tires, 0)),
                          std::make_shared<const GroundModel>(std::move(model)))) {}

void Ground::commit(std::span<const WheelMotion<double>> tires,
                    std::span<const tire::TireState<double>> states, const StageTime& time,
                    std::span<WheelForces<double>> forces) {
  calc_all(tires, states, time, true, forces);
}

void Ground::calc(std::span<const WheelMotion<double>> tires,
                  std::span<const tire::TireState<double>> states, const StageTime& time,
                  std::span<WheelForces<double>> forces) {
  calc_all(tires, states, time, false, forces);
}

void Ground::calc_in_lanes(std::span<const WheelMotion<double>> tires,
                           std::span<const tire::TireState<double>> states,
                           std::span<WheelForces<double>> forces) {
  if (!std::holds_alternative<RigidGround>(*models_[0])) {
    calc_all(tires, states, {}, false, forces);
    return;
  }
  for (const std::vector<std::size_t>& group : groups_) {
    const auto& rigid = std::get<RigidGround>(*models_[group.front()]);
    const std::size_t n = group.size();
    for (std::size_t k = 0; k < n; ++k) {
      group_motions_[k] = tires[group[k]];
      group_states_[k] = states[group[k]];
    }
    calc_wheels_on_ground(rigid.tire, rigid.contact, *terrain_, &cache_,
                          std::span(group_motions_).first(n), std::span(group_states_).first(n),
                          std::span(group_forces_).first(n), true);
    for (std::size_t k = 0; k < n; ++k) forces[group[k]] = group_forces_[k];
  }
}

void Ground::finish_step() {
  if (soil_) soil_->finish_step();
}

void Ground::mark() {
  if (!soil_) return;
  marked_ = memory_;
  soil_->mark();
}

void Ground::roll_back() {
  if (!soil_) return;
  memory_ = marked_;
  soil_->roll_back();
}

void Ground::calc_all(std::span<const WheelMotion<double>> tires,
                      std::span<const tire::TireState<double>> states, const StageTime& time,
                      bool commit, std::span<WheelForces<double>> forces) {
  for (const Run& run : runs_) {
    const GroundModel& model = *models_[run.first];
    if (const auto* rigid = std::get_if<RigidGround>(&model)) {
      calc_wheels_on_ground(
          rigid->tire, rigid->contact, *terrain_, &cache_, tires.subspan(run.first, run.count),
          states.subspan(run.first, run.count), forces.subspan(run.first, run.count));
      continue;
    }
    for (std::size_t i = run.first; i < run.first + run.count; ++i) {
      if (const auto* lumped = std::get_if<LumpedGround>(&model)) {
        forces[i] = calc_wheel_on_lumped_soil(*lumped, soil_of(*lumped, *terrain_, tires[i]),
                                              *terrain_, &cache_, tires[i], states[i]);
      } else if (const auto* soft = std::get_if<SoilGround>(&model)) {
        forces[i] = calc_wheel_on_soil(*soft, *terrain_, &cache_, tires[i],
                                       {.dt = time.dt,
                                        .fresh = time.fresh,
                                        .is_for_good = commit,
                                        .rest = time.rest,
                                        .keep = time.keeps ? static_cast<int>(i) : -1},
                                       soil_.get(), &memory_[i]);
      }
    }
  }
}

void Ground::append_state(std::vector<double>* state) const {
  if (!soil_) return;
  for (const SoilWheelMemory& m : memory_)
    state->insert(state->end(), {m.area, m.sinkage, m.point[0], m.point[1], m.point[2]});
  soil_->append_state(state);
}

void Ground::set_state(std::span<const double> state) {
  constexpr std::size_t kPerWheel = 5;
  const std::size_t wheels = soil_ ? kPerWheel * memory_.size() : 0;
  require(soil_ ? state.size() > wheels : state.empty(), "Ground::set_state: ", state.size(),
          " numbers do not belong to this ground");
  if (!soil_) return;
  const double* at = state.data();
  for (SoilWheelMemory& m : memory_) {
    m = {at[0], at[1], {at[2], at[3], at[4]}};
    at += kPerWheel;
  }
  soil_->set_state(state.subspan(wheels));
}

Footing Ground::find_footing(int tire, const WheelMotion<double>& motion) {
  const auto& rigid = std::get<RigidGround>(*models_[static_cast<std::size_t>(tire)]);
  return dynamics::find_footing(rigid.tire, rigid.contact, *terrain_, &cache_, motion);
}

const tire::RollingConstraint* Ground::constraint(int tire) const {
  const auto* rigid = std::get_if<RigidGround>(models_[static_cast<std::size_t>(tire)].get());
  return rigid != nullptr && rigid->tire.constraint ? &*rigid->tire.constraint : nullptr;
}

std::optional<double> Ground::calc_spring_energy(int tire, double deflection) const {
  const auto* rigid = std::get_if<RigidGround>(models_[static_cast<std::size_t>(tire)].get());
  if (rigid == nullptr) return std::nullopt;
  return tire::calc_spring_energy(rigid->tire.vertical, deflection);
}

double Ground::free_radius(int tire) const {
  const GroundModel& model = *models_[static_cast<std::size_t>(tire)];
  if (const auto* rigid = std::get_if<RigidGround>(&model)) return rigid->tire.radius;
  if (const auto* lumped = std::get_if<LumpedGround>(&model)) return lumped->soils.front().radius;
  return std::get<SoilGround>(model).wheel.radius;
}

double Ground::safe_load(int tire) const {
  const auto at = static_cast<std::size_t>(tire);
  const auto* soft = std::get_if<SoilGround>(models_[at].get());
  if (soft == nullptr) return HUGE_VAL;
  return calc_safe_load(*soft, *terrain_, memory_[at]);
}

}  // namespace camber::dynamics
