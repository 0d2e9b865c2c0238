#include "camber/figures/signals.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "camber/core/require.h"

namespace camber::figures {

Signals::Signals(std::vector<double> times) : times_(std::move(times)) {
  require(std::is_sorted(times_.begin(), times_.end()), "Signals: the times must ascend");
}

Signals::Signals(const record::Table& table) : Signals(table.times) {
  for (std::size_t c = 0; c < table.channels.size(); ++c)
    add(table.channels[c].name, table.channels[c].names, table.values[c]);
}

void Signals::add(const std::string& channel, const std::vector<std::string>& columns,
                  std::span<const double> values) {
  const std::size_t width = std::max<std::size_t>(columns.size(), 1);
  require(values.size() == width * times_.size(), "Signals: channel \"", channel, "\" has ",
          values.size(), " numbers, ", times_.size(), " samples of ", width, " need ",
          width * times_.size());
  Channel added{columns, std::vector<std::vector<double>>(width)};
  for (std::size_t c = 0; c < width; ++c) {
    added.columns[c].reserve(times_.size());
    for (std::size_t i = c; i < values.size(); i += width) added.columns[c].push_back(values[i]);
  }
  require(channels_.emplace(channel, std::move(added)).second, "Signals: channel \"", channel,
          "\" is there twice");
}

const std::vector<double>* Signals::find_column(std::string_view name) const {
  const std::size_t dot = name.rfind('.');
  const auto it = channels_.find(name.substr(0, dot));
  if (it == channels_.end()) return nullptr;
  const Channel& channel = it->second;
  if (dot == std::string_view::npos)
    return channel.names.empty() ? &channel.columns.front() : nullptr;
  const auto at = std::find(channel.names.begin(), channel.names.end(), name.substr(dot + 1));
  if (at == channel.names.end()) return nullptr;
  return &channel.columns[static_cast<std::size_t>(at - channel.names.begin())];
}

std::vector<const std::vector<double>*> Signals::find_columns(std::string_view channel) const {
  std::vector<const std::vector<double>*> columns;
  const auto it = channels_.find(channel);
  if (it == channels_.end()) return columns;
  for (const auto& column : it->second.columns) columns.push_back(&column);
  return columns;
}

}  // namespace camber::figures
