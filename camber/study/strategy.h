#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "camber/study/sample.h"
#include "camber/study/study.h"

namespace camber::study {

struct StudyFacts;

/// A plan whose samples depend on the results of earlier ones, generation by generation. It is a
/// pure function of the study and the results: replaying the results of an interrupted study brings
/// it to the same place.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// The samples of the next generation, without numbers; empty: it has ended.
  virtual std::vector<Sample> next() = 0;
  /// Their results, in the same order.
  virtual void take(std::span<const SampleResult> results) = 0;

  /// Its progress, in a few words: "generation 12, best 3.2".
  virtual std::string progress() const = 0;
  /// Its result, as JSON for summary.json.
  virtual std::string to_json() const = 0;
  /// Pairs of words and values for the report's table.
  virtual std::vector<std::pair<std::string, std::string>> findings() const = 0;
  /// A curve over generations or levels for the report: label, values.
  struct Curve {
    std::string title, unit, x_label;
    std::vector<double> x, y;
  };
  virtual std::vector<Curve> curves() const = 0;
};

/// The strategy of an adaptive plan. Keeps pointers to both.
std::unique_ptr<Strategy> make_strategy(const Study* study, const StudyFacts* facts);

}  // namespace camber::study
