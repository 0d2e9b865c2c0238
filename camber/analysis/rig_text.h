#pragma once

#include <string>
#include <vector>

#include "camber/analysis/rig_report.h"

namespace camber::analysis {

/// A text and the name of the file that it belongs in.
struct NamedText {
  std::string file;  // without folder: "front_parallel.csv"
  std::string text;
};

/// The tables of rig_report.h as plain text, columns aligned.
std::string to_text(const RigStudy& study);

/// Every number, in SI units and degrees as the keys say, as JSON. Ends without a line break.
std::string to_json(const RigStudy& study);

/// One table (CSV) for each sweep: FRONT_parallel.csv, FRONT_opposed.csv, steering.csv.
std::vector<NamedText> make_csv_tables(const RigStudy& study);

}  // namespace camber::analysis
