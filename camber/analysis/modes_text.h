#pragma once

#include <string>

#include "camber/analysis/modes_analysis.h"

namespace camber::analysis {

/// Modes, stability limits and responses as tables of plain text.
std::string to_text(const ModesAnalysis& analysis);

/// Every number as JSON. Ends without a line break.
std::string to_json(const ModesAnalysis& analysis);

/// The modes, or with a sweep all eigenvalues over its parameter, as a table (CSV).
std::string make_modes_csv(const ModesAnalysis& analysis);
/// Real and imaginary parts of each output over frequency, as a table (CSV).
std::string make_responses_csv(const ModesAnalysis::Responses& responses);

}  // namespace camber::analysis
