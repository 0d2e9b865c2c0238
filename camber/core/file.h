#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

/// A file that cannot be read or written: "runs/a.csv: cannot write: No space left on device".
class FileError : public std::runtime_error {
 public:
  FileError(const std::string& path, const std::string& reason)
      : std::runtime_error(path + ": " + reason), reason_(reason) {}

  /// The message without the file's name.
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// The whole file as it is. Throws FileError when it is missing, a folder, unreadable, or longer
/// than max_bytes; no more than that is ever held.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// The same piece by piece, of any length: a piece is good until the next one.
void read_file_in_pieces(const std::string& path,
                         const std::function<void(std::span<const std::byte>)>& take);

/// Knows the files that this thread reads while it lives, so that what depends on them can be told
/// from what depends on others. Of several within each other each knows them.
class FileWatch {
 public:
  FileWatch();
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// Each once, in the order in which they were read first.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  friend void note_reading(const std::string& path);
  FileWatch* outer_;
  std::vector<std::string> paths_;
};

/// Tells those who watch. read_file() does so itself; what opens a file in another way, or hands
/// its name to a library, calls it. Reading in pieces, for a hash, is not noted.
void note_reading(const std::string& path);

/// Makes `path` hold `text`, or throws FileError and leaves what was there, whatever happens in
/// between: the text goes to a new file beside it, to the disk, and only then takes the name.
/// A link keeps pointing where it did; a device or pipe (/dev/stdout) is written to directly.
void write_file_atomically(const std::string& path, std::string_view text);

/// Makes the folder and those above it, where they are missing. Throws FileError.
void make_folders(const std::string& path);

}  // namespace camber
