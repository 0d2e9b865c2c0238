#include "camber/study/coordinator.h"

#include <algorithm>
#include <chrono>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/study/parquet.h"
#include "camber/study/plan.h"
#include "camber/study/samples_table.h"
#include "camber/study/study_report.h"
#include "camber/study/worker_pool.h"

namespace camber::study {
namespace {

using Clock = std::chrono::steady_clock;

/// Numbers of samples at which the stopping rule is looked at, then the whole plan.
std::vector<long> list_stages(const Study& study, long size) {
  std::vector<long> stages;
  if (study.stop)
    for (long n = study.stop->first_look; n < size; n *= 2) stages.push_back(n);
  stages.push_back(size);
  return stages;
}

std::vector<SampleResult> results_of(const std::vector<Sample>& samples, const Merged& merged) {
  std::vector<SampleResult> results;
  for (const Sample& sample : samples) results.push_back(merged.results.at(sample.k));
  return results;
}

bool has_all(const std::vector<Sample>& samples, const Merged& merged) {
  return std::ranges::all_of(samples,
                             [&](const Sample& s) { return merged.results.contains(s.k); });
}

class Coordinator {
 public:
  /// Without options nothing is driven; `missing` then gets the generation that has samples without
  /// results, if there is one.
  Coordinator(const StudyFolder& folder, const RunStudyOptions* options, StudyOutcome* outcome,
              std::optional<Generation>* missing = nullptr)
      : folder_(folder),
        options_(options),
        outcome_(outcome),
        missing_(missing),
        last_refresh_(Clock::now()) {
    if (options != nullptr)
      pool_ = std::make_unique<WorkerPool>(&folder, options->maker, options->worker_command,
                                           options->workers);
  }

  void run() { is_adaptive(folder_.study().plan.kind) ? run_strategy() : run_plan(); }

 private:
  /// False if the study is stopped; without options, if a sample is missing.
  bool drive(const std::vector<long>& samples, long total, const std::string& note) {
    std::vector<long> missing;
    for (const long k : samples)
      if (!outcome_->merged.results.contains(k)) missing.push_back(k);
    if (missing.empty()) return true;
    if (!pool_) return false;
    outcome_->merged.kernels.emplace(name_of(folder_.facts().kernel));
    outcome_->merged.instructions.insert(options_->maker.instructions);
    long done = total - static_cast<long>(missing.size());
    const auto tell = [&] {
      if (options_->on_progress)
        options_->on_progress(
            {.done = done, .total = total, .note = note, .merged = &outcome_->merged});
    };
    tell();
    return pool_->drive(
        missing, &outcome_->merged,
        [&](const SampleResult&) {
          ++done;
          tell();
        },
        [&] {
          refresh_if_due();
          return !options_->go_on || options_->go_on();
        });
  }

  void refresh_if_due() {
    const auto now = Clock::now();
    const std::chrono::duration<double> since = now - last_refresh_;
    if (!options_->on_refresh ||
        since.count() < std::max(options_->refresh_interval, refresh_pause_))
      return;
    options_->on_refresh(outcome_->merged);
    last_refresh_ = Clock::now();
    // A report of a hundred thousand samples takes seconds: 2 % of the time at most.
    refresh_pause_ = 50 * std::chrono::duration<double>(last_refresh_ - now).count();
  }

  void run_plan() {
    const Study& study = folder_.study();
    const long size = Plan(&study).size();
    for (const long stage : list_stages(study, size)) {
      std::vector<long> samples;
      for (long k = 0; k < stage; ++k) samples.push_back(k);
      const std::string note =
          stage == size ? "" : concat("up to ", size, " unless the rule is met");
      if (!drive(samples, stage, note)) {
        outcome_->end = StudyEnd::kStopped;
        return;
      }
      if (!study.stop) continue;
      if (!look_at_rule(study, folder_.facts(), outcome_->merged.results, stage).is_met) continue;
      // Samples beyond the stage may have been driven by workers on a cluster; they do not count.
      std::erase_if(outcome_->merged.results,
                    [&](const auto& entry) { return entry.first >= stage; });
      outcome_->end = stage == size ? StudyEnd::kComplete : StudyEnd::kByRule;
      return;
    }
    outcome_->end = StudyEnd::kComplete;
  }

  void run_strategy() {
    outcome_->strategy = make_strategy(&folder_.study(), &folder_.facts());
    Strategy& strategy = *outcome_->strategy;
    long next = 0;
    for (int generation = 0;; ++generation) {
      std::vector<Sample> samples = strategy.next();
      if (samples.empty()) {
        outcome_->end = StudyEnd::kComplete;
        return;
      }
      std::vector<long> numbers;
      for (Sample& sample : samples) {
        sample.k = next++;
        numbers.push_back(sample.k);
      }
      if (!has_all(samples, outcome_->merged)) {
        if (pool_ || missing_ != nullptr) folder_.write_generation(generation, samples);
        if (missing_ != nullptr) *missing_ = Generation{generation, numbers};
        if (!drive(numbers, static_cast<long>(numbers.size()), strategy.progress())) {
          outcome_->end = StudyEnd::kStopped;
          return;
        }
      }
      strategy.take(results_of(samples, outcome_->merged));
    }
  }

  const StudyFolder& folder_;
  const RunStudyOptions* options_;
  StudyOutcome* outcome_;
  std::optional<Generation>* missing_;
  std::unique_ptr<WorkerPool> pool_;
  Clock::time_point last_refresh_;
  double refresh_pause_ = 0;  // [s]
};

}  // namespace

StudyOutcome run_study(const StudyFolder& folder, const RunStudyOptions& options) {
  StudyOutcome outcome{.merged = merge_journals(folder)};
  Coordinator(folder, &options, &outcome).run();
  return outcome;
}

std::optional<Generation> open_generation(const StudyFolder& folder) {
  require(is_adaptive(folder.study().plan.kind), "plan ", name_of(folder.study().plan.kind),
          " has no generations");
  StudyOutcome outcome{.merged = merge_journals(folder)};
  std::optional<Generation> missing;
  Coordinator(folder, nullptr, &outcome, &missing).run();
  return missing;
}

StudyOutcome read_study_outcome(const StudyFolder& folder) {
  StudyOutcome outcome{.merged = merge_journals(folder)};
  Coordinator(folder, nullptr, &outcome).run();
  return outcome;
}

StudySummary write_outputs(const StudyFolder& folder, const StudyOutcome& outcome) {
  StudySummary summary = summarize(folder, outcome.merged.results);
  const SamplesTable table = make_samples_table(folder, outcome.merged.results);
  write_file_atomically(folder.path() + "/samples.csv", to_csv(table));
  write_file_atomically(folder.path() + "/samples.parquet", to_parquet(table));
  write_file_atomically(
      folder.path() + "/summary.json",
      to_json_text(folder, summary, outcome.merged,
                   outcome.strategy ? outcome.strategy->to_json() : std::string()));
  write_file_atomically(folder.path() + "/report.html",
                        make_study_report(folder, outcome, summary));
  return summary;
}

}  // namespace camber::study
