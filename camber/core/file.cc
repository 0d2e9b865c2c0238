#include "camber/core/file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "camber/core/require.h"

namespace camber {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, std::string_view what, int error) {
  throw FileError(path, concat(what, ": ", std::generic_category().message(error)));
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() {
    if (valid()) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool valid() const { return value_ >= 0; }
  int value() const { return value_; }

  // Some file systems report a failed write only here.
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void write_directly(const std::string& path, std::string_view text) {
  Descriptor out(path, O_WRONLY);
  if (!out.valid() || !write_all(out.value(), text) || !out.close()) {
    fail(path, "cannot write", errno);
  }
}

// Removes the new file unless it has taken its final name.
class NewFile {
 public:
  explicit NewFile(std::string path) : path_(std::move(path)) {}
  ~NewFile() {
    if (!kept_) ::unlink(path_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::string& path() const { return path_; }
  bool rename_to(const std::string& target) {
    kept_ = ::rename(path_.c_str(), target.c_str()) == 0;
    return kept_;
  }

 private:
  std::string path_;
  bool kept_ = false;
};

std::string unique_name_beside(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return concat(path, ".new-", ::getpid(), '-', count++);
}

void replace(const std::string& path, std::string_view text, mode_t mode) {
  const std::string new_path = unique_name_beside(path);
  Descriptor out(new_path, O_WRONLY | O_CREAT | O_EXCL, mode);
  if (!out.valid()) fail(path, "cannot write", errno);
  NewFile new_file(new_path);
  if (!write_all(out.value(), text) || ::fsync(out.value()) != 0 || !out.close() ||
      !new_file.rename_to(path)) {
    fail(path, "cannot write", errno);
  }
  // The new name reaches the disk with its folder. Where a folder cannot be synced the file is
  // whole all the same, so this is not an error.
  const std::string folder = fs::path(path).parent_path().string();
  const Descriptor parent(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  if (parent.valid()) ::fsync(parent.value());
}

}  // namespace

void read_file_in_pieces(const std::string& path,
                         const std::function<void(std::span<const std::byte>)>& take) {
  const Descriptor in(path, O_RDONLY);
  if (!in.valid()) fail(path, "cannot read", errno);
  std::array<std::byte, 1 << 16> buffer;
  for (;;) {
    const ssize_t n = ::read(in.value(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, "cannot read", errno);
    if (n == 0) return;
    take(std::span(buffer).first(static_cast<std::size_t>(n)));
  }
}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  std::string text;
  read_file_in_pieces(path, [&](std::span<const std::byte> piece) {
    if (text.size() + piece.size() > max_bytes) {
      throw FileError(path, concat("longer than ", max_bytes, " bytes"));
    }
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  note_reading(path);
  return text;
}

namespace {
thread_local FileWatch* watch = nullptr;  // the innermost
}

FileWatch::FileWatch() : outer_(std::exchange(watch, this)) {}
FileWatch::~FileWatch() { watch = outer_; }

void note_reading(const std::string& path) {
  for (FileWatch* w = watch; w != nullptr; w = w->outer_) {
    if (std::find(w->paths_.begin(), w->paths_.end(), path) == w->paths_.end())
      w->paths_.push_back(path);
  }
}

void write_file_atomically(const std::string& path, std::string_view text) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return replace(path, text, 0666);
  if (S_ISDIR(status.st_mode)) fail(path, "cannot write", EISDIR);
  if (!S_ISREG(status.st_mode)) return write_directly(path, text);

  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  if (error) fail(path, "cannot write", error.value());
  replace(target.string(), text, status.st_mode & 07777);
}

void make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail(path, "cannot make this folder", error.value());
  // What is there already counts as made, and may be a file.
  if (!fs::is_directory(path, error)) fail(path, "cannot make this folder", ENOTDIR);
}

}  // namespace camber
