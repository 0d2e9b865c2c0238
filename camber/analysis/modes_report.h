#pragma once

#include <string>
#include <vector>

#include "camber/analysis/modes_analysis.h"
#include "camber/report/plot.h"

namespace camber::analysis {

/// A figure and the name of its file.
struct Figure {
  std::string file;  // without folder: "root_locus.svg"
  report::Plot plot;
};

/// Root locus, real parts and frequencies over the swept parameter; magnitude, phase and Nyquist
/// plot of the responses; plots without results are left out.
std::vector<Figure> make_figures(const ModesAnalysis& analysis);

/// All results on one self-contained HTML page.
std::string make_modes_report(const ModesAnalysis& analysis);

/// "stable", "neutral", "unstable".
std::string stability_text(const ModesAnalysis& analysis, const lagrange::Mode& mode);
/// The damping ratio of an oscillation: 0 for a neutral one, empty for a mode that does not
/// oscillate.
std::string damping_text(const ModesAnalysis& analysis, const lagrange::Mode& mode);
/// "-4.0423 +- 15.8014i" for a pair, with enough digits for a table.
std::string eigenvalue_text(const std::complex<double>& eigenvalue);
/// "becomes unstable at 10.2989: ...".
std::string limit_text(const ModesAnalysis& analysis, const lagrange::StabilityLimit& limit);

}  // namespace camber::analysis
