#include "camber/dynamics/ground.h"

#include <cmath>
#include <utility>

#include "camber/core/require.h"

namespace camber::dynamics {
namespace {

const tire::RollingTire& tire_of(const RigidGround& rigid, std::size_t wheel) {
  return wheel % 2 == 1 && rigid.right ? *rigid.right : rigid.tire;
}

/// Under the wheel's center.
const terrain::LumpedSoil& soil_of(const LumpedGround& lumped, const terrain::Terrain& terrain,
                                   const WheelMotion<double>& wheel) {
  if (terrain.soil_map.is_uniform())
    return lumped.soils[static_cast<std::size_t>(terrain.soil_map.everywhere())];
  const int under = terrain.soil_map.at(wheel.center[0], wheel.center[1]);
  return lumped.soils[static_cast<std::size_t>(under)];
}

}  // namespace

Ground::Ground(const terrain::Terrain* terrain, GroundModel model, int wheels)
    : terrain_(terrain), model_(std::move(model)), cache_(terrain->make_cache()) {
  require(wheels > 0, "Ground: a vehicle has wheels, got ", wheels);
  memory_.resize(static_cast<std::size_t>(wheels));
  if (const auto* lumped = std::get_if<LumpedGround>(&model_))
    require(lumped->soils.size() == terrain->soils.size(), "Ground: the terrain has ",
            terrain->soils.size(), " soils, the lumped ground ", lumped->soils.size());
  if (auto* soft = std::get_if<SoilGround>(&model_)) {
    soil_ = std::make_unique<terrain::SoilGrid>(terrain, soft->grid);
    if (!soft->tire.deflection.empty() && soft->tread.last == 0)
      soft->tread = terrain::fit_tread(soft->tire.deflection, soft->tire.force, soft->wheel.radius,
                                       soft->wheel.width);
  }
}

void Ground::commit(std::span<const WheelMotion<double>> wheels,
                    std::span<const tire::TireState<double>> states, const StageTime& time,
                    std::span<WheelForces<double>> forces) {
  calc_all(wheels, states, time, true, forces);
}

void Ground::calc(std::span<const WheelMotion<double>> wheels,
                  std::span<const tire::TireState<double>> states, const StageTime& time,
                  std::span<WheelForces<double>> forces) {
  calc_all(wheels, states, time, false, forces);
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

void Ground::calc_all(std::span<const WheelMotion<double>> wheels,
                      std::span<const tire::TireState<double>> states, const StageTime& time,
                      bool commit, std::span<WheelForces<double>> forces) {
  const std::size_t n = wheels.size();
  if (const auto* rigid = std::get_if<RigidGround>(&model_)) {
    if (!rigid->right) {
      calc_wheels_on_ground(rigid->tire, rigid->contact, *terrain_, &cache_, wheels, states,
                            forces);
      return;
    }
    for (std::size_t i = 0; i < n; ++i)
      forces[i] = calc_wheel_on_ground(tire_of(*rigid, i), rigid->contact, *terrain_, &cache_,
                                       wheels[i], states[i]);
  } else if (const auto* lumped = std::get_if<LumpedGround>(&model_)) {
    for (std::size_t i = 0; i < n; ++i)
      forces[i] = calc_wheel_on_lumped_soil(*lumped, soil_of(*lumped, *terrain_, wheels[i]),
                                            *terrain_, &cache_, wheels[i], states[i]);
  } else if (const auto* soft = std::get_if<SoilGround>(&model_)) {
    for (std::size_t i = 0; i < n; ++i)
      forces[i] = calc_wheel_on_soil(*soft, *terrain_, &cache_, wheels[i],
                                     {.dt = time.dt,
                                      .fresh = time.fresh,
                                      .is_for_good = commit,
                                      .rest = time.rest,
                                      .keep = time.keeps ? static_cast<int>(i) : -1},
                                     soil_.get(), &memory_[i]);
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

Footing Ground::find_footing(int wheel, const WheelMotion<double>& motion) {
  const auto& rigid = std::get<RigidGround>(model_);
  return dynamics::find_footing(tire_of(rigid, static_cast<std::size_t>(wheel)), rigid.contact,
                                *terrain_, &cache_, motion);
}

const tire::RollingConstraint* Ground::constraint(int wheel) const {
  const auto* rigid = std::get_if<RigidGround>(&model_);
  if (rigid == nullptr) return nullptr;
  const tire::RollingTire& tire = tire_of(*rigid, static_cast<std::size_t>(wheel));
  return tire.constraint ? &*tire.constraint : nullptr;
}

std::optional<double> Ground::calc_spring_energy(int wheel, double deflection) const {
  const auto* rigid = std::get_if<RigidGround>(&model_);
  if (rigid == nullptr) return std::nullopt;
  return tire::calc_spring_energy(tire_of(*rigid, static_cast<std::size_t>(wheel)).vertical,
                                  deflection);
}

double Ground::free_radius() const {
  if (const auto* rigid = std::get_if<RigidGround>(&model_)) return rigid->tire.radius;
  if (const auto* lumped = std::get_if<LumpedGround>(&model_)) return lumped->soils.front().radius;
  return std::get<SoilGround>(model_).wheel.radius;
}

double Ground::safe_load(int wheel) const {
  const auto* soft = std::get_if<SoilGround>(&model_);
  if (soft == nullptr) return HUGE_VAL;
  return calc_safe_load(*soft, *terrain_, memory_[static_cast<std::size_t>(wheel)]);
}

}  // namespace camber::dynamics
