// Loads a scenario, steps it, and reads a wheel load: the shortest program with camber.

#include <iostream>

#include "camber/camber.h"

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "scenarios/step-steer.toml";
  camber::Simulation simulation = camber::Simulation::load(file, {"vehicle.start.speed=20"});
  while (!simulation.is_done() && simulation.time() < 3) {
    simulation.step(0.5);
    std::cout << simulation.time() << " s: " << simulation.vehicle().velocity[0] << " m/s, "
              << simulation.wheel("front_left").load << " N\n";
  }
  return simulation.result().status == camber::run::RunStatus::kFailed ? 1 : 0;
}
