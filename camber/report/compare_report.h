#pragma once

#include <span>
#include <string>

#include "camber/report/comparison.h"
#include "camber/report/page.h"

namespace camber::report {

/// Figures side by side, and their differences from those of the first run.
Table figures_table(std::span<const ComparedRun> runs, const Comparison& comparison);
/// Largest difference of each column, with its time and in percent of the column's range.
Table differences_table(std::span<const ComparedRun> runs, const Comparison& comparison);

/// One self-contained HTML page: notes, both tables, and a chart of each common column that moves
/// in any run, one color per run.
std::string make_compare_report(std::span<const ComparedRun> runs, const Comparison& comparison);

}  // namespace camber::report
