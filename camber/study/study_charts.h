#pragma once

#include <map>
#include <optional>
#include <string>

#include "camber/report/chart.h"
#include "camber/study/summary.h"

namespace camber::study {

report::Chart histogram_chart(const FigureSummary& figure);
/// With the band that holds the true distribution function, and the figure's bounds.
report::Chart ecdf_chart(const FigureSummary& figure, double confidence);
/// Mean and its interval over the number of samples, in their order.
std::optional<report::Chart> convergence_chart(const std::map<long, SampleResult>& results,
                                               std::size_t at, const FigureSummary& figure);
/// 5 to 95 % and 25 to 75 % as areas, the median as a line.
report::Chart band_chart(const CurveBand& band);
/// sigma over mu*, a dot per input.
std::optional<report::Chart> morris_chart(const Study& study, const FigureSummary& figure);

// Bars, one per input, as cards; empty if the plan has none.
std::string tornado_bars(const Study& study, const FigureSummary& figure);
std::string index_bars(const Study& study, const FigureSummary& figure);
std::string morris_bars(const Study& study, const FigureSummary& figure);
std::string effect_bars(const FigureSummary& figure);

/// Figures over inputs, at most six each and 500 samples.
std::string scatter_matrix(const StudyFolder& folder, const std::map<long, SampleResult>& results,
                           const StudySummary& summary);

/// A <style> element for the bars and the matrix.
const char* study_style();

}  // namespace camber::study
