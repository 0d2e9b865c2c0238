#include "camber/record/table.h"

#include "camber/core/require.h"
#include "camber/record/log_reader.h"

namespace camber::record {

void Table::append(double time, std::span<const double> sample) {
  if (widths_.size() != channels.size()) {
    widths_.clear();
    for (const Channel& channel : channels) widths_.push_back(channel.entries());
    width_ = count_entries(channels);
  }
  require(sample.size() == width_, "Table::append: ", sample.size(), " numbers, need ", width_);
  times.push_back(time);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::size_t count = widths_[c];
    values[c].insert(values[c].end(), sample.begin(),
                     sample.begin() + static_cast<std::ptrdiff_t>(count));
    sample = sample.subspan(count);
  }
}

const std::vector<double>* Table::find_values(std::string_view channel) const {
  for (std::size_t c = 0; c < channels.size(); ++c)
    if (channels[c].name == channel) return &values[c];
  return nullptr;
}

std::span<const double> Table::row(std::size_t channel, std::size_t sample) const {
  const std::size_t count = channels[channel].entries();
  return std::span(values[channel]).subspan(sample * count, count);
}

Table read_table(const std::string& log_path) {
  const LogReader log(log_path);
  Table table(log.channels());
  table.times = log.read("time");
  for (std::size_t c = 0; c < table.channels.size(); ++c)
    table.values[c] = log.read(table.channels[c].name);
  return table;
}

std::size_t count_entries(const std::vector<Channel>& channels) {
  std::size_t count = 0;
  for (const Channel& channel : channels) count += channel.entries();
  return count;
}

}  // namespace camber::record
