#pragma once

// The page of a run, made from log.h5 and summary.json in its folder. Content other than channels
// and figures is in the summary under "page".

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "camber/record/run_folder.h"
#include "camber/report/drive_report.h"

namespace camber::report {

/// Content of a page other than channels and key figures.
struct PageData {
  std::string title = {};
  std::vector<std::string> notes = {};      // paragraphs under the title
  std::vector<SummaryValue> values = {};    // the table at the top
  std::vector<SummaryValue> settings = {};  // the table at the end
  std::vector<std::string> channels = {};   // that are drawn, in this order; empty: all
  std::vector<SummaryValue> events = {};    // of a pilot: time, behavior, reason
  std::vector<PagePicture> pictures = {};   // of sensors
  GroundPlan plan = {};                     // of a drive
};

nlohmann::ordered_json to_json(const PageData& page);

/// The page of a recorded run as HTML. Throws FileError or std::invalid_argument if the folder does
/// not hold a run.
std::string make_folder_report(const std::string& folder);

}  // namespace camber::report
