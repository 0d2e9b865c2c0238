#pragma once

// What the files of a run say of any model: how log.h5, summary.json and report.html begin.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "camber/record/run_folder.h"
#include "camber/report/run_report.h"
#include "camber/sim/mechanism_record.h"
#include "camber/sim/mechanism_run.h"

namespace camber::sim::internal {

/// How a run was made.
struct RunFacts {
  std::string model, about;  // its name, and what it is
  std::string formulation;   // of its equations, or its law
  std::string method;
  double tolerance = 0, absolute_tolerance = 0;
  double duration = 0;  // [s] as wanted
};

/// Writes log.h5: the channels' values, sample by sample.
void write_log(const RunSource& source, const RunFacts& facts, const record::RunFolder& folder,
               const std::vector<double>& times, const std::vector<report::RunChannel>& channels);

/// Its time, steps and speed, as in every summary.
void add_result(const RunResult& result, double duration, nlohmann::ordered_json* summary);

/// How it ended, what was run and how many steps it took.
nlohmann::ordered_json begin_summary(const RunSource& source, const RunFacts& facts,
                                     const RunResult& result);

/// Its title, what is to be said of its end, and its settings.
report::RunReport begin_report(const RunSource& source, const RunFacts& facts,
                               const RunResult& result);

}  // namespace camber::sim::internal
