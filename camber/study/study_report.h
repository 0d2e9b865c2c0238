#pragma once

#include <string>

#include "camber/study/coordinator.h"
#include "camber/study/summary.h"

namespace camber::study {

/// The page of a study, complete or not: one self-contained HTML file.
std::string make_study_report(const StudyFolder& folder, const StudyOutcome& outcome,
                              const StudySummary& summary);

}  // namespace camber::study
