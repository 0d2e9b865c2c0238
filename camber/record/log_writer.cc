#include "camber/record/log_writer.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/record/hdf5.h"
#include "camber/record/log_file.h"

namespace camber::record {
namespace {

using internal::Handle;
using internal::Id;
using internal::LogFile;
using internal::Session;
using internal::write_attribute;

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMinChunk = 8;
constexpr std::size_t kMaxChunk = 4096;
constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 31;  // HDF5 ends at 4 GiB

std::size_t choose_chunk(const LogLayout& layout, const LogOptions& options) {
  if (options.chunk_samples > 0) return options.chunk_samples;
  std::size_t numbers = 1;
  for (const Channel& channel : layout.channels) numbers += channel.entries();
  const std::size_t fitting = kChunkBytes / (sizeof(double) * numbers);
  const std::size_t chunk = std::clamp(fitting, kMinChunk, kMaxChunk);
  return options.expected_samples == 0 ? chunk : std::min(chunk, options.expected_samples);
}

/// A dataset and the samples that are not in it yet.
struct Column {
  Handle dataset;
  std::vector<hsize_t> shape;  // {samples, ...}
  std::size_t entries = 1;     // per sample
  std::vector<double> buffer;  // a chunk
};

}  // namespace

struct LogWriter::State {
  /// Columns that grow together.
  struct Block {
    std::vector<Column> columns;  // time, then channels
    std::size_t chunk = 0;        // samples that are gathered before they are written
    std::size_t chunk_start = 0;  // sample with which the buffers begin
    std::size_t buffered = 0;     // samples in the buffers
    std::size_t flushed = 0;      // of those, already in the file
  };

  State(const std::string& path, const LogLayout& layout, const LogOptions& options)
      : file(path), blocks(1 + layout.series.size()) {
    blocks[0].chunk = choose_chunk(layout, options);
    for (std::size_t i = 0; i < layout.series.size(); ++i)
      blocks[i + 1].chunk = std::max<std::size_t>(1, layout.series[i].chunk_samples);
  }

  ~State() {
    const Session session;
    close_handles();
  }

  // Throws what went wrong first: a failed write before what HDF5 makes of it.
  void check(bool ok) {
    if (failure.empty() && file.has_failed()) failure = file.failure();
    if (failure.empty() && !ok) failure = "cannot write: " + internal::last_error();
    if (!failure.empty()) throw FileError(file.path(), failure);
  }

  void create(const LogLayout& layout, int compression);
  void create_groups(const std::string& name, Id links);
  Column create_column(const Channel& channel, std::size_t chunk, int compression);
  void append(Block* block, double time, std::span<const std::span<const double>> values);
  void write_labels(Id dataset, const Channel& channel);
  void write_column(const Block& block, Column* column, std::size_t first, std::size_t count);
  void flush(Block* block);
  void flush();
  bool close_handles();
  void close(bool is_complete);

  LogFile file;
  Handle handle;
  std::vector<Block> blocks;  // of the layout's channels, then of its series
  Handle complete;
  std::string failure;  // reason why nothing more can be written
  bool open = false;
};

void LogWriter::State::write_labels(Id dataset, const Channel& channel) {
  bool ok = true;
  if (channel.units.size() == 1) {
    ok = write_attribute(dataset, "units", channel.units.front());
  } else if (!channel.units.empty()) {
    ok = write_attribute(dataset, "units", channel.units);
  }
  if (!channel.names.empty()) ok = ok && write_attribute(dataset, "names", channel.names);
  if (!channel.row_names.empty()) {
    ok = ok && write_attribute(dataset, "row_names", channel.row_names);
  }
  if (!channel.description.empty()) {
    ok = ok && write_attribute(dataset, "description", channel.description);
  }
  check(ok);
}

// One by one rather than along the way, because only so they can be without a time of creation.
void LogWriter::State::create_groups(const std::string& name, Id links) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation.id(), false) >= 0);
  for (std::size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
    const std::string group = name.substr(0, at);
    if (H5Lexists(handle.id(), group.c_str(), H5P_DEFAULT) > 0) continue;
    const Handle made(H5Gcreate2(handle.id(), group.c_str(), links, creation.id(), H5P_DEFAULT),
                      H5Gclose);
    check(made.valid());
  }
}

