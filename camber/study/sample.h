#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber::study {

/// One drive of a study before it is driven: the values of all inputs.
struct Sample {
  long k = 0;                                    // its number in the study, from 0
  std::vector<double> values = {};               // of a choice: the number of the chosen value
  std::optional<std::uint64_t> drive_seed = {};  // run.seed; empty: the scenario's
};

enum class SampleStatus {
  kDone,      // reached its end
  kFailed,    // ended by physics or a stop condition that fails: rolled over, hit something
  kRefused,   // its files do not make a scenario that can be driven
  kTimedOut,  // took more processor time than a sample may
  kCrashed,   // ended its worker, more often than it may
};
std::string_view name_of(SampleStatus status);
/// Throws std::invalid_argument for another word.
SampleStatus parse_status(std::string_view word);

/// Outcome of a sample. Two drives of the same sample by the same program give equal results.
struct SampleResult {
  long k = 0;
  SampleStatus status = SampleStatus::kDone;
  bool passed = false;                          // done, sound, and no figure misses its bounds
  std::string reason = {};                      // why it is not done, or not sound
  double time = 0;                              // [s] that were simulated
  std::vector<double> values = {};              // of all inputs
  std::vector<double> figures = {};             // in the study's order; NaN: has no value
  std::vector<std::vector<float>> curves = {};  // in the study's order, at its moments
  std::string hash = {};                        // of the final state

  /// Whether the drive gives a result, even if the vehicle rolls over.
  bool is_answer() const {
    return status == SampleStatus::kDone || status == SampleStatus::kFailed;
  }
};

/// As one line of JSON, without line end, for a journal. Numbers read back to the same bits.
std::string to_text(const SampleResult& result);
/// Throws std::invalid_argument if the text is not such a line.
SampleResult parse_result(std::string_view text);

}  // namespace camber::study
