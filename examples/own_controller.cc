// A controller of your own in place of the scenario's driver: it holds 15 m/s and steers a sine,
// then gives the vehicle back. At the end the run is rewound to where the controller took over.

#include <algorithm>
#include <cmath>
#include <iostream>

#include "camber/camber.h"

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "scenarios/double-lane-change.toml";
  camber::Simulation simulation = camber::Simulation::load(file, {"vehicle.start.speed=15"});
  simulation.advance_to(2);  // by the scenario's driver
  const camber::run::SimulationState taken_over = simulation.save();

  double peak = 0;
  while (simulation.time() < 6) {
    const auto& now = simulation.vehicle();
    const double error = 15 - now.velocity[0];  // [m/s]
    simulation.command({.steer = 0.02 * std::sin(2 * (now.time - 2)),
                        .throttle = std::clamp(0.15 + 0.3 * error, 0.0, 1.0),
                        .brake = std::clamp(-0.3 * error - 0.3, 0.0, 1.0)});
    simulation.step(0.01);
    peak = std::max(peak, std::abs(simulation.vehicle().acceleration[1]));
  }
  std::cout << "peak lateral acceleration by the controller: " << peak << " m/s^2\n";

  simulation.release();  // the driver goes on
  simulation.advance_to(8);
  std::cout << "the driver is " << std::abs(simulation.path_deviation()) << " m off its path\n";

  simulation.restore(taken_over);  // bit for bit
  std::cout << "back at " << simulation.time() << " s with " << simulation.vehicle().velocity[0]
            << " m/s\n";
}
