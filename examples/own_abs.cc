// Anti-lock brakes of your own: a controller with its own rate that limits the pressure of each
// wheel by its slip. The same stop from 20 m/s with locked wheels and with the controller.

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "camber/camber.h"

using camber::dynamics::Actuation;

class OwnAbs : public camber::dynamics::Controller {
 public:
  explicit OwnAbs(std::size_t wheels) : limit_(wheels, 1.0) {}

  double interval() const override { return 0.005; }  // [s]

  void update(const camber::dynamics::VehicleSnapshot& now, Actuation* mine) override {
    constexpr double kSlip = -0.12, kFall = 12, kRise = 3;  // braking slip; [1/s]
    for (std::size_t i = 0; i < limit_.size(); ++i) {
      const auto& wheel = now.wheels[i];
      const bool slips = wheel.slip < kSlip && now.velocity[0] > 1.5;
      limit_[i] = std::clamp(limit_[i] + (slips ? -kFall : kRise) * interval(), 0.0,
                             wheel.line_pressure + 0.05);
      mine->wheels[i].max_pressure = limit_[i];
    }
  }

  // What it remembers is part of the simulation's state.
  void save(camber::StateWriter* out) const override { out->write_list(limit_); }
  void restore(camber::StateReader* in) override { limit_ = in->read_list(); }

 private:
  std::vector<double> limit_;  // of each wheel's pressure
};

double stop_from_20(const std::string& file, bool has_abs) {
  camber::Simulation simulation = camber::Simulation::load(
      file, {"driver.speed.brake=[[1, 0], [1.1, 1]]", "ground.terrain=\"flat\""});
  if (has_abs) simulation.add_controller(std::make_shared<OwnAbs>(4));
  simulation.advance_to(1);
  const double begin = simulation.vehicle().position[0];
  simulation.run();
  return simulation.vehicle().position[0] - begin;
}

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "scenarios/split-friction-braking.toml";
  std::cout << "locked: " << stop_from_20(file, false) << " m\n"
            << "own ABS: " << stop_from_20(file, true) << " m\n";
}
