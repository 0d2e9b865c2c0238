#pragma once

#include <nlohmann/json_fwd.hpp>

#include "camber/autonomy/goal_view.h"
#include "camber/record/table.h"
#include "camber/report/folder_report.h"
#include "camber/scenario/autonomy_setup.h"

namespace camber::run {

/// Additions of a drive to a goal to its summary (under "goal") and to its page: the pilot's
/// behavior with reasons, what it saw, its candidate arcs, and planning times.
void report_goal(const autonomy::GoalView& view, const scenario::AutonomySetup& setup,
                 const record::Table& log, nlohmann::ordered_json* summary, report::PageData* page);

}  // namespace camber::run