Column LogWriter::State::create_column(const Channel& channel, std::size_t chunk, int compression) {
  Column column;
  column.entries = channel.entries();
  column.buffer.resize(chunk * column.entries);
  column.shape.push_back(0);
  column.shape.insert(column.shape.end(), channel.shape.begin(), channel.shape.end());
  const int rank = static_cast<int>(column.shape.size());

  std::vector<hsize_t> limits = column.shape;
  limits[0] = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(rank, column.shape.data(), limits.data()), H5Sclose);

  std::vector<hsize_t> chunk_shape = column.shape;
  chunk_shape[0] = chunk;
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(creation.id(), rank, chunk_shape.data()) >= 0 &&
        H5Pset_obj_track_times(creation.id(), false) >= 0);
  if (compression > 0) {
    check(H5Pset_shuffle(creation.id()) >= 0 &&
          H5Pset_deflate(creation.id(), static_cast<unsigned>(compression)) >= 0);
  }
  // Our buffer is the chunk; HDF5's cache would only copy it.
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  check(H5Pset_chunk_cache(access.id(), 0, 0, 1.0) >= 0);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check(H5Pset_char_encoding(links.id(), H5T_CSET_UTF8) >= 0);
  create_groups(channel.name, links.id());

  column.dataset = Handle(H5Dcreate2(handle.id(), channel.name.c_str(), H5T_IEEE_F64LE, space.id(),
                                     links.id(), creation.id(), access.id()),
                          H5Dclose);
  check(column.dataset.valid());
  write_labels(column.dataset.id(), channel);
  return column;
}

void LogWriter::State::create(const LogLayout& layout, int compression) {
  const Handle access = file.make_access();
  check(access.valid());
  // Space by pages, so that no index entry lies across two of them: the system may end a process
  // between two pages of one write, and half an entry is none. And the same run gives the same
  // file: no times of creation in it.
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_file_space_strategy(creation.id(), H5F_FSPACE_STRATEGY_PAGE, false, 1) >= 0 &&
        H5Pset_file_space_page_size(creation.id(), kPage) >= 0 &&
        H5Pset_obj_track_times(creation.id(), false) >= 0);
  handle =
      Handle(H5Fcreate(file.path().c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose);
  check(handle.valid());
  open = true;

  check(write_attribute(handle.id(), "format", "camber log") &&
        write_attribute(handle.id(), "format_version", 1.0));
  for (const auto& attribute : layout.attributes) {
    const auto write = [&](const auto& value) {
      return write_attribute(handle.id(), attribute.first, value);
    };
    check(std::visit(write, attribute.second));
  }

  const auto create_block = [&](const std::string& prefix, const std::vector<Channel>& channels,
                                Block* block) {
    const Channel time{.name = prefix + "time", .units = {"s"}};
    block->columns.push_back(create_column(time, block->chunk, compression));
    for (Channel channel : channels) {
      channel.name = prefix + channel.name;
      block->columns.push_back(create_column(channel, block->chunk, compression));
    }
  };
  create_block("", layout.channels, &blocks[0]);
  for (std::size_t i = 0; i < layout.series.size(); ++i)
    create_block(layout.series[i].group + "/", layout.series[i].channels, &blocks[i + 1]);

  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle early(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_alloc_time(early.id(), H5D_ALLOC_TIME_EARLY) >= 0 &&
        H5Pset_obj_track_times(early.id(), false) >= 0);
  complete = Handle(H5Dcreate2(handle.id(), "complete", H5T_STD_U8LE, scalar.id(), H5P_DEFAULT,
                               early.id(), H5P_DEFAULT),
                    H5Dclose);
  check(complete.valid());
  check(H5Fflush(handle.id(), H5F_SCOPE_GLOBAL) >= 0);
  check(write_attribute(handle.id(), internal::kTextChecksums, file.text_checksums()));
  check(H5Fstart_swmr_write(handle.id()) >= 0);
  check(H5Fflush(handle.id(), H5F_SCOPE_GLOBAL) >= 0);
}

// Rows first to first + count of the buffer.
void LogWriter::State::write_column(const Block& rows, Column* column, std::size_t first,
                                    std::size_t count) {
  const Id id = column->dataset.id();
  const int rank = static_cast<int>(column->shape.size());
  column->shape[0] = rows.chunk_start + first + count;
  check(H5Dset_extent(id, column->shape.data()) >= 0);

  std::vector<hsize_t> start(column->shape.size(), 0);
  std::vector<hsize_t> block = column->shape;
  start[0] = rows.chunk_start + first;
  block[0] = count;
  const Handle in_file(H5Dget_space(id), H5Sclose);
  const Handle in_memory(H5Screate_simple(rank, block.data(), nullptr), H5Sclose);
  check(H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(),
                            nullptr) >= 0);
  check(H5Dwrite(id, H5T_NATIVE_DOUBLE, in_memory.id(), in_file.id(), H5P_DEFAULT,
                 column->buffer.data() + first * column->entries) >= 0);
  check(H5Dflush(id) >= 0);
}

