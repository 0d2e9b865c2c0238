#include "camber/autonomy/ompl_path.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#if defined(CAMBER_HAS_OMPL)
#include <mutex>

#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/terminationconditions/IterationTerminationCondition.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

namespace camber::autonomy {

namespace ob = ompl::base;
namespace og = ompl::geometric;
using planning::OccupancyGrid, planning::Point;

bool has_ompl() { return true; }

// OMPL draws all seeds from one generator of the program: a plan has it for itself.
std::vector<Point> find_ompl_path(const OccupancyGrid& grid, Point from, Point goal, double spacing,
                                  std::uint32_t seed, int iterations) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  ompl::RNG::setSeed(seed | 1U);  // 0 is none

  const auto space = std::make_shared<ob::RealVectorStateSpace>(2);
  const Point low = grid.origin();
  const double width = grid.width() * grid.resolution(), height = grid.height() * grid.resolution();
  ob::RealVectorBounds bounds(2);
  bounds.setLow(0, low.x), bounds.setHigh(0, low.x + width);
  bounds.setLow(1, low.y), bounds.setHigh(1, low.y + height);
  space->setBounds(bounds);
  og::SimpleSetup setup(space);
  setup.setStateValidityChecker([&](const ob::State* state) {
    const auto* at = state->as<ob::RealVectorStateSpace::StateType>();
    return grid.is_free(grid.cell_of({at->values[0], at->values[1]}));
  });
  // Points of a segment are tried every half cell.
  setup.getSpaceInformation()->setStateValidityCheckingResolution(0.5 * grid.resolution() /
                                                                  space->getMaximumExtent());
  ob::ScopedState<ob::RealVectorStateSpace> a(space), b(space);
  a[0] = from.x, a[1] = from.y;
  b[0] = goal.x, b[1] = goal.y;
  setup.setStartAndGoalStates(a, b);
  setup.setPlanner(std::make_shared<og::BITstar>(setup.getSpaceInformation()));
  ob::IterationTerminationCondition limit(static_cast<unsigned>(iterations));
  const ob::PlannerStatus status = setup.solve(limit);
  if (status != ob::PlannerStatus::EXACT_SOLUTION) return {};
  og::PathGeometric path = setup.getSolutionPath();
  og::PathSimplifier(setup.getSpaceInformation()).shortcutPath(path);
  std::vector<Point> points;
  for (unsigned k = 0; k < path.getStateCount(); ++k) {
    const auto* at = path.getState(k)->as<ob::RealVectorStateSpace::StateType>();
    const Point next{at->values[0], at->values[1]};
    if (points.empty()) {
      points.push_back(next);
      continue;
    }
    const Point last = points.back();
    const double length = std::hypot(next.x - last.x, next.y - last.y);
    const int parts = std::max(1, static_cast<int>(std::ceil(length / spacing)));
    for (int i = 1; i <= parts; ++i) {
      const double t = static_cast<double>(i) / parts;
      points.push_back({last.x + t * (next.x - last.x), last.y + t * (next.y - last.y)});
    }
  }
  return points;
}

}  // namespace camber::autonomy

#else

namespace camber::autonomy {

bool has_ompl() { return false; }

std::vector<planning::Point> find_ompl_path(const planning::OccupancyGrid&, planning::Point,
                                            planning::Point, double, std::uint32_t, int) {
  throw std::invalid_argument(
      "this build of camber has no OMPL: install libompl-dev and configure with -DCAMBER_OMPL=ON");
}

}  // namespace camber::autonomy

#endif
