#include "camber/record/log_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <hdf5.h>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/record/hdf5.h"
#include "camber/record/log_file.h"

namespace camber::record {
namespace {

using internal::Handle;
using internal::Id;
using internal::read_attribute;
using internal::Session;

constexpr double kFormatVersion = 1.0;
constexpr int kMaxRank = 8;
constexpr double kSmall = 1 << 24;  // bytes that may be announced freely
constexpr std::size_t kMaxSamples = std::size_t{1} << 36;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw FileError(path, "cannot read: " + what + internal::last_error());
}

struct Data {
  Channel channel;
  Handle dataset;
  std::size_t samples = 0;
};

// What the system says is clearer than what HDF5 makes of it.
void check_readable(const std::string& path) {
  struct stat status {};
  int error = ::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK) != 0 ? errno : 0;
  if (error == 0 && S_ISDIR(status.st_mode)) error = EISDIR;
  if (error != 0) {
    throw FileError(path, "cannot read: " + std::generic_category().message(error));
  }
}

// Names of all datasets, in alphabetical order.
herr_t collect_dataset(hid_t /*root*/, const char* name, const H5O_info_t* info, void* names) {
  if (info->type == H5O_TYPE_DATASET)
    static_cast<std::vector<std::string>*>(names)->push_back(name);
  return 0;
}

herr_t collect_attribute(hid_t /*file*/, const char* name, const H5A_info_t* /*info*/,
                         void* names) {
  static_cast<std::vector<std::string>*>(names)->push_back(name);
  return 0;
}

}  // namespace

struct LogReader::State {
  explicit State(std::string file_path) : path(std::move(file_path)) {}
  ~State() {
    const Session session;
    data.clear();
    handle.close();
  }

  void open();
  std::string find_damaged_text() const;
  void read_attributes();
  void read_channels();
  Data open_data(const std::string& name) const;
  void read_series(std::vector<std::string>* names);
  const Data& find_data(const std::string& name) const;
  void read(const Data& from, std::size_t first, std::size_t count, std::span<double> values) const;

  std::string path;
  Handle handle;
  std::vector<Data> data;  // time, then channels
  std::vector<Channel> channels;
  std::vector<Series> series;
  Attributes attributes;
  std::size_t samples = 0;
  bool is_complete = false;
};

void LogReader::State::open() {
  check_readable(path);
  if (H5Fis_hdf5(path.c_str()) <= 0) throw FileError(path, "is not a log: not an HDF5 file");
  handle = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!handle.valid()) fail(path, "");
}

// What is wrong with the text in the file, or nothing; only then HDF5 may read it.
std::string LogReader::State::find_damaged_text() const {
  constexpr std::uint64_t kMaxSize = 1 << 28;
  std::vector<std::uint64_t> list;
  if (!read_attribute(handle.id(), internal::kTextChecksums, &list) || list.size() % 3 != 0) {
    return "is not a log of camber, but another HDF5 file";
  }
  std::ifstream file(path, std::ios::binary);
  for (std::size_t i = 0; i < list.size(); i += 3) {
    std::vector<char> text(std::min(list[i + 1], kMaxSize));
    file.seekg(static_cast<std::streamoff>(list[i]));
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    if (!file || internal::metadata_checksum(bytes, text.size()) != list[i + 2]) {
      return concat("is damaged between bytes ", list[i], " and ", list[i] + list[i + 1]);
    }
  }
  return "";
}

void LogReader::State::read_attributes() {
  const std::string damage = find_damaged_text();
  if (!damage.empty()) throw FileError(path, damage);
  std::vector<std::string> format;
  double version = 0.0;
  if (!read_attribute(handle.id(), "format", &format) || format.front() != "camber log") {
    throw FileError(path, "is not a log of camber, but another HDF5 file");
  }
  if (!read_attribute(handle.id(), "format_version", &version)) fail(path, "format_version: ");
  if (version > kFormatVersion) {
    throw FileError(path, concat("format ", version, " is of a newer camber; this one reads up to ",
                                 kFormatVersion));
  }
  std::vector<std::string> names;
  if (H5Aiterate2(handle.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_attribute, &names) <
      0) {
    fail(path, "attributes: ");
  }
  for (const std::string& name : names) {
    if (name == "format" || name == "format_version" || name == internal::kTextChecksums) continue;
    double number = 0.0;
    std::vector<std::string> texts;
    if (read_attribute(handle.id(), name, &number)) {
      attributes[name] = number;
    } else if (read_attribute(handle.id(), name, &texts)) {
      attributes[name] = texts.front();
    } else {
      fail(path, concat("attribute ", name, ": "));
    }
  }
}

