#pragma once

// Suspension rigs before and after a change: the tables (CSV) that `camber rig -o FOLDER` wrote are
// compared.

#include <string>
#include <vector>

#include "camber/report/page.h"

namespace camber::analysis {

/// One table of a rig's folder. The first column is the abscissa of the others; it ascends.
struct RigTable {
  std::string name;                         // "front_parallel"
  std::vector<std::string> keys;            // "travel_m", "camber_deg", ...
  std::vector<std::vector<double>> values;  // by column, then by row; NaN where a cell is empty
};

struct RigFolder {
  std::string name;  // the folder as it was given
  std::vector<RigTable> tables;
};

/// Throws ModelFileError for a folder without such tables, and for tables that cannot be read.
RigFolder load_rig_folder(const std::string& folder);
/// True if the folder has tables of a rig.
bool is_rig_folder(const std::string& folder);

/// Difference of a column of another rig from that of the first, over their common range.
struct RigDifference {
  std::string table, key;
  std::string folder = {};      // the other rig's
  double largest = 0;           // signed: other minus first, in the column's unit
  double at = 0;                // in the table's first column
  double first = 0, other = 0;  // the values there
  double share =
      0;  // |largest| over the range of the first rig's column; infinity if that column does not move
};

/// All common columns of all common tables, the largest relative difference first. Between rows
/// values are interpolated linearly. Throws std::invalid_argument for fewer than two folders or no
/// common table.
std::vector<RigDifference> compare_rigs(const std::vector<RigFolder>& rigs);

report::Table make_rig_differences_table(const std::vector<RigDifference>& differences);
std::string rig_differences_to_json(const std::vector<RigDifference>& differences);
/// One HTML page: the table, and a chart of every column with one curve per rig.
std::string make_rig_compare_report(const std::vector<RigFolder>& rigs,
                                    const std::vector<RigDifference>& differences);

}  // namespace camber::analysis
