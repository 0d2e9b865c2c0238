// A virtual file driver of HDF5, as in "HDF5 Virtual File Layer": the library calls us for each
// read and write of the file. Superblock: "HDF5 File Format Specification Version 3.0", II.A,
// version 3.
#include "camber/record/log_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <hdf5.h>

#include "camber/core/file.h"

namespace camber::record::internal {
namespace {

constexpr std::size_t kSuperblockSize = 48;  // with addresses of 8 bytes
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kFlagsAt = 11;
constexpr std::size_t kEndOfFileAt = 28;
constexpr std::size_t kChecksumAt = 44;
constexpr std::uint64_t kEndStep = 1 << 16;  // so that the superblock is not written all the time

std::uint64_t read_little_endian(const unsigned char* data, int bytes) {
  std::uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) value = value << 8 | data[i];
  return value;
}

void write_little_endian(std::uint64_t value, int bytes, unsigned char* data) {
  for (int i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(value >> 8 * i);
}

std::string failure_text(int error) {
  return "cannot write: " + std::generic_category().message(error);
}

// --- The driver: HDF5's side of a LogFile ---

struct DriverInfo {
  LogFile* file;
};

struct DriverFile {
  H5FD_t common;  // HDF5's own, must be first
  LogFile* file;
};

LogFile* file_of(const H5FD_t* file) { return reinterpret_cast<const DriverFile*>(file)->file; }

H5FD_t* open_driver(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*maxaddr*/) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  return info == nullptr ? nullptr : &(new DriverFile{{}, info->file})->common;
}

herr_t close_driver(H5FD_t* file) {
  delete reinterpret_cast<DriverFile*>(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  if (file_of(a) == file_of(b)) return 0;
  return file_of(a) < file_of(b) ? -1 : 1;
}

// No accumulator: it would join and reorder what SWMR orders.
herr_t query(const H5FD_t* /*file*/, unsigned long* features) {
  if (features != nullptr) {
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
                H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  }
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t /*type*/) { return file_of(file)->end(); }

herr_t set_eoa(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  file_of(file)->set_end(end);
  return 0;
}

haddr_t get_eof(const H5FD_t* file, H5FD_mem_t /*type*/) { return file_of(file)->size(); }

herr_t read(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address,
            std::size_t size, void* data) {
  return file_of(file)->read(address, data, size) ? 0 : -1;
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address, std::size_t size,
             const void* data) {
  if (type == H5FD_MEM_OHDR) {
    file_of(file)->write_header(address, data, size);
  } else {
    file_of(file)->write(address, data, size);
  }
  return 0;
}

// Grows only: the superblock in the file still speaks of the longer one.
herr_t truncate(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  file_of(file)->extend(file_of(file)->end());
  return 0;
}

Id driver_id() {
  static const Id id = [] {
    static H5FD_class_t driver{};
    driver.name = "camber_log";
    driver.maxaddr = (haddr_t{1} << 63) - 1;
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(DriverInfo);
    driver.open = open_driver;
    driver.close = close_driver;
    driver.cmp = compare;
    driver.query = query;
    driver.get_eoa = get_eoa;
    driver.set_eoa = set_eoa;
    driver.get_eof = get_eof;
    driver.read = read;
    driver.write = write;
    driver.truncate = truncate;
    std::fill(std::begin(driver.fl_map), std::end(driver.fl_map), H5FD_MEM_SUPER);
    return H5FDregister(&driver);
  }();
  return id;
}

}  // namespace

LogFile::LogFile(const std::string& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw FileError(path, failure_text(errno));
}

LogFile::~LogFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Handle LogFile::make_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const DriverInfo info{this};
  const bool ok = H5Pset_driver(access.id(), driver_id(), &info) >= 0 &&
                  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0;
  return ok ? std::move(access) : Handle();
}

std::string LogFile::failure() const { return failure_text(error_); }

void LogFile::finish() {
  published_end_ = end_;
  if (has_superblock_) write_superblock();
  if (error_ == 0 && ::ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) error_ = errno;
  // Some file systems report a failed write only here.
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
}

void LogFile::remove() { ::unlink(path_.c_str()); }

std::vector<std::uint64_t> LogFile::text_checksums() const {
  std::vector<std::uint64_t> result;
  for (const auto& [address, text] : texts_) {
    result.insert(result.end(), {address, text.first, text.second});
  }
  return result;
}

void LogFile::write(std::uint64_t address, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  if (address == 0 && size >= kSuperblockSize && bytes[kVersionAt] == 3) {
    std::copy_n(bytes, kSuperblockSize, superblock_.begin());
    has_superblock_ = true;
    publish_end(std::max<std::uint64_t>(size, read_little_endian(&bytes[kEndOfFileAt], 8)));
    write_superblock();
    write_all(kSuperblockSize, bytes + kSuperblockSize, size - kSuperblockSize);
  } else {
    // HDF5 hands these over as if they were samples.
    if (size >= 4 && std::memcmp(bytes, "GCOL", 4) == 0) {
      texts_[address] = {size, metadata_checksum(bytes, size)};
    }
    publish_end(address + size);
    write_all(address, bytes, size);
  }
}

