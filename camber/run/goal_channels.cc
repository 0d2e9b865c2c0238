#include "camber/run/goal_channels.h"

#include "camber/record/channel_names.h"

namespace camber::run {

std::vector<record::Channel> list_goal_channels(const std::string& prefix) {
  namespace channel = record::channel;
  std::string words = "What the pilot does:";
  for (std::size_t k = 0; k < std::size(autonomy::kBehaviorWords); ++k)
    words +=
        (k > 0 ? ", " : " ") + std::to_string(k) + " " + std::string(autonomy::kBehaviorWords[k]);
  return {{.name = prefix + channel::kGoalBehavior, .units = {"1"}, .description = words},
          {.name = prefix + channel::kGoalEstimate,
           .shape = {5},
           .units = {"m", "m", "rad", "m/s", "m"},
           .names = {"x", "y", "yaw", "speed", "sigma"},
           .description = "What the pilot knows: of the point midway between the axles; sigma of x "
                          "and y together"},
          {.name = prefix + channel::kGoalTarget,
           .shape = {2},
           .units = {"m"},
           .names = {"x", "y"},
           .description = "Where the local planner drives to"},
          {.name = prefix + channel::kGoalSpeed,
           .units = {"m/s"},
           .description = "Speed that the pilot asks for, negative in reverse"},
          {.name = prefix + channel::kGoalCurvature,
           .units = {"1/m"},
           .description = "Curvature that the pilot asks for, to the left"},
          {.name = prefix + channel::kGoalFreeLength,
           .units = {"m"},
           .description = "Length of the plan that is free and was seen"},
          {.name = prefix + channel::kGoalDistance,
           .units = {"m"},
           .description = "To the goal, by the pilot's own estimate"}};
}

void append_goal_values(const autonomy::GoalView& view, std::vector<double>* out) {
  out->insert(out->end(),
              {static_cast<double>(static_cast<int>(view.behavior)), view.x, view.y, view.yaw,
               view.speed, view.position_sigma, view.target_x, view.target_y, view.target_speed,
               view.target_curvature, view.free_length, view.distance});
}

}  // namespace camber::run
