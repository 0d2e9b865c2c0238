#pragma once

#include <string>
#include <vector>

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

/// The matrices of the state space row by row; empty without them.
std::string to_state_space_text(const ModesAnalysis& analysis);
/// "A.csv" and so on, with names of rows and columns; E.csv unless it is the identity.
struct TextFile {
  std::string name, text;
};
std::vector<TextFile> make_state_space_csv(const ModesAnalysis& analysis);

}  // namespace camber::analysis
