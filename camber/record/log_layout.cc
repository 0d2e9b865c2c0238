#include "camber/record/log_layout.h"

#include <set>
#include <string_view>

#include "camber/core/require.h"

namespace camber::record {
namespace {

constexpr std::size_t kMaxEntries = std::size_t{1} << 24;  // 128 MiB per sample: a mistake

bool is_path(std::string_view name) {
  return !name.empty() && name.front() != '/' && name.back() != '/' &&
         name.find("//") == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

void check_shape(const Channel& channel) {
  std::size_t entries = 1;
  for (const std::size_t length : channel.shape) {
    require(length > 0 && length <= kMaxEntries / entries, "log channel \"", channel.name,
            "\": a shape needs lengths > 0 and at most ", kMaxEntries, " entries in all");
    entries *= length;
  }
}

void check_labels(const Channel& channel) {
  const std::size_t columns = channel.columns();
  require(channel.names.empty() || channel.names.size() == columns, "log channel \"", channel.name,
          "\" has ", channel.names.size(), " names for ", columns, " columns");
  require(channel.units.size() <= 1 || channel.units.size() == columns, "log channel \"",
          channel.name, "\" has ", channel.units.size(), " units for ", columns, " columns");
  const std::size_t rows = channel.shape.size() == 2 ? channel.shape.front() : 0;
  require(channel.row_names.empty() || channel.row_names.size() == rows, "log channel \"",
          channel.name, "\" has ", channel.row_names.size(), " row names for ", rows, " rows");
}

// A name that other names go through must be a group: "a" and "a/b" cannot both be data.
void check_names(const LogLayout& layout) {
  std::set<std::string> data = {"time", "complete"};
  for (const Channel& channel : layout.channels) {
    require(is_path(channel.name), "log channel \"", channel.name,
            "\": a name is a path such as \"coordinates/q\"");
    require(data.insert(channel.name).second, "log channel \"", channel.name,
            "\": the name is already taken");
  }
  for (const Series& series : layout.series) {
    require(is_path(series.group), "log series \"", series.group,
            "\": a group is a path such as \"sensors/imu\"");
    require(data.insert(series.group + "/time").second, "log series \"", series.group,
            "\": the group is already taken");
    for (const Channel& channel : series.channels) {
      require(is_path(channel.name), "log series \"", series.group, "\": \"", channel.name,
              "\" is not a name");
      require(data.insert(series.group + "/" + channel.name).second, "log series \"", series.group,
              "\": \"", channel.name, "\" is already taken");
    }
  }
  for (const std::string& name : data) {
    for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
      require(!data.contains(name.substr(0, at)), "log channel \"", name, "\" lies inside \"",
              name.substr(0, at), "\", which is a channel, too");
    }
  }
}

}  // namespace

std::size_t Channel::entries() const {
  std::size_t product = 1;
  for (const std::size_t length : shape) product *= length;
  return product;
}

std::size_t Channel::columns() const { return shape.empty() ? 1 : shape.back(); }

Attributes to_attributes(const RunInfo& info) {
  Attributes attributes = {{"model_file", info.model_file},
                           {"model_text", info.model_text},
                           {"program", info.program},
                           {"formulation", info.formulation}};
  for (const auto& [name, value] : info.integrator) attributes["integrator." + name] = value;
  for (const auto& [name, value] : info.start) attributes["start." + name] = value;
  return attributes;
}

void check_layout(const LogLayout& layout) {
  check_names(layout);
  const auto check = [](const std::vector<Channel>& channels) {
    for (const Channel& channel : channels) {
      check_shape(channel);
      check_labels(channel);
    }
  };
  check(layout.channels);
  for (const Series& series : layout.series) check(series.channels);
  for (const auto& [name, value] : layout.attributes) {
    require(!name.empty() && name.find('\0') == std::string::npos,
            "log: an attribute needs a name");
  }
}

}  // namespace camber::record
