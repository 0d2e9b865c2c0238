// A loop at a fixed rate: 50 times a second it takes a snapshot, as a display or a controller in
// the loop would, and keeps to the clock. Poses of all bodies are there for drawing.

#include <iostream>
#include <string>

#include "camber/camber.h"

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "scenarios/step-steer.toml";
  const double duration = argc > 2 ? std::stod(argv[2]) : 2;  // [s]
  camber::Simulation simulation = camber::Simulation::load(file);
  const camber::run::RealTimePacer pacer(simulation.time());
  constexpr double kPeriod = 0.02;  // [s]
  int frames = 0;
  for (double t = kPeriod; t < duration + 0.5 * kPeriod && !simulation.is_done(); t += kPeriod) {
    simulation.advance_to(t);
    const auto& now = simulation.vehicle();
    const auto poses = simulation.body_poses();
    if (++frames % 50 == 0)
      std::cout << now.time << " s: yaw " << now.yaw << " rad, " << poses.size() << " bodies\n";
    pacer.wait_until(t);
  }
  std::cout << frames << " frames\n";
}