// The same run gives the same file, but HDF5 cannot be asked to leave the times out of the header
// that describes the space by pages. Format specification IV.A.1.b: "OHDR", version 2, flags, and
// if bit 5 is set four times of 4 bytes; the checksum comes last.
void LogFile::write_header(std::uint64_t address, const void* data, std::size_t size) {
  constexpr std::size_t kTimesAt = 6;
  constexpr std::size_t kTimesSize = 16;
  const auto* bytes = static_cast<const unsigned char*>(data);
  const bool has_times = size > kTimesAt + kTimesSize + 4 && std::memcmp(bytes, "OHDR", 4) == 0 &&
                         bytes[4] == 2 && (bytes[5] & 0x20U) != 0;
  if (!has_times) return write(address, data, size);
  std::vector<unsigned char> header(bytes, bytes + size);
  std::fill_n(header.begin() + kTimesAt, kTimesSize, static_cast<unsigned char>(0));
  write_little_endian(metadata_checksum(header.data(), size - 4), 4, &header[size - 4]);
  write(address, header.data(), size);
}

// Readers refuse addresses beyond the end in the superblock, and files that are shorter than it. So
// the file grows first, then the superblock's end, and only then comes what points there.
void LogFile::publish_end(std::uint64_t end) {
  if (end <= published_end_) return;
  end = (end + kEndStep - 1) / kEndStep * kEndStep;
  extend(end);
  published_end_ = end;
  if (has_superblock_) write_superblock();
}

// One write within one page: it is there as a whole or not at all.
void LogFile::write_superblock() {
  superblock_[kFlagsAt] = 0;
  write_little_endian(published_end_, 8, &superblock_[kEndOfFileAt]);
  write_little_endian(metadata_checksum(superblock_.data(), kChecksumAt), 4,
                      &superblock_[kChecksumAt]);
  write_all(0, superblock_.data(), superblock_.size());
}

void LogFile::write_all(std::uint64_t address, const unsigned char* data, std::size_t size) {
  size_ = std::max(size_, address + size);
  std::size_t done = 0;
  while (done < size && error_ == 0) {
    const ssize_t n =
        ::pwrite(descriptor_, data + done, size - done, static_cast<off_t>(address + done));
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  if (error_ != 0) unwritten_.push_back({address, {data, data + size}});
}

void LogFile::extend(std::uint64_t size) {
  if (size <= size_) return;
  if (error_ == 0 && ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) error_ = errno;
  size_ = size;
}

bool LogFile::read(std::uint64_t address, void* data, std::size_t size) const {
  auto* bytes = static_cast<unsigned char*>(data);
  if (!read_file(address, bytes, size)) return false;
  for (const Unwritten& piece : unwritten_) {
    const std::uint64_t first = std::max(address, piece.address);
    const std::uint64_t last = std::min(address + size, piece.address + piece.data.size());
    if (first >= last) continue;
    std::copy_n(piece.data.data() + (first - piece.address), last - first,
                bytes + (first - address));
  }
  return true;
}

// What was never written reads as zeros.
bool LogFile::read_file(std::uint64_t address, unsigned char* data, std::size_t size) const {
  while (size > 0) {
    const ssize_t n = ::pread(descriptor_, data, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) {
      std::memset(data, 0, size);
      return true;
    }
    data += n;
    address += static_cast<std::uint64_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

// http://burtleburtle.net/bob/c/lookup3.c (public domain), hashlittle(), read byte by byte.
std::uint32_t metadata_checksum(const unsigned char* data, std::size_t size) {
  const auto word = [&](std::size_t at) {
    const std::size_t bytes = at < size ? std::min<std::size_t>(4, size - at) : 0;
    return static_cast<std::uint32_t>(read_little_endian(data + at, static_cast<int>(bytes)));
  };
  std::uint32_t a = 0xdeadbeefU + static_cast<std::uint32_t>(size);
  std::uint32_t b = a;
  std::uint32_t c = a;
  if (size == 0) return c;
  std::size_t at = 0;
  for (; size - at > 12; at += 12) {
    a += word(at);
    b += word(at + 4);
    c += word(at + 8);
    const auto mix = [](std::uint32_t* x, std::uint32_t* y, std::uint32_t* z, int turn) {
      *x -= *z;
      *x ^= std::rotl(*z, turn);
      *z += *y;
    };
    mix(&a, &b, &c, 4);
    mix(&b, &c, &a, 6);
    mix(&c, &a, &b, 8);
    mix(&a, &b, &c, 16);
    mix(&b, &c, &a, 19);
    mix(&c, &a, &b, 4);
  }
  a += word(at);
  b += word(at + 4);
  c += word(at + 8);
  const auto finish = [](std::uint32_t* x, std::uint32_t y, int turn) {
    *x ^= y;
    *x -= std::rotl(y, turn);
  };
  finish(&c, b, 14);
  finish(&a, c, 11);
  finish(&b, a, 25);
  finish(&c, b, 16);
  finish(&a, c, 4);
  finish(&b, a, 14);
  finish(&c, b, 24);
  return c;
}

}  // namespace camber::record::internal