Data LogReader::State::open_data(const std::string& name) const {
  Data result;
  result.channel.name = name;
  result.dataset = Handle(H5Dopen2(handle.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!result.dataset.valid()) fail(path, name + ": ");
  const Id id = result.dataset.id();
  const Handle type(H5Dget_type(id), H5Tclose);
  const Handle space(H5Dget_space(id), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (!type.valid() || !space.valid() || H5Tget_class(type.id()) != H5T_FLOAT || rank < 1 ||
      rank > kMaxRank) {
    throw FileError(path, name + " is not a channel: not an array of numbers over time");
  }
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr) < 0) fail(path, name + ": ");
  result.samples = shape.front();
  // A file of a few bytes may announce terabytes, which HDF5 would fill in. Deflate makes at most
  // 1,032 bytes of one.
  constexpr double kMaxRatio = 1100;
  double bytes = sizeof(double);
  for (const hsize_t n : shape) bytes *= static_cast<double>(n);
  if (bytes > kSmall && bytes > kMaxRatio * static_cast<double>(H5Dget_storage_size(id)))
    throw FileError(
        path, concat(name, " announces ", bytes, " bytes, but has only ", H5Dget_storage_size(id)));
  result.channel.shape.assign(shape.begin() + 1, shape.end());

  std::vector<std::string> description;
  read_attribute(id, "units", &result.channel.units);
  read_attribute(id, "names", &result.channel.names);
  read_attribute(id, "row_names", &result.channel.row_names);
  if (read_attribute(id, "description", &description)) {
    result.channel.description = description.front();
  }
  return result;
}

// A group with a dataset "time" is a series; takes its names out of the list.
void LogReader::State::read_series(std::vector<std::string>* names) {
  constexpr std::string_view kTime = "/time";
  for (const std::string& name : *names) {
    if (!name.ends_with(kTime)) continue;
    Series found{.group = name.substr(0, name.size() - kTime.size()), .channels = {}};
    Data time = open_data(name);
    if (!time.channel.shape.empty() || time.samples > kMaxSamples)
      throw FileError(path, name + " is not a list of times");
    found.chunk_samples = time.samples;
    data.push_back(std::move(time));
    series.push_back(std::move(found));
  }
  for (Series& one : series) {
    const std::string prefix = one.group + "/";
    for (const std::string& name : *names) {
      if (!name.starts_with(prefix) || name == prefix + "time") continue;
      data.push_back(open_data(name));
      if (data.back().samples < one.chunk_samples)
        throw FileError(path, concat(name, " has ", data.back().samples, " samples, its time has ",
                                     one.chunk_samples));
      one.channels.push_back(data.back().channel);
      one.channels.back().name = name.substr(prefix.size());
    }
    std::erase_if(*names, [&](const std::string& name) { return name.starts_with(prefix); });
  }
}

