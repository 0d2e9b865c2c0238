#pragma once

// Inputs of the live driver, tick by tick: in the log as the series "inputs", raw and filtered. The
// same commands at the same ticks give the same drive, bit for bit.

#include <string>
#include <vector>

#include "camber/autonomy/vehicle_view.h"
#include "camber/live/hand_driver.h"
#include "camber/record/log_layout.h"
#include "camber/run/simulation.h"

namespace camber::live {

constexpr const char* kInputSeries = "inputs";
constexpr std::size_t kInputValues = 14;

record::Series make_input_series();
void append_input_values(const HandInput& input, const autonomy::Command& command,
                         std::vector<double>* values);

/// Commands the first vehicle live, or gives it back to the scenario's driver. To be called at a
/// tick, before the next step. A vehicle without its own driver brakes when no page drives.
void apply_input(bool is_driven, const autonomy::Command& command, run::Simulation* simulation);

/// The inputs of a run, read from its folder.
class RecordedInputs {
 public:
  struct Row {
    double time = 0;
    bool is_driven = false;
    HandInput input;
    autonomy::Command command;
  };

  /// Throws FileError if the folder has no log or the log no inputs.
  explicit RecordedInputs(const std::string& folder);

  const std::vector<Row>& rows() const { return rows_; }
  double end() const { return end_; }  // [s] of the log's last sample
  /// Repeats the inputs of a tick; false at or after the end.
  bool apply(run::Simulation* simulation);
  /// The row that apply() used last; null before.
  const Row* last() const { return next_ == 0 ? nullptr : &rows_[next_ - 1]; }

 private:
  std::vector<Row> rows_;
  std::size_t next_ = 0;
  double end_ = 0;
};

}  // namespace camber::live
