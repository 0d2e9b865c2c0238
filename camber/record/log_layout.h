#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace camber::record {

/// One quantity over time: for each sample an array of `shape`, last index fastest.
struct Channel {
  std::string name;                         // path in the file: "coordinates/q"
  std::vector<std::size_t> shape = {};      // {n}, {bodies, 7}; {} is one number
  std::vector<std::string> units = {};      // one for all columns, or one per column
  std::vector<std::string> names = {};      // of the columns, which are the last axis; may be empty
  std::vector<std::string> row_names = {};  // of the first of two axes; may be empty
  std::string description = {};

  std::size_t entries() const;  // numbers per sample
  std::size_t columns() const;  // length of the last axis
};

/// Attributes of a file.
using Attribute = std::variant<std::string, double>;
using Attributes = std::map<std::string, Attribute>;

/// Data of a run that suffice to repeat it.
struct RunInfo {
  std::string model_file;
  std::string model_text;  // the whole file
  std::string program;     // "camber 0.1.0"
  std::string formulation;
  Attributes integrator = {};  // {"method", "dopri5"}, {"rtol", 1e-6}
  Attributes start = {};       // {"q.steer", 0.1}, {"options", "--from rest"}
};

/// As attributes of a log: model_file, model_text, program, formulation, integrator.rtol,
/// start.q.x.
Attributes to_attributes(const RunInfo& info);

/// Channels with their own times, in a group: "sensors/imu" has sensors/imu/time and
/// sensors/imu/angular_rate.
struct Series {
  std::string group;
  std::vector<Channel> channels;   // names are paths within the group
  std::size_t chunk_samples = 64;  // gathered before they are written
};

struct LogLayout {
  std::vector<Channel> channels;
  Attributes attributes = {};  // of the file
  std::vector<Series> series = {};
};

/// Throws std::invalid_argument, with the channel's name, for a name that is empty, not a path, a
/// duplicate, part of another's path or reserved ("time", "complete"), and for names and units that
/// do not fit the shape.
void check_layout(const LogLayout& layout);

}  // namespace camber::record