void LogReader::State::read_channels() {
  std::vector<std::string> names;
  if (H5Ovisit(handle.id(), H5_INDEX_NAME, H5_ITER_INC, collect_dataset, &names) < 0)
    fail(path, "");
  if (std::erase(names, "complete") > 0) {
    const Handle complete(H5Dopen2(handle.id(), "complete", H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(complete.id()), H5Sclose);
    std::uint8_t value = 0;
    if (H5Sget_simple_extent_npoints(space.id()) != 1 ||
        H5Dread(complete.id(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0) {
      fail(path, "complete: ");
    }
    is_complete = value == 1;
  }
  if (std::erase(names, "time") == 0) throw FileError(path, "has no times");
  data.push_back(open_data("time"));
  samples = data.front().samples;
  if (!data.front().channel.shape.empty() || samples > kMaxSamples) {
    throw FileError(path, "time is not a list of times");
  }
  read_series(&names);
  LogLayout layout;
  for (const std::string& name : names) {
    data.push_back(open_data(name));
    if (data.back().samples < samples) {
      throw FileError(path,
                      concat(name, " has ", data.back().samples, " samples, time has ", samples));
    }
    layout.channels.push_back(data.back().channel);
  }
  try {
    check_layout(layout);
  } catch (const std::invalid_argument& error) {
    throw FileError(path, error.what());
  }
  channels = std::move(layout.channels);
}

const Data& LogReader::State::find_data(const std::string& name) const {
  const auto found =
      std::find_if(data.begin(), data.end(), [&](const Data& d) { return d.channel.name == name; });
  if (found == data.end()) {
    std::vector<std::string> names;
    for (const Data& d : data) names.push_back(d.channel.name);
    require(false, path, ": no channel \"", name, "\"", did_you_mean(name, names));
  }
  return *found;
}

LogReader::LogReader(const std::string& path) : state_(std::make_unique<State>(path)) {
  const Session session;
  state_->open();
  state_->read_attributes();
  state_->read_channels();
}

LogReader::~LogReader() = default;
LogReader::LogReader(LogReader&&) noexcept = default;

const std::string& LogReader::path() const { return state_->path; }
std::size_t LogReader::samples() const { return state_->samples; }
bool LogReader::is_complete() const { return state_->is_complete; }
const std::vector<Channel>& LogReader::channels() const { return state_->channels; }
const Attributes& LogReader::attributes() const { return state_->attributes; }

const Channel* LogReader::find_channel(const std::string& name) const {
  for (const Channel& channel : state_->channels) {
    if (channel.name == name) return &channel;
  }
  return nullptr;
}

std::vector<double> LogReader::read(const std::string& name) const {
  return read(name, 0, state_->samples);
}

std::vector<double> LogReader::read(const std::string& name, std::size_t first,
                                    std::size_t count) const {
  const Data& data = state_->find_data(name);
  require(first <= state_->samples && count <= state_->samples - first, state_->path, ": samples ",
          first, " to ", first + count, " asked for, there are ", state_->samples);
  std::vector<double> values(count * data.channel.entries());
  read(name, first, count, values);
  return values;
}

void LogReader::read(const std::string& name, std::size_t first, std::size_t count,
                     std::span<double> values) const {
  const Data& data = state_->find_data(name);
  require(first <= state_->samples && count <= state_->samples - first, state_->path, ": samples ",
          first, " to ", first + count, " asked for, there are ", state_->samples);
  require(values.size() == count * data.channel.entries(), "LogReader: ", name, " needs room for ",
          count * data.channel.entries(), " numbers, got ", values.size());
  state_->read(data, first, count, values);
}

const std::vector<Series>& LogReader::series() const { return state_->series; }

const Series* LogReader::find_series(const std::string& group) const {
  for (const Series& one : state_->series)
    if (one.group == group) return &one;
  return nullptr;
}

std::vector<double> LogReader::read_series(const std::string& group,
                                           const std::string& channel) const {
  const Series* one = find_series(group);
  require(one != nullptr, state_->path, ": no series \"", group, "\"");
  const Data& data = state_->find_data(group + "/" + channel);
  std::vector<double> values(one->chunk_samples * data.channel.entries());
  state_->read(data, 0, one->chunk_samples, values);
  return values;
}

void LogReader::State::read(const Data& from, std::size_t first, std::size_t count,
                            std::span<double> values) const {
  if (count == 0) return;
  const Session session;
  const Id id = from.dataset.id();
  std::vector<hsize_t> start(from.channel.shape.size() + 1, 0);
  std::vector<hsize_t> block = {count};
  block.insert(block.end(), from.channel.shape.begin(), from.channel.shape.end());
  start[0] = first;
  const Handle in_file(H5Dget_space(id), H5Sclose);
  const Handle in_memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr),
                         H5Sclose);
  if (H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(),
                          nullptr) < 0 ||
      H5Dread(id, H5T_NATIVE_DOUBLE, in_memory.id(), in_file.id(), H5P_DEFAULT, values.data()) <
          0) {
    fail(path, from.channel.name + ": ");
  }
}

}  // namespace camber::record
