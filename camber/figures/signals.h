#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/record/table.h"

namespace camber::figures {

/// Channels of a recorded drive, column by column, for the key figures to read. Names are those of
/// the log: channel "chassis/velocity" has the columns forward, left, up.
class Signals {
 public:
  Signals() = default;
  /// Times ascend [s].
  explicit Signals(std::vector<double> times);
  /// All channels of a table.
  explicit Signals(const record::Table& table);

  /// A channel as a log holds it: sample after sample, `columns` numbers each; {} for a channel of
  /// one number. Throws std::invalid_argument if the sizes do not fit, or it is there.
  void add(const std::string& channel, const std::vector<std::string>& columns,
           std::span<const double> values);

  const std::vector<double>& times() const { return times_; }
  /// "chassis/velocity.forward", "path/deviation"; nullptr if there is none.
  const std::vector<double>* find_column(std::string_view name) const;
  /// All columns of a channel, in its order; empty if there is none.
  std::vector<const std::vector<double>*> find_columns(std::string_view channel) const;

 private:
  struct Channel {
    std::vector<std::string> names;
    std::vector<std::vector<double>> columns;
  };

  std::vector<double> times_;
  std::map<std::string, Channel, std::less<>> channels_;
};

}  // namespace camber::figures
