#include "bench/autonomy/city_row.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "camber/city/city.h"

namespace camber::bench {
namespace {

struct CityCost {
  double seconds = 0, megabytes = 0;
  double blocks = 0, buildings = 0, things = 0, ground_triangles = 0;
};

/// Largest memory that this process has had so far [MB].
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes / 1024;
  }
  return 0;
}

CityCost make_and_measure(double side) {
  city::CitySpec spec;
  spec.seed = 1;
  spec.layout = city::Layout::kIrregular;
  spec.width = spec.depth = side;
  const double before = peak_memory();
  const auto start = std::chrono::steady_clock::now();
  const city::City city = city::make_city(spec);
  const terrain::Terrain terrain = city::make_terrain(city);
  const scene::Scene scene = city::make_scene(city);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  CityCost cost{.seconds = taken.count(), .megabytes = peak_memory() - before};
  cost.blocks = static_cast<double>(city.blocks.size());
  for (const city::Block& block : city.blocks) {
    cost.buildings += static_cast<double>(block.buildings.size());
    cost.things += static_cast<double>(block.things.size());
    cost.ground_triangles += static_cast<double>(block.ground.size());
  }
  return scene.instance_count() > 0 && !terrain.prisms.empty() ? cost : CityCost{};
}

/// In a child process, whose numbers come back through a pipe.
CityCost measure_alone(double side) {
  int ends[2];
  if (pipe(ends) != 0) return make_and_measure(side);
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    const CityCost cost = make_and_measure(side);
    const bool is_written = write(ends[1], &cost, sizeof cost) == static_cast<ssize_t>(sizeof cost);
    _exit(is_written ? 0 : 1);
  }
  close(ends[1]);
  CityCost cost;
  const bool is_read =
      child > 0 && read(ends[0], &cost, sizeof cost) == static_cast<ssize_t>(sizeof cost);
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return is_read ? cost : make_and_measure(side);
}

}  // namespace

nlohmann::ordered_json measure_city(bool quick, std::vector<Check>* checks) {
  const double side = quick ? 500 : 2000;
  const CityCost cost = measure_alone(side);
  const std::string name =
      quick ? "city of 0.5 km x 0.5 km from its seed" : "city of 2 km x 2 km from its seed";
  checks->push_back({"city: seconds from its seed", cost.seconds, 5, false, true});
  checks->push_back({"city: megabytes", cost.megabytes, 500});
  checks->push_back({"city: buildings", cost.buildings, 10, true});
  return {{"suite", "city"},         {"problem", name},
          {"seconds", cost.seconds}, {"megabytes", cost.megabytes},
          {"blocks", cost.blocks},   {"buildings", cost.buildings},
          {"things", cost.things},   {"ground_triangles", cost.ground_triangles}};
}

}  // namespace camber::bench
