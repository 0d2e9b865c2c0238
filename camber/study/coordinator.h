#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "camber/study/merge.h"
#include "camber/study/strategy.h"
#include "camber/study/study_folder.h"
#include "camber/study/summary.h"

namespace camber::study {

enum class StudyEnd {
  kComplete,
  kByRule,   // the stopping rule was met before all samples were driven
  kStopped,  // by its user; `camber study resume` continues
};

struct Progress {
  long done = 0, total = 0;  // samples; of adaptive plans, those of this generation
  std::string note = {};     // of adaptive plans
  const Merged* merged = nullptr;
};

struct RunStudyOptions {
  int workers = 1;
  std::vector<std::string> worker_command;  // program and arguments of a worker
  Maker maker;
  std::function<void(const Progress&)> on_progress = {};  // after each sample
  std::function<bool()> go_on = {};                       // about ten times a second
  /// Called periodically with the results so far, for a live report.
  std::function<void(const Merged&)> on_refresh = {};
  double refresh_interval = 10;  // [s]
};

struct StudyOutcome {
  StudyEnd end = StudyEnd::kComplete;
  Merged merged;
  std::unique_ptr<Strategy> strategy = {};  // of adaptive plans
};

/// Drives the missing samples on this machine. Continues from the journals.
StudyOutcome run_study(const StudyFolder& folder, const RunStudyOptions& options);

/// A generation of an adaptive plan.
struct Generation {
  int number = 0;
  std::vector<long> samples = {};  // all of them, driven or not
};
/// The generation of an adaptive plan that has samples without results; its file is written if it is
/// new. Empty: the plan has ended.
std::optional<Generation> open_generation(const StudyFolder& folder);

/// The present results, without driving. A study that is not complete counts as stopped.
StudyOutcome read_study_outcome(const StudyFolder& folder);

/// Writes samples.csv, samples.parquet, summary.json and report.html, each whole or not at all.
StudySummary write_outputs(const StudyFolder& folder, const StudyOutcome& outcome);

}  // namespace camber::study
