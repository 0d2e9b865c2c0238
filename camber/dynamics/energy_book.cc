#include "camber/dynamics/energy_book.h"

#include "camber/dynamics/generated_chassis.h"

namespace camber::dynamics {

template <class Chassis>
void EnergyBook::update(Chassis* chassis, double t, std::span<const double> q,
                        std::span<const double> v, const DriveSnapshot& now, double tire_springs,
                        double engine_inertia) {
  balance_.reset();
  if (motion_.follow(chassis, t, q, v)) take_balance(t, now, tire_springs, engine_inertia, true);
}

template <class Chassis>
void EnergyBook::look(Chassis* chassis, double t, std::span<const double> q,
                      std::span<const double> v, const DriveSnapshot& now, double tire_springs,
                      double engine_inertia) {
  balance_.reset();
  if (motion_.follow(chassis, t, q, v)) take_balance(t, now, tire_springs, engine_inertia, false);
}

void EnergyBook::take_balance(double t, const DriveSnapshot& now, double tire_springs,
                              double engine_inertia, bool moves_on) {
  const MechanismChassis::Energy energy = motion_.chassis().calc_energy();
  const double flywheel = 0.5 * engine_inertia * now.engine_speed * now.engine_speed;
  const EnergyAccounts& a = now.accounts;
  const double elastic = energy.elastic + tire_springs + a.treads;
  const double stored = energy.kinetic + flywheel + energy.gravity + elastic;
  if (moves_on) {
    if (memory_.until == 0 && t == 0) {
      memory_.first = stored;
    } else {
      memory_.damped += 0.5 * (memory_.damping_power + energy.damping_power) * (t - memory_.until);
    }
    memory_.damping_power = energy.damping_power;
    memory_.until = t;
  }
  const double dissipated = a.driveline + a.brakes + a.tires + a.air + memory_.damped;
  const double work = a.engine + a.steering;
  balance_ = {.kinetic = energy.kinetic + flywheel,
              .potential = energy.gravity,
              .elastic = elastic,
              .work = work,
              .dissipated = dissipated,
              .error = work - dissipated - (stored - memory_.first),
              .tire_loss = a.tires,
              .tire_treads = a.treads,
              .tire_springs = tire_springs,
              .into_tire_springs = a.tire_springs};
}

void EnergyBook::save(StateWriter* out) const {
  out->write(memory_.first);
  out->write(memory_.damped);
  out->write(memory_.damping_power);
  out->write(memory_.until);
  motion_.save(out);
}

void EnergyBook::restore(StateReader* in) {
  memory_.first = in->read();
  memory_.damped = in->read();
  memory_.damping_power = in->read();
  memory_.until = in->read();
  motion_.restore(in);
}

#define CAMBER_INSTANTIATE(Chassis)                                                                \
  template void EnergyBook::update(Chassis*, double, std::span<const double>,                      \
                                   std::span<const double>, const DriveSnapshot&, double, double); \
  template void EnergyBook::look(Chassis*, double, std::span<const double>,                        \
                                 std::span<const double>, const DriveSnapshot&, double, double);
CAMBER_INSTANTIATE(MechanismChassis)
CAMBER_INSTANTIATE(GeneratedChassis)
#undef CAMBER_INSTANTIATE

}  // namespace camber::dynamics
