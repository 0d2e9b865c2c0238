#pragma once

#include <string>
#include <vector>

#include "camber/autonomy/goal_view.h"
#include "camber/record/log_layout.h"

namespace camber::run {

/// The channels of a pilot that drives to a goal, and their values in the same order.
std::vector<record::Channel> list_goal_channels(const std::string& prefix);
void append_goal_values(const autonomy::GoalView& view, std::vector<double>* out);

}  // namespace camber::run