void LogWriter::State::flush(Block* block) {
  if (block->flushed == block->buffered) return;
  const Session session;
  // Time last: see the class.
  for (std::size_t i = block->columns.size(); i-- > 0;)
    write_column(*block, &block->columns[i], block->flushed, block->buffered - block->flushed);
  block->flushed = block->buffered;
  if (block->buffered == block->chunk) {
    block->chunk_start += block->chunk;
    block->buffered = block->flushed = 0;
  }
}

void LogWriter::State::flush() {
  require(open, "LogWriter: ", file.path(), " is closed");
  check(true);
  for (Block& block : blocks) flush(&block);
}

bool LogWriter::State::close_handles() {
  bool ok = complete.close();
  for (Block& block : blocks)
    for (Column& column : block.columns) ok = column.dataset.close() && ok;
  return handle.close() && ok;
}

void LogWriter::State::close(bool is_complete) {
  if (!open) return;
  const Session session;
  try {
    flush();
    const std::uint8_t mark = is_complete ? 1 : 0;
    check(H5Dwrite(complete.id(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, &mark) >= 0);
  } catch (const FileError&) {
    open = false;
    close_handles();
    throw;
  }
  open = false;
  check(close_handles());
  file.finish();
  check(true);
}

LogWriter::LogWriter(const std::string& path, const LogLayout& layout, const LogOptions& options) {
  check_layout(layout);
  for (const Channel& channel : layout.channels) {
    require(choose_chunk(layout, options) <= kMaxChunkBytes / sizeof(double) / channel.entries(),
            "LogWriter: chunk_samples = ", options.chunk_samples, " is too much for channel \"",
            channel.name, "\" with its ", channel.entries(), " entries");
  }
  require(options.compression >= 0 && options.compression <= 9,
          "LogWriter: compression must be 0 to 9, got ", options.compression);
  const Session session;
  state_ = std::make_unique<State>(path, layout, options);
  try {
    state_->create(layout, options.compression);
  } catch (const std::exception&) {
    state_->file.remove();
    throw;
  }
}

LogWriter::~LogWriter() {
  try {
    if (state_) state_->close(false);
  } catch (const std::exception&) {  // close() is there for those who want to know
  }
}

LogWriter::LogWriter(LogWriter&&) noexcept = default;

void LogWriter::State::append(Block* block, double time,
                              std::span<const std::span<const double>> values) {
  require(open, "LogWriter: ", file.path(), " is closed");
  std::vector<Column>& columns = block->columns;
  require(values.size() + 1 == columns.size(), "LogWriter: got ", values.size(),
          " channels, the layout has ", columns.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(values[i].size() == columns[i + 1].entries, "LogWriter: channel ", i, " has ",
            values[i].size(), " values, the layout says ", columns[i + 1].entries);
  }
  check(true);
  columns[0].buffer[block->buffered] = time;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Column& column = columns[i + 1];
    std::copy(
        values[i].begin(), values[i].end(),
        column.buffer.begin() + static_cast<std::ptrdiff_t>(block->buffered * column.entries));
  }
  if (++block->buffered == block->chunk) flush(block);
}

void LogWriter::append(double time, std::span<const std::span<const double>> values) {
  state_->append(&state_->blocks[0], time, values);
}

void LogWriter::append_series(std::size_t series, double time,
                              std::span<const std::span<const double>> values) {
  require(series + 1 < state_->blocks.size(), "LogWriter: series ", series, " of ",
          state_->blocks.size() - 1);
  state_->append(&state_->blocks[series + 1], time, values);
}

void LogWriter::append(double time, std::initializer_list<std::span<const double>> values) {
  append(time, std::span<const std::span<const double>>(values.begin(), values.size()));
}

void LogWriter::flush() { state_->flush(); }

void LogWriter::close() { state_->close(true); }

const std::string& LogWriter::path() const { return state_->file.path(); }

std::size_t LogWriter::samples() const {
  return state_->blocks[0].chunk_start + state_->blocks[0].buffered;
}

std::size_t LogWriter::chunk_samples() const { return state_->blocks[0].chunk; }

}  // namespace camber::record
