#pragma once

// Definition of a study: plain values from a file (docs/manual/studies.md).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/diagnostics.h"
#include "camber/study/copula.h"
#include "camber/study/distribution.h"

namespace camber::study {

/// A value that varies, and the keys of files that get it.
struct Input {
  std::string name;               // its column; the first key if the file gives none
  std::vector<std::string> keys;  // "driver.speed.target", "vehicle:chassis.mass"
  std::string unit = {};
  Distribution distribution;
  bool is_design = false;  // optimization: chosen, not random
  Position where = {};     // of its key
};

enum class PlanKind {
  kGrid,
  kList,
  kRandom,
  kLatin,
  kSobol,
  kOneAtATime,
  kMorris,
  kSaltelli,
  kFactorial,
  kCentralComposite,
  kOptimize,
  kSubset,
  kLimit,
};
std::string_view name_of(PlanKind kind);

/// Whether later samples depend on the results of earlier ones.
inline bool is_adaptive(PlanKind kind) {
  return kind == PlanKind::kOptimize || kind == PlanKind::kSubset || kind == PlanKind::kLimit;
}

/// Whether samples are drawn from the inputs' distributions, so that fractions of them estimate
/// probabilities.
inline bool is_drawn(PlanKind kind) {
  return kind == PlanKind::kRandom || kind == PlanKind::kLatin || kind == PlanKind::kSobol;
}

enum class RobustMeasure { kMean, kMeanPlusSigma, kQuantile };

struct PlanSettings {
  PlanKind kind = PlanKind::kSobol;
  long samples = 1024;  // random, latin, sobol; of the base design of saltelli; per level of subset
  bool is_scrambled = true;
  int replicates = 1;     // sobol: independent scramblings, from which intervals follow
  int levels = 3;         // grid; morris
  int trajectories = 20;  // morris
  int center_points = 1;  // central_composite
  std::vector<std::vector<double>> rows = {};  // list: values of all inputs

  // optimize
  bool is_nelder_mead = false;
  long evaluations = 1000;  // drives at most
  int population = 0;       // 0: 4 + 3 log n
  int restarts = 2;
  double sigma = 0.3;     // first step, in widths of the box
  int noise_samples = 1;  // drives per candidate; all candidates get the same ones
  RobustMeasure robust = RobustMeasure::kMean;
  double robust_factor = 1;  // k of mean + k sigma; the quantile

  // subset
  double level_probability = 0.1;
  int max_levels = 10;

  // limit
  int limit_input = 0;
  double tolerance = 0;      // of the limit, in the input's unit
  int repeats = 1;           // at each value; all values get the same ones
  double required_rate = 1;  // share of the repeats that must pass
};

/// An objective: weight * (value - target)^2, or weight * value where there is no target.
struct Objective {
  std::string figure;
  double weight = 1;
  bool is_max = false;  // the larger, the better
  std::optional<double> target = {};
  double scale = 1;  // value's unit: weights compare what is divided by it
};

struct Constraint {
  std::string figure;
  std::optional<double> min = {}, max = {};
};

/// Definition of a rare event: a figure above or below a value.
struct Event {
  std::string figure;
  double bound = 0;
  bool is_above = true;
  bool failed_counts = true;  // a drive that fails (rolls over) is the event
};

/// Ends a study when an interval is small enough: "p95(peak_roll_deg) within 2 %".
struct StopRule {
  enum class Statistic { kMean, kQuantile, kPassRate };
  std::string text;
  Statistic statistic = Statistic::kMean;
  double probability = 0.5;  // of the quantile
  std::string figure = {};
  double half_width = 0;     // of the interval
  bool is_relative = false;  // to the value itself
  double confidence = 0.95;
  long first_look = 64;  // samples; then at each doubling
};

struct KeptWorst {
  std::string figure;
  bool is_largest = true;
  int count = 5;
};

struct Keep {
  std::vector<std::string> figures = {};  // empty: all
  std::vector<std::string> curves = {};   // "chassis/rates.yaw"
  int curve_points = 200;
  std::vector<KeptWorst> worst = {};  // driven again, with log and report
  int failed = 0;                     // that many failed drives, too
};

struct FailureSettings {
  double time_limit = 600;     // [s] of processor time per sample
  int retries = 1;             // of a sample that kills its worker
  double max_left_out = 0.01;  // share of crashed and timed out samples that fails the study
};

struct Study {
  std::string file;  // as given
  std::string name, about = {};
  std::string scenario;                       // path
  std::vector<std::string> assignments = {};  // "run.duration=5", for all samples
  std::uint64_t seed = 1;
  bool has_common_seed = true;  // run.seed of the scenario for all drives; else one per sample
  std::vector<Input> inputs = {};
  std::vector<double> rank_correlation = {};  // full matrix; empty: independent
  GaussianCopula copula = {};
  PlanSettings plan = {};
  bool asks_for_lanes = false;  // kernel = "lanes"
  std::optional<StopRule> stop = {};
  std::vector<Objective> objectives = {};
  std::vector<Constraint> constraints = {};
  std::optional<Event> event = {};
  Keep keep = {};
  FailureSettings failure = {};
  // Places for messages about figures, known only once the scenario is read.
  struct FigureMention {
    std::string figure;
    Position where;
  };
  std::vector<FigureMention> mentions = {};
  Position scenario_place = {}, curves_place = {};
};

/// The values of all inputs from independent uniform numbers.
std::vector<double> values_of(const Study& study, std::vector<double> u);
/// A value as in a file: 20.5, or "tmeasy".
std::string value_text(const Input& input, double value);
/// Assignments as for --set: one per key, after those of the study.
std::vector<std::string> assignments_of(const Study& study, const std::vector<double>& values,
                                        std::optional<std::uint64_t> drive_seed);
/// run.seed of sample k: random, and the same on every machine. Empty: the scenario's.
std::optional<std::uint64_t> drive_seed(const Study& study, std::uint64_t number);

}  // namespace camber::study
