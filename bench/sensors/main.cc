// camber-bench-sensors: rays through a city, against Embree, ODE and Bullet where they are there.
// Exit status 0; 1 when engines disagree or a bar is not reached; 2 on bad usage.

#include "bench/program.h"
#include "bench/sensors/sensors_rows.h"

int main(int argc, char** argv) {
  using namespace camber::bench;  // NOLINT(google-build-using-namespace): a main file
  ProgramOptions options;
  double seconds = 0;
  CommandLine line("Rays of a LIDAR and of a camera through a city");
  line.add(&options, "Four blocks, once; times decide nothing");
  line.add("--only-rays", &seconds, "Cast camber's rays for some seconds, for profilers");
  return line.run("camber-bench-sensors", argc, argv, [&] {
    if (seconds > 0) {
      run_rays_only(seconds);
      return 0;
    }
    const SensorComparison comparison = compare_sensors(options.effort());
    print_comparison(comparison, options.report);
    return report_missed(comparison.checks,
                         [&](const Check& check) { return !options.quick || !check.timed; });
  });
}
