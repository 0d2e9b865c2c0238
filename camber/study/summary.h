#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "camber/study/estimators.h"
#include "camber/study/merge.h"
#include "camber/study/study_folder.h"

namespace camber::study {

struct Percentile {
  double probability = 0;
  Estimate estimate;
};

/// Change of a figure with one input.
struct Swing {
  int input = 0;
  double low = 0, high = 0;  // the figure at the input's low end and high end
  bool is_mean = false;      // means over the lowest and the highest fifth of the samples
};

/// The effect of one input, or of two together, in factorial and central composite plans.
struct Effect {
  std::string name;
  double value = 0;
};

struct FigureSummary {
  FigureInfo info;
  std::vector<double> sorted = {};  // of all answers that have a value
  long missing = 0;                 // answers without a value
  Estimate mean = {};
  double sigma = 0;
  std::vector<Percentile> percentiles = {};
  std::optional<Estimate> pass_rate = {};         // of its bounds
  std::vector<Swing> tornado = {};                // largest first
  std::vector<double> rank_correlations = {};     // per input
  std::vector<SobolIndices> sobol = {};           // per input
  std::vector<MorrisMeasures> morris = {};        // per input
  std::vector<Effect> effects = {};               // largest first
  std::vector<long> smallest = {}, largest = {};  // samples
};

/// Percentiles of a curve at its moments.
struct CurveBand {
  std::string name, unit;
  std::vector<double> times = {};                   // [s]
  std::vector<std::vector<double>> quantiles = {};  // 5, 25, 50, 75, 95 %
};

/// State of the stopping rule.
struct RuleState {
  Estimate estimate;
  double wanted = 0;  // half-width
  bool is_met = false;
};

/// All content of tables, summary.json and the report: a function of the study and its results
/// alone.
struct StudySummary {
  long planned = 0;  // 0: not known beforehand
  long answers = 0, passed = 0, failed = 0;
  std::map<SampleStatus, long> counts = {};
  Estimate pass_rate;
  double confidence = 0.95;
  std::vector<FigureSummary> figures = {};
  std::vector<CurveBand> bands = {};
  std::optional<RuleState> rule = {};
  bool too_many_left_out = false;
  std::vector<long> failed_samples = {}, left_out_samples = {};  // the first of them
};

StudySummary summarize(const StudyFolder& folder, const std::map<long, SampleResult>& results);

/// The statistic of the stopping rule over samples 0 .. count - 1.
RuleState look_at_rule(const Study& study, const StudyFacts& facts,
                       const std::map<long, SampleResult>& results, long count);

/// The text of summary.json. `strategy` is the result of an adaptive plan, JSON or empty.
std::string to_json_text(const StudyFolder& folder, const StudySummary& summary,
                         const Merged& merged, const std::string& strategy);

/// The samples that keep.runs requests: the worst of each figure, the first that failed.
std::vector<long> find_worst(const StudyFolder& folder, const StudySummary& summary);

}  // namespace camber::study
