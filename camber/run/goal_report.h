#pragma once

#include <nlohmann/json_fwd.hpp>

#include "camber/autonomy/goal_view.h"
#include "camber/record/table.h"
#include "camber/report/folder_report.h"
#include "camber/scenario/autonomy_setup.h"

namespace camber::run {

/// What a drive to a goal adds to its summary (under "goal") and to its page: what the pilot did and
/// why, what it saw, which arcs it looked at, and how long its plans took.
void report_goal(const autonomy::GoalView& view, const scenario::AutonomySetup& setup,
                 const record::Table& log, nlohmann::ordered_json* summary, report::PageData* page);

}  // namespace camber::run
