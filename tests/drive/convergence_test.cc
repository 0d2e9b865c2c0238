// placeholder
#include <cstdio>
#include <array>
#include <gtest/gtest.h>
#include "tests/drive/drive_runs.h"
namespace camber { namespace {
using namespace drive_test;
struct Case { std::string name; double duration; Overrides overrides; };
TEST(Convergence, Table) {
  const std::vector<Case> cases = {
    {"double-lane-change", 40, {"driver.path.change[0].time=14"}}, {"iso3888-1", 11, {}}, {"step-steer", 10, {}}, {"steady-circle", 40, {}},
    {"split-friction-braking", 30, {}}, {"half-round", 8, {}}, {"off-road-hills", 20, {}}, {"hill-hold", 10, {}}};
  for (const Case& c : cases) {
    std::vector<std::array<double, 5>> rows;
    for (const char* h : {"0.002", "0.001", "0.0005", "0.00025", "0.000125"}) {
      Overrides o = c.overrides; o.push_back(std::string("run.step=") + h);
      const Trip r = run_file(c.name, o, c.duration);
      rows.push_back({r.peak("chassis/rates.yaw"), r.peak("chassis/acceleration.left"), r.last("chassis/position.x"), r.last("chassis/position.y"), r.times().back()});
    }
    std::printf("%s\n", c.name.c_str());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (int k = 0; k < 5; ++k) { std::printf(" %.10g", rows[i][k]);
        if (i + 1 < rows.size()) std::printf(" (%.1e)", rows[i][k] - rows.back()[k]); }
      std::printf("\n");
    }
  }
}
} }
